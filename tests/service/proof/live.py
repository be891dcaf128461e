"""A table of Lanterns that a service plays live, honestly or not: every ply is decided, and the log is linked.

``lie``: changes the clocks that a ply records before it is made, so that all that follows is built on them.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from domain import lifecycle, luck
from domain.chain import Ply, StoredPly, first_link, secret_commitment
from domain.clock import SetPace
from domain.game import Game, advance, fold
from domain.messages import Command, Event
from domain.pace import DAY, HOUR, MINUTE, Calendar, Pace
from domain.play import decide
from domain.timekeeping import Timekeeper, by_calendars
from tests.domain.table import raw
from tests.service.proof.bundle import bundles
from tests.toy import TITLE

ID, SECRET, SETTLE, NOON = "a-game", bytes(range(32)), MINUTE, 1_800_000_000_000
Lie = Callable[[Sequence[Any]], Sequence[Event]]

PLAIN = Pace(DAY, bank=4 * HOUR, gain=HOUR, cap=12 * HOUR, absences=False, excuse=False, renew=False, then="substitute")
"""Every deadline of it is exact: no calendar has a part in it."""
WITH_DAYS = replace(PLAIN, absences=True)


class Live:
    """A game under way. ``at``: the time of the next ply. ``people``: seat -> present calendar."""

    def __init__(
        self,
        pace: Pace | None = PLAIN,
        seats: int = 2,
        bots: Sequence[int] = (),
        *,
        sealed: bool = False,
        older: bool = False,
        started: bool = True,
        rules: int = TITLE.rules.version,
        options: str = '{"length":"long"}',
        causes: Mapping[str, str] | None = None,
    ) -> None:
        how = causes or {}
        self.at, self.plies, self.rules = NOON, list[Ply](), rules
        self.people = {seat: Calendar() for seat in range(1, seats + 1) if seat not in bots}
        self.game = fold(ID, TITLE, [])
        commitment = secret_commitment(SECRET)
        if older:
            self.give(None, lifecycle.OpenTable1("toy", seats, raw(options), commitment, SETTLE))
        else:
            self.give(None, lifecycle.OpenTable("toy", seats, raw(options), commitment, SETTLE, sealed))
        if pace is not None:
            self.give(None, SetPace(pace), how.get("pace", "player"))
        if started:
            self.begin(how)

    def begin(self, causes: Mapping[str, str] = MappingProxyType({})) -> None:
        """Let all sit down, and start the game."""
        for seat in range(1, self.table.seats + 1):
            self.sit(seat, cause=causes.get("sit", "player"))
        self.give(None, lifecycle.StartGame(), causes.get("start", "player"))

    def sit(self, seat: int, brought: str | None = None, due: int | None = None, cause: str = "player") -> Ply:
        bot = seat not in self.people
        if self.table.older:
            return self.give(seat, lifecycle.TakeSeat1(seat, raw("{}"), f"{seat:02}" * 32), cause)
        brought = None if bot else brought or luck.brought("", f"words {seat}")
        return self.give(seat, lifecycle.TakeSeat(seat, raw("{}"), brought, bot, due), cause)

    def give(
        self,
        seat: int | None,
        command: Command,
        cause: str = "player",
        lie: Lie | None = None,
        as_of: int | None = None,
    ) -> Ply:
        """Give a command. Raises `Refused` and then changes nothing. ``as_of``: other rules that decide."""
        honest = by_calendars(self.people)
        keeper = honest if lie is None else Timekeeper(lambda turn: lie(honest.clocks(turn)), honest.nobody)
        rules = as_of or self.rules
        ply = decide(self.game, seat, command, self.at, cause, SECRET, self.past, keeper, rules)
        ply = replace(ply, rules=self.rules)
        self.plies.append(ply)
        self.game = advance(self.game, ply, self.past)
        return ply

    def past(self, version: int) -> Game:
        return fold(ID, TITLE, self.plies[:version])

    @property
    def table(self) -> lifecycle.Table:
        assert self.game.table is not None
        return self.game.table

    @property
    def time(self) -> Any:
        """Time at the table."""
        return self.table.time

    def choose(self, seat: int, cause: str = "player", lie: Lie | None = None) -> Ply:
        return self.give(seat, TITLE.rules.safe(self.game.state, seat), cause, lie)

    def choose_all(self, lie: Lie | None = None) -> int:
        """Let every seat choose its lowest card, the last with ``lie``. Return the leader's seat."""
        *first, last = self.game.asked
        for seat in first:
            self.choose(seat, self.cause_of(seat))
        self.choose(last, self.cause_of(last), lie)
        return int(self.game.state.leader)

    def cause_of(self, seat: int) -> str:
        return "bot" if seat not in self.people or (self.time and seat in self.time.bots) else "player"

    def log(self) -> list[StoredPly]:
        link, log = first_link(ID), list[StoredPly]()
        for ply in self.plies:
            log.append(TITLE.chain.store(ply, link, ID, SECRET))
            link = log[-1].link
        return log

    def file(self, seat: int | None = None) -> bytes:
        """The game as a file: all of it if it has ended, else as ``seat`` sees it."""
        return bundles.bundle_of(TITLE, ID, SECRET, self.log(), seat)

    def closed(self) -> "Live":
        """Call the game off, which publishes its secret."""
        if self.game.status not in lifecycle.ENDED:
            self.give(None, lifecycle.CloseGame("other") if self.game.begun else lifecycle.CancelGame(), "service")
        return self


# ==== lies ========================================================================================
def of(kind: type[Event], seat: int | None = None, **by: int | Mapping[str, int]) -> Lie:
    """Add to fields of the clocks of one kind (and seat): ``due=-1`` is a millisecond too early."""

    def lie(clocks: Sequence[Any]) -> Sequence[Event]:
        assert any(_is(it, kind, seat) for it in clocks), "there is nothing to lie about"
        return [replace(it, **_more(it, by)) if _is(it, kind, seat) else it for it in clocks]

    return lie


def without(kind: type[Event], seat: int | None = None) -> Lie:
    def lie(clocks: Sequence[Any]) -> Sequence[Event]:
        assert any(_is(it, kind, seat) for it in clocks), "there is nothing to leave out"
        return [it for it in clocks if not _is(it, kind, seat)]

    return lie


def also(*events: Event) -> Lie:
    return lambda clocks: [*clocks, *events]


def _is(event: Any, kind: type[Event], seat: int | None) -> bool:
    return isinstance(event, kind) and seat in (None, event.seat)  # type: ignore[attr-defined]


def _more(event: Any, by: Mapping[str, Any]) -> dict[str, int]:
    return {name: getattr(event, name) + more for name, more in by.items()}
