"""Tabs beside a board, as data: what players look up now and then. A page holds only the open one.

``?show=`` names it; forms send it along, so that it stays open (`kept`). A room lists its tabs: the id of each, its
name, and a function that returns its facts. Its words are in the template ``tab/ID.html`` beside the room's page, which
gets the facts as ``tab``. Nobody asks for the facts of a closed tab.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from flask import request

from service.web.pages.frame import _, this_page

NO_FACTS: Mapping[str, Any] = MappingProxyType({})


Page = TypeVar("Page")


class Tab(NamedTuple, Generic[Page]):
    """``name``: in English. ``facts``: from what the room knows of its page. ``new``: the number of unread things."""

    id: str
    name: str
    facts: Callable[[Page], Mapping[str, Any]] = lambda _page: NO_FACTS
    new: Callable[[Page], int] = lambda _page: 0


class TabShown(NamedTuple):
    """A tab as a link. ``address``: of the page with the tab open or, if it is open, without it.

    ``new``: the number of unread things in a tab that is not open.
    """

    id: str
    name: str
    address: str
    here: bool
    new: int = 0


class TabsShown(NamedTuple):
    """The links of all tabs, and the open one: its id, name and facts. ``id``: "" if none is open."""

    links: Sequence[TabShown]
    id: str = ""
    name: str = ""
    facts: Mapping[str, Any] = NO_FACTS


def asked() -> str:
    """Return the id of the tab that the address opens, "" for none: a page makes no more than its open tab shows."""
    return request.values.get("show", "")


def shown(tabs: Sequence[Tab[Page]], page: Page) -> TabsShown:
    """Return the tabs of a page, with the one that the address opens."""
    open_one, bare = asked(), this_page({"show": []})
    opened = next((it for it in tabs if it.id == open_one), None)
    before = f"{bare}{'&' if '?' in bare else '?'}show="
    links = [
        TabShown(it.id, _(it.name), f"{bare}#turn", True)
        if it is opened
        else TabShown(it.id, _(it.name), f"{before}{it.id}#tab", False, it.new(page))
        for it in tabs
    ]
    if opened is None:
        return TabsShown(links)
    return TabsShown(links, opened.id, _(opened.name), opened.facts(page))


def kept(address: str) -> str:
    """Return an address with the tab that is open, or was when a form was sent."""
    name, (whole, sign, part) = asked(), address.partition("#")
    known = name.isascii() and name.isalpha() and len(name) <= LONGEST
    return f"{whole}{'&' if '?' in whole else '?'}show={name}{sign}{part}" if known else address


LONGEST = 12
"""Letters of a tab's id."""
