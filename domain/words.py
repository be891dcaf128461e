"""Sentences that can be said in any language: templates, facts, and the tables that translate both.

The domain never builds a finished sentence. It names a template and the ids that belong in it; whoever shows it
says it in the reader's language and puts the players' names in.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

LANGUAGES = ("en", "de")

Fact = str | int | bool | tuple[Any, ...] | None


class Sentence(msgspec.Struct, frozen=True):
    """A template such as ``"{seat} moves to {place}."`` and its facts.

    Facts named ``seat``, or ending in ``_seat``, are seat numbers; strings are ids, looked up in the title's names;
    numbers are said as they are, or with a noun that goes with them: ``"{days:day|days}"`` is "1 day", "2 days";
    a tuple is said as a list of its members; a sentence within a sentence is said in its place.
    """

    template: str
    facts: dict[str, Any] = {}


class Words(msgspec.Struct, frozen=True):
    """What a title can say: its templates in German, and the names of its ids in both languages.

    ``german``: English template -> German template with the same fields.
    ``names``: id -> (English, German).
    """

    german: Mapping[str, str]
    names: Mapping[str, tuple[str, str]]

    def say(self, sentence: Sentence, lang: str, player: Callable[[int], str]) -> str:
        """``sentence`` in ``lang`` ("en" or "de"); ``player`` gives the name to say for a seat.

        A template without a translation is said in English: the tests of a title show that there is none.
        """
        template = sentence.template if lang == "en" else self.german.get(sentence.template, sentence.template)
        facts = sentence.facts.items()
        return template.format_map({name: self._fact(name, fact, lang, player) for name, fact in facts})

    def name(self, id: str, lang: str) -> str:
        """The name players know ``id`` by, or the id itself where it has none (a word of the player's, say)."""
        pair = self.names.get(id)
        return id if pair is None else pair[LANGUAGES.index(lang)]

    def _fact(self, name: str, fact: Any, lang: str, player: Callable[[int], str]) -> Any:
        if isinstance(fact, tuple | list):
            said = [str(self._fact(name, each, lang, player)) for each in fact]
            return _listed(said, "and" if lang == "en" else "und") if said else "–"
        if isinstance(fact, Sentence):
            return self.say(fact, lang, player)
        if isinstance(fact, int) and (name == "seat" or name.endswith("_seat")):
            return player(fact)
        if isinstance(fact, int) and not isinstance(fact, bool):
            return _Number(fact)
        return self.name(fact, lang) if isinstance(fact, str) else str(fact)


class _Number(int):
    """A number that can be said with a noun: ``format(_Number(2), "day|days")`` is "2 days"."""

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return str(int(self))
        one, many = nouns.split("|")
        return f"{int(self)} {one if abs(self) == 1 else many}"

    def __str__(self) -> str:
        return str(int(self))


def _listed(words: list[str], joiner: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"
