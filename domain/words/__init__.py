"""Sentences for any language: templates and facts, and the languages that say them.

The domain never builds a finished sentence. It names a template and the ids that belong in it; the page or letter says
it in the reader's language and inserts the players' names. Templates are English; English names of ids stand beside
them. Other languages are stored in files (``de.po`` in the folder ``words`` of a part) that `service.words` reads.
"""

import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace


class Quoted(str):
    """A fact that is said as it was written, even if it is the id of something."""

    __slots__ = ()


Fact = str | int | bool | tuple[Any, ...] | None


class Sentence(msgspec.Struct, frozen=True):
    """A template such as ``"{seat} moves to {place}."`` and its facts.

    Facts named ``seat``, or ending in ``_seat``, are seat numbers. Strings are ids, looked up in the title's names. A
    number is said as it is, as an amount (``"{plies:#}"`` is "12,345"), or with a noun: ``"{days:day|days}"`` is "1
    day", "2 days". A tuple is said as a list of its members, or with a verb before them: ``"{cards:lies|lie}"`` is
    "lies Hull", "lie Hull and York". A sentence within a sentence is said in its place.
    """

    template: str
    facts: dict[str, Any] = {}


Name = str | Sentence
"""The English name of an id: a text, or a sentence if the name is composed of others."""


def _one_or_many(number: int) -> int:
    return 0 if number == 1 else 1


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _amount(number: float) -> str:
    return f"{number:,}".removesuffix(".0")


class Language(msgspec.Struct, frozen=True, eq=False):
    """A language as a part of the program speaks it. A value; an empty one is English, without names.

    ``code``: of BCP 47, "de". ``texts``: English template -> template in this language, with the same fields.
    ``names``: id -> name, and "id:form" -> name in a form: ``"{railcar:dat}"`` asks for the form "dat" of the railcar,
    or of each of them. An id without such a form is said by its name. Each language defines its own forms. ``counts``:
    the nouns of a count as a template asks for them ("day|days", or "day|days:dat" in a form) -> its plural forms.
    ``plural``: a number (0 or more) -> the index of its plural form. ``joined``: says a list of one or more.
    ``amount``: writes the count of something ("12,345"); a mere number, such as a ply's, is no amount.
    """

    code: str = "en"
    texts: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    counts: Mapping[str, Sequence[str]] = {}
    plural: Callable[[int], int] = _one_or_many
    joined: Callable[[Sequence[str]], str] = _listed
    amount: Callable[[float], str] = _amount

    def name(self, id: str) -> str:
        """Return the name by which players know ``id``, or the id itself if it has none (such as a
        player's own word).
        """
        return self.names.get(id, id)


class Words(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The vocabulary of a part of the program: the English names of its ids, and the folder of its languages."""

    names: Mapping[str, Name]
    folder: Path

    @cached_property
    def english(self) -> Language:
        return naming(Language(), self.names)


def naming(language: Language, names: Mapping[str, Name]) -> Language:
    """Return ``language`` with a name for all these ids: its own, else the English one. Composed names are said here,
    once.

    A name that is only another id's name (``Sentence("{railcar}", …)``) has the forms of that id, too.
    """
    known = {it: name for it, name in names.items() if isinstance(name, str)} | dict(language.names)
    named = replace(language, names=known)
    forms: dict[str, list[str]] = {}
    for key in known:
        it, colon, form = key.partition(":")
        if colon:
            forms.setdefault(it, []).append(form)
    for it, name in names.items():
        if isinstance(name, str) or it in known:
            continue
        known[it] = say(name, named, str)
        if [(text, form) for text, _, form, _ in _parts(name.template)] == [("", "")]:
            [other] = name.facts.values()
            known |= {f"{it}:{form}": known[f"{other}:{form}"] for form in forms.get(other, ())}
    return named


Part = tuple[str, str | None, str, bool]
"""A part of a template: a text, the field that follows (None: nothing), the form that it asks for, and whether it names
a seat.
"""


@lru_cache(maxsize=4096)
def _parts(template: str) -> tuple[Part, ...]:
    return tuple(
        (text, name, form or "", name is not None and (name == "seat" or name.endswith("_seat")))
        for text, name, form, _ in string.Formatter().parse(template)
    )


def say(sentence: Sentence, language: Language, player: Callable[[int], str]) -> str:
    """Say ``sentence`` in ``language``; ``player`` returns the name to say for a seat.

    If the language lacks a template, the sentence is said in English.
    """
    parts, facts = _parts(language.texts.get(sentence.template, sentence.template)), sentence.facts
    said = [
        text if name is None else text + _said(facts[name], form, seat, language, player)
        for text, name, form, seat in parts
    ]
    whole = "".join(said)
    begins_with_a_form = parts and not parts[0][0] and parts[0][2]
    return first_upper(whole) if begins_with_a_form else whole


def first_upper(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def signed(number: str) -> str:
    """Return a written number with the minus sign, which is as wide as a digit, in place of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def ids_in(fact: Any) -> Iterator[str]:
    """Yield the ids that a sentence names, or any fact of one."""
    if isinstance(fact, Sentence):
        yield from ids_in(tuple(fact.facts.values()))
    elif isinstance(fact, tuple | list):
        for each in fact:
            yield from ids_in(each)
    elif isinstance(fact, str) and not isinstance(fact, Quoted):
        yield fact


def _said(fact: Any, form: str, seat: bool, language: Language, player: Callable[[int], str]) -> str:
    """Say a fact in the form that a template asks for; "" asks for none. ``seat``: it is the number of a seat."""
    if isinstance(fact, Quoted):
        return str(fact)
    if isinstance(fact, str):
        names = language.names
        return names.get(f"{fact}:{form}") or names.get(fact, fact) if form else names.get(fact, fact)
    if isinstance(fact, bool) or fact is None:
        return str(fact)
    if isinstance(fact, int):
        if seat:
            return player(fact)
        if not form:
            return signed(str(fact))
        amount = signed(language.amount(fact))
        return amount if form == "#" else f"{amount} {_noun(abs(fact), form, language)}"
    if isinstance(fact, Sentence):
        return say(fact, language, player)
    if not isinstance(fact, tuple | list):
        return str(fact)
    verb = form if "|" in form else ""
    members = [_said(each, "" if verb else form, seat, language, player) for each in fact]
    listed = language.joined(members) if members else "–"
    return f"{_noun(len(members), verb, language)} {listed}" if verb else listed


def _noun(number: int, form: str, language: Language) -> str:
    """Return the noun for a number: ``_noun(2, "day|days", english)`` is "days"."""
    nouns = language.counts.get(form) or language.counts.get(form.partition(":")[0])
    if nouns:
        return nouns[language.plural(number)]
    return form.partition(":")[0].split("|")[_one_or_many(number)]
