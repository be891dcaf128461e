"""The limits of a mail, counted on its bytes in linear time, before any parsing."""

import re

LARGEST = 1_000_000
"""Bytes of a message."""
MOST_HEADERS = 200
"""Lines of a header, each with its folds, and of each part's header."""
LONGEST_HEADER = 10_000
"""Bytes of a header line with its folds. A longer one is ignored (a long list of recipients is no reason to refuse),
except for Content-Type, which the parser always reads.
"""
MOST_PARTS = 100
DEEPEST = 20
"""Nested multiparts, and messages within messages."""
MOST_TEXT = 256_000
"""Characters of text that are read in each of the two forms, plain and HTML."""

MOST_LINES = 4_000
"""Lines of a part that are not empty. A whole thread of letters has fewer."""

_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:", re.MULTILINE)
_CONTENT_TYPE = re.compile(rb"^content-type[ \t]*:.*(?:\n[ \t].*)*", re.MULTILINE | re.IGNORECASE)
_BOUNDARY = re.compile(rb"boundary(?:\*\d?\*?)?[ \t]*=[ \t]*(?:\"([^\"\n]{1,250})|([^\s;\"]{1,250}))", re.IGNORECASE)
_MESSAGE = re.compile(rb":\s*\"?message/", re.IGNORECASE)
_MARK = re.compile(rb"^--([^\n]{1,260})$", re.MULTILINE)


class TooMuch(ValueError):
    """A mail beyond the limits. Its text says which: large, headers, header, parts, deep."""


def normal(raw: bytes) -> bytes:
    """Return the message with LF at line ends, without a mailbox's envelope line and NUL bytes.

    A bare CR breaks a line of the body (old mail programs, careless gateways), but never one of the header. Otherwise a
    header that the MTA saw as one line, and so did not check, would become two.
    """
    raw = raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    raw = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n")
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    header, blank, body = raw.partition(b"\n\n")
    header = _BLANK_BEFORE_COLON.sub(rb"\1:", header.translate(_NO_CONTROLS))
    body = body.replace(b"\r", b"\n").replace(b"\0", b"")
    return header + blank + _BLANK_IN_PART.sub(rb"\1:", body)


_BLANK_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
"""Old programs may write it (RFC 5322, 4.5). The parser would take it for another header, and a multipart for text."""
_BLANK_IN_PART = re.compile(rb"^(content-(?:type|disposition|transfer-encoding))[ \t]+:", re.MULTILINE | re.IGNORECASE)
_NO_CONTROLS = bytes(32 if byte < 32 and byte not in b"\n\t" else byte for byte in range(256))


def check(message: bytes) -> None:
    """Refuse a message beyond the limits. ``message``: from ``normal``.

    :raises TooMuch: before any parsing
    """
    if len(message) > LARGEST:
        raise TooMuch("large")
    _check_header(message.partition(b"\n\n")[0])
    types = [found.group() for found in _CONTENT_TYPE.finditer(message)]
    if any(len(one) > LONGEST_HEADER for one in types):
        raise TooMuch("header")
    if sum(1 for one in types if _MESSAGE.search(one[:100])) > DEEPEST:
        raise TooMuch("deep")
    _check_parts(message, {b"".join(found.groups(b"")).rstrip() for one in types for found in _BOUNDARY.finditer(one)})


def _check_header(header: bytes) -> None:
    if len(_FIELD.findall(header)) > MOST_HEADERS:
        raise TooMuch("headers")


def _check_parts(message: bytes, boundaries: set[bytes]) -> None:
    """Follow the boundaries between parts. A boundary that closes nothing, or opens an open part, goes no deeper."""
    open_now: list[bytes] = []
    parts = 0
    for found in _MARK.finditer(message):
        mark = found[1].rstrip()
        if mark in boundaries:
            parts += 1
            while mark in open_now and open_now[-1] != mark:
                open_now.pop()
            if mark not in open_now:
                open_now.append(mark)
        elif mark[:-2] in open_now:
            del open_now[open_now.index(mark[:-2]) :]
        if parts > MOST_PARTS:
            raise TooMuch("parts")
        if len(open_now) > DEEPEST:
            raise TooMuch("deep")
