"""One incoming mail, from its bytes to all that is known of it: the one thing that is asked of this room."""

from msgspec import Struct

from .lines import TextLine
from .message import UnreadableMail, parse
from .reading import Contents, read


class Question(Struct, frozen=True):
    """What is to be read, and what is known of it from elsewhere.

    ``raw``: the bytes as they came; ``letter``: all lines of the letter it answers, of its text and its HTML.
    """

    raw: bytes
    letter: tuple[str, ...] = ()


class Incoming(Struct, frozen=True):
    """What a mail is. ``unreadable``: why it cannot be read (then nothing else is said), or nothing.

    ``lines``: what a person wrote, in order; ``alone``: such lines as stand in one of its forms only, plain or HTML, so
    that the writer must be asked if one would be an order; ``contents``: all lines, and why some were cut.
    """

    unreadable: str = ""
    lines: tuple[TextLine, ...] = ()
    alone: tuple[TextLine, ...] = ()
    contents: Contents | None = None


def examine(question: Question) -> Incoming:
    """All that is known of a mail. It never raises for what the mail holds."""
    try:
        message = parse(question.raw)
        contents = read(message, question.letter)
    except UnreadableMail as reason:
        return Incoming(unreadable=str(reason))
    return Incoming(lines=contents.written, alone=contents.contradicts_itself, contents=contents)
