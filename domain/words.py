"""Sentences that can be said in any language: templates, facts, and the tables that translate both.

The domain never builds a finished sentence. It names a template and the ids that belong in it; whoever shows it
says it in the reader's language and puts the players' names in.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

LANGUAGES = ("en", "de")

BEGINS_WITH_A_FORM = re.compile(r"\{\w+:")
"""Names in a form begin with a small letter: a sentence that begins with one is given its capital."""

Fact = str | int | bool | tuple[Any, ...] | None


class Sentence(msgspec.Struct, frozen=True):
    """A template such as ``"{seat} moves to {place}."`` and its facts.

    Facts named ``seat``, or ending in ``_seat``, are seat numbers; strings are ids, looked up in the title's names;
    numbers are said as they are, or with a noun that goes with them: ``"{days:day|days}"`` is "1 day", "2 days";
    a tuple is said as a list of its members, or with a verb before them: ``"{cards:lies|lie}"`` is "lies Hull",
    "lie Hull and York"; a sentence within a sentence is said in its place.
    """

    template: str
    facts: dict[str, Any] = {}


class Words(msgspec.Struct, frozen=True):
    """What a title can say: its templates in German, and the names of its ids in both languages.

    ``german``: English template -> German template with the same fields.
    ``names``: id -> (English, German).
    ``forms``: id -> form -> German, for names that bend: ``"{railcar:dat}"`` in a German template asks for the form
    "dat" of the railcar, or of each of them. What has no such form is said by its name.
    """

    german: Mapping[str, str]
    names: Mapping[str, tuple[str, str]]
    forms: Mapping[str, Mapping[str, str]] = {}

    def say(self, sentence: Sentence, lang: str, player: Callable[[int], str]) -> str:
        """``sentence`` in ``lang`` ("en" or "de"); ``player`` gives the name to say for a seat.

        A template without a translation is said in English: the tests of a title show that there is none.
        """
        template = sentence.template if lang == "en" else self.german.get(sentence.template, sentence.template)
        facts = sentence.facts.items()
        said = template.format_map({name: _Said(self, name, fact, lang, player) for name, fact in facts})
        return said[:1].upper() + said[1:] if BEGINS_WITH_A_FORM.match(template) else said

    def name(self, id: str, lang: str) -> str:
        """The name players know ``id`` by, or the id itself where it has none (a word of the player's, say)."""
        pair = self.names.get(id)
        return id if pair is None else pair[LANGUAGES.index(lang)]

    def fact(self, name: str, fact: Any, form: str, lang: str, player: Callable[[int], str]) -> str:
        """The fact called ``name`` in the form that a template asks for; "" asks for none."""
        if isinstance(fact, tuple | list):
            one, verb, many = form.partition("|")
            said = [self.fact(name, each, "" if verb else form, lang, player) for each in fact]
            listed = _listed(said, "and" if lang == "en" else "und") if said else "–"
            return f"{one if len(said) == 1 else many} {listed}" if verb else listed
        if isinstance(fact, Sentence):
            return self.say(fact, lang, player)
        if isinstance(fact, int) and (name == "seat" or name.endswith("_seat")):
            return player(fact)
        if isinstance(fact, int) and not isinstance(fact, bool):
            return _counted(fact, form) if form else str(fact)
        if not isinstance(fact, str):
            return str(fact)
        return self.forms.get(fact, {}).get(form) or self.name(fact, lang)


class _Said:
    """A fact that a template has said in the form it asks for: ``format(fact, "dat")``."""

    def __init__(self, words: Words, name: str, fact: Any, lang: str, player: Callable[[int], str]) -> None:
        self.words, self.name, self.fact, self.lang, self.player = words, name, fact, lang, player

    def __format__(self, form: str) -> str:
        return self.words.fact(self.name, self.fact, form, self.lang, self.player)


def _counted(number: int, nouns: str) -> str:
    """``_counted(2, "day|days")`` is "2 days"."""
    one, many = nouns.split("|")
    return f"{number} {one if abs(number) == 1 else many}"


def _listed(words: list[str], joiner: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"
