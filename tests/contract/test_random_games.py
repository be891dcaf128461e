"""Random games of every title end, and every invariant holds after every ply."""

import functools
import random
from collections.abc import Iterator
from importlib import import_module

import msgspec
import pytest

from domain import lifecycle, notation
from domain.chain import StoredPly, first_link
from domain.chance import FreeChance
from domain.game import Game, can_take_back, fold
from domain.messages import Command, owner_of, redact
from domain.refusal import Refused
from domain.title import Title
from tests.contract.games import (
    Forger,
    RandomGame,
    Step,
    does_what_a_listed_one_does,
    filled,
    is_listed,
    listed,
    tables,
    what_had_happened,
)
from tests.contract.titles import ASKED

EVERY = 17
"""Plies between two positions that are checked closely."""


def test_random_games_end(title: Title, batch: range):
    """Listed actions are accepted, and made-up ones refused or listed; encoding, replay and all invariants hold."""
    invariants = import_module(f"tests.domain.{title.id}.invariants").Invariants
    for number in batch:
        game = RandomGame(title, number)
        forger = Forger(title, random.Random(number))
        holds, chain = invariants(), Chain(game)
        for step in game.steps():
            chain.add(step)
            if step.after.status in ("running", "over"):
                holds.after(step.ply, step.after)
                someone_can_act(step.after)
            if step.after.status == "running" and step.ply.number % EVERY == number % EVERY:
                look_closely(step.after, forger)
        assert game.game.status == "over"
        the_result_adds_up(game.game)
        chain.replays_to(game.game)


def test_taking_back_keeps_only_legal_hidden_entries(title: Title):
    """A ply is undone after other seats made hidden entries: these stay, and every invariant still holds."""
    invariants = import_module(f"tests.domain.{title.id}.invariants").Invariants
    for number in range(6):
        game = RandomGame(title, number, mischief=False)
        holds = invariants()
        for step in with_late_regrets(game):
            if step.after.status in ("running", "over"):
                holds.after(step.ply, step.after)


def with_late_regrets(game: RandomGame) -> Iterator[Step]:
    """Yield the game with hidden entries of others now and then before a ply is undone."""
    for step in game.steps():
        yield step
        seat, number = step.ply.seat, step.ply.number
        if seat is None or number not in can_take_back(step.after, seat, game.at) or game.dice.random() < 0.7:
            continue
        for other in step.after.table.playing:
            hidden = [it for it in game.title.rules.actions(game.game.state, other) if it.command.HIDDEN]
            if hidden and other not in game.game.asked:
                yield game.give(other, filled(game.dice.choice(hidden), game.dice))
        if number in can_take_back(game.game, seat, game.at):
            yield game.take_back(seat, number)


def someone_can_act(game: Game) -> None:
    """While a game runs, it waits for a playing seat, which has a safe action."""
    if game.status != "running":
        assert game.asked == ()
        return
    assert game.asked, "nobody is asked"
    assert set(game.asked) <= set(game.table.playing)
    for seat in game.asked:
        safe = game.title.rules.safe(game.state, seat)
        assert game.title.rules.decide(game.state, seat, safe, FreeChance(random.Random(1))).events


def look_closely(game: Game, forger: Forger) -> None:
    """Listed actions are accepted; made-up ones are refused under a rule of the title, or are listed."""
    title, cited = game.title, set()
    for seat in game.table.playing:
        actions = listed(title, game.state, seat)
        assert bool(actions) or seat not in game.asked
        assert all(title.rules.decide(game.state, seat, it.command, FreeChance(forger.dice)).events for it in actions)
        assert all(reads_back(title.id, it.command) for it in actions)
        ends = [(action, end) for action in actions if action.span for end in (action.span.low, action.span.high)]
        for action, end in ends:
            command = msgspec.structs.replace(action.command, **{action.span.field: end})
            assert title.rules.decide(game.state, seat, command, FreeChance(forger.dice)).events
        forger.learn(actions)
        for command in forger.forge(actions, 25):
            try:
                title.rules.decide(game.state, seat, command, FreeChance(forger.dice))
            except Refused as refusal:
                assert not is_listed(command, actions), f"listed, but refused: {command}"
                happened = what_had_happened(refusal)
                assert not happened, f"refused, but something had happened: {command}"
                cited.add(refusal.rule.split()[0])
                continue
            assert is_listed(command, actions) or does_what_a_listed_one_does(
                title, game.state, seat, command, actions
            ), f"accepted, but not listed: {command}"
    assert cited <= {title.prefix}, "a refusal cites a rule of this title"


@functools.cache
def reads_back(title_id: str, command: Command) -> bool:
    """Is the command's line read as the command? Each command is tried once, as they repeat."""
    return notation.read(ASKED[title_id], notation.write(command)) == command


def the_result_adds_up(game: Game) -> None:
    result = game.result
    assert result.winners
    assert {each.seat for each in result.standings} == set(range(1, game.table.seats + 1))
    for standing in result.standings:
        assert sum(points for _, points in standing.lines) == standing.total
        left = game.table.chairs[standing.seat].left
        assert (standing.place is None) == left
        assert (standing.place == 1) == (standing.seat in result.winners)


class Chain:
    """The bytes of a game, as in a store."""

    def __init__(self, game: RandomGame) -> None:
        self.game, self.codec = game, game.title.chain
        self.stored: list[StoredPly] = []
        self.link = first_link(game.game.id)

    def add(self, step: Step) -> None:
        """Encode the ply. Decoded whole it is the same, and each seat's part shows exactly the facts that the seat may
        see."""
        ply = step.ply
        stored = self.codec.store(ply, self.link, self.game.game.id, self.game.secret)
        self.link = stored.link
        self.stored.append(stored)
        assert self.codec.decode(stored.open, stored.sealed) == ply
        shown_to_all = self.codec.decode(stored.open)
        for viewer in (None, *range(1, self.game.seats + 1)):
            mine = [part for part in stored.sealed if part.seat == viewer]
            shown = self.codec.decode(stored.open, mine) if mine else shown_to_all
            may_see = tuple(part for e in ply.events if (part := redact(e, owner_of(e), viewer)) is not None)
            assert shown.events == may_see
            if shown.command is not None:
                assert shown.command == redact(ply.command, ply.seat, viewer)
            for draw, whole in zip(shown.draws, ply.draws, strict=not ply.hidden):
                assert draw == whole or (whole.seat not in (None, viewer) and draw.picks is msgspec.UNSET)

    def replays_to(self, game: Game) -> None:
        """Replayed from its bytes the game is the same."""
        again = fold(game.id, game.title, (self.codec.decode(each.open, each.sealed) for each in self.stored))
        assert again == game


def test_every_combination_of_options_is_set_up(title: Title):
    """Through the framework, at every number of seats, with a picture of each and a few plies."""
    combinations = tables(title)
    assert combinations
    assert {seats for _, seats in combinations} == set(range(title.seating.seats[0], title.seating.seats[1] + 1))
    for number, (options, seats) in enumerate(combinations):
        game = RandomGame(title, number, options, seats, mischief=False)
        *_, last = (step.after for step, _ in zip(game.steps(), range(seats + 10), strict=False))
        assert last.status == "running"
        for viewer in (None, 1):
            view = title.rules.view(last.state, viewer)
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@pytest.mark.parametrize("number", range(3))
def test_a_title_does_not_look_at_hash_order_or_clocks(title: Title, number: int):
    """The same number gives the same game."""
    first, second = ([step.ply for step in RandomGame(title, number).steps()] for _ in range(2))
    assert first == second
    assert isinstance(first[0].events[0], lifecycle.TableOpened1 | lifecycle.TableOpened)


@pytest.mark.long("ticket_to_ride")
def test_a_bot_continues_a_turn_that_another_player_began(title: Title):
    """It plays for an absent player, wherever they stopped."""
    dice = random.Random(1)
    for number in range(3):
        game = RandomGame(title, number)
        for step in game.steps():
            if step.after.status != "running" or not step.after.asked:
                continue
            seat, state = step.after.asked[0], step.after.state
            for bot in title.bots.values():
                title.rules.decide(
                    state, seat, bot(title.rules.view(state, seat), dice)[0], FreeChance(dice)
                )  # is not refused
