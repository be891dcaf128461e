"""The lines of a mail's writer: plain text and HTML are read separately and then compared.

HTML has whole lines, where programs wrap plain text at 72 columns; so its lines are used where both agree. Text is
quoted if either form marks it as quoted. Text that only one form has is reported, since the writer may have seen the
other.
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
"""The reasons of cuts that mean another person's text."""


_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
"""Encrypted, or signed in a format that only programs read."""
_ADDED = re.compile(
    r"^\W{0,4}\d{1,2}[.)]\s+(?=\w)|<?(?:https?|mailto|tel):[^\s>]{1,2000}>?|\[(?:cid|image):[^\]]{0,200}\]"
)
"""Text that only one form shows: list numbers, addresses behind links, names of pictures."""


class Contents(Struct, frozen=True):
    """The content of a mail.

    ``lines``: all lines, in order, of the chosen form; ``only_plain``, ``only_html``: the writer's lines that the other
    form lacks, if it has any; ``forms``: the existing ones (``plain``, ``html``).
    """

    lines: tuple[TextLine, ...]
    only_plain: tuple[TextLine, ...] = ()
    only_html: tuple[TextLine, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[TextLine, ...]:
        """The writer's lines, in order, without empty ones. Other lines are never orders."""
        return tuple(line for line in self.lines if line.text and not line.cut)

    @property
    def below(self) -> tuple[TextLine, ...]:
        """Lines below thanks or a farewell, most often a name. If one would be an order, the writer must be asked."""
        return tuple(line for line in self.lines if line.text and line.cut == quoting.BELOW_A_COURTESY)

    @property
    def contradicts_itself(self) -> tuple[TextLine, ...]:
        """The writer's lines that only one form has. If one would be an order, the writer must be asked."""
        return self.only_plain + self.only_html


class _Piece(Struct, frozen=True):
    """Text in one form, or the same text in two."""

    plain: tuple[TextLine, ...] | None = None
    html: tuple[TextLine, ...] | None = None


def read(message: Message, letter: Sequence[str] = ()) -> Contents:
    """Return the lines of a message. ``letter``: all lines of the letter that it answers, if known.

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
    """One of two forms of a text: its lines, and the words of each."""

    def __init__(self, lines: list[TextLine]) -> None:
        self.lines = lines
        self._said = [_said(line) for line in lines]
        self._written = self._all({""})

    def _all(self, why: set[str]) -> str:
        """Return the text of all lines that were cut for one of these reasons ("": that were not cut)."""
        said = (said for line, said in zip(self.lines, self._said, strict=True) if said and line.cut in why)
        return f" {' '.join(said)} "

    def written(self) -> Iterator[tuple[int, str]]:
        """Yield the place and the words of each line that seems to be the writer's."""
        found = zip(self.lines, self._said, strict=True)
        return ((place, f" {said} ") for place, (line, said) in enumerate(found) if said and not line.cut)

    def give_up(self, other: Self, why: set[str]) -> None:
        """Cut the lines that the other form cuts for one of these reasons and has nowhere else."""
        cut = other._all(why)
        for place, said in list(self.written()):
            if said not in other._written and said in cut:
                self.lines[place] = structs.replace(self.lines[place], cut="quote")

    def without(self, other: Self) -> tuple[TextLine, ...]:
        """Return the writer's lines that the other form lacks."""
        return tuple(self.lines[place] for place, said in self.written() if said not in other._written)


def _pieces(part: Parsed) -> list[_Piece]:
    """Return the texts of a part and its subparts. Files and attached messages have none."""
    kind = kind_of(part)
    if part.is_multipart() and kind.startswith("multipart/"):
        return _of_several(kind, children(part))
    if is_attached(part) or kind.startswith("message/"):
        return []
    if kind == "text/plain" or kind.startswith("multipart/"):  # a multipart without any parts is text
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
    if kind == "multipart/related":  # RFC 2387: the other parts belong to the first, such as pictures
        return next(filter(None, pieces), [])
    return [piece for some in pieces for piece in some]


def _in_two_forms(pieces: list[_Piece]) -> list[_Piece]:
    """Join plain text and HTML that follow each other, if they share a line of the writer.

    They are not alternatives by their structure, but otherwise every order would be given twice.
    """
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
    """Return the words of each line that seems to be the writer's."""
    return {_said(line) for line in quoting.cut(lines or ()) if not line.cut} - {""}


def _said(line: TextLine) -> str:
    """Return the words of a line, without punctuation."""
    return " ".join(words(_ADDED.sub(" ", line.text)))


def _alternative(forms: list[list[_Piece]]) -> _Piece:
    """Return the same text in several forms: the last part of each kind."""
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
