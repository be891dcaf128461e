"""The phrases that mail programs write around people's text: patterns made from ``phrases.txt``."""

import re
from collections.abc import Iterable
from pathlib import Path


def _sections() -> dict[str, tuple[str, ...]]:
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    found = re.findall(r"^\[([a-z ]+)\].*\n((?:[^\[\n].*\n)+)", text, re.MULTILINE)
    return {name: tuple(" ".join(lines.split("\n")).strip().split(" / ")) for name, lines in found}


PHRASES = _sections()


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for any of some phrases, longest first. A space matches any white space."""
    longest_first = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest_first) + ")"


def pattern(before: str, section: str, after: str = "") -> re.Pattern[str]:
    """Return a pattern for any phrase of a section that contains phrases."""
    return re.compile(f"{before}{any_of(PHRASES[section])}{after}", re.IGNORECASE)


def patterns(before: str, section: str) -> re.Pattern[str]:
    """Return a pattern for any entry of a section that contains patterns."""
    return re.compile(f"{before}(?:{'|'.join(PHRASES[section])})", re.IGNORECASE)
