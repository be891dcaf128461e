"""What the pages say in the reader's language: English as written in the templates, others from `service.words`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from service.words import said


def say(lang: str, text: str, /, **facts: Any) -> str:
    """``text`` in ``lang`` with its facts, as plain text."""
    return said(text, lang).format_map(facts)


def sayer(lang: str) -> Callable[..., Markup]:
    """The ``_`` of the templates: facts are escaped unless they are markup, our own words are not."""

    def _(text: str, /, **facts: Any) -> Markup:
        return Markup(said(text, lang)).format_map(facts) if facts else _plain(lang, text)

    return _


@lru_cache(4096)
def _plain(lang: str, text: str) -> Markup:
    """What is said without facts, as most of a page is."""
    return Markup(said(text, lang)).format_map({})
