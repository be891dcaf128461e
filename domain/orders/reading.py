"""A line, and what became of it: one legal action, several to choose from, or why none."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.messages import Command
from domain.orders.fitting import Fit, fit, shared
from domain.orders.folding import fold
from domain.orders.house import SMALL_TALK, HouseWord
from domain.orders.lexicon import Grammar, Lexicon, Mention, Pattern, UnknownWord, Words, grammar, lexicon
from domain.orders.order import Option, Orders, Told, Verb
from domain.words import Language

MOST_NAMED = 8
"""Candidates that are listed where a line may mean several."""
MOST_NEAR = 3
MOST_WORDS = 12
"""A line of a letter with more words that mean nothing here is talk."""
REMARK = re.compile(r"(^|\s)(#|//).*$")
COPIED = re.compile(r"^\s*\[\s*\d+\s*\]\s*(?=\S)")


class Found(NamedTuple):
    """It means this action. ``command``: with the amount that the line gives."""

    option: Option
    amount: int | None
    command: Command


class Asked(NamedTuple):
    """It may mean any of these, of ``many`` in all; or it is one, and the amount is missing."""

    options: tuple[Option, ...]
    many: int


class Cannot(NamedTuple):
    """No legal action is meant. ``rule``: about what is asked for; ``wished``: commands for the rules to refuse."""

    rule: str
    wished: tuple[Command, ...]
    near: tuple[Option, ...]


class Unknown(NamedTuple):
    """``word`` is neither a name nor a filling word."""

    word: str


class Missing(NamedTuple):
    """There is nothing to read: a blank line, or a remark."""


class Unread(NamedTuple):
    """It does not begin like an order."""


class Copied(NamedTuple):
    """A line of a letter with its number, "[3] move …", which is not carried out. ``line``: without it."""

    line: str


class Wish(NamedTuple):
    """A word for every title. ``text``: what stands behind it."""

    word: str
    text: str


Reading = Found | Asked | Cannot | Unknown | Missing | Unread | Copied | Wish


class Tongue(NamedTuple):
    """All that a seat's lines are read by."""

    orders: Orders
    view: Any
    languages: tuple[Language, ...]

    @property
    def grammar(self) -> Grammar:
        return grammar(self.orders, self.languages)

    @property
    def lexicon(self) -> Lexicon:
        return lexicon(self.orders, self.orders.names(self.view), self.languages)


def is_copied(line: str) -> bool:
    """Whether it is a line of a letter with its number, "[3] move …"."""
    return COPIED.match(line) is not None


def read(line: str, options: Sequence[Option], tongue: Tongue, *, in_letter: bool) -> Reading:
    """What ``line`` means among the legal actions ``options``.

    ``in_letter``: it may be talk, and verbs are whole; else beginnings of verbs are understood.
    """
    text = REMARK.sub("", line)
    if not fold(text):
        return Missing()
    if copied := COPIED.match(text):
        return Copied(text[copied.end() :].strip())
    words = tongue.grammar.plain(text)
    if in_letter and not begins_like_an_order(text, tongue):
        return Unread()
    asked = _asked_for(text, words, tongue.grammar, beginnings=not in_letter)
    for said in asked:
        if isinstance(said.pattern.of, HouseWord):
            word = said.pattern.of
            return (
                Unread()
                if word.id == SMALL_TALK
                else Wish(word.id, _behind(text, said.pattern) if word.asks != "nothing" else "")
            )
    if not asked:
        return Unread()
    return _among(asked, options, tongue)


def begins_like_an_order(line: str, tongue: Tongue) -> bool:
    """Whether a line of a letter is an order, and no talk such as "Take care, Bob".

    It has a whole verb at its end, at most twelve words that mean nothing, and if it has others than the verb's, one
    at least begins a name of the game. Beside one that stands alone there is no filling word: "Go on" is talk, and
    so is a number in words among others that mean nothing ("Take two aspirin").
    """
    text = REMARK.sub("", line)
    rules, known = tongue.grammar, tongue.lexicon
    asked = _asked_for(text, rules.plain(text), rules, beginnings=False)
    if not asked:
        return False
    verb, others = asked[0].pattern, set(asked[0].rest)
    words = [it.pattern.of for it in asked if isinstance(it.pattern.of, HouseWord)]
    if words and words[0].asks != "nothing":
        asks = words[0].asks
        return asks == "text" or (asks == "days" and (not others or any(map(str.isnumeric, "".join(others)))))
    if not others:
        return _length(verb) > 1 or any({*fold(text)} <= it.pattern.whole | rules.polite for it in asked)
    strange = {word for word in others if not (word.isdigit() or word in rules.numbers or known.has(word))}
    of_the_game = any(word.isdigit() or known.begins(word) for word in others)
    return len(strange) <= MOST_WORDS if of_the_game else others <= rules.numbers.keys()


def may_be_an_order(line: str, tongue: Tongue) -> bool:
    """Whether a line begins like an order of a title, where no game is at hand: what it names is looked at later.

    It has a whole verb where it begins or, in German, ends, and twelve words at most unless all are the game's; and it
    is nothing that people say to each other: "Take care", "Keep in touch", "In the end".
    """
    text = REMARK.sub("", line)
    rules, known = tongue.grammar, tongue.lexicon
    written = [word for word in fold(text) if word not in rules.polite]
    if rules.ends.isdisjoint(written):
        return False
    asked = _asked_for(text, rules.plain(text), rules, beginnings=False)
    if not asked:
        return False
    verb, rest = asked[0].pattern, asked[0].rest
    if verb.head and written[0] not in verb.whole:
        return False
    if not rest:
        return written[-1] in rules.last
    if isinstance(verb.of, HouseWord):
        return verb.of.id != SMALL_TALK and len(written) <= MOST_WORDS and rest[0] not in rules.talk
    unknown = {word for word in rest if not (word.isdigit() or word in rules.numbers or known.has(word))}
    if not unknown:
        return True
    return len(written) <= MOST_WORDS and rules.talk.isdisjoint(unknown)


# ==== verbs =======================================================================================
class _Said(NamedTuple):
    """A verb that a line has, and the words that are left."""

    pattern: Pattern
    rest: Words
    whole: bool


def _asked_for(text: str, words: Words, rules: Grammar, *, beginnings: bool) -> list[_Said]:
    """The verbs of a line: those with the most words; whole ones before those that are only begun."""
    if not beginnings and rules.ends.isdisjoint(words):
        return []
    for whole in (True, False) if beginnings else (True,):
        found = [said for pattern in rules.patterns if (said := _matched(pattern, words, text, whole)) is not None]
        if found:
            most = max(_length(said.pattern) for said in found)
            return [said for said in found if _length(said.pattern) == most]
    return []


def _length(pattern: Pattern) -> int:
    return len(pattern.head) + len(pattern.tail)


def _matched(pattern: Pattern, words: Words, text: str, whole: bool) -> _Said | None:
    head, tail = pattern.head, pattern.tail
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
        if pattern.of.asks in ("text", "days") and fold(text)[: len(head)] != begun:
            return None
    return _Said(pattern, rest, whole)


def _is_begun(word: str, verb: str) -> bool:
    return word == verb or (verb.startswith(word) and not word.isdigit())


def _behind(text: str, pattern: Pattern) -> str:
    """The text behind the words of a verb, as it was written."""
    rest = text.strip()
    for _ in pattern.head:
        rest = re.sub(r"^[\W_]*\w+", "", rest)
    return re.sub(r"^[\s:,;.–-]+", "", rest).strip()


# ==== among the legal actions =====================================================================
class _Candidate(NamedTuple):
    option: Option
    fit: Fit
    sure: bool


def _among(asked: Sequence[_Said], options: Sequence[Option], tongue: Tongue) -> Reading:
    """What is meant: one candidate it is, several are asked, of none it is said why."""
    candidates: list[_Candidate] = []
    unknown: UnknownWord | None = None
    told: list[tuple[Verb, list[Mention]]] = []
    for verb, rest in dict.fromkeys((said.pattern.of, said.rest) for said in asked):
        assert isinstance(verb, Verb)
        of_verb = [it for it in options if isinstance(it.command, verb.commands)]
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


def _meant(candidates: Sequence[_Candidate], tongue: Tongue, *, sure: bool) -> Reading:
    """An action with exactly what was named beats those that have more, and those beside which some of it stands."""
    exact = [it for it in candidates if it.fit.untold == 0]
    exact = [it for it in exact if it.fit.beside == min(each.fit.beside for each in exact)]
    once = {it.option.same(tongue.orders.alike): it for it in reversed(exact or candidates)}
    meant = list(once.values())[::-1]
    first = meant[0]
    if len(meant) == 1 and first.sure and sure and (first.option.amount is None or first.fit.amount is not None):
        return Found(first.option, first.fit.amount, filled(first.option, first.fit.amount))
    return Asked(tuple(it.option for it in meant[:MOST_NAMED]), len(meant))


def filled(option: Option, amount: int | None) -> Command:
    """The command of an action with ``amount`` for what it leaves open."""
    if option.amount is None or amount is None:
        return option.command
    command: Command = replace(option.command, **{option.amount.field: amount})
    return command


def _cannot(told: Sequence[tuple[Verb, list[Mention]]], options: Sequence[Option], tongue: Tongue) -> Cannot:
    verb, mentions = told[0]
    alike = sorted(options, key=lambda it: (-isinstance(it.command, verb.commands), -shared(it.order, mentions)))
    near = [it for it in alike if isinstance(it.command, verb.commands) or shared(it.order, mentions)]
    wished = [
        command
        for each, things in told
        for kind in each.commands
        if tongue.view is not None  # before the game has begun there is nothing to refuse
        and (command := tongue.orders.wish(tongue.view, kind, _told(things))) is not None
    ]
    return Cannot(verb.rule, tuple(wished), tuple(near[:MOST_NEAR]))


def _told(mentions: Sequence[Mention]) -> Told:
    return Told(tuple(it.things for it in mentions for _ in range(1 if it.many is None else min(it.many, 99))))
