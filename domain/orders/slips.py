"""Lines that were meant as orders and cannot be read. The slips in their words distinguish them from talk."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from operator import itemgetter
from typing import Literal

from domain.orders.fitting import fit
from domain.orders.folding import fold
from domain.orders.lexicon import UnknownWord, Words
from domain.orders.numbered import by_number
from domain.orders.order import Option
from domain.orders.reading import (
    MOST_WORDS,
    Tongue,
    bare,
    begins_like_an_order,
    is_copied,
    is_of_the_title,
)
from domain.orders.spelling import WRITTEN_WORD, Spelling

MOST_MENDED = 6
"""The most readings offered for a line with slips."""

Kind = Literal["order", "broken", "close", "talk", "courtesy"]
"""The intention of a line in a letter. ``order``: it reads as one, good or not. ``broken``: an order with slips, or
without its verb. ``close``: near enough to an order to be one if it stands beside one. ``courtesy``: thanks, a
greeting, a remark, or nothing at all.
"""


# ==== one line ====================================================================================
def kind_of(line: str, tongue: Tongue, people: frozenset[str] = frozenset()) -> Kind:
    """Classify a line of a letter. ``people``: the folded words of names at the table, which are no slips."""
    text = bare(line)
    known = tongue.spelling
    if by_number(text, tongue.grammar) is not None or is_copied(text):
        return "order"
    if begins_like_an_order(text, tongue):
        return "broken" if _names_with_slips(text, tongue, people) else "order"
    if all(word in known.courtesy or word in people for word in fold(text)):
        return "courtesy"
    words = tongue.grammar.plain(text)
    if len(words) > MOST_WORDS:
        return "talk"
    right = tuple(word for word in words if known.role(word))
    slips = known.slips(words, people)
    if slips is not None:
        if slips and any(begins_like_an_order(it, tongue) for it in _put_right(text, slips, tongue)):
            return "broken" if len(words) > 1 else "close"
        if _has_no_verb(right, known, tongue):
            return "broken"
        if len(words) == len(right) == 1:
            return "close" if begins_like_an_order(words[0], tongue) else "talk"  # "Zu beenden"
    return "close" if len(right) > 1 and any(known.role(word) == "verb" for word in right) else "talk"


def stopping(kinds: Sequence[Kind]) -> list[int]:
    """Return the lines of a mail that stop all of it.

    A broken order stops it anywhere; a close one stops it directly beside an order; talk stops it between two orders.
    """
    orders = [at for at, kind in enumerate(kinds) if kind == "order"]

    def stops(at: int, kind: Kind) -> bool:
        if kind in ("order", "courtesy") or not orders:
            return kind == "broken"
        beside = at - 1 in orders or at + 1 in orders
        return kind == "broken" or orders[0] < at < orders[-1] or (kind == "close" and beside)

    return [at for at, kind in enumerate(kinds) if stops(at, kind)]


def mended(line: str, tongue: Tongue, people: frozenset[str] = frozenset()) -> list[str]:
    """Return the corrections of ``line`` that make an order of it; first those that cannot lose anything."""
    text = bare(line)
    slips = tongue.spelling.slips(tongue.grammar.plain(text), people)
    return [it for it in _put_right(text, slips, tongue) if begins_like_an_order(it, tongue)] if slips else []


def naming(line: str, options: Sequence[Option], tongue: Tongue) -> list[Option]:
    """Return the legal actions with everything that a line without a verb names; first those with the fewest other
    things.

    None of them can lose anything, because the line did not ask for that.
    """
    words = tongue.grammar.plain(bare(line))
    named = tongue.lexicon.has  # also if it begins a verb: "Zielkarten ziehen"
    things = tuple(word for word in words if named(word) or tongue.spelling.role(word) in ("name", "number"))
    try:
        mentions = tongue.lexicon.mentions(things, frozenset(), tongue.orders.alike)
    except UnknownWord:
        return []
    fitting = [(fits.untold, it) for it in options if (fits := fit(it.order, mentions)) is not None]
    return [it for _, it in sorted(fitting, key=itemgetter(0)) if not isinstance(it.command, tongue.orders.losing)]


def _put_right(text: str, slips: Mapping[str, Sequence[str]], tongue: Tongue) -> Iterator[str]:
    written = tongue.spelling.written
    for way in islice(product(*slips.values()), MOST_MENDED):
        right = {wrong: written.get(it, it) for wrong, it in zip(slips, way, strict=True)}
        yield WRITTEN_WORD.sub(lambda word: right.get("".join(fold(word[0])), word[0]), text).strip()  # noqa: B023


def _names_with_slips(text: str, tongue: Tongue, people: frozenset[str]) -> bool:
    """Is a name misspelled beside a right verb? Then the line is broken wherever it stands."""
    if not is_of_the_title(text, tongue):
        return False
    known = tongue.spelling
    slips = known.slips(tongue.grammar.plain(text), people)
    return bool(slips) and any(not known.role(word) for word in slips or ())


def _has_no_verb(right: Words, known: Spelling, tongue: Tongue) -> bool:
    """Does the line name at least two things of the game, one of them no number, without a verb?"""
    roles = [known.role(word) for word in right]
    if "verb" in roles or "name" not in roles:
        return False
    things = tuple(word for word, role in zip(right, roles, strict=True) if role != "part")
    try:
        return len(tongue.lexicon.mentions(things, frozenset(), {})) > 1
    except UnknownWord:  # the end of a name without its beginning
        return False
