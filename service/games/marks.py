"""The mark of a table: a text that changes with a reader's page of it, and the ticks that follow from it.

Pages compare the mark of ``/version`` with their own. A commit that changes a reader's mark owes that reader a tick; so
plies that are hidden from a reader cause none. A change of something else of a game, in a module of its own, compares
marks of its own, and sends a tick in the same way.
"""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.game import Game
from service.base.ticks import Tick
from service.database.store import Stored
from service.games import queries
from service.games.queries import Seen


def mark(seen: Seen, at: int) -> str:
    """Return the viewer's mark: the version, and the rest of what everybody may know."""
    return f"{seen.version}{_common(seen, at).said()}"


def tick(stored: Stored, after: Game, seats: Iterable[Any], at: int) -> Tick | None:
    """Return the tick of a commit: the readers whose marks it has changed. None if it has changed nobody's.

    ``stored``: the game before the commit. ``seats``: the rows after it. A player who lost a seat becomes a watcher.
    """
    if stored.game.version_for(None) != after.version_for(None) or _differs(stored, after, at):
        hear = {it.person_id for it in seats}
        if stored.row.public:
            hear |= {it.person_id for it in stored.seats}
        return Tick(after.id, tuple(sorted(hear - {None})), watchers=True)
    moved = (it for it in seats if stored.game.version_for(it.seat) != after.version_for(it.seat))
    own = tuple(sorted(it.person_id for it in moved if it.person_id is not None))
    return Tick(after.id, own) if own else None


def _differs(stored: Stored, after: Game, at: int) -> bool:
    """Does the rest of the mark change that everybody sees?"""
    return _common(_of_everybody(stored), at) != _common(_of_everybody(replace(stored, game=after)), at)


def _of_everybody(stored: Stored) -> Seen:
    """Return the game as someone without a seat sees it."""
    return Seen(stored, None, None, False, {})


class _Common(NamedTuple):
    """The part of the mark that is the same for all readers: a proposal to rewind, clocks, and absent players."""

    proposal: tuple[int, int, int] | None
    due: tuple[int, ...]
    away: tuple[int, ...]
    vacant: tuple[int, ...]
    stand_ins: tuple[int, ...]
    paused: bool

    def said(self) -> str:
        going_back = "" if self.proposal is None else "-{}.{}.{}".format(*self.proposal)
        time = self[1:]
        return going_back + (f"-{hashlib.sha256(repr(time).encode()).hexdigest()[:8]}" if any(time) else "")


def _common(seen: Seen, at: int) -> _Common:
    proposal = queries.rewind(seen, at)
    return _Common(
        (proposal.seat, proposal.to, len(proposal.agreed)) if proposal else None,
        tuple(it.due for it in queries.clocks(seen)),
        queries.away(seen),
        queries.vacant(seen),
        tuple(it.until for it in queries.stand_ins(seen)),
        bool(queries.waited_for(seen)),
    )
