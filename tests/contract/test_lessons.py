"""Lessons: every line is legal today, means what the words say in every language, and points at places that exist."""

import re
from collections.abc import Iterator

import pytest

from domain.lesson import FEWEST_STEPS, MOST_STEPS, MOST_WORDS
from domain.places import MOST_LISTED
from domain.title import Title
from service.games import lessons, queries
from service.games.lessons import AT, StepSeen
from service.games.orders import LineReader
from service.words import ENGLISH, languages, spoken
from tests import toy

TAPS = 3
"""The most taps of a step, the one that plays the move included."""


@pytest.fixture
def steps(title: Title) -> list[StepSeen]:
    """Return the steps of a title's lesson. The toy has none, and tests of steps say nothing about it."""
    return [lessons.step(title, number) for number in range(1, len(lessons.moments(title)) + 1)]


def played(steps: list[StepSeen]) -> Iterator[StepSeen]:
    return (it for it in steps if it.moment.command is not None)


def test_every_title_but_the_toy_has_a_lesson_of_eight_to_twelve_steps(title, steps):
    if title.id == toy.TITLE.id:
        assert title.lesson is None
        assert steps == []
    elif title.lesson is not None:
        assert FEWEST_STEPS <= len(steps) <= MOST_STEPS


def test_a_step_has_at_most_sixty_words_in_every_language(steps):
    for it in steps:
        for lang in languages():
            text = it.seen.say(it.step.text, lang)
            assert len(re.findall(r"\w[\w’'.–-]*", text)) <= MOST_WORDS, (lang, text)


def test_every_word_of_a_lesson_is_translated(title, steps):
    for lang in languages():
        if lang != ENGLISH:
            texts = spoken(title.face.words, lang).texts
            for it in steps:
                for sentence in (it.step.text, it.step.instead):
                    assert sentence is None or sentence.template in texts, (lang, sentence)


def test_the_line_of_a_step_is_read_as_its_move_in_every_language(steps):
    for it in played(steps):
        for lang in languages():
            read = LineReader(it.seen, it.seen.game, AT, lang).line(it.line(lang))
            assert read is not None
            assert read.command == it.moment.command, (lang, it.line(lang))


def test_the_move_of_a_step_is_the_only_one_that_counts_as_done(steps):
    for it in played(steps):
        assert it.tried(it.moment.command, ENGLISH).how == "done"
        others = [each.command for each in queries.actions(it.seen) if not each.means(it.moment.command)]
        for command in others[:20]:
            tried = it.tried(command, ENGLISH)
            assert tried.how == "other" or it.line(ENGLISH), command
            if tried.how == "other":
                assert tried.does, command


def test_every_other_move_is_answered_with_a_reason(steps):
    for it in played(steps):
        assert it.step.instead is not None, it.number


def test_the_places_of_a_step_exist_in_both_drawings_and_are_lit(title, steps):
    for it in played(steps):
        view = queries.view(it.seen)
        places = title.face.places
        lit = places.narrow(places.targets(view, queries.actions(it.seen))).places
        shown = {each.id: each for each in places.shown(view)}
        for place in it.step.at:
            assert place in lit, (it.number, place)
            if shown[place].on_board:
                assert place in places.areas(view, False), (it.number, place)
                assert place in places.areas(view, True), (it.number, place)


def test_a_step_takes_at_most_three_taps(title, steps):
    """Its places leave a list with its move, or a form with one number, and the last tap plays it."""
    for it in played(steps):
        if it.step.shows != "turn":
            continue
        assert len(it.step.at) + 1 <= TAPS
        places = title.face.places
        left = places.narrow(places.targets(queries.view(it.seen), queries.actions(it.seen)), places=it.step.at)
        assert len(left.lines) <= MOST_LISTED
        assert any(each.action.means(it.moment.command) for line in left.lines for each in line), it.number


def test_every_kind_of_action_is_done_once_or_never_decides(title, steps):
    if not steps:
        return
    done = {type(it.moment.command) for it in played(steps)}
    assert done >= DECIDING[title.id]()


def _of(title: str, *names: str):
    return lambda: {it for it in lessons_commands(title) if it.__name__ in names}


def lessons_commands(title: str):
    from domain import TITLES

    return TITLES[title].rules.commands


DECIDING = {
    "grand_trunk": _of(
        "grand_trunk",
        "ChooseFirstRailcar",
        "MoveTrain",
        "FulfilContract",
        "AcquireImprovement",
        "LoadGood",
        "PlayHighCapacityRailcar",
        "EndTurn",
        "BuildTerminal",
    ),
    "ticket_to_ride": _of(
        "ticket_to_ride", "KeepTickets", "DrawFaceUpCard", "DrawBlindCard", "ClaimRoute", "DrawTickets"
    ),
    "new_england": _of("new_england", "TakeLoan", "RetireDebt", "PlaceBid", "PassBid", "PayShortfall", "ShipCube"),
}


def test_a_lesson_ends_with_the_scoring_a_letter_and_a_new_game(steps):
    if steps:
        assert [it.step.shows for it in steps[-3:]] == ["scoring", "letter", "new_game"]
        assert steps[-3].seen.game.status == "over"
