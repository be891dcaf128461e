"""What the service says itself, on pages, in answers, feeds and calls. Its languages lie beside this file."""

from collections.abc import Sequence
from pathlib import Path

from domain.words import Words
from service.words.catalogues import spoken

OWN = Words({}, Path(__file__).parent)
N_ = str
"""Marks a text that stands in a table, to be said in a language later: the extractor looks for it by this name."""


BOTS = {"random": N_("random"), "hasty": N_("hasty"), "sensible": N_("sensible"), "patient": N_("patient")}
"""The bots that titles share by name (`domain.title.Title.bots`), as people read them."""


def kind_of_bot(bot: str, lang: str) -> str:
    """The kind of a bot, "sensible" or „vernünftig“; one that a title alone has is called by its id."""
    return said(BOTS[bot], lang) if bot in BOTS else bot


def name_of_bot(bot: str, seat: int, lang: str) -> str:
    """The name of a bot wherever it sits: "Bot 3 (sensible)"."""
    return said(N_("Bot {seat} ({kind})"), lang).format(seat=seat, kind=kind_of_bot(bot, lang))


def listed(words: Sequence[str], lang: str) -> str:
    """One or more words as a list: "Ann, Bob and Cleo"; "" for none."""
    return spoken(OWN, lang).joined(words) if words else ""


def amount(number: float, lang: str) -> str:
    """How many there are of something, as it is written in a language: "12,345", „12.345“, „0,1“."""
    return spoken(OWN, lang).amount(number)


def said(text: str, lang: str) -> str:
    """One of our own texts in a language, its facts not yet filled in."""
    return spoken(OWN, lang).texts.get(text, text)
