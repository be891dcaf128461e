"""The page of a title's words: each with a sentence and its rule."""

from typing import NamedTuple

from flask import Response, abort, url_for
from markupsafe import Markup

from service.web.pages.frame import _, page, pages, reader
from service.web.pages.parts.refusals import came_from, rule_link
from service.web.pages.parts.terms import names
from service.web.pages.parts.visits import title_or_404
from service.web.pages.rules import room
from service.web.pages.rules.reading import back
from service.words import called, spoken


class TermShown(NamedTuple):
    """A word. ``id``: its anchor. ``rule``: the number of its rule, as a link."""

    id: str
    name: str
    says: str
    rule: Markup


@room.get("/rules/<title>/words")
def terms(title: str) -> Response:
    box, lang = title_or_404(title), reader().lang
    if not box.face.terms:
        abort(404)
    forms, language = names(box, lang), spoken(box.face.words, lang)
    shown = [
        TermShown(it.id, forms[it.id][0], language.texts.get(it.says.template, it.says.template), rule_link(it.rule))
        for it in box.face.terms
    ]
    heading = _("{title}: words of the game", title=called(box, lang))
    return page(
        "rules/terms.html", box=box, heading=heading, shown=sorted(shown, key=lambda it: it.name.lower()),
        back=back(came_from()),
    )  # fmt: skip


@pages.app_template_global("terms_of")
def terms_of(title_id: str) -> str:
    """Return the address of a title's words, from which a link leads back to this table or sandbox."""
    return url_for("pages.rules.terms", title=title_id, **came_from())
