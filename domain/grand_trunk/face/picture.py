"""The board of the Grand Trunk Journey as SVG, drawn from a view (for the web, and as pixels in mails).

The ground is the sheet before the game: map, tracks, names, time track, legend, frame. The pieces lie on it.
`REGULAR` is drawn for boards 600 px wide and more; `SMALL` for phones, with the time track in rows below the map
and no legend, which stands beside it as text there. In mails a panel has a line for each company, which pages show
beside the board.
"""

import math
from collections.abc import Iterator
from functools import cache

import msgspec

from domain.drawing import BaseMap, Ink, breadth, inks, map_defs, num, paint_map, placed, text
from domain.face import Palettes, Picture, Piece, Theme
from domain.grand_trunk import board, cards
from domain.grand_trunk.material import read
from domain.grand_trunk.view import ContractView, GrandTrunkView, PlaceView, SeatView
from domain.words import Language, Sentence, say

BASE: BaseMap = read("basemap.json", BaseMap)
COLOURS: Palettes = {
    "light": {"coal": "#2a2726", "iron": "#0b5488", "wood": "#28846d", "steel": "#9aa2aa"},
    "dark": {"coal": "#08090a", "iron": "#4b95da", "wood": "#83b995", "steel": "#c3c9ce"},
}
"""The goods, which no other title has."""
INKS = inks(COLOURS)

LETTERS = {"central_vermont": "C", "grand_trunk_railway": "G", "quebec_richmond": "Q", "st_lawrence_atlantic": "S"}
"""A company's letter, on its train and its markers: the second channel beside the colour."""


class Size(msgspec.Struct, frozen=True):
    """The measures of one of the two drawings. ``box``: the view box. ``labels``: which names of the base map.

    ``plate``: the height of a plate of goods. ``place``: the radius of a city. ``train``: the width of a locomotive.
    ``station`` and ``marker``: radii on the time track. ``tag``: the size of text on a contract.
    """

    small: bool
    box: tuple[float, float, float, float]
    labels: str
    plate: float
    place: float
    train: float
    station: float
    marker: float
    tag: float


REGULAR = Size(False, (-70, -70, 1140, 840), "regular", 20.4, 10, 26, 12.9, 9.5, 16)
SMALL = Size(True, (-60, -40, 1120, 1216), "phone", 30, 15, 42, 26, 20, 25)


def picture(
    view: GrandTrunkView, theme: Theme, language: Language, small: bool = False, alone: bool = False
) -> Picture:
    """Draw the board of ``view``."""
    size, ink = (SMALL if small else REGULAR), INKS[theme]
    panel = () if alone or small else _panel(view, ink, language)
    ground, pieces = _ground(theme, language, small), (*panel, *_pieces(view, size, ink))
    return Picture(size.box, map_defs(BASE, small), ground, pieces, _label(view))


def _label(view: GrandTrunkView) -> Sentence:
    """Describe the picture in words, for people who cannot see it."""
    return Sentence(
        "The board, seat by seat: trains in {places}, markers on days {days}. {terminals:Terminal in|Terminals in}.",
        {
            "places": tuple(seat.place for seat in view.seats if seat.place),
            "terminals": tuple(place.id for place in view.places if place.terminal),
            "days": tuple(seat.day for seat in view.seats),
        },
    )


# ==== the ground ==================================================================================
@cache
def _ground(theme: Theme, language: Language, small: bool) -> str:
    size, ink = (SMALL if small else REGULAR), INKS[theme]
    parts = [paint_map(BASE, ink, language, small=small), _tracks(ink, size)]
    parts += [placed(place, _place(place, ink, size)) for place in BASE.places]
    parts += [_name(place, ink, size) for place in BASE.places]
    parts += [_time_rows(ink, size)] if small else [_frame(ink), _time_loop(ink, size), _legend(ink, language)]
    return "".join(parts)


def _tracks(ink: Ink, size: Size) -> str:
    d = "".join(BASE.links.values())

    def line(colour: str, width: float, more: str = "") -> str:
        return f'<path d="{d}" fill="none" stroke="{ink[colour]}" stroke-width="{width}"{more}/>'

    if size.small:
        return line("halo", 13, ' stroke-opacity=".75"') + line("rail", 8)
    sleepers = line("rail", 10, ' stroke-dasharray="2 5.5"')
    return line("halo", 11, ' stroke-opacity=".8"') + sleepers + line("rail", 6) + line("land", 3)


def _place(place: str, ink: Ink, size: Size) -> str:
    """Draw a port with its anchor, or a city that has no terminal yet."""
    x, y = BASE.places[place]
    if place in board.PORT_SET:
        return port(x, y, size.place * 1.28, ink)
    r = size.place * 0.86
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{ink["paper"]}" stroke="{ink["rail"]}"'
        f' stroke-width="{num(r * 0.3)}"/>'
    )


def port(x: float, y: float, r: float, ink: Ink) -> str:
    side = num(r * 1.72)
    return (
        f'<rect x="{num(x - r * 0.86)}" y="{num(y - r * 0.86)}" width="{side}" height="{side}" rx="{num(r * 0.28)}"'
        f' transform="rotate(45 {num(x)} {num(y)})" fill="{ink["port"]}" stroke="{ink["ink"]}"'
        f' stroke-width="{num(r * 0.17)}"/>{_anchor(x, y, r * 0.78, ink["on-port"])}'
    )


def _anchor(x: float, y: float, r: float, colour: str) -> str:
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="{num(r * 0.2)}" stroke-linecap="round">'
        f'<circle cx="{num(x)}" cy="{num(y - r * 0.52)}" r="{num(r * 0.17)}"/>'
        f'<path d="M{num(x)} {num(y - r * 0.34)}V{num(y + r * 0.62)}M{num(x - r * 0.3)} {num(y - r * 0.12)}'
        f"h{num(r * 0.6)}M{num(x - r * 0.55)} {num(y + r * 0.12)}q{num(r * 0.05)} {num(r * 0.5)} {num(r * 0.55)}"
        f' {num(r * 0.5)}q{num(r * 0.5)} 0 {num(r * 0.55)} {num(-r * 0.5)}"/></g>'
    )


def _name(place: str, ink: Ink, size: Size) -> str:
    labels = BASE.labels[size.labels]
    label = labels.items[place]
    return "".join(
        text(
            label.x,
            label.y + row * labels.size * 0.92,
            line,
            labels.size,
            ink["ink"],
            anchor=label.anchor,
            weight=800,
            halo=ink["halo"],
        )
        for row, line in enumerate(label.lines)
    )


def _frame(ink: Ink) -> str:
    """Draw the margin that carries the time track, and the double line around the sheet."""

    def rim(x: float, y: float, width: float, height: float, round: float, stroke: float) -> str:
        return (
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" fill="none"'
            f' stroke="{ink["frame"]}" stroke-width="{stroke}"/>'
        )

    margin = f'<path d="M-70 -70H1070V770H-70zM-20 -20V720H1020V-20z" fill="{ink["panel"]}" fill-rule="evenodd"/>'
    inner = rim(-20, -20, 1040, 740, 6, 2.2) + rim(-16, -16, 1032, 732, 4, 0.8)
    return margin + inner + rim(-69, -69, 1138, 838, 10, 2)


def _legend(ink: Ink, language: Language) -> str:
    x, y = LEGEND
    goods, here, there = y + 60, y + 85, y + 110

    def named(x: float, row: float, words: str) -> str:
        return text(x, row + 5.2, words, 16, ink["ink"], anchor="start", weight=500)

    def said(x: float, row: float, sentence: Sentence) -> str:
        return named(x, row, say(sentence, language, str))

    def field(row: float, fill: str) -> str:
        return f'<rect x="{x + 11}" y="{row - 8.5}" width="21" height="17" rx="4" {fill} stroke="{ink["rail"]}"/>'

    parts = [
        _box(x, y, 318, PANEL_HEIGHT, ink),
        text(x + 159, y + 32, language.name("grand_trunk"), 25, ink["ink"], serif=True),
        f'<path d="M{x + 60} {y + 42}h198" stroke="{ink["frame"]}" stroke-width=".8"/>',
    ]
    for good, column in zip(cards.GOODS, (24, 100, 171, 243), strict=True):
        parts += [cube_of(good, x + column, goods, 8, ink), named(x + column + 14, goods, language.name(good))]
    parts += [
        field(here, f'fill="{ink["rail"]}" fill-opacity=".28"'), said(x + 38, here, Sentence("demands")),
        field(there, f'fill="{ink["paper"]}"'), said(x + 38, there, Sentence("supplies")),
        port(x + 118, here, 9, ink), said(x + 133, here, Sentence("port")),
        _moved(x + 107, there - 11, terminal(ink, 11)), said(x + 133, there, Sentence("terminal")),
        _moved(x + 205, here - 11, _first_delivery(2, 20, ink)), said(x + 231, here, Sentence("first delivery")),
        _value(4, Spot(x + 237, there, (0, 0)), ink), said(x + 252, there, Sentence("contract")),
    ]  # fmt: skip
    return "".join(parts)


def _moved(x: float, y: float, svg: str) -> str:
    return f'<g transform="translate({num(x)} {num(y)})">{svg}</g>'


def _box(x: float, y: float, width: float, height: float, ink: Ink) -> str:
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}" rx="8" fill="{ink["panel"]}"'
        f' stroke="{ink["frame"]}" stroke-width="1.6"/><rect x="{num(x + 4)}" y="{num(y + 4)}"'
        f' width="{num(width - 8)}" height="{num(height - 8)}" rx="5" fill="none" stroke="{ink["frame"]}"'
        f' stroke-width=".7"/>'
    )


# ==== the time track: a loop around the sheet =====================================================
class Spot(msgspec.Struct, frozen=True):
    """A point of the time track, and the direction into the sheet."""

    x: float
    y: float
    inward: tuple[float, float]


STEPS = 42
"""The number of parts of the loop; the track fills 40 of them and leaves a gap between its end and its start."""
START = 0.012
LEFT, TOP, RIGHT, BOTTOM, CORNER = -45, -45, 1045, 745, 25


def _on_loop(day: float) -> Spot:
    """Return the point of ``day`` (or of a fraction), clockwise from the top left."""
    wide, high, bend = RIGHT - LEFT - 2 * CORNER, BOTTOM - TOP - 2 * CORNER, CORNER * math.pi / 2
    along = ((START + day / STEPS) % 1) * (2 * (wide + high) + 4 * bend)
    straights = (
        (wide, LEFT + CORNER, TOP, 1, 0, RIGHT - CORNER, TOP + CORNER, -90),
        (high, RIGHT, TOP + CORNER, 0, 1, RIGHT - CORNER, BOTTOM - CORNER, 0),
        (wide, RIGHT - CORNER, BOTTOM, -1, 0, LEFT + CORNER, BOTTOM - CORNER, 90),
        (high, LEFT, BOTTOM - CORNER, 0, -1, LEFT + CORNER, TOP + CORNER, 180),
    )
    for length, x, y, dx, dy, cx, cy, angle in straights:
        if along <= length:
            return Spot(x + dx * along, y + dy * along, (-dy, dx))
        along -= length
        if along <= bend:
            turn = math.radians(angle + 90 * along / bend)
            return Spot(cx + CORNER * math.cos(turn), cy + CORNER * math.sin(turn), (-math.cos(turn), -math.sin(turn)))
        along -= bend
    raise AssertionError("the loop is longer than its parts")


def _stretch(first: float, last: float, points: int) -> str:
    spots = [_on_loop(first + (last - first) * step / points) for step in range(points + 1)]
    return "M" + "L".join(f"{num(spot.x)} {num(spot.y)}" for spot in spots)


def _time_loop(ink: Ink, size: Size) -> str:
    loop = _stretch(0, board.LAST_SPACE, 300)
    bands = "".join(
        f'<path d="{_stretch(slot.first_day - 0.3, slot.last_day + (0.3 if slot.days > 1 else 0.62), 24)}" fill="none"'
        f' stroke="{ink["country"]}" stroke-opacity=".42" stroke-width="33" stroke-linecap="round"/>'
        for slot in board.SLOTS.values()
    )
    track = _railway(loop, ink)
    stations = "".join(_station(day, _on_loop(day), ink, size) for day in range(board.LAST_SPACE + 1))
    values = "".join(_value(slot.vp, _value_spot(slot), ink) for slot in board.SLOTS.values())
    return bands + track + stations + values


def _railway(d: str, ink: Ink) -> str:
    return (
        f'<path d="{d}" fill="none" stroke="{ink["rail"]}" stroke-width="9" stroke-dasharray="1.8 5.2"/>'
        f'<path d="{d}" fill="none" stroke="{ink["rail"]}" stroke-width="5.6"/>'
        f'<path d="{d}" fill="none" stroke="{ink["panel"]}" stroke-width="3.2"/>'
    )


def _station(day: int, spot: Spot, ink: Ink, size: Size) -> str:
    """Draw a space. Dark ones turn up contracts (GTJ 7.2); those of the end have a ring (GTJ 15.1)."""
    dark, end, r = day in board.BOARD.time_track.dark_spaces, day >= board.END_SPACE, size.station
    return (
        f'<circle cx="{num(spot.x)}" cy="{num(spot.y)}" r="{num(r)}" fill="{ink["dark-space" if dark else "paper"]}"'
        f' stroke="{ink["accent" if end else "rail"]}" stroke-width="{num(r * (0.21 if end else 0.14))}"/>'
        + text(
            spot.x,
            spot.y + r * 0.42,
            str(day),
            r * 1.24,
            ink["paper" if dark else "ink"],
            weight=800 if day % 5 == 0 else 700,
        )
    )


def _value_spot(slot: board.Slot) -> Spot:
    """Return the middle of a window, moved off any station there."""
    aside = 0.44 if slot.days == 1 else 0.5 if slot.days % 2 else 0
    return _on_loop((slot.first_day + slot.last_day) / 2 + aside)


def _value(vp: int, spot: Spot, ink: Ink, k: float = 1) -> str:
    return (
        f'<rect x="{num(spot.x - 11 * k)}" y="{num(spot.y - 9 * k)}" width="{num(22 * k)}" height="{num(18 * k)}"'
        f' rx="{num(4 * k)}" fill="{ink["accent"]}" stroke="{ink["paper"]}" stroke-width="{num(1.2 * k)}"/>'
        + text(spot.x, spot.y + 5.4 * k, str(vp), 16 * k, ink["on-accent"], weight=800)
    )


# ==== the time track on a phone: rows below the map ===============================================
ROWS, ROW_DAYS, ROW_TOP, ROW_HEIGHT, ROW_STEP = 3, 14, 776, 136, 77


def _on_rows(day: float, row: int | None = None) -> Spot:
    row = min(int(day) // ROW_DAYS, ROWS - 1) if row is None else row
    return Spot(-1 + (day - row * ROW_DAYS) * ROW_STEP, ROW_TOP - 40 + row * ROW_HEIGHT + 62, (0, -1))


def _time_rows(ink: Ink, size: Size) -> str:
    left, _, width, height = size.box
    parts = [
        f'<rect x="{left}" y="{ROW_TOP - 52}" width="{width}" height="{height}" fill="{ink["panel"]}"/>',
        f'<path d="M{left} {ROW_TOP - 52}h{width}" stroke="{ink["frame"]}" stroke-width="3"/>',
    ]
    for row in range(ROWS):
        first, last = row * ROW_DAYS, min(row * ROW_DAYS + ROW_DAYS - 1, board.LAST_SPACE)
        for slot in board.SLOTS.values():
            begin, end = max(slot.first_day, first), min(slot.last_day, last)
            if begin <= end:
                a, b = _on_rows(begin, row), _on_rows(end, row)
                parts.append(
                    f'<path d="M{num(a.x - 8)} {num(a.y)}H{num(b.x + 8)}" stroke="{ink["country"]}" fill="none"'
                    f' stroke-opacity=".42" stroke-width="66" stroke-linecap="round"/>'
                )
        a, b = _on_rows(first, row), _on_rows(last, row)
        before, after = (a.x - 60 if row else a.x), (b.x + 60 if last < board.LAST_SPACE else b.x)
        parts.append(f'<path d="M{num(before)} {num(a.y)}H{num(after)}" stroke="{ink["rail"]}" stroke-width="7"/>')
        parts += [_station(day, _on_rows(day, row), ink, size) for day in range(first, last + 1)]
    for slot in board.SLOTS.values():
        x, y, wide, high = _value_at(slot, size)
        parts.append(_value(slot.vp, Spot(x + wide / 2, y + high / 2, (0, 0)), ink, VALUE_ON_PHONES))
    return "".join(parts)


# ==== the pieces ==================================================================================
def _pieces(view: GrandTrunkView, size: Size, ink: Ink) -> Iterator[Piece]:
    for place in view.places:
        yield from _at_place(place, size, ink)
    for contract in view.contracts:
        yield from _contract(contract, view, size, ink)
    yield from _trains(view, size, ink)
    yield from _markers(view, size, ink)


def _at_place(place: PlaceView, size: Size, ink: Ink) -> Iterator[Piece]:
    """GTJ 1.4, 1.5, 1.7: the terminal, and beside the plate of goods its steel or the first delivery token."""
    x, y = BASE.places[place.id]
    if place.terminal:
        r = size.place * 1.2
        yield Piece(x - r, y - r, 2 * r, 2 * r, terminal(ink, r), f"terminal.{place.id}")
    label, h = BASE.labels[size.labels].items[place.id], size.plate
    plate = _plate(place.demand[0], place.supply, h, ink)
    wide = _plate_width(len(place.supply), h)
    left = label.x - {"start": 0, "middle": wide / 2, "end": wide}[label.anchor]
    yield Piece(left - 1, label.plate_y - 1, wide + 2, h + 2, plate, f"plate.{place.id}")
    beside = []
    if place.steel:
        beside.append((h * 1.75, _steel(place.steel, h, ink), f"steel.{place.id}"))
    if place.first_delivery:
        beside.append((h, _first_delivery(place.first_delivery_vp, h, ink), f"first_delivery.{place.id}"))
    if size.small and place.id in BELOW_ON_PHONES:
        at, top, backwards = left, label.plate_y + h + 2, False
    elif label.anchor == "start" or place.id in ROOM_AT_THE_RIGHT:
        at, top, backwards = left + wide + 2, label.plate_y, False
    else:
        at, top, backwards = left - 2, label.plate_y, True
    for width, svg, name in beside:
        yield Piece(at - (width if backwards else 0) - 1, top - 1, width + 2, h + 2, svg, name)
        if size.small or place.id in NARROW:
            top += h + 2
        else:
            at += (width + 2) * (-1 if backwards else 1)


ROOM_AT_THE_RIGHT = frozenset(("new_london",))
BELOW_ON_PHONES = frozenset(("white_river_jct",))
NARROW = frozenset(("white_river_jct",))
"""Cities where steel and first delivery tokens have no room on the usual side of the plate, or in one row."""


def cube_of(good: str, x: float, y: float, r: float, ink: Ink) -> str:
    """Draw a cube. Shape comes before colour: coal disc, iron square, wood triangle, steel diamond."""
    style = f'fill="{ink[good]}" stroke="{ink["ink"]}" stroke-width="{num(max(r * 0.16, 0.8))}" stroke-linejoin="round"'
    if good == "coal":
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r * 0.92)}" {style}/>'
    if good == "iron":
        side = num(r * 1.7)
        return f'<rect x="{num(x - r * 0.85)}" y="{num(y - r * 0.85)}" width="{side}" height="{side}" {style}/>'
    if good == "wood":
        return f'<path d="M{num(x)} {num(y - r)}l{num(r * 1.02)} {num(r * 1.85)}h{num(-r * 2.04)}z" {style}/>'
    t = num(r * 1.1)
    return f'<path d="M{num(x)} {num(y - r * 1.1)}l{t} {t}l-{t} {t}l-{t} -{t}z" {style}/>'


def _plate_width(goods: int, h: float) -> float:
    return h * (1.62 + 1.03 * goods)


def _plate(demand: str, supply: tuple[str, ...], h: float, ink: Ink) -> str:
    """Draw the goods that a place wants, on a tinted field, and those that it gives."""
    w, field, bend = _plate_width(len(supply), h), h * 1.13, h * 0.28
    parts = [
        f'<rect x="1" y="1" width="{num(w)}" height="{num(h)}" rx="{num(bend)}" fill="{ink["paper"]}"'
        f' stroke="{ink["rail"]}" stroke-width="{num(h * 0.06)}"/>',
        f'<path d="M{num(1 + field)} 1v{num(h)}H{num(1 + bend)}q{num(-bend)} 0 {num(-bend)} {num(-bend)}'
        f'v{num(2 * bend - h)}q0 {num(-bend)} {num(bend)} {num(-bend)}z" fill="{ink["rail"]}" fill-opacity=".28"/>',
        cube_of(demand, 1 + h * 0.59, 1 + h / 2, h * 0.32, ink),
    ]
    for column, good in enumerate(supply):
        parts.append(cube_of(good, 1 + field + h * (0.7 + 1.03 * column), 1 + h / 2, h * 0.32, ink))
    return "".join(parts)


def _steel(cubes: int, h: float, ink: Ink) -> str:
    """Draw the steel space of a city: a diamond and the number of cubes."""
    return (
        f'<rect x="1" y="1" width="{num(h * 1.75)}" height="{num(h)}" rx="{num(h * 0.28)}" fill="{ink["paper"]}"'
        f' stroke="{ink["rail"]}" stroke-width="{num(h * 0.06)}"/>'
        + cube_of("steel", 1 + h * 0.55, 1 + h / 2, h * 0.32, ink)
        + text(1 + h * 1.25, 1 + h * 0.79, str(cubes), h * 0.84, ink["ink"], weight=800)
    )


def _first_delivery(vp: int, h: float, ink: Ink) -> str:
    """Draw the points for the first delivery."""
    r = h / 2
    return (
        f'<circle cx="{num(1 + r)}" cy="{num(1 + r)}" r="{num(r * 0.96)}" fill="{ink["paper"]}"'
        f' stroke="{ink["accent"]}" stroke-width="{num(h * 0.09)}"/>'
        + text(1 + r, 1 + h * 0.78, str(vp), h * 0.84, ink["accent"], weight=800)
    )


def terminal(ink: Ink, r: float) -> str:
    """Draw a city with a terminal: the disc of a city, filled, with a station house on it."""
    c, w = r, r * 0.86
    return (
        f'<circle cx="{num(c)}" cy="{num(c)}" r="{num(w)}" fill="{ink["ink"]}" stroke="{ink["paper"]}"'
        f' stroke-width="{num(r * 0.12)}"/>'
        f'<path d="M{num(c - r * 0.58)} {num(c - r * 0.06)}L{num(c)} {num(c - r * 0.55)}L{num(c + r * 0.58)}'
        f" {num(c - r * 0.06)}H{num(c + r * 0.4)}V{num(c + r * 0.44)}H{num(c + r * 0.14)}V{num(c + r * 0.08)}"
        f'H{num(c - r * 0.14)}V{num(c + r * 0.44)}H{num(c - r * 0.4)}V{num(c - r * 0.06)}z" fill="{ink["paper"]}"/>'
    )


# ==== trains and markers ==========================================================================


def _trains(view: GrandTrunkView, size: Size, ink: Ink) -> Iterator[Piece]:
    """GTJ 4.7: above the place, or below it if its name stands above; two in a row."""
    w = size.train
    h, pad = w * 0.8, w * 0.1
    for place, (x, y) in BASE.places.items():
        here = [seat for seat in view.seats if seat.place == place and not seat.left]
        label = BASE.labels[size.labels].items[place]
        under = label.plate_y < y - size.plate - 4 or (size.small and place in UNDER_ON_PHONES)
        edge = x + w * {"start": 0.55, "end": -0.55, "middle": 0}[label.anchor]
        yard = YARDS_ON_PHONES.get(place) if size.small else None
        for index, seat in enumerate(here):
            row, column = divmod(index, 2 if yard is None else yard.columns)
            if yard is None:
                columns = min(2, len(here) - 2 * row)
                left = edge - columns * w * {"start": 1, "end": 0, "middle": 0.5}[label.anchor]
                top = y + size.place * 1.1 + row * h if under else y - size.place * 1.1 - (row + 1) * h
            else:
                left, top = x + yard.x, y + yard.y - row * h
            left += column * w * 1.04
            yield Piece(
                left - pad,
                top - pad,
                w + 2 * pad,
                h + 2 * pad,
                locomotive(seat.company, w, pad, ink),
                f"train.{seat.seat}",
                seat.seat,
            )


class Yard(msgspec.Struct, frozen=True):
    """The position of the first train relative to its place, and the number of trains in a row."""

    x: float
    y: float
    columns: int


UNDER_ON_PHONES = frozenset(("boston",))
YARDS_ON_PHONES = {
    "niagara": Yard(-62, -52, 2), "hamilton": Yard(22, -2, 2),
    "utica": Yard(-38, -54, 4), "watertown": Yard(-58, -50, 2),
}  # fmt: skip
"""Places where trains above would hide the goods or the name of another place."""

BOILER = "M1 14V4H0V0.6H13V4H15.4V-0.4H18.4V4H21V14z"


def locomotive(company: str, w: float, pad: float, ink: Ink) -> str:
    """Draw a company's locomotive, ``w`` wide, with its letter."""
    colour = cards.COMPANIES[company].colour
    shape = f'<path d="{BOILER}" fill="{ink[colour]}" stroke-linejoin="round"'
    wheels = "".join(f'<circle cx="{x}" cy="14" r="2.6" fill="{ink["ink"]}"/>' for x in (5, 11, 17))
    return (
        f'<g transform="translate({num(pad)} {num(pad)}) scale({w / 22:.3f})">'
        f'{shape} stroke="{ink["halo"]}" stroke-width="3.4"/>{shape} stroke="{ink["ink"]}" stroke-width="1.3"/>{wheels}'
        + text(7, 10.8, LETTERS[company], 10.5, ink[f"on-{colour}"], weight=800)
        + "</g>"
    )


def _disc(seat: SeatView, r: float, ink: Ink) -> str:
    colour = cards.COMPANIES[seat.company].colour
    return (
        f'<circle cx="{num(r * 1.15)}" cy="{num(r * 1.15)}" r="{num(r)}" fill="{ink[colour]}" stroke="{ink["ink"]}"'
        f' stroke-width="{num(r * 0.19)}"/>'
        + text(r * 1.15, r * 1.63, LETTERS[seat.company], r * 1.37, ink[f"on-{colour}"], weight=800)
    )


def _markers(view: GrandTrunkView, size: Size, ink: Ink) -> Iterator[Piece]:
    """GTJ 3.3: on the inner side of their space, in the order of the stack, the bottom one first."""
    r = size.marker
    for day in sorted({seat.day for seat in view.seats}):
        stack = [view.seats[number - 1] for number in view.order if view.seats[number - 1].day == day]
        spot = _on_rows(day) if size.small else _on_loop(day)
        away = size.station + r * 0.66
        for index, seat in enumerate(stack):
            along = (index - (len(stack) - 1) / 2) * r * 1.92
            nx, ny = spot.inward
            x, y = spot.x + nx * away + ny * along, spot.y + ny * away - nx * along
            if size.small:
                x = spot.x + along
            name = f"marker.{seat.seat}"
            yield Piece(x - r * 1.15, y - r * 1.15, r * 2.3, r * 2.3, _disc(seat, r, ink), name, seat.seat)


# ==== contracts ===================================================================================
def _contract(contract: ContractView, view: GrandTrunkView, size: Size, ink: Ink) -> Iterator[Piece]:
    """GTJ 7.1, 7.3: the token of an open slot hangs on the track as a sign; a met one shows who met it."""
    if contract.city is not None and contract.good is not None:
        by = None if contract.met_by is None else view.seats[contract.met_by - 1]
        left, top, wide, high = tag_at(contract, size)
        tag = _tag(contract.good, _on_tag(contract.city, size), by, size.tag, wide, ink)
        yield Piece(left - 1, top - 1, wide + 2, high + 2, tag, f"contract.{contract.slot}", contract.met_by)


def tag_at(contract: ContractView, size: Size) -> tuple[float, float, float, float]:
    """Return the box of the sign of a contract turned up: left, top, width, height."""
    slot, high = board.SLOTS[contract.slot], size.tag * 1.42
    wide = _tag_width(str(contract.city), size)
    if not size.small:
        return (*_tag_corner(slot, wide, high), wide, high)
    left, top, across, down = _value_at(slot, size)
    return (left - 2 - wide if _turned(slot, size) else left + across + 2), top + (down - high) / 2, wide, high


def _on_tag(city: str, size: Size) -> str:
    """Return the name of a city on a sign, in one line."""
    return " ".join(BASE.labels[size.labels].items[city].lines)


def _tag_width(city: str, size: Size) -> float:
    """Return the width of a sign."""
    return size.tag * 1.65 + breadth(_on_tag(city, size), size.tag)


def _tag(good: str, city: str, by: SeatView | None, t: float, wide: float, ink: Ink) -> str:
    h, r = t * 1.42, t * 0.55
    plate = (
        f'<rect x="1" y="1" width="{num(wide)}" height="{num(h)}" rx="{num(t * 0.3)}" fill="{ink["paper"]}"'
        f' stroke="{ink["muted" if by else "accent"]}" stroke-width="{num(t * 0.1)}"/>'
    )
    x, base = 1 + t * 1.5, 1 + h * 0.71
    if by is None:
        sign = cube_of(good, 1 + t * 0.8, 1 + h / 2, t * 0.45, ink)
        return plate + sign + text(x, base, city, t, ink["ink"], anchor="start", weight=800)
    sign = _moved(1 + t * 0.8 - r * 1.15, 1 + h / 2 - r * 1.15, _disc(by, r, ink))
    struck = ' text-decoration="line-through"'
    return plate + sign + text(x, base, city, t, ink["muted"], anchor="start", weight=500, more=struck)


def _tag_corner(slot: board.Slot, wide: float, h: float) -> tuple[float, float]:
    """Return the corner of a sign: just inside the frame, beside the value of its window."""
    if slot.slot in TAGS:
        return TAGS[slot.slot]
    spot = _value_spot(slot)
    nx, ny = spot.inward
    left = 1013 - wide if nx < -0.7 else spot.x - wide / 2
    top = -13.0 if ny > 0.7 else 713 - h if ny < -0.7 else spot.y - h / 2
    return min(left, 1013 - wide), max(top, -13)


TAGS = {8: (132.0, 691.0), 9: (-13.0, 691.0), 10: (-13.0, 450.0)}
"""Slot -> the corner of its sign, if the legend or a name is in the way of the usual one."""


def _value_at(slot: board.Slot, size: Size) -> tuple[float, float, float, float]:
    """Return the box of a window's value on a phone: below its first day, or at the end of the row. As `tag_at`."""
    first, across, down = _on_rows(slot.first_day), 23 * VALUE_ON_PHONES, 22 * VALUE_ON_PHONES
    left = _right(size) - across if _turned(slot, size) else first.x - size.station
    return left, first.y + size.station + 8, across, down


def _right(size: Size) -> float:
    return size.box[0] + size.box[2] - 8


@cache
def _turned(slot: board.Slot, size: Size) -> bool:
    """Does the sign lie before the value, since the longest one after it would leave the sheet?"""
    widest = max(_tag_width(it.city, size) for it in board.CONTRACT_TOKENS.values() if it.days == slot.days)
    begins = _on_rows(slot.first_day).x - size.station + 23 * VALUE_ON_PHONES + 2
    return begins + widest > _right(size)


VALUE_ON_PHONES = 1.56
"""The scale of signs on a phone, against those on the loop."""


# ==== the panel: one line a company ===============================================================
PANEL_HEIGHT = 128
LEGEND = (-6, 560)
PANEL = (318, 560, 356)
"""Left, top of the highest panel, width."""
ROW = 22


def _panel(view: GrandTrunkView, ink: Ink, language: Language) -> Iterator[Piece]:
    """Draw trains, points, wood track and delivered goods, which lie before the players in the printed game."""
    left, top, wide = PANEL
    high = PANEL_HEIGHT - (4 - len(view.seats)) * ROW
    top += PANEL_HEIGHT - high
    yield Piece(
        left - 1, top - 1, wide + 2, high + 2, _box(1, 1, wide, high, ink) + _panel_head(ink, language), "panel"
    )
    for row, seat in enumerate(view.seats):
        y, name = top + 30 + row * ROW, f"seat.{seat.seat}"
        if seat.seat in view.asked:
            yield Piece(left + 5, y, wide - 10, ROW, _asked_row(wide - 10, ink), f"{name}.asked")
        yield Piece(left + 10, y, ROW, ROW, _disc(seat, 9.2, ink), name)
        force = f"{cards.FORCE_LEVELS[seat.force].roman}{'»' if seat.fast else ''}"
        yield _cell(left + 36, y, 44, force, ink, f"{name}.force", "start")
        for place, railcar in enumerate(seat.railcars):
            yield Piece(
                left + 68 + place * 26,
                y + 1,
                26,
                ROW - 2,
                wagon_of(railcar.good, railcar.cubes, ink),
                f"{name}.railcar.{place}",
            )
        yield _cell(left + 175, y, 36, str(seat.vp), ink, f"{name}.vp", weight=800)
        yield _cell(left + 212, y, 30, str(seat.wood), ink, f"{name}.wood_track")
        for column, good in enumerate(cards.GOODS):
            yield _cell(left + 246 + column * 26, y, 26, str(seat.delivered.get(good, 0)), ink, f"{name}.{good}")


def _panel_head(ink: Ink, language: Language) -> str:
    train, points = (say(each, language, str) for each in (Sentence("Force, » fast"), Sentence("VP")))

    def head(x: float, said: str, anchor: str = "middle") -> str:
        return text(x, 25, said, 14.5, ink["ink"], anchor=anchor, weight=500)

    symbols = "".join(cube_of(good, 1 + 259 + column * 26, 20, 6, ink) for column, good in enumerate(cards.GOODS))
    steps = f'<path d="M{1 + 218} 26h5v-4h5v-4h5v-4" fill="none" stroke="{ink["wood"]}" stroke-width="2.6"/>'
    return head(37, train, "start") + head(1 + 193, points) + steps + symbols


def _asked_row(wide: float, ink: Ink) -> str:
    """Mark the seat whose turn it is."""
    return (
        f'<rect x="0" y="0" width="{num(wide)}" height="{ROW}" rx="4" fill="{ink["accent"]}" fill-opacity=".16"/>'
        f'<rect x="0" y="0" width="3.4" height="{ROW}" rx="1.7" fill="{ink["accent"]}"/>'
    )


def _cell(
    x: float, y: float, wide: float, said: str, ink: Ink, name: str, anchor: str = "middle", weight: int = 700
) -> Piece:
    at = 1 if anchor == "start" else wide / 2
    return Piece(x, y, wide, ROW, text(at, 16.4, said, 16, ink["ink"], anchor=anchor, weight=weight), name)


def wagon_of(good: str | None, cubes: int, ink: Ink) -> str:
    """Draw a railcar with its cubes, two of them one behind the other."""
    wagon = (
        f'<path d="M1.5 8V15.6H24.5V8" fill="{ink["paper"]}" stroke="{ink["rail"]}" stroke-width="1.5"/>'
        f'<circle cx="7" cy="17" r="2" fill="{ink["rail"]}"/><circle cx="19" cy="17" r="2" fill="{ink["rail"]}"/>'
    )
    if good is None:
        return wagon
    spots = (13.0,) if cubes == 1 else (8.2, 17.8)
    return wagon + "".join(cube_of(good, x, 8.4, 5.2, ink) for x in spots)
