"""Words of the pages in the reader's language: English as in the templates, others from `service.words`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from service.words import said


def say(lang: str, text: str, /, **facts: Any) -> str:
    """Return ``text`` in ``lang`` with its facts, as plain text."""
    return said(text, lang).format_map(facts)


def sayer(lang: str) -> Callable[..., Markup]:
    """Return the ``_`` of the templates: it escapes facts unless they are markup, but not our own words."""

    def _(text: str, /, **facts: Any) -> Markup:
        return Markup(said(text, lang)).format_map(facts) if facts else _plain(lang, text)

    return _


@lru_cache(4096)
def _plain(lang: str, text: str) -> Markup:
    """Return a text without facts, the usual case."""
    return Markup(said(text, lang)).format_map({})
