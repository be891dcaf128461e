"""The tabs of a past position. To add one, write a line in `TABS`, and a template in ``story/tab/``."""

from service.web.pages.parts.tabs import Tab
from service.words import N_

TABS = (
    Tab[None]("details", N_("Details")),
    Tab[None]("story", N_("History")),
    Tab[None]("sandbox", N_("Sandbox")),
    Tab[None]("about", N_("About")),
)
"""In the order of the page, which has the facts of all of them."""
