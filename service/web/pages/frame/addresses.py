"""Addresses in pages: that of the page itself, and a cache of all others."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from flask import g, request, url_for

from service.web.pages.frame.blueprint import pages
from service.web.pages.frame.reader import reader


def this_page(changed: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the address of this page without fields that work once; after a form, that of a page that can be opened.

    ``changed``: new values for fields of the address.
    """
    path, kept = request.path, list(_carried())
    if request.method not in ("GET", "HEAD"):
        path, kept = _page_of_the_form(), []
    if "turn_tried" in g:
        kept = [*(it for it in kept if it[0] not in TRIED), *g.turn_tried]
    if changed is not None:
        kept = [it for it in kept if it[0] not in changed]
        kept += [(name, value) for name, values in changed.items() for value in values]
    query = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in kept)
    return path + (f"?{query}" if query else "")


LONGEST_ADDRESS = 6000
"""Characters of our longest address; servers and browsers accept more."""
ONCE = ("said", "did", "board", "stays", "key")
"""Fields of an address that work once."""
TRIED = ("v", "try")
"""Fields of an address that hold a tried turn (`trying`)."""
CARRIED: Mapping[str, int] = {
    "after": 50, "against": 10, "as": 5, "at": 60, "before": 50, "call": 9, "came": 20, "do": 20, "failing": 2,
    "find": 100, "finished": 3, "first_day": 10, "from": 9, "game": 50, "group": 20, "in": 20, "last_day": 10,
    "lesson": 40, "line": 4, "move": 9, "next": 500, "number": 3, "of": 2, "over": 5, "pace": 10, "page": 4,
    "person": 50, "rated": 3, "rating_high": 6, "rating_low": 6, "sandbox": 26, "seat": 2, "seats": 2, "seats_for": 20,
    "show": 12, "since": 15, "skip": 9, "state": 20, "status": 20, "table_lang": 5, "text": 254, "title": 40,
    "to": 254, "trouble": 20, "try": LONGEST_ADDRESS, "until": 9, "v": 9,
}  # fmt: skip
"""The other fields that pages read, each with the most characters of a meaningful value."""
SEVERAL = ("at", "try")
"""Those that may be repeated in an address."""


def _carried() -> Iterator[tuple[str, str]]:
    """Yield the fields of this address that links keep: known ones, within the longest address.

    A page has hundreds of links, and anybody can write an address.
    """
    left, found = LONGEST_ADDRESS, set()
    for name, value in request.args.items(multi=True):
        if len(value) > CARRIED.get(name, -1) or (name in found and name not in SEVERAL):
            continue
        left -= len(name) + len(_quoted(value)) + len("?=")
        if left < 0:
            return
        found.add(name)
        yield name, value


def _page_of_the_form() -> str:
    given = request.view_args or {}
    if "sandbox_id" in given:
        return sandbox_address(given["sandbox_id"])
    if request.blueprint == "pages.lessons":
        return url_for("pages.text.lesson" if in_words() else "pages.lessons.step", **given)
    game_id = given.get("game_id")
    return table_address(game_id) if game_id else url_for("pages.front.first")


# ==== tables and sandboxes, with a board or in words ==============================================
IN_WORDS = "in_words"
"""The field of forms that come from a text table: their answer is one, too."""


def in_words() -> bool:
    """Is this a text table, or did the form come from one?"""
    return request.blueprint == "pages.text" or IN_WORDS in request.form


def table_address(game_id: str) -> str:
    """Return the address of a table: in words if this page is, else with its board, whatever the reader prefers."""
    if in_words():
        return url_for("pages.text.table", game_id=game_id)
    return url_for("pages.table.game", game_id=game_id, **_with_board())


def sandbox_address(sandbox_id: str) -> str:
    """Return the address of a sandbox, in the same way."""
    if in_words():
        return url_for("pages.text.sandbox", sandbox_id=sandbox_id)
    return url_for("pages.sandbox.sandbox", sandbox_id=sandbox_id, **_with_board())


def _with_board() -> dict[str, Any]:
    return {"as": "board"} if prefers_words() else {}


def prefers_words() -> bool:
    """Does the reader open games as text tables?"""
    asker = reader().asker
    return asker is not None and asker.open_as == "text"


def _quoted(text: str) -> str:
    return quote(text, safe="")


@pages.app_template_global("url_for")
def address(endpoint: str, **facts: Any) -> str:
    """Return `url_for` for the templates, cached: a page has dozens of addresses, mostly those of the page before."""
    return _address(request.root_url, endpoint, tuple(facts.items()))


@lru_cache(4096)
def _address(site: str, endpoint: str, facts: tuple[tuple[str, Any], ...]) -> str:
    """``site``: the root of its addresses."""
    return url_for(endpoint, **dict(facts))
