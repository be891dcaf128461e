"""The next plies of a game: commands become plies. Time, chance and the secret come in as values.

A house rule answers each command of the framework (one lookup, `HOUSE_RULES`); the title answers all others.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from domain import clock, going_back, leaving, lifecycle, sealed, seats, timekeeping
from domain.at_table import AtTable, must_be_opened, must_not_be_over
from domain.chain import Ply, canonical
from domain.chance import Bag, ChanceAsked, Draw, NamedChance, NoChance, draw_key
from domain.game import Game, Past, advance, extend, no_past
from domain.messages import Command, Event, tag_of
from domain.refusal import Refused
from domain.rules import Outcome, State
from domain.timekeeping import Timekeeper

T = TypeVar("T")

NOBODYS_TIME = timekeeping.by_calendars({})
"""The timekeeper of a table without people."""


class Decided(msgspec.Struct, frozen=True):
    """The result of a submission: the plies that stand, the game after them, and the refusal that ended it early.

    ``refused_at``: the index of the refused command among those given (from 0).
    """

    plies: tuple[Ply, ...]
    game: Game
    refusal: Refused | None = None
    refused_at: int | None = None


def decide_all(
    game: Game,
    seat: int | None,
    commands: Sequence[Command],
    at: int,
    cause: str,
    secret: bytes,
    past: Past = no_past,
    timekeeper: Timekeeper = NOBODYS_TIME,
) -> Decided:
    """Decide the commands of one message in order (GTJ 19.3, TTR 10.5, NER 19.9).

    All stand or none, except that nothing is undone past a barrier. Plies up to the last barrier stay, and
    `Decided.refusal` says why the rest was dropped. Raises `Refused` if nothing stands.
    """
    plies: list[Ply] = []
    after = game
    kept, kept_game = 0, game
    for index, command in enumerate(commands):
        try:
            ply, after = play(after, seat, command, at, cause, secret, past, timekeeper)
        except Refused as refusal:
            if not kept:
                raise
            return Decided(tuple(plies[:kept]), kept_game, refusal, index)
        plies.append(ply)
        if ply.barrier:
            kept, kept_game = len(plies), after
    return Decided(tuple(plies), after)


def decide_plan(game: Game, seat: int, plan: Sequence[Command], at: int, cause: str, secret: bytes) -> Decided:
    """Decide all of a bot's plan, or only its first command if it reveals something that the bot did not know."""
    try:
        return decide_all(game, seat, plan, at, cause, secret)
    except Refused:
        if len(plan) == 1:
            raise
        return decide_all(game, seat, plan[:1], at, cause, secret)


def decide(
    game: Game,
    seat: int | None,
    command: Command,
    at: int,
    cause: str,
    secret: bytes,
    past: Past = no_past,
    timekeeper: Timekeeper = NOBODYS_TIME,
    rules: int | None = None,
) -> Ply:
    """Return the ply that ``command`` makes, or raise `Refused`; see `play`."""
    return play(game, seat, command, at, cause, secret, past, timekeeper, rules)[0]


def play(
    game: Game,
    seat: int | None,
    command: Command,
    at: int,
    cause: str,
    secret: bytes,
    past: Past = no_past,
    timekeeper: Timekeeper = NOBODYS_TIME,
    rules: int | None = None,
) -> tuple[Ply, Game]:
    """Return the ply that ``command`` makes and the game after it, or raise `Refused`. ``at``: milliseconds since 1970
    (UTC).

    ``timekeeper``: decides which clocks start and stop with it, if the table has a pace. ``rules``: the version of the
    rules that decides, one of `Title.editions`: an earlier one for the proof of a log; None for the present one.
    """
    if rules is not None and rules != game.title.rules.version:
        edition = replace(game, title=game.title.editions[rules])
        of_then, then = play(edition, seat, command, at, cause, secret, past, timekeeper)
        return of_then, replace(then, title=game.title)
    chance, time = _ChanceOf(game, secret), game.table.time if game.table else None
    if time is not None and cause == "player":
        timekeeping.must_have_taken_it_back(game.table, seat, command)  # type: ignore[arg-type]  # it has a time
    if time is not None and cause == "bot":
        timekeeping.must_let_people_come_back(game.table, seat, at)  # type: ignore[arg-type]
    if type(command) in HOUSE_RULES:
        chance.at = now = AtTable(game, seat, at, chance, secret, timekeeper.nobody)
        outcome = Outcome(_decided_by_the_house(now, command), None)
    else:
        outcome = game.title.rules.decide(game.state, must_play(game, seat), command, chance)
    made = tuple(outcome.events)
    events = canonical(made)
    ply: Ply = Ply(game.version + 1, game.title.rules.version, at, seat, cause, command, events, tuple(chance.drawn))
    # Reuse the state that the decision has computed if the order of events is the same: folding again takes 13 % of a
    # decision in memory.
    known = outcome.after if events == made else None
    after = extend(game, (ply,), past, known)
    return (ply, after) if time is None else _timed(game, ply, after, past, known, timekeeper)


def _timed(game: Game, ply: Ply, after: Game, past: Past, known: State, timekeeper: Timekeeper) -> tuple[Ply, Game]:
    """ST 12, ST 15 Return ``ply`` with the events about presence and about the clocks that it starts and stops."""
    if after.table is None or after.table.time is None:
        return ply, after

    def with_more(more: Sequence[Event]) -> tuple[Ply, Game]:
        if not more:
            return ply, after
        longer = replace(ply, events=(*ply.events, *more))
        return longer, extend(game, (longer,), past, known)

    ply, after = with_more(timekeeping.who_is_there(ply, after, timekeeper))
    clocks = timekeeper.clocks(timekeeping.turn(ply, after, past))
    return with_more([*clocks, *timekeeping.stand_ins(game, ply, after)])


def foresee(game: Game, seat: int, command: Command, at: int) -> tuple[Game, Sequence[Event]]:
    """Return the game after one command, and its events.

    Raises `Refused`. Raises `ChanceAsked` if the command draws or reveals something; it names the draw, or the tag of
    the event, at which foreseeing ends.
    """
    if type(command) in HOUSE_RULES:
        now = AtTable(game, seat, at, NoChance(), b"", NOBODYS_TIME.nobody)
        made = _decided_by_the_house(now, command)
    else:
        made = game.title.rules.decide(game.state, must_play(game, seat), command, NoChance()).events
    events = canonical(made)
    ply: Ply = Ply(game.version + 1, game.title.rules.version, at, seat, "player", command, events)
    if ply.barrier:
        raise ChanceAsked(next(tag_of(type(event)) for event in events if event.BARRIER))
    return advance(game, ply), events


def refusal(game: Game, seat: int, command: Command, at: int) -> Refused | None:
    """Return why a command is refused, as far as that can be foreseen; None if it is not."""
    try:
        foresee(game, seat, command, at)
    except Refused as refused:
        return refused
    except ChanceAsked:
        pass
    return None


def allows(game: Game, seat: int | None, command: Command, at: int) -> bool:
    """Do the house rules let this hand-written command pass? It is tried up to the first event."""
    trial = _Trial(game, seat, at, NoChance(), b"", NOBODYS_TIME.nobody)
    try:
        if game.table is not None and game.table.time is not None:
            timekeeping.must_have_taken_it_back(game.table, seat, command)
        _decided_by_the_house(trial, command)
    except Refused:
        return False
    except (_WouldHappen, ChanceAsked):
        return True
    return True


class _Trial(AtTable):
    """A decision that runs only the guards, which all stand before the first event."""

    __slots__ = ()

    def happens(self, *events: Event) -> None:
        raise _WouldHappen


class _WouldHappen(Exception):
    """The first event was reached."""


class _ChanceOf:
    """The chance of the next ply, under the entropies of the seats in their order. Most plies never use it."""

    def __init__(self, game: Game, secret: bytes) -> None:
        self._game, self._secret = game, secret
        self._chance: NamedChance | None = None
        self.at: Game | AtTable = game
        """The game, or the decision whose table may change before it draws."""

    @property
    def drawn(self) -> list[Draw]:
        return self._chance.drawn if self._chance else []

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        if self._chance is None:
            entropies = self.at.table.entropies if self.at.table else b""
            self._chance = NamedChance(draw_key(self._secret), entropies, self._game.ordinals)
        return self._chance.draw(name, items, count, seat)

    def uncover(self, name: str) -> None:
        """Do nothing: there is no preview to guard."""


HOUSE_RULES: dict[type[Command], Callable[[AtTable, Any], None]] = {
    lifecycle.OpenTable1: seats.open_table,  # ST 1
    lifecycle.OpenTable: seats.open_table,
    lifecycle.TakeSeat1: seats.take_older_seat,  # ST 2
    lifecycle.TakeSeat: seats.take_seat,
    lifecycle.GiveUpSeat: seats.give_up_seat,  # ST 3
    lifecycle.StartGame: seats.start_game,  # ST 4
    lifecycle.CancelGame: seats.cancel_game,  # ST 5
    lifecycle.Resign: leaving.resign,  # ST 6
    lifecycle.TimeOut: leaving.time_out,
    lifecycle.TakeBack: going_back.take_back,  # ST 7
    lifecycle.ProposeRewind: going_back.propose_rewind,  # ST 9
    lifecycle.AgreeToRewind: going_back.agree_to_rewind,
    lifecycle.RefuseRewind: going_back.refuse_rewind,
    clock.SetPace: timekeeping.set_pace,  # ST 11
    clock.MoveClocks: timekeeping.move_clocks,  # ST 13
    clock.CallTime: timekeeping.call_time,  # ST 14
    clock.ReturnToSeat: timekeeping.return_to_seat,  # ST 16
    clock.TakeOver: timekeeping.take_over,
    clock.StandIn: timekeeping.stand_in,
    lifecycle.CloseGame: leaving.close_game,  # ST 17
    clock.FreeSeat: timekeeping.free_seat,  # ST 18
    sealed.SealWords: seats.seal_words,  # ST 20
    sealed.RevealWords: seats.reveal_words,
    sealed.CallWords: seats.call_words,
    sealed.MoveWords: seats.move_words,
}
"""Command of the framework -> the house rule that answers it. The title answers all other commands."""


def _decided_by_the_house(now: AtTable, command: Command) -> list[Event]:
    if not isinstance(command, lifecycle.OpenTable1 | lifecycle.OpenTable):
        must_be_opened(now)
    HOUSE_RULES[type(command)](now, command)
    return now.events


def must_play(game: Game, seat: int | None) -> int:
    """ST 8 The seat must play, in a running game."""
    table = game.table
    if table is None or table.status != "running":
        raise Refused("ST 8", "The game is not running.")
    must_not_be_over(game)
    if seat is None or not table.plays(seat):
        raise Refused("ST 8", "This seat is no longer in the game.")
    return seat
