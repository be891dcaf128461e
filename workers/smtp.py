"""Handing a mail to the mail server. It sends or raises, and says whether trying again has a point."""

import contextlib
import re
import smtplib
import ssl
from collections.abc import Callable
from functools import cache
from typing import NoReturn

from config.settings import Settings
from service.letters.letter import Mail
from service.notices.failing import Reason
from workers import ending

AFTER_THE_MESSAGE = 600.0
"""Seconds to wait for the answer to the message itself (RFC 5321, 4.5.3.2.6): less would make duplicates of our own."""
GOODBYE = 2.0


class Deferred(Exception):
    """Not now: the server said so, or went away in the middle of it.

    ``maybe_taken``: the message was on its way when the line was lost, so the server may have it. ``sake``: for whose.
    """

    sake: Reason

    def __init__(self, words: str, maybe_taken: bool = False, sake: Reason = "server") -> None:
        super().__init__(words)
        self.maybe_taken, self.sake = maybe_taken, sake


class ServerAway(Deferred):
    """The server could not be reached or did not let us in: no other mail would fare better now."""

    def __init__(self, words: str, maybe_taken: bool = False) -> None:
        super().__init__(words, maybe_taken, "away")


class Bounced(Exception):
    """Never: the server refused this mail for good. ``of_address``: no other mail to this address would fare better.

    ``sake``: for whose.
    """

    def __init__(self, words: str, of_address: bool = False, sake: Reason = "mailbox") -> None:
        super().__init__(words)
        self.of_address, self.sake = of_address, sake


class NotOurs(Exception):
    """Somebody else sends it: nothing was handed over."""


Ask = Callable[[], bool]
"""Whether the mail is still ours to send."""


def deliver(settings: Settings, mail: Mail, ask: Ask = lambda: True) -> str:
    """Send it; the words with which the server took it. Raises `Deferred`, `ServerAway`, `Bounced`, `NotOurs`.

    ``ask``: before the message itself, because what came before may have taken longer than the claim holds.
    """
    server = _connected(settings)
    try:
        with ending.may_be_cut(lambda: server.sock):
            return _send(server, mail, ask)
    finally:
        _part(server)


def _connected(settings: Settings) -> smtplib.SMTP:
    """A conversation that has come as far as the first mail."""
    host, port = settings.smtp
    server: smtplib.SMTP | None = None
    try:
        if settings.smtp_tls == "tls":
            server = smtplib.SMTP_SSL(host, port, timeout=settings.smtp_timeout, context=_tls())
        else:
            server = smtplib.SMTP(host, port, timeout=settings.smtp_timeout)
        if settings.smtp_tls == "starttls":
            server.starttls(context=_tls())
        if settings.smtp_user:
            server.login(settings.smtp_user, settings.smtp_password)
        server.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException) as error:
        if server is not None:
            server.close()
        raise ServerAway(_words(error)) from error
    return server


@cache
def _tls() -> ssl.SSLContext:
    """Once for a process: reading the certificates of the system takes longer than sending a mail."""
    return ssl.create_default_context()


def _part(server: smtplib.SMTP) -> None:
    """Say goodbye. Whatever the answer, it changes nothing of what became of the mail."""
    if server.sock is not None:
        server.sock.settimeout(GOODBYE)
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()
    server.close()


def _send(server: smtplib.SMTP, mail: Mail, ask: Ask) -> str:
    handed_over = False
    try:
        code, words = _begin(server, mail)
        if code != 250:
            _refuse(code, words)
        code, words = server.rcpt(mail.recipient)
        if code not in (250, 251):
            _refuse(code, words, _OF_RECIPIENT)
        if not ask():
            raise NotOurs
        assert server.sock is not None
        server.sock.settimeout(AFTER_THE_MESSAGE)
        handed_over = True
        code, words = server.data(mail.source)
        if code != 250:
            _refuse(code, words, after_message=True)
        return _said(code, words)
    except smtplib.SMTPDataError as error:
        _refuse(error.smtp_code, error.smtp_error)
    except (OSError, smtplib.SMTPException) as error:
        if ending.cut.is_set():
            raise Deferred("the service was stopped meanwhile", handed_over, "ours") from error
        if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
            raise ServerAway("the mail server does not answer", handed_over) from error
        raise Deferred(_words(error), handed_over) from error


def _begin(server: smtplib.SMTP, mail: Mail) -> tuple[int, bytes]:
    """Say who it is from; how the server answers.

    RFC 3834, 3.3: what answers a mail has the null return path, so that two machines cannot go on for ever. Relays that
    take nothing from nobody are told where it comes back to, where only reports are read, and none is answered.
    """
    options, sender = _options(server, mail), mail.returns.address if mail.returns else mail.sender
    if mail.answers_mail:
        code, words = server.mail("", options)
        if not 500 <= code < 600:
            return code, words
    return server.mail(sender, options)


def _options(server: smtplib.SMTP, mail: Mail) -> list[str]:
    """RFC 6531: an address with letters beyond ASCII needs a server that can carry it."""
    if mail.recipient.isascii():
        return []
    if not server.has_extn("smtputf8"):
        raise Bounced("the mail server cannot carry this address", of_address=True)
    server.command_encoding = "utf-8"
    return ["SMTPUTF8", "BODY=8BITMIME"]


_OF_RECIPIENT = (550, 551, 553)
"""What servers say to a RCPT for a mailbox that is not there, if they say nothing more exact."""
_NO_SUCH_ADDRESS = re.compile(r"5\.(1\.([0-6]|10)|2\.1)\b")
_EXACT = re.compile(r"\d{3}[\s-][#(]?([45]\.\d{1,3}\.\d{1,3})\b")
"""RFC 2034, 4: right behind the code. In what follows may stand numbers that strangers chose: ``<5.3.0@…>``."""


def _refuse(
    code: int, words: bytes | str, of_recipient: tuple[int, ...] = (), *, after_message: bool = False
) -> NoReturn:
    """RFC 5321, 4.2.1: 5yz is for good, anything else for now. (421: the server is closing.)

    Whether the address itself is at fault says the enhanced code (RFC 3463, 3.2 and 3.3: bad, moved, disabled), else
    the code by which a recipient was refused. A full mailbox, a policy, a size are no fault of the address.
    """
    said = _said(code, words)
    if code == 421:
        raise ServerAway(said)
    sake = _sake(code, said, after_message=after_message)
    if not 500 <= code < 600:
        raise Deferred(said, sake=sake)
    exact = _EXACT.match(said)
    raise Bounced(said, bool(_NO_SUCH_ADDRESS.match(exact[1])) if exact else code in of_recipient, sake)


_OF_MAILBOX = re.compile(r"[45]\.[12]\.\d+\b|4\.7\.\d+\b")
"""RFC 3463: addressing, and the state of a mailbox. And a policy for now, by which strangers are to come again."""
_MAILBOX_CODES = (450, 550, 551, 552, 553)
"""RFC 5321, 4.2.3: what is said of a mailbox, where nothing more exact is."""


_OF_MESSAGE = re.compile(r"[45]\.(3\.4|6\.\d+|7\.1)\b")
"""RFC 3463: too big, its content, "message refused". X.7.1 may mean a filter of hosts or of recipients: once the server
has let host, sender and recipient pass, and has read the message, it means that message. What it says of how we prove
who we are (X.7.20 to X.7.29) holds for all we send.
"""


def _sake(code: int, said: str, *, after_message: bool) -> Reason:
    """Whether the server refused for this mailbox or message, or for itself and so most likely all others, too."""
    exact = _EXACT.match(said)
    if exact is None:
        return "mailbox" if code in _MAILBOX_CODES else "server"
    of_one = _OF_MAILBOX.match(exact[1]) or (after_message and _OF_MESSAGE.match(exact[1]))
    return "mailbox" if of_one else "server"


def _said(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode('ascii', 'replace') if isinstance(words, bytes) else words}"


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return _said(error.smtp_code, error.smtp_error)
    return str(error) or type(error).__name__
