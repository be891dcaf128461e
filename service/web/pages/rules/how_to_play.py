"""The page *How to play* of a title: its text is a file beside the catalogue (`how_to_play.md`), one for each language.

A number in it leads to the rule. A picture ``![caption](148/boston,albany)`` is the board of the title's example after
148 moves, around these places; without places it is the whole board.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from flask import Response, abort
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from domain import example
from domain.rules import View
from domain.title import Title
from service.web.pages.frame import _, page, reader
from service.web.pages.parts import boards
from service.web.pages.parts.refusals import rule_link
from service.web.pages.parts.terms import marker
from service.web.pages.parts.visits import title_or_404
from service.web.pages.rules import room
from service.words import ENGLISH, called
from service.words.rulebooks import languages_of, translation

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def text_of(title: Title) -> Path:
    """Return the file of the English text; a title without one has no such page."""
    return title.catalogue.with_name("how_to_play.md")


@room.app_template_test("explained")
def is_explained(title: Title) -> bool:
    return text_of(title).exists()


@room.get("/rules/<title>/how")
def how_to_play(title: str) -> Response:
    box, lang = title_or_404(title), reader().lang
    if not is_explained(box):
        abort(404)
    heading = _("How to play {title}", title=called(box, lang))
    in_lang = lang if lang in languages_of(text_of(box)) else ENGLISH
    return page("rules/how_to_play.html", title=box, heading=heading, text=explained(box, in_lang), shown_in=in_lang)


def explained(title: Title, lang: str) -> Markup:
    """Return the text in this language as HTML, with its pictures and its links to the rules."""
    file = text_of(title)
    tokens = _MARKDOWN.parse((file if lang == ENGLISH else translation(file, lang)).read_text(encoding="utf-8"))
    pictures = 0
    for at, token in enumerate(tokens):
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if token.type == "inline" and tokens[at - 1].type != "heading_open":
            _mark(title, token.children or [])
        if token.type == "inline" and (shown := _picture(token)) is not None:
            pictures += 1
            drawn = boards.part(title, _view(title, _moves(shown)), lang, _places(shown), f"picture-{pictures}")
            figure = f'<figure class="board">{drawn}<figcaption>{escape(shown.content)}</figcaption></figure>'
            tokens[at] = Token("html_block", "", 0, content=figure)
            tokens[at - 1].hidden = tokens[at + 1].hidden = True
    html = str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return Markup(re.sub(rf"\b{title.prefix} \d+\.\d+\b", lambda found: str(rule_link(found[0])), html))


def _mark(title: Title, parts: Sequence[Token]) -> None:
    """Mark the words of the game in a text, each once on the page."""
    for part in parts:
        if part.type == "text":
            part.type, part.content = "html_inline", str(marker(title)(part.content))


def _picture(token: Token) -> Token | None:
    """Return the picture that is all of a paragraph."""
    children = token.children or []
    return children[0] if len(children) == 1 and children[0].type == "image" else None


def _moves(picture: Token) -> int:
    return int(str(picture.attrs["src"]).partition("/")[0])


def _places(picture: Token) -> Sequence[str]:
    return [place for place in str(picture.attrs["src"]).partition("/")[2].split(",") if place]


_views: dict[tuple[str, int, int], View] = {}


def _view(title: Title, moves: int) -> View:
    """Return the spectators' view of the example after so many moves; each is made once."""
    key = title.id, title.rules.version, moves
    if key not in _views:
        _views[key] = title.rules.view(example.after(title, example.read(title), moves).state, None)
    return _views[key]
