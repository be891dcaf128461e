"""Lines that were meant as orders and cannot be read, told from talk by the slips in their words.

A *slip* is a letter left out, doubled, wrong, or swapped with the next one. A word of the game has three letters at
least; from eight letters on it may have two slips. The first letter must be right, or swapped with the second.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Literal

import msgspec

from domain.orders.folding import SHORTEST, fold
from domain.orders.house import COURTESY, SMALL_TALK, HouseWord
from domain.orders.lexicon import UnknownWord, Words, grammar, lexicon, words_of
from domain.orders.numbered import by_number
from domain.orders.order import Names, Orders
from domain.orders.reading import MOST_WORDS, REMARK, Tongue, begins_like_an_order, is_copied
from domain.words import Language

LONG = 8
"""Letters of a word that may have two slips."""
MOST_MENDED = 6
"""Lines that are made of one with slips."""
WRITTEN_WORD = re.compile(r"[^\W_]+")

Kind = Literal["order", "broken", "close", "talk", "courtesy"]
"""What a line of a letter is meant as. ``order``: it reads as one, be it a good one or not. ``broken``: an order with
slips, or without its verb. ``close``: near enough to an order to be one if it stands beside one. ``courtesy``: thanks,
a greeting, a remark, or nothing at all.
"""
Role = Literal["verb", "name", "number", "part", ""]
"""What a word is in the game. ``part``: a further word of a verb ("end turn"); "" for a word that is none of it."""


# ==== one line ====================================================================================
def kind_of(line: str, tongue: Tongue, people: frozenset[str] = frozenset()) -> Kind:
    """Classify a line of a letter. ``people``: the folded words of names at the table, which are no slips."""
    text = REMARK.sub("", line)
    known = _spelling(tongue)
    if by_number(text) is not None or is_copied(text) or begins_like_an_order(text, tongue):
        return "order"
    if all(word in known.courtesy or word in people for word in fold(text)):
        return "courtesy"
    words = tongue.grammar.plain(text)
    if len(words) > MOST_WORDS:
        return "talk"
    right = tuple(word for word in words if known.role(word))
    slips = known.slips(words, people)
    if slips is not None:
        if slips and any(begins_like_an_order(it, tongue) for it in _put_right(text, slips)):
            return "broken" if len(words) > 1 else "close"
        if _has_no_verb(right, known, tongue):
            return "broken"
    return "close" if len(right) > 1 and any(known.role(word) == "verb" for word in right) else "talk"


def stopping(kinds: Sequence[Kind]) -> list[int]:
    """Which lines of a mail stop all of it.

    A broken order stops it anywhere; one that is close, directly beside an order; talk, between two orders.
    """
    orders = [at for at, kind in enumerate(kinds) if kind == "order"]

    def stops(at: int, kind: Kind) -> bool:
        if kind in ("order", "courtesy") or not orders:
            return kind == "broken"
        beside = at - 1 in orders or at + 1 in orders
        return kind == "broken" or orders[0] < at < orders[-1] or (kind == "close" and beside)

    return [at for at, kind in enumerate(kinds) if stops(at, kind)]


def mended(line: str, tongue: Tongue, people: frozenset[str] = frozenset()) -> list[str]:
    """``line`` with its slips set right, in the ways that make an order of it, those first that can lose nothing."""
    text = REMARK.sub("", line)
    slips = _spelling(tongue).slips(tongue.grammar.plain(text), people)
    return [it for it in _put_right(text, slips) if begins_like_an_order(it, tongue)] if slips else []


def _put_right(text: str, slips: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for way in islice(product(*slips.values()), MOST_MENDED):
        right = dict(zip(slips, way, strict=True))
        yield WRITTEN_WORD.sub(lambda word: right.get("".join(fold(word[0])), word[0]), text).strip()  # noqa: B023


def _has_no_verb(right: Words, known: "_Spelling", tongue: Tongue) -> bool:
    """Whether two things of the game at least are named, and one of them is no number, but nothing is to be done."""
    roles = [known.role(word) for word in right]
    if "verb" in roles or "name" not in roles:
        return False
    things = tuple(word for word, role in zip(right, roles, strict=True) if role != "part")
    try:
        return len(set(tongue.lexicon.mentions(things, frozenset(), {}))) > 1
    except UnknownWord:  # the end of a name without its beginning
        return False


# ==== its words ===================================================================================
class _Spelling(msgspec.Struct, frozen=True, eq=False):
    """The words of a seat's game. ``roles``: of whole words; ``begun``: beginnings of the words of names.

    ``by_letter``: words of which others may be slips, by their first letter. ``loses``: words of verbs that can lose
    something. ``none``: words that are never slips; ``small``: those of them that verbs have besides ("no proxy").
    """

    roles: dict[str, Role]
    begun: frozenset[str]
    by_letter: dict[str, tuple[str, ...]]
    loses: frozenset[str]
    none: frozenset[str]
    small: frozenset[str]
    courtesy: frozenset[str]

    def role(self, word: str) -> Role:
        """What a word is that is spelled right."""
        if word in self.begun:
            return self.roles.get(word, "name")
        return "number" if word.isdigit() else self.roles.get(word, "")

    def slips(self, words: Words, people: frozenset[str]) -> dict[str, list[str]] | None:
        """The words with slips, and what each may be meant as; None if one is neither of the game nor a slip.

        The beginning of a name may be a slip, too: "trun" begins "trunk", and is "turn" with two letters swapped.
        """
        found: dict[str, list[str]] = {}
        for word in words:
            if word in self.roles or word.isdigit() or word in self.small:
                continue
            begins = self.role(word) != ""
            meant = [] if word in self.none or word in people else list(self._near(word))
            if not meant and not begins:
                return None
            meant.sort(key=lambda it: (it in self.loses, ORDER.index(self.roles[it])))
            if meant:
                found[word] = [*meant, word] if begins else meant
        return found

    def _near(self, word: str) -> Iterator[str]:
        if len(word) < SHORTEST:
            return
        for right in self.by_letter.get(word[0], ()):
            if within(word, right, allowed(right)):
                yield right
        if word[0] != word[1]:
            for right in self.by_letter.get(word[1], ()):
                if right[1] == word[0] and within(word[2:], right[2:], allowed(right) - 1):
                    yield right


ORDER: tuple[Role, ...] = ("verb", "name", "part", "number")
"""What a slip is rather meant as."""


def allowed(word: str) -> int:
    """How many slips a word of the game may have."""
    return 2 if len(word) >= LONG else 1


def within(word: str, right: str, slips: int) -> bool:
    """Whether ``word`` has at most so many slips from ``right``; as many comparisons as four to the power of them."""
    if abs(len(word) - len(right)) > slips:
        return False
    at = next((at for at, (a, b) in enumerate(zip(word, right, strict=False)) if a != b), min(len(word), len(right)))
    word, right = word[at:], right[at:]
    if not word or not right:
        return True
    if slips == 0:
        return False
    swapped = word[:2] == right[1::-1]
    return (
        within(word[1:], right[1:], slips - 1)
        or within(word[1:], right, slips - 1)
        or within(word, right[1:], slips - 1)
        or (swapped and within(word[2:], right[2:], slips - 1))
    )


def _spelling(tongue: Tongue) -> _Spelling:
    return _spelling_of(tongue.orders, tongue.orders.names(tongue.view), tongue.languages)


@lru_cache(maxsize=256)
def _spelling_of(orders: Orders, names: Names, languages: tuple[Language, ...]) -> _Spelling:
    rules, things = grammar(orders, languages), lexicon(orders, names, languages)
    courtesy = words_of(COURTESY, languages) | rules.filling | rules.polite
    none = rules.talk | courtesy
    patterns = [it for it in rules.patterns if not (isinstance(it.of, HouseWord) and it.of.id == SMALL_TALK)]
    roles: dict[str, Role] = dict.fromkeys(rules.numbers, "number")
    roles |= {word: "part" for it in patterns for word in (*it.head, *it.tail) if word not in none}
    roles |= dict.fromkeys(things.words, "name")
    roles |= {word: "verb" for it in patterns for word in (it.head or it.tail)[:1] if word not in none}
    by_letter: dict[str, list[str]] = {}
    for word in sorted(roles):
        if len(word) >= SHORTEST and not word.isdigit():
            by_letter.setdefault(word[0], []).append(word)
    return _Spelling(
        roles,
        frozenset(word[:end] for word in things.words for end in range(SHORTEST, len(word))),
        {letter: tuple(words) for letter, words in by_letter.items()},
        frozenset(word for it in patterns if it.of.whole for word in it.head),
        none,
        none.intersection(word for it in patterns for word in (*it.head, *it.tail)),
        courtesy,
    )
