"""This machine's clock. No other module of the service reads it; all others get the time as a value.

The log gets the time of the database (`store.Store.now`), which on SQLite is this machine's, too.

Times are integers: milliseconds since 1970-01-01T00:00:00Z.
"""

import time
from datetime import UTC, datetime

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def now() -> int:
    """Return the present time in milliseconds."""
    return int(time.time() * 1000)


def iso(at: int) -> str:
    """Return a time in the form of RFC 3339, in UTC: ``2026-11-21T12:30:00.000Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_of_day(minutes: int) -> str:
    """Return minutes after midnight as a time of day: ``07:30``."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def to_the_minute(at: int) -> str:
    """Return a time as commands print it, in UTC: ``2026-11-21 12:30``."""
    return iso(at)[:16].replace("T", " ")
