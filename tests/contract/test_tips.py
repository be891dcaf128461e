"""Tips: they cite rules that exist, come on most turns, vary, and are said in every language.

That each one shows, and is true where it shows, is tested with a position in the title's own tests.
"""

import random
from collections import Counter

import pytest

import domain
from domain import tips
from domain.title import Title
from domain.words import say
from service.words import languages, rulebooks, spoken
from tests import usual
from tests.contract.games import RandomGame

MOST_WORDS = 30
TITLES = [pytest.param(it, id=it.id) for it in domain.TITLES.values()]


def test_rules_of_tips_stand_in_the_catalogue(title: Title) -> None:
    known = {key for key, _ in rulebooks.english_parts(title.catalogue, title.prefix)}
    assert {it.rule for it in title.face.tips} <= known


@pytest.mark.parametrize("box", TITLES)
def test_most_turns_of_a_player_have_a_tip_and_they_vary(box: Title) -> None:
    """Seat 1 plays to win, as beginners try to."""
    dice, said = random.Random(3), Counter[str]()

    def choose(game, seat, actions):
        bot = box.bots["sensible" if seat == 1 else "random"]
        return bot(box.rules.view(game.state, seat), dice)[0]

    for step in RandomGame(box, 3, mischief=False, choose=choose).steps():
        if 1 not in step.after.asked:
            continue
        tip = tips.first(box.face.tips, box.rules.view(step.after.state, 1))
        said[tip.sentence.template if tip else ""] += 1
        for lang in languages() if tip else ():
            words = say(tip.sentence, spoken(box.face.words, lang), "Ann {}".format)
            assert len(words.split()) <= MOST_WORDS, words
            assert "{" not in words
    assert said[""] < said.total() / 20
    assert len(said) >= 8
    assert max(said.values()) < said.total() / 2


# ==== figures =====================================================================================
@pytest.mark.parametrize("box", TITLES)
def test_figures_are_what_their_command_writes(box: Title) -> None:
    """The first game of each number of seats is played again: a change of a bot asks for new figures."""
    written = tips.usual(box.catalogue.parent / "data")
    assert written.by.startswith(f"python -m tests.usual --title {box.id} --games ")
    assert set(written.figures) == set(usual.FIGURES[box.id])
    fewest, most = box.seating.seats
    for seats in range(fewest, most + 1):
        again = usual.measured(box.id, seats, 0)
        assert {name: each[str(seats)][0] for name, each in written.figures.items()} == again, f"run: {written.by}"
        games = {len(each[str(seats)]) for each in written.figures.values()}
        assert games == {int(written.by.rpartition(" ")[2])}
