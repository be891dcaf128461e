"""A message in hand: its headers, read with patience, and its parts. No header of the wild may raise here."""

import re
from base64 import b64decode
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message as Parsed

from msgspec import Struct

from .charsets import codec, decode
from .limits import LONGEST_HEADER, TooMuch, check, normal

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4,100}={0,2}[ \t\r]*\n+)+(?=\W)")
"""Lines of base64, above one that is none."""
_BLANKS = re.compile(r"\s+")
_TYPE = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}")
_NOT = r"\s<>()\[\]:;,\"@\\：；，、（）【】“”„«»"
_ADDRESS = re.compile(rf"[^{_NOT}]{{1,64}}@[^{_NOT}]{{1,255}}")


class UnreadableMail(ValueError):
    """A mail that cannot be read. Its text says why: what ``TooMuch`` says, lines, broken, slow, memory,
    encrypted."""


class Message(Struct, frozen=True):
    """A parsed message. ``headers``: (name in lower case, value unfolded and decoded), from the top down."""

    parsed: Parsed
    headers: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header, from the top down. ``name``: in lower case."""
        return tuple(value for known, value in self.headers if known == name)

    def first(self, name: str) -> str:
        """The topmost value of a header, or nothing."""
        return next(iter(self.all(name)), "")

    def __contains__(self, name: str) -> bool:
        return any(known == name for known, _ in self.headers)


def parse(raw: bytes) -> Message:
    """The message of some bytes.

    :raises UnreadableMail: if it is too much, or breaks the parser
    """
    data = normal(raw)
    try:
        check(data)
        parsed = message_from_bytes(data)
        return Message(parsed, headers_of(parsed))
    except TooMuch as reason:
        raise UnreadableMail(str(reason)) from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError) as broken:
        raise UnreadableMail("broken") from broken


def parse_quietly(raw: bytes) -> Message | None:
    """A message within another; None if it cannot be read."""
    try:
        return parse(raw)
    except UnreadableMail:
        return None


def headers_of(parsed: Parsed) -> tuple[tuple[str, str], ...]:
    """The headers of a message or a part; those that are too long are left out."""
    return tuple(
        (name.lower(), unfolded(str(value))) for name, value in parsed.raw_items() if len(str(value)) <= LONGEST_HEADER
    )


def unfolded(value: str) -> str:
    """A header's text in one line: encoded words decoded, raw bytes read as the text they most likely are."""
    plain = _BLANKS.sub(" ", value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")).strip()
    if "�" in plain:
        plain = _BLANKS.sub(" ", decode(value.encode("utf-8", "surrogateescape"), "")).strip()
    if "=?" not in plain:
        return plain
    try:
        pieces = decode_header(plain)
        return "".join(
            piece if isinstance(piece, str) else decode(piece, charset or "iso-8859-1") for piece, charset in pieces
        ).strip()
    except (HeaderParseError, ValueError, LookupError):
        return plain


def kind_of(part: Parsed) -> str:
    """A part's content type, such as ``text/plain``, which is also what a part is that says nothing readable."""
    found = _TYPE.match(part.get_content_type())  # which leaves more in it, where a semicolon is missing
    return found.group() if found else "text/plain"


def parameter(part: Parsed, name: str) -> str:
    """A parameter of the content type, or nothing."""
    try:
        value = part.get_param(name)
        if isinstance(value, tuple):  # (charset, language, text), RFC 2231
            return str(value[2])
        return str(value or "").strip(" '\"")
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""


def is_attached(part: Parsed) -> bool:
    """Is this part an attachment: called one by any of its headers, however that is written, or named as a file?"""
    disposition = " ".join(map(str, part.get_all("content-disposition", []))).lower()
    return "attachment" in disposition or "filename" in disposition or bool(parameter(part, "name"))


def text_of(part: Parsed) -> str:
    """The text of a part, decoded from its transfer encoding and charset. It never fails."""
    data = bytes_of(part)
    declared = parameter(part, "charset")
    if not declared and kind_of(part) == "text/html":
        found = re.search(rb"<meta[^>]{1,200}charset=[\"' ]{0,2}([\w-]{1,40})", data[:4000], re.IGNORECASE)
        declared = found[1].decode() if found and codec(found[1].decode()) not in {"utf-16", "utf-16-le"} else ""
    return decode(data, declared)


def bytes_of(part: Parsed) -> bytes:
    """The bytes of a part, decoded from its transfer encoding."""
    below = _below_base64(part)
    if below is not None:
        return below
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        data = None
    if isinstance(data, bytes):
        return data
    kept = _as_sent(part)
    return kept.encode("utf-8", "surrogateescape") if isinstance(kept, str) else b""


def _as_sent(part: Parsed) -> object:
    """The text of a part as it was sent, or the parts of a multipart; None where the library falls over its charset:
    one that is none for bytes, as "idna", or one in pieces (``charset*0*=``, RFC 2231)."""
    try:
        return part.get_payload()
    except (ValueError, TypeError):
        return None


def _below_base64(part: Parsed) -> bytes | None:
    """What base64 says above plain text that a list or a scanner has put below it; None where nothing is below."""
    written = _as_sent(part)
    if not isinstance(written, str) or str(part.get("content-transfer-encoding", "")).strip().lower() != "base64":
        return None
    found = _BASE64.match(written)
    if found is None or not written[found.end() :].strip():
        return None
    whole = "".join(found.group().split()).replace("=", "")
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    return b64decode(whole + "=" * (-len(whole) % 4))


def leaves(parsed: Parsed) -> Iterator[Parsed]:
    """All parts that hold no others, but for messages within it, which are no part of this one's text."""
    if parsed.is_multipart() and kind_of(parsed).startswith("multipart/"):
        for part in children(parsed):
            yield from leaves(part)
    else:
        yield parsed


def children(parsed: Parsed) -> list[Parsed]:
    """The parts of a multipart."""
    kept = _as_sent(parsed)
    return [part for part in kept if isinstance(part, Parsed)] if isinstance(kept, list) else []


def addresses(value: str) -> list[str]:
    """Every address in a text, in its order: linear in its length, and blind to names and comments that hold none."""
    return _ADDRESS.findall(value[:LONGEST_HEADER])
