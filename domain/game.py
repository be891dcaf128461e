"""One game: the fold of its log, and the decision of what comes next in it.

Two folds run side by side. The table (`lifecycle`) is never rewound. The title's state is folded from the
*effective history*: the log without the plies that were taken back. Time, chance and the secret come in as values.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import lifecycle
from domain.chain import Ply, canonical
from domain.chance import Chance, ChanceAsked, Draw, NamedChance, NoChance, draw_key, length_prefixed
from domain.lifecycle import Table, evolve_table
from domain.messages import Command, Event
from domain.refusal import Refused
from domain.title import Result, State, Title


class Game(msgspec.Struct, frozen=True):
    """A game at one version.

    ``ordinals``: draws so far by name, in the effective history. ``base``: state and ordinals at the point behind
    which nothing can be taken back; ``tail``: the effective plies since. ``loud``: the last ply that was not quiet;
    ``own``: each seat's last ply.
    """

    id: str
    title: Title
    table: Table | None = None
    state: State = None
    version: int = 0
    ordinals: dict[str, int] = {}
    base: tuple[State, dict[str, int]] = (None, {})
    tail: tuple[Ply, ...] = ()
    loud: int = 0
    own: dict[int, int] = {}

    @property
    def status(self) -> lifecycle.Status:
        if self.table is None:
            return "open"
        return "over" if self.table.status == "running" and self.result is not None else self.table.status

    @property
    def result(self) -> Result | None:
        return None if self.state is None else self.title.result(self.state)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats the game waits for."""
        return self.title.asked(self.state) if self.status == "running" else ()

    def version_for(self, seat: int | None) -> int:
        """The version shown to a seat: the last ply that is not quiet, or is its own."""
        return max(self.loud, self.own.get(seat, 0)) if seat is not None else self.loud


# ==== folding =====================================================================================
def fold(game_id: str, title: Title, plies: Iterable[Ply]) -> Game:
    """The game after ``plies``, which begin with ply 1."""
    game = Game(game_id, title, state=title.start, base=(title.start, {}))
    for ply in plies:
        game = advance(game, ply)
    return game


def advance(game: Game, ply: Ply) -> Game:
    """The game after one more ply. It never refuses."""
    events = ply.events
    if isinstance(events[0], lifecycle.TakenBack):
        return _take_back(game, ply, set(events[0].plies))
    table, state, evolve = game.table, game.state, game.title.evolve
    if isinstance(ply.command, lifecycle.COMMANDS):
        for event in events:
            table = evolve_table(table, event)
    for event in events:
        if not isinstance(event, lifecycle.EVENTS):
            state = evolve(state, event)
    ordinals = _count(game.ordinals, ply.draws) if ply.draws else game.ordinals
    quiet = ply.quiet
    if ply.barrier:
        base, tail = (state, ordinals), ()
    elif not quiet and any(earlier.seat != ply.seat and not earlier.quiet for earlier in game.tail):
        base, tail = (game.state, game.ordinals), (ply,)  # another seat has acted: what lies before it stays
    else:
        base, tail = game.base, (*game.tail, ply)
    return Game(
        game.id, game.title, table, state, ply.number, ordinals, base, tail,
        game.loud if quiet else ply.number,
        game.own if ply.seat is None else {**game.own, ply.seat: ply.number},
    )  # fmt: skip


def _take_back(game: Game, ply: Ply, withdrawn: set[int]) -> Game:
    tail = tuple(each for each in game.tail if each.number not in withdrawn)
    state, ordinals = game.base
    for each in tail:
        state, ordinals = _apply(game.title, state, each), _count(ordinals, each.draws)
    return replace(
        game, state=state, ordinals=ordinals, tail=tail, version=ply.number, loud=ply.number,
        own={**game.own, ply.seat: ply.number},
    )  # fmt: skip


def _apply(title: Title, state: State, ply: Ply) -> State:
    for event in ply.events:
        if not isinstance(event, lifecycle.EVENTS):
            state = title.evolve(state, event)
    return state


def _count(ordinals: Mapping[str, int], draws: Iterable[Draw]) -> dict[str, int]:
    counted = dict(ordinals)
    for draw in draws:
        counted[draw.name] = counted.get(draw.name, 0) + 1
    return counted


# ==== deciding ====================================================================================
class Decided(msgspec.Struct, frozen=True):
    """What became of a submission: the plies that stand, the game after them, and the refusal that cut it short.

    ``refused_at``: the place of the refused command among those given (from 0).
    """

    plies: tuple[Ply, ...]
    game: Game
    refusal: Refused | None = None
    refused_at: int | None = None


def decide_all(
    game: Game, seat: int | None, commands: Sequence[Command], at: int, cause: str, secret: bytes
) -> Decided:
    """Decide the commands of one message in order (GTJ 19.3, TTR 10.5, NER 19.9).

    All stand or none, except that nothing is undone past a barrier: what stands up to the last barrier stays, and
    `Decided.refusal` says what fell. Raises `Refused` when nothing stands.
    """
    plies: list[Ply] = []
    after = game
    kept, kept_game = 0, game
    for index, command in enumerate(commands):
        try:
            ply = decide(after, seat, command, at, cause, secret)
        except Refused as refusal:
            if not kept:
                raise
            return Decided(tuple(plies[:kept]), kept_game, refusal, index)
        plies.append(ply)
        after = advance(after, ply)
        if ply.barrier:
            kept, kept_game = len(plies), after
    return Decided(tuple(plies), after)


def decide(game: Game, seat: int | None, command: Command, at: int, cause: str, secret: bytes) -> Ply:
    """The ply that ``command`` makes, or `Refused`. ``at``: milliseconds since 1970 (UTC)."""
    chance = chance_of(game, secret)
    events = canonical(_events(game, seat, command, at, chance))
    return Ply(game.version + 1, at, seat, cause, game.title.rules, command, events, tuple(chance.drawn))


def preview(game: Game, seat: int, commands: Sequence[Command], at: int) -> tuple[Game, list[Sequence[Event]], bool]:
    """What ``commands`` would do: the game after them, the events of each, and whether all could be foreseen.

    It stops, with False, at the first command that asks chance or brings something to light: nobody may look without
    committing to it (the last of the sealed answers opens all the others). Raises `Refused` as `decide_all` would.
    """
    foreseen: list[Sequence[Event]] = []
    for command in commands:
        try:
            events = canonical(_events(game, seat, command, at, NoChance()))
        except ChanceAsked:
            return game, foreseen, False
        ply = Ply(game.version + 1, at, seat, "player", game.title.rules, command, events)
        if ply.barrier:
            return game, foreseen, False
        foreseen.append(events)
        game = advance(game, ply)
    return game, foreseen, True


def chance_of(game: Game, secret: bytes) -> NamedChance:
    """The chance of the next ply, under the entropies of the seats in their order."""
    chairs = game.table.chairs if game.table else {}
    entropies = length_prefixed(bytes.fromhex(chairs[seat].entropy) for seat in sorted(chairs))
    return NamedChance(draw_key(secret), entropies, game.ordinals)


def _events(game: Game, seat: int | None, command: Command, at: int, chance: Chance) -> list[Event]:
    if not isinstance(command, lifecycle.COMMANDS):
        return _events_of_title(game, seat, command, chance)
    if isinstance(command, lifecycle.OpenTable):
        return [_open(game, command)]
    table = game.table
    if table is None:
        raise Refused("ST 1", "This table has not been opened.")
    match command:
        case lifecycle.TakeSeat():
            return [_take_seat(game, table, command)]
        case lifecycle.GiveUpSeat():
            return [lifecycle.give_up_seat(table, seat)]
        case lifecycle.StartGame():
            return [lifecycle.start_game(table), *_setup(game, table, chance)]
        case lifecycle.CancelGame():
            return [lifecycle.cancel_game(table)]
        case lifecycle.Resign():
            return _leave(game, table, seat, "resigned", chance)
        case lifecycle.TimeOut():
            return _leave(game, table, seat, "timed_out", chance)
        case lifecycle.TakeBack():
            return [_taken_back(game, table, seat, command, at)]
    raise TypeError(f"{type(command).__name__} has no rule")


def _events_of_title(game: Game, seat: int | None, command: Command, chance: Chance) -> list[Event]:
    """ST 8 Commands of play come from a seat that plays, in a game that runs."""
    if game.status == "over":
        raise Refused(game.title.cites["over"], "The game is over.")
    if game.table is None or game.status != "running":
        raise Refused("ST 8", "The game is not running.")
    if seat not in game.table.playing:
        raise Refused("ST 8", "This seat does not play any more.")
    return game.title.decide(game.state, seat, command, chance)


def _open(game: Game, command: lifecycle.OpenTable) -> lifecycle.TableOpened:
    """ST 1 A table is opened once, for a number of seats and with options that the title allows."""
    if game.table is not None:
        raise Refused("ST 1", "This table is open already.")
    game.title.check_table(options_of(game.title, command.options), command.seats)
    return lifecycle.TableOpened(command.title, command.seats, command.options, command.commitment, command.settle)


def _take_seat(game: Game, table: Table, command: lifecycle.TakeSeat) -> lifecycle.SeatTaken:
    event = lifecycle.take_seat(table, command)
    taken = [choice_of(game.title, chair.choice) for chair in table.chairs.values()]
    options = options_of(game.title, table.options)
    game.title.check_choice(options, choice_of(game.title, command.choice), taken)
    return event


def _setup(game: Game, table: Table, chance: Chance) -> list[Event]:
    choices = {seat: choice_of(game.title, table.chairs[seat].choice) for seat in sorted(table.chairs)}
    return game.title.setup(options_of(game.title, table.options), choices, chance)


def _leave(game: Game, table: Table, seat: int | None, why: lifecycle.Why, chance: Chance) -> list[Event]:
    if game.status == "over":
        raise Refused(game.title.cites["over"], "The game is over.")
    event = lifecycle.retire(table, seat, why)
    return [event, *game.title.leave(game.state, event.seat, why, chance)]


def options_of(title: Title, raw: msgspec.Raw) -> Any:
    """The title's options struct from the JSON in the log."""
    return msgspec.json.decode(raw, type=title.options)


def choice_of(title: Title, raw: msgspec.Raw) -> Any:
    """A seat's choice from the JSON in the log."""
    return msgspec.json.decode(raw, type=title.choice)


# ==== taking back =================================================================================
def can_take_back(game: Game, seat: int, at: int) -> tuple[int, ...]:
    """The plies ``seat`` could take back now, newest first; any leading part of them may be withdrawn.

    None once the game is over: everything hidden has come to light then.
    """
    if game.status == "over":
        return ()
    open_plies = []
    for ply in reversed(game.tail):
        if ply.quiet:
            continue  # a sealed answer is replaced, not taken back; another seat's hinders nobody
        if ply.seat != seat:
            break
        open_plies.append(ply)
    handed_on = any(asked != seat for asked in game.asked)
    if open_plies and handed_on and at > open_plies[0].at + _settle(game):
        return ()
    return tuple(ply.number for ply in open_plies)


def _settle(game: Game) -> int:
    return game.table.settle if game.table else 0


def _taken_back(game: Game, table: Table, seat: int | None, command: lifecycle.TakeBack, at: int) -> Event:
    """ST 7 A seat withdraws its own last plies, as far as the last barrier (GTJ 19.5, TTR 10.6, NER 19.8)."""
    rule = game.title.cites["take_back"]
    if table.status != "running" or seat is None:
        raise Refused(rule, "There is nothing to take back.")
    plies = can_take_back(game, seat, at)
    if not plies:
        raise Refused(rule, "There is nothing to take back.")
    if command.down_to not in plies:
        raise Refused(rule, "Only plies since {oldest} can be taken back.", oldest=plies[-1])
    return lifecycle.TakenBack(seat, tuple(sorted(number for number in plies if number >= command.down_to)))
