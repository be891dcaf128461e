"""Writing an action as a line, and the remarks about legal actions in lists."""

import string
from collections.abc import Iterator, Mapping

from domain.orders.folding import alternatives
from domain.orders.order import Amount, Cards, Ends, Names, One, Order, Part, Path, Several
from domain.words import Language, Sentence, say

NOTHING_INSTEAD: Mapping[str, str] = {}


def write(
    order: Order,
    names: Names,
    language: Language,
    amount: int | None = None,
    instead: Mapping[str, str] = NOTHING_INSTEAD,
) -> str:
    """Return the line of an action in ``language``. ``amount``: for the number it leaves open, else the lowest.

    ``instead``: field -> a text in place of the action's own things (a blank).
    """
    template = language.texts.get(order.line.template, order.line.template)

    def said(field: str, form: str) -> str:
        return instead[field] if field in instead else say_part(order.parts[field], form, names, language, amount)

    return "".join(
        text + ("" if field is None else said(field, form or ""))
        for text, field, form, _ in string.Formatter().parse(template)
    )


def called(id: str, spellings: tuple[Sentence, ...], language: Language) -> Iterator[str]:
    """Return all names of a thing in ``language``, first the one that lines use."""
    for spelling in spellings:
        yield from alternatives(say(spelling, language, str))
    if id in language.names:
        yield language.names[id]


def say_part(part: Part, form: str, names: Names, language: Language, amount: int | None = None) -> str:
    """Return the things of an action, in a form that the template of its line asks for ("" for none)."""

    def name(kind: str, id: str) -> str:
        bent = language.names.get(f"{id}:{form}") if form else None
        return bent or next(called(id, names.kinds.get(kind, {}).get(id, ()), language), id)

    match part:
        case One():
            return name(part.kind, part.id)
        case Several() | Path():
            between = f" {form} " if form and isinstance(part, Path) else ", "
            return between.join(name(part.kind, it) for it in part.ids)
        case Ends():
            return ", ".join(f"{name(part.kind, a)}–{name(part.kind, b)}" for a, b in part.pairs)
        case Cards():
            return " ".join(f"{number} {name(part.kind, it)}" for it, number in part.counts)
        case Amount():
            return str(part.low if amount is None else amount)
