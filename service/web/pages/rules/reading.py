"""Pages of text: the numbered rules, and the credits of the games."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Response
from markdown_it import MarkdownIt
from markupsafe import Markup

import domain
from service.web.pages.frame import _, page, reader
from service.web.pages.parts.boards import notes
from service.web.pages.parts.refusals import rule_anchor
from service.web.pages.parts.visits import title_or_404
from service.web.pages.rules import room
from service.web.shared.context import store
from service.words import called

HOUSE = "house"
HOUSE_RULES = Path(domain.__file__).parent / "HOUSE_RULES.md"


class ReadCatalogue(NamedTuple):
    """A rules catalogue as a page: text with an anchor for each rule's number, and its chapters (anchor, name)."""

    text: Markup
    contents: list[tuple[str, str]]


@room.get("/rules")
def rules_index() -> Response:
    return page("rules/rules_index.html", titles=list(store.titles.values()))


@room.get("/rules/<title>")
def rules(title: str) -> Response:
    if title == HOUSE:
        read = catalogue(HOUSE_RULES, ("ST",))
        return page("rules/rules.html", heading=_("House rules"), text=read.text, contents=read.contents, notes=[])
    box = title_or_404(title)
    read = catalogue(box.catalogue, (box.prefix,))
    heading = _("{title}: the rules", title=called(box, reader().lang))
    return page(
        "rules/rules.html", heading=heading, text=read.text, contents=read.contents, notes=notes(box, reader().lang)
    )


@cache
def catalogue(file: Path, prefixes: tuple[str, ...]) -> ReadCatalogue:
    """Read the rules in ``file`` (Markdown): each rule's number becomes an anchor, and each mention of it a link."""
    tokens = _MARKDOWN.parse(file.read_text(encoding="utf-8"))
    contents = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            tokens[at + 1].children, tokens[at + 1].content = [], ""  # the page has its own heading
            token.hidden = tokens[at + 2].hidden = True
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if token.type == "heading_open" and token.tag == "h2":
            name = tokens[at + 1].content
            anchor = "chapter-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
            token.attrSet("id", anchor)
            contents.append((anchor, name))
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return ReadCatalogue(Markup(_link_numbers(html, "|".join(prefixes))), contents)


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def _link_numbers(html: str, prefixes: str) -> str:
    """Turn the bold number at the head of a rule into an anchor, and every other mention into a link."""
    placed: set[str] = set()

    def head(found: re.Match[str]) -> str:
        rule = found[1]
        anchor = rule_anchor(rule)
        if anchor in placed:
            return found[0]
        placed.add(anchor)
        return f'<strong id="{anchor}"><a class="number" href="#{anchor}">{rule.replace(" ", "&nbsp;")}</a>'

    def mention(found: re.Match[str]) -> str:
        return f'<a href="#{rule_anchor(found[0])}">{found[0]}</a>' if rule_anchor(found[0]) in placed else found[0]

    number = rf"(?:{prefixes}) \d+(?:\.\d+)?"
    html = re.sub(rf"<strong>({number})(?![\d.]*\d)", head, html)
    return re.sub(rf"\b{number}(?!\.?\d)(?![^<]*>)", mention, html)


@room.get("/legal")
def legal() -> Response:
    titles = list(store.titles.values())
    return page("rules/legal.html", titles=titles, notes={title.id: notes(title, reader().lang) for title in titles})
