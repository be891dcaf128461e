"""Mailboxes that are invited without having asked: how often at most, and which of them never again.

Of a mailbox only its hash is kept, so nobody is named by a wish not to be written to, and the wish outlives their
account. Every function works inside the caller's transaction and is told the time.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from service.base.clock import DAY
from service.database.tables import InvitedMailbox, table_of

MAILBOXES = table_of(InvitedMailbox)

INVITATIONS_A_DAY = 5
"""To one mailbox, whoever sends them."""
ONE_MAILBOX = {"googlemail.com": "gmail.com"}
"""Domains whose mailboxes are those of another one; dots in their names mean nothing."""


class NotInvited(Exception):
    """No invitation goes to this mailbox now. Whether it wants none or has had enough today, the sender is not told."""


def mailbox_of(address: str) -> str:
    """The mailbox that mail to ``address`` (normalised) comes to: what stands behind a plus is a note for its owner."""
    local, _, host = address.rpartition("@")
    local, host = local.partition("+")[0], ONE_MAILBOX.get(host, host)
    return f"{local.replace('.', '') if host in ONE_MAILBOX.values() else local}@{host}"


def hash_of(address: str) -> str:
    """What is kept of the mailbox of an address. It does not hang on a key: renewing keys breaks no promise."""
    return hashlib.sha256(f"slow train mailbox {mailbox_of(address)}".encode()).hexdigest()


# ==== inviting ====================================================================================
def count_invitation(conn: Connection, address: str, at: int) -> None:
    """One more invitation to this address. Raises `NotInvited`; then it must not be sent."""
    its = hash_of(address)
    _know(conn, its, at)
    row = conn.execute(select(MAILBOXES).where(MAILBOXES.c.mailbox_hash == its).with_for_update()).one()
    lately = [then for then in row.invited_at if then > at - DAY]
    if row.never_since is not None or len(lately) >= INVITATIONS_A_DAY:
        raise NotInvited
    counted = {"invited_at": [*lately, at], "last_at": at}
    conn.execute(update(MAILBOXES).where(MAILBOXES.c.mailbox_hash == its).values(**counted))


def _know(conn: Connection, mailbox_hash: str, at: int) -> None:
    fresh = {"mailbox_hash": mailbox_hash, "invited_at": [], "last_at": at, "never_since": None}
    conn.execute(_INSERT_ONCE[conn.dialect.name], fresh)


_INSERT_ONCE: Mapping[str, Any] = {
    "sqlite": sqlite.insert(MAILBOXES).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(MAILBOXES).on_conflict_do_nothing(),
}


def forget_invitations(conn: Connection, at: int) -> None:
    """An address not invited for a day counts for nothing; one that never wants to be stays."""
    conn.execute(delete(MAILBOXES).where(MAILBOXES.c.last_at < at - DAY, MAILBOXES.c.never_since.is_(None)))


# ==== never again =================================================================================
def want_invitations(conn: Connection, mailbox_hash: str, wanted: bool, at: int) -> None:
    """Its owner wants to be invited, or never by anybody. Doing it twice is harmless."""
    its = update(MAILBOXES).where(MAILBOXES.c.mailbox_hash == mailbox_hash)
    if wanted:
        conn.execute(its.values(never_since=None))
        return
    _know(conn, mailbox_hash, at)
    conn.execute(its.where(MAILBOXES.c.never_since.is_(None)).values(never_since=at))


def never_since(conn: Connection, address: str) -> int | None:
    """Since when the mailbox of this address wants no invitations; None when they may come."""
    its = select(MAILBOXES.c.never_since).where(MAILBOXES.c.mailbox_hash == hash_of(address))
    return conn.execute(its).scalar_one_or_none()
