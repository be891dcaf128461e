"""A line as plain words, ignoring case, marks, punctuation and different spellings of a letter."""

import re
import unicodedata
from functools import lru_cache

TYPED = str.maketrans({"ß": "ss", "ẞ": "ss", "œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o"})
"""The usual transcription of letters that have no mark to remove."""
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
ENDINGS = ("em", "en", "er", "es", "e", "n", "s")
"""Endings of inflected words, the longest first."""
SHORTEST = 3
"""The least number of letters in the beginning of a word, and in a word without its ending."""
THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
BELOW_ZERO = re.compile(r"(?<!\S)[-−](?=[$€]?\d)")
BETWEEN_WORDS = re.compile(r"[\W_]+")


@lru_cache(maxsize=512)  # each line is folded several times
def fold(text: str) -> tuple[str, ...]:
    """Return the words of ``text``: digits, and letters without marks, in small letters. "1,000" is one word, "-5" two.

    A number sign that is no digit stands alone: "5²" is two words, never 52.
    """
    if not text.isascii():
        text = "".join(f" {it} " if unicodedata.category(it) == "No" else it for it in text)
    plain = unicodedata.normalize("NFKD", THOUSANDS.sub("", BELOW_ZERO.sub("minus ", text.translate(TYPED))))
    bare = "".join(each for each in plain if not unicodedata.combining(each)).casefold().translate(TYPED)
    return tuple(BETWEEN_WORDS.sub(" ", bare).split())


def spellings(text: str) -> set[tuple[str, ...]]:
    """Return the ways to fold ``text``: "ä" is written "a" or "ae"; text in ( ) may be missing."""
    composed = unicodedata.normalize("NFC", text)
    shorter = re.sub(r"\([^()]*\)", " ", composed)
    both = {composed, shorter} if fold(shorter) else {composed}
    return {fold(each) for it in both for each in (it, it.translate(SPELLED_OUT))}


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return ``word`` without its ending: "gedeckten" and "gedeckter" give the same."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST and not word.isdecimal():
            return word.removesuffix(ending)
    return word


def alternatives(text: str) -> list[str]:
    """Cut ``text`` at its bars: "move | go" gives ["move", "go"]."""
    return [each.strip() for each in text.split("|")]
