"""The speed of a game: the agreement of a table, the hours that count for a player, and the arithmetic of deadlines.

Callers pass in the time and a player's calendar. Times are integers: milliseconds, moments since 1970-01-01T00:00:00Z.
Time *counts* for a player unless the pace exempts it: as sleep, a day off, a vacation or a holiday.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from domain.refusal import Refused

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
DAY_MINUTES = 24 * 60

SHORTEST, LONGEST = MINUTE, 60 * DAY
MOST_REMINDERS = 4
SHORTEST_WAIT, LONGEST_WAIT = MINUTE, 4 * HOUR

Then = Literal["remind", "safe", "bot", "substitute", "resign"]
"""The consequence of a missed deadline: nothing but a mail; the title's safe answer is played; a bot plays on; a
substitute can take over the seat; the seat leaves the game.
"""


class Pace(msgspec.Struct, frozen=True):
    """The agreement of a table about time. It stands in the log (`domain.clock.PaceSet`), so its shape is never edited.

    ``turn``: the counted time for a turn. ``bank``, ``gain``, ``cap``: counted time in hand at the start, the gain of
    each turn, and the maximum. ``hour``: the local time at which deadlines fall, in minutes after midnight (None: any
    time). ``days_off``: days of the week that do not count, 1 is Monday. ``waking``: only waking hours count.
    ``absences``: vacations and holidays do not count. ``excuse``: a seat's first miss costs nothing. ``renew``: each
    move of a turn restarts the time of a turn; otherwise the whole turn has one time. ``reminders``: how long before
    the deadline to remind, the longest first.
    """

    turn: int
    bank: int = 0
    gain: int = 0
    cap: int = 0
    hour: int | None = None
    days_off: tuple[int, ...] = ()
    waking: bool = False
    absences: bool = True
    excuse: bool = True
    renew: bool = True
    reminders: tuple[int, ...] = ()
    then: Then = "remind"


PRESETS: Mapping[str, Pace] = {
    "week": Pace(7 * DAY, reminders=(2 * DAY, 12 * HOUR), then="remind"),
    "three_days": Pace(3 * DAY, reminders=(DAY, 6 * HOUR), then="bot"),
    "day": Pace(DAY, bank=DAY, gain=4 * HOUR, cap=3 * DAY, reminders=(12 * HOUR, 3 * HOUR), then="bot"),
    "weekdays": Pace(DAY, hour=20 * 60, days_off=(6, 7), reminders=(6 * HOUR,), then="substitute"),
    "evenings": Pace(
        15 * MINUTE, bank=2 * HOUR, gain=10 * MINUTE, cap=4 * HOUR, waking=True, renew=False, reminders=(30 * MINUTE,),
        then="safe",
    ),
}  # fmt: skip
"""Paces with a name, from slow to fast. A table without any pace has no clock."""


def preset_of(pace: Pace | None) -> str:
    """Return the name of a pace: of a preset, "free", or "none"."""
    if pace is None:
        return "none"
    return next((name for name, preset in PRESETS.items() if preset == pace), "free")


def must_be_a_pace(pace: Pace) -> None:
    """ST 11 The pace must keep within bounds, so that every turn ends and no slip makes a pace too fast."""
    spans = (pace.turn, *pace.reminders)
    if not all(SHORTEST <= span <= LONGEST for span in spans):
        raise Refused("ST 11", "Every duration in a pace must be between one minute and sixty days.")
    if not (0 <= pace.bank <= pace.cap <= LONGEST and 0 <= pace.gain <= pace.cap):
        raise Refused(
            "ST 11", "Time in hand and the time that a turn adds must not exceed the cap, which is at most sixty days."
        )
    if pace.hour is not None and not 0 <= pace.hour < DAY_MINUTES:
        raise Refused("ST 11", "Deadlines need a valid time of day.")
    if not set(pace.days_off) < set(range(1, 8)) or len(set(pace.days_off)) != len(pace.days_off):
        raise Refused("ST 11", "At most six days of the week can be days off.")
    if len(pace.reminders) > MOST_REMINDERS or list(pace.reminders) != sorted(set(pace.reminders), reverse=True):
        raise Refused("ST 11", "There can be up to four reminders, each later than the one before.")


# ==== when a player's time counts =================================================================
class Calendar(msgspec.Struct, frozen=True):
    """The hours and days at which a person plays. ``zone``: IANA name. ``wakes``, ``sleeps``: minutes after local
    midnight. With equal times the person is always awake; if ``wakes`` is later than ``sleeps``, they are awake past
    midnight.

    ``away``: first and last day of each absence, as ``date.toordinal``.
    """

    zone: str = "UTC"
    wakes: int = 8 * 60
    sleeps: int = 22 * 60
    away: tuple[tuple[int, int], ...] = ()


FAR = 1000
"""Days after which all time counts: the arithmetic ends there, however long somebody is absent."""


def deadline(pace: Pace, calendar: Calendar, at: int, bank: int) -> int:
    """Return the deadline of a turn that begins ``at``, with ``bank`` in hand: counted time, then the
    hour of the day.
    """
    return at_hour(pace, calendar, after(pace, calendar, at, pace.turn + bank))


def wait(pace: Pace) -> int:
    """ST 15 Return how long a stand-in bot waits for the player before it moves; all of this time counts."""
    return min(max(pace.turn // 10, SHORTEST_WAIT), LONGEST_WAIT)


def after(pace: Pace, calendar: Calendar, at: int, time: int) -> int:
    """Return the first moment by which ``time`` has counted since ``at``."""
    if time <= 0:
        return at
    for start, end in _counting(pace, calendar, at):
        if start + time <= end:
            return start + time
        time -= end - start
    raise AssertionError("there is always more time")


def counted(pace: Pace, calendar: Calendar, since: int, until: int) -> int:
    """Return how much time counts between two moments; 0 if they are in the wrong order."""
    total = 0
    if until > since:
        for start, end in _counting(pace, calendar, since):
            if start >= until:
                break
            total += min(end, until) - start
    return total


def all_counts(pace: Pace) -> bool:
    """Does all time count, whatever a calendar says?"""
    return not (pace.days_off or pace.waking or pace.absences)


def latest(pace: Pace, at: int, time: int) -> int:
    """Return the latest moment that `after` can give for any calendar. The day of a zone may begin a day before the UTC
    day.
    """
    if all_counts(pace):
        return at + time
    if pace.waking or pace.absences:
        return at + time + (FAR + 1) * DAY
    on = 7 - len(pace.days_off)
    return at + time + len(pace.days_off) * (time // (on * DAY) + 2) * DAY


def latest_deadline(pace: Pace, at: int, bank: int) -> int:
    """Return the latest moment that `deadline` can give for any calendar."""
    last = latest(pace, at, pace.turn + bank)
    if pace.hour is None:
        return last
    return last + (FAR + 3 if pace.absences else len(pace.days_off) + 2) * DAY


LEAST_AWAKE = 6 * HOUR
"""The fewest waking hours of a player in a day."""
ZONES = ("Etc/GMT+12", "UTC", "Etc/GMT-14")
"""Zones that show all dates that a moment can have."""


def is_put_off(pace: Pace, at: int, bank: int, due: int) -> bool:
    """Can only an absence explain the deadline ``due`` of a turn that begins ``at``, wherever its player lives?

    A log has no calendars. So an absence of a day or two may go unnoticed where hours or days of the week count.
    """
    if not pace.absences:
        return False
    present, time = replace(pace, absences=False, waking=False), pace.turn + bank
    if pace.waking:
        time = (time // LEAST_AWAKE + 2) * DAY
    if all_counts(present) and present.hour is None:
        return due > at + time
    latest = max(at_hour(present, it, after(present, it, at, time)) for it in map(Calendar, ZONES))
    return due > latest + DAY


def at_hour(pace: Pace, calendar: Calendar, at: int) -> int:
    """Return ``at``, or the next time that the local clock on a day that counts shows the hour of the pace."""
    if pace.hour is None:
        return at
    zone = ZoneInfo(calendar.zone)
    for day in count(_local_day(zone, at)):
        moment = instant(zone, day, pace.hour)
        if moment >= at and _counts(pace, calendar, day, day - FAR > _local_day(zone, at)):
            return moment
    raise AssertionError("days do not end")


_ENDLESS = 1 << 62


def _counting(pace: Pace, calendar: Calendar, since: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of time that count from ``since`` on, in order and without end."""
    absences = calendar.away if pace.absences else ()
    if not (pace.days_off or pace.waking or absences):
        yield since, _ENDLESS
        return
    zone = ZoneInfo(calendar.zone)
    sleepless = not pace.waking or calendar.wakes == calendar.sleeps
    opens, shuts = (0, DAY_MINUTES) if sleepless else (calendar.wakes, calendar.sleeps)
    if shuts <= opens:
        shuts += DAY_MINUTES
    first = _local_day(zone, since) - 1  # the last day's waking hours may end after midnight
    for day in range(first, first + FAR):
        if _counts(pace, calendar, day):
            start, end = max(since, instant(zone, day, opens)), instant(zone, day, shuts)
            if start < end:
                yield start, end
    yield max(since, instant(zone, first + FAR, 0)), _ENDLESS


def _counts(pace: Pace, calendar: Calendar, day: int, too_far: bool = False) -> bool:
    if too_far:
        return True
    if (day - 1) % 7 + 1 in pace.days_off:  # day 1 of the calendar was a Monday
        return False
    return not (pace.absences and any(first <= day <= last for first, last in calendar.away))


def _local_day(zone: ZoneInfo, at: int) -> int:
    return datetime.fromtimestamp(at / 1000, zone).toordinal()


def instant(zone: ZoneInfo, day: int, minutes: int) -> int:
    """Return the moment at which the local clock shows this number of minutes after midnight of a day.

    If clocks go back and show it twice, the first such moment; if they go forward past it, the moment of the change.
    """
    local = datetime.fromordinal(day) + timedelta(minutes=minutes)
    before, later = (local.replace(tzinfo=zone, fold=fold).utcoffset() or timedelta() for fold in (0, 1))
    moment = _milliseconds(local - before)
    return moment if before >= later else _change(zone, _milliseconds(local - later), moment, later)


def _change(zone: ZoneInfo, early: int, late: int, offset: timedelta) -> int:
    """Return when, after ``early`` and not after ``late``, the zone's clocks change to ``offset``."""
    while late - early > 1000:
        middle = (early + late) // 2000 * 1000
        if datetime.fromtimestamp(middle / 1000, zone).utcoffset() == offset:
            late = middle
        else:
            early = middle
    return late


_EPOCH = datetime(1970, 1, 1)


def _milliseconds(naive: datetime) -> int:
    return (naive - _EPOCH) // timedelta(milliseconds=1)


def day_of(calendar: Calendar, at: int) -> date:
    """Return the date that a person's calendar shows at a moment."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(calendar.zone)).date()


def as_plain(pace: Pace) -> dict[str, Any]:
    """Return a pace as plain data, as it stands in the log."""
    plain: dict[str, Any] = msgspec.to_builtins(pace)
    return plain
