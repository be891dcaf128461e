"""Forgetting what nobody can use any more."""

from sqlalchemy import delete

from service.addresses import LINKS as ADDRESS_LINKS
from service.clock import DAY
from service.people import LINKS, SESSIONS
from service.presence import PRESENCE
from service.store import Store
from service.webhooks import CALLS


def forget_expired(store: Store, at: int) -> None:
    """Links a day after their time, so that a late click is still told why; sessions at once; calls to webhooks a
    month after they were made; who looked at which table after a day.
    """
    with store.write() as conn:
        conn.execute(delete(LINKS).where(LINKS.c.expires_at < at - DAY))
        conn.execute(delete(ADDRESS_LINKS).where(ADDRESS_LINKS.c.expires_at < at - DAY))
        conn.execute(delete(PRESENCE).where(PRESENCE.c.seen_at < at - DAY))
        conn.execute(delete(CALLS).where(CALLS.c.done_at < at - 30 * DAY))
        conn.execute(delete(SESSIONS).where(SESSIONS.c.expires_at < at))
