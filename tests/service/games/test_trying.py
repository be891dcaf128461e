"""Trying a turn: the effects of each command, the command that ends the trial, omitted commands, and no secrets."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain import TITLES
from domain.chance import FreeChance
from domain.game import Game, advance, fold
from domain.messages import Command
from domain.title import Title
from service.database.store import Stored
from service.games import queries
from service.games.queries import Seen
from service.games.trying import MOST, Tried, tried
from service.games.turn import Tryout
from tests import toy
from tests.bench.measure import played
from tests.by_mail import line_of
from tests.toy import Choose, Pick, Stop, Walk, Whisper

AT = 10**13
ANN = 1


def seen(game: Game, seat: int) -> Seen:
    return Seen(Stored(None, game, b"", b""), None, seat, False, {})


def led() -> Seen:
    """Lanterns as its leader sees it, at the start of a round, with room for another card."""
    game = fold("lanterns", toy.TITLE, ())
    for ply in played(toy.TITLE, 2, 1):
        game = advance(game, ply)
        if game.state.leader is not None and game.state.steps == toy.STEPS and len(game.state.hands[ANN]) < 3:
            return seen(game, game.state.leader)
    raise AssertionError("somebody leads")


def attempt(commands: Sequence[Command], at: Seen | None = None, lang: str = "en", **more: Any) -> Tried:
    return tried(at or led(), commands, AT, lang, **more)


# ==== one after another ===========================================================================
def test_each_command_is_told_and_the_position_is_the_one_after_all() -> None:
    at = led()
    found = attempt([Walk(2), Stop()], at)
    assert found.commands == [Walk(2), Stop()]
    assert [step.said for step in found.steps] == ["Walk 2", "Stop."]
    assert [list(step.does) for step in found.steps] == [["Seat 1 walks 2."], ["Seat 1 stops."]]
    assert (found.ahead, found.left_out) == ((), ())
    assert found.may_go_on
    assert found.game.state.walked[at.seat] == at.game.state.walked[at.seat] + 2
    assert at.game.state.leader == at.seat, "nothing has happened"
    assert any(it.after and "2" in it.after for it in found.changes)


def test_an_empty_turn_is_the_present_position() -> None:
    at = led()
    found = attempt([], at)
    assert found.game is at.game
    assert (found.steps, found.changes) == ((), ())


def test_a_command_that_asks_chance_ends_the_trial() -> None:
    at = led()
    found = attempt([Walk(1), Pick(), Whisper(3)], at)
    assert found.commands == [Walk(1), Pick()]
    assert not found.may_go_on
    assert found.steps[-1].said == "Draw a card and stop."
    assert found.steps[-1].does == ()
    assert found.game.state.hands == at.game.state.hands, "the position before it"
    assert found.ahead == ("This step draws or reveals something. You will see the outcome once you have played it.",)
    [left_out] = found.left_out
    assert (left_out.said, left_out.rule) == ("Whisper 3", None)
    assert left_out.why.startswith("Earlier steps must be played first")


def test_refused_commands_are_left_out_and_the_others_kept() -> None:
    found = attempt([Walk(2), Walk(2), Walk(1)])
    assert found.commands == [Walk(2), Walk(1)]
    [left_out] = found.left_out
    assert left_out.rule == "TOY 3"
    assert left_out.why == "1 steps are left."


def test_an_outdated_command_keeps_the_words_of_its_position() -> None:
    then = led()
    now = seen(attempt([Walk(3)], then).game, ANN)
    found = attempt([Walk(2), Stop()], now, then=then.game)
    assert found.commands == [Stop()]
    assert [it.said for it in found.left_out] == ["Walk 2"]
    assert [it.said for it in attempt([Walk(2)], now).left_out] == [""]


def test_the_trial_is_worded_in_the_viewers_language() -> None:
    assert [step.said for step in attempt([Walk(2), Stop()], lang="de").steps] == ["2 gehen", "Anhalten."]
    [unknown] = attempt([Pick()], lang="de").ahead
    assert unknown.startswith("Bei diesem Schritt wird gezogen oder aufgedeckt")


def test_a_turn_has_a_limit_of_commands() -> None:
    found = attempt([Whisper(number) for number in range(MOST + 5)])
    assert len(found.steps) == MOST
    assert not found.may_go_on


# ==== the titles ==================================================================================
def turns(title: Title) -> Iterator[tuple[Seen, Sequence[Command]]]:
    """Positions of a game, each with the asked seat and the commands that it plays there in one go."""
    game, plies = fold("tried", title, ()), list(played(title, title.seating.seats[-1], 3))
    for number, ply in enumerate(plies):
        if game.begun and ply.seat is not None and ply.seat in game.asked:
            ahead = plies[number:]
            alone = next((at for at, it in enumerate(ahead) if it.seat != ply.seat), len(ahead))
            yield seen(game, ply.seat), [it.command for it in ahead[:alone]]
        game = advance(game, ply)


@pytest.fixture(params=TITLES.values(), ids=lambda title: title.id)
def title(request: pytest.FixtureRequest) -> Title:
    return request.param


def test_whole_turns_are_tried_up_to_an_unforeseeable_step(title: Title) -> None:
    ended, longest = set(), 0
    for at, commands in list(turns(title))[::3]:
        found = attempt(commands, at)
        assert found.commands == list(commands[: len(found.steps)])
        assert all(step.said for step in found.steps), found
        assert all(step.does for step in (found.steps[:-1] if found.ahead else found.steps))
        assert bool(found.ahead) or len(found.steps) == len(commands)
        longest = max(longest, len(found.steps))
        ended |= {type(found.steps[-1].command).__name__} if found.ahead else set()
    always = {
        "grand_trunk": {"EndTurn", "PerformMaintenance", "MoveTrain"},
        "ticket_to_ride": {"DrawFaceUpCard", "DrawBlindCard", "DrawTickets"},
        "new_england": {"PlaceBid", "PassBid", "TakeLoan"},
    }
    assert ended >= always[title.id]
    assert longest > 1 or title.id == "ticket_to_ride"


def test_a_typed_line_says_what_lies_ahead_as_a_tried_turn_does(title: Title) -> None:
    told = set()
    for at, commands in list(turns(title))[::5]:
        found = attempt(commands[:1], at)
        if found.ahead:
            [line] = Tryout(at, AT, "en").read([line_of(at, at.game, commands[0], "en")])
            assert (line.command, line.does) == (commands[0], found.ahead)
            told |= {*line.does}
    assert told


def test_worlds_that_look_alike_give_the_same_trial(title: Title) -> None:
    differ = 0
    for at, commands in list(turns(title))[::11]:
        view = queries.view(at)
        worlds = [title.rules.imagine(view, FreeChance(random.Random(number))) for number in (1, 2)]
        found = []
        for world in worlds:
            game = replace(at.game, state=world, base=world, since_barrier=())
            told = [attempt(commands, seen(game, at.seat or 0)), *_each(seen(game, at.seat or 0))]
            found.append([(it.steps, it.ahead, it.left_out, it.changes, queries.view(at, it.game)) for it in told])
        assert found[0] == found[1]
        differ += worlds[0] != worlds[1]
    assert differ


def _each(at: Seen) -> Iterator[Tried]:
    """Trials of some legal actions, each by itself."""
    listed = queries.actions(at)
    for action in listed[:: max(1, len(listed) // 8)]:
        yield attempt([action.command], at)


def test_the_toy_can_be_tried_where_several_answer_together() -> None:
    game = fold("lanterns", toy.TITLE, ())
    for ply in played(toy.TITLE, 2, 1):
        game = advance(game, ply)
        if game.begun and len(game.asked) == 2:
            break
    hand = game.state.hands[ANN]
    assert attempt([Choose(hand[0])], seen(game, ANN)).may_go_on
    other = game.asked[1]
    one = attempt([Choose(hand[0])], seen(game, ANN)).game
    last = attempt([Choose(one.state.hands[other][0])], seen(one, other))
    assert last.ahead
