"""Trying a turn step by step: its extent, its end, and that every channel uses it."""

import re
from pathlib import Path

import pytest

from domain.refusal import Refused
from service.games.turn import Tryout
from tests.service.games.test_trying import AT, led
from tests.toy import Pick, Stop, Walk, Whisper

SERVICE = Path(__file__).parents[3] / "service"
CALLS = re.compile(r"\bplay\.foresee\(|from domain\.play import .*\bforesee\b")


def test_each_step_begins_where_the_last_one_ended() -> None:
    at = led()
    turn = Tryout(at, AT, "en")
    steps = [turn.add(Walk(1)), turn.add(Walk(1)), turn.add(Stop())]
    assert [turn.does(it) for it in steps] == [("Seat 1 walks 1.",), ("Seat 1 walks 1.",), ("Seat 1 stops.",)]
    assert turn.game.state.walked[at.seat] == at.game.state.walked[at.seat] + 2
    assert at.game.state.leader == at.seat, "nothing has happened"


def test_a_refused_step_leaves_the_turn_as_it_was() -> None:
    turn = Tryout(led(), AT, "en")
    turn.add(Walk(2))
    before = turn.game
    with pytest.raises(Refused):
        turn.add(Walk(2))
    assert (turn.game, len(turn.steps)) == (before, 1)
    turn.add(Walk(1))


def test_nothing_follows_a_step_that_asks_chance() -> None:
    turn = Tryout(led(), AT, "en").follow([Walk(1), Pick(), Whisper(3)])
    assert [it.command for it in turn.steps] == [Walk(1), Pick()]
    assert turn.steps[-1].events is None
    assert turn.ahead
    assert turn.does(turn.steps[-1]) == turn.ahead
    with pytest.raises(AssertionError):
        turn.add(Whisper(3))


def test_lines_are_read_each_behind_the_one_before_it() -> None:
    turn = Tryout(led(), AT, "en")
    read = turn.read(["walk 2", "", "walk 2", "stop"])
    assert [(it.text, it.problem) for it in read] == [("walk 2", None), ("walk 2", "cannot")]
    read = Tryout(led(), AT, "en").read(["pick", "walk 1"])
    assert [it.problem for it in read] == [None, "later"]


def test_every_road_tries_its_turns_in_one_place() -> None:
    callers = {str(it.relative_to(SERVICE)) for it in SERVICE.rglob("*.py") if CALLS.search(it.read_text())}
    assert callers == {"games/turn.py", "proof/face.py"}, "the second compares versions of the code"
