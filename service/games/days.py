"""Days as people write them: "1.12.-8.12.", "1.-8.12.", "2026-12-01 to 2026-12-08", "24 Dec - 2 Jan", "24. Dezember".

The name of a month may be in any language of the service, whatever the writer's own is.
"""

import re
from datetime import date
from functools import cache

from service.words import languages, locale

SHORTEST = 3
"""Letters of a month's name that stand for it: "Dec", "Dez"."""

_BETWEEN = re.compile(
    r"[\s,;:.–—-]*+(?:(?:to|till|until|through|bis(?:\s+zum)?|und|and)(?:\s++the(?=\s))?|(?<=\s)the(?=\s))?+"
    r"[\s,;:.–—-]*+",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:from|on|vom|von|am)?\s*(?:the\s+)?", re.IGNORECASE)
_FIRST = re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?P<between>[\s.–—-]\D*)")
"""The first day of a span that names its month once."""


def days_in(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and the last day that ``text`` names; None if it says anything else.

    Without a year they are the next to come, the last day not before the first.
    """
    found = list(_days().finditer(text[:100]))
    if not 1 <= len(found) <= 2 or text[found[-1].end() :].strip(" .!"):
        return None
    begin, end = found[0], found[-1]
    before = _BEFORE.match(text, 0, begin.start())
    ahead = text[before.end() : begin.start()] if before else ""
    try:
        if len(found) == 1 and (first := _FIRST.fullmatch(ahead)) and _BETWEEN.fullmatch(first["between"]):
            last = _day(end, today)
            return last.replace(day=int(first["day"])), last
        if ahead or not _BETWEEN.fullmatch(text[begin.end() : end.start()]):
            return None
        day = _day(begin, today)
        return day, _day(end, day)
    except ValueError:
        return None


def _day(found: re.Match[str], since: date) -> date:
    said = {name.rstrip("_"): value for name, value in found.groupdict().items() if value}
    day, year = int(said["day"]), said.get("year", "")
    month = int(said["month"]) if said["month"].isdigit() else _months()[said["month"].casefold()]
    if year:
        return date(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    this = date(since.year, month, day)
    return this if this >= since else date(since.year + 1, month, day)


@cache
def _days() -> re.Pattern[str]:
    """The pattern of a day with its month. Each further way to write it adds a "_" to its groups' names."""
    names = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    return re.compile(
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
        r"|(?P<day_>\d{1,2})\.\s?(?P<month_>\d{1,2})(?:\.\s?(?P<year_>\d{4}|\d{2}(?!\d))?)?"
        rf"|(?P<day__>\d{{1,2}})(?:\.|st|nd|rd|th)?\s?(?:of\s)?(?P<month__>{names})(?!\w)\.?(?:,?\s(?P<year__>\d{{4}}))?"
        rf"|(?<!\w)(?P<month___>{names})\.?\s(?P<day___>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s(?P<year___>\d{{4}}))?",
        re.IGNORECASE,
    )


@cache
def _months() -> dict[str, int]:
    """The name of a month or its beginning, in lower case -> its number. An ambiguous beginning is left out."""
    from babel.dates import get_month_names  # slow to import

    meant: dict[str, set[int]] = {}
    for lang in languages():
        for width in ("wide", "abbreviated"):
            for number, name in get_month_names(width, locale=locale(lang)).items():
                plain = name.casefold().rstrip(".")
                for length in range(min(SHORTEST, len(plain)), len(plain) + 1):
                    meant.setdefault(plain[:length], set()).add(number)
    return {name: numbers.pop() for name, numbers in meant.items() if len(numbers) == 1}
