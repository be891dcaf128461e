"""Forgetting what nobody can use any more."""

from sqlalchemy import Connection, delete, func, select

from service.base.clock import DAY
from service.database.store import GAMES, Store
from service.database.tables import MailboxMessage, table_of
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS
from service.people import strangers
from service.people.accounts import LINKS, PERSONS, SESSIONS, on_the_wire
from service.people.addresses import LINKS as ADDRESS_LINKS
from service.people.presence import PRESENCE

MAILBOX = table_of(MailboxMessage)  # not from its server, which workers need not load

KEPT = 90 * DAY
"""How long a mail stands in the ledger, at least while its game goes on, and lies in the local mailbox."""
KEPT_OF_STRANGERS = 30 * DAY
"""The same for who has no account: invitations that nobody followed."""


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
        strangers.forget_invitations(conn, at)
        _forget_mails(conn, at)


def _forget_mails(conn: Connection, at: int) -> None:
    """Mails that were dealt with long ago, and sooner those to strangers: of who never came nothing is kept."""
    then = func.coalesce(OUTBOX.c.sent_at, OUTBOX.c.created_at)
    dealt_with = delete(OUTBOX).where(OUTBOX.c.state.in_(("sent", "superseded", "dead")))
    under_way = select(GAMES.c.id).where(GAMES.c.status.in_(("open", "running")))
    of_people = dealt_with.where(OUTBOX.c.person_id.is_not(None))
    of_strangers = dealt_with.where(OUTBOX.c.person_id.is_(None))
    conn.execute(of_people.where(then < at - KEPT, OUTBOX.c.game_id.not_in(under_way)))
    conn.execute(of_strangers.where(then < at - KEPT_OF_STRANGERS))
    conn.execute(of_strangers.where(then < at - DAY, OUTBOX.c.kind == "sign_in"))
    conn.execute(delete(MAILBOX).where(MAILBOX.c.received_at < at - KEPT))
    old = select(MAILBOX.c.recipient).where(MAILBOX.c.received_at < at - KEPT_OF_STRANGERS).distinct()
    if recipients := set(conn.scalars(old)):
        for stranger in recipients - {on_the_wire(each) for each in conn.scalars(select(PERSONS.c.email))}:
            theirs = MAILBOX.c.recipient == stranger, MAILBOX.c.received_at < at - KEPT_OF_STRANGERS
            conn.execute(delete(MAILBOX).where(*theirs))
