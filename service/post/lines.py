"""A line of a mail, and why it was cut."""

import re
import unicodedata

from msgspec import Struct

LONGEST = 500
"""Letters of a line that are looked at."""

_INVISIBLE = {"Cf", "Cc"}
_IGNORED = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\ufe00-\ufe0f\uffa0"
_BLANK_LETTERS = re.compile(f"[{_IGNORED}]")
"""Letters and marks that show nothing (Default_Ignorable_Code_Point), though their categories do not say so."""
NOTHING_SEEN = re.compile(rf"[{_IGNORED}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
"""These, and the signs of direction and of places to break a line."""
_TURNED = re.compile("\u202e([^\u202c]*+)\u202c?")
"""Shown from right to left, whatever it is (UAX 9, 2.2): behind this sign, 21 is seen as 12."""
_STRUCK_OUT = re.compile("[^\u0335-\u0338][\u0335-\u0338]++")
"""A letter under a stroke or a slash, by which people strike out where they have no other way."""
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
    """A line as it is seen: without signs that show nothing and what is struck out, with plain blanks, its accents
    composed, and what is turned around as it is shown."""
    if not text.isascii():
        text = _TURNED.sub(lambda found: found[1][::-1], _BLANK_LETTERS.sub("", _STRUCK_OUT.sub("", text)))
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
