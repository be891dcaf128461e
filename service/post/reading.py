"""The lines a person wrote: plain text and HTML read, each by itself, and then beside each other.

HTML has the lines whole, where programs break plain text at 72 columns; so its lines are taken where both say the same.
What one of the two calls quoted is quoted. What only one of them has is told, since nobody knows which of the two the
writer saw.
"""

from collections.abc import Sequence
from email.message import Message as Parsed

from msgspec import Struct, structs

from . import fingerprint, hypertext, plain, quoting
from .limits import MOST_TEXT
from .lines import TextLine, words
from .message import Message, UnreadableMail, children, is_attached, kind_of, parameter, text_of

_ANOTHERS = {"quote", "attribution", "header block", "forwarded", "our letter"}
"""Why a line was cut that somebody else wrote."""


class Contents(Struct, frozen=True):
    """What a mail says.

    ``lines``: all of it, in order, of the form that was taken; ``only_plain``, ``only_html``: written lines that the
    other form does not have, though it has others; ``forms``: which there were (``plain``, ``html``).
    """

    lines: tuple[TextLine, ...]
    only_plain: tuple[TextLine, ...] = ()
    only_html: tuple[TextLine, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[TextLine, ...]:
        """The lines a person wrote, in order, none of them empty. What is none of these is never an order."""
        return tuple(line for line in self.lines if line.text and not line.cut)

    @property
    def contradicts_itself(self) -> tuple[TextLine, ...]:
        """Written lines that stand in one form alone. If one of them would be an order, the writer must be asked."""
        return self.only_plain + self.only_html


class _Piece(Struct, frozen=True):
    """Text in one form or two: the same text, if there are two."""

    plain: tuple[TextLine, ...] | None = None
    html: tuple[TextLine, ...] | None = None


def read(message: Message, letter: Sequence[str] = ()) -> Contents:
    """The lines of a message. ``letter``: all lines of the letter it answers, if that is known.

    :raises UnreadableMail: if it is encrypted
    """
    pieces = _pieces(message.parsed)
    forms = tuple(name for name in ("plain", "html") if any(getattr(piece, name) is not None for piece in pieces))
    as_html = _cut([line for piece in pieces for line in _either(piece.html, piece.plain)], letter)
    if len(forms) < 2:
        return Contents(tuple(as_html), forms=forms)
    as_plain = _cut([line for piece in pieces for line in _either(piece.plain, piece.html)], letter)
    return _together(as_plain, as_html, forms)


def _cut(lines: Sequence[TextLine], letter: Sequence[str]) -> list[TextLine]:
    cut = quoting.cut(lines)
    return fingerprint.cut(cut, letter) if letter else cut


def _either(first: tuple[TextLine, ...] | None, second: tuple[TextLine, ...] | None) -> tuple[TextLine, ...]:
    return first if first is not None else second or ()


def _together(as_plain: list[TextLine], as_html: list[TextLine], forms: tuple[str, ...]) -> Contents:
    written = {"plain": _Words(as_plain, {""}), "html": _Words(as_html, {""})}
    as_html = [_judged(line, written["plain"], _Words(as_plain, _ANOTHERS | {"signature"})) for line in as_html]
    as_plain = [_judged(line, written["html"], _Words(as_html, _ANOTHERS)) for line in as_plain]
    only_html = tuple(line for line in as_html if _is_written(line) and line not in written["plain"])
    only_plain = tuple(line for line in as_plain if _is_written(line) and line not in written["html"])
    if any(_is_written(line) for line in as_html):
        return Contents(tuple(as_html), only_plain, only_html, forms)
    return Contents(tuple(as_plain), (), (), forms)


def _is_written(line: TextLine) -> bool:
    return not line.cut and bool(words(line.text))


def _judged(line: TextLine, written: "_Words", cut: "_Words") -> TextLine:
    """A line that the other form has as somebody else's alone is somebody else's."""
    if _is_written(line) and line not in written and line in cut:
        return structs.replace(line, cut="quote")
    return line


class _Words:
    """The words of lines that were cut for one of these reasons ("" for those that were not), to look lines up in."""

    def __init__(self, lines: Sequence[TextLine], why: set[str]) -> None:
        said = [" ".join(words(line.text)) for line in lines if line.cut in why]
        self._said = f" {' '.join(filter(None, said))} "

    def __contains__(self, line: TextLine) -> bool:
        return f" {' '.join(words(line.text))} " in self._said


def _pieces(part: Parsed) -> list[_Piece]:
    """The text of a part and of those within it. Files and whole messages within a message have none."""
    kind = kind_of(part)
    if part.is_multipart() and kind.startswith("multipart/"):
        return _of_several(kind, children(part))
    if is_attached(part) or kind.startswith("message/"):
        return []
    if kind == "text/plain":
        flowed = parameter(part, "format").lower() == "flowed"
        delsp = parameter(part, "delsp").lower() == "yes"
        return [_Piece(plain=tuple(plain.lines_of(text_of(part)[:MOST_TEXT], flowed=flowed, delsp=delsp)))]
    if kind == "text/html":
        return [_Piece(html=tuple(hypertext.lines_of(text_of(part)[:MOST_TEXT])))]
    return []


def _of_several(kind: str, parts: list[Parsed]) -> list[_Piece]:
    if kind == "multipart/encrypted":
        raise UnreadableMail("encrypted")
    if kind == "multipart/signed":
        parts = parts[:1]
    pieces = [_pieces(part) for part in parts]
    if kind == "multipart/alternative":
        return [_alternative(pieces)] if any(pieces) else []
    return [piece for some in pieces for piece in some]


def _alternative(forms: list[list[_Piece]]) -> _Piece:
    """The same text in several forms: of each kind the last that has it."""
    texts: tuple[TextLine, ...] | None = None
    pages: tuple[TextLine, ...] | None = None
    for form in forms:
        if any(piece.html is not None for piece in form):
            pages = tuple(line for piece in form for line in _either(piece.html, piece.plain))
            if any(piece.html is not None and piece.plain is not None for piece in form):
                texts = texts or tuple(line for piece in form for line in _either(piece.plain, piece.html))
        elif form and texts is None:
            texts = tuple(line for piece in form for line in piece.plain or ())
    return _Piece(texts, pages)
