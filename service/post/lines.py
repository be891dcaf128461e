"""A line of a mail, and why it was cut."""

import re
import unicodedata

from msgspec import Struct

LONGEST = 500
"""Letters of a line that are looked at."""

_INVISIBLE = {"Cf", "Cc"}
_WORD = re.compile(r"[^\W_]+")


class TextLine(Struct, frozen=True):
    """A line as it stood in the mail.

    ``number``: where it stood, from 1, in the part it is from; ``depth``: how often it is quoted; ``cut``: why it is
    not what the writer wrote (``quote``, ``attribution``, ``header block``, ``forwarded``, ``signature``, ``footer``,
    ``banner``, ``remark``, ``ending``, ``below the ending``, ``below a courtesy``, ``our letter``), or nothing;
    ``indent``: blanks before it.
    """

    text: str
    number: int = 0
    depth: int = 0
    cut: str = ""
    indent: int = 0


def visible(text: str) -> str:
    """A line as it is seen: without signs that show nothing, with plain blanks, its accents composed."""
    if not text.isascii():
        text = "".join(
            " " if letter.isspace() else letter
            for letter in unicodedata.normalize("NFC", text)
            if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
        )
    return text.strip()


def words(text: str) -> list[str]:
    """The words of a text, folded, for comparing what was written twice: no marks, no case, no signs."""
    if not text.isascii():
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return _WORD.findall(text.casefold())
