"""HTML parts as lines. Quotes are cut by their elements, before there is any text.

Blocks and breaks separate lines; white space collapses except in ``pre``. Nothing is fetched. Of styles, only inline
ones count that hide an element or strike it out. Text in the colour of its declared background is hidden; white text
without a declared background is not, since people write it in dark mode.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct, structs

from . import seen
from .lines import TextLine, visible

_VOID = {"br", "img", "hr", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr", "param"}
_UNSEEN = {
    "style", "script", "head", "title", "template", "noscript", "select", "textarea", "object", "svg", "audio",
    "video", "canvas", "iframe", "xml", "math",
    "s", "strike", "del",
}  # fmt: skip
"""Hidden elements, and those that the writer struck out."""
_BLOCKS = {
    "p", "div", "blockquote", "pre", "table", "tr", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr", "center", "form", "fieldset", "section", "article", "header", "footer", "main", "address", "body",
    "html", "figure", "caption", "thead", "tbody", "tfoot", "details", "summary", "nav", "aside",
}  # fmt: skip
_APART = {"p", "blockquote", "pre", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}
"""Blocks that are separated from their surroundings, as if by empty lines."""

_OUTLOOK_RULE = re.compile(r"border-top:solid#?\w{1,12}1\.0pt;padding:3\.0pt0|border-top:1pxsolid#e1e1e1")
_OUTLOOK_BAR = re.compile(r"border-left:solid#?\w{1,12}1\.5pt;padding:0(?:cm|in)0(?:cm|in)0(?:cm|in)4\.0pt")
"""The left border of Outlook's quotes."""

_GIVEN = re.compile(r"^(?:(?:x_){1,9}|m_-?\d{1,25}|ydp[0-9a-f]{4,12})")
"""The prefixes that Outlook, Gmail and Yahoo put before names in a page that they show or quote."""
_FROM_HERE = {
    "divrplyfwdmsg", "appendonsend", "ms-outlook-mobile-reference-message", "stopspelling",
    "mail-editor-reference-message", "moz-forward-container", "replysplit", "outlookmessageheader",
    "isforwardcontent", "zwchr",
}  # fmt: skip
"""Ids and classes after which all text is quoted: mail programs put them before a quote, not around it."""
_QUOTES = {
    "yahoo_quoted", "zmail_extra", "messagereplysection", "isreplycontent", "history_container", "ntes_quote",
    "qmquote", "olk_src_body_section", "mail-editor-reference-message-container", "gmail_extra_quote", "wmquote",
    "mailquote", "tutanota_quote", "hey_quote", "fm_quote", "front-blockquote", "spark_quote", "zm_divdraftmsg",
    "quoted-text", "cm_quote", "pmail_quote", "cafe24_quote", "freebirdforwardmsg", "__quoted_text__",
    "bloop_original_html",
}  # fmt: skip
"""Ids, classes and names of elements that contain a quote."""
_AROUND_QUOTES = {"gmail_quote", "gmail_quote_container", "protonmail_quote", "zm_quote", "quote"}
"""Elements that contain a quote, with inline answers between its pieces."""
_ATTRIBUTIONS = {"gmail_attr", "reply-intro", "moz-cite-prefix", "moz-email-headers-table"}
_SIGNATURES = {
    "gmail_signature", "moz-signature", "protonmail_signature_block", "ms-outlook-mobile-signature", "signature",
    "applemailsignature", "linebreakatbeginningofsignature", "ms-outlook-ios-signature", "mail-signature",
    "signature_old", "composer-signature", "tutanota-signature", "edo-signature", "hotmail_signature",
    "zimbrasignature", "zmail_signature",
}  # fmt: skip


class _Open(Struct):
    """An open element, with the properties of its text. ``ink``, ``ground``: the colours of text and background."""

    tag: str
    unseen: bool = False
    ink: str = ""
    ground: str = ""
    depth: int = 0
    cut: str = ""
    pre: bool = False
    around: int = 0


class _Walker:
    """A visitor of every element and text that collects lines. It never looks back, so it takes linear time."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self._open = [_Open("")]
        self._text: list[str] = []
        self._rest = ""  # the reason why everything from here on is cut
        self._arounds = 0
        self._quoted_within: set[int] = set()
        self._held: dict[int, list[int]] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2].lower()
        marks = _marks(attributes)
        style = _styled(attributes.get("style", ""))
        if tag in _BLOCKS or tag == "br":
            self._flush(always=tag == "br")
        if tag == "td" or tag == "th":
            self._text.append(" ")
        if self._open[-1].depth == 0 and (marks & _FROM_HERE or (tag == "div" and style.outlook_rule)):
            self._flush()
            self._rest = self._rest or "quote"
        if tag in _VOID:
            return
        self._open.append(self._opened(tag, attributes, marks, style))
        if tag in _APART:
            self._empty()

    def _opened(self, tag: str, attributes: dict[str, str], marks: frozenset[str], style: "_Style") -> _Open:
        outer = self._open[-1]
        around = outer.around
        if marks & _AROUND_QUOTES and tag != "blockquote" and outer.depth == 0:
            self._arounds += 1
            around = self._arounds
        if tag == "blockquote" and around:
            self._quoted_within.add(around)
        cut = outer.cut
        for names, why in ((_QUOTES, "quote"), (_ATTRIBUTIONS, "attribution"), (_SIGNATURES, "signature")):
            if marks & names:
                cut = cut or why
        if cut != outer.cut or around != outer.around:
            self._flush()
        hidden = tag in _UNSEEN or "hidden" in attributes or style.hidden
        quotes = not style.indent if tag == "blockquote" else tag == "div" and style.outlook_bar
        return _Open(
            tag,
            outer.unseen or hidden,
            (seen.ink(style.said, attributes["color"]) if tag == "font" and "color" in attributes else style.ink)
            or outer.ink,
            (seen.ground(style.said, attributes["bgcolor"]) if "bgcolor" in attributes else style.ground)
            or outer.ground,
            outer.depth + quotes,
            cut,
            outer.pre or tag == "pre" or style.pre,
            around,
        )

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2].lower()
        if tag in _VOID or len(self._open) == 1:
            return
        closed = self._open[-1]
        if tag in _BLOCKS or (closed.cut, closed.around) != (self._open[-2].cut, self._open[-2].around):
            self._flush()
        self._open.pop()
        if tag in _APART:
            self._empty()

    def data(self, text: str) -> None:
        now = self._open[-1]
        if now.unseen or now.ink == seen.TRANSPARENT or (now.ink and now.ink == now.ground):
            return
        if not now.pre:
            self._text.append(text)
            return
        first, *others = text.split("\n")
        self._text.append(first)
        for other in others:
            self._flush(always=True)
            self._text.append(other)

    def comment(self, text: str) -> None:
        """Skip comments."""

    def close(self) -> list[TextLine]:
        self._flush()
        for around, places in self._held.items():
            why = "attribution" if around in self._quoted_within else "quote"
            for place in places:
                self.lines[place] = structs.replace(self.lines[place], cut=why)
        return self.lines

    def _flush(self, *, always: bool = False) -> None:
        """End the line collected so far. An empty one is kept only if ``always``."""
        text = visible(" ".join("".join(self._text).split()))
        self._text.clear()
        if not text:
            if always:
                self._empty()
            return
        now = self._open[-1]
        if now.around and not now.depth and not now.cut and now.around not in self._quoted_within:
            self._held.setdefault(now.around, []).append(len(self.lines))  # otherwise it is an inline answer
        self.lines.append(TextLine(text, len(self.lines) + 1, now.depth, now.cut or self._rest))

    def _empty(self) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(TextLine("", len(self.lines) + 1, self._open[-1].depth, self._open[-1].cut or self._rest))


def lines_of(html: str) -> list[TextLine]:
    """Return the lines of a page as a reader sees them, with their depth, and with the cuts by its elements."""
    from lxml import etree  # 4 MB, which only the processes need that read or write mail

    walker = _Walker()
    parser = etree.HTMLParser(target=walker, encoding="utf-8", huge_tree=True, recover=True)
    try:
        parser.feed(html.replace("\0", "").encode("utf-8", "replace"))
        parser.close()
    except etree.XMLSyntaxError:  # an empty document
        return walker.close()
    return walker.lines


_NAMES = ("id", "class", "name", "data-marker", "data-smartmail")
_NO_MARKS: frozenset[str] = frozenset()


def _marks(attributes: dict[str, str]) -> frozenset[str]:
    """Return all names of an element, in lower case."""
    said = [attributes[name][:500] for name in _NAMES if name in attributes]
    return frozenset(_GIVEN.sub("", one) for one in " ".join(said).lower().split()) if said else _NO_MARKS


# ==== styles ======================================================================================
class _Style(Struct, frozen=True):
    """The meaning of an element's style. ``said``: its declarations. ``indent``: of Outlook's and Gmail's
    blockquotes, which have no border.
    """

    said: Mapping[str, str]
    ink: str
    ground: str
    hidden: bool
    pre: bool
    indent: bool
    outlook_rule: bool
    outlook_bar: bool


def _styled(style: str) -> _Style:
    """Return the meaning of a style, cached: most elements of a page share a few."""
    return _known_style(style) if len(style) <= LONGEST_KEPT else _style(style)


LONGEST_KEPT = 500
"""Characters of a style in the cache: a page may contain any."""


def _style(style: str) -> _Style:
    plain = "".join(style.lower().split())
    said = seen.declarations(plain)
    return _Style(
        said,
        seen.ink(said),
        seen.ground(said),
        seen.is_hidden(said),
        "white-space:pre" in plain,
        plain.startswith("margin:00040px") and "border:none" in plain,
        bool(_OUTLOOK_RULE.search(plain)),
        bool(_OUTLOOK_BAR.search(plain)),
    )


_known_style = lru_cache(512)(_style)
