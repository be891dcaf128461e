"""A position in words and tables, for readers without a board. The layout is decided by the page or letter that shows
it.

A title says everything that its seat may see, once, in the order in which a reader would ask for it.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from domain.words import Language, Sentence, say, signed

Cell = Sentence | str | int | tuple[Sentence | str, ...] | None
"""A cell of a table: a sentence, an id, a number, several of these, or nothing."""


class Grid(msgspec.Struct, frozen=True):
    """A table. ``heading`` names its first column; ``head`` names the others.

    ``drawn``: this many rows, the first ones, are also in the picture of the board.
    """

    heading: Sentence
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    drawn: int = 0


class Passage(msgspec.Struct, frozen=True):
    """Sentences under a heading. ``drawn``: this many, the first ones, are also in the picture of the board."""

    heading: Sentence
    lines: tuple[Sentence, ...]
    drawn: int = 0


class Description(msgspec.Struct, frozen=True):
    """A whole position. ``when``: the stage of the game, in a few words ("day 11"). ``who``: the reader ("{seat},
    red"); None: a spectator.

    ``parts``: the rest of the position. `Title.hand` says everything that only the reader may know.
    """

    when: Sentence
    who: Sentence | None
    parts: tuple[Grid | Passage, ...]


def of_seat(seat: int) -> Sentence:
    """Return a cell with a player's name."""
    return Sentence("{seat}", {"seat": seat})


def counted(counts: Mapping[str, int]) -> tuple[Sentence, ...]:
    """Return the counts in their order: "2 coal", "1 wood"."""
    return tuple(Sentence("{number} {thing}", {"number": counts[it], "thing": it}) for it in counts if counts[it])


def undrawn(part: Grid | Passage) -> Grid | Passage | None:
    """Return the columns, without empty rows, or lines of ``part`` that the board's picture lacks; None if it shows
    all.
    """
    if isinstance(part, Passage):
        lines = part.lines[part.drawn :]
        return Passage(part.heading, lines) if lines else None
    rows = tuple((row[0], *row[part.drawn + 1 :]) for row in part.rows)
    rows = tuple(row for row in rows if any(cell not in (None, ()) for cell in row[1:]))
    return Grid(part.heading, part.head[part.drawn :], rows) if rows else None


def sentences(report: Description) -> Iterator[Sentence]:
    """Return all sentences of a report."""
    yield report.when
    if report.who is not None:
        yield report.who
    for part in report.parts:
        yield part.heading
        if isinstance(part, Passage):
            yield from part.lines
        else:
            cells = [*part.head, *(cell for row in part.rows for cell in row)]
            each = (it for cell in cells for it in (cell if isinstance(cell, tuple) else (cell,)))
            yield from (it for it in each if isinstance(it, Sentence))


def say_cell(cell: Cell, language: Language, player: Callable[[int], str]) -> str:
    """Return ``cell`` in ``language``; "" for nothing."""
    match cell:
        case None:
            return ""
        case Sentence():
            return say(cell, language, player)
        case str():
            return language.name(cell)
        case int():
            return signed(str(cell))
    return ", ".join(say_cell(it, language, player) for it in cell)
