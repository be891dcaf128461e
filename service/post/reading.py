"""The lines a person wrote: plain text and HTML read, each by itself, and then beside each other.

HTML has the lines whole, where programs break plain text at 72 columns; so its lines are taken where both say the same.
What one of the two calls quoted is quoted. What only one of them has is told, since nobody knows which of the two the
writer saw.
"""

import re
from collections.abc import Iterator, Sequence
from email.message import Message as Parsed
from typing import Self

from msgspec import Struct, structs

from . import fingerprint, hypertext, plain, quoting
from .limits import MOST_LINES, MOST_TEXT
from .lines import TextLine, words
from .message import Message, UnreadableMail, children, is_attached, kind_of, leaves, parameter, text_of

_ANOTHERS = {"quote", "attribution", "header block", "forwarded", "our letter"}
"""Why a line was cut that somebody else wrote."""


_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
"""Encrypted, or signed in a way that only programs read."""
_ADDED = re.compile(
    r"^\W{0,4}\d{1,2}[.)]\s+(?=\w)|<?(?:https?|mailto|tel):[^\s>]{1,2000}>?|\[(?:cid|image):[^\]]{0,200}\]"
)
"""What one form has that the other does not show: numbers of a list, addresses behind words, names of pictures."""


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
    def below(self) -> tuple[TextLine, ...]:
        """Lines below thanks or a farewell: a name, most often. If one would be an order, the writer must be asked."""
        return tuple(line for line in self.lines if line.text and line.cut == quoting.BELOW_A_COURTESY)

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

    :raises UnreadableMail: if it is encrypted, or has too many lines
    """
    pieces = _in_two_forms(_pieces(message.parsed))
    if not pieces and any(kind_of(part) in _SEALED for part in leaves(message.parsed)):
        raise UnreadableMail("encrypted")
    if any(_number(form) > MOST_LINES for piece in pieces for form in (piece.plain, piece.html)):
        raise UnreadableMail("lines")
    forms = tuple(name for name in ("plain", "html") if any(getattr(piece, name) is not None for piece in pieces))
    as_html = _cut([line for piece in pieces for line in _either(piece.html, piece.plain)], letter)
    if len(forms) < 2:
        return Contents(tuple(as_html), forms=forms)
    as_plain = _cut([line for piece in pieces for line in _either(piece.plain, piece.html)], letter)
    return _together(as_plain, as_html, forms)


def _number(lines: Sequence[TextLine] | None) -> int:
    return sum(1 for line in lines or () if line.text)


def _cut(lines: Sequence[TextLine], letter: Sequence[str]) -> list[TextLine]:
    cut = quoting.cut(lines)
    return fingerprint.cut(cut, letter) if letter else cut


def _either(first: tuple[TextLine, ...] | None, second: tuple[TextLine, ...] | None) -> tuple[TextLine, ...]:
    return first if first is not None else second or ()


def _together(as_plain: list[TextLine], as_html: list[TextLine], forms: tuple[str, ...]) -> Contents:
    plain_form, html_form = _Form(as_plain), _Form(as_html)
    html_form.give_up(plain_form, _ANOTHERS | {"signature", quoting.BELOW_A_COURTESY})
    plain_form.give_up(html_form, _ANOTHERS)
    if not any(html_form.written()):
        return Contents(tuple(plain_form.lines), forms=forms)
    only_plain, only_html = plain_form.without(html_form), html_form.without(plain_form)
    return Contents(tuple(html_form.lines), only_plain, only_html, forms)


class _Form:
    """One of two forms of a text: its lines, and what each says, as words alone."""

    def __init__(self, lines: list[TextLine]) -> None:
        self.lines = lines
        self._said = [_said(line) for line in lines]
        self._written = self._all({""})

    def _all(self, why: set[str]) -> str:
        """What all lines say that were cut for one of these reasons ("": that were not)."""
        said = (said for line, said in zip(self.lines, self._said, strict=True) if said and line.cut in why)
        return f" {' '.join(said)} "

    def written(self) -> Iterator[tuple[int, str]]:
        """The lines that are the writer's, as it seems: where they are, and what they say."""
        found = zip(self.lines, self._said, strict=True)
        return ((place, f" {said} ") for place, (line, said) in enumerate(found) if said and not line.cut)

    def give_up(self, other: Self, why: set[str]) -> None:
        """What the other form has as somebody else's alone, cut for one of these reasons, is somebody else's."""
        cut = other._all(why)
        for place, said in list(self.written()):
            if said not in other._written and said in cut:
                self.lines[place] = structs.replace(self.lines[place], cut="quote")

    def without(self, other: Self) -> tuple[TextLine, ...]:
        """The writer's lines that the other form does not have."""
        return tuple(self.lines[place] for place, said in self.written() if said not in other._written)


def _pieces(part: Parsed) -> list[_Piece]:
    """The text of a part and of those within it. Files and whole messages within a message have none."""
    kind = kind_of(part)
    if part.is_multipart() and kind.startswith("multipart/"):
        return _of_several(kind, children(part))
    if is_attached(part) or kind.startswith("message/"):
        return []
    if kind == "text/plain" or kind.startswith("multipart/"):  # one of which no part was found is text
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
    if kind == "multipart/related":  # RFC 2387: the others are there for the first, as pictures are
        return next(filter(None, pieces), [])
    return [piece for some in pieces for piece in some]


def _in_two_forms(pieces: list[_Piece]) -> list[_Piece]:
    """Text and a page that stand one after another, and not as alternatives, are two forms of one text where a line
    that somebody wrote stands in both; else every order would be given twice."""
    pages = {at: it.html for at, it in enumerate(pieces) if it.plain is None}
    texts = {at: _said_in(it.plain) for at, it in enumerate(pieces) if it.html is None and pages}
    together = list(pieces)
    for at, page in pages.items():
        said = _said_in(page)
        text = next((place for place in texts if not texts[place].isdisjoint(said)), None)
        if text is not None:
            del texts[text]
            together[min(at, text)] = _Piece(pieces[text].plain, page)
            together[max(at, text)] = _Piece()
    return [it for it in together if it != _Piece()]


def _said_in(lines: Sequence[TextLine] | None) -> set[str]:
    """The words of each line that seems to be the writer's."""
    return {_said(line) for line in quoting.cut(lines or ()) if not line.cut} - {""}


def _said(line: TextLine) -> str:
    """The words of a line, without its signs."""
    return " ".join(words(_ADDED.sub(" ", line.text)))


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
