"""The listener: mail handed over by SMTP or LMTP is stored, and only then acknowledged.

A mail server stands in front, on the same machine or in a listed network, and talks to the world. The listener forwards
nothing, and accepts only reply addresses and return addresses. It speaks both protocols at one port: a client that
greets with LHLO (RFC 2033) gets an answer for each recipient, others one for all.

Its answers: 250 stored, 451 not possible now (try again), 550 5.1.1 no such address, 552 too large, 550 5.6.11 lines do
not end with CR LF. A repeated mail is the same mail (`inbox.keep`), so a client that missed an answer may send it
again.
"""

import asyncio
import collections
import logging
import re
import signal
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy.exc import SQLAlchemyError

from service.base import hints
from service.database.store import Away, Busy, Store
from service.notices import watch
from service.post import inbox
from service.post.limits import LARGEST

log = logging.getLogger(__name__)
logging.getLogger("mail.log").setLevel(logging.ERROR)  # the library logs every command with its addresses

LONGEST_LINE = 70_000
"""Bytes. RFC 5321 allows 1,000; servers pass on longer ones that they accepted, OpenSMTPD up to 65,535."""
LONGEST_COMMAND = 2048
MOST_BYTES = 16 * LARGEST
"""Bytes of one mail, including those that are discarded; beyond this the connection ends."""
MOST_RECIPIENTS = 100
MOST_CONNECTIONS = 100
SECONDS = 60.0
"""The longest time for a command, and for a whole mail, before the client is cut off."""
PATIENCE = 10.0
"""Seconds at shutdown for mails that are being received."""
THREADS = 4
"""Threads that query the store, so that a slow query does not hold up other conversations."""
NAME = "listen"
"""The name of this process among the heartbeats."""

BARE = re.compile(rb"(?<!\r)\n")
"""Some servers take it for a line end and others do not, so it could smuggle a second mail into the first."""
FAILS = (SQLAlchemyError, Away, Busy, OSError)

NOT_KEPT = "451 4.3.0 The mail could not be stored, please try again later"
NOBODY = "550 5.1.1 This is not a reply address of a letter"
OFF = "550 5.7.1 Letters are not answered by mail here"
TOO_OFTEN = "451 4.7.1 So many mails are not taken at once, please try again later"
KEPT = "250 2.0.0 Kept"
ENDING = "421 4.3.2 The service is ending, please try again later"

Said = TypeVar("Said")


class Listener:
    """The answers to mail servers. ``of_client``: the mails accepted from one client, if not as in the settings."""

    def __init__(self, store: Store, *, of_client: RateLimitItem | None = None) -> None:
        self.store, self.settings = store, store.settings
        self.talks: set[Talk] = set()
        self.of_client = of_client or RateLimitItemPerMinute(self.settings.listen_rate)
        self._counts = FixedWindowRateLimiter(MemoryStorage())
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="listener")

    def shuts_out(self, client: str) -> str | None:
        """Return the answer to a client that may not connect, or None."""
        if len(self.talks) > MOST_CONNECTIONS:
            return "421 4.3.2 Too many connections, please try again later"
        address = ip_address(client.partition("%")[0])
        if address.is_loopback or any(address in network for network in self.settings.listens_to):
            return None
        return "554 5.7.1 Mail is taken from our own mail server alone"

    # ---- the commands, as the library calls them ----
    async def handle_MAIL(self, talk: "Talk", session: Session, envelope: Envelope, sender: str, options: Any) -> str:  # noqa: N802
        if not sender.isprintable():
            return "553 5.1.7 The sender is no address"
        envelope.mail_from = sender
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, talk: "Talk", session: Session, envelope: Envelope, recipient: str, options: Any
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        answer = await self._in_thread(self.is_known, recipient)
        if answer != KEPT:
            return answer
        # Only here, since strangers ask for missing addresses through the mail server, as often as they like.
        if not envelope.rcpt_tos and not self._counts.hit(self.of_client, "client", talk.client):
            log.warning("more mails than %s come from one mail server", self.of_client)
            return TOO_OFTEN
        envelope.rcpt_tos.append(recipient)
        return "250 2.1.5 OK"

    async def handle_DATA(self, talk: "Talk", session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw, sender, to = envelope.content, envelope.mail_from or "", envelope.rcpt_tos
        assert isinstance(raw, bytes)
        sender = "" if sender == "<>" else sender
        if BARE.search(raw):
            return "550 5.6.11 Lines end with CR LF"
        if not talk.by_lmtp:
            return await self._in_thread(self.keep, to, sender, raw)
        return talk.of_each([await self._in_thread(self.keep, [each], sender, raw) for each in to])

    # ---- the store ----
    async def _in_thread(self, ask: Callable[..., Said], *given: Any) -> Said | str:
        """Return the store's answer, or a temporary error if it has none."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask, *given)
        except FAILS as error:
            log.warning("the store could not be asked: %s", type(error).__name__)
        except Exception:  # a bug: the client keeps the mail until we have fixed it
            log.exception("a mail could not be taken")
        return NOT_KEPT

    def is_known(self, recipient: str) -> str:
        """Return an answer: would mail to this address be stored?"""
        if not self.settings.answerable:
            return OFF
        with self.store.read() as conn:
            return KEPT if inbox.takes(conn, self.settings, recipient, self.store.time()) else NOBODY

    def keep(self, recipients: Sequence[str], sender: str, raw: bytes) -> str:
        """Store a mail for all of its recipients or for none. Look stale entries up again."""
        at = self.store.time()
        try:
            with self.store.write() as conn:
                numbers = [inbox.keep(conn, self.settings, each, sender, raw, at) for each in recipients]
        except inbox.NobodysAddress:
            return NOBODY if len(recipients) == 1 else NOT_KEPT
        except inbox.TooManyMails:
            log.warning("more mails come for one letter than are kept in an hour")
            return TOO_OFTEN
        except inbox.TooLarge:
            return "552 5.3.4 The mail is too large"
        log.info("mail %s is kept", ", ".join(map(str, numbers)))
        hints.wake("incoming")
        return KEPT

    async def tell_of_life(self) -> None:
        """Note again and again that this process lives."""
        while True:
            with suppress(*FAILS):
                await asyncio.get_running_loop().run_in_executor(self._threads, self._note)
            await asyncio.sleep(self.settings.sweep_seconds)

    def _note(self) -> None:
        watch.note(self.store, NAME, self.store.time())

    async def end(self) -> None:
        """Close all connections; those that receive a mail only after it, if it ends soon."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while self.talks:
            for talk in [*self.talks]:
                talk.leave(at_once=loop.time() >= until)
            await asyncio.sleep(0.02)
        self._threads.shutdown()


class Talk(SMTP):
    """One connection."""

    command_size_limit = LONGEST_COMMAND
    line_length_limit = LONGEST_LINE

    def __init__(self, listener: Listener, seconds: float = SECONDS) -> None:
        super().__init__(
            listener,
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            hostname=listener.settings.replies_at,
            ident="Slow Train",
            timeout=seconds,
            # An idle connection ends; a mail server may send any number of mails over one connection.
            command_call_limit=dict.fromkeys(("MAIL", "RCPT", "DATA", "RSET"), 10**9) | {"*": 20},
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
        )
        self.command_size_limits = collections.defaultdict(lambda: LONGEST_COMMAND)
        self.listener = listener
        self.by_lmtp = self.takes_mail = False
        self._owed, self._bytes = 1, 0

    @property
    def client(self) -> str:
        """The address of the client."""
        return str(self.session.peer[0]) if self.session is not None and self.session.peer else ""

    # ---- the connection ----
    async def _handle_client(self) -> None:
        self.listener.talks.add(self)
        if refusal := self.listener.shuts_out(self.client):
            log.warning("a connection was refused: %s", refusal)
            await self.push(refusal)
            assert isinstance(self.transport, asyncio.WriteTransport)
            self.transport.close()
            return
        await super()._handle_client()

    def connection_lost(self, error: Exception | None) -> None:
        self.listener.talks.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        self._bytes += len(data)
        if self._bytes > MOST_BYTES and isinstance(self.transport, asyncio.Transport):
            self.transport.abort()
            return
        super().data_received(data)

    def _timeout_cb(self) -> None:
        """End a connection after its time. The library would wait for ever for a client that does not read."""
        assert isinstance(self.transport, asyncio.Transport)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _set_post_data_state(self) -> None:
        self._bytes = 0
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def leave(self, *, at_once: bool) -> None:
        """Close politely, unless a mail is being received; or at once."""
        assert isinstance(self.transport, asyncio.Transport)
        if at_once:
            self.transport.abort()
        elif not self.takes_mail and not self.transport.is_closing():
            self.transport.write(ENDING.encode() + b"\r\n")
            self.transport.close()

    async def handle_exception(self, error: Exception) -> str:
        """Answer input that the library cannot read. Either side may be at fault, and no mail may be lost by it."""
        log.error("a command could not be read: %s", type(error).__name__)
        return NOT_KEPT

    # ---- the commands ----
    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802
        await super().smtp_EHLO(arg)
        self.by_lmtp = True

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802
        await super().smtp_EHLO(hostname)
        self.by_lmtp = False

    async def smtp_HELO(self, hostname: str) -> None:  # noqa: N802
        await super().smtp_HELO(hostname)
        self.by_lmtp = False

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        self.takes_mail = True
        try:
            await super().smtp_DATA(arg)
        finally:
            self.takes_mail, self._owed = False, 1

    async def push(self, status: Any) -> None:
        """Answer. After a mail this is one answer, or by LMTP one for each recipient."""
        await super().push("\r\n".join([status] * self._owed) if self._owed > 1 else status)
        if self.takes_mail and self.by_lmtp and status.startswith("354"):
            assert self.envelope is not None
            self._owed = len(self.envelope.rcpt_tos)

    def of_each(self, answers: Sequence[str]) -> str:
        """Return the answers for the recipients, in their order."""
        self._owed = 1
        return "\r\n".join(answers)

    async def smtp_VRFY(self, arg: str) -> None:  # noqa: N802
        await self._unknown()

    async def smtp_EXPN(self, arg: str) -> None:  # noqa: N802
        await self._unknown()

    async def smtp_AUTH(self, arg: str) -> None:  # noqa: N802
        await self._unknown()

    async def _unknown(self) -> None:
        await self.push("502 5.5.1 There is no such command here")

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        try:
            return super()._getaddr(arg)
        except (IndexError, RecursionError, ValueError):  # the library parses some invalid addresses, and crashes
            return None, None


async def listen(listener: Listener, bound: socket.socket, ended: asyncio.Event, *, seconds: float = SECONDS) -> None:
    """Accept mail at a bound socket until ``ended``. Mails that are being received then are still acknowledged."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Talk(listener, seconds), sock=bound)
    alive = asyncio.ensure_future(listener.tell_of_life())
    try:
        await ended.wait()
    finally:
        server.close()
        alive.cancel()
        await listener.end()


def serve(store: Store, bound: socket.socket) -> None:
    """Accept mail until the process must end (SIGTERM, SIGINT)."""

    async def until_told() -> None:
        ended = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        await listen(Listener(store), bound, ended)

    asyncio.run(until_told())
