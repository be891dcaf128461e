"""The hand-over of a mail to the mail server. It sends or raises, and says whether a retry makes sense."""

import contextlib
import re
import smtplib
from collections.abc import Callable
from typing import NoReturn

from config.settings import Settings
from domain.words import Sentence
from service.letters.letter import Mail
from service.notices.details import Detail, in_english
from service.notices.failing import FailedFor
from service.post.smtp import connected
from workers import ending

AFTER_THE_MESSAGE = 600.0
"""Seconds to wait for the answer to the message itself (RFC 5321, 4.5.3.2.6). A shorter wait would cause duplicates."""
GOODBYE = 2.0


class Deferred(Exception):
    """A temporary failure: the server said so, or the connection broke.

    ``maybe_taken``: the connection broke during the message, so the server may have it. ``sake``: the cause of the
    failure.
    """

    sake: FailedFor

    def __init__(self, detail: Detail, maybe_taken: bool = False, sake: FailedFor = "server") -> None:
        super().__init__(in_english(detail))
        self.detail, self.maybe_taken, self.sake = detail, maybe_taken, sake


class ServerAway(Deferred):
    """The server could not be reached or did not let us in. No other mail would succeed now."""

    def __init__(self, detail: Detail, maybe_taken: bool = False) -> None:
        super().__init__(detail, maybe_taken, "away")


class Bounced(Exception):
    """A permanent failure: the server refused this mail. ``of_address``: it would refuse all mail to this address.

    ``sake``: the cause of the failure.
    """

    def __init__(self, detail: Detail, of_address: bool = False, sake: FailedFor = "mailbox") -> None:
        super().__init__(in_english(detail))
        self.detail, self.of_address, self.sake = detail, of_address, sake


class NotOurs(Exception):
    """Another worker holds the claim; nothing was handed over."""


Ask = Callable[[], bool]
"""Do we still hold the mail's claim?"""


def deliver(settings: Settings, mail: Mail, ask: Ask = lambda: True) -> str:
    """Send a mail. Return the words with which the server took it.

    Raise `Deferred`, `ServerAway`, `Bounced`, `NotOurs`.

    ``ask``: called right before the message itself, because the dialogue so far may have outlasted the claim.
    """
    server = _connected(settings)
    try:
        with ending.may_be_cut(lambda: server.sock):
            return _send(server, mail, ask)
    finally:
        _part(server)


def _connected(settings: Settings) -> smtplib.SMTP:
    try:
        return connected(settings)
    except (OSError, smtplib.SMTPException) as error:
        raise ServerAway(_words(error)) from error


def _part(server: smtplib.SMTP) -> None:
    """Say QUIT. The answer no longer matters to the mail."""
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
            raise Deferred(Sentence("the service was stopped in the meantime"), handed_over, "ours") from error
        if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
            raise ServerAway(Sentence("the mail server does not answer"), handed_over) from error
        raise Deferred(_words(error), handed_over) from error


def _begin(server: smtplib.SMTP, mail: Mail) -> tuple[int, bytes]:
    """Send MAIL FROM. Return the server's answer.

    RFC 3834, 3.3: an automatic answer has the null return path, so that two machines do not answer each other for ever.
    For relays that refuse the null path, it is the address that only reads reports and never answers.
    """
    options, sender = _options(server, mail), mail.returns.address if mail.returns else mail.sender
    if mail.answers_mail:
        code, words = server.mail("", options)
        if not 500 <= code < 600:
            return code, words
    return server.mail(sender, options)


def _options(server: smtplib.SMTP, mail: Mail) -> list[str]:
    """RFC 6531: an address with letters beyond ASCII needs a server with SMTPUTF8."""
    if mail.recipient.isascii():
        return []
    if not server.has_extn("smtputf8"):
        raise Bounced(Sentence("the mail server does not support this address"), of_address=True)
    server.command_encoding = "utf-8"
    return ["SMTPUTF8", "BODY=8BITMIME"]


_OF_RECIPIENT = (550, 551, 553)
"""Answers to RCPT that mean a missing mailbox, unless an enhanced code says more."""
_NO_SUCH_ADDRESS = re.compile(r"5\.(1\.([0-6]|10)|2\.1)\b")
_EXACT = re.compile(r"\d{3}[\s-][#(]?([45]\.\d{1,3}\.\d{1,3})\b")
"""RFC 2034, 4: the enhanced code directly follows the code. Later numbers may come from strangers: ``<5.3.0@…>``."""


_CONGESTED = "5.4.5"
"""RFC 3463, 3.5: congestion. Providers say so with a permanent code when an account has sent its letters of the day."""


def _refuse(
    code: int, words: bytes | str, of_recipient: tuple[int, ...] = (), *, after_message: bool = False
) -> NoReturn:
    """Raise for a refusal. RFC 5321, 4.2.1: 5yz is permanent, anything else temporary. (421: the server is closing.)

    The enhanced code tells whether the address itself is at fault (RFC 3463, 3.2 and 3.3: bad, moved, disabled), else
    the code of the answer to RCPT. A full mailbox, a policy or a size are not the address's fault.
    """
    said = _said(code, words)
    if code == 421:
        raise ServerAway(said)
    sake = _sake(code, said, after_message=after_message)
    exact = _EXACT.match(said)
    if not 500 <= code < 600 or (exact and exact[1] == _CONGESTED):
        raise Deferred(said, sake=sake)
    raise Bounced(said, bool(_NO_SUCH_ADDRESS.match(exact[1])) if exact else code in of_recipient, sake)


_OF_MAILBOX = re.compile(r"[45]\.[12]\.\d+\b|4\.7\.\d+\b")
"""RFC 3463: the codes of addressing and of the mailbox. 4.7 is a temporary policy, which asks strangers to retry."""
_MAILBOX_CODES = (450, 550, 551, 552, 553)
"""RFC 5321, 4.2.3: the codes about a mailbox, if there is no enhanced code."""


_OF_MESSAGE = re.compile(r"[45]\.(3\.4|6\.\d+|7\.1)\b")
"""RFC 3463: too big, content, "message refused". X.7.1 may mean a filter of hosts or of recipients. If the server has
accepted host, sender and recipient and has read the message, it means this message. Codes about our authentication
(X.7.20 to X.7.29) concern all our mail.
"""


def _sake(code: int, said: str, *, after_message: bool) -> FailedFor:
    """Return the cause of a refusal: this mailbox, this message, or the server, which refuses most other mail, too."""
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
