"""One incoming mail, from its bytes to all that is known of it: the one thing that is asked of this room."""

from typing import Literal

from msgspec import Struct

from .lines import TextLine
from .machines import automatic
from .message import Message, UnreadableMail, addresses, parse
from .reading import Contents, read
from .reports import DeliveryReport, report
from .trust import Author, Resolver, author


class Question(Struct, frozen=True):
    """What is to be read, and what is known of it from elsewhere.

    ``raw``: the bytes as they came; ``letter``: all lines of the letter it answers, of its text and its HTML;
    ``sender``: of the envelope, "" for the null one, None if that is not known; ``ours``: addresses and domains of
    ours, in lower case; ``authserv_id``: the name by which our MTA writes Authentication-Results; ``keys_for``: the
    address for whose signatures keys may be asked for, in lower case; "" for none.
    """

    raw: bytes
    letter: tuple[str, ...] = ()
    sender: str | None = None
    ours: tuple[str, ...] = ()
    authserv_id: str = ""
    keys_for: str = ""


class Incoming(Struct, frozen=True):
    """What a mail is.

    ``kind``: a ``person`` wrote it, or a machine: a ``report``, or something ``automatic``; or it is ``unreadable``.
    ``why``: by what one knows. ``lines``: what a person wrote, in order; ``alone``: such lines as stand in one of its
    forms only, plain or HTML, so that the writer must be asked if one would be an order; ``below``: such as stand below
    thanks or a farewell, for which the same holds; ``contents``: all lines, and why some were cut; ``author``: who it
    is from; ``recipients``: all addresses it may have been for, the surest first; ``message_id``: with its angles.
    """

    kind: Literal["person", "automatic", "report", "unreadable"]
    why: str = ""
    lines: tuple[TextLine, ...] = ()
    alone: tuple[TextLine, ...] = ()
    below: tuple[TextLine, ...] = ()
    contents: Contents | None = None
    author: Author = Author()
    report: DeliveryReport | None = None
    recipients: tuple[str, ...] = ()
    message_id: str = ""


def examine(question: Question, resolve: Resolver | None = None) -> Incoming:
    """All that is known of a mail: first whether a machine wrote it, and only then what it says.

    It never raises for what the mail holds. ``resolve``: asks for keys; it may be needed if ``question`` allows it.
    """
    try:
        message = parse(question.raw)
        return _examined(message, question, resolve if question.keys_for else None)
    except UnreadableMail as reason:
        return Incoming("unreadable", str(reason))


def _examined(message: Message, question: Question, resolve: Resolver | None) -> Incoming:
    recipients, message_id = tuple(recipients_of(message)), message.first("message-id")[:500]
    machine = automatic(message, question.sender, question.ours)
    told = report(message) if machine or "in-reply-to" not in message else None
    if told is not None:
        return Incoming("report", machine, report=told, recipients=recipients, message_id=message_id)
    if machine:
        return Incoming("automatic", machine, recipients=recipients, message_id=message_id)
    contents = read(message, question.letter)
    return Incoming(
        "person",
        "",
        contents.written,
        contents.contradicts_itself,
        contents.below,
        contents,
        author(message, question.raw, question.authserv_id, question.keys_for, resolve),
        None,
        recipients,
        message_id,
    )


_RECIPIENTS = (
    "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-forwarded-to", "resent-to", "to", "cc",
    "in-reply-to", "references",
)  # fmt: skip


def recipients_of(message: Message) -> list[str]:
    """All addresses a mail may have been for: those its road wrote down, then those its writer did, then the letters
    it answers, whose ids may hold what its address lost."""
    found = [one.lower() for name in _RECIPIENTS for value in message.all(name) for one in addresses(value)]
    return list(dict.fromkeys(found))[:100]
