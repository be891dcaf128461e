"""Mail addresses of people: proved before they are used, changed, flagged when mail to them comes back, cleared again.

An address counts as proved when a link that was mailed to it is opened and its button pressed. Every function works
inside the caller's transaction and is told the time, but for `flag`.
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
from service.people import bounces, outbox, preferences, recipients
from service.people.accounts import end_other_sessions, forget_sign_in_links, hashed, normalised

PEOPLE, LINKS, OUTBOX, HISTORY = (table_of(model) for model in (Person, AddressLink, Notice, NoticeHistory))

LINK_LIFE = 24 * HOUR


class SameAddress(ValueError):
    """That is the person's address already."""


# ==== asking ======================================================================================
def ask_to_change(conn: Connection, settings: Settings, person_id: int, address: str, *, lang: str, at: int) -> None:
    """Mail a link to the new address; nothing else changes. Raises `BadAddress` and `SameAddress`.

    Nobody looks whether the address is somebody else's, so that nobody can find out here.
    """
    email = normalised(address)
    if email == conn.execute(select(PEOPLE.c.email).where(PEOPLE.c.id == person_id)).scalar_one():
        raise SameAddress(email)
    _mail_link(conn, settings, person_id, email, "address", lang, at)


def ask_to_confirm(conn: Connection, settings: Settings, person_id: int, *, lang: str, at: int) -> None:
    """Mail a link to the person's own flagged address: if it arrives and is used, the flag is gone."""
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
    """The outbox names the link by its nonce and never holds it."""
    token = hmac.digest(key.encode(), b"slow train address link" + nonce.encode(), "sha256")
    return urlsafe_b64encode(token).rstrip(b"=").decode()


def link_address(settings: Settings, conn: Connection, payload: dict[str, Any], at: int) -> str | None:
    """The address to put into the mail, from its outbox payload; None when the link is gone, used or expired."""
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
    """The address this link proves, for the page behind it; None when it is dead."""
    link = _good(conn, token, at)
    return None if link is None else str(link.email)


def prove(conn: Connection, settings: Settings, token: str, *, session: str | None, at: int) -> Proved:
    """Use the link up: its address is the person's from now on, or works again.

    When the address changes, all browsers but ``session`` (a hash) are signed out, links that were sent to the old
    address open nothing any more, and it is told.
    "taken": the address is another person's, which nobody learns but who reads the mail to it.
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
    """Links to addresses that were asked for before open nothing any more."""
    conn.execute(update(LINKS).where(LINKS.c.person_id == person_id, LINKS.c.used_at.is_(None)).values(used_at=at))


class Sent(Protocol):
    """A link out of a mail: whose it is, and since when they had the address that it was sent to."""

    @property
    def person_id(self) -> int | None: ...
    @property
    def since(self) -> int: ...


def is_still_theirs(conn: Connection, link: Sent) -> bool:
    """Whether the person is still here and not shut out, and the link was sent to the address they have now."""
    here = PEOPLE.c.id == link.person_id, PEOPLE.c.blocked_at.is_(None)
    known = conn.execute(select(PEOPLE.c.address_since).where(*here)).one_or_none()
    return known is not None and (known.address_since or 0) == link.since


# ==== addresses that fail =========================================================================
def flag(store: Store, person_id: int | None, address: str, said: str, at: int) -> None:
    """A mail server says that ``address`` is no good. If it is still this person's, their mail is held from now on."""
    with store.write() as conn:
        hold(conn, person_id, address, said, at)


def hold(conn: Connection, person_id: int | None, address: str, said: str, at: int) -> bool:
    """The same in the caller's transaction; whether it is held from now on, and was not before.

    What they ask for themselves, a link to sign in or to see whether the address works, is sent all the same.
    """
    theirs = PEOPLE.c.id == person_id, PEOPLE.c.email == address, PEOPLE.c.mail_flagged_at.is_(None)
    held = update(PEOPLE).where(*theirs).values(mail_flagged_at=at, mail_flag=said[:300])
    return conn.execute(held).rowcount == 1


def unflag(conn: Connection, person_id: int, at: int) -> None:
    """The address works: what came back before counts no more; what was held, and refused, is looked at anew."""
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
    preferences.release(conn, person_id, at)
