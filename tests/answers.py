"""Answering letters in tests: what a mail program sends, taken in as it would be, worked off, and what is sent back."""

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
"""The name by which the mail server of tests says who wrote a mail."""


def written(
    to: str,
    text: str,
    *,
    sender: str = "ann@example.org",
    number: int | None = None,
    vouched: bool = False,
    **headers: str,
) -> bytes:
    """A mail as a plain program writes it. ``number``: of its Message-ID; each has its own. ``vouched``: whether our
    mail server says it is from where it says."""
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
    """A row of a mail that came; its number. What is not said is as of one that nobody has looked at yet."""
    number = next(_numbers)
    row = {
        "token_hash": f"letter {number}", "content": f"mail {number}", "sender": "ann@client.example.org",
        "raw": b"Subject: hush\n\nsecret words", "received_at": at, "state": "pending", "due_at": at, "attempts": 0,
        "what": "", "detail": "",
    }  # fmt: skip
    return int(conn.execute(inbox.INCOMING.insert().values(**{**row, **more})).inserted_primary_key[0])


class Post:
    """The mail of a store: what it sends, and what is answered. ``at``: now; ``noticed``: is told of each sent."""

    def __init__(self, store: Store, at: int = NOON) -> None:
        self.store, self.at = store, at
        self.sent: list[EmailMessage] = []
        self.noticed: Callable[[Mail, EmailMessage], None] = lambda mail, letter: None

    def deliver(self) -> list[EmailMessage]:
        """Send what is due; the mails."""
        fresh: list[EmailMessage] = []

        def send(_settings: Settings, mail: Mail, _ask: Callable[[], bool]) -> str:
            fresh.append(parse(mail.source))
            self.noticed(mail, fresh[-1])
            return "250 OK"

        outbox.send_due(self.store, send=send, now=lambda: self.at)
        self.sent += fresh
        return fresh

    def take(self, raw: bytes, to: str, *, via: Via = "page", sender: str = "ann@example.org") -> int:
        """Keep a mail that comes; from this machine, where nobody asks who wrote it, if nothing else is said."""
        with self.store.write() as conn:
            return inbox.keep(conn, self.store.settings, to, sender, raw, self.at, via=via)

    def work_off(self) -> None:
        incoming.work_off(self.store, examine, now=lambda: self.at)

    def answer(self, letter: EmailMessage, text: str, **more: Any) -> EmailMessage:
        """Answer a letter; the receipt."""
        self.take(written(letter["Reply-To"], text, **more), letter["Reply-To"])
        self.work_off()
        (found,) = self.receipts()
        return found

    def receipts(self) -> list[EmailMessage]:
        """Send what is due; of that the receipts."""
        return [mail for mail in self.deliver() if mail["Auto-Submitted"] == "auto-replied"]

    def letter(self, to: str) -> EmailMessage:
        """The last letter to somebody."""
        return [it for it in self.sent if it["To"] == f"{to.lower()}@example.org"][-1]
