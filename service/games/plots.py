"""Drawings of plots as SVG: steps, bars, and rows with spans and dots, in the colours of boards.

A seat's colour always comes with its letter. All texts are said by the caller's ``say``; a drawing has no other.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from domain.drawing import Ink, breadth, num, text
from domain.plots import Bar, Bars, Plot, PlotRow, PlotRows, SeatLine, Steps
from domain.report import Cell
from domain.things import Seated
from domain.words import signed

WIDTH, NARROW, HEIGHT = 640, 380, 330
EDGE, SIZE = 14, 13
"""Room around a drawing, and the size of its text. A narrow drawing is for phones."""
TICKS = 6
"""About so many numbers stand along an axis."""
BAR, ROW = 15, 22
"""The heights of a bar and of a row."""
WIDEST, MARKS = 0.37, 18
"""The most room for names at the left, a part of the width; and the room for the marks of seats behind them."""

Say = Callable[[Cell], str]


class Sheet(NamedTuple):
    """The common needs of all parts of a drawing: words, the marks of seats by number, and colours."""

    say: Say
    marks: Mapping[int, Seated]
    ink: Ink
    width: int = WIDTH


class Drawing(NamedTuple):
    width: float
    height: float
    svg: str


def drawn(plot: Plot, sheet: Sheet) -> Drawing:
    """Return the drawing of a plot, without its heading."""
    match plot:
        case Steps():
            return _steps(plot, sheet)
        case Bars():
            return _bars(plot, sheet)
    return _rows(plot, sheet)


# ==== axes ========================================================================================
class Scale(NamedTuple):
    """From values, ``low`` to ``high``, to lengths from ``begin`` to ``end``."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def ticks(low: int, high: int) -> range:
    """Return round numbers, of which the first is at most ``low`` and the last at least ``high``."""
    span = max(1, high - low)
    power = 10 ** max(0, len(str(span // TICKS or 1)) - 1)
    step = next(it * power for it in (1, 2, 5, 10) if span <= TICKS * it * power)
    first = low // step * step
    last = -(-high // step) * step
    return range(first, max(last, first + step) + 1, step)


def _grid_down(scale: Scale, numbers: Sequence[int], top: float, bottom: float, sheet: Sheet) -> str:
    """Draw the numbers of the axis below, each with a line up to ``top``."""
    lines = "".join(
        f'<path d="M{num(scale.at(it))} {num(top)}V{num(bottom)}" stroke="{sheet.ink["muted"]}" stroke-width=".5"'
        ' stroke-dasharray="2 3"/>' + _number(scale.at(it), bottom + SIZE + 2, it, sheet)
        for it in numbers
    )
    return lines + f'<path d="M{num(scale.begin)} {num(bottom)}H{num(scale.end)}" stroke="{sheet.ink["ink"]}"/>'


def _number(x: float, y: float, value: int, sheet: Sheet, anchor: str = "middle") -> str:
    return text(x, y, signed(str(value)), SIZE, sheet.ink["ink"], anchor=anchor, weight=500)


def _name(x: float, y: float, said: str, sheet: Sheet, anchor: str = "end") -> str:
    return text(x, y, said, SIZE, sheet.ink["ink"], anchor=anchor, weight=500)


def disc(x: float, y: float, mark: Seated, ink: Ink, r: float = 8) -> str:
    """Draw the mark of a seat: its colour with its letter."""
    fill, letter = ink[mark.colour], text(x, y + r * 0.5, mark.letter, r * 1.4, ink[f"on-{mark.colour}"])
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{fill}" stroke="{ink["ink"]}"/>{letter}'


def _disc(x: float, y: float, seat: int, sheet: Sheet, r: float = 8) -> str:
    return disc(x, y, sheet.marks[seat], sheet.ink, r)


# ==== steps =======================================================================================
def _steps(plot: Steps, sheet: Sheet) -> Drawing:
    points = [point for line in plot.lines for point in line.points]
    last = max(it.x for it in points)
    across, up = _range([it.x for it in points]), _range([0, *[it.y for it in points]])
    left = EDGE + max(breadth(signed(str(it)), SIZE) for it in up) + 6
    top, bottom = EDGE + SIZE + 8, HEIGHT - EDGE - 2 * SIZE - 6
    x = Scale(across[0], across[-1], left, sheet.width - EDGE - 16)
    y = Scale(up[0], up[-1], bottom, top)
    body = [_grid_down(x, across, top, bottom, sheet)]
    for each in up:
        body.append(_number(left - 6, y.at(each) + SIZE * 0.35, each, sheet, "end"))
        body.append(
            f'<path d="M{num(left)} {num(y.at(each))}H{num(x.end)}" stroke="{sheet.ink["muted"]}"'
            f' stroke-width="{1 if each == 0 else 0.5}"/>'
        )
    body += [_line(line, x, y, last, sheet) for line in plot.lines]
    body += _ends(plot.lines, x.at(last), y, sheet)
    body.append(_name(EDGE, EDGE + SIZE * 0.6, sheet.say(plot.y), sheet, "start"))
    body.append(_name(x.end, HEIGHT - EDGE, sheet.say(plot.x), sheet))
    return Drawing(sheet.width, HEIGHT, "".join(body))


def _range(values: Sequence[int]) -> range:
    return ticks(min(values, default=0), max(values, default=1))


def _line(line: SeatLine, x: Scale, y: Scale, last: int, sheet: Sheet) -> str:
    first = line.points[0]
    path = f"M{num(x.at(first.x))} {num(y.at(first.y))}"
    for before, after in pairwise(line.points):
        path += (f"H{num(x.at(after.x))}" if after.x != before.x else "") + f"V{num(y.at(after.y))}"
    path += f"H{num(x.at(last))}"
    colour = sheet.ink[sheet.marks[line.seat].colour]
    shared = f'd="{path}" fill="none" stroke-linejoin="round"'
    return "".join(
        f'<path {shared} stroke="{it}" stroke-width="{w}"/>' for it, w in ((sheet.ink["ink"], 4.4), (colour, 2.8))
    )


def _ends(lines: Sequence[SeatLine], x: float, y: Scale, sheet: Sheet) -> list[str]:
    """Draw the marks at the ends of the lines, apart from each other."""
    places = sorted((y.at(line.points[-1].y), line.seat) for line in lines)
    found: list[tuple[float, int]] = []
    for at, seat in places:
        found.append((max(at, found[-1][0] + 17) if found else at, seat))
    over = max(0.0, found[-1][0] - y.begin) if found else 0.0
    return [_disc(x + 12, at - over, seat, sheet) for at, seat in found]


# ==== bars ========================================================================================
def _bars(plot: Bars, sheet: Sheet) -> Drawing:
    bars = [bar for group in plot.groups for bar in group.bars]
    compared = [bar.beside for bar in bars if bar.beside is not None]
    along = _range([0, *[bar.value for bar in bars], *[-(-it // 10) for it in compared]])
    names = [sheet.say(group.name) for group in plot.groups]
    edge = _edge(names, sheet)
    left = edge + 8 + (MARKS if any(bar.seat is not None for bar in bars) else 0)
    x = Scale(along[0], along[-1], left, sheet.width - EDGE - 24)
    top = EDGE + SIZE + 6.0
    body, at = [], top
    for group, name in zip(plot.groups, names, strict=True):
        height = BAR * len(group.bars)
        body.append(_name(edge, at + height / 2 + SIZE * 0.35, name, sheet))
        body += [_bar(bar, x, at + BAR * place, sheet) for place, bar in enumerate(group.bars)]
        at += height + 7
    legend = sheet.say(plot.y)
    if plot.beside is not None:
        legend += f"  ( | {sheet.say(plot.beside)} )"
    body.insert(0, _grid_down(x, along, top - 4, at, sheet))
    body.append(_name(x.end, at + 2 * SIZE + 6, legend, sheet))
    body.append(_name(EDGE, EDGE + SIZE * 0.4, sheet.say(plot.x), sheet, "start"))
    return Drawing(sheet.width, at + 2 * SIZE + 6 + EDGE, "".join(body))


def _edge(names: Sequence[str], sheet: Sheet) -> float:
    """Return the right end of the names at the left."""
    return EDGE + min(WIDEST * sheet.width, max((breadth(it, SIZE) for it in names), default=0))


def _bar(bar: Bar, x: Scale, top: float, sheet: Sheet) -> str:
    begin, end = sorted((x.at(0), x.at(bar.value)))
    colour = sheet.ink[sheet.marks[bar.seat].colour if bar.seat is not None else "rail"]
    middle = top + BAR / 2
    drawing = (
        f'<rect x="{num(begin)}" y="{num(top + 1)}" width="{num(end - begin)}" height="{BAR - 2}" fill="{colour}"'
        f' stroke="{sheet.ink["ink"]}" stroke-width=".8"/>'
    )
    if bar.seat is not None:
        drawing += _disc(x.begin - 10, middle, bar.seat, sheet, BAR / 2 - 1)
    if bar.beside is not None:
        beside = num(x.at(bar.beside / 10))
        drawing += f'<path d="M{beside} {num(top - 1)}v{BAR + 2}" stroke="{sheet.ink["accent"]}" stroke-width="2.4"/>'
    return drawing + text(
        end + 5, middle + SIZE * 0.33, signed(str(bar.value)), SIZE * 0.92, sheet.ink["ink"], anchor="start", weight=500
    )


# ==== rows ========================================================================================
def _rows(plot: PlotRows, sheet: Sheet) -> Drawing:
    ends = [at for row in plot.rows for span in row.spans for at in (span.first, span.last)]
    along = _range([0, *ends, *[dot.x for row in plot.rows for dot in row.dots]])
    names = [sheet.say(row.name) for row in plot.rows]
    edge = _edge(names, sheet)
    left = edge + 8 + (MARKS if any(span.seat is not None for row in plot.rows for span in row.spans) else 0)
    top = EDGE + SIZE + 6.0
    x = Scale(along[0], along[-1], left, sheet.width - EDGE - 10)
    body, at = [], top
    for row, name in zip(plot.rows, names, strict=True):
        lanes = _lanes(row)
        height = ROW * max(1, len(lanes))
        body.append(_name(edge, at + height / 2 + SIZE * 0.35, name, sheet))
        body.append(_spans(row, x, at, sheet))
        for place, lane in enumerate(lanes):
            body += [_dot(each, number, x, at + ROW * (place + 0.5), sheet) for each, number in lane]
        at += height
        body.append(f'<path d="M{num(left)} {num(at)}H{num(x.end)}" stroke="{sheet.ink["muted"]}" stroke-width=".4"/>')
    body.insert(0, _grid_down(x, along, top - 4, at + 2, sheet))
    body.append(_name(x.end, at + 2 * SIZE + 8, sheet.say(plot.x), sheet))
    body.append(_name(EDGE, EDGE + SIZE * 0.4, sheet.say(plot.y), sheet, "start"))
    return Drawing(sheet.width, at + 2 * SIZE + 8 + EDGE, "".join(body))


def _lanes(row: PlotRow) -> list[list[tuple[tuple[int, int], int]]]:
    """Return the dots, (x, seat) and number, in lanes in which none hides another."""
    lanes: list[list[tuple[tuple[int, int], int]]] = []
    for dot in row.dots:
        free = next((lane for lane in lanes if dot.x - lane[-1][0][0] >= 2), None)
        if free is None:
            lanes.append(free := [])
        free.append(((dot.x, dot.seat), dot.number))
    return lanes


def _dot(place: tuple[int, int], number: int, x: Scale, y: float, sheet: Sheet) -> str:
    drawing = _disc(x.at(place[0]), y, place[1], sheet)
    if number > 1:
        drawing += text(x.at(place[0]) + 9, y - 4, f"×{number}", SIZE * 0.75, sheet.ink["ink"], anchor="start")
    return drawing


def _spans(row: PlotRow, x: Scale, top: float, sheet: Sheet) -> str:
    body = ""
    for span in row.spans:
        begin, width = x.at(span.first), max(4.0, x.at(span.last) - x.at(span.first))
        colour = "dark-space" if span.seat is None else sheet.marks[span.seat].colour
        look = 'fill="none" stroke-dasharray="4 3"' if span.missed else f'fill="{sheet.ink[colour]}"'
        rim = sheet.ink["accent" if span.missed else "ink"]
        opacity = ' fill-opacity=".35"' if span.seat is None else ""
        body += (
            f'<rect x="{num(begin)}" y="{num(top + ROW * 0.22)}" width="{num(width)}" height="{num(ROW * 0.56)}"'
            f' rx="3" {look}{opacity} stroke="{rim}"/>'
        )
        if span.seat is not None:
            body += _disc(x.begin - 10, top + ROW / 2, span.seat, sheet, 7)
    return body


# ==== lanes ========================================================================================
class Lane(NamedTuple):
    """Columns side by side, of which the highest is ``most``, in words. None: nothing is known there."""

    name: str
    values: Sequence[int | None]
    most: str


COLUMN, BETWEEN = 34, 24
"""The height of the highest column of a lane, and the room above a lane, for its name."""


def lanes(rows: Sequence[Lane], marks: Sequence[tuple[int, str]], sheet: Sheet) -> Drawing:
    """Return the drawing of lanes one below the other. ``marks``: (number of a column, text), below the last lane."""
    left, right = EDGE, sheet.width - EDGE
    step = (right - left) / max(1, *(len(row.values) for row in rows))
    body, top = [], 4.0
    for row in rows:
        top += BETWEEN
        body.append(_name(left, top - 7, row.name, sheet, "start"))
        body.append(_name(right, top - 7, row.most, sheet))
        body.append(_columns(row.values, left, top, step, sheet))
        top += COLUMN
    for place, said in marks:
        x = left + step * (place + 0.5)
        body.append(f'<path d="M{num(x)} {num(top)}v4" stroke="{sheet.ink["ink"]}"/>')
        end = "start" if place == 0 else "end" if x + breadth(said, SIZE) / 2 > right else "middle"
        at = left if place == 0 else right if end == "end" else x
        body.append(_name(at, top + SIZE + 5, said, sheet, end))
    return Drawing(sheet.width, top + 2 * SIZE + 4, "".join(body))


def _columns(values: Sequence[int | None], left: float, top: float, step: float, sheet: Sheet) -> str:
    """Draw the columns of a lane. The smallest value above 0 is still seen; a dot stands where nothing is known."""
    most, foot = max((it for it in values if it), default=0), top + COLUMN
    columns = dots = ""
    for place, value in enumerate(values):
        x = num(left + step * (place + 0.5))
        if value is None:
            dots += f"M{x} {num(foot - 3)}h.01"
        elif value:
            columns += f"M{x} {num(foot)}v{num(-max(1.5, COLUMN * value / most))}"
    ink = sheet.ink
    return (
        f'<path d="M{num(left)} {num(foot)}H{num(left + step * len(values))}" stroke="{ink["muted"]}"/>'
        f'<path d="{columns}" stroke="{ink["rail"]}" stroke-width="{num(step * 0.8)}"/>'
        f'<path d="{dots}" stroke="{ink["muted"]}" stroke-width="2" stroke-linecap="round"/>'
    )


# ==== as a file ===================================================================================
def svg(drawing: Drawing, label: str) -> str:
    """Wrap a drawing for a page: with a label for readers who do not see it."""
    box = f"0 0 {num(drawing.width)} {num(drawing.height)}"
    return f'<svg viewBox="{box}" role="img"><title>{escape(label)}</title>{drawing.svg}</svg>'
