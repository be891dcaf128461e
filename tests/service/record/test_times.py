"""The time that players took to move, from a log: ordinary turns count, all others are left out."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chain import Ply
from domain.clock import (
    BotPlaysOn,
    CallTime,
    ClockMoved,
    ClockPlaysOn,
    ClockStarted,
    ClockStopped,
    GamePaused,
    GameResumed,
    MoveClocks,
    PaceSet,
    ReturnToSeat,
    SeatReturned,
    SeatTakenOver,
    SetPace,
    TakeOver,
    TimeGivenBack,
    TimeRanOut,
)
from domain.lifecycle import Resign, TakeBack, TakenBack
from domain.messages import Command, Event
from domain.pace import DAY, HOUR, MINUTE, PRESETS, Calendar, Pace, deadline, is_put_off
from service.record.times import times
from tests.toy import Choose

ANN, BOB = 1, 2
NOON = 1_800_000_000_000
PLAIN = Pace(DAY)


class Log:
    """A log, ply by ply. Ann's clock has been started at noon."""

    def __init__(self, pace: Pace = PLAIN) -> None:
        self.pace, self.plies = pace, list[Ply]()
        self.add(None, SetPace(pace), PaceSet(pace))
        self.add(BOB, Choose(1), self.started(ANN))

    def started(self, seat: int, at: int = 0, due: int | None = None) -> ClockStarted:
        return ClockStarted(seat, NOON + at + self.pace.turn if due is None else due, 0)

    def add(self, seat: int | None, command: Command, *events: Event, at: int = 0, cause: str = "player") -> None:
        self.plies.append(Ply(len(self.plies) + 1, 1, NOON + at, seat, cause, command, events))

    def moves(self, seat: int, at: int, *events: Event, cause: str = "player") -> None:
        self.add(seat, Choose(1), ClockStopped(seat, 0), *events, at=at, cause=cause)

    @property
    def times(self) -> dict[tuple[int, int], list[int]]:
        return times(self.plies)


def test_a_turn_takes_the_time_until_its_first_move() -> None:
    log = Log()
    log.add(ANN, Choose(1), log.started(ANN, HOUR), at=HOUR)  # and goes on: her clock begins anew
    log.moves(ANN, 3 * HOUR, log.started(BOB, 3 * HOUR))
    log.moves(BOB, 3 * HOUR + 90_999, log.started(ANN, 4 * HOUR))
    assert log.times == {(ANN, 0): [3600], (BOB, 0): [90]}


@pytest.mark.parametrize("cause", ["bot", "clock", "service", "plan"])
def test_moves_that_no_player_made_do_not_count(cause: str) -> None:
    log = Log()
    log.moves(ANN, HOUR, cause=cause)
    assert log.times == {}


def test_resigning_and_taking_back_are_no_moves() -> None:
    log = Log()
    log.add(ANN, TakeBack(1), at=MINUTE)
    log.add(ANN, Resign(), ClockStopped(ANN, 0), at=HOUR)
    assert log.times == {}


def left_out(*events: Event, command: Command | None = None) -> Log:
    """Return a log in which something happens during Ann's turn, before she moves."""
    log = Log()
    log.add(None, command or CallTime(ANN), *events, at=HOUR, cause="service")
    log.moves(ANN, 2 * HOUR, log.started(BOB, 2 * HOUR))
    log.moves(BOB, 3 * HOUR)
    return log


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (ClockMoved(ANN, NOON + 9 * DAY), MoveClocks((), "away")),
        (TimeGivenBack(HOUR, ((ANN, NOON + 2 * DAY),)), MoveClocks((), "outage")),
        (ClockPlaysOn(ANN), CallTime(ANN)),
    ],
)
def test_a_turn_with_days_off_lost_time_or_the_clocks_answer_is_left_out(event: Event, command: Command) -> None:
    assert left_out(event, command=command).times == {(BOB, 0): [3600]}


def test_a_missed_deadline_that_costs_nothing_counts_with_all_its_time() -> None:
    assert left_out(TimeRanOut(ANN, NOON + DAY)).times == {(ANN, 0): [7200], (BOB, 0): [3600]}


def test_the_turn_after_a_pause_counts_from_the_end_of_the_pause() -> None:
    log = Log()
    log.add(None, CallTime(ANN), GamePaused((ANN, BOB)), ClockStopped(ANN, 0), at=DAY, cause="clock")
    back = SeatReturned(BOB), GameResumed(), log.started(ANN, 9 * DAY)
    log.add(BOB, ReturnToSeat(), *back, at=9 * DAY)
    log.moves(ANN, 9 * DAY + MINUTE)
    assert log.times == {(ANN, 0): [60]}


def test_a_turn_that_a_bot_plays_is_left_out_until_the_player_is_back() -> None:
    log = Log()
    log.add(None, CallTime(ANN), TimeRanOut(ANN, NOON + DAY), BotPlaysOn(ANN), ClockStopped(ANN, 0), at=DAY)
    log.moves(ANN, 2 * DAY, log.started(BOB, 2 * DAY), cause="bot")
    log.add(ANN, ReturnToSeat(), SeatReturned(ANN), at=3 * DAY)
    log.moves(BOB, 3 * DAY, log.started(ANN, 3 * DAY))
    log.moves(ANN, 3 * DAY + HOUR)
    assert log.times == {(BOB, 0): [86400], (ANN, 0): [3600]}


def test_a_seat_that_is_asked_again_after_a_take_back_is_left_out() -> None:
    log = Log()
    log.moves(ANN, HOUR, log.started(BOB, HOUR))
    log.add(ANN, TakeBack(3), TakenBack(ANN, (3,)), ClockStopped(BOB, 0), log.started(ANN, 2 * HOUR), at=2 * HOUR)
    log.moves(ANN, 3 * HOUR, log.started(BOB, 3 * HOUR))
    log.moves(BOB, 4 * HOUR)
    assert log.times == {(ANN, 0): [3600], (BOB, 0): [3600]}


def test_a_substitute_has_times_of_their_own() -> None:
    log = Log()
    log.moves(ANN, HOUR)
    log.add(None, TakeOver(ANN), SeatTakenOver(ANN), log.started(ANN, DAY), at=DAY)
    log.moves(ANN, DAY + MINUTE)
    assert log.times == {(ANN, 0): [3600], (ANN, 1): [60]}


def test_a_table_without_a_clock_has_no_times() -> None:
    assert times([Ply(1, 1, NOON, ANN, "player", Choose(1)), Ply(2, 1, NOON + DAY, BOB, "player", Choose(1))]) == {}


# ==== days off that were known before the turn ====================================================
OFF = 20_833 + 719_163  # the day after noon, as an ordinal
PACES: Sequence[Any] = [*PRESETS.values(), replace(PRESETS["evenings"], days_off=(1, 2), turn=3 * DAY)]


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"])
def test_ordinary_deadlines_are_not_taken_for_absences(pace: Pace, zone: str) -> None:
    for hour in range(0, 24 * 8, 5):
        for wakes, sleeps in ((8 * 60, 22 * 60), (20 * 60, 2 * 60)):
            at = NOON + hour * HOUR
            due = deadline(pace, Calendar(zone, wakes, sleeps), at, pace.bank)
            assert not is_put_off(pace, at, pace.bank, due)


@pytest.mark.parametrize("pace", PACES)
def test_a_vacation_that_was_known_before_the_turn_is_noticed(pace: Pace) -> None:
    away = Calendar("Europe/Berlin", away=((OFF, OFF + 13),))
    due = deadline(pace, away, NOON, pace.bank)
    assert is_put_off(pace, NOON, pace.bank, due)
    log = Log(pace)
    log.plies.pop()
    log.add(BOB, Choose(1), ClockStarted(ANN, due, pace.bank))
    log.moves(ANN, 14 * DAY)
    assert log.times == {}
    assert not is_put_off(replace(pace, absences=False), NOON, pace.bank, due)
