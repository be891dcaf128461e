"""How much a mail may hold: counted on its bytes, in time linear in their number, before anything parses them."""

import re

LARGEST = 1_000_000
"""Bytes of a message."""
MOST_HEADERS = 200
"""Lines of a header, each with its folds, and of each part's."""
LONGEST_HEADER = 10_000
"""Bytes of a line of a header with its folds; a longer one is left out (a long list of recipients is no reason to
refuse), but for Content-Type, which parsers read on their way."""
MOST_PARTS = 100
DEEPEST = 20
"""Multiparts within each other, and messages within messages."""
MOST_TEXT = 256_000
"""Characters of text that are read, of each of the two forms, plain and HTML."""

MOST_LINES = 4_000
"""Lines of a part that hold something. A whole thread of letters has fewer."""

_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:", re.MULTILINE)
_CONTENT_TYPE = re.compile(rb"^content-type[ \t]*:.*(?:\n[ \t].*)*", re.MULTILINE | re.IGNORECASE)
_BOUNDARY = re.compile(rb"boundary(?:\*\d?\*?)?[ \t]*=[ \t]*(?:\"([^\"\n]{1,250})|([^\s;\"]{1,250}))", re.IGNORECASE)
_MESSAGE = re.compile(rb":\s*\"?message/", re.IGNORECASE)
_MARK = re.compile(rb"^--([^\n]{1,260})$", re.MULTILINE)


class TooMuch(ValueError):
    """A mail beyond the limits. Its text says which: large, headers, header, parts, deep."""


def normal(raw: bytes) -> bytes:
    """The message with LF at the end of its lines, without the envelope line of mailboxes and NUL bytes.

    A bare CR breaks a line of the body (old clients, careless gateways), but never one of the header: else a header
    that the MTA saw as one line, and so did not check, would become two.
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
"""Which old programs may write (RFC 5322, 4.5); to the parser it would be another header, and a multipart one text."""
_BLANK_IN_PART = re.compile(rb"^(content-(?:type|disposition|transfer-encoding))[ \t]+:", re.MULTILINE | re.IGNORECASE)
_NO_CONTROLS = bytes(32 if byte < 32 and byte not in b"\n\t" else byte for byte in range(256))


def check(message: bytes) -> None:
    """Refuse what is too much. ``message``: as ``normal`` gives it.

    :raises TooMuch: before anything was parsed
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
    """Follow the marks between parts; those that close nothing, or open what is open already, go no deeper."""
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
