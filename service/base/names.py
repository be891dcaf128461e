"""The rule for names of people, tables, sandboxes and tokens, shared by pages and the API.

Other people read a name in lists and mails. So all of it is visible, it has one reading direction, and it is no link.
"""

import re
import unicodedata
from typing import Literal

LONGEST_OF_PERSON = 40
LONGEST_OF_TABLE = 80
LONGEST_OF_TOKEN = 60

Why = Literal["length", "unseen", "address"]


class BadName(ValueError):
    """A name that is refused.

    ``why``: it is empty or too long, contains invisible characters, or contains a web address.
    """

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def cleaned(given: str, longest: int, *, mailed: bool = False) -> str:
    """Return ``given`` for storage, with single spaces between words. Raise `BadName`.

    ``mailed``: the name gets into mails, where programs turn everything that looks like an address into a link.
    """
    if has_unseen(given):
        raise BadName("unseen")
    name = " ".join(given.split())
    if not 0 < len(name) <= longest or not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise BadName("length")
    if mailed and has_address(name):
        raise BadName("address")
    return name


def cleaned_lines(given: str, longest: int, most: int) -> str:
    """Return a text of at most ``most`` lines for storage, without blank lines at its ends. Raise `BadName`."""
    lines = [" ".join(line.split()) for line in given.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if any(map(has_unseen, lines)):
        raise BadName("unseen")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    if not 0 < len(text) <= longest or text.count("\n") >= most:
        raise BadName("length")
    return text


# ==== invisible characters ========================================================================
_NO_SIGNS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Controls, formats (which change the direction, or join and part letters invisibly), and unassigned characters."""
_BLANK = frozenset(map(chr, (
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0x13441, 0x13442,
    0x1D159, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
)))  # fmt: skip
"""Letters, marks and symbols that show nothing: fillers, and variation selectors."""
_AS_EMOJI = frozenset("\ufe0e\ufe0f")


def has_unseen(text: str) -> bool:
    """Does ``text`` contain an invisible character? A selector after a symbol is visible: ☺ has two shapes."""
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
"""The character after which an address continues."""


def has_address(text: str) -> bool:
    """Could a mail program turn something in ``text`` into a link? "Dr. Who" is safe, "Dr.Who" is not."""
    return bool(_ADDRESS.search(unicodedata.normalize("NFKC", text)))


def without_addresses(name: str) -> str:
    """Return ``name`` with a space inside each address, for names older than the rule."""
    if not has_address(name):
        return name
    return _ADDRESS.sub(lambda found: f"{found[0]} ", unicodedata.normalize("NFKC", name))
