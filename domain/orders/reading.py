"""Reading a line: the result is one legal action, several to choose from, or a reason why there is none."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.messages import Command
from domain.orders.fitting import Fit, fit, shared
from domain.orders.folding import fold
from domain.orders.house import SMALL_TALK, HouseWord
from domain.orders.lexicon import (
    Grammar,
    Lexicon,
    Mention,
    Pattern,
    UnknownWord,
    Words,
    grammar,
    lexicon,
    stands_alone,
)
from domain.orders.order import Option, Orders, Told, Verb
from domain.orders.spelling import Spelling, spelling
from domain.words import Language, Sentence, say

MOST_NAMED = 8
"""The most candidates that are listed if a line may mean several."""
MOST_NEAR = 3
MOST_WORDS = 12
"""A line of a letter with more unknown words than these is talk."""
REMARK = re.compile(r"(^|\s)(#|//).*$")
WORD = re.compile(r"[^\W_]+")
LISTED = re.compile(r"^\s*+\(?\d{1,2}[.):]\s*+(?=[^\W\d_])")
"""The number of an order in the player's own list: "1. take yellow". It is not the number of a line in the letter."""
ALOUD = re.compile(r"^\s*+\w++\s*+:\s*+(?=\S)")
"""A word with a colon and a text behind it: "say: well played". Without its colon "Say hello to Anna" is talk."""
COPIED = re.compile(r"^\s*\[\s*\d+\s*\]\s*(?=\S)")


class Found(NamedTuple):
    """The line means this action. ``command``: with the amount in the line."""

    option: Option
    amount: int | None
    command: Command


class Asked(NamedTuple):
    """The line may mean any of these, of ``many`` in all; or it means one whose amount is missing."""

    options: tuple[Option, ...]
    many: int


class Cannot(NamedTuple):
    """The line means no legal action. ``rule``: about the action asked for; ``wished``: commands for the rules to
    refuse.

    ``near``: similar actions that lose nothing beyond the request. If they leave an amount open, they take ``amount``:
    the number in the line, or the next above it.
    """

    rule: str
    wished: tuple[Command, ...]
    near: tuple[Option, ...]
    amount: int | None = None


class Unknown(NamedTuple):
    """``word`` is neither a name nor a filling word; or it begins a name, and is a slip of another."""

    word: str


class Missing(NamedTuple):
    """There is nothing to read: a blank line, or a remark."""


class Unread(NamedTuple):
    """The line does not begin like an order."""


class Copied(NamedTuple):
    """A line copied from a letter with its number, "[3] move …", which is not carried out. ``line``: without it."""

    line: str


class Wish(NamedTuple):
    """A word for every title. ``text``: the text after it."""

    word: str
    text: str


Reading = Found | Asked | Cannot | Unknown | Missing | Unread | Copied | Wish


class Tongue(NamedTuple):
    """Everything that is needed to read a seat's lines."""

    orders: Orders
    view: Any
    languages: tuple[Language, ...]

    @property
    def grammar(self) -> Grammar:
        return grammar(self.orders, self.languages)

    @property
    def lexicon(self) -> Lexicon:
        return lexicon(self.orders, self.orders.names(self.view), self.languages)

    @property
    def spelling(self) -> Spelling:
        return spelling(self.orders, self.orders.names(self.view), self.languages)


def bare(line: str) -> str:
    """Return ``line`` without its remark, and without its number in a list."""
    return LISTED.sub("", REMARK.sub("", line))


def is_copied(line: str) -> bool:
    """Is it a line copied from a letter with its number, "[3] move …"?"""
    return COPIED.match(line) is not None


def read(line: str, options: Sequence[Option], tongue: Tongue, *, in_letter: bool) -> Reading:
    """Return the meaning of ``line`` among the legal actions ``options``.

    ``in_letter``: the line may be talk, and verbs must be whole; else beginnings of verbs are understood.
    """
    text = bare(line)
    if not fold(text):
        return Missing()
    if copied := COPIED.match(text):
        return Copied(text[copied.end() :].strip())
    if (order := _behind_a_preface(text, tongue)) is not None:
        text = order
    elif in_letter and not _begins(text, tongue):
        return Unread()
    words = tongue.grammar.plain(text)
    asked = _asked_for(text, words, tongue.grammar, beginnings=not in_letter)
    for said in asked:
        if isinstance(said.pattern.of, HouseWord):
            word = said.pattern.of
            if word.asks == "name":
                name = _name_behind(text, said.pattern, tongue)
                return Unread() if in_letter and not name else Wish(word.id, name)
            return Unread() if word.id == SMALL_TALK else Wish(word.id, _text_behind(line, text, said.pattern))
    if not asked:
        return Unread()
    found = _among(asked, options, tongue)
    if isinstance(found, Cannot | Unknown):
        found = _with_its_remark(text, asked, options, tongue) or found
    doubtful = next(filter(tongue.spelling.is_doubtful, words), None) if in_letter else None
    if doubtful is not None and isinstance(found, Found):
        found = Unknown(doubtful)
    return Unknown(_typed(found.word, text, tongue.grammar)) if isinstance(found, Unknown) else found


def _typed(word: str, text: str, rules: Grammar) -> str:
    """Return ``word`` as it stands in the line."""
    return next((it for it in WORD.findall(text) if word in rules.read_as(it)), word)


def begins_like_an_order(line: str, tongue: Tongue) -> bool:
    """Is a line of a letter an order, and no talk such as "Take care, Bob"?

    It must have a whole verb at its end and at most twelve unknown words. If it has words besides the verb's, at least
    one must begin a name of the game. A verb that stands alone has no filling word beside it: "Go on" is talk. So is a
    number in words among unknown words ("Take two aspirin"). "I", "OK", or the number of a list may stand before it.
    """
    text = bare(line)
    return _begins(text, tongue) or _behind_a_preface(text, tongue) is not None


def _begins(text: str, tongue: Tongue) -> bool:
    rules, known = tongue.grammar, tongue.lexicon
    asked = _asked_for(text, rules.plain(text), rules, beginnings=False)
    if not asked:
        return False
    verb, others = asked[0].pattern, set(asked[0].rest)
    words = [it.pattern.of for it in asked if isinstance(it.pattern.of, HouseWord)]
    if words and words[0].asks != "nothing":
        asks = words[0].asks
        if asks == "name":
            return _name_behind(text, verb, tongue) != ""
        return asks in ("text", "alone", "aloud") or (
            asks == "days" and (not others or any(map(str.isnumeric, "".join(others))))
        )
    if not others:
        return _length(verb) > 1 or any(_stands_alone(it.pattern, text, rules) for it in asked)
    strange = {word for word in others if not known.knows(word)}
    of_the_game = any(word.isdecimal() or known.begins(word) for word in others)
    return len(strange) <= MOST_WORDS if of_the_game else others <= rules.numbers.keys()


def _stands_alone(verb: Pattern, text: str, rules: Grammar) -> bool:
    """Is a line a verb of one word and nothing else: "Pass, please", "beende den Zug", but not "Pass on"?"""
    said = {*fold(text)} - rules.polite
    return said <= verb.whole or (len(verb.whole) > 1 and verb.whole <= said <= verb.whole | rules.filling)


def _behind_a_preface(text: str, tongue: Tongue) -> str | None:
    """Return the order in a sentence about oneself ("I'll bid 12", "dann biete ich 12") or after an assent ("OK, end
    turn"); None for other orders, and for talk.

    All its words must be the game's: "I'll bid 4 if nobody else does" is a plan.
    """
    rules, spoken = tongue.grammar, [*WORD.finditer(text)]
    said = [fold(it.group()) for it in spoken]
    if text.rstrip().endswith("?"):
        return None
    at = next((at for at, it in enumerate(said) if not {*it} <= rules.polite), 0)
    agreed = at < len(said) and {*said[at]} <= rules.assent and len(rules.plain(text[spoken[at].end() :])) > 1
    at += agreed
    begin = next((each for each in rules.prefaces if flat(said[at : at + len(each)]) == each), None)
    if begin is not None and at + len(begin) < len(said):
        order = text[spoken[at + len(begin)].start() :]
    elif len(said) > at + 2 and {*said[at + 1]} <= rules.myself:
        order = text[spoken[at].start() : spoken[at + 1].start()] + text[spoken[at + 2].start() :]
    elif agreed:
        order = text[spoken[at].start() :]
    else:
        return None
    if any(isinstance(it.pattern.of, HouseWord) for it in _asked_for(text, rules.plain(text), rules, beginnings=False)):
        return None
    asked = _asked_for(order, rules.plain(order), rules, beginnings=False)
    whole = asked and isinstance(asked[0].pattern.of, Verb) and _begins(order, tongue)
    return order if whole and all(map(tongue.lexicon.knows, asked[0].rest)) else None


def flat(words: Sequence[Words]) -> Words:
    """Return the words of several, one after another."""
    return tuple(each for word in words for each in word)


def is_of_the_title(text: str, tongue: Tongue) -> bool:
    """Is a line of a letter an order of the title, not one of the words for every title?"""
    rules, order = tongue.grammar, _behind_a_preface(text, tongue) or text
    asked = _asked_for(order, rules.plain(order), rules, beginnings=False)
    return bool(asked) and isinstance(asked[0].pattern.of, Verb) and begins_like_an_order(text, tongue)


def may_be_an_order(line: str, tongue: Tongue) -> bool:
    """Does a line begin like an order of a title? It is for callers without a game: the names are looked up later.

    It must have a whole verb at its beginning or, in German, at its end, and at most twelve words unless all are the
    game's. It must not be small talk: "Take care", "Keep in touch", "In the end".
    """
    text = bare(line)
    rules, known = tongue.grammar, tongue.lexicon
    written = [word for word in fold(text) if word not in rules.polite]
    if rules.ends.keys().isdisjoint(written):
        return False
    asked = _asked_for(text, rules.plain(text), rules, beginnings=False)
    if not asked:
        return False
    verb, rest = asked[0].pattern, asked[0].rest
    if verb.head and written[0] not in verb.whole:
        return False
    if not rest:
        return stands_alone(verb.of) or written[-1] in rules.last
    if isinstance(verb.of, HouseWord):
        return verb.of.id != SMALL_TALK and len(written) <= MOST_WORDS and rest[0] not in rules.talk
    unknown = {word for word in rest if not known.knows(word)}
    if not unknown:
        return True
    return len(written) <= MOST_WORDS and rules.talk.isdisjoint(unknown)


# ==== verbs =======================================================================================
class _Said(NamedTuple):
    """A verb that a line has, and the remaining words."""

    pattern: Pattern
    rest: Words
    whole: bool


def _asked_for(text: str, words: Words, rules: Grammar, *, beginnings: bool) -> list[_Said]:
    """Return the verbs of a line: those with the most words; whole verbs before beginnings."""
    if not beginnings and rules.ends.keys().isdisjoint(words):
        return []
    every = fold(text)
    alone = tuple(word for word in every if word not in rules.polite)
    for whole in (True, False) if beginnings else (True,):
        found = [
            said
            for pattern in (rules.near((*words, *alone)) if whole else rules.patterns)
            if (said := _matched(pattern, words, every, alone, rules, whole=whole)) is not None
            and (_asks(pattern) != "aloud" or ALOUD.match(LISTED.sub("", text)))
        ]
        if found:
            most = max(_length(said.pattern) for said in found)
            return [said for said in found if _length(said.pattern) == most]
    return []


def _length(pattern: Pattern) -> int:
    return len(pattern.head) + len(pattern.tail)


def _matched(
    pattern: Pattern, words: Words, every: Words, alone: Words, rules: Grammar, *, whole: bool
) -> _Said | None:
    """Return the verb, if the line has it. ``words``: the line without filling words; ``every``: with them; ``alone``:
    without polite words only.
    """
    head, tail = pattern.head, pattern.tail
    if stands_alone(pattern.of):
        return _Said(pattern, (), True) if alone == head else None
    end = len(words) - len(tail)
    if len(head) > end or words[end:] != tail:
        return None
    begun = words[: len(head)]
    if whole and begun != head:
        return None
    if not whole and (pattern.of.whole or not head or not all(map(_is_begun, begun, head))):
        return None
    rest = words[len(head) : end]
    if isinstance(pattern.of, HouseWord):
        if pattern.of.asks == "nothing" and rest:
            return None
        if pattern.of.asks in ("text", "aloud", "days", "name") and every[: len(head)] != begun:
            return None
    return _Said(pattern, rest if isinstance(pattern.of, HouseWord) else rules.named(rest), whole)


def _is_begun(word: str, verb: str) -> bool:
    return word == verb or (verb.startswith(word) and not word.isdecimal())


def _asks(pattern: Pattern) -> str:
    return pattern.of.asks if isinstance(pattern.of, HouseWord) else ""


def _text_behind(line: str, text: str, pattern: Pattern) -> str:
    """Return the text after a word for every title; "" if it asks for none. ``text``: the line without its remark.

    What is said aloud keeps its remark, which may be part of an address.
    """
    if _asks(pattern) == "aloud":
        return ALOUD.sub("", LISTED.sub("", line)).strip()
    return "" if _asks(pattern) in ("nothing", "alone") else _behind(text, pattern)


def _behind(text: str, pattern: Pattern) -> str:
    """Return the text after the words of a verb, as it was written."""
    rest = text.strip()
    for _ in pattern.head:
        rest = re.sub(r"^[\W_]*\w+", "", rest)
    return re.sub(r"^[\s:,;.–-]+", "", rest).strip()


def _name_behind(text: str, pattern: Pattern, tongue: Tongue) -> str:
    """Return the name after a verb, with capitals, as names are written; "" for possible talk: "Name your price".

    A name has one to three words, separated only by blanks. The first and the last have a capital (if the script has
    capitals), and none is a number or a word of talk. Only the middle word may be small: "Ada von Berg".
    """
    rules, known = tongue.grammar, tongue.spelling
    words = unicodedata.normalize("NFC", text).split()
    while words and {*fold(words[-1])} <= rules.polite:
        words.pop()
    head, named = words[: len(pattern.head)], " ".join(words[len(pattern.head) :]).strip("\"'“”„‚‘’«».,!").split()
    if not all(map(_is_word, head)) or not 1 <= len(named) <= 3 or not all(map(_is_word, named)):
        return ""
    said = [fold(it) for it in named]
    strange = {word for it in said for word in it}.isdisjoint(rules.talk | rules.numbers.keys())
    ends = {*said[0], *said[-1]}.isdisjoint(known.courtesy)
    return " ".join(named) if strange and ends and not (named[0][0].islower() or named[-1][0].islower()) else ""


def _is_word(word: str) -> bool:
    """Does it have letters first, then perhaps digits and the signs within names?"""
    signs = [unicodedata.category(it)[0] for it in word if it not in "'’.-"]
    return word[:1].isalpha() and {*signs} <= {*"LMN"}


# ==== among the legal actions =====================================================================
class _Candidate(NamedTuple):
    option: Option
    fit: Fit
    sure: bool


def _among(asked: Sequence[_Said], options: Sequence[Option], tongue: Tongue) -> Reading:
    """Choose among candidates: one is the result, several are asked about; for none, say why."""
    candidates: list[_Candidate] = []
    unknown: UnknownWord | None = None
    told: list[tuple[Verb, list[Mention]]] = []
    for verb, rest in dict.fromkeys((said.pattern.of, said.rest) for said in asked):
        assert isinstance(verb, Verb)
        of_verb = [it for it in options if isinstance(it.command, tongue.orders.verbs[verb])]
        known = frozenset(kind for it in of_verb for kind in it.order.kinds)
        try:
            mentions = tongue.lexicon.mentions(rest, known, tongue.orders.alike)
        except UnknownWord as error:
            unknown = error
            continue
        told.append((verb, mentions))
        sure = not any(it.vague for it in mentions)
        candidates += [_Candidate(it, fits, sure) for it in of_verb if (fits := fit(it.order, mentions)) is not None]
    if candidates:
        begun = len({said.pattern.of for said in asked}) > 1 and not asked[0].whole
        return _meant(candidates, tongue, sure=not begun)
    if not told:
        assert unknown is not None
        return Unknown(unknown.word)
    return _cannot(told, options, tongue)


def _with_its_remark(text: str, asked: Sequence[_Said], options: Sequence[Option], tongue: Tongue) -> Found | None:
    """Read a line of a list with its remark: "… A +2 and B +1; 3 other ways". The remark must be right."""
    words = fold(text)
    ways = next((len(it) for it in tongue.grammar.ways if words[-len(it) :] == it), 0)
    if ways and words[-ways - 1 : -ways] and words[-ways - 1].isdecimal():
        words = words[: -ways - 1]
    verbs = tongue.orders.verbs
    kinds = tuple(kind for it in asked if isinstance(it.pattern.of, Verb) for kind in verbs[it.pattern.of])
    of_verbs = (each.action for each in options if isinstance(each.command, kinds))
    told = {repr(it): it for each in of_verbs if (it := tongue.orders.listing.remark(tongue.view, each)) is not None}
    remarks = {it for each in told.values() for it in _as_words(each, tongue)}
    for remark in sorted((it for it in remarks if words[-len(it) :] == it), key=len, reverse=True):
        order = " ".join(words[: -len(remark)])
        reading = _among(
            _asked_for(order, tongue.grammar.plain(order), tongue.grammar, beginnings=False), options, tongue
        )
        if isinstance(reading, Found) and remark in _remarks(reading.option, tongue):
            return reading
    return None


def _remarks(option: Option, tongue: Tongue) -> set[Words]:
    """Return the remark after the line of an action, in all languages."""
    remark = tongue.orders.listing.remark(tongue.view, option.action)
    return set() if remark is None else _as_words(remark, tongue)


def _as_words(remark: Sentence, tongue: Tongue) -> set[Words]:
    return {fold(say(remark, it, str)) for it in tongue.languages} - {()}


def _meant(candidates: Sequence[_Candidate], tongue: Tongue, *, sure: bool) -> Reading:
    """Prefer an action with exactly the named things to actions that have more, or that have some of
    them only beside.
    """
    exact = [it for it in candidates if it.fit.untold == 0]
    exact = [it for it in exact if it.fit.beside == min(each.fit.beside for each in exact)]
    once = {it.option.same(tongue.orders.alike): it for it in reversed(exact or candidates)}
    meant = list(once.values())[::-1]
    first = meant[0]
    if len(meant) == 1 and first.sure and sure and (first.option.amount is None or first.fit.amount is not None):
        return Found(first.option, first.fit.amount, filled(first.option, first.fit.amount))
    return Asked(tuple(it.option for it in meant[:MOST_NAMED]), len(meant))


def filled(option: Option, amount: int | None) -> Command:
    """Return the command of an action with ``amount`` for the number that it leaves open."""
    if option.amount is None or amount is None:
        return option.command
    command: Command = replace(option.command, **{option.amount.field: amount})
    return command


def _cannot(told: Sequence[tuple[Verb, list[Mention]]], options: Sequence[Option], tongue: Tongue) -> Cannot:
    verb, mentions = told[0]
    number = next((it.said_number for it in mentions if it.said_number is not None), None)
    kinds, loses = tongue.orders.verbs[verb], tongue.orders.losing
    alike = sorted(options, key=lambda it: (-isinstance(it.command, kinds), -shared(it.order, mentions)))
    near = [
        it
        for it in alike
        if isinstance(it.command, kinds) or (shared(it.order, mentions) and not isinstance(it.command, loses))
        if it.amount is None or number is None or it.amount.at_least(number) is not None
    ]
    wished = [
        command
        for each, things in told
        for kind in tongue.orders.verbs[each]
        if tongue.view is not None  # before the game has begun there is nothing to refuse
        and (command := tongue.orders.wish(tongue.view, kind, _told_things(things))) is not None
    ]
    return Cannot(verb.rule, tuple(wished), tuple(near[:MOST_NEAR]), number)


def _told_things(mentions: Sequence[Mention]) -> Told:
    return Told(tuple(it.things for it in mentions for _ in range(1 if it.many is None else min(it.many, 99))))
