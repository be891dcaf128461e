"""A browser without scripts, for tests: it keeps cookies, fills in forms, and checks every page.

It requires well-formed HTML, one heading of the first rank, labels, landmarks, unique ids, no inline code that the
content security policy would stop, and the form token in every form.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from html import unescape
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from flask.testing import FlaskClient

from service.words import languages

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NOT_IN_P = {
    "div", "form", "ul", "ol", "dl", "p", "table", "section", "fieldset", "h1", "h2", "h3", "pre", "details", "figure",
}  # fmt: skip


@dataclass
class Element:
    tag: str
    attrs: dict[str, str]
    parent: "Element | None" = None
    children: "list[Element | str]" = field(default_factory=list)

    def walk(self) -> "Iterator[Element]":
        """Yield the element and all inside it, in the order of the page."""
        coming = [self]
        while coming:
            it = coming.pop()
            yield it
            coming += [child for child in reversed(it.children) if isinstance(child, Element)]

    def all(self, tag: str, **attrs: str) -> "list[Element]":
        return [it for it in self.walk() if it.tag == tag and all(it.attrs.get(k) == v for k, v in attrs.items())]

    @property
    def text(self) -> str:
        """Return all words inside, with single spaces between."""
        return " ".join(self._words().split())

    def _words(self) -> str:
        return "".join(child if isinstance(child, str) else f" {child._words()} " for child in self.children)

    def inside(self, tag: str) -> "Element | None":
        above = self.parent
        while above is not None and above.tag != tag:
            above = above.parent
        return above


TOKEN = re.compile(
    r"""<(?:
        /(?P<ends>[a-zA-Z][\w:-]*)\s*
        | (?P<begins>[a-zA-Z][\w:-]*)
          (?P<attrs>(?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*'|=[^\s"'=<>`]+)?)*) \s*(?P<both>/?)
        | !--.*?-- | ![^>]*
    )>""",
    re.VERBOSE | re.DOTALL,
)
ATTR = re.compile(r"""([^\s"'<>/=]+)(?:="([^"]*)"|='([^']*)'|=([^\s"'=<>`]+))?""")
RAW = ("script", "style")
"""Elements whose content has no tags."""


@lru_cache(20_000)  # from page to page, most attributes are the same
def _attrs(given: str) -> dict[str, str]:
    found = [(name.lower(), unescape("".join(values))) for name, *values in ATTR.findall(given)]
    names = [name for name, _ in found]
    assert len(names) == len(set(names)), f"an attribute is there twice: {names}"
    return dict(found)


def parse(html: str) -> Element:
    """Build the tree of a page, which must close every element where it was opened.

    The standard library's parser would take five times as long, which is a fifth of all tests of pages.
    """
    root = here = Element("", {})
    at = 0
    while found := TOKEN.search(html, at):
        _text(here, html[at : found.start()])
        at = found.end()
        if tag := (found["ends"] or "").lower():
            assert tag == here.tag, f"</{tag}> closes <{here.tag}> before {html[at : at + 80]!r}"
            assert here.parent is not None
            here = here.parent
        elif tag := (found["begins"] or "").lower():
            made = Element(tag, _attrs(found["attrs"]), here)
            here.children.append(made)
            if tag in RAW:
                end = html.index(f"</{tag}>", at)
                made.children += [html[at:end]] if end > at else []
                at = end + len(f"</{tag}>")
            elif tag not in VOID and not found["both"]:
                here = made
    _text(here, html[at:])
    assert here is root, f"<{here.tag}> is not closed"
    return root


def _text(here: Element, text: str) -> None:
    assert "<" not in text, f"not HTML: {text!r}"
    if text:
        here.children.append(unescape(text) if "&" in text else text)


def look_at(html: str) -> Element:
    """Return the tree of a page, or raise ``AssertionError`` if a person could not use it."""
    assert html.lstrip().lower().startswith("<!doctype html>")
    root = parse(html)
    everything = list(root.walk())
    by_tag: dict[str, list[Element]] = {}
    for it in everything:
        by_tag.setdefault(it.tag, []).append(it)
    (page,) = by_tag["html"]
    assert page.attrs["lang"] in languages()
    (title,) = [it for it in by_tag["title"] if it.inside("head")]
    assert title.text.strip()
    for once in ("h1", "header", "main", "footer"):
        assert len(by_tag.get(once, ())) == 1, once
    for it in by_tag.get("a", ()):
        assert any(map(it.inside, ("header", "nav", "main", "footer"))), f"outside of all landmarks: {it.text}"
    ids = [it.attrs["id"] for it in everything if "id" in it.attrs]
    assert len(ids) == len(set(ids)), f"twice: {sorted(it for it in ids if ids.count(it) > 1)}"
    headings = {it.attrs.get("id"): it.text for tag in ("h2", "h3") for it in by_tag.get(tag, ())}
    named = [
        headings.get(it.attrs["aria-labelledby"]) for it in by_tag.get("section", ()) if "aria-labelledby" in it.attrs
    ]
    assert len(named) == len(set(named)), f"two landmarks have one name: {named}"
    known, labelled = set(ids), {it.attrs.get("for") for it in by_tag.get("label", ())}
    rank = 1
    for it in everything:
        _usable(it, known, labelled)
        if it.tag in ("h1", "h2", "h3", "h4"):
            assert int(it.tag[1]) <= rank + 1, f"{it.tag} after h{rank}"
            rank = int(it.tag[1])
    return root


def _usable(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    """Check one element by itself. ``labelled``: ids for which there is a label."""
    for name, value in it.attrs.items():
        assert name != "style", f"<{it.tag}> has a style of its own"
        assert not name.startswith("on"), f"<{it.tag}> has a script of its own"
        if name == "href":
            assert not value.lower().startswith(("javascript:", "data:"))
        elif name in ("aria-labelledby", "aria-describedby", "for"):
            for target in value.split():
                assert target in ids, f'{name}="{target}" leads nowhere'
    if special := OF_A_KIND.get(it.tag):
        special(it, ids, labelled)


def _usable_script(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert it.attrs["src"].startswith("/")
    assert not it.children


def _usable_paragraph(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert not [child.tag for child in it.walk() if child is not it and child.tag in NOT_IN_P]


def _usable_control(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    if it.attrs.get("type") != "hidden":
        named = "aria-label" in it.attrs or it.attrs.get("id", "?") in labelled
        assert named or it.inside("label"), f"{it.attrs} has no label"


def _usable_button(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert it.text or "aria-label" in it.attrs, f"<{it.tag}> without words"


def _usable_link(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    _usable_button(it, ids, labelled)
    if it.attrs.get("href", "").startswith("#"):
        assert it.attrs["href"][1:] in ids, it.attrs["href"]


def _usable_image(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert "alt" in it.attrs


def _usable_list(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert it.attrs.get("role", "list") == "list", f"<{it.tag}> with another role is no list to a screen reader"


def _usable_drawing(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    if it.attrs.get("aria-hidden") != "true":
        assert it.attrs.get("role") == ("group" if it.all("a") else "img")  # screen readers skip links inside an "img"
        assert it.all("title")[0].text


def _usable_head(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert it.attrs["scope"] in ("row", "col")


def _usable_frame(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    assert it.attrs.get("aria-label") or it.attrs.get("title")


def _usable_form(it: Element, ids: set[str], labelled: set[str | None]) -> None:
    one_click = it.attrs.get("action", "").startswith(("/unsubscribe/", "/never/"))
    if it.attrs.get("method") == "post" and not one_click:
        assert it.all("input", name="csrf"), f"the form to {it.attrs['action']} has no token"


OF_A_KIND = {
    "script": _usable_script,
    "p": _usable_paragraph,
    **dict.fromkeys(("input", "select", "textarea"), _usable_control),
    "a": _usable_link,
    "button": _usable_button,
    "img": _usable_image,
    **dict.fromkeys(("ul", "ol"), _usable_list),
    "svg": _usable_drawing,
    "th": _usable_head,
    **dict.fromkeys(("nav", "iframe"), _usable_frame),
    "form": _usable_form,
}


class Form:
    """A form of a page, with the values that it would send."""

    def __init__(self, element: Element, browser: "Browser") -> None:
        self.element, self.browser = element, browser
        self.address, self.method = element.attrs.get("action", ""), element.attrs.get("method", "get")
        self.filled: dict[str, Any] = {}
        for control in element.walk():
            name, kind = control.attrs.get("name"), control.attrs.get("type")
            if name is None:
                continue
            if control.tag == "select":
                chosen = [it for it in control.all("option") if "selected" in it.attrs] or control.all("option")[:1]
                self.filled[name] = chosen[0].attrs["value"]
            elif control.tag == "textarea":
                self.filled[name] = "".join(str(child) for child in control.children)
            elif kind == "hidden" and name in self.filled:  # one of several
                before = self.filled[name]
                self.filled[name] = [*(before if isinstance(before, list) else [before]), control.attrs["value"]]
            elif control.tag == "input" and (kind not in ("checkbox", "radio") or "checked" in control.attrs):
                self.filled[name] = control.attrs.get("value", "on")

    @property
    def buttons(self) -> list[Element]:
        """The buttons inside, and those elsewhere that name this form."""
        top = self.element
        while top.parent is not None:
            top = top.parent
        inside = [it for it in self.element.all("button") if "form" not in it.attrs]
        return inside + (top.all("button", form=self.element.attrs["id"]) if "id" in self.element.attrs else [])

    def submit(self, button: str | None = None, **entries: Any) -> "Page":
        """Fill in ``entries`` and press the button whose words begin with ``button`` (the first one)."""
        pressed = next(it for it in self.buttons if button is None or it.text.startswith(button))
        sent = {**self.filled, **entries}
        if "name" in pressed.attrs:
            sent[pressed.attrs["name"]] = pressed.attrs["value"]
        sent = {k: v for k, v in sent.items() if v is not None}
        if self.method == "get":
            return self.browser.get(f"{self.address.partition('#')[0]}?{urlencode(sent, doseq=True)}")
        return self.browser.post(self.address, sent)


_looked_at: set[bytes] = set()
"""The digests of pages that a person can use."""


class Page:
    """The answer to a request."""

    def __init__(self, response: Any, browser: "Browser", address: str) -> None:
        self.response, self.browser, self.address = response, browser, address
        self.status = response.status_code
        self.html = response.get_data().decode(errors="replace")  # a downloaded file need not be text
        a_file = response.headers.get("Content-Disposition", "").startswith("attachment")
        self.is_html = response.mimetype == "text/html" and not a_file
        if self.is_html and (seen := sha256(self.bytes).digest()) not in _looked_at:
            self.root = look_at(self.html)
            _looked_at.add(seen)

    @cached_property
    def root(self) -> Any:
        """The tree of the page, None of anything else."""
        return parse(self.html) if self.is_html else None

    @property
    def bytes(self) -> bytes:
        """Return the body without the mask of the forms' token, which differs in each answer."""
        return re.sub(rb'(name="csrf" value=")[\w-]{86}"', rb'\1"', self.response.get_data())

    @property
    def text(self) -> str:
        assert self.root is not None
        return " ".join(self.root.all("main")[0].text.split())

    @property
    def h1(self) -> str:
        assert self.root is not None
        return self.root.all("h1")[0].text

    @property
    def forms(self) -> list[Form]:
        assert self.root is not None
        return [Form(it, self.browser) for it in self.root.all("main")[0].all("form")]

    def form(self, action: str) -> Form:
        """Return the first form whose address ends in ``action``."""
        found = [it for it in self.forms if it.address.endswith(action)]
        assert found, f"no form to {action} among {[it.address for it in self.forms]}"
        return found[0]

    def press(self, button: str, **entries: Any) -> "Page":
        """Press the first button whose words begin with ``button``."""
        form = next(it for it in self.forms if any(each.text.startswith(button) for each in it.buttons))
        return form.submit(button, **entries)

    def has_button(self, button: str) -> bool:
        return any(each.text.startswith(button) for it in self.forms for each in it.buttons)

    def has_form(self, action: str) -> bool:
        return any(it.address.endswith(action) for it in self.forms)

    @property
    def links(self) -> list[str]:
        assert self.root is not None
        return [it.attrs["href"] for it in self.root.all("a") if it.attrs["href"].startswith("/")]

    def tab(self, id: str) -> "Page":
        """Open a tab of a table or sandbox, unless it is open."""
        assert self.root is not None
        [link] = self.root.all("a", id=f"tab-{id}")
        return self if "aria-current" in link.attrs else self.browser.get(link.attrs["href"].partition("#")[0])

    def follow(self, text: str) -> "Page":
        """Follow the first link of the content whose words begin with ``text``."""
        assert self.root is not None
        link = next(it for it in self.root.all("main")[0].all("a") if it.text.strip().startswith(text))
        return self.browser.get(link.attrs["href"])


class Browser:
    """A person's browser. ``lang``: its language; ``number`` and ``name``: its person, once they are signed in."""

    number: int
    name: str

    def __init__(self, app: Flask, lang: str = "en") -> None:
        self.client: FlaskClient = app.test_client()
        self.headers = {"Accept-Language": lang, "Sec-Fetch-Site": "same-origin"}

    def get(self, address: str, **more: Any) -> Page:
        response = self.client.get(address, headers={**self.headers, **more.pop("headers", {})}, **more)
        return self._arrived(response, address)

    def post(self, address: str, data: dict[str, Any], headers: dict[str, str] | None = None) -> Page:
        response = self.client.post(address, data=data, headers={**self.headers, **(headers or {})})
        return self._arrived(response, address)

    def _arrived(self, response: Any, address: str) -> Page:
        for _ in range(5):
            if response.status_code not in (301, 302, 303, 307, 308):
                break
            address = response.headers["Location"]
            assert address.startswith("/"), f"led away to {address}"
            response = self.client.get(address, headers=self.headers)
        return Page(response, self, address)
