"""The local mailbox of the embedded profile: an SMTP server that keeps every mail for the site to show.

It takes mail for any address and forwards none. It acknowledges a mail only after the commit.
"""

import asyncio
import logging
import signal
import time
from email import message_from_bytes
from email.policy import default as policy
from email.utils import parseaddr
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as Conversation
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from service.database.store import Busy, Store, open_store
from service.database.tables import MailboxMessage, table_of
from service.notices import figures, processes

log = logging.getLogger(__name__)

MAILBOX = table_of(MailboxMessage)
LARGEST = 8 * 1024 * 1024
"""The largest accepted mail, in bytes."""


class Keeper:
    """Stores incoming mail, one row for each recipient."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def handle_DATA(self, server: SMTP, conversation: Conversation, envelope: Envelope) -> str:  # noqa: N802
        """Store a mail. RFC 5321, 4.2.5: a reply 250 takes responsibility, so the commit comes first."""
        try:
            await asyncio.to_thread(self.keep, envelope)
        except (SQLAlchemyError, Busy):
            log.exception("a mail could not be kept")
            return "451 4.3.0 The mail could not be stored, please try again"
        return "250 2.0.0 Kept"

    def keep(self, envelope: Envelope) -> None:
        source = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        mail = message_from_bytes(source, policy=policy)
        from_nobody = envelope.mail_from in ("", "<>", None)
        shown = {name: str(mail.get(name, ""))[:300] for name in ("from", "subject", "message-id")}
        rows: list[dict[str, Any]] = [
            {
                "received_at": time.time_ns() // 1_000_000,
                "sender": str(parseaddr(shown["from"])[1] if from_nobody else envelope.mail_from)[:254],
                "recipient": recipient.lower()[:254],
                "subject": shown["subject"],
                "message_id": shown["message-id"],
                "source": source,
            }
            for recipient in envelope.rcpt_tos
        ]
        with self.store.write() as conn:
            conn.execute(insert(MAILBOX), rows)


def controller(store: Store, host: str, port: int) -> Controller:
    """Return the server, to start and stop."""
    return Controller(
        Keeper(store), hostname=host, port=port, data_size_limit=LARGEST, enable_SMTPUTF8=True, ident="Slow Train"
    )


def serve(settings: Settings) -> None:
    """Take mail until the process must end. It listens only on this machine."""
    ends = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # for all threads: otherwise a signal kills before it is taken
    store = open_store(settings.database, settings=settings)
    figures.begin(store, processes.MAILBOX)
    server = controller(store, "127.0.0.1", settings.mailbox_port)
    server.start()
    signal.sigwait(ends)
    server.stop()
