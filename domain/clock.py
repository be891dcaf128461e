"""Time at a table: the pace, the clocks and their deadlines, what happens on a missed deadline, and absent players'
seats.

Deadlines are facts in the log. The ply that hands on the turn records them, computed with the players' calendars of
that moment (`Timekeeper`). The fold only reads them, and it is never rewound. The rules of this module are cited as
``ST <n>`` (see HOUSE_RULES.md). A table without a pace has none of this in its log.
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
    """ST 11: set the pace of this table; None for no clock."""

    pace: Pace | None


class CallTime(Command, frozen=True):
    """ST 14: declare that the clock of ``seat`` has run out; the pace says what happens then."""

    seat: int


class ReturnToSeat(Command, frozen=True):
    """ST 16: take a seat back after an absence, from a bot or before a substitute has come."""


class TakeOver(Command, frozen=True):
    """ST 16: sit down as a substitute at the vacant ``seat``."""

    seat: int


class StandIn(Command, frozen=True):
    """ST 16: let a bot play the vacant ``seat``, which found no substitute."""

    seat: int


class FreeSeat(Command, frozen=True):
    """ST 18: as an operator, open ``seat``, which a person plays, to a substitute."""

    seat: int


WhyMoved = Literal["away", "outage", "set_right"]


class MoveClocks(Command, frozen=True):
    """ST 13: move the deadlines of running clocks: (seat, due). The service computes them.

    ``why``: a player is on vacation or has a holiday; or the service stood still for ``lost`` milliseconds; or its
    clock was fast and has been set right, to ``lost`` milliseconds before the time of this log.
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
    """The clock of ``seat`` runs until ``due``, which includes ``bank`` milliseconds of time in hand."""

    seat: int
    due: int
    bank: int
    QUIET: ClassVar = True


class ClockStopped(Event, frozen=True):
    """The game no longer waits for the seat; ``bank`` milliseconds are in its hand for its next turn."""

    seat: int
    bank: int
    QUIET: ClassVar = True


class ClockMoved(Event, frozen=True):
    """The running clock of ``seat`` has another deadline, because the player is away."""

    seat: int
    due: int
    QUIET: ClassVar = True


class TimeGivenBack(Event, frozen=True):
    """The service stood still for ``lost`` milliseconds; the running clocks are due later: (seat, due)."""

    lost: int
    clocks: tuple[tuple[int, int], ...]
    QUIET: ClassVar = True


class ClocksSetRight(Event, frozen=True):
    """The service's fast clock has been set right; the deadlines that it had put off come back: (seat, due).

    ``ahead``: how far the time of this log is still ahead of the clock, in milliseconds.
    """

    ahead: int
    clocks: tuple[tuple[int, int], ...]
    QUIET: ClassVar = True


class TimeRanOut(Event, frozen=True):
    """The clock of ``seat`` ran out at ``due``. The consequences stand in the same ply."""

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
    """No person at the table is present: the game waits for any of ``seats``, which are all seats that people hold."""

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
    """A clock: its deadline, and the time in hand that the deadline includes (milliseconds).

    ``since``: the moment it began. ``least``: ST 13 the earliest deadline that any move of the clock may give it: the
    time of a turn and the time in hand, as if all of it counted, plus the time given back since. ``given``: how much
    later it is due because time was given back. ``ahead``: how far the log was ahead of the present when the clock came
    back (`ClocksSetRight`).
    """

    due: int
    bank: int
    since: int = 0
    least: int = 0
    given: int = 0
    ahead: int = 0

    @property
    def due_in_log(self) -> int:
        """The deadline by the times of the log, which may be ahead of the present."""
        return self.due + self.ahead


class Time(msgspec.Struct, frozen=True):
    """Time at a table. Everything is by seat.

    ``running``: the clocks of seats that the game waits for. ``last``: each seat's last clock. ``banks``: time in hand
    of seats whose clock stands still. ``excused``: seats whose first miss was excused. ``overdue``: seats that ran out
    of time and still think. ``bots``: seats that a bot plays for an absent player. ``vacant``: seats that wait for a
    substitute. ``answered``: seats for which the clock gives the safe answers. ``waits``: the moment until which each
    such bot waits. ``paused``: the seats of people: the game goes on once one of them is back; empty if the
    game is not paused.
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
        """Return the deadlines of the running clocks that have not run out yet."""
        return {seat: clock.due for seat, clock in self.running.items() if seat not in self.overdue}

    @property
    def due(self) -> int | None:
        """The next moment at which a clock is due."""
        return min(self.clocks.values(), default=None)

    @property
    def absent(self) -> tuple[int, ...]:
        """Seats that their player must take back before playing on: a bot plays them, or they are vacant."""
        return (*self.bots, *self.vacant)

    @property
    def away(self) -> frozenset[int]:
        """Seats whose player has missed a turn and has not come back since."""
        return frozenset((*self.bots, *self.vacant, *self.answered, *self.paused))

    def bank(self, seat: int) -> int:
        """Return the time in hand of a seat whose clock stands still."""
        return self.banks.get(seat, self.pace.bank)


def evolve(time: Time | None, event: Event, at: int) -> Time | None:
    """Return the time at the table after an event of this module, in a ply at the moment ``at``. It never refuses."""
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
            return replace(time, paused=event.seats, last=last)  # none of the earlier clocks continues
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
