"""The numbered rules as HTML, in one language: their anchors, links and chapters."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from domain.orders.folding import fold
from service.web.pages.parts.refusals import rule_anchor
from service.words import rulebooks

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


class ReadPart(NamedTuple):
    """A part of the rules as HTML. ``heading``: the name of the chapter that begins here, or "". ``words``: the text
    for the search. ``lang`` and ``behind``: see `rulebooks.RulePart`.
    """

    key: str
    heading: str
    html: str
    words: str
    lang: str
    behind: bool


@lru_cache(32)
def catalogue(file: Path, prefix: str, lang: str) -> tuple[ReadPart, ...]:
    """Read the rules in ``file``, whose numbers begin with ``prefix``, as far as possible in ``lang``."""
    parts = rulebooks.parts(file, prefix, lang)
    numbers = frozenset(part.key for part in parts if part.key.startswith(f"{prefix} "))
    return tuple(_read(part, prefix, numbers) for part in parts)


def contents(parts: Sequence[ReadPart]) -> list[tuple[str, str]]:
    """Return the anchors and names of the chapters."""
    return [(part.key, part.heading) for part in parts if part.heading]


def joined(parts: Iterable[ReadPart]) -> Markup:
    """Return the HTML of parts that follow each other: neighbouring list items form one list."""
    return Markup("".join(part.html for part in parts).replace("</ul>\n<ul>\n", ""))


def _read(part: rulebooks.RulePart, prefix: str, numbers: frozenset[str]) -> ReadPart:
    tokens, heading = _MARKDOWN.parse(part.text), ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            tokens[at + 1].children, tokens[at + 1].content = [], ""  # the page has its own heading
            token.hidden = tokens[at + 2].hidden = True
        elif token.type == "heading_open":
            token.attrSet("id", part.key)
            heading = tokens[at + 1].content if token.tag == "h2" else heading
        elif token.type == "th_open":
            token.attrSet("scope", "col")
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    words = " ".join(fold(unescape(re.sub("<[^>]+>", " ", html))))
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return ReadPart(part.key, heading, _linked(html, part.key, prefix, numbers), f" {words} ", part.lang, part.behind)


def _linked(html: str, key: str, prefix: str, numbers: frozenset[str]) -> str:
    """Turn the bold number at the head of a rule into an anchor, and every other mention of a rule into a link."""

    def mention(found: re.Match[str]) -> str:
        rule = " ".join(found[0].split())
        return f'<a href="#{rule_anchor(rule)}">{rule}</a>' if rule in numbers else found[0]

    if key in numbers:
        anchor = rule_anchor(key)
        head = f'<strong id="{anchor}"><a class="number" href="#{anchor}">{key.replace(" ", "&nbsp;")}</a>'
        html = re.sub(rf"<strong>{key}(?![\d.]*\d)", head, html, count=1)
    return re.sub(rf"\b{prefix}\s\d+(?:\.\d+)?(?!\.?\d)(?![^<]*>)", mention, html)
