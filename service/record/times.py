"""The time that players took to move, from a log.

It counts from the moment at which the game began to wait for a seat to the first move that the player made there.
Further moves of the same turn do not count, nor do moves of bots and clocks. A turn is left out if the log says that
it was no ordinary one: the game paused, somebody played for the player, the service stood still, days off put the
deadline off, or the seat was asked again because a move was taken back. Tables without a clock have no times: their
log does not say when a player was away.
"""

from collections.abc import Iterable

from domain import clock, lifecycle
from domain.chain import Ply
from domain.clock import ClockMoved, ClocksSetRight, ClockStarted, ClockStopped, SeatTakenOver, Time, TimeGivenBack
from domain.pace import is_put_off
from service.base.clock import SECOND

OF_CLOCKS = frozenset(clock.EVENTS)


def times(plies: Iterable[Ply]) -> dict[tuple[int, int], list[int]]:
    """Return (seat, sitting) -> the seconds that its turns took to begin, in order.

    ``sitting``: how many substitutes had taken the seat over.
    """
    found: dict[tuple[int, int], list[int]] = {}
    waits = _Waits()
    for ply in plies:
        began = waits.end(ply)
        if began is not None and ply.seat is not None:
            found.setdefault((ply.seat, waits.sittings.get(ply.seat, 0)), []).append((ply.at - began) // SECOND)
        waits.note(ply)
    return found


class _Waits:
    """The seats that the game waits for. ``since``: the moment when it began; None if this turn is left out."""

    def __init__(self) -> None:
        self.since: dict[int, int | None] = {}
        self.sittings: dict[int, int] = {}
        self._time: Time | None = None

    def end(self, ply: Ply) -> int | None:
        """End the wait for the seat that moved. Return its beginning if the turn counts."""
        if ply.seat not in self.since or isinstance(ply.command, lifecycle.COMMANDS):
            return None
        began = self.since.pop(ply.seat)
        return began if ply.cause == "player" else None

    def note(self, ply: Ply) -> None:
        """Note the waits that begin or end with a ply."""
        goes_back = any(isinstance(event, lifecycle.TakenBack | lifecycle.Rewound) for event in ply.events)
        for event in ply.events:
            if type(event) in OF_CLOCKS:
                self._note(event, ply.at, goes_back)
                self._time = clock.evolve(self._time, event, ply.at)

    def _note(self, event: object, at: int, goes_back: bool) -> None:
        time = self._time
        match event:
            case ClockStarted(seat=seat) if time is not None and seat not in time.running:
                counts = not (goes_back or seat in time.away or is_put_off(time.pace, at, event.bank, event.due))
                self.since[seat] = at if counts else None
            case ClockStopped(seat=seat):
                self.since.pop(seat, None)
            case ClockMoved(seat=seat) | clock.ClockPlaysOn(seat=seat):
                self._leave_out(seat)
            case clock.TimeRanOut(seat=seat) if time is not None and time.pace.then == "safe":
                if not time.pace.excuse or seat in time.excused:
                    self._leave_out(seat)
            case TimeGivenBack() | ClocksSetRight():
                for seat, _ in event.clocks:
                    self._leave_out(seat)
            case SeatTakenOver(seat=seat):
                self.sittings[seat] = self.sittings.get(seat, 0) + 1

    def _leave_out(self, seat: int) -> None:
        if seat in self.since:
            self.since[seat] = None
