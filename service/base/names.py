"""What people call themselves, their tables, sandboxes and tokens: one rule for pages and API.

A name is read by others, in lists and in mails. So it shows all it holds, reads in one direction, and leads nowhere.
"""

import re
import unicodedata
from typing import Literal

LONGEST_OF_PERSON = 40
LONGEST_OF_TABLE = 80
LONGEST_OF_TOKEN = 60

Why = Literal["length", "unseen", "address"]


class BadName(ValueError):
    """This is no name. ``why``: it is empty or too long; it holds what cannot be seen; it holds a web address."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def cleaned(given: str, longest: int, *, mailed: bool = False) -> str:
    """A name as it is kept: ``given`` with single blanks between its words. Raises `BadName`.

    ``mailed``: it reaches mails, whose readers' programs make a link of whatever looks like one.
    """
    if has_unseen(given):
        raise BadName("unseen")
    name = " ".join(given.split())
    if not 0 < len(name) <= longest or not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise BadName("length")
    if mailed and has_address(name):
        raise BadName("address")
    return name


# ==== what cannot be seen =========================================================================
_NO_SIGNS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Controls, formats (which turn the line about, or join and part letters unseen), and what no sign is assigned to."""
_BLANK = frozenset(map(chr, (
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0x13441, 0x13442,
    0x1D159, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
)))  # fmt: skip
"""Letters, marks and symbols that show nothing: fillers, and selectors of another shape of the sign before them."""
_AS_EMOJI = frozenset("\ufe0e\ufe0f")


def has_unseen(text: str) -> bool:
    """Whether ``text`` holds something that cannot be seen. After a symbol a selector is seen: ☺ has two shapes."""
    before = ""
    for sign in text:
        if unicodedata.category(sign) in _NO_SIGNS:
            return True
        if sign in _BLANK and not (sign in _AS_EMOJI and before and unicodedata.category(before) == "So"):
            return True
        before = sign
    return False


# ==== web addresses ===============================================================================
_ADDRESS = re.compile(
    r"(?<=[^\s!-/:-@\[-`{-~])[.\u3002](?=[^\W\d_][^\s.])"  # evil.example, but neither J.R.R. nor 2.0
    r"|(?<=\w):(?=//)|(?<=\bwww)\.(?=\S)|(?<=\bmailto):(?=\S)",
    re.IGNORECASE,
)
"""The sign after which an address goes on."""


def has_address(text: str) -> bool:
    """Whether a mail program may make a link of something in ``text``. "Dr. Who" is none, "Dr.Who" may be one."""
    return bool(_ADDRESS.search(unicodedata.normalize("NFKC", text)))


def without_addresses(name: str) -> str:
    """``name`` with a blank wherever an address would go on, for names from before there was a rule."""
    if not has_address(name):
        return name
    return _ADDRESS.sub(lambda found: f"{found[0]} ", unicodedata.normalize("NFKC", name))
