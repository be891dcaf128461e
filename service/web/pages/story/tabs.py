"""The tabs of a past position. To add one, write a line in `TABS`, and a template in ``story/tab/``."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.games.queries import Seen
from service.web.pages.frame import reader
from service.web.pages.parts.seats import compared
from service.web.pages.parts.tabs import NO_FACTS, Tab
from service.words import N_


class PastShown(NamedTuple):
    """A past position as its page shows it. ``view``: None before all seats are taken."""

    seen: Seen
    view: Any


def _seats(shown: PastShown) -> Mapping[str, Any]:
    seen = shown.seen
    if shown.view is None:
        return NO_FACTS
    return {"compared": compared(seen.title, shown.view, seen.language(reader().lang), seen.player)}


TABS = (
    Tab("seats", N_("Players"), _seats),
    Tab[PastShown]("details", N_("Details")),
    Tab[PastShown]("story", N_("History")),
    Tab[PastShown]("sandbox", N_("Sandbox")),
    Tab[PastShown]("about", N_("About")),
)
"""In the order of the page, which has the facts of all but the first."""
