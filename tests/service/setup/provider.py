"""An email provider in miniature: a mail server whose letters to the account arrive in its mailbox."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.mailbox import PASSWORD, USER, Mailbox, mailbox
from tests.servers import free_port

JUDGE = "mx.example.org"
"""The name of the provider in Authentication-Results."""


class Provider:
    """``port``: where its accounts send mail; ``outside``: where other servers do. ``sent``: all letters, by recipient.

    ``keeps_sender``: the envelope may carry any address; ``refuses_sender``: it is refused at once; ``keeps_sent``:
    copies stay in a folder; ``removes_forged``: judgements in its name; ``loses``: nothing arrives.
    """

    def __init__(self, box: Mailbox) -> None:
        self.box, self.port, self.outside = box, free_port(), free_port()
        self.keeps_sender = self.removes_forged = True
        self.refuses_sender = self.keeps_sent = self.loses = False
        self.sent: list[tuple[str, bytes]] = []

    @property
    def answers(self) -> dict[str, str]:
        """The answers to the questions about this account."""
        return {
            "mail": "account", "account": USER, "server": "127.0.0.1", "port": str(self.port), "encryption": "none",
            "password": PASSWORD, "inbox": "127.0.0.1", "inbox_port": str(self.box.port), "inbox_encryption": "none",
            "operator": "olga@example.net", "answers": "club+{}@example.org",
        }  # fmt: skip

    def deliver(self, raw: bytes, sender: str) -> None:
        """Put a mail into the mailbox, with the provider's own headers."""
        if self.removes_forged:
            raw = re.sub(rb"^Authentication-Results:.*\n", b"", raw, flags=re.MULTILINE)
        head = f"Return-Path: <{sender}>\r\nAuthentication-Results: {JUDGE}; spf=pass smtp.mailfrom={sender}\r\n"
        self.box.put(head.encode() + raw)


class _FromOutside:
    """The server that takes mail from other servers."""

    def __init__(self, here: Provider) -> None:
        self.here = here

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        (to,) = envelope.rcpt_tos
        self.here.sent.append((to, envelope.content))
        if to.startswith("club") and not self.here.loses:
            self.here.deliver(envelope.content, envelope.mail_from if self.here.keeps_sender else USER)
        return "250 OK"


class _FromAccounts(_FromOutside):
    """The server that takes mail from those with an account."""

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        if self.here.refuses_sender and address != USER:
            return "553 5.7.1 Sender address rejected: not owned by user"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.here.keeps_sent:
            self.here.box.elsewhere.setdefault("Sent", []).append(envelope.content)
        return await super().handle_DATA(server, session, envelope)


def _knows(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
    good = isinstance(given, LoginPassword) and (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=good, handled=good)


@contextlib.contextmanager
def provider() -> Iterator[Provider]:
    """Run a provider: its mail server for those with an account, the one for other servers, and the mailbox."""
    with mailbox() as box, contextlib.ExitStack() as running:
        here = Provider(box)
        for port, handler in ((here.port, _FromAccounts(here)), (here.outside, _FromOutside(here))):
            server = Controller(handler, hostname="127.0.0.1", port=port, auth_require_tls=False, authenticator=_knows)
            server.start()
            running.callback(server.stop)
        yield here
