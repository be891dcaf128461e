"""The lines of a mail, and the reasons why some are cut."""

import re
import unicodedata

from msgspec import Struct

LONGEST = 500
"""Characters of a line that are read."""

_INVISIBLE = {"Cf", "Cc"}
_IGNORED = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\ufe00-\ufe0f\uffa0"
_BLANK_LETTERS = re.compile(f"[{_IGNORED}]")
"""Invisible letters and marks (Default_Ignorable_Code_Point), whose categories do not show it."""
NOTHING_SEEN = re.compile(rf"[{_IGNORED}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
"""These, and the marks of direction and of possible line breaks."""
_TURNED = re.compile("\u202e([^\u202c]*+)\u202c?")
"""Shown from right to left (UAX 9, 2.2): after this character, 21 appears as 12."""
_STRUCK_OUT = re.compile("[^\u0335-\u0338][\u0335-\u0338]++")
"""A letter under a stroke or a slash, by which people strike out in plain text."""
_WORD = re.compile(r"[^\W_]+")


class TextLine(Struct, frozen=True):
    """A line as it stood in the mail.

    ``number``: its place, from 1, in its part; ``depth``: its level of quotation; ``cut``: the reason why it is not the
    writer's (``quote``, ``attribution``, ``header block``, ``forwarded``, ``signature``, ``footer``, ``banner``,
    ``remark``, ``ending``, ``below the ending``, ``below a courtesy``, ``our letter``), or nothing; ``indent``: the
    spaces before it.
    """

    text: str
    number: int = 0
    depth: int = 0
    cut: str = ""
    indent: int = 0


def visible(text: str) -> str:
    """Return a line as a reader sees it.

    Invisible and struck-out characters are removed, white space becomes spaces, accents are composed, and reversed text
    is in its visible order.
    """
    if not text.isascii():
        text = _TURNED.sub(lambda found: found[1][::-1], _BLANK_LETTERS.sub("", _STRUCK_OUT.sub("", text)))
        text = unicodedata.normalize("NFC", text)
        if not text.isprintable():  # nothing printable is invisible, and no white space but the space is printable
            text = "".join(
                " " if letter.isspace() else letter
                for letter in text
                if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
            )
    return text.strip()


def words(text: str) -> list[str]:
    """Return the words of a text for comparisons: without marks, case and punctuation."""
    if not text.isascii():
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return _WORD.findall(text.casefold())
