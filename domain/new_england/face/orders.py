"""The names of the things of New England Railways in lines, the same for all commands."""

from domain.new_england.board import CITIES, COLOURS
from domain.new_england.view import NewEnglandView
from domain.orders import Names
from domain.words import Sentence

CITY, COLOUR, DOLLARS = "city", "colour", "dollars"

NAMES = Names({
    CITY: dict.fromkeys(CITIES, ()),
    COLOUR: dict.fromkeys(COLOURS, ()),
    DOLLARS: {DOLLARS: (Sentence("dollars | dollar"),)},
})  # fmt: skip


def names(view: NewEnglandView | None) -> Names:
    """Return the names, which are the same for every seat."""
    return NAMES
