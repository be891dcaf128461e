"""A strict parser of mails: all objections of a strict receiver, from the bytes alone.

It knows the grammar of each header that programs read (RFC 5322, 2369, 2919, 3834, 8058). So it finds errors that a
lenient parser repairs silently, such as an address in an encoded word.
"""

import re
from email import message_from_string
from email.errors import NonASCIILocalPartDefect
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from functools import lru_cache

ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+"
ID = rf"<{ATOM}@[A-Za-z0-9.-]+>"
ADDRESS = r"https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+"
GRAMMAR = {
    "Message-ID": ID,
    "References": rf"{ID}( {ID})*",
    "In-Reply-To": ID,
    "Reply-To": rf"{ATOM}@[A-Za-z0-9.-]+",
    "List-Id": r"<[A-Za-z0-9.-]+>",
    "List-Unsubscribe": rf"<(mailto:{ATOM}@[A-Za-z0-9.-]+|{ADDRESS})>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "Content-Language": "[a-z]{2,8}(-[A-Za-z0-9]{1,8})*",
    "Auto-Submitted": "auto-(generated|replied)",
    "X-Auto-Response-Suppress": "[A-Za-z]+(, [A-Za-z]+)*",
    "Feedback-ID": "([A-Za-z0-9_-]*:){1,3}[A-Za-z0-9_-]{5,15}",
    "MIME-Version": r"1\.0",
    "Content-Type": r'multipart/[a-z]+; boundary="[^"]{1,70}"',
}
READ_BY_PEOPLE = {"From", "To", "Subject", "Date"}
STRICT = default.clone(raise_on_defect=True, header_factory=lru_cache(HeaderRegistry()))
"""A message parses a header each time that somebody looks at it, and that takes longer than all else."""


def read_strictly(source: bytes) -> EmailMessage:
    """Parse a mail. An ``AssertionError`` or a defect (RFC 5322, 2045, 2046) names the error."""
    head, blank, _ = source.partition(b"\r\n\r\n")
    assert blank, "no blank line ends the headers"
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", source), "a line does not end with CRLF"
    assert max(map(len, source.split(b"\r\n"))) <= 998, "a line is longer than RFC 5322 allows"
    names = []
    for line in re.split(rb"\r\n(?![ \t])", head):
        name, colon, value = line.decode().partition(": ")
        assert colon, f"no header: {line!r}"
        names.append(name)
        _check(name, value)
    assert len(set(names)) == len(names), "a header stands twice"
    assert {"From", "To", "Date", "Message-ID", "Subject", "MIME-Version", "Content-Type"} <= set(names)
    mail = message_from_string(source.decode(), policy=STRICT)  # RFC 6532: headers may be UTF-8
    assert isinstance(mail, EmailMessage)
    for part in mail.walk():
        assert not part.defects
        found = [defect for value in part.values() for defect in value.defects]
        assert [it for it in found if not isinstance(it, NonASCIILocalPartDefect)] == []  # allowed by RFC 6532
        assert part.is_multipart() or part.get_content() is not None
    return mail


def _check(name: str, value: str) -> None:
    if name in READ_BY_PEOPLE:
        assert name in ("Subject", "From") or "=?" not in value, f"{name} is encoded: {value}"
        assert name == "To" or value.isascii(), f"{name}: {value}"
        if name == "Date":
            assert parsedate_to_datetime(value).tzinfo is not None
        return
    assert re.fullmatch(GRAMMAR[name], value), f"{name}: {value}"
