"""Lessons: every line is legal today, means what the words say in every language, and points at places that exist."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from domain.lesson import FEWEST_STEPS, MOST_STEPS, MOST_WORDS, ORDER
from domain.places import MOST_LISTED, NamedPlace
from domain.title import Title
from domain.words import Sentence
from service.games import lessons, queries
from service.games.lessons import StepSeen
from service.words import ENGLISH, languages, rulebooks, spoken
from tests import toy

TAPS = 3
"""The most taps of a step, the one that plays the move included."""


@pytest.fixture
def steps(title: Title) -> list[StepSeen]:
    """Return the steps of a title's lesson. The toy has none, and tests of steps say nothing about it."""
    return [lessons.step(title, number) for number in range(1, len(lessons.moments(title)) + 1)]


def played(steps: list[StepSeen]) -> Iterator[StepSeen]:
    return (it for it in steps if it.moment.commands)


def sentences(it: StepSeen) -> list[Sentence]:
    """Return what a step says before anything is tried."""
    return [each for each in (it.step.text, it.step.do) if each is not None]


def words_of(it: StepSeen, lang: str) -> str:
    return " ".join(it.seen.say(each, lang) for each in sentences(it))


def test_every_title_but_the_toy_has_a_lesson_of_eight_to_twelve_steps(title, steps):
    if title.id == toy.TITLE.id:
        assert title.lesson is None
        assert steps == []
    elif title.lesson is not None:
        assert FEWEST_STEPS <= len(steps) <= MOST_STEPS


def test_a_step_has_at_most_sixty_words_in_every_language(steps):
    for it in steps:
        for lang in languages():
            assert len(re.findall(r"\w[\w’'.–-]*", words_of(it, lang))) <= MOST_WORDS, (it.number, lang)


def test_a_step_to_play_says_what_to_do(steps):
    for it in steps:
        assert (it.step.do is not None) == bool(it.moment.commands), it.number
        assert len(it.step.lines) <= 1 or it.step.shows == "letter", it.number


def test_every_word_of_a_lesson_is_translated(title, steps):
    for lang in languages():
        if lang != ENGLISH:
            texts = spoken(title.face.words, lang).texts
            for it in steps:
                for sentence in (*sentences(it), it.step.instead):
                    assert sentence is None or sentence.template in texts, (lang, sentence)


def test_the_lines_of_a_step_are_read_as_its_moves_in_every_language(steps):
    for it in played(steps):
        for lang in languages():
            assert len(it.lines(lang)) == len(it.step.lines)
            assert it.read("\n".join(it.lines(lang)), lang).how == "done", (lang, it.lines(lang))


def test_the_first_lines_of_a_letter_are_a_part_of_its_answer(steps):
    for it in played(steps):
        for number in range(1, len(it.step.lines)):
            assert it.read("\n".join(it.lines(ENGLISH)[:number]), ENGLISH).how == "part"


def test_the_move_of_a_step_is_the_only_one_that_counts_as_done(steps):
    for it in played(steps):
        wish = it.moment.commands[0]
        assert it.tried(wish, ENGLISH).how == ("part" if len(it.moment.commands) > 1 else "done")
        others = [each.command for each in queries.actions(it.seen) if not each.means(wish)]
        for command in others[:20]:
            tried = it.tried(command, ENGLISH)
            assert tried.how in ("other", "refused") or tried.how == it.tried(wish, ENGLISH).how, command
            if tried.how == "other":
                assert tried.does, command


def test_every_other_move_is_answered_with_a_reason(steps):
    for it in played(steps):
        assert it.step.instead is not None, it.number


def lit(it: StepSeen) -> set[str]:
    """Return the places that a step's page highlights."""
    view, places = queries.view(it.seen), it.title.face.places
    return {*places.narrow(places.targets(view, queries.actions(it.seen))).places}


def test_the_places_of_a_step_exist_in_both_drawings_and_are_lit(title, steps):
    for it in played(steps):
        view = queries.view(it.seen)
        places = title.face.places
        shown = {each.id: each for each in places.shown(view)}
        for place in it.step.at:
            assert place in lit(it), (it.number, place)
            if shown[place].on_board:
                assert place in places.areas(view, False), (it.number, place)
                assert place in places.areas(view, True), (it.number, place)


@pytest.mark.parametrize("lang", list(languages()))
def test_the_words_name_only_places_that_are_shown_and_ask_only_for_lit_ones(title, steps, lang):
    shown = [named_places(it, lang) for it in steps]
    known = {name for names in shown for name in names.values()}
    drawn = {name for it in steps for name in named_places(it, lang, on_board=True).values()}
    for it, names in zip(steps, shown, strict=True):
        assert named_in(words_of(it, lang), known) & drawn <= {*names.values()}, it.number
        if it.step.do is not None and it.step.shows == "turn":
            asked = named_in(it.seen.say(it.step.do, lang), known)
            assert asked <= {names[place] for place in lit(it) if place in names}, (it.number, asked)


def named_places(it: StepSeen, lang: str, *, on_board: bool = False) -> dict[str, str]:
    """Return the places that a step's page shows, with their names, without a remark such as "(gray, 2)"."""
    language = it.seen.language(lang)
    shown: Iterable[NamedPlace] = it.title.face.places.shown(queries.view(it.seen))
    shown = (place for place in shown if place.on_board or not on_board)
    return {place.id: place.called(language).partition(" (")[0] for place in shown}


def named_in(text: str, names: set[str]) -> set[str]:
    """Return the names in a text; a name inside a longer one does not count."""
    found = set()
    for name in sorted(names, key=len, reverse=True):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            found.add(name)
            text = text.replace(name, " ")
    return found


NUMBERS = {
    "en": "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn",
}


def numbers_in(text: str, lang: str) -> set[int]:
    """Return the numbers of a text, in digits or in words. One is also a pronoun, and does not count as a word."""
    words = {word: number for number, word in enumerate(NUMBERS[lang].split(), 2)}
    digits = {int(it) for it in re.findall(r"(?<![\w.])\d+(?!\w)", text)}
    return digits | {words[it] for it in re.findall(r"\w+", text.lower()) if it in words}


@pytest.mark.parametrize("lang", list(languages()))
def test_every_number_in_the_words_is_true(title, steps, lang):
    for it in steps:
        known = {number for number, _ in it.step.numbers}
        assert numbers_in(words_of(it, lang), lang) == known, (it.number, known)


def test_every_number_has_its_source_in_the_view_the_rules_or_the_order(title, steps):
    rules = dict(rulebooks.english_parts(title.catalogue, title.prefix))
    for it in steps:
        view = msgspec.to_builtins(queries.view(it.seen), str_keys=True)
        for number, source in it.step.numbers:
            if source == ORDER:
                assert number in numbers_in(" ".join(it.step.lines), ENGLISH), (it.number, number)
            elif source in rules:
                assert number in numbers_in(rules[source], ENGLISH), (it.number, number, source)
            else:
                assert at_path(view, source) == number, (it.number, number, source)


def at_path(view: Any, path: str) -> Any:
    """Return the value at a path such as "seats.0.day"; ``#`` at the end counts the members."""
    for step in path.split("."):
        view = len(view) if step == "#" else view[int(step)] if isinstance(view, list | tuple) else view[step]
    return view


def test_a_step_takes_at_most_three_taps(title, steps):
    """Its places leave a list with its move, and the last tap plays it. An amount is one tap more, if it is not the
    first one that the form offers.
    """
    for it in played(steps):
        if it.step.shows != "turn":
            continue
        [wish] = it.moment.commands
        places = title.face.places
        left = places.narrow(places.targets(queries.view(it.seen), queries.actions(it.seen)), places=it.step.at)
        assert len(left.lines) <= MOST_LISTED
        action = next(each.action for line in left.lines for each in line if each.action.means(wish))
        amount = action.span is not None and action.command != wish
        assert len(it.step.at) + amount + 1 <= TAPS, it.number


def test_every_kind_of_action_is_done_once_or_never_decides(title, steps):
    if not steps:
        return
    done = {type(command) for it in played(steps) for command in it.moment.commands}
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
        "DeliverGood",
        "FulfilContract",
        "CoupleRailcar",
        "LoadGood",
        "PlayHighCapacityRailcar",
        "IncreaseForce",
        "BuildTerminal",
        "AcquireImprovement",
        "EndTurn",
        "PerformMaintenance",
    ),
    "ticket_to_ride": _of(
        "ticket_to_ride", "KeepTickets", "DrawFaceUpCard", "DrawBlindCard", "ClaimRoute", "DrawTickets"
    ),
    "new_england": _of(
        "new_england",
        "TakeLoan",
        "RetireDebt",
        "PlaceBid",
        "PassBid",
        "SetProxyBid",
        "SetBuildLimit",
        "PayShortfall",
        "ShipCube",
        "SkipShipment",
    ),
}


def test_a_lesson_ends_with_the_scoring_a_letter_and_a_new_game(steps):
    if steps:
        assert [it.step.shows for it in steps[-3:]] == ["scoring", "letter", "new_game"]
        assert steps[-3].seen.game.status == "over"
