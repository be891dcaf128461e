"""The one place where the service asks this machine what time it is. Everything else is told.

What goes into a log has the time of the database (`store.Store.now`), which on SQLite is this machine's, too.

Times are integers: milliseconds since 1970-01-01T00:00:00Z.
"""

import time
from datetime import UTC, datetime

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def now() -> int:
    """The present time in milliseconds."""
    return int(time.time() * 1000)


def iso(at: int) -> str:
    """A time as RFC 3339 has it, in UTC: ``2026-11-21T12:30:00.000Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_the_minute(at: int) -> str:
    """A time as commands say it, in UTC: ``2026-11-21 12:30``."""
    return iso(at)[:16].replace("T", " ")
