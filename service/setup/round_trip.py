"""Test letters through an ordinary mailbox: do they come back, and what does the provider do to them on the way?

They go to addresses of the form in the settings, with tokens that belong to no letter. Each is deleted once it has
arrived. Raises ``OSError`` and ``SMTPException`` of the mail server, and `imap.Unreachable`.
"""

import base64
import secrets
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr

from msgspec import Struct

from config.settings import Settings
from service.base import ways_back
from service.post import dns, imap, trust
from service.post.message import parse_quietly
from service.post.smtp import connected

PAUSE = 2.0
PORT = 25
"""The port at which a mail server takes mail from other mail servers."""
FORGED = "forged.example"
"""The domain that the forged header vouches for."""


class Arrived(Struct, frozen=True):
    """A test letter in the mailbox. ``sender``: of its envelope; ``judges``: the servers whose judgement of its author
    stands in it, from the top down; ``is_forged``: a judgement that we have forged is among them.
    """

    message_id: str
    sender: str | None
    judges: tuple[str, ...]
    is_forged: bool


class Letters:
    """Letters through the mailbox of these settings. ``wait``: seconds for each to arrive; ``told``: called meanwhile
    with the seconds left.
    """

    WAIT = 60.0

    def __init__(self, settings: Settings, told: Callable[[int], None] = lambda _: None) -> None:
        self.settings, self.wait, self.told = settings, self.WAIT, told
        self.account = parseaddr(settings.mail_from)[1]

    # ---- sending ----
    def send_home(self) -> tuple[str, str]:
        """Send a letter to an address of ours. Return this address, and the sender of its envelope."""
        address, sender = self._new_address(), ways_back.address(self.settings, "b", _token())
        letter = self._letter(address, "This letter tests whether answers arrive. You may delete it.")
        try:
            self._post(letter, sender, address)
        except smtplib.SMTPResponseException:
            sender = self.account
            self._post(letter, sender, address)
        return address, sender

    def send_to(self, recipient: str) -> str:
        """Send somebody a letter to answer. Return the address to which their answer comes."""
        address = self._new_address()
        words = "Please answer this letter: press Reply, write any word, and send it. Then the setup goes on."
        letter = self._letter(recipient, words)
        letter["Reply-To"] = address
        self._post(letter, self.account, recipient)
        return address

    def forge(self, authserv_id: str) -> str | None:
        """Send, as a stranger's server does, a letter with a forged judgement of this name. Return its address.

        None if it cannot be sent: many networks close port 25.
        """
        address = self._new_address()
        letter = self._letter(address, "This letter tests whether forged headers are removed. You may delete it.")
        letter["Authentication-Results"] = (
            f"{authserv_id}; dkim=pass header.d={FORGED}; dmarc=pass header.from={FORGED}"
        )
        server = dns.mail_exchanger(address.rpartition("@")[2])
        if server is None:
            return None
        try:
            with smtplib.SMTP(server, PORT, timeout=10) as line:
                line.sendmail(self.account, [address], letter.as_bytes())
        except (OSError, smtplib.SMTPException):
            return None
        return address

    def _new_address(self) -> str:
        return ways_back.address(self.settings, "g", _token())

    def _letter(self, to: str, words: str) -> EmailMessage:
        letter = EmailMessage()
        letter["From"], letter["To"] = self.settings.mail_from, to
        letter["Subject"] = "Slow Train: a test letter"
        letter["Date"] = formatdate()
        letter["Message-ID"] = make_msgid(domain=self.settings.mail_domain)
        letter.set_content(words)
        return letter

    def _post(self, letter: EmailMessage, sender: str, to: str) -> None:
        server = connected(self.settings)
        try:
            server.sendmail(sender, [to], letter.as_bytes())
        finally:
            with suppress(OSError, smtplib.SMTPException):
                server.quit()

    # ---- waiting ----
    def until_arrived(self, address: str) -> Arrived | None:
        """Wait for a letter to this address, or an answer, and delete it. None if none arrives in time."""
        with self._open() as box:
            until = time.monotonic() + self.wait
            while (found := box.arrived(address)) is None:
                left = until - time.monotonic()
                if left <= 0:
                    return None
                self.told(round(left))
                time.sleep(min(PAUSE, max(left, 0.0)))
            arrived = _read(box.content(found.uid) or b"", found.sender)
            box.delete(found.uid)
        return arrived

    def left_behind(self, message_id: str) -> list[str]:
        """Return the folders in which a deleted letter still lies: a trash, an archive, the letters sent."""
        with self._open() as box:
            return box.folders_with(message_id)

    @contextmanager
    def _open(self) -> Iterator[imap.Mailbox]:
        box = imap.Mailbox(self.settings)
        try:
            yield box
        finally:
            box.close()


def _token() -> str:
    return base64.b32encode(secrets.token_bytes(ways_back.BYTES)).decode().rstrip("=").lower()


def _read(raw: bytes, sender: str | None) -> Arrived:
    message = parse_quietly(raw)
    results = trust.as_they_stand(message, "authentication-results") if message else ()
    names = [name for it in results if (name := trust.authserv_of(it))]
    is_forged = any(FORGED in it for it in results)
    return Arrived(message.first("message-id") if message else "", sender, tuple(dict.fromkeys(names)), is_forged)
