"""What comes next in a game: commands become plies. Time, chance and the secret come in as values."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from domain import clock, lifecycle, sealed, timekeeping
from domain.chain import Ply, canonical
from domain.chance import Bag, Chance, ChanceAsked, Draw, NamedChance, NoChance, draw_key
from domain.game import Game, Past, advance, can_take_back, choice_of, extend, no_past, options_of, why_no_take_back
from domain.lifecycle import Table, evolve_table
from domain.messages import Command, Event
from domain.refusal import Refused
from domain.timekeeping import Timekeeper
from domain.title import Outcome, State

T = TypeVar("T")

NOBODYS_TIME = timekeeping.by_calendars({})
"""The timekeeper of a table at which no people sit."""


class Decided(msgspec.Struct, frozen=True):
    """What became of a submission: the plies that stand, the game after them, and the refusal that cut it short.

    ``refused_at``: the place of the refused command among those given (from 0).
    """

    plies: tuple[Ply, ...]
    game: Game
    refusal: Refused | None = None
    refused_at: int | None = None


def decide_all(
    game: Game, seat: int | None, commands: Sequence[Command], at: int, cause: str, secret: bytes,
    past: Past = no_past, timekeeper: Timekeeper = NOBODYS_TIME,
) -> Decided:  # fmt: skip
    """Decide the commands of one message in order (GTJ 19.3, TTR 10.5, NER 19.9).

    All stand or none, except that nothing is undone past a barrier: what stands up to the last barrier stays, and
    `Decided.refusal` says what fell. Raises `Refused` when nothing stands.
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
    """All of a bot's plan or, where something came to light that it did not know, its first command alone."""
    try:
        return decide_all(game, seat, plan, at, cause, secret)
    except Refused:
        if len(plan) == 1:
            raise
        return decide_all(game, seat, plan[:1], at, cause, secret)


def decide(
    game: Game, seat: int | None, command: Command, at: int, cause: str, secret: bytes, past: Past = no_past,
    timekeeper: Timekeeper = NOBODYS_TIME, rules: int | None = None,
) -> Ply:  # fmt: skip
    """The ply that ``command`` makes, or `Refused`; see `play`."""
    return play(game, seat, command, at, cause, secret, past, timekeeper, rules)[0]


def play(
    game: Game, seat: int | None, command: Command, at: int, cause: str, secret: bytes, past: Past = no_past,
    timekeeper: Timekeeper = NOBODYS_TIME, rules: int | None = None,
) -> tuple[Ply, Game]:  # fmt: skip
    """The ply that ``command`` makes and the game after it, or `Refused`. ``at``: milliseconds since 1970 (UTC).

    ``timekeeper``: says which clocks start and stop with it, where the table has a pace. ``rules``: the version of the
    rules that decides, one of `Title.editions`: an earlier one where a log is proved; None for the present one.
    """
    if rules is not None and rules != game.title.rules:
        edition = replace(game, title=game.title.editions[rules])
        of_then, then = play(edition, seat, command, at, cause, secret, past, timekeeper)
        return of_then, replace(then, title=game.title)
    chance, time = _ChanceOf(game, secret), game.table.time if game.table else None
    if time is not None and cause == "player":
        timekeeping.play_by_hand(game.table, seat, command)  # type: ignore[arg-type]  # it has a time
    if time is not None and cause == "bot":
        timekeeping.play_by_bot(game.table, seat, at)  # type: ignore[arg-type]
    if type(command) in OF_THE_TABLE:
        outcome = Outcome(_events(game, seat, command, at, chance, timekeeper, secret), None)
    else:
        outcome = game.title.decide(game.state, must_play(game, seat), command, chance)
    made = tuple(outcome.events)
    events = canonical(made)
    ply: Ply = Ply(game.version + 1, game.title.rules, at, seat, cause, command, events, tuple(chance.drawn))
    known = outcome.after if events == made else None  # they may have come in another order
    after = extend(game, (ply,), past, known)
    return (ply, after) if time is None else _timed(game, ply, after, past, known, timekeeper)


def _timed(
    game: Game, ply: Ply, after: Game, past: Past, known: State, timekeeper: Timekeeper
) -> tuple[Ply, Game]:
    """ST 12, ST 15 ``ply`` with what it says of who is there, and the clocks that it starts and stops."""
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


def preview(game: Game, seat: int, commands: Sequence[Command], at: int) -> tuple[Game, list[Sequence[Event]], bool]:
    """What ``commands`` would do: the game after them, the events of each, and whether all could be foreseen.

    It stops, with False, at the first command that asks chance or brings something to light: nobody may look without
    committing to it (the last of the sealed answers opens all the others). Raises `Refused` as `decide_all` would.
    """
    foreseen: list[Sequence[Event]] = []
    for command in commands:
        try:
            if type(command) in OF_THE_TABLE:
                made = _events(game, seat, command, at, NoChance(), NOBODYS_TIME, None)
            else:
                made = game.title.decide(game.state, must_play(game, seat), command, NoChance()).events
        except ChanceAsked:
            return game, foreseen, False
        events = canonical(made)
        ply = Ply(game.version + 1, game.title.rules, at, seat, "player", command, events)
        if ply.barrier:
            return game, foreseen, False
        foreseen.append(events)
        game = advance(game, ply)
    return game, foreseen, True


class _ChanceOf:
    """The chance of the next ply, under the entropies of the seats in their order. Most plies never ask it."""

    def __init__(self, game: Game, secret: bytes) -> None:
        self._game, self._secret, self._table = game, secret, game.table
        self._chance: NamedChance | None = None

    def at(self, table: Table) -> None:
        """Draw under the entropies of this table."""
        self._table = table

    @property
    def drawn(self) -> list[Draw]:
        return self._chance.drawn if self._chance else []

    def draw(self, name: str, items: Iterable[T] | Bag[T], count: int = 1, seat: int | None = None) -> list[T]:
        if self._chance is None:
            entropies = self._table.entropies if self._table else b""
            self._chance = NamedChance(draw_key(self._secret), entropies, self._game.ordinals)
        return self._chance.draw(name, items, count, seat)

    def uncover(self, name: str) -> None:
        """There is no preview to guard."""


OF_THE_TABLE = frozenset(lifecycle.COMMANDS)


def _events(
    game: Game, seat: int | None, command: Command, at: int, chance: Chance, timekeeper: Timekeeper,
    secret: bytes | None,
) -> list[Event]:
    """``secret``: the game's; None for a preview, which may not ask for what follows from it."""
    if isinstance(command, lifecycle.OpenTable | lifecycle.OpenTable2):
        return [_open(game, command)]
    table = game.table
    if table is None:
        raise Refused("ST 1", "This table has not been opened.")
    match command:
        case lifecycle.TakeSeat() | lifecycle.TakeSeat2():
            return _take_seat(game, table, command, secret, at)
        case lifecycle.GiveUpSeat():
            return lifecycle.give_up_seat(table, seat)
        case sealed.RevealWords():
            return _reveal(game, table, seat, command, chance)
        case sealed.SealWords():
            return lifecycle.seal_words(table, seat, command, at)
        case sealed.CallWords():
            return lifecycle.call_words(table, at)
        case sealed.MoveWords():
            return [lifecycle.move_words(table, command)]
        case lifecycle.StartGame():
            return [lifecycle.start_game(table), *_setup(game, table, chance)]
        case lifecycle.CancelGame():
            return [lifecycle.cancel_game(table)]
        case lifecycle.CloseGame():
            must_not_be_over(game)
            return [lifecycle.close_game(table, command)]
        case lifecycle.Resign():
            return _leave(game, table, seat, "resigned", chance)
        case lifecycle.TimeOut():
            return _leave(game, table, seat, "timed_out", chance)
        case lifecycle.TakeBack():
            return [_taken_back(game, table, seat, command, at)]
        case lifecycle.ProposeRewind():
            must_not_be_over(game)
            return lifecycle.propose_rewind(table, seat, command, game.version, game.loud, at)
        case lifecycle.AgreeToRewind():
            must_not_be_over(game)
            return lifecycle.agree_to_rewind(table, seat, command, game.loud, at)
        case lifecycle.RefuseRewind():
            must_not_be_over(game)
            return [lifecycle.refuse_rewind(table, seat, game.loud, at)]
    if isinstance(command, clock.COMMANDS):
        return timekeeping.events_of(game, command, seat, at, chance, timekeeper)
    raise TypeError(f"{type(command).__name__} has no rule")


def must_play(game: Game, seat: int | None) -> int:
    """ST 8 Commands of play come from a seat that plays, in a game that runs."""
    table = game.table
    if table is None or table.status != "running":
        raise Refused("ST 8", "The game is not running.")
    if game.result is not None:
        raise _over(game)
    if seat is None or not table.plays(seat):
        raise Refused("ST 8", "This seat does not play any more.")
    return seat


def must_not_be_over(game: Game) -> None:
    """Nothing is done at a table whose game is over."""
    if game.status == "over":
        raise _over(game)


def _over(game: Game) -> Refused:
    return Refused(game.title.cites["over"], "The game is over.")


def _open(
    game: Game, command: lifecycle.OpenTable | lifecycle.OpenTable2
) -> lifecycle.TableOpened | lifecycle.TableOpened2:
    """ST 1 A table is opened once, for a number of seats and with options that the title allows."""
    if game.table is not None:
        raise Refused("ST 1", "This table is open already.")
    game.title.check_table(options_of(game.title, command.options), command.seats)
    facts = command.title, command.seats, command.options, command.commitment, command.settle
    if isinstance(command, lifecycle.OpenTable):
        return lifecycle.TableOpened(*facts)
    return lifecycle.TableOpened2(*facts, command.sealed)


def _take_seat(
    game: Game, table: Table, command: lifecycle.TakeSeat | lifecycle.TakeSeat2, secret: bytes | None, at: int
) -> list[Event]:
    if secret is None:
        raise ChanceAsked("what a seat adds to chance")
    events = lifecycle.take_seat(table, command, game.id, secret, at)
    taken = [choice_of(game.title, chair.choice) for chair in table.chairs.values()]
    options = options_of(game.title, table.options)
    game.title.check_choice(options, choice_of(game.title, command.choice), taken)
    return events


def _reveal(game: Game, table: Table, seat: int | None, command: sealed.RevealWords, chance: Chance) -> list[Event]:
    """ST 20 The last words that are opened start the game, and enter its draws."""
    opened = lifecycle.reveal_words(table, seat, command)
    after = evolve_table(table, opened, game.version + 1)
    assert after is not None
    if after.owing:
        return [opened]
    if isinstance(chance, _ChanceOf):
        chance.at(after)
    return [opened, lifecycle.start_game(after), *_setup(game, after, chance)]


def _setup(game: Game, table: Table, chance: Chance) -> list[Event]:
    choices = {seat: choice_of(game.title, table.chairs[seat].choice) for seat in sorted(table.chairs)}
    return game.title.setup(options_of(game.title, table.options), choices, chance)


def _leave(game: Game, table: Table, seat: int | None, why: lifecycle.Why, chance: Chance) -> list[Event]:
    must_not_be_over(game)
    event = lifecycle.retire(table, seat, why)
    return [event, *game.title.leave(game.state, event.seat, why, chance)]


def _taken_back(game: Game, table: Table, seat: int | None, command: lifecycle.TakeBack, at: int) -> Event:
    """ST 7 A seat withdraws its own last plies, as far as the last barrier (GTJ 19.5, TTR 10.6, NER 19.8)."""
    rule = game.title.cites["take_back"]
    if table.status != "running" or seat is None:
        raise Refused(rule, "There is nothing to take back.")
    if (reason := why_no_take_back(game, seat, at)) is not None:
        raise Refused(rule, reason.template)
    plies = can_take_back(game, seat, at)
    if command.down_to not in plies:
        raise Refused(rule, "Only plies since {oldest} can be taken back.", oldest=plies[-1])
    return lifecycle.TakenBack(seat, tuple(sorted(number for number in plies if number >= command.down_to)))
