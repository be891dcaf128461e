"""The things that lie before the players beside the board: a hand, a train, a market, an account.

A title lays them out from a view (`Title.things`), so they show only what the viewer may see. The purpose of each thing
stands with it, with the number of its rule. The page that shows the things decides on their layout.
"""

from typing import Literal

import msgspec

from domain.report import Cell
from domain.words import Sentence


class Sketch(msgspec.Struct, frozen=True):
    """A drawing of a thing in the colours of pages (``var(--board-ink)``): SVG in a box of this width and height.

    ``map_box``: the drawing is instead a part of the board (x, y, width, height in board units), above the land of the
    board's map. ``telling``: it says as much as the name of its thing, and stands for the name where room is short.
    """

    width: float
    height: float
    svg: str
    map_box: tuple[float, float, float, float] | None = None
    telling: bool = False


class Use(msgspec.Struct, frozen=True):
    """A purpose of a thing: a sentence, or the id that the title's words name by it, and the number of the rule ("GTJ
    11.9"). ``name``: an id, if the thing has several uses.
    """

    text: str | Sentence
    rule: str
    name: str = ""


class Thing(msgspec.Struct, frozen=True):
    """A card, a railcar, a ticket, a link on offer.

    ``name``: an id that the title's words name, or a sentence. ``place``: the id by which one points at it
    (`domain.places`). ``mark``: its number: days, price, or count. ``said``: further sentences about it. ``shows``: the
    ids of its features, which ``uses`` explain.
    """

    name: str | Sentence
    place: str = ""
    sketches: tuple[Sketch, ...] = ()
    mark: Sentence | None = None
    said: tuple[Sentence, ...] = ()
    shows: str = ""
    uses: tuple[Use, ...] = ()


class Shelf(msgspec.Struct, frozen=True):
    """Things that lie together.

    ``lies``: "own" before the viewer, "near" if players point at it every turn, "display" if they do so now and then,
    "aside" if they only consult it. ``uses``: the purpose of all of the things. ``listed``: one under the other, with a
    long text each. ``drawn``: the larger of the two drawings of the board shows them, too.
    """

    name: Sentence
    lies: Literal["own", "near", "display", "aside"]
    things: tuple[Thing, ...]
    uses: tuple[Use, ...] = ()
    listed: bool = False
    drawn: bool = False


class Seated(msgspec.Struct, frozen=True):
    """The public part of a seat. ``colour`` and ``letter``: those of its pieces on the board (`domain.drawing`).

    ``said``: the most important sentences first, since narrow pages show only two. ``mark``: the number that stands for
    the seat where there is room for nothing else: points, or cash. ``facts``: what all seats are compared by, as in
    `Things.compared`. ``shelves``: everything that is its own.
    """

    seat: int
    colour: str
    letter: str
    said: tuple[Sentence, ...] = ()
    mark: Sentence | None = None
    facts: tuple[Cell, ...] = ()
    shelves: tuple[Shelf, ...] = ()


class Things(msgspec.Struct, frozen=True):
    """All things beside the board: before each seat in the order of seats, and on shelves in reading order.

    ``said``: the stage of the game, in a sentence or two. ``compared``: the names of the facts of seats.
    """

    seats: tuple[Seated, ...]
    shelves: tuple[Shelf, ...]
    said: tuple[Sentence, ...] = ()
    compared: tuple[Cell, ...] = ()
