"""The page of a title's orders: every verb, filler word and line, in all languages, taken from the parser's own
tables."""

import string
from typing import NamedTuple

from flask import Response
from markupsafe import Markup

from domain.orders import Names, Orders, Verb
from domain.orders.folding import alternatives
from domain.orders.house import FILLING, HOUSE_WORDS, NUMBERS, PARTICLES
from domain.orders.writing import called
from domain.words import Language, Sentence
from service.web.pages.frame import _, page, reader
from service.web.pages.parts.refusals import rule_link
from service.web.pages.parts.visits import title_or_404
from service.web.pages.rules import room
from service.words import N_, languages, locale, said, spoken
from service.words import called as title_called

FIELDS = {
    "place": N_("place"), "city": N_("city"), "first": N_("place"), "second": N_("place"), "way": N_("from … to"),
    "card": N_("card"), "cards": N_("cards"), "railcar": N_("railcar"), "railcar_card": N_("railcar"),
    "good": N_("good"), "slot": N_("number"), "improvement": N_("improvement"), "objective": N_("objective"),
    "tickets": N_("city–city, …"), "route": N_("city–city"), "link": N_("city–city"), "path": N_("city, city, …"),
    "track": N_("colour, or track and number"), "colour": N_("colour"), "amount": N_("amount"),
    "maximum": N_("amount"),
}  # fmt: skip
"""The placeholder of a thing in the pattern of a line."""


class InLanguage(NamedTuple):
    """Entries of one language. ``code``: of that language. ``lines``: patterns; ``words``: all words that are
    understood."""

    code: str
    lines: list[Markup]
    words: list[str]


class OfVerb(NamedTuple):
    """A verb in all languages, and its rule."""

    rule: Markup
    said: list[InLanguage]


@room.get("/rules/<title>/orders")
def order_words(title: str) -> Response:
    box = title_or_404(title)
    every = [spoken(box.face.words, code) for code in languages()]
    names = box.face.orders.names(None)
    own = languages().index(reader().lang) if reader().lang in languages() else 0
    every.insert(0, every.pop(own))
    return page(
        "rules/orders.html", title=box, heading=_("{title}: orders", title=title_called(box, reader().lang)),
        columns=[(it.code, str(locale(it.code).get_language_name(reader().lang)).capitalize()) for it in every],
        verbs=[_verb(box.face.orders, verb, names, every) for verb in box.face.orders.verbs],
        house=[[InLanguage(it.code, [], _words(word.words, it)) for it in every] for word in HOUSE_WORDS],
        small=[
            (_("Filler words, which are ignored"), [_words(FILLING, it) for it in every]),
            (_("Words that can follow a verb at the end of a line"), [_words(PARTICLES, it) for it in every]),
            (_("Numbers"), [_words(NUMBERS, it) for it in every]),
        ],
    )  # fmt: skip


def _verb(orders: Orders, verb: Verb, names: Names, every: list[Language]) -> OfVerb:
    templates = [line for kind in orders.verbs[verb] for line in orders.lines[kind]]
    return OfVerb(
        rule_link(verb.rule),
        [
            InLanguage(it.code, [_pattern(line, names, it) for line in templates], _words(verb.words, it))
            for it in every
        ],
    )


def _words(text: Sentence, language: Language) -> list[str]:
    return alternatives(language.texts.get(text.template, text.template))


def _pattern(line: Sentence, names: Names, language: Language) -> Markup:
    """Return the template of a line with placeholders for its things: "move <i>place</i> with <i>card</i>"."""
    out = Markup()
    extras = names.kinds.get("extra", {})
    for text, field, _form, _conversion in string.Formatter().parse(language.texts.get(line.template, line.template)):
        out += text
        if field is not None and field in extras:
            out += next(called(field, extras[field], language)).strip()
        elif field is not None:
            out += Markup("<i>{}</i>").format(said(FIELDS.get(field, field), language.code))
    return out
