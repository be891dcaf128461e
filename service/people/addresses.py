"""Mail addresses of people: confirming and changing them, and flagging them while mail bounces.

An address is confirmed when a person opens a link that was mailed to it and presses its button. Every function works
inside the caller's transaction and gets the time, except `flag`.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from typing import Any, Literal, Protocol

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from service.base.clock import HOUR
from service.database.store import Store
from service.database.tables import AddressLink, Notice, NoticeHistory, Person, table_of
from service.people import bounces, mail_settings, outbox, recipients
from service.people.accounts import end_other_sessions, forget_sign_in_links, hashed, normalised

PEOPLE, LINKS, OUTBOX, HISTORY = (table_of(model) for model in (Person, AddressLink, Notice, NoticeHistory))

LINK_LIFE = 24 * HOUR


class SameAddress(ValueError):
    """The person has that address already."""


# ==== requests ====================================================================================
def ask_to_change(conn: Connection, settings: Settings, person_id: int, address: str, *, lang: str, at: int) -> None:
    """Mail a link to the new address, and change nothing else. Raise `BadAddress` and `SameAddress`.

    Another person may have the address. It is not checked here, so that the answer reveals nothing.
    """
    email = normalised(address)
    if email == conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == person_id)).scalar_one():
        raise SameAddress(email)
    _mail_link(conn, settings, person_id, email, "address", lang, at)


def ask_to_confirm(conn: Connection, settings: Settings, person_id: int, *, lang: str, at: int) -> None:
    """Mail a link to the person's flagged address. If they use it, the flag is removed."""
    email = conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == person_id)).scalar_one()
    _mail_link(conn, settings, person_id, email, "confirm", lang, at)


def _mail_link(conn: Connection, settings: Settings, person_id: int, email: str, kind: str, lang: str, at: int) -> None:
    nonce = secrets.token_urlsafe(16)
    token = _token(settings.keys()[0], nonce)
    conn.execute(
        insert(LINKS),
        {
            "token_hash": hashed(token),
            "person_id": person_id,
            "email": email,
            "created_at": at,
            "expires_at": at + LINK_LIFE,
        },
    )
    _owe(conn, settings, person_id, email, kind, nonce, {"nonce": nonce, "lang": lang}, at)


def _owe(
    conn: Connection, settings: Settings, person_id: int, email: str, kind: str, key: str, payload: Any, at: int
) -> None:
    message_id = f"<{kind}.{hashed(key)[:32]}@{settings.mail_domain}>"
    outbox.owe(conn, [outbox.mail(kind, message_id, at, person_id=person_id, address=email, key=key, payload=payload)])


def _token(key: str, nonce: str) -> str:
    """Return the link's token. The outbox names the link by its nonce and never contains it."""
    token = hmac.digest(key.encode(), b"slow train address link" + nonce.encode(), "sha256")
    return urlsafe_b64encode(token).rstrip(b"=").decode()


def link_address(settings: Settings, conn: Connection, payload: dict[str, Any], at: int) -> str | None:
    """Return the address for the mail, from its outbox payload, or None if the link is gone, used or expired."""
    for key in settings.keys():  # noqa: SIM118
        token = _token(key, payload["nonce"])
        if _good(conn, token, at) is not None:
            return f"{settings.site}/address/{token}"
    return None


# ==== the link ====================================================================================
Proved = Literal["dead", "taken", "changed", "confirmed"]


def _good(conn: Connection, token: str, at: int) -> Any:
    unused = LINKS.c.token_hash == hashed(token), LINKS.c.used_at.is_(None), LINKS.c.expires_at > at
    return conn.execute(select(LINKS).where(*unused)).one_or_none()


def link_email(conn: Connection, token: str, at: int) -> str | None:
    """Return the address that this link confirms, for the page behind it, or None if the link is dead."""
    link = _good(conn, token, at)
    return None if link is None else str(link.email)


def prove(conn: Connection, settings: Settings, token: str, *, session: str | None, at: int) -> Proved:
    """Use the link: the person gets its address, or the flag of their address is removed.

    A change of address signs out all browsers but ``session`` (a hash), invalidates links sent to the old address, and
    notifies the old address. "taken": another person has the address; only the reader of the mail learns this.
    """
    link = _good(conn, token, at)
    if link is None:
        return "dead"
    used = update(LINKS).where(LINKS.c.token_hash == link.token_hash, LINKS.c.used_at.is_(None)).values(used_at=at)
    if conn.execute(used).rowcount != 1:
        return "dead"
    person = conn.execute(select(PEOPLE).where(PEOPLE.c.id == link.person_id)).one()
    if person.email != link.email:
        try:
            with conn.begin_nested():
                conn.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values(email=link.email, address_since=at))
        except IntegrityError:
            return "taken"
        end_other_sessions(conn, person.id, session)
        forget_links(conn, person.id, at)
        forget_sign_in_links(conn, person.email, at)
        _owe(conn, settings, person.id, person.email, "moved", link.token_hash, {"lang": person.lang}, at)
    unflag(conn, person.id, at)
    return "confirmed" if person.email == link.email else "changed"


def forget_links(conn: Connection, person_id: int, at: int) -> None:
    """Invalidate earlier links to addresses."""
    conn.execute(update(LINKS).where(LINKS.c.person_id == person_id, LINKS.c.used_at.is_(None)).values(used_at=at))


class Sent(Protocol):
    """A link from a mail: its person, and since when they had the address of the mail."""

    @property
    def person_id(self) -> int | None: ...
    @property
    def since(self) -> int: ...


def is_still_theirs(conn: Connection, link: Sent) -> bool:
    """Does the person still have the address of the mail, and are they neither erased nor shut out?"""
    here = PEOPLE.c.id == link.person_id, PEOPLE.c.blocked_at.is_(None)
    known = conn.execute(select(PEOPLE.c.address_since).where(*here)).one_or_none()
    return known is not None and (known.address_since or 0) == link.since


# ==== failing addresses ===========================================================================
def flag(store: Store, person_id: int | None, address: str, said: str, at: int) -> None:
    """Flag ``address`` after a mail server rejected it. If it is still this person's, their mail is held."""
    with store.write() as conn:
        hold(conn, person_id, address, said, at)


def hold(conn: Connection, person_id: int | None, address: str, said: str, at: int) -> bool:
    """Flag it in the caller's transaction. Return True if it was not flagged before.

    Requested mail, such as a link to sign in or to confirm the address, is still sent.
    """
    theirs = PEOPLE.c.id == person_id, PEOPLE.c.email == address, PEOPLE.c.mail_flagged_at.is_(None)
    held = update(PEOPLE).where(*theirs).values(mail_flagged_at=at, mail_flag=said[:300])
    return conn.execute(held).rowcount == 1


def unflag(conn: Connection, person_id: int, at: int) -> None:
    """Remove the flag: earlier bounces no longer count, and held or refused mail becomes due."""
    bounces.forgive(conn, person_id)
    since = conn.execute(select(PEOPLE.c.mail_flagged_at).where(PEOPLE.c.id == person_id)).scalar_one()
    if since is None:
        return
    conn.execute(update(PEOPLE).where(PEOPLE.c.id == person_id).values(mail_flagged_at=None, mail_flag=""))
    recipients.lock(conn, recipients.of_person(person_id))
    refused = select(HISTORY.c.notice_id).where(HISTORY.c.what == "refused", HISTORY.c.at >= since)
    lost = OUTBOX.c.person_id == person_id, OUTBOX.c.address.is_(None), OUTBOX.c.state == "dead"
    conn.execute(
        update(OUTBOX).where(*lost, OUTBOX.c.id.in_(refused)).values(state="pending", due_at=at, failing_since=None)
    )
    mail_settings.release(conn, person_id, at)
