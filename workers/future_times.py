"""Timestamps from a time when the clock was ahead: clamp them to now once it has been set back.

Otherwise a mail would be due, or a link valid, only at a time that comes in a year.
"""

from typing import Any

from sqlalchemy import Connection, Table, delete, or_, update

from service.base.clock import SECOND
from service.database.store import Store
from service.notices.failing import CONVERSATIONS
from service.notices.webhooks import CALLS
from service.operators.second_factor import AROUND, FACTORS, LONGEST_PAUSE, STEP
from service.people import recipients
from service.people.accounts import LINKS, SESSIONS
from service.people.addresses import LINKS as ADDRESS_LINKS
from service.people.presence import PRESENCE
from service.people.recipients import OUTBOX, RECIPIENTS
from workers.leases import lease

AHEAD = 10 * SECOND
"""A timestamp this far ahead of now comes from a clock that was ahead."""


def clamp(store: Store, at: int) -> None:
    """Clamp future timestamps to now. A second run changes nothing."""
    with store.write() as conn:
        _owed(conn, OUTBOX, or_(OUTBOX.c.held.is_not(None), OUTBOX.c.attempts > 0), at)
        _owed(conn, CALLS, CALLS.c.attempts > 0, at)
        _set(conn, OUTBOX, OUTBOX.c.failing_since > at + AHEAD, failing_since=at)
        _set(conn, CONVERSATIONS, CONVERSATIONS.c.at > at + AHEAD, at=at)
        until = at + lease(store.settings)
        for table in (OUTBOX, CALLS):
            _set(conn, table, table.c.lease_until > until + AHEAD, lease_until=until)
        _set(conn, RECIPIENTS, RECIPIENTS.c.claim.is_not(None) & (RECIPIENTS.c.next_at > until + AHEAD), next_at=until)
        for table in (SESSIONS, LINKS, ADDRESS_LINKS):
            early = table.c.created_at - at
            _set(conn, table, table.c.created_at > at + AHEAD, created_at=at, expires_at=table.c.expires_at - early)
        _set(conn, SESSIONS, SESSIONS.c.seen_at > at + AHEAD, seen_at=at)
        _set(conn, FACTORS, FACTORS.c.shut_until > at + LONGEST_PAUSE + AHEAD, shut_until=at)
        newest = at // STEP + AROUND
        _set(conn, FACTORS, FACTORS.c.last_step > newest, last_step=newest)
        conn.execute(delete(PRESENCE).where(PRESENCE.c.seen_at > at + AHEAD))
    recipients.mend(store, at)


def _owed(conn: Connection, table: Table, put_off: Any, at: int) -> None:
    """Clamp rows created in the future to now, and move their due times by as much.

    Postponed rows with a due time in the future become due at once.
    """
    waits = table.c.state == "pending"
    later = table.c.due_at - (table.c.created_at - at)
    _set(conn, table, waits & put_off & (table.c.due_at > at + AHEAD), due_at=at)
    _set(conn, table, waits & (table.c.created_at > at + AHEAD) & (table.c.due_at > at), due_at=later)
    _set(conn, table, table.c.created_at > at + AHEAD, created_at=at)


def _set(conn: Connection, table: Table, where: Any, **values: Any) -> None:
    conn.execute(update(table).where(where).values(**values))
