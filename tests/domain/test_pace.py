"""The arithmetic of deadlines, over daylight-saving changes in a dozen zones (ST 11 to ST 13)."""

from datetime import UTC, date, datetime
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import house_words, pace_words
from domain.pace import (
    DAY,
    HOUR,
    MINUTE,
    PRESETS,
    Calendar,
    Pace,
    Then,
    after,
    at_hour,
    counted,
    deadline,
    instant,
    must_be_a_pace,
    preset_of,
)
from domain.refusal import Refused
from domain.words import say
from service.words import spoken

ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo", "America/Havana", "Asia/Kolkata",
    "Asia/Beirut", "Africa/Cairo", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Apia", "America/St_Johns",
    "Asia/Tehran",
)  # fmt: skip
"""Half-hour changes, changes at midnight, a day that never was, none at all."""


def ms(zone: str, *when: int) -> int:
    return int(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[misc]


def local(at: int, zone: str) -> datetime:
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone))


moments = st.integers(ms("UTC", 2011, 12, 1), ms("UTC", 2031, 1, 1)) | st.builds(
    lambda year, month, day, hours: ms("UTC", year, month, day) + hours * HOUR // 2,
    st.integers(2011, 2030),
    st.sampled_from([3, 4, 9, 10, 11, 12]),
    st.integers(1, 28),
    st.integers(0, 200),
)
calendars = st.builds(
    lambda zone, wakes, awake, away, long: Calendar(
        zone, wakes, (wakes + awake) % 1440, tuple((day, day + long) for day in away)
    ),
    st.sampled_from(ZONES),
    st.integers(0, 1439),
    st.integers(240, 1440),
    st.lists(st.integers(date(2011, 12, 1).toordinal(), date(2031, 1, 1).toordinal()), max_size=3),
    st.integers(0, 40),
)
paces = st.builds(
    lambda turn, days_off, waking, absences: Pace(
        turn, days_off=tuple(sorted(days_off)), waking=waking, absences=absences
    ),
    st.integers(MINUTE, 5 * DAY),
    st.sets(st.integers(1, 7), max_size=5),
    st.booleans(),
    st.booleans(),
)
few = settings(max_examples=60, deadline=None)


@few
@given(paces, calendars, moments)
@example(Pace(DAY, waking=True), Calendar("Europe/Berlin", 150, 180), ms("UTC", 2026, 3, 28, 12))
@example(Pace(DAY, days_off=(5,)), Calendar("Pacific/Apia"), ms("UTC", 2011, 12, 29, 12))
def test_counted_time_equals_the_time_of_the_pace(pace: Pace, calendar: Calendar, at: int):
    due = deadline(pace, calendar, at, 0)
    assert due > at
    assert counted(pace, calendar, at, due) == pace.turn
    assert counted(pace, calendar, at, due - 1) == pace.turn - 1, "the first such moment"


@few
@given(paces, calendars, moments, st.integers(0, 3 * DAY), st.integers(0, 6 * DAY))
def test_deadlines_keep_their_order_and_times_add_up(pace: Pace, calendar: Calendar, at: int, later: int, time: int):
    assert after(pace, calendar, at, time) <= after(pace, calendar, at + later, time)
    assert after(pace, calendar, at, time) <= after(pace, calendar, at, time + later)
    middle = after(pace, calendar, at, time)
    assert counted(pace, calendar, at, middle) + counted(pace, calendar, middle, middle + later) == counted(
        pace, calendar, at, middle + later
    )
    assert after(pace, calendar, middle, later) == after(pace, calendar, at, time + later) or time == 0


@few
@given(paces, calendars, moments)
def test_time_counts_only_while_the_player_is_there(pace: Pace, calendar: Calendar, at: int):
    """It is checked hour by hour, in another way: by the local clock and the local date."""
    for step in range(0, 3 * DAY, 7 * HOUR + 13 * MINUTE):
        now = at + step
        here = local(now, calendar.zone)
        minute = here.hour * 60 + here.minute
        past_midnight = pace.waking and calendar.sleeps < calendar.wakes
        day = here.toordinal() - (1 if past_midnight and minute < calendar.sleeps else 0)
        awake = not pace.waking or calendar.wakes == calendar.sleeps
        if not awake:
            awake = calendar.wakes <= minute < calendar.sleeps
        if past_midnight:
            awake = not calendar.sleeps <= minute < calendar.wakes
        free = date.fromordinal(day).isoweekday() in pace.days_off
        away = pace.absences and any(first <= day <= last for first, last in calendar.away)
        if near_a_change(now, calendar.zone):
            continue  # another test covers the hour that is there twice or not at all
        assert (counted(pace, calendar, now, now + 1) == 1) == (awake and not free and not away)


def near_a_change(at: int, zone: str) -> bool:
    return local(at - DAY, zone).utcoffset() != local(at + DAY, zone).utcoffset()


@few
@given(st.integers(0, 1439), st.sampled_from(ZONES), moments, st.sets(st.integers(1, 7), max_size=6))
def test_a_fixed_hour_is_shown_by_the_players_clock(hour: int, zone: str, at: int, off: set[int]):
    pace, calendar = Pace(DAY, hour=hour, days_off=tuple(sorted(off))), Calendar(zone)
    due = at_hour(pace, calendar, at)
    assert due >= at
    here = local(due, zone)
    assert here.isoweekday() not in off
    shown = here.hour * 60 + here.minute
    if shown != hour:  # only where the clock skipped that hour: then it is the moment of the change
        assert local(due - 1000, zone).utcoffset() != here.utcoffset()
        assert shown > hour or here.date() > local(due - 1000, zone).date()
    assert due - at <= 9 * DAY


@few
@given(st.sampled_from(ZONES), st.integers(date(2011, 12, 1).toordinal(), date(2031, 1, 1).toordinal()))
def test_local_times_follow_each_other(zone: str, day: int):
    all_day = [instant(ZoneInfo(zone), day, minute) for minute in range(0, 1441, 15)]
    assert all_day == sorted(all_day)


def test_a_repeated_or_skipped_hour_has_one_moment():
    zone = ZoneInfo("Europe/Berlin")
    assert instant(zone, date(2026, 3, 29).toordinal(), 150) == ms("UTC", 2026, 3, 29, 1)
    assert instant(zone, date(2026, 10, 25).toordinal(), 150) == ms("UTC", 2026, 10, 25, 0, 30)


def test_waking_hours_skip_the_night():
    pace, calendar = Pace(6 * HOUR, waking=True), Calendar("America/New_York", 8 * 60, 22 * 60)
    evening = ms("America/New_York", 2026, 6, 1, 20)
    assert local(deadline(pace, calendar, evening, 0), calendar.zone).timetuple()[:5] == (2026, 6, 2, 12, 0)
    owl = replace(calendar, wakes=18 * 60, sleeps=2 * 60)
    assert local(deadline(pace, owl, evening, 0), calendar.zone).timetuple()[:5] == (2026, 6, 2, 2, 0)


def test_a_vacation_and_a_weekend_do_not_count():
    friday = ms("Europe/Berlin", 2026, 11, 20, 18)
    pace = Pace(DAY, days_off=(6, 7))
    assert deadline(pace, Calendar("Europe/Berlin"), friday, 0) == ms("Europe/Berlin", 2026, 11, 23, 18)
    away = ((date(2026, 11, 23).toordinal(), date(2026, 11, 25).toordinal()),)
    assert deadline(pace, Calendar("Europe/Berlin", away=away), friday, 0) == ms("Europe/Berlin", 2026, 11, 26, 18)
    hard = replace(pace, absences=False)
    assert deadline(hard, Calendar("Europe/Berlin", away=away), friday, 0) == ms("Europe/Berlin", 2026, 11, 23, 18)


def test_a_person_away_for_years_has_a_deadline():
    away = ((date(2026, 1, 1).toordinal(), date(2056, 1, 1).toordinal()),)
    for pace in (Pace(DAY), Pace(DAY, hour=600)):
        due = deadline(pace, Calendar("Asia/Kolkata", away=away), ms("UTC", 2026, 6, 1), 0)
        assert 2028 <= local(due, "UTC").year <= 2032


@pytest.mark.parametrize("name", PRESETS)
def test_presets_keep_within_bounds_and_have_names(name: str):
    must_be_a_pace(PRESETS[name])
    assert preset_of(PRESETS[name]) == name
    assert preset_of(replace(PRESETS[name], turn=PRESETS[name].turn + 1)) == "free"
    assert preset_of(None) == "none"


@pytest.mark.parametrize(
    "pace",
    [
        Pace(0),
        Pace(61 * DAY),
        Pace(DAY, bank=2, cap=1),
        Pace(DAY, gain=2, cap=1),
        Pace(DAY, bank=-1),
        Pace(DAY, cap=61 * DAY),
        Pace(DAY, hour=1440),
        Pace(DAY, days_off=(1, 2, 3, 4, 5, 6, 7)),
        Pace(DAY, days_off=(0,)),
        Pace(DAY, days_off=(1, 1)),
        Pace(DAY, reminders=(HOUR, 2 * HOUR)),
        Pace(DAY, reminders=(0,)),
        Pace(DAY, reminders=(5 * HOUR, 4 * HOUR, 3 * HOUR, 2 * HOUR, HOUR)),
    ],
)
def test_a_pace_out_of_bounds_is_refused(pace: Pace):
    with pytest.raises(Refused) as refusal:
        must_be_a_pace(pace)
    assert refusal.value.rule == "ST 11"


def test_the_epoch_is_in_utc():
    assert instant(ZoneInfo("UTC"), datetime(1970, 1, 1, tzinfo=UTC).toordinal(), 0) == 0


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_pace_is_described_in_words(lang: str):
    language = spoken(house_words.WORDS, lang)

    def said(pace: Pace) -> str:
        return " ".join(say(sentence, language, str) for sentence in pace_words.described(pace))

    for pace in PRESETS.values():
        assert "{" not in said(pace)
    week, evenings = said(PRESETS["weekdays"]), said(PRESETS["evenings"])
    assert ("Saturday and Sunday" if lang == "en" else "Samstag und Sonntag") in week
    assert ("Each turn adds 10 minutes" if lang == "en" else "Zuwachs je Zug: 10 Minuten") in evenings
    waits = "the bot waits 2 hours and 24 minutes" if lang == "en" else "wartet der Bot: 2 Stunden und 24 Minuten"
    assert [name for name, pace in PRESETS.items() if waits in said(pace)] == ["day"]
    nobody = "all players are away" if lang == "en" else "kein Spieler mehr da"
    assert [name for name, pace in PRESETS.items() if nobody not in said(pace)] == ["week"]
    assert len({said(replace(PRESETS["day"], then=then)) for then in get_args(Then)}) == 5
