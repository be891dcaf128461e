"""The search in the numbered rules, by number and by words."""

import re
from collections.abc import Sequence

from domain.orders.folding import fold
from service.web.pages.rules.catalogue import ReadPart

LONGEST = 100
"""Characters of a search."""
_ASKED = re.compile(r"[^\s\d]+|[\d.]+")


def found(parts: Sequence[ReadPart], asked: str) -> list[ReadPart]:
    """Return the parts that contain every word and number of ``asked``, first the rule with this number."""
    sought = [each for each in map(_phrase, _ASKED.findall(asked)) if each.strip()]
    hits = [part for part in parts if sought and all(each in part.words for each in sought)]
    return sorted(hits, key=lambda part: fold(asked) not in (fold(part.key), fold(part.key)[1:]))


def _phrase(asked: str) -> str:
    """Return what to look for: a number as it stands alone, a word also inside of longer ones."""
    plain = " ".join(fold(asked))
    return f" {plain} " if asked[0].isdigit() else plain
