"""Mail that has come to where a letter is answered, or where it comes back to: kept, before anything is done with it.

Whoever takes it over (a page, a command, a listener) says so only when it is kept.
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
"""From outside, so that it has to prove who wrote it; from the mailbox page of this machine; from outside, and whose
letter it answers has confirmed it."""
MOST_AN_HOUR = 60
"""Mails for one letter: nobody writes more, and a machine that does is to be held up."""

MESSAGE_ID = re.compile(rb"^message-id[ \t]*:([^\n]{0,1000})", re.MULTILINE | re.IGNORECASE)


class Draft(msgspec.Struct, frozen=True):
    """What a mail says of which nobody knows who wrote it.

    ``lines``, ``alone``, ``below``: as in `by_mail.GivenAnswer`; ``game_id``: the game they are about; ``author``: the
    address that it says it is from, "" for none; ``doubt``: why it was not done.
    """

    lines: tuple[str, ...]
    alone: tuple[str, ...]
    game_id: str
    author: str
    doubt: Doubt
    below: tuple[str, ...] = ()


class NobodysAddress(Exception):
    """No letter is answered there, and none comes back to it."""


class TooLarge(ValueError):
    """More than anybody reads."""


class TooManyMails(Exception):
    """More mails for one letter than are kept in an hour; later they are."""


def keep(
    conn: Connection, settings: Settings, address: str, sender: str | None, raw: bytes, at: int, *, via: Via = "mail"
) -> int:
    """Keep a mail that came to ``address``; its number, the same however often the same mail comes.

    ``sender``: of the envelope, "" for the null one. Raises `NobodysAddress`, `TooLarge`, `TooManyMails`.
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
    """Whether mail that comes to ``address`` would be kept."""
    try:
        _whose(conn, settings, address, at)
    except NobodysAddress:
        return False
    return True


def _whose(conn: Connection, settings: Settings, address: str, at: int) -> tuple[str, int | None]:
    """The token in an address, and of whose letter it is. Raises `NobodysAddress`."""
    if token := replies.token_of(settings, address):
        if (answered := replies.find(conn, token, at)) is not None:
            return token, answered.person_id
    elif (token := bounces.token_of(settings, address)) and (sent := bounces.of_hash(conn, hashed(token))) is not None:
        return token, sent.person_id
    raise NobodysAddress(address)


def content_of(token: str, raw: bytes) -> str:
    """What tells a mail from another: to which letter, by which name, and what it says.

    Headers that servers add on the way do not count: a mail that is handed over twice is one.
    """
    header, _, body = normal(raw).partition(b"\n\n")
    name = MESSAGE_ID.search(header)
    said = (token.encode(), name[1].strip() if name else header, body)
    return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in said)).hexdigest()


def again(conn: Connection, number: int, at: int) -> bool:
    """Have a mail worked on once more that could not be dealt with; False where that is not what became of it."""
    failed = INCOMING.c.id == number, INCOMING.c.state == "done", INCOMING.c.what == "failed"
    afresh = {"state": "pending", "due_at": at, "done_at": None, "what": "", "detail": ""}
    return conn.execute(update(INCOMING).where(*failed).values(**afresh)).rowcount == 1


# ==== drafts ======================================================================================
DRAFT = "draft"
"""What became of a mail that waits until whose letter it answers says that they wrote it."""


def packed(draft: Draft) -> bytes:
    """A draft as it lies in its row."""
    return msgspec.json.encode(draft)


def draft_in(row: Any) -> Draft | None:
    """The draft of a mail; None where it has none."""
    return None if row.draft is None else msgspec.json.decode(row.draft, type=Draft)


def by_content(conn: Connection, content: str) -> Any | None:
    """The mail; None where it is forgotten."""
    return conn.execute(select(INCOMING).where(INCOMING.c.content == content)).one_or_none()


def confirm(conn: Connection, content: str, at: int) -> bool:
    """Whose letter this mail answers wrote it: it is dealt with as such, once. False where it does not wait for it."""
    waits = INCOMING.c.content == content, INCOMING.c.state == "done", INCOMING.c.what == DRAFT
    afresh = {"state": "pending", "due_at": at, "done_at": None, "what": "", "detail": "", "attempts": 0, "via": "link"}
    return conn.execute(update(INCOMING).where(*waits).values(**afresh)).rowcount == 1


def unproved(conn: Connection, token_hash: str, person_id: int | None, since: int) -> tuple[int, int]:
    """How many mails were answered since then of which nobody knows who wrote them: to a letter, and to a person (0 for
    who has no account)."""
    unknown = INCOMING.c.via == "mail", INCOMING.c.what.in_((DRAFT, "unreadable")), INCOMING.c.received_at > since
    counted = select(func.count()).select_from(INCOMING).where(*unknown)
    of_letter = conn.execute(counted.where(INCOMING.c.token_hash == token_hash)).scalar_one()
    if person_id is None:
        return int(of_letter), 0
    return int(of_letter), int(conn.execute(counted.where(INCOMING.c.person_id == person_id)).scalar_one())


def belongs_to(conn: Connection, number: int, person_id: int) -> None:
    """Who wrote this mail: where it answers an invitation, that is known when it has been read."""
    conn.execute(update(INCOMING).where(INCOMING.c.id == number).values(person_id=person_id))


def forget_old(conn: Connection, before: int, of_strangers: int) -> None:
    """Mails that came before this, and were dealt with; those of who has no account from before ``of_strangers``."""
    done = delete(INCOMING).where(INCOMING.c.state == "done")
    conn.execute(done.where(INCOMING.c.received_at < before))
    conn.execute(done.where(INCOMING.c.received_at < of_strangers, INCOMING.c.person_id.is_(None)))
