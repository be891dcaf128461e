"""Words of the pages in the reader's language: English as in the templates, others from `service.words`."""

from collections.abc import Callable
from functools import lru_cache
from string import Formatter
from typing import Any

from markupsafe import Markup, escape

from service.words import said


def say(lang: str, text: str, /, **facts: Any) -> str:
    """Return ``text`` in ``lang`` with its facts, as plain text."""
    return said(text, lang).format_map(facts)


def sayer(lang: str) -> Callable[..., Markup]:
    """Return the ``_`` of the templates: it escapes facts unless they are markup, but not our own words."""

    def _(text: str, /, **facts: Any) -> Markup:
        if not facts:
            return _plain(lang, text)
        return Markup("".join([before + (field and str(escape(facts[field]))) for before, field in _parts(lang, text)]))

    return _


@lru_cache(4096)
def _parts(lang: str, text: str) -> tuple[tuple[str, str], ...]:
    """Return the parts of a text, each with the name of the fact that follows it, "" for none.

    `Markup.format_map` would read the text again each time, and take ten times as long.
    """
    parts = [(before, field or "") for before, field, _, _ in Formatter().parse(said(text, lang))]
    assert all(not spec and not conversion for _, _, spec, conversion in Formatter().parse(said(text, lang)))
    return tuple(parts)


@lru_cache(4096)
def _plain(lang: str, text: str) -> Markup:
    """Return a text without facts, the usual case."""
    return Markup(said(text, lang)).format_map({})
