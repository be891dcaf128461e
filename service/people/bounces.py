"""Where mail comes back to, and what is made of it: for each mail that is sent an address of its own (VERP).

The token in it follows from a key of the installation, as that of an answer does, but from another secret: what comes
to such an address is read for reports alone and moves nothing. Only its hash is kept, for a month. Every function
works inside the caller's transaction and is told the time.
"""

import base64
import hmac
import re
from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from config.settings import Settings
from service.base.clock import DAY
from service.database.tables import Mailing, Notice, NoticeHistory, Person, table_of
from service.people import strangers
from service.people.accounts import hashed

MAILINGS, OUTBOX, HISTORY, PEOPLE = (table_of(model) for model in (Mailing, Notice, NoticeHistory, Person))

FRESH = 10 * DAY
"""How long after a mail a report about it is believed: by then every server has given up."""
KEPT = 30 * DAY
ARRIVED = DAY
"""A mail that was taken so long ago, and of which nothing was heard, has arrived."""
TWICE_IN = DAY
"""Two reports that there is no such address lie so far apart at least: a server can be out of its mind for an hour."""
OVER_DAYS, OFTEN = 5 * DAY, 3
"""For so long, and so often, mail that is merely not taken must have come back."""
BYTES = 16
ADDRESS = re.compile(r"b[+.]([a-z2-7]{26})@(.+)", re.IGNORECASE)
"""Some servers know no ``+``."""

Said = Literal["delayed", "unwanted", "undelivered", "bounced", "complained"]
"""What a report says of a mail: not given up; refused for what it is or where it is from, which is about us and not
about the address; given up for now; no such address; called spam by its reader. Each says more than those before it.
"""
SAYS_MORE = ("delayed", "unwanted", "undelivered", "bounced", "complained")
CAME_BACK = ("undelivered", "bounced")


class Returns(msgspec.Struct, frozen=True):
    """A mail that is about to be sent. ``address``: where it comes back to."""

    token: str
    address: str
    message_id: str
    recipient: str


def issue(settings: Settings, message_id: str, recipient: str) -> Returns | None:
    """Where this mail comes back to, the same however often it is written; None where nobody would read it there.

    A report counts once `keep` has been told of it, which whoever sends the mail does before.
    """
    if not settings.answerable:
        return None
    said = f"slow train bounce|{message_id} {recipient}".encode()
    drawn = hmac.digest(settings.keys()[0].encode(), said, "sha256")[:BYTES]
    token = base64.b32encode(drawn).decode().rstrip("=").lower()
    return Returns(token, f"b+{token}@{settings.replies_at}", message_id, recipient)


def keep(conn: Connection, sent: Returns, person_id: int | None, at: int) -> None:
    """From now on a report about the mail counts."""
    if person_id is None:  # a link to sign in with, to somebody who is known
        person_id = conn.execute(select(PEOPLE.c.id).where(PEOPLE.c.email == sent.recipient)).scalar_one_or_none()
    this = MAILINGS.c.token_hash == hashed(sent.token)
    if conn.execute(update(MAILINGS).where(this).values(sent_at=at)).rowcount == 0:
        values = {"message_id": sent.message_id, "mailbox_hash": strangers.hash_of(sent.recipient), "said": ""}
        new = {"token_hash": hashed(sent.token), "person_id": person_id, "sent_at": at, "status": "", "said_at": None}
        conn.execute(insert(MAILINGS), values | new)


def token_of(settings: Settings, address: str) -> str | None:
    """The token in an address to which mail comes back, good or not; None for any other address."""
    found = ADDRESS.fullmatch(address.strip())
    return found[1].lower() if found and found[2].lower() == settings.replies_at.lower() else None


def of_hash(conn: Connection, token_hash: str) -> Any:
    """The row of the mail that comes back there, by what is kept of the token; None where there is none any more."""
    return conn.execute(select(MAILINGS).where(MAILINGS.c.token_hash == token_hash)).one_or_none()


def locked(conn: Connection, token_hash: str) -> Any:
    """The same, to be written: with all that went to its reader, since what is made of one hangs on the others."""
    row = of_hash(conn, token_hash)
    if row is None:
        return None
    conn.execute(select(MAILINGS.c.token_hash).where(_same_mailbox(row)).order_by("token_hash").with_for_update())
    return of_hash(conn, token_hash)


def _same_mailbox(row: Any) -> Any:
    return MAILINGS.c.mailbox_hash == row.mailbox_hash


def said_since(conn: Connection, since: int) -> dict[str, int]:
    """Of how many mails something was reported, and what, the worst for who sends them first: what is about them."""
    lately = select(MAILINGS.c.said, func.count()).where(MAILINGS.c.said_at >= since).group_by(MAILINGS.c.said)
    found = {row.said: row[1] for row in conn.execute(lately)}
    return {said: found[said] for said in ("unwanted", "complained", *CAME_BACK, "delayed") if said in found}


def forget_old(conn: Connection, at: int) -> None:
    """Mails of which nothing can be heard any more."""
    conn.execute(delete(MAILINGS).where(MAILINGS.c.sent_at <= at - KEPT))


# ==== what is made of a report ====================================================================
def note(conn: Connection, row: Any, said: Said, status: str, at: int) -> bool:
    """Note what a report says of a mail, and in the ledger of all that it told; False where that was known, or more."""
    if row.said and SAYS_MORE.index(row.said) >= SAYS_MORE.index(said):
        return False
    this = MAILINGS.c.token_hash == row.token_hash
    conn.execute(update(MAILINGS).where(this).values(said=said, status=status[:16], said_at=at))
    steps = [{"notice_id": it.id, "at": at, "what": said, "detail": status[:16]} for it in told_by(conn, row)]
    if steps:
        conn.execute(insert(HISTORY), steps)
    return True


def told_by(conn: Connection, row: Any) -> Sequence[Any]:
    """The notices of which the mail told."""
    mine = OUTBOX.c.message_id == row.message_id
    if row.person_id is not None:
        mine = or_(mine, (OUTBOX.c.person_id == row.person_id) & (OUTBOX.c.told_by == row.message_id))
    return conn.execute(select(OUTBOX).where(mine).order_by(OUTBOX.c.id)).all()


def is_confirmed(conn: Connection, row: Any, at: int) -> bool:
    """Whether mail to this mailbox is known to come back by now, and nothing has arrived in between.

    There is no such address, said of two mails and a day apart; or for days nothing was taken.
    """
    back = _since_the_last_that_arrived(conn, row, at)
    none_there = [it.said_at for it in back if it.said == "bounced"]
    if none_there and max(none_there) - min(none_there) >= TWICE_IN:
        return True
    times = [it.said_at for it in back]
    return len(times) >= OFTEN and max(times) - min(times) >= OVER_DAYS


def _since_the_last_that_arrived(conn: Connection, row: Any, at: int) -> list[Any]:
    """The mails to the mailbox that came back, up to one of which nothing was heard, or that was read."""
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
    """The mails to the person that a server took."""
    taken = OUTBOX.c.person_id == row.person_id, OUTBOX.c.state == "sent", OUTBOX.c.sent_at > at - KEPT
    return set(conn.scalars(select(OUTBOX.c.told_by).where(*taken, OUTBOX.c.told_by.is_not(None)).distinct()))


def address_of(conn: Connection, row: Any) -> str | None:
    """The address that the mail went to, where it is still its person's; None where it is not."""
    email = conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == row.person_id)).scalar_one_or_none()
    return cast(str, email) if email is not None and strangers.hash_of(email) == row.mailbox_hash else None


def forgive(conn: Connection, person_id: int) -> None:
    """Mail has reached them: what came back before counts no more."""
    theirs = MAILINGS.c.person_id == person_id, MAILINGS.c.said.in_(CAME_BACK)
    conn.execute(update(MAILINGS).where(*theirs).values(said="", status="", said_at=None))
