"""What the service says itself, on pages, in answers, feeds and calls. Its languages lie beside this file."""

from collections.abc import Sequence
from pathlib import Path

from domain.words import Words
from service.words.catalogues import spoken

OWN = Words({}, Path(__file__).parent)
N_ = str
"""Marks a text that stands in a table, to be said in a language later: the extractor looks for it by this name."""


def listed(words: Sequence[str], lang: str) -> str:
    """One or more words as a list: "Ann, Bob and Cleo"; "" for none."""
    return spoken(OWN, lang).joined(words) if words else ""


def amount(number: float, lang: str) -> str:
    """How many there are of something, as it is written in a language: "12,345", „12.345“, „0,1“."""
    return spoken(OWN, lang).amount(number)


def said(text: str, lang: str) -> str:
    """One of our own texts in a language, its facts not yet filled in."""
    return spoken(OWN, lang).texts.get(text, text)
