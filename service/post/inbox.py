"""The inbox: mail to reply addresses and return addresses, stored before any further work.

A page, command or listener that hands over a mail confirms it only after it is stored.
"""

import hashlib
import re
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from service.base.clock import HOUR
from service.database.tables import IncomingMail, table_of
from service.notices import replies
from service.people import bounces
from service.people.accounts import hashed
from service.post.limits import LARGEST, normal
from service.post.trust import Doubt

INCOMING = table_of(IncomingMail)

Via = Literal["mail", "page", "link"]
"""By mail from outside, whose author needs proof; from this machine's mailbox page; or from outside, with its author
confirmed by the letter's recipient.
"""
MOST_AN_HOUR = 60
"""The most mails for one letter: no person writes more, and a machine that does is slowed down."""

MESSAGE_ID = re.compile(rb"^message-id[ \t]*:([^\n]{0,1000})", re.MULTILINE | re.IGNORECASE)


class Draft(msgspec.Struct, frozen=True):
    """The content of a mail whose author is not proved.

    ``lines``, ``alone``, ``below``: as in `by_mail.GivenAnswer`; ``game_id``: their game; ``author``: the mail's From
    address, "" for none; ``doubt``: the reason why it was not executed.
    """

    lines: tuple[str, ...]
    alone: tuple[str, ...]
    game_id: str
    author: str
    doubt: Doubt
    below: tuple[str, ...] = ()


class NobodysAddress(Exception):
    """The address is neither a reply address nor a return address of ours."""


class TooLarge(ValueError):
    """The mail is too large."""


class TooManyMails(Exception):
    """One letter got more mails than the limit of an hour; later mails are accepted again."""


def keep(
    conn: Connection, settings: Settings, address: str, sender: str | None, raw: bytes, at: int, *, via: Via = "mail"
) -> int:
    """Store a mail to ``address``. Return its number, which is the same for repetitions of the mail.

    ``sender``: of the envelope, "" for the null one. Raise `NobodysAddress`, `TooLarge`, `TooManyMails`.
    """
    if len(raw) > LARGEST:
        raise TooLarge
    token, person_id = _whose(conn, settings, address, at)
    row = {
        "person_id": person_id,
        "token_hash": hashed(token),
        "content": content_of(token, raw),
        "sender": None if sender is None else sender[:254],
        "raw": raw,
        "via": via,
        "received_at": at,
        "state": "pending",
        "due_at": at,
        "attempts": 0,
        "what": "",
        "detail": "",
    }
    known = select(INCOMING.c.id).where(INCOMING.c.content == row["content"])
    found = conn.execute(known).scalar_one_or_none()
    if found is None:
        if _had_enough(conn, hashed(token), at):
            raise TooManyMails
        try:
            with conn.begin_nested():
                return int(conn.execute(insert(INCOMING).values(**row)).inserted_primary_key[0])  # type: ignore[index]
        except IntegrityError:  # the same mail at the same moment
            found = conn.execute(known).scalar_one()
    return int(found)


def _had_enough(conn: Connection, token_hash: str, at: int) -> bool:
    lately = INCOMING.c.token_hash == token_hash, INCOMING.c.received_at > at - HOUR
    return conn.execute(select(func.count()).select_from(INCOMING).where(*lately)).scalar_one() >= MOST_AN_HOUR


def takes(conn: Connection, settings: Settings, address: str, at: int) -> bool:
    """Would mail to ``address`` be stored?"""
    try:
        _whose(conn, settings, address, at)
    except NobodysAddress:
        return False
    return True


def _whose(conn: Connection, settings: Settings, address: str, at: int) -> tuple[str, int | None]:
    """Return the token in an address, and the person of its letter. Raise `NobodysAddress`."""
    if token := replies.token_of(settings, address):
        if (answered := replies.find(conn, token, at)) is not None:
            return token, answered.person_id
    elif (token := bounces.token_of(settings, address)) and (sent := bounces.of_hash(conn, hashed(token))) is not None:
        return token, sent.person_id
    raise NobodysAddress(address)


def content_of(token: str, raw: bytes) -> str:
    """Return the identity of a mail: its letter, its Message-ID and its content.

    Headers that servers add on the way do not count: a mail that is delivered twice is one mail.
    """
    header, _, body = normal(raw).partition(b"\n\n")
    name = MESSAGE_ID.search(header)
    said = (token.encode(), name[1].strip() if name else header, body)
    return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in said)).hexdigest()


def again(conn: Connection, number: int, at: int) -> bool:
    """Process a mail again that crashed us. Return False if this is not its state."""
    failed = INCOMING.c.id == number, INCOMING.c.state == "done", INCOMING.c.what == "failed"
    afresh = {"state": "pending", "due_at": at, "done_at": None, "what": "", "detail": ""}
    return conn.execute(update(INCOMING).where(*failed).values(**afresh)).rowcount == 1


# ==== drafts ======================================================================================
DRAFT = "draft"
"""The result of a mail that waits until the letter's recipient confirms that they wrote it."""


def packed(draft: Draft) -> bytes:
    """Return a draft as bytes for its row."""
    return msgspec.json.encode(draft)


def draft_in(row: Any) -> Draft | None:
    """Return the draft of a mail, or None."""
    return None if row.draft is None else msgspec.json.decode(row.draft, type=Draft)


def by_content(conn: Connection, content: str) -> Any | None:
    """Return the mail with this identity, or None if it is forgotten."""
    return conn.execute(select(INCOMING).where(INCOMING.c.content == content)).one_or_none()


def confirm(conn: Connection, content: str, at: int) -> bool:
    """Confirm that the letter's recipient wrote a draft, so that it is executed once. Return False if it is none."""
    waits = INCOMING.c.content == content, INCOMING.c.state == "done", INCOMING.c.what == DRAFT
    afresh = {"state": "pending", "due_at": at, "done_at": None, "what": "", "detail": "", "attempts": 0, "via": "link"}
    return conn.execute(update(INCOMING).where(*waits).values(**afresh)).rowcount == 1


def unproved(conn: Connection, token_hash: str, person_id: int | None, since: int) -> tuple[int, int]:
    """Return the number of unproved mails answered since then: for a letter, and for a person (0 if unknown)."""
    unknown = INCOMING.c.via == "mail", INCOMING.c.what.in_((DRAFT, "unreadable")), INCOMING.c.received_at > since
    counted = select(func.count()).select_from(INCOMING).where(*unknown)
    of_letter = conn.execute(counted.where(INCOMING.c.token_hash == token_hash)).scalar_one()
    if person_id is None:
        return int(of_letter), 0
    return int(of_letter), int(conn.execute(counted.where(INCOMING.c.person_id == person_id)).scalar_one())


def belongs_to(conn: Connection, number: int, person_id: int) -> None:
    """Set the writer of this mail; an answer to an invitation is assigned after it was read."""
    conn.execute(update(INCOMING).where(INCOMING.c.id == number).values(person_id=person_id))


def forget_old(conn: Connection, before: int, of_strangers: int) -> None:
    """Forget processed mails from before this time; those without an account from before ``of_strangers``."""
    done = delete(INCOMING).where(INCOMING.c.state == "done")
    conn.execute(done.where(INCOMING.c.received_at < before))
    conn.execute(done.where(INCOMING.c.received_at < of_strangers, INCOMING.c.person_id.is_(None)))
