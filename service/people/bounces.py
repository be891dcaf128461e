"""Bounces: a return address for each mail (VERP), and the evaluation of reports.

Mail to such an address is only read for reports and makes no moves. Only the hash of its token
(`service.base.ways_back`) is stored, for a month. Every function works inside the caller's transaction and gets the
time.
"""

from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from config.settings import Settings
from service.base import ways_back
from service.base.clock import DAY
from service.database.compiled import upsert
from service.database.tables import Mailing, Notice, NoticeHistory, Person, table_of
from service.people import strangers
from service.people.accounts import hashed

MAILINGS, OUTBOX, HISTORY, PEOPLE = (table_of(model) for model in (Mailing, Notice, NoticeHistory, Person))

FRESH = 10 * DAY
"""The time after a mail in which reports about it count: by then every server has given up."""
KEPT = 30 * DAY
ARRIVED = DAY
"""A mail that was taken this long ago without a report has arrived."""
TWICE_IN = DAY
"""The least time between two reports of a missing mailbox: a server can malfunction for an hour."""
OVER_DAYS, OFTEN = 5 * DAY, 3
"""Mail that is only undelivered must have bounced for so long, and so often."""

Said = Literal["delayed", "unwanted", "undelivered", "bounced", "complained"]
"""The meaning of a report: delayed, but not given up; refused for its content or origin, which is our fault, not the
address's; given up for now; no such mailbox; called spam by its reader. Each is worse than those before it.
"""
SAYS_MORE = ("delayed", "unwanted", "undelivered", "bounced", "complained")
CAME_BACK = ("undelivered", "bounced")


class Returns(msgspec.Struct, frozen=True):
    """A mail about to be sent. ``address``: its return address."""

    token: str
    address: str
    message_id: str
    recipient: str


def issue(settings: Settings, message_id: str, recipient: str) -> Returns | None:
    """Return the return address of this mail, the same each time, or None if nobody would read it.

    A report counts only after `keep`, which the sender calls before sending.
    """
    if not (settings.answerable and settings.return_addresses):
        return None
    token = ways_back.token_for(settings, "b", f"{message_id} {recipient}")
    return Returns(token, ways_back.address(settings, "b", token), message_id, recipient)


def keep(conn: Connection, sent: Returns, person_id: int | None, at: int) -> None:
    """Accept reports about the mail from now on."""
    if person_id is None:  # for example, a sign-in link to a known person
        person_id = conn.execute(select(PEOPLE.c.id).where(PEOPLE.c.email == sent.recipient)).scalar_one_or_none()
    _KEEP[conn.dialect.name].run(
        conn,
        token_hash=hashed(sent.token),
        message_id=sent.message_id,
        person_id=person_id,
        mailbox_hash=strangers.hash_of(sent.recipient),
        sent_at=at,
        said="",
        status="",
        said_at=None,
    )


_KEEP = upsert(MAILINGS, ["token_hash"], lambda fresh: {"sent_at": fresh.sent_at})


def token_of(settings: Settings, address: str) -> str | None:
    """Return the token in a return address of ours, valid or not, or None for any other address."""
    return ways_back.token_in(settings, "b", address)


def of_hash(conn: Connection, token_hash: str) -> Any:
    """Return the row of the mail by its token's hash, or None."""
    return conn.execute(select(MAILINGS).where(MAILINGS.c.token_hash == token_hash)).one_or_none()


def locked(conn: Connection, token_hash: str) -> Any:
    """Return it locked, with all mails to its reader, since their evaluation depends on one another."""
    row = of_hash(conn, token_hash)
    if row is None:
        return None
    conn.execute(select(MAILINGS.c.token_hash).where(_same_mailbox(row)).order_by("token_hash").with_for_update())
    return of_hash(conn, token_hash)


def _same_mailbox(row: Any) -> Any:
    return MAILINGS.c.mailbox_hash == row.mailbox_hash


def said_since(conn: Connection, since: int) -> dict[str, int]:
    """Return the number of mails by reported meaning, beginning with those that are worst for the sender."""
    lately = select(MAILINGS.c.said, func.count()).where(MAILINGS.c.said_at >= since).group_by(MAILINGS.c.said)
    found = {row.said: row[1] for row in conn.execute(lately)}
    return {said: found[said] for said in ("unwanted", "complained", *CAME_BACK, "delayed") if said in found}


def forget_old(conn: Connection, at: int) -> None:
    """Forget mails for which reports no longer count."""
    conn.execute(delete(MAILINGS).where(MAILINGS.c.sent_at <= at - KEPT))


# ==== evaluating reports ==========================================================================
def note(conn: Connection, row: Any, said: Said, status: str, at: int) -> bool:
    """Note a report about a mail, also in the ledger of its notices. Return False if this, or worse, was known."""
    if row.said and SAYS_MORE.index(row.said) >= SAYS_MORE.index(said):
        return False
    this = MAILINGS.c.token_hash == row.token_hash
    conn.execute(update(MAILINGS).where(this).values(said=said, status=status[:16], said_at=at))
    steps = [{"notice_id": it.id, "at": at, "what": said, "detail": status[:16]} for it in told_by(conn, row)]
    if steps:
        conn.execute(insert(HISTORY), steps)
    return True


def told_by(conn: Connection, row: Any) -> Sequence[Any]:
    """Return the notices in the mail."""
    mine = OUTBOX.c.message_id == row.message_id
    if row.person_id is not None:
        mine = or_(mine, (OUTBOX.c.person_id == row.person_id) & (OUTBOX.c.told_by == row.message_id))
    return conn.execute(select(OUTBOX).where(mine).order_by(OUTBOX.c.id)).all()


def is_confirmed(conn: Connection, row: Any, at: int) -> bool:
    """Is it certain that mail to this mailbox bounces, with no arrival in between?

    This needs two mails, a day apart, with reports of a missing mailbox; or only failures for days.
    """
    back = _since_the_last_that_arrived(conn, row, at)
    none_there = [it.said_at for it in back if it.said == "bounced"]
    if none_there and max(none_there) - min(none_there) >= TWICE_IN:
        return True
    times = [it.said_at for it in back]
    return len(times) >= OFTEN and max(times) - min(times) >= OVER_DAYS


def _since_the_last_that_arrived(conn: Connection, row: Any, at: int) -> list[Any]:
    """Return the mails that bounced, back to the last one that was read or had no report."""
    back: list[Any] = []
    handed_over = _handed_over(conn, row, at)
    for it in conn.execute(select(MAILINGS).where(_same_mailbox(row)).order_by(MAILINGS.c.sent_at.desc())):
        arrived = it.said == "" and it.message_id in handed_over and it.sent_at <= at - ARRIVED
        if arrived or it.said == "complained":
            break
        if it.said in CAME_BACK:
            back.append(it)
    return back


def _handed_over(conn: Connection, row: Any, at: int) -> set[str]:
    """Return the mails to the person that a server took."""
    taken = OUTBOX.c.person_id == row.person_id, OUTBOX.c.state == "sent", OUTBOX.c.sent_at > at - KEPT
    return set(conn.scalars(select(OUTBOX.c.told_by).where(*taken, OUTBOX.c.told_by.is_not(None)).distinct()))


def address_of(conn: Connection, row: Any) -> str | None:
    """Return the address that the mail went to if its person still has it, or None."""
    email = conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == row.person_id)).scalar_one_or_none()
    return cast(str, email) if email is not None and strangers.hash_of(email) == row.mailbox_hash else None


def forgive(conn: Connection, person_id: int) -> None:
    """Forget earlier bounces: a mail has reached the person."""
    theirs = MAILINGS.c.person_id == person_id, MAILINGS.c.said.in_(CAME_BACK)
    conn.execute(update(MAILINGS).where(*theirs).values(said="", status="", said_at=None))
