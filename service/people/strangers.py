"""Invitations to mailboxes that did not ask for them: a daily limit, and the mailboxes that refuse them.

Only a mailbox's hash is stored, so that a refusal names nobody and outlives an account. Every function works inside the
caller's transaction and gets the time.
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
"""Invitations a day to one mailbox, from all senders together."""
ONE_MAILBOX = {"googlemail.com": "gmail.com"}
"""Domains that are another name for a domain whose mailboxes ignore dots."""


class NotInvited(Exception):
    """No invitation may go to this mailbox now. The sender learns no reason: a refusal, or the limit."""


def mailbox_of(address: str) -> str:
    """Return the mailbox of ``address`` (normalised): the part after a plus is only a note for its owner."""
    local, _, host = address.rpartition("@")
    local, host = local.partition("+")[0], ONE_MAILBOX.get(host, host)
    return f"{local.replace('.', '') if host in ONE_MAILBOX.values() else local}@{host}"


def hash_of(address: str) -> str:
    """Return the stored hash of an address's mailbox. It uses no key, so that new keys break no promise."""
    return hashlib.sha256(f"slow train mailbox {mailbox_of(address)}".encode()).hexdigest()


# ==== inviting ====================================================================================
def count_invitation(conn: Connection, address: str, at: int) -> None:
    """Count one more invitation to this address. Raise `NotInvited` if it must not be sent."""
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
    """Forget the counts of addresses without an invitation for a day. Refusals stay."""
    conn.execute(delete(MAILBOXES).where(MAILBOXES.c.last_at < at - DAY, MAILBOXES.c.never_since.is_(None)))


# ==== refusals ====================================================================================
def want_invitations(conn: Connection, mailbox_hash: str, wanted: bool, at: int) -> None:
    """Store its owner's wish: invitations, or none from anybody. A second call changes nothing."""
    its = update(MAILBOXES).where(MAILBOXES.c.mailbox_hash == mailbox_hash)
    if wanted:
        conn.execute(its.values(never_since=None))
        return
    _know(conn, mailbox_hash, at)
    conn.execute(its.where(MAILBOXES.c.never_since.is_(None)).values(never_since=at))


def never_since(conn: Connection, address: str) -> int | None:
    """Return the time since when the mailbox of this address refuses invitations, or None."""
    its = select(MAILBOXES.c.never_since).where(MAILBOXES.c.mailbox_hash == hash_of(address))
    return conn.execute(its).scalar_one_or_none()
