"""Words of a game, marked where they stand: each once a page, and never inside a link or a button.

A marked word is a link to the page that explains all words of the title (`service.web.pages.rules.terms`). A script
opens its explanation above the page instead (``terms.js``).
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from flask import g
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from domain.title import Title
from service.base.lately import Lately
from service.web.pages.frame import address, pages, reader
from service.web.pages.parts.refusals import came_from
from service.words import spoken


class _Forms(NamedTuple):
    """The forms of a title's terms in one language. ``of``: form -> id of its term."""

    pattern: re.Pattern[str]
    of: dict[str, str]


_forms: Lately[_Forms] = Lately(32)


def names(title: Title, lang: str) -> dict[str, list[str]]:
    """Return id of a term -> its forms in a language."""
    texts = spoken(title.face.words, lang).texts
    return {it.id: texts.get(it.forms.template, it.forms.template).split(" | ") for it in title.face.terms}


def _forms_of(title: Title, lang: str) -> _Forms:
    of = {form: id_ for id_, forms in names(title, lang).items() for form in forms}
    longest_first = "|".join(re.escape(it) for it in sorted(of, key=len, reverse=True))
    return _Forms(re.compile(rf"(?<![\w-])(?:{longest_first})(?![\w-])"), of)


@pages.app_template_filter("terms")
@pass_context
def marked(context: Context, text: Any) -> Any:
    """Mark the words of the page's title in a plain text. Markup stays as it is: it may be inside of a link."""
    title = context.get("title")
    if isinstance(text, Markup) or not isinstance(title, Title):
        return text
    return marker(title)(text)


def marker(title: Title) -> Callable[[str], Markup]:
    """Return the function that returns a text with links at those words of the title that this page has not marked
    yet.
    """
    if not title.face.terms:
        return escape
    known: tuple[Title, Callable[[str], Markup]] | None = g.get("terms_marker")
    if known is None or known[0] is not title:
        known = g.terms_marker = title, _marker(title)
    return known[1]


def _marker(title: Title) -> Callable[[str], Markup]:
    lang = reader().lang
    forms = _forms.of(title, lambda: _forms_of(title, lang), lang)
    done: set[str] = set()
    there = escape(address("pages.rules.terms", title=title.id, **came_from()))

    def mark(text: str) -> Markup:
        parts, at = "", 0
        for found in forms.pattern.finditer(text):
            form = found[0]
            term = forms.of[form]
            if term not in done:
                done.add(term)
                link = f'<a class="term" href="{there}#{escape(term)}">{escape(form)}</a>'
                parts += f"{escape(text[at : found.start()])}{link}"
                at = found.end()
        return Markup(f"{parts}{escape(text[at:])}") if parts else escape(text)

    return mark
