"""A line as plain words: case, marks, punctuation and the ways of typing a letter do not count."""

import re
import unicodedata
from functools import lru_cache

TYPED = str.maketrans({"ß": "ss", "ẞ": "ss", "œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o"})
"""Letters that have no mark to take away, as they are typed without them."""
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
ENDINGS = ("em", "en", "er", "es", "e", "n", "s")
"""Of words that bend, the longest first."""
SHORTEST = 3
"""Letters that the beginning of a word must have, and a word that has lost its ending."""
THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
BELOW_ZERO = re.compile(r"(?<!\S)[-−](?=[$€]?\d)")
BETWEEN_WORDS = re.compile(r"[\W_]+")


@lru_cache(maxsize=512)  # a line is looked at in many ways
def fold(text: str) -> tuple[str, ...]:
    """The words of ``text``: letters without marks and digits, in small letters. "1,000" is one of them, "-5" two.

    A number that is no digit stands alone: "5²" is two words, never 52.
    """
    if not text.isascii():
        text = "".join(f" {it} " if unicodedata.category(it) == "No" else it for it in text)
    plain = unicodedata.normalize("NFKD", THOUSANDS.sub("", BELOW_ZERO.sub("minus ", text.translate(TYPED))))
    bare = "".join(each for each in plain if not unicodedata.combining(each)).casefold().translate(TYPED)
    return tuple(BETWEEN_WORDS.sub(" ", bare).split())


def spellings(text: str) -> set[tuple[str, ...]]:
    """The ways to fold ``text``: "ä" is written "a" or "ae"; what stands in ( ) may be missing."""
    composed = unicodedata.normalize("NFC", text)
    shorter = re.sub(r"\([^()]*\)", " ", composed)
    both = {composed, shorter} if fold(shorter) else {composed}
    return {fold(each) for it in both for each in (it, it.translate(SPELLED_OUT))}


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """``word`` without its ending: "gedeckten" and "gedeckter" are one."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST and not word.isdecimal():
            return word.removesuffix(ending)
    return word


def alternatives(text: str) -> list[str]:
    """``text`` cut at its bars: "move | go" is ["move", "go"]."""
    return [each.strip() for each in text.split("|")]
