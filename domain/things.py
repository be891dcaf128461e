"""What lies before the players beside the board, as things: a hand, a train, a market, an account.

A title lays them out from a view (`Title.things`), so they show what the viewer may see and nothing else. What a thing
is for stands with it, with the number of its rule. How things are laid out is the affair of who shows them.
"""

from typing import Literal

import msgspec

from domain.words import Sentence


class Sketch(msgspec.Struct, frozen=True):
    """A drawing of a thing in the colours of pages (``var(--board-ink)``): SVG in a box of this width and height.

    ``map_box``: it is a piece of the board instead, this part of it (x, y, width, height in board units), and the land
    of the board's map lies below.
    """

    width: float
    height: float
    svg: str
    map_box: tuple[float, float, float, float] | None = None


class Use(msgspec.Struct, frozen=True):
    """What a thing is for: a sentence, or the id that the title's words name by it, and the number of the rule
    ("GTJ 11.9"). ``name``: an id, of one of several."""

    text: str | Sentence
    rule: str
    name: str = ""


class Thing(msgspec.Struct, frozen=True):
    """A card, a railcar, a ticket, a link on offer.

    ``name``: an id that the title's words name, or a sentence. ``place``: one points at it by this id
    (`domain.places`). ``mark``: the number that goes with it, its days, its price, how many there are. ``said``: what
    else there is to say. ``shows``: the id of what stands on it, which ``uses`` explain.
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

    ``lies``: "own" before the viewer, "near" where one points at it turn by turn, "display" where one does so now and
    then, "aside" where one looks things up. ``uses``: what all of the things are for. ``listed``: one under the other,
    with much to say of each. ``drawn``: the larger of the two drawings of the board shows them, too.
    """

    name: Sentence
    lies: Literal["own", "near", "display", "aside"]
    things: tuple[Thing, ...]
    uses: tuple[Use, ...] = ()
    listed: bool = False
    drawn: bool = False


class Seated(msgspec.Struct, frozen=True):
    """What everybody sees of a seat. ``colour`` and ``letter``: those of its pieces on the board (`domain.drawing`)."""

    seat: int
    colour: str
    letter: str
    sketches: tuple[Sketch, ...] = ()
    said: tuple[Sentence, ...] = ()


class Things(msgspec.Struct, frozen=True):
    """All that lies beside the board: before each seat in the order of seats, and on shelves in reading order.

    ``said``: how far the game is, in a sentence or two.
    """

    seats: tuple[Seated, ...]
    shelves: tuple[Shelf, ...]
    said: tuple[Sentence, ...] = ()
