"""The words of all languages together: verbs, small words and names; and splitting a line into the things it names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

import msgspec

from domain.orders.folding import SHORTEST, alternatives, fold, spellings, stem
from domain.orders.house import (
    ASSENT,
    FILLING,
    HOUSE_WORDS,
    NUMBERED,
    NUMBERS,
    OTHER_WAYS,
    PARTICLES,
    POINTING,
    POLITE,
    PREFACE,
    SHORT,
    TALK,
    THEN,
    HouseWord,
)
from domain.orders.order import NUMBER, Names, Orders, Verb
from domain.orders.writing import called
from domain.words import Language, Sentence

Words = tuple[str, ...]
GAP = "…"
"""In a verb: the place of the things."""


class Pattern(NamedTuple):
    """The form of a verb in a line: ``head`` before the things, ``tail`` after them. ``whole``: with filling words."""

    head: Words
    tail: Words
    of: Verb | HouseWord
    whole: frozenset[str] = frozenset()


class Grammar(msgspec.Struct, frozen=True, eq=False):
    """The words by which every line of a title is read. ``numbers``: word -> digits; ``short``: abbreviation -> the
    word.

    ``assent``: words before an order of several words; ``prefaces``: possible beginnings before an order, the longest
    first; ``myself``: the words for "I"; ``pointing``: words without meaning at the end of a line; ``numbered``: words
    before a number of a line; ``ways``: words after a number of ways; ``then``: words between two orders. ``ends``:
    words, at least one of which is in every line with a verb -> the places of those verbs among ``patterns``; ``last``:
    the last words of whole verbs.
    """

    filling: frozenset[str]
    particles: frozenset[str]
    polite: frozenset[str]
    talk: frozenset[str]
    assent: frozenset[str]
    prefaces: tuple[Words, ...]
    myself: frozenset[str]
    pointing: tuple[Words, ...]
    numbered: frozenset[str]
    ways: tuple[Words, ...]
    then: tuple[Words, ...]
    numbers: dict[str, str]
    short: dict[str, str]
    patterns: tuple[Pattern, ...]
    ends: dict[str, tuple[int, ...]]
    last: frozenset[str]

    def plain_name(self, words: Words) -> Words:
        """Return the words of a name as lines are searched for it: without filling words, if others are left."""
        whole = tuple(self.short.get(word, word) for word in words)
        return tuple(word for word in whole if word not in self.filling) or whole

    def plain(self, text: str) -> Words:
        """Return the words of ``text`` without filling words, but with a particle at its end."""
        words = [self.short.get(word, word) for word in fold(text)]
        return tuple(
            word
            for at, word in enumerate(words, 1)
            if word not in self.filling or (at == len(words) and word in self.particles)
        )

    def near(self, words: Iterable[str]) -> list[Pattern]:
        """Return the verbs that a line with these words may have, in their order; most lines have words of only few
        verbs.
        """
        return [self.patterns[at] for at in sorted({at for word in words for at in self.ends.get(word, ())})]

    def read_as(self, word: str) -> Words:
        """Return the words for which ``word`` of a line stands."""
        return tuple(self.short.get(it, it) for it in fold(word))

    def named(self, words: Words) -> Words:
        """Return the words after a verb, without final words that only point at the things before them."""
        points = next((it for it in self.pointing if len(words) > len(it) and words[-len(it) :] == it), ())
        return words[: len(words) - len(points)]


def _texts(text: Sentence, languages: Sequence[Language]) -> Iterable[str]:
    """A text in English and in all languages."""
    return dict.fromkeys((text.template, *(it.texts.get(text.template, text.template) for it in languages)))


def said(text: Sentence, languages: Sequence[Language]) -> Iterator[str]:
    """Return the alternatives between the bars of a text, in all languages."""
    for template in _texts(text, languages):
        yield from alternatives(template)


def _phrases(text: Sentence, languages: Sequence[Language]) -> tuple[Words, ...]:
    """Return the same as words, in every spelling, the longest first."""
    found = dict.fromkeys(each for one in said(text, languages) for each in spellings(one))
    return tuple(sorted(found, key=lambda it: (-len(it), it)))


@lru_cache(maxsize=64)
def grammar(orders: Orders, languages: tuple[Language, ...]) -> Grammar:
    """Return the grammar of a title, in all these languages at once, and in English."""
    small = (words_of(text, languages) for text in (FILLING, PARTICLES, POLITE, TALK, ASSENT))
    filling, particles, polite, talk, assent = small
    rows = [(*fold(text),) for text in said(NUMBERS, languages)]
    shorts = [fold(text) for text in said(SHORT, languages)]
    found: dict[Pattern, None] = {}
    verbs: list[Verb | HouseWord] = [*orders.verbs, *HOUSE_WORDS]
    for verb in verbs:
        for text in said(verb.words, languages):
            found |= dict.fromkeys(_patterns(text, verb, filling))
    ends: dict[str, list[int]] = {}
    for at, it in enumerate(found):
        ends.setdefault((it.head or it.tail)[0], []).append(at)
    return Grammar(
        filling,
        particles,
        polite,
        talk,
        assent,
        _phrases(PREFACE, languages),
        frozenset(word for said in _texts(PREFACE, languages) for word in fold(alternatives(said)[0])),
        _phrases(POINTING, languages),
        words_of(NUMBERED, languages),
        _phrases(OTHER_WAYS, languages),
        _phrases(THEN, languages),
        {word: row[0] for row in rows for word in row[1:]},
        {word: row[0] for row in shorts for word in row[1:]},
        tuple(found),
        {word: tuple(places) for word, places in ends.items()},
        frozenset(
            each[-1]
            for verb in verbs
            if not stands_alone(verb)  # the last word of "pictures on" ends talk, too
            for text in said(verb.words, languages)
            for each in spellings(text)
        ),
    )


def words_of(text: Sentence, languages: Sequence[Language]) -> frozenset[str]:
    """Return the words of a text, in every spelling, in all languages."""
    return frozenset(word for each in said(text, languages) for spelled in spellings(each) for word in spelled)


def stands_alone(verb: Verb | HouseWord) -> bool:
    """Is a verb read only in a line without other words: "pictures on", but not "pictures on Monday"?"""
    return isinstance(verb, HouseWord) and verb.asks == "alone"


def _patterns(text: str, verb: Verb | HouseWord, filling: frozenset[str]) -> Iterator[Pattern]:
    """Return the forms of a verb: ``… beenden`` stands at either end; ``take … back`` at both. A verb that stands alone
    keeps its filling words.
    """
    if stands_alone(verb):
        yield from (Pattern(each, (), verb, frozenset(each)) for each in spellings(text))
        return
    before, gap, behind = text.partition(GAP)
    for head, tail in product(spellings(before), spellings(behind)):
        bare = tuple(word for word in head if word not in filling)
        if gap and not bare:
            yield Pattern(tail, (), verb, frozenset(tail))
        yield Pattern(bare, tail, verb, frozenset((*head, *tail)))


# ==== names =======================================================================================
class Mention(NamedTuple):
    """A thing that a line names: all possible meanings of these words, as (kind, id).

    ``many``: the number before it. ``vague``: it is the beginning of several names of a kind. ``words``: as they were
    read.
    """

    things: frozenset[tuple[str, str]]
    words: Words
    many: int | None = None
    vague: bool = False

    @property
    def said_number(self) -> int | None:
        """The number, if it is a number by itself."""
        [(kind, it), *others] = self.things
        return int(it) if kind == NUMBER and not others and self.many is None else None


class UnknownWord(Exception):
    """A word that is no name, no number and no filling word."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Lexicon(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The names of a seat's things. ``whole``: stems of the words -> the things of that name. ``spelled``: for
    beginnings.

    ``words``: of all names; ``first``: the stems of their first words. ``longest``: the number of words in the longest
    name.
    """

    grammar: Grammar
    whole: dict[Words, frozenset[tuple[str, str]]]
    spelled: tuple[tuple[Words, str, str], ...]
    words: frozenset[str]
    first: frozenset[str]
    longest: int
    counted: frozenset[str]

    def has(self, word: str) -> bool:
        """Is it a whole word of a name? "care" is none, though "car" is; but "rote" counts as "rot"."""
        return word in self.words or self.begins(word)

    def knows(self, word: str) -> bool:
        """Is it a number or a whole word of a name?"""
        return word.isdecimal() or word in self.grammar.numbers or self.has(word)

    def begins(self, word: str) -> bool:
        """Is it the first whole word of a name?"""
        return stem(word) in self.first

    def mentions(self, words: Words, kinds: frozenset[str], alike: Mapping[str, str]) -> list[Mention]:
        """Cut ``words`` into the longest names, of ``kinds`` if possible. Raises `UnknownWord`.

        A number belongs to the thing after it, if that thing can have this number.
        """
        given = tuple(self.grammar.numbers.get(word, word) for word in words)
        cut: list[Mention] = []
        at = 0
        while at < len(given):
            mention = self._next(given[at:], kinds, alike) or self._next(given[at:], None, alike)
            if mention is None:
                raise UnknownWord(words[at])
            at += len(mention.words)
            same = {(kind, alike[it]) for kind, it in mention.things if it in alike}
            mention = mention._replace(things=mention.things | same)  # one interchangeable thing stands for all
            if cut and cut[-1].said_number is not None and any(kind in self.counted for kind, _ in mention.things):
                mention = mention._replace(many=cut.pop().said_number)
            cut.append(mention)
        return cut

    def _next(self, words: Words, kinds: frozenset[str] | None, alike: Mapping[str, str]) -> Mention | None:
        """Return the longest name with which ``words`` begin; whole names before beginnings of names of that length."""
        for length in range(min(self.longest, len(words)), 0, -1):
            begin = words[:length]
            whole = self.whole.get(tuple(stem(word) for word in begin), frozenset())
            if things := _of(whole, kinds):
                return Mention(things, begin)
            if things := _of(self._beginnings(begin), kinds):
                ids = {(kind, alike.get(it, it)) for kind, it in things}
                return Mention(things, begin, vague=len(ids) > len({kind for kind, _ in ids}))
        return Mention(frozenset({(NUMBER, words[0])}), words[:1]) if words[0].isdecimal() else None

    def _beginnings(self, begin: Words) -> frozenset[tuple[str, str]]:
        """Return the names whose first words begin so. A number is no beginning; an incomplete word needs three
        letters.
        """
        return frozenset(
            (kind, it)
            for name, kind, it in self._by_letter.get(begin[0][0], ())
            if len(name) >= len(begin) and all(map(_begins, begin, name))
        )

    @cached_property
    def _by_letter(self) -> dict[str, list[tuple[Words, str, str]]]:
        """``spelled`` by the first letter: the beginning of a name has the same first letter as the name."""
        found: dict[str, list[tuple[Words, str, str]]] = {}
        for each in self.spelled:
            found.setdefault(each[0][0][0], []).append(each)
        return found


def _of(things: frozenset[tuple[str, str]], kinds: frozenset[str] | None) -> frozenset[tuple[str, str]]:
    return things if kinds is None else frozenset(it for it in things if it[0] in kinds)


def _begins(word: str, name: str) -> bool:
    if word == name or stem(word) == stem(name):
        return True
    return len(word) >= SHORTEST and not word.isdecimal() and name.startswith(word)


@lru_cache(maxsize=256)
def lexicon(orders: Orders, names: Names, languages: tuple[Language, ...]) -> Lexicon:
    """Return the names of a seat's things, in all these languages at once, and in English."""
    rules = grammar(orders, languages)
    spelled = {
        (rules.plain_name(spelling), kind, it)
        for kind, ids in names.kinds.items()
        for it, sentences in ids.items()
        for language in languages
        for text in called(it, sentences, language)
        for spelling in spellings(text)
    }
    whole: dict[Words, set[tuple[str, str]]] = {}
    for name, kind, it in spelled:
        whole.setdefault(tuple(map(stem, name)), set()).add((kind, it))
    return Lexicon(
        rules,
        {name: frozenset(things) for name, things in whole.items()},
        tuple(sorted(spelled)),
        frozenset(word for name, _, _ in spelled for word in name),
        frozenset(stem(name[0]) for name, _, _ in spelled),
        max(len(name) for name, _, _ in spelled),
        names.counted,
    )
