"""Time at a table: the pace, whose clock runs until when, what happens when it has run out, who plays a seat then.

Deadlines are facts in the log. Whoever hands on the turn records them in the same ply, reckoned with the players'
calendars of that moment (`Timekeeper`); the fold only reads them, and it is never rewound. The rules of this module
are cited as ``ST <n>`` (see HOUSE_RULES.md). A table without a pace has none of this in its log.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from domain.messages import Command, Event
from domain.pace import Pace

T = TypeVar("T")


# ==== commands ====================================================================================
class SetPace(Command, frozen=True):
    """ST 11: how fast this table plays; None for no clock."""

    pace: Pace | None


class CallTime(Command, frozen=True):
    """ST 14: the clock of ``seat`` has run out; what the pace says then happens."""

    seat: int


class ReturnToSeat(Command, frozen=True):
    """ST 16: a player who was away takes the seat back, from a bot or before a substitute has come."""


class TakeOver(Command, frozen=True):
    """ST 16: a substitute sits down at ``seat``, which stands open."""

    seat: int


class StandIn(Command, frozen=True):
    """ST 16: a bot plays on at ``seat``, which stands open and found no substitute."""

    seat: int


class FreeSeat(Command, frozen=True):
    """ST 18: an operator opens ``seat``, which a person plays, to a substitute."""

    seat: int


WhyMoved = Literal["away", "outage", "set_right"]


class MoveClocks(Command, frozen=True):
    """ST 13: other deadlines for seats whose clocks run: (seat, due). The service reckons them.

    ``why``: a player's vacation or holiday; or the service stood still for ``lost`` milliseconds; or its clock was fast
    and has been set right, to ``lost`` milliseconds before the time of this log.
    """

    clocks: tuple[tuple[int, int], ...]
    why: WhyMoved
    lost: int = 0


COMMANDS = (SetPace, CallTime, ReturnToSeat, TakeOver, StandIn, MoveClocks, FreeSeat)


# ==== events ======================================================================================
class PaceSet(Event, frozen=True):
    pace: Pace | None
    BARRIER: ClassVar = True


class ClockStarted(Event, frozen=True):
    """The time of ``seat`` runs until ``due``, with ``bank`` milliseconds in hand, which ``due`` includes."""

    seat: int
    due: int
    bank: int
    QUIET: ClassVar = True


class ClockStopped(Event, frozen=True):
    """The seat is not asked any more; ``bank`` milliseconds are in its hand for its next turn."""

    seat: int
    bank: int
    QUIET: ClassVar = True


class ClockMoved(Event, frozen=True):
    """The running clock of ``seat`` is due at another moment, because the player is away."""

    seat: int
    due: int
    QUIET: ClassVar = True


class TimeGivenBack(Event, frozen=True):
    """The service stood still for ``lost`` milliseconds; the running clocks are due later: (seat, due)."""

    lost: int
    clocks: tuple[tuple[int, int], ...]
    QUIET: ClassVar = True


class ClocksSetRight(Event, frozen=True):
    """The clock of the service was fast and has been set right; deadlines that it put off come back: (seat, due).

    ``ahead``: how far the time of this log still is ahead of the clock, in milliseconds.
    """

    ahead: int
    clocks: tuple[tuple[int, int], ...]
    QUIET: ClassVar = True


class TimeRanOut(Event, frozen=True):
    """The clock of ``seat`` ran out at ``due``. What follows stands in the same ply."""

    seat: int
    due: int
    QUIET: ClassVar = True


class MissExcused(Event, frozen=True):
    """The first miss of ``seat`` costs nothing: its turn begins again."""

    seat: int
    QUIET: ClassVar = True


class BotPlaysOn(Event, frozen=True):
    """A bot plays ``seat`` until its player returns."""

    seat: int
    QUIET: ClassVar = True


class SeatOpened(Event, frozen=True):
    """``seat`` waits for a substitute, or for its player."""

    seat: int
    QUIET: ClassVar = True


class SeatReturned(Event, frozen=True):
    """The player of ``seat`` is back."""

    seat: int
    QUIET: ClassVar = True


class SeatTakenOver(Event, frozen=True):
    """A substitute plays ``seat`` from now on."""

    seat: int
    QUIET: ClassVar = True


class ClockPlaysOn(Event, frozen=True):
    """The clock gives the safe answers of ``seat`` until its player moves again."""

    seat: int
    QUIET: ClassVar = True


class StandInWaits(Event, frozen=True):
    """The bot that plays ``seat`` for its player does not move before ``until``."""

    seat: int
    until: int
    QUIET: ClassVar = True


class GamePaused(Event, frozen=True):
    """None of the people at the table is there: the game waits for one of ``seats``, which are all that people hold."""

    seats: tuple[int, ...]
    QUIET: ClassVar = True


class GameResumed(Event, frozen=True):
    """The paused game goes on."""

    QUIET: ClassVar = True


EVENTS = (
    PaceSet, ClockStarted, ClockStopped, ClockMoved, TimeGivenBack, TimeRanOut, MissExcused, BotPlaysOn, SeatOpened,
    SeatReturned, SeatTakenOver, ClockPlaysOn, StandInWaits, GamePaused, GameResumed, ClocksSetRight,
)  # fmt: skip


# ==== the fold ====================================================================================
class Clock(msgspec.Struct, frozen=True):
    """A clock: when it is due, and the time in hand that this includes (milliseconds).

    ``since``: when it began. ``least``: ST 13 the moment before which it never becomes due, however often it is moved:
    the time of a turn and what was in hand, as if all of it counted, and what was given back since.
    ``given``: by how much later it is due than it was, for what was given back. ``ahead``: how far the log was ahead of
    the present when the clock came back (`ClocksSetRight`).
    """

    due: int
    bank: int
    since: int = 0
    least: int = 0
    given: int = 0
    ahead: int = 0

    @property
    def due_in_log(self) -> int:
        """When it is due by the times of the log, which may be ahead of the present."""
        return self.due + self.ahead


class Time(msgspec.Struct, frozen=True):
    """Time at a table. Everything is by seat.

    ``running``: the clocks of seats that are asked. ``last``: the clock each seat had last. ``banks``: time in hand
    of seats whose clock stands. ``excused``: seats whose first miss was excused. ``overdue``: seats that were called
    out and still think. ``bots``: seats a bot plays for an absent player. ``vacant``: seats that wait for a substitute.
    ``answered``: seats for which the clock gives the safe answers. ``waits``: until when each such bot waits.
    ``paused``: the seats of the people of whom one must come back before the game goes on; none where it is not paused.
    """

    pace: Pace
    running: dict[int, Clock] = {}
    last: dict[int, Clock] = {}
    banks: dict[int, int] = {}
    excused: tuple[int, ...] = ()
    overdue: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    vacant: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()
    waits: dict[int, int] = {}
    paused: tuple[int, ...] = ()

    @property
    def clocks(self) -> dict[int, int]:
        """When the running clocks are due, but for those that were called out already."""
        return {seat: clock.due for seat, clock in self.running.items() if seat not in self.overdue}

    @property
    def due(self) -> int | None:
        """When the clock must be looked at next."""
        return min(self.clocks.values(), default=None)

    @property
    def absent(self) -> tuple[int, ...]:
        """Seats that their player must take back before playing on: a bot plays them, or they stand open."""
        return (*self.bots, *self.vacant)

    @property
    def away(self) -> frozenset[int]:
        """Seats whose player has missed a turn and was not back since."""
        return frozenset((*self.bots, *self.vacant, *self.answered, *self.paused))

    def bank(self, seat: int) -> int:
        """The time in hand of a seat whose clock stands."""
        return self.banks.get(seat, self.pace.bank)


def evolve(time: Time | None, event: Event, at: int) -> Time | None:
    """Time at the table after an event of this module, of a ply of the moment ``at``. It never refuses."""
    if isinstance(event, PaceSet):
        return Time(event.pace) if event.pace else None
    if time is None:
        return None
    match event:
        case ClockStarted():
            clock = Clock(event.due, event.bank, at, min(event.due, at + time.pace.turn + event.bank))
            return replace(
                time,
                running={**time.running, event.seat: clock},
                last={**time.last, event.seat: clock},
                overdue=_without(time.overdue, event.seat),
            )
        case ClockStopped():
            return replace(
                time,
                running=_but(time.running, event.seat),
                banks={**time.banks, event.seat: event.bank},
                overdue=_without(time.overdue, event.seat),
            )
        case ClockMoved():
            return _moved(time, {event.seat: event.due})
        case TimeGivenBack():
            return _moved(time, dict(event.clocks), given=True)
        case ClocksSetRight():
            return _moved(time, dict(event.clocks), given=True, ahead=event.ahead)
        case TimeRanOut():
            return replace(time, overdue=(*_without(time.overdue, event.seat), event.seat))
        case MissExcused():
            return replace(time, excused=(*time.excused, event.seat))
        case BotPlaysOn():
            bots = (*_without(time.bots, event.seat), event.seat)
            vacant, waits = _without(time.vacant, event.seat), _but(time.waits, event.seat)
            return replace(time, bots=bots, vacant=vacant, waits=waits)
        case SeatOpened():
            return replace(time, vacant=(*_without(time.vacant, event.seat), event.seat))
        case SeatReturned(seat=seat):
            return replace(
                time,
                bots=_without(time.bots, seat),
                vacant=_without(time.vacant, seat),
                answered=_without(time.answered, seat),
                waits=_but(time.waits, seat),
            )
        case SeatTakenOver(seat=seat):
            excused, vacant = _without(time.excused, seat), _without(time.vacant, seat)
            answered = _without(time.answered, seat)
            return replace(time, banks=_but(time.banks, seat), excused=excused, vacant=vacant, answered=answered)
        case ClockPlaysOn():
            return replace(time, answered=(*_without(time.answered, event.seat), event.seat))
        case StandInWaits():
            return replace(time, waits={**time.waits, event.seat: event.until})
        case GamePaused():
            last = {seat: clock for seat, clock in time.last.items() if seat not in event.seats}
            return replace(time, paused=event.seats, last=last)  # no clock of before is gone on with
        case GameResumed():
            return replace(time, paused=())
        case _:
            return time


def _moved(time: Time, clocks: Mapping[int, int], *, given: bool = False, ahead: int | None = None) -> Time:
    fresh = {}
    for seat, due in clocks.items():
        if (clock := time.running.get(seat)) is not None:
            more = due - clock.due if given else 0
            lead = clock.ahead if ahead is None else ahead
            least = min(due, clock.least + more)
            fresh[seat] = replace(clock, due=due, least=least, given=clock.given + more, ahead=lead)
    return replace(time, running={**time.running, **fresh}, last={**time.last, **fresh})


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(each for each in seats if each != seat)


def _but(by_seat: dict[int, T], seat: int) -> dict[int, T]:
    return {each: value for each, value in by_seat.items() if each != seat}
