"""A finished game as plots: numbers by seat along an axis, for a drawing and for the table beside it.

A title makes them from the events that counted in the end, with everything hidden opened (`Face.plots`). Nothing here
draws; `service.games.plots` does.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from domain.messages import Event
from domain.report import Cell, Grid, of_seat
from domain.words import Sentence

ROWS = 24
"""The most rows in the table of a line: more of them say no more."""


class Happening(NamedTuple):
    """An event that counted in the end, with the title's states around it. ``ply``: the number of its ply."""

    ply: int
    event: Event
    before: Any
    after: Any


# ==== what is plotted =============================================================================
class Point(msgspec.Struct, frozen=True):
    """A value ``y`` that holds from ``x`` on. ``ply``: the ply that brought it."""

    x: int
    y: int
    ply: int


class SeatLine(msgspec.Struct, frozen=True):
    """The values of a seat in the order of their plies."""

    seat: int
    points: tuple[Point, ...]

    def at(self, x: int) -> int | None:
        """Return the last value at ``x`` or before; None if there is none yet."""
        return next((point.y for point in reversed(self.points) if point.x <= x), None)


class _Axes(msgspec.Struct, frozen=True):
    """The common part of plots. ``x`` and ``y``: the names of the axes."""

    id: str
    heading: Sentence
    x: Sentence
    y: Sentence


class Steps(_Axes, frozen=True):
    """A line for each seat that stays level between its points."""

    lines: tuple[SeatLine, ...]

    @property
    def is_empty(self) -> bool:
        return not self.lines


class Bar(msgspec.Struct, frozen=True):
    """A value, of a seat or of the whole table. ``beside``: a value to compare it with, in tenths."""

    value: int
    seat: int | None = None
    beside: int | None = None


class BarGroup(msgspec.Struct, frozen=True):
    """Bars side by side, under a name."""

    name: Cell
    bars: tuple[Bar, ...]


class Bars(_Axes, frozen=True):
    """Groups of bars. ``x``: the name of the groups, ``y`` of the values, ``beside`` of the values beside them."""

    groups: tuple[BarGroup, ...]
    beside: Sentence | None = None

    @property
    def is_empty(self) -> bool:
        return not self.groups


class Stretch(msgspec.Struct, frozen=True):
    """From ``first`` to ``last``. ``seat``: its owner, if it has one. ``missed``: it came to nothing."""

    first: int
    last: int
    seat: int | None = None
    missed: bool = False


class Dot(msgspec.Struct, frozen=True):
    """Something that a seat did at ``x``; ``number``: how much of it."""

    x: int
    seat: int
    number: int = 1


class PlotRow(msgspec.Struct, frozen=True):
    """Spans and dots beside a name."""

    name: Cell
    spans: tuple[Stretch, ...] = ()
    dots: tuple[Dot, ...] = ()


class PlotRows(_Axes, frozen=True):
    """Rows along one axis ``x``. ``y``: the name of the rows; ``span`` and ``dot``: of spans and dots."""

    rows: tuple[PlotRow, ...]
    span: Sentence | None = None
    dot: Sentence | None = None

    @property
    def is_empty(self) -> bool:
        return not self.rows


Plot = Steps | Bars | PlotRows


# ==== made from a game ============================================================================
def steps(
    moments: Iterable[Happening],
    seats: Callable[[Any], Sequence[int]],
    value: Callable[[Any, int], tuple[int, int] | None],
) -> tuple[SeatLine, ...]:
    """Return a line for each seat: a point wherever ``value(state, seat)``, its x and y, has another y.

    None: the seat has no value yet. Of several values in one ply the last one counts.
    """
    points: dict[int, list[Point]] = {}
    for moment in moments:
        if moment.after is moment.before:
            continue
        for seat in seats(moment.after):
            found, known = value(moment.after, seat), points.setdefault(seat, [])
            if found is None or (known and known[-1].y == found[1]):
                continue
            if known and known[-1].ply == moment.ply:
                known.pop()
            if not known or known[-1].y != found[1]:
                known.append(Point(*found, moment.ply))
    return tuple(SeatLine(seat, tuple(known)) for seat, known in points.items() if known)


def leads(lines: Sequence[SeatLine]) -> list[tuple[int, int]]:
    """Return (ply, seat) wherever a seat passed all others; a tie changes nothing."""
    now: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    changes = sorted((point.ply, line.seat, point.y) for line in lines for point in line.points)
    for place, (ply, seat, y) in enumerate(changes):
        now[seat] = y
        if place + 1 < len(changes) and changes[place + 1][0] == ply:
            continue  # the ply has changed another seat, too
        best = max(now.values())
        ahead = [it for it, value in now.items() if value == best]
        if len(now) == len(lines) and len(ahead) == 1 and (not found or found[-1][1] != ahead[0]):
            found.append((ply, ahead[0]))
    return found


# ==== as a table ==================================================================================
def table(plot: Plot) -> Grid:
    """Return the plot as a table."""
    match plot:
        case Steps():
            return _of_steps(plot)
        case Bars():
            return _of_bars(plot)
    return _of_rows(plot)


def _of_steps(plot: Steps) -> Grid:
    places = sorted({point.x for line in plot.lines for point in line.points})
    if len(places) > ROWS:
        places = [places[round(each * (len(places) - 1) / (ROWS - 1))] for each in range(ROWS)]
    rows = tuple((x, *(line.at(x) for line in plot.lines)) for x in places)
    return Grid(plot.x, tuple(of_seat(line.seat) for line in plot.lines), rows)


def explained(plot: Plot, name: Sentence) -> Sentence:
    """Return ``name`` with the meaning of the numbers in brackets in the table of a plot, if it has any."""
    if not isinstance(plot, Bars) or plot.beside is None:
        return name
    return Sentence("{name} (in brackets: {beside})", {"name": name, "beside": plot.beside})


def _of_bars(plot: Bars) -> Grid:
    seats = sorted({bar.seat for group in plot.groups for bar in group.bars if bar.seat is not None})
    if not seats:
        return Grid(
            explained(plot, plot.x), (plot.y,), tuple((group.name, _valued(group.bars[0])) for group in plot.groups)
        )
    rows = []
    for group in plot.groups:
        of = {bar.seat: _valued(bar) for bar in group.bars}
        rows.append((group.name, *(of.get(seat) for seat in seats)))
    return Grid(explained(plot, plot.x), tuple(map(of_seat, seats)), tuple(rows))


def _valued(bar: Bar) -> Cell:
    if bar.beside is None:
        return bar.value
    facts = {"value": bar.value, "whole": bar.beside // 10, "tenths": bar.beside % 10}
    return Sentence("{value} ({whole}.{tenths})", facts) if bar.beside % 10 else Sentence("{value} ({whole})", facts)


def _of_rows(plot: PlotRows) -> Grid:
    head = tuple(it for it in (plot.span, plot.dot) if it is not None)
    rows = []
    for row in plot.rows:
        cells: list[Cell] = []
        if plot.span is not None:
            cells.append(tuple(_spanned(it) for it in row.spans))
        if plot.dot is not None:
            cells.append(tuple(_dotted(it) for it in row.dots))
        rows.append((row.name, *cells))
    return Grid(plot.y, head, tuple(rows))


def _spanned(span: Stretch) -> Sentence:
    facts = {"first": span.first, "last": span.last, "seat": span.seat}
    if span.seat is None and span.first == span.last:
        return Sentence("{first}", facts)
    if span.seat is None:
        return Sentence("{first} to {last}", facts)
    if span.missed:
        return Sentence("{seat}: from {first}, missed", facts)
    return Sentence("{seat}: {first} to {last}", facts)


def _dotted(dot: Dot) -> Sentence:
    facts = {"seat": dot.seat, "x": dot.x, "number": dot.number}
    if dot.number == 1:
        return Sentence("{seat}: {x}", facts)
    return Sentence("{seat}: {x} ({number})", facts)
