"""The service's own texts, on pages, in answers, feeds and calls. Their translations lie beside this file."""

from collections.abc import Sequence
from pathlib import Path

from domain.words import Words
from service.words.catalogues import spoken

WORDS = Words({}, Path(__file__).parent)
N_ = str
"""Marks a text in a table for later translation; the extractor looks for this name."""


BOTS = {"random": N_("random"), "hasty": N_("hasty"), "sensible": N_("sensible"), "patient": N_("patient")}
"""The bots that titles share by name (`domain.title.Title.bots`), as people read them."""


def kind_of_bot(bot: str, lang: str) -> str:
    """Return the name of a kind of bot, "sensible" or „vernünftig“; the id for a bot of one title alone."""
    return said(BOTS[bot], lang) if bot in BOTS else bot


def name_of_bot(bot: str, seat: int, lang: str) -> str:
    """Return the name of a bot at its seat: "Bot 3 (sensible)"."""
    return said(N_("Bot {seat} ({kind})"), lang).format(seat=seat, kind=kind_of_bot(bot, lang))


def listed(words: Sequence[str], lang: str) -> str:
    """Return words as a list: "Ann, Bob and Cleo"; "" for none."""
    return spoken(WORDS, lang).joined(words) if words else ""


def amount(number: float, lang: str) -> str:
    """Return a number as a language writes it: "12,345", „12.345“, „0,1“."""
    return spoken(WORDS, lang).amount(number)


def said(text: str, lang: str) -> str:
    """Return one of our texts in a language, with its facts not yet filled in."""
    return spoken(WORDS, lang).texts.get(text, text)
