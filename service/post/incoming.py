"""One incoming mail, from its bytes to all known facts. This function is the interface of the room."""

from typing import Literal

from msgspec import Struct

from .lines import TextLine
from .machines import automatic
from .message import Message, UnreadableMail, addresses, parse
from .reading import Contents, read
from .reports import DeliveryReport, report
from .trust import Author, Resolver, author


class Question(Struct, frozen=True):
    """A mail to read, with facts from elsewhere.

    ``raw``: the received bytes; ``letter``: all lines of the letter that it answers, of its text and its HTML;
    ``sender``: of the envelope, "" for the null one, None if unknown; ``ours``: our addresses and domains in lower
    case; ``authserv_id``: the name of our MTA in Authentication-Results; ``keys_for``: the address, in lower case, for
    whose signatures DNS may be asked, or "".
    """

    raw: bytes
    letter: tuple[str, ...] = ()
    sender: str | None = None
    ours: tuple[str, ...] = ()
    authserv_id: str = ""
    keys_for: str = ""


class Incoming(Struct, frozen=True):
    """The facts about a mail.

    ``kind``: written by a ``person``, or by a machine (a ``report``, or ``automatic``); or ``unreadable``. ``why``: the
    evidence. ``lines``: the person's lines, in order; ``alone``: those that only one of the forms has, plain or HTML,
    so that the writer must be asked if one would be an order; ``below``: lines below thanks or a farewell, treated in
    the same way; ``contents``: all lines, with the reasons of cuts; ``author``: the writer; ``recipients``: all
    possible addresses, surest first; ``message_id``: with its angle brackets.
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
    """Return the facts about a mail: first whether a machine wrote it, then its content.

    The content never causes an exception. ``resolve``: asks DNS for keys; it may be needed if ``question`` allows it.
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
    """Return all possible addresses of a mail, surest first.

    They are those that servers recorded, then those of its headers, then the answered letters, whose ids may contain
    the lost address.
    """
    found = [one.lower() for name in _RECIPIENTS for value in message.all(name) for one in addresses(value)]
    return list(dict.fromkeys(found))[:100]
