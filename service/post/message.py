"""Parsed messages: their headers, read tolerantly, and their parts. No header from the wild may raise here."""

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
"""Lines of base64, followed by a line that is not."""
_BLANKS = re.compile(r"\s+")
_TYPE = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}")
_NOT = r"\s<>()\[\]:;,\"@\\：；，、（）【】“”„«»"
_ADDRESS = re.compile(rf"(?<![^{_NOT}])[^{_NOT}]{{1,64}}@[^{_NOT}]{{1,255}}")
"""An address begins where nothing of one stands before it: else each of 64 characters would be tried as its first."""


class UnreadableMail(ValueError):
    """A mail that cannot be read.

    Its text says why: a reason of ``TooMuch``, or lines, broken, slow, memory, encrypted.
    """


class Message(Struct, frozen=True):
    """A parsed message. ``headers``: (name in lower case, value unfolded and decoded), from the top down."""

    parsed: Parsed
    headers: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        """Return all values of a header, from the top down. ``name``: in lower case."""
        return tuple(value for known, value in self.headers if known == name)

    def first(self, name: str) -> str:
        """Return the topmost value of a header, or ""."""
        return next(iter(self.all(name)), "")

    def __contains__(self, name: str) -> bool:
        return any(known == name for known, _ in self.headers)


def parse(raw: bytes) -> Message:
    """Parse a message.

    :raises UnreadableMail: if it exceeds the limits or breaks the parser
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
    """Parse a message within another. Return None if it cannot be read."""
    try:
        return parse(raw)
    except UnreadableMail:
        return None


def headers_of(parsed: Parsed) -> tuple[tuple[str, str], ...]:
    """Return the headers of a message or a part, without those that are too long."""
    return tuple(
        (name.lower(), unfolded(str(value))) for name, value in parsed.raw_items() if len(str(value)) <= LONGEST_HEADER
    )


def unfolded(value: str) -> str:
    """Return a header's text in one line: encoded words decoded, raw bytes decoded by their most likely charset."""
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
    """Return a part's content type, such as ``text/plain``, which is also the default for an unreadable one."""
    found = _TYPE.match(part.get_content_type())  # if a semicolon is missing, it contains more
    return found.group() if found else "text/plain"


def parameter(part: Parsed, name: str) -> str:
    """Return a parameter of the content type, or ""."""
    try:
        value = part.get_param(name)
        if isinstance(value, tuple):  # (charset, language, text), RFC 2231
            return str(value[2])
        return str(value or "").strip(" '\"")
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""


def is_attached(part: Parsed) -> bool:
    """Is this part an attachment: called one by any of its headers, in any spelling, or named as a file?"""
    disposition = " ".join(map(str, part.get_all("content-disposition", []))).lower()
    return "attachment" in disposition or "filename" in disposition or bool(parameter(part, "name"))


def text_of(part: Parsed) -> str:
    """Return the text of a part, decoded from its transfer encoding and charset. It never fails."""
    data = bytes_of(part)
    declared = parameter(part, "charset")
    if not declared and kind_of(part) == "text/html":
        found = re.search(rb"<meta[^>]{1,200}charset=[\"' ]{0,2}([\w-]{1,40})", data[:4000], re.IGNORECASE)
        declared = found[1].decode() if found and codec(found[1].decode()) not in {"utf-16", "utf-16-le"} else ""
    return decode(data, declared)


def bytes_of(part: Parsed) -> bytes:
    """Return the bytes of a part, decoded from its transfer encoding."""
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
    """Return the text of a part as it was sent, or the parts of a multipart.

    Return None if its charset crashes the library: one that does not decode bytes, such as "idna", or one in pieces
    (``charset*0*=``, RFC 2231).
    """
    try:
        return part.get_payload()
    except (ValueError, TypeError):
        return None


def _below_base64(part: Parsed) -> bytes | None:
    """Return the content of base64 if a list or scanner has put plain text below it, or None."""
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
    """Yield all parts without subparts, but not the parts of attached messages."""
    if parsed.is_multipart() and kind_of(parsed).startswith("multipart/"):
        for part in children(parsed):
            yield from leaves(part)
    else:
        yield parsed


def children(parsed: Parsed) -> list[Parsed]:
    """Return the parts of a multipart."""
    kept = _as_sent(parsed)
    return [part for part in kept if isinstance(part, Parsed)] if isinstance(kept, list) else []


def addresses(value: str) -> list[str]:
    """Return all addresses in a text, in order, in linear time. Names and comments without an address are ignored."""
    return _ADDRESS.findall(value[:LONGEST_HEADER])
