"""All seats of a table compared by their public facts, and one of them opened: everything that is its own.

``?of=`` names the opened one. The board lights its pieces, as it does while the reader points at a seat.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import request

from domain.report import say_cell
from domain.title import Title
from domain.words import Language
from service.web.pages.frame import this_page
from service.web.pages.parts.things import ShelfShown, laid, shelves


class SeatCompared(NamedTuple):
    """``facts``: in the order of `SeatsCompared.names`. ``address``: of the page with this seat opened, or closed."""

    facts: list[str]
    address: str


class SeatsCompared(NamedTuple):
    """``names``: of the facts. ``seats``: by number. ``opened``: a seat, with ``shelves``; 0 if none is."""

    names: list[str]
    seats: Mapping[int, SeatCompared]
    opened: int
    shelves: list[ShelfShown]


def compared(title: Title, view: Any, language: Language, player: Callable[[int], str]) -> SeatsCompared:
    """Return the seats of ``view``, which shows what its viewer may see."""
    things = laid(title, view)
    opened = next((it for it in things.seats if str(it.seat) == request.args.get("of")), None)
    names = [say_cell(it, language, player) for it in things.compared]
    seats = {
        it.seat: SeatCompared([say_cell(each, language, player) for each in it.facts], _address(it.seat, it is opened))
        for it in things.seats
    }
    if opened is None:
        return SeatsCompared(names, seats, 0, [])
    return SeatsCompared(names, seats, opened.seat, shelves(opened.shelves, language, player))


def _address(seat: int, opened: bool) -> str:
    return this_page({"of": [] if opened else [str(seat)]}) + "#tab"
