"""Times in words: absolute, in the reader's language and zone."""

from datetime import UTC, date, datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from service.words.catalogues import locale


class Moment(NamedTuple):
    """A time for a reader. ``iso``: for machines."""

    iso: str
    text: str


@lru_cache(4096)
def moment(at: int, lang: str, zone: str) -> Moment:
    """Return ``at`` (milliseconds since 1970) in words, by Babel: "21 Nov 2026, 13:05 CET", with the zone's name."""
    from babel import dates  # its import is slow, and pages without a time do without it

    there, how = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)), locale(lang)
    day, hour = dates.format_skeleton("yMMMd", there, locale=how), f"{there:%H:%M}"
    whole = str(how.datetime_formats["medium"]).replace("{1}", day).replace("{0}", hour)
    iso = datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Moment(iso, f"{whole} {there.tzname()}")


def day_of_moment(at: int, lang: str, zone: str) -> Moment:
    """Return the date that a reader's calendar shows at a moment: "24 Nov 2026"."""
    day = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).date()
    return Moment(day.isoformat(), day_in_words(day, lang))


@lru_cache(4096)
def day_in_words(day: date, lang: str) -> str:
    """Return a date in words: "Nov 24, 2026"."""
    from babel import dates

    return dates.format_skeleton("yMMMd", day, locale=locale(lang))


@lru_cache(1024)
def month_in_words(day: date, lang: str) -> str:
    """Return the month of a date in words: "Nov 2026"."""
    from babel import dates

    return dates.format_skeleton("yMMM", day, locale=locale(lang))


@lru_cache(1024)
def short_day(at: int, lang: str) -> str:
    """Return the date of a moment in UTC, without its year: "Nov 24"."""
    from babel import dates

    return dates.format_skeleton("MMMd", datetime.fromtimestamp(at / 1000, UTC).date(), locale=locale(lang))
