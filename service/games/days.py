"""Days as people write them: "1.12.-8.12.", "1.12.2026 bis 8.12.2026", "2026-12-01 to 2026-12-08", "24.12."."""

import re
from datetime import date

_DAY = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})|(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})(?:\.\s?(?P<y>\d{4}|\d{2}(?!\d))?)?"
)
_BETWEEN = re.compile(r"[\s,;:.–—-]*(?:to|till|until|through|bis(?:\s+zum)?|und|and)?[\s,;:.–—-]*", re.IGNORECASE)
_BEFORE = re.compile(r"(?:from|on|vom|von|am)?\s*", re.IGNORECASE)


def days_in(text: str, today: date) -> tuple[date, date] | None:
    """The first and the last of the days that ``text`` names; None if it says anything else.

    Without a year they are the next ones to come, the last one not before the first.
    """
    found = list(_DAY.finditer(text[:100]))
    if not 1 <= len(found) <= 2:
        return None
    begin, end = found[0], found[-1]
    between = text[begin.end() : end.start()] if len(found) == 2 else ""
    around = _BEFORE.fullmatch(text[: begin.start()]) and not text[end.end() :].strip(" .!")
    if not around or not _BETWEEN.fullmatch(between):
        return None
    try:
        first = _day(begin, today)
        return first, _day(end, first)
    except ValueError:
        return None


def _day(found: re.Match[str], since: date) -> date:
    if found["year"]:
        return date(int(found["year"]), int(found["month"]), int(found["day"]))
    day, month, year = int(found["d"]), int(found["m"]), found["y"]
    if year:
        return date(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    this = date(since.year, month, day)
    return this if this >= since else date(since.year + 1, month, day)
