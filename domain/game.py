"""One game: the fold of its log, and its take-backs.

Two folds run side by side. The table (`lifecycle`) is never rewound. The title's state is folded from the *effective
history*: the log without plies that were taken back or rewound. `play` decides the next plies of a game.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from domain import lifecycle
from domain.chain import Effect, Ply, effect_of
from domain.lifecycle import TAKE_BACKS, Table, evolve_table
from domain.rules import Result, State
from domain.title import BARRIER, SEEN_BY_ALL, Title
from domain.words import Sentence

T = TypeVar("T")

NOBODY_YET = -1


class Game(msgspec.Struct, frozen=True, dict=True):
    """A game at one version.

    ``ordinals``: draws so far by name, in the effective history. ``last_barrier``: the last ply that ends all taking
    back; ``base``: the state there; ``since_barrier``: the effective plies since, none of which has drawn.
    ``last_seen_by_all``: the last ply that was not quiet; ``last_of``: each seat's last ply. ``at``: the moment of the
    last ply. ``actor``: the one seat that can take back plies since the barrier, because no other has acted there
    except quietly.
    """

    id: str
    title: Title
    table: Table | None = None
    state: State = None
    version: int = 0
    ordinals: dict[str, int] = {}
    base: State = None
    since_barrier: tuple[Effect, ...] = ()
    last_seen_by_all: int = 0
    last_of: dict[int, int] = {}
    last_barrier: int = 0
    at: int = 0
    actor: int | None = NOBODY_YET

    @cached_property
    def status(self) -> lifecycle.Status:
        if self.table is None:
            return "open"
        return "over" if self.table.status == "running" and self.result is not None else self.table.status

    @property
    def begun(self) -> bool:
        """Is there a position on the table? It stays there when the game is over, or closed."""
        return self.table is not None and self.table.begun

    @property
    def result(self) -> Result | None:
        return None if self.state is None else self.title.rules.result(self.state)

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The seats that the game waits for; before it begins, the seats that owe the table words."""
        if self.status == "running":
            return self.title.rules.asked(self.state)
        return self.table.owing if self.table else ()

    def version_for(self, seat: int | None) -> int:
        """Return the version shown to a seat: the last ply that is not quiet, or is its own."""
        return max(self.last_seen_by_all, self.last_of.get(seat, 0)) if seat is not None else self.last_seen_by_all


# ==== folding =====================================================================================
Past = Callable[[int], Game]
"""Return the game at an earlier version, from its log: the target of a rewind."""


def no_past(version: int) -> Game:
    raise LookupError(f"only the log tells how the game was at version {version}")


def fold(game_id: str, title: Title, plies: Iterable[Ply | Effect]) -> Game:
    """Return the game after ``plies``, which begin with ply 1."""
    log = plies if isinstance(plies, Sequence) else tuple(plies)
    empty = Game(game_id, title, state=title.rules.start, base=title.rules.start)
    return extend(empty, log, lambda version: fold(game_id, title, log[:version]))


def advance(game: Game, ply: Ply, past: Past = no_past) -> Game:
    """Return the game after one more ply. It never refuses. ``past`` is used if the ply is a rewind."""
    return extend(game, (ply,), past)


def extend(game: Game, plies: Iterable[Ply | Effect], past: Past = no_past, known: State = None) -> Game:
    """Return the game after more ``plies``. Every fold uses this loop, on local names because logs are long.

    ``known``: the title's state after a single ply, if its decision has already computed it.
    """
    kinds = game.title.kinds if known is None else game.title.kinds_known
    table, state, version, last_seen = game.table, game.state, game.version, game.last_seen_by_all
    base, ordinals, last_of, drawn = game.base, game.ordinals, dict(game.last_of), False
    since: list[Ply | Effect] = list(game.since_barrier)
    actor, barrier, at = game.actor, game.last_barrier, game.at
    for ply in plies:
        before, flags = state, 0
        version, seat, at, draws = ply.number, ply.seat, ply.at, ply.draws
        for event in ply.events:
            write_down, flag = kinds[type(event)]
            flags |= flag
            if write_down is not None:
                state = write_down(state, event)
            elif type(event) is lifecycle.TakenBack:
                flags, since = flags | _TAKEN_BACK, [it for it in since if it.number not in event.plies]
                state, actor = _replayed(game.title, base, since), _actor(since)
                table = evolve_table(table, event, version, at)
            else:
                table = evolve_table(table, event, version, at)
                if type(event) is lifecycle.Rewound:
                    then = past(event.to)
                    state, ordinals, drawn = then.state, then.ordinals, False
        if known is not None:
            state = known
        if draws or flags & BARRIER:
            if draws and not drawn:
                ordinals, drawn = dict(ordinals), True
            for draw in draws:
                name = draw.name
                ordinals[name] = ordinals.get(name, 0) + 1
            base, barrier, since, actor = state, version, [], NOBODY_YET
        elif not flags & SEEN_BY_ALL:
            since.append(ply)
        elif actor in (seat, NOBODY_YET):
            if not flags & _TAKEN_BACK:
                since.append(ply)
                actor = seat
        else:
            base, barrier, since, actor = before, version - 1, [ply], seat  # another seat acted: earlier plies stay
        if flags & SEEN_BY_ALL:
            last_seen = version
        if seat is not None:
            last_of[seat] = version
    effects = tuple([effect_of(ply) for ply in since])
    last = last_seen, last_of, barrier
    return Game(game.id, game.title, table, state, version, ordinals, base, effects, *last, at, actor)


_TAKEN_BACK = 4
"""A flag of a ply, beside those of its events (`domain.title`)."""


def _actor(since: Sequence[Ply | Effect]) -> int | None:
    """Return the one seat that can take plies back: the only one to act since the last barrier, except quietly."""
    ply: Ply | Effect
    for ply in reversed(since):
        if not ply.quiet:
            return ply.seat
    return NOBODY_YET


def _replayed(title: Title, state: State, since: Iterable[Ply | Effect]) -> State:
    for ply in since:
        for event in ply.events:
            if type(event) in title.rules.bookkeeping:
                state = title.evolve(state, event)
    return state


# ==== taking back =================================================================================
def can_take_back(game: Game, seat: int, at: int) -> tuple[int, ...]:
    """Return the plies that ``seat`` could take back now, newest first; any leading part of them may be withdrawn.

    There are none after the game is over, because everything hidden has been revealed. Nor are there any for a seat
    that has used up its take-backs.
    """
    return () if take_backs_left(game, seat) == 0 else _may_still_go(game, seat, at)


def _may_still_go(game: Game, seat: int, at: int) -> tuple[int, ...]:
    """Return the plies of ``seat`` that are not yet final, newest first."""
    if game.status in lifecycle.ENDED:
        return ()
    open_plies = []
    for ply in reversed(game.since_barrier):
        if ply.quiet:
            continue  # a sealed answer is replaced, not taken back; another seat's answer is no obstacle
        if ply.seat != seat:
            break
        open_plies.append(ply)
    handed_on = any(asked != seat for asked in game.asked)
    if open_plies and handed_on and at > open_plies[0].at + (game.table.settle if game.table else 0):
        return ()
    return tuple(ply.number for ply in open_plies)


COUNTED = 3
"""The version of the rules since which the take-backs of a seat are counted."""


def take_backs_left(game: Game, seat: int) -> int | None:
    """ST 7 Return how many times ``seat`` can take back before its next final ply; None if they are not counted."""
    if game.table is None or game.title.rules.version < COUNTED:
        return None
    return TAKE_BACKS - sum(ply > game.last_barrier for ply in game.table.taken_back.get(seat, ()))


FEW_TAKE_BACKS = 5
"""The number of remaining take-backs from which on the player is told."""


def few_take_backs(game: Game, seat: int) -> Sentence | None:
    """Tell ``seat`` how many take-backs remain, once they are few."""
    left = take_backs_left(game, seat)
    if left is None or left > FEW_TAKE_BACKS:
        return None
    return Sentence("Take-backs left until one of your moves becomes final: {left}.", {"left": left})


def why_no_take_back(game: Game, seat: int, at: int) -> Sentence | None:
    """ST 7 Return why ``seat`` cannot take anything back now; None if it can."""
    if game.status in lifecycle.ENDED:
        return Sentence("The game is over.")
    if _may_still_go(game, seat, at):
        return ENOUGH if take_backs_left(game, seat) == 0 else None
    last, actor, table = game.last_of.get(seat, 0), game.actor, game.table
    if actor == seat:
        return Sentence("It is no longer your turn, and the time for taking a move back is over.")
    if table is None or last <= table.floor or (actor == NOBODY_YET and game.last_barrier == table.rewound):
        return NOTHING_PLAYED
    if actor != NOBODY_YET or last < game.last_barrier:
        return Sentence("Somebody else has moved since then.")
    if last != game.last_barrier:
        return NOTHING_PLAYED
    return Sentence("Something was drawn or revealed.")


ENOUGH = Sentence(
    "You have taken back {most} times. You can do so again once one of your moves has become final.",
    {"most": TAKE_BACKS},
)
NOTHING_PLAYED = Sentence("You have made no move that could be taken back.")


# ==== of the log, as the title reads it ===========================================================
def options_of(title: Title, raw: msgspec.Raw) -> Any:
    """Read the title's options struct from the JSON in the log."""
    return msgspec.json.decode(raw, type=title.seating.options)


def choice_of(title: Title, raw: msgspec.Raw) -> Any:
    """Read a seat's choice from the JSON in the log."""
    return msgspec.json.decode(raw, type=title.seating.choice)
