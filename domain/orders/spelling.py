"""The words of a seat's game, and the words that are slips of them.

A *slip* is a letter left out, doubled, wrong, or swapped with the next one. A word of the game has at least three
letters; from eight letters on it may have two slips. The first letter must be right, or swapped with the second.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from domain.orders.folding import SHORTEST, spellings
from domain.orders.house import COURTESY, HOUSE_WORDS, HouseWord
from domain.orders.lexicon import Words, grammar, lexicon, said, words_of
from domain.orders.order import Names, Orders
from domain.orders.writing import called
from domain.words import Language

WRITTEN_WORD = re.compile(r"[^\W_]+")
LONG = 8
"""The number of letters from which a word may have two slips."""

Role = Literal["verb", "name", "number", "part", ""]
"""The role of a word in the game. ``part``: a further word of a verb ("end turn"); "" for a word that is not the
game's.
"""


class Spelling(msgspec.Struct, frozen=True, eq=False):
    """The words of a seat's game. ``roles``: whole word -> its role.

    ``things``: each name with its thing, as (kind, id); ``begun``: the beginnings of names. ``by_letter``: first letter
    -> the correct words to which a slip may be corrected. ``loses``: words of verbs that can lose something. ``none``:
    words that are never slips; ``small``: words of an order that are not the game's ("no proxy", "I'll bid 12").
    ``written``: word -> the word with its marks and capitals.
    """

    roles: dict[str, Role]
    things: tuple[tuple[Words, tuple[str, str]], ...]
    begun: frozenset[str]
    by_letter: dict[str, tuple[str, ...]]
    loses: frozenset[str]
    none: frozenset[str]
    small: frozenset[str]
    courtesy: frozenset[str]
    written: dict[str, str]

    def role(self, word: str) -> Role:
        """Return the role of a correctly spelled word."""
        return self.roles.get(word) or ("name" if word in self.begun else "number" if word.isdecimal() else "")

    def is_doubtful(self, word: str) -> bool:
        """Does the word begin a name, and is it a slip of another: "blac" may be "black", or "blau"?"""
        if word in self.roles or word not in self.begun:
            return False
        begun = {thing for name, thing in self.things if name[0].startswith(word)}
        near = set(self._near(word))
        return any(name[1:] == () and name[0] in near and thing not in begun for name, thing in self.things)

    def slips(self, words: Words, people: frozenset[str]) -> dict[str, list[str]] | None:
        """Return the words with slips, each with its possible meanings; None if a word is neither of the game nor a
        slip.

        The beginning of a name may be a slip, too: "trun" begins "trunk", and is "turn" with two letters swapped.
        """
        found: dict[str, list[str]] = {}
        for word in words:
            if word in self.roles or word.isdecimal() or word in self.small:
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
        if len(word) < SHORTEST - 1:
            return
        for right in self.by_letter.get(word[0], ()):
            if within(word, right, allowed(right)):
                yield right
        if word[0] != word[1]:
            for right in self.by_letter.get(word[1], ()):
                if right[1] == word[0] and within(word[2:], right[2:], allowed(right) - 1):
                    yield right


ORDER: tuple[Role, ...] = ("verb", "name", "part", "number")
"""The preferred meanings of a slip, the first one most."""


def allowed(word: str) -> int:
    """Return how many slips a word of the game may have."""
    return 2 if len(word) >= LONG else 1


def within(word: str, right: str, slips: int) -> bool:
    """Is ``word`` at most this number of slips away from ``right``? It takes up to four to this power comparisons."""
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


@lru_cache(maxsize=256)
def spelling(orders: Orders, names: Names, languages: tuple[Language, ...]) -> Spelling:
    rules, things = grammar(orders, languages), lexicon(orders, names, languages)
    courtesy = words_of(COURTESY, languages) | rules.filling | rules.polite
    none = rules.talk | courtesy
    patterns = [
        it for it in rules.patterns if not (isinstance(it.of, HouseWord) and it.of.asks in ("talk", "alone", "aloud"))
    ]
    roles: dict[str, Role] = dict.fromkeys(rules.numbers, "number")
    roles |= {word: "part" for it in patterns for word in (*it.head, *it.tail) if word not in none}
    roles |= dict.fromkeys(things.words, "name")
    roles |= {word: "verb" for it in patterns for word in (it.head or it.tail)[:1] if word not in none}
    by_letter: dict[str, list[str]] = {}
    for word in sorted(roles):
        if len(word) >= SHORTEST and not word.isdecimal():
            by_letter.setdefault(word[0], []).append(word)
    return Spelling(
        roles,
        tuple((name, (kind, it)) for name, kind, it in things.spelled),
        frozenset(word[:end] for word in things.words for end in range(SHORTEST, len(word))),
        {letter: tuple(words) for letter, words in by_letter.items()},
        frozenset(word for it in patterns if it.of.whole for word in it.head),
        none,
        none.intersection(word for it in patterns for word in (*it.head, *it.tail))
        | {word for preface in rules.prefaces for word in preface}
        | rules.myself
        | rules.assent,
        courtesy,
        _written(orders, names, languages),
    )


def _written(orders: Orders, names: Names, languages: Sequence[Language]) -> dict[str, str]:
    verbs = [text for verb in orders.verbs for text in said(verb.words, languages)]
    of_house = [text for verb in HOUSE_WORDS for text in said(verb.words, languages)]
    things = [
        text
        for ids in names.kinds.values()
        for it, sentences in ids.items()
        for language in languages
        for text in called(it, sentences, language)
    ]
    words = [word for text in (*things, *verbs, *of_house) for word in WRITTEN_WORD.findall(text)]
    return {" ".join(spelled): word for word in reversed(words) for spelled in spellings(word)}
