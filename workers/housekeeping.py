"""The deletion of expired data."""

import time

from sqlalchemy import Connection, delete, exists, func, select

from service.base.clock import DAY
from service.database.store import GAMES, Store
from service.database.tables import MailboxMessage, table_of
from service.games import daily, talk, talk_reports
from service.games import kept as kept_seats
from service.notices import failing, figures, replies
from service.notices.kinds import KINDS
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS
from service.people import bounces, strangers
from service.people.accounts import LINKS, PERSONS, SESSIONS, lasting, on_the_wire
from service.people.addresses import LINKS as ADDRESS_LINKS
from service.people.presence import PRESENCE
from service.post import inbox
from service.proof import drawn
from workers import ending

MAILBOX = table_of(MailboxMessage)  # defined here so that workers need not import the mailbox server

KEPT_OF_STRANGERS = 30 * DAY
"""The time for which the ledger keeps a mail to an address without an account, such as an unanswered invitation."""
BATCH = 2000
"""Mails in one step, so that moves need not wait for long."""
BUDGET = 120.0
"""Seconds after which the rest waits for the next run."""
DEALT_WITH = ("sent", "superseded", "dead")
KEPT = [tag for tag, kind in KINDS.items() if kind.kept]
"""Kinds of mail that ask for something. While the game goes on, the last one to each player stays: it names the turn in
their calendar, and it can be sent again however long the turn takes.
"""


def forget_expired(store: Store, at: int) -> None:
    """Delete expired rows.

    Links go a day after their expiry, so that a late click is still explained. Expired and idle sessions go at once;
    webhook calls after a month; presence and drawn pages after a day; counted moves at the end of their day; talk
    some time after the end of its game, and reports of it some time after they are settled. Ended wishes, and kept
    seats of ended games, go after a month.
    """
    kept, idle = store.settings.mail_days * DAY, lasting(store.settings).idle
    with store.write() as conn:
        conn.execute(delete(LINKS).where(LINKS.c.expires_at < at - DAY))
        conn.execute(delete(ADDRESS_LINKS).where(ADDRESS_LINKS.c.expires_at < at - DAY))
        conn.execute(delete(PRESENCE).where(PRESENCE.c.seen_at < at - DAY))
        conn.execute(delete(CALLS).where(CALLS.c.done_at < at - 30 * DAY))
        conn.execute(delete(SESSIONS).where((SESSIONS.c.expires_at < at) | (SESSIONS.c.seen_at <= at - idle)))
        daily.forget_old(conn, at)
        drawn.forget_old(conn, at)
        talk.forget_old(conn, store.settings, at)
        talk_reports.forget_old(conn, store.settings, at)
        kept_seats.forget_old(conn, at)
        strangers.forget_invitations(conn, at)
        replies.forget_old(conn, at, at - KEPT_OF_STRANGERS)
        inbox.forget_old(conn, at - kept, at - KEPT_OF_STRANGERS)
        bounces.forget_old(conn, at)
        failing.forget_old(conn, at)
        figures.forget_old(conn, at)
        _forget_mails_to_strangers(conn, at)
        _forget_mailbox(conn, at, kept)
    _forget_mails_to_people(store, at - kept, time.monotonic() + BUDGET)


_THEN = func.coalesce(OUTBOX.c.sent_at, OUTBOX.c.created_at)
_LATER, _MAILS = OUTBOX.alias(), delete(OUTBOX).where(OUTBOX.c.state.in_(DEALT_WITH))
_STILL_ASKED = (
    OUTBOX.c.kind.in_(KEPT)
    & exists().where(GAMES.c.id == OUTBOX.c.game_id, GAMES.c.status.in_(("open", "running")))
    & ~exists().where(
        _LATER.c.person_id == OUTBOX.c.person_id,
        _LATER.c.game_id == OUTBOX.c.game_id,
        _LATER.c.kind == OUTBOX.c.kind,
        _LATER.c.ply > OUTBOX.c.ply,
    )
)


def _forget_mails_to_people(store: Store, before: int, end: float) -> None:
    """Delete old mails that are done, in the order in which they were owed, in batches."""
    old = select(OUTBOX.c.id, OUTBOX.c.created_at).order_by(OUTBOX.c.id).limit(BATCH)
    done = 0
    while time.monotonic() < end and not ending.told.is_set():
        with store.read() as conn:
            rows = conn.execute(old.where(OUTBOX.c.id > done)).all()
        ids = [row.id for row in rows if row.created_at < before]
        if ids:
            these = OUTBOX.c.id.between(ids[0], ids[-1]), OUTBOX.c.person_id.is_not(None), before > _THEN
            with store.write() as conn:
                conn.execute(_MAILS.where(*these, ~_STILL_ASKED))
        if len(rows) < BATCH or rows[-1].created_at >= before:
            return
        done = rows[-1].id


def _forget_mails_to_strangers(conn: Connection, at: int) -> None:
    """Strangers' mail expires sooner; a sign-in link even after a day."""
    theirs = _MAILS.where(OUTBOX.c.person_id.is_(None))
    conn.execute(theirs.where(at - KEPT_OF_STRANGERS > _THEN))
    conn.execute(theirs.where(at - DAY > _THEN, OUTBOX.c.kind == "sign_in"))


def _forget_mailbox(conn: Connection, at: int, kept: int) -> None:
    """Empty the local mailbox by the same terms as the ledger."""
    conn.execute(delete(MAILBOX).where(MAILBOX.c.received_at < at - kept))
    old = select(MAILBOX.c.recipient).where(MAILBOX.c.received_at < at - KEPT_OF_STRANGERS).distinct()
    if recipients := set(conn.scalars(old)):
        for stranger in recipients - {on_the_wire(each) for each in conn.scalars(select(PERSONS.c.email))}:
            theirs = MAILBOX.c.recipient == stranger, MAILBOX.c.received_at < at - KEPT_OF_STRANGERS
            conn.execute(delete(MAILBOX).where(*theirs))
