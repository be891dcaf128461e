"""The tabs of a table. To add one, write a line in `TABS`, and a template in ``table/tab/``."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import url_for

from domain.chain import fingerprint
from service.games import queries
from service.games.queries import Seen
from service.games.rights import may
from service.web.pages.frame import reader
from service.web.pages.parts.seats import compared
from service.web.pages.parts.tabs import Tab
from service.web.pages.parts.talk import glanced, talk_tab
from service.web.pages.sandbox.sandboxes import offer
from service.words import N_


class TableShown(NamedTuple):
    """A table as its page shows it: the facts that tabs start from. ``view``: of the tried turn, if there is one."""

    seen: Seen
    at: int
    view: Any


def _seats(table: TableShown) -> Mapping[str, Any]:
    seen = table.seen
    return {"compared": compared(seen.title, table.view, seen.language(reader().lang), seen.player)}


def _sandbox(table: TableShown) -> Mapping[str, Any]:
    return {"trying": offer(table.seen, table.seen.game.version)}


def _about(table: TableShown) -> Mapping[str, Any]:
    seen = table.seen
    why_not = queries.why_no_take_back(seen, table.at)
    return {
        "fingerprint": fingerprint(seen.stored.head),
        "rated": seen.row.rated,
        "resign": "resign" in may(seen, table.at),
        "why_not": None if why_not is None else seen.say(why_not, reader().lang),
        "large": url_for("pages.story.large_board", game_id=seen.game.id, version=seen.game.version),
    }


TABS: tuple[Tab[TableShown], ...] = (
    Tab("seats", N_("Players"), _seats),
    Tab[TableShown]("details", N_("Details")),
    Tab[TableShown]("story", N_("History")),
    Tab("talk", N_("Talk"), lambda table: {"talk": talk_tab(table.seen)}, lambda table: glanced(table.seen).new),
    Tab("sandbox", N_("Sandbox"), _sandbox),
    Tab("about", N_("About"), _about),
)
"""In the order of the page."""
