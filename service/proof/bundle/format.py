"""The bundle: a game in one file that proves itself. This is the format, to the byte.

A bundle is UTF-8 text. Every line is one JSON object and ends with one line feed (0x0A), also the last; there is
nothing else in the file. First comes a *header*, then one line for each *ply* 1, 2, 3 ... in order, then the *end*:

    {"format":"slow train bundle","version":1,"game":G,"title":T,"seats":N,"rules":R,"reader":W,"status":S,
     "commitment":H,"plies":N,"head":H}                                                     (all on one line)
    {"ply":N,"open":B,"sealed":[P,...],"link":H}
    {"end":N,"secret":H or null,"digest":H}

A line can be written in one way only: all its members, in this order, without blanks; numbers in digits; in strings
the escapes \\" \\\\ \\b \\f \\n \\r \\t, \\u00xx (small letters) for the other characters below 0x20, \\u003c for "<"
(so that the same bytes can stand in a page), and no others. A reader writes each line anew and refuses it if it
differs.

- ``H``: 32 bytes in 64 hexadecimal digits, small letters.
- ``game``: the game's id, 1 to 26 of 0-9, a-z and "-". ``title``: the title's id, 1 to 40 of 0-9, a-z and "_".
- ``seats``: the number of seats. A bundle has no names: seats are numbers.
- ``rules``: the highest version of the title's rules that decided one of the plies.
- ``reader``: the reader of the bundle: the number of a seat, "onlooker", or "everything".
- ``status``: "open", "running", "over" or "cancelled". Bundles of games that are over or cancelled, and no others, have
  the reader "everything".
- ``commitment``: of the game's secret, as the first ply publishes it. ``plies``: the number of them.
- ``head``: the link of the last ply. Its first twelve digits are the fingerprint in mails and on pages.
- ``B``: stored bytes as a string. They are UTF-8, and the string's UTF-8 was hashed; it is never encoded anew. They are
  JSON that can be written in one way only, too: like a line, but with a plain "<", and without fractions.
- ``sealed``: the sealed parts of the ply in the order of their indices, 0, 1, 2 ... A part the reader may see is
  {"commitment":H,"seat":N,"body":B,"key":H}, any other {"commitment":H}. Seat 0 is nobody.
- ``end``: the number of plies again. ``secret``: the game's secret with "everything", else null.
- ``digest``: SHA-256 of all bytes before the last line. It finds faults that the chain cannot: an omitted part, say.

How links, commitments and keys follow from one another is described in `domain.chain`, draws in `domain.chance`.

In a page the same bytes stand between `OPENING` and the next ``</script>``.
"""

import hashlib
import re
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.chain import SealedPart, StoredPly
from domain.lifecycle import Status
from domain.words import Sentence
from service.proof.verdicts import Fault, FaultFound, say

FORMAT: Final = "slow train bundle"
VERSION: Final = 1
OPENING = b'<script type="application/jsonl" id="bundle">\n'
CLOSING = b"</script>"
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest readable file; a long game has half a million."""

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Seat = Annotated[int, Meta(ge=0, le=99)]
Eyes = Annotated[int, Meta(ge=1, le=99)] | Literal["onlooker", "everything"]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["slow train bundle"]
    version: Literal[1]
    game: Annotated[str, Meta(pattern=r"^[0-9a-z-]{1,26}\Z")]
    title: Annotated[str, Meta(pattern=r"^[0-9a-z_]{1,40}\Z")]
    seats: Annotated[int, Meta(ge=1, le=99)]
    rules: Number
    reader: Eyes
    status: Status
    commitment: Hash
    plies: Number
    head: Hash


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed part: its commitment and, if the reader may see it, its seat, content and key."""

    commitment: Hash
    seat: Seat | UnsetType = UNSET
    body: str | UnsetType = UNSET
    key: Hash | UnsetType = UNSET

    @property
    def opened(self) -> bool:
        return self.seat is not UNSET and self.body is not UNSET and self.key is not UNSET


class PlyLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ply: Number
    open: str
    sealed: tuple[Part, ...]
    link: Hash


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: Number
    secret: Hash | None
    digest: Hash


class Bundle(msgspec.Struct, frozen=True):
    """A game as stored in a file."""

    header: Header
    plies: tuple[PlyLine, ...]
    secret: str | None


def stored_plies(bundle: Bundle) -> list[StoredPly]:
    """The plies in the form of a store, with their open sealed parts."""
    return [stored_ply(ply) for ply in bundle.plies]


def stored_ply(ply: PlyLine) -> StoredPly:
    """A line of a bundle in the form of a store."""
    parts = tuple(
        SealedPart(index, part.seat, part.body.encode())  # type: ignore[arg-type, union-attr]  # both are there
        for index, part in enumerate(ply.sealed)
        if part.opened
    )
    return StoredPly(ply.ply, ply.open.encode(), parts, bytes.fromhex(ply.link))


class Reading(msgspec.Struct, frozen=True):
    """The readable part of a file: all lines before the first faulty one, and its fault."""

    bundle: Bundle
    fault: Fault | None = None


class Unreadable(Exception):
    """The file is no bundle, or none that this program can read. ``why``: the reason; the error has it in English."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(say(why))
        self.why = why


# ==== writing =====================================================================================
def write(bundle: Bundle) -> bytes:
    """Return the bundle as a file."""
    lines = b"".join(line_of(it) + b"\n" for it in (bundle.header, *bundle.plies))
    end = End(len(bundle.plies), bundle.secret, hashlib.sha256(lines).hexdigest())
    return lines + line_of(end) + b"\n"


_encode = msgspec.json.Encoder().encode


def line_of(thing: msgspec.Struct) -> bytes:
    """Write a line in its only valid form, without its line feed."""
    return _encode(thing).replace(b"<", b"\\u003c")


# ==== reading =====================================================================================
def read(raw: bytes) -> Reading:
    """Read the bundle in a file, which may be a page. Raises `Unreadable` if not even the header can be used."""
    if len(raw) > LARGEST:
        raise Unreadable(Sentence("The file is too large for a bundle."))
    lines = _inside(raw).split(b"\n")
    cut_off = lines.pop()
    header = _header(lines[0] if lines else cut_off)
    plies: list[PlyLine] = []
    secret: str | None = None
    fault: Fault | None = None
    try:
        for number in range(1, header.plies + 1):
            plies.append(_ply(number, lines, cut_off))
        secret, fault = _end(header, lines, cut_off)
    except FaultFound as wrong:
        fault = wrong.fault
    return Reading(Bundle(header, tuple(plies), secret), fault)


def is_page(raw: bytes) -> bool:
    """Is a file a page, and not a bare bundle?"""
    return raw[:200].lstrip().lower().startswith(b"<!doctype html")


def _inside(raw: bytes) -> bytes:
    """The bundle in a page, or the file as it is."""
    if not is_page(raw):
        return raw
    _, found, rest = raw.partition(OPENING)
    inside, ended, _ = rest.partition(CLOSING)
    if not (found and ended):
        raise Unreadable(Sentence("This page contains no bundle."))
    return inside


class _AnyHeader(msgspec.Struct):
    format: str
    version: int


def _header(line: bytes) -> Header:
    try:
        known = _decode(line, _AnyHeader)
    except _NotALine:
        raise Unreadable(Sentence("The first line is not the header of a bundle.")) from None
    if known.format != FORMAT or known.version < 1:
        raise Unreadable(Sentence("The first line is not the header of a bundle."))
    if known.version > VERSION:
        raise Unreadable(
            Sentence(
                "This file uses version {version} of the format; this program reads version {ours}.",
                {"version": known.version, "ours": VERSION},
            )
        )
    try:
        return _line(line, Header)
    except _NotALine as error:
        raise Unreadable(Sentence("The header is malformed: {error}.", {"error": str(error)})) from None


def _ply(number: int, lines: list[bytes], cut_off: bytes) -> PlyLine:
    if number >= len(lines):
        if cut_off and number == len(lines):
            raise FaultFound(Sentence("its line is cut off."), number)
        raise FaultFound(Sentence("it is missing: the file ends before it."), number)
    try:
        ply = _line(lines[number], PlyLine)
    except _NotALine as error:
        if re.match(rb'\{"end":', lines[number]):
            raise FaultFound(Sentence("it is missing: the last line of the file is in its place."), number) from None
        raise FaultFound(Sentence("its line is malformed: {error}.", {"error": str(error)}), number) from None
    if ply.ply != number:
        raise FaultFound(Sentence("it is missing: ply {other} is in its place.", {"other": ply.ply}), number)
    if any(not part.opened and part != Part(part.commitment) for part in ply.sealed):
        raise FaultFound(Sentence("one of its sealed parts is neither closed nor open."), number)
    return ply


def _end(header: Header, lines: list[bytes], cut_off: bytes) -> tuple[str | None, Fault | None]:
    """The secret in the last line, useful even if the digest beside it does not match the file."""
    place = header.plies + 1
    if place >= len(lines):
        raise FaultFound(Sentence("The last line is missing or cut off."))
    try:
        end = _line(lines[place], End)
    except _NotALine as error:
        if re.match(rb'\{"ply":', lines[place]):
            raise FaultFound(Sentence("this ply comes after the last one that the header counts."), place) from None
        raise FaultFound(Sentence("The last line is malformed: {error}.", {"error": str(error)})) from None
    if place + 1 < len(lines) or cut_off:
        raise FaultFound(Sentence("There is extra text after the last line."))
    if end.end != header.plies:
        raise FaultFound(Sentence("The last line and the header disagree about the number of plies."))
    return end.secret, _digest(end, lines[:place])


def _digest(end: End, lines: list[bytes]) -> Fault | None:
    if hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest() == end.digest:
        return None
    return Fault(Sentence("The digest in the last line does not match the lines before it."))


# ==== the content of plies ========================================================================
class _Fraction(ValueError):
    pass


def _no_fraction(digits: str) -> None:
    raise _Fraction(digits)


_anything = msgspec.json.Decoder(float_hook=_no_fraction).decode


def is_as_written(stored: str) -> bool:
    """Is a string ``B`` JSON in its only valid form?"""
    try:
        return _encode(_anything(stored)) == stored.encode()
    except (msgspec.MsgspecError, _Fraction, UnicodeError, RecursionError):
        return False


class _NotALine(Exception):
    pass


L = TypeVar("L", bound=msgspec.Struct)


def _line(line: bytes, kind: type[L]) -> L:
    thing = _decode(line, kind)
    if line_of(thing) != line:
        raise _NotALine("the same can be said in other bytes, and is always said in those")
    return thing


def _decode(line: bytes, kind: type[L]) -> L:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _NotALine(str(error)) from None
