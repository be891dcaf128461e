"""Answering letters in tests: the answer of a mail program, its intake and processing, and the mails that follow."""

from collections.abc import Callable
from email.message import EmailMessage
from itertools import count
from typing import Any

from sqlalchemy import Connection

from config.settings import Settings
from service.database.store import Store
from service.letters.letter import Mail
from service.post import inbox
from service.post.inbox import Via
from service.post.incoming import examine
from tests.service.lanterns import NOON
from tests.workers.post import parse
from workers import incoming, outbox

_numbers = count(1)


MTA = "mx.example.org"
"""The authentication service id of the tests' mail server."""


def written(
    to: str,
    text: str,
    *,
    sender: str = "ann@example.org",
    number: int | None = None,
    vouched: bool = False,
    **headers: str,
) -> bytes:
    """Return a mail as a simple program writes it. ``number``: of its Message-ID, unique by default. ``vouched``: does
    our mail server confirm its sender?"""
    mail = EmailMessage()
    if vouched:
        mail["Authentication-Results"] = f"{MTA}; dmarc=pass header.from={sender.rpartition('@')[2].rstrip('>')}"
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: your turn"
    mail["Message-ID"] = f"<{next(_numbers) if number is None else number}@client.example.org>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes()


def came(conn: Connection, at: int, **more: Any) -> int:
    """Add a row of an incoming mail and return its number. By default nobody has looked at it yet."""
    number = next(_numbers)
    row = {
        "token_hash": f"letter {number}", "content": f"mail {number}", "sender": "ann@client.example.org",
        "raw": b"Subject: hush\n\nsecret words", "received_at": at, "state": "pending", "due_at": at, "attempts": 0,
        "what": "", "detail": "",
    }  # fmt: skip
    return int(conn.execute(inbox.INCOMING.insert().values(**{**row, **more})).inserted_primary_key[0])


class Post:
    """The mail of a store: sent letters and their answers. ``at``: now; ``noticed``: called for each sent mail."""

    def __init__(self, store: Store, at: int = NOON) -> None:
        self.store, self.at = store, at
        self.sent: list[EmailMessage] = []
        self.noticed: Callable[[Mail, EmailMessage], None] = lambda mail, letter: None

    def deliver(self) -> list[EmailMessage]:
        """Send the due mails and return them."""
        fresh: list[EmailMessage] = []

        def send(_settings: Settings, mail: Mail, _ask: Callable[[], bool]) -> str:
            fresh.append(parse(mail.source))
            self.noticed(mail, fresh[-1])
            return "250 OK"

        outbox.send_due(self.store, send=send, now=lambda: self.at)
        self.sent += fresh
        return fresh

    def take(self, raw: bytes, to: str, *, via: Via = "page", sender: str = "ann@example.org") -> int:
        """Store an incoming mail; by default from this machine, where nobody checks its sender."""
        with self.store.write() as conn:
            return inbox.keep(conn, self.store.settings, to, sender, raw, self.at, via=via)

    def work_off(self) -> None:
        incoming.work_off(self.store, examine, now=lambda: self.at)

    def answer(self, letter: EmailMessage, text: str, **more: Any) -> EmailMessage:
        """Answer a letter. Return the receipt."""
        self.take(written(letter["Reply-To"], text, **more), letter["Reply-To"])
        self.work_off()
        (found,) = self.receipts()
        return found

    def receipts(self) -> list[EmailMessage]:
        """Send the due mails. Return the receipts among them."""
        return [mail for mail in self.deliver() if mail["Auto-Submitted"] == "auto-replied"]

    def letter(self, to: str) -> EmailMessage:
        """Return the last letter to a recipient."""
        return [it for it in self.sent if it["To"] == f"{to.lower()}@example.org"][-1]
