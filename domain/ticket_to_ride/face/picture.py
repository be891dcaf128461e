"""The board of Ticket to Ride as SVG, drawn from a view (for the web, and as pixels in mails).

The ground is the sheet before the game: map, open routes, cities. The pieces lie on it: claimed routes and the names
over them. `REGULAR` is drawn for boards at least 600 px wide; `SMALL` is for phones, with three letters for a city. In
mails a strip below has the market, the decks and a line for each seat, which pages show beside the board.
"""

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from domain.drawing import INKS, BaseMap, Ink, border, breadth, map_defs, num, paint_map, placed, sign, text
from domain.face import Picture, Piece, Theme
from domain.ticket_to_ride.board import CITIES, ROUTES, Route
from domain.ticket_to_ride.cards import COLOURS, LOCOMOTIVE, size
from domain.ticket_to_ride.view import SeatView, TicketToRideView
from domain.words import Language, Sentence, say

Point = tuple[float, float]


class RouteMap(BaseMap, frozen=True, kw_only=True):
    """``courses``: two cities joined -> the control point of the curve between them; None: a straight line."""

    courses: dict[str, Point | None]


BASE = msgspec.json.decode((Path(__file__).parents[1] / "data" / "basemap.json").read_bytes(), type=RouteMap)

LETTERS = {"blue": "B", "red": "R", "green": "G", "yellow": "Y", "black": "K"}
"""A seat's letter on its trains: the second channel besides the colour."""


class Size(msgspec.Struct, frozen=True):
    """The measures of one of the two drawings. ``box``: the view box. ``labels``: the names of the base map to draw.

    ``car``: the width of a car. ``city``: the radius of a city.
    """

    small: bool
    box: tuple[float, float, float, float]
    labels: str
    car: float
    city: float


SHEET = (-40, -40, 1080, 780)
REGULAR = Size(False, SHEET, "regular", 9.4, 7.6)
SMALL = Size(True, SHEET, "phone", 9.8, 10)
STRIP = 150
"""The height of the strip below the sheet."""


def picture(
    view: TicketToRideView, theme: Theme, language: Language, small: bool = False, alone: bool = False
) -> Picture:
    """Draw the board as ``view`` shows it."""
    alone = alone or small
    left, top, width, height = SHEET
    box = left, top, width, height + (0 if alone else STRIP)
    ground, pieces = _ground(theme, language, small, alone), tuple(_pieces(view, theme, small, alone))
    return Picture(box, map_defs(BASE, small), ground, pieces, _label(view))


def _label(view: TicketToRideView) -> Sentence:
    """Describe the picture, for readers who cannot see it."""
    return Sentence(
        "The board: {number:route is|routes are} claimed. Market: {cards}.",
        {"number": len(view.owners), "cards": tuple(card for card in view.market if card)},
    )


# ==== where the cars stand ========================================================================
LONGEST_CAR, GAP = 30, 3
LANE = 6.6  # from the middle line of a double route to either track
CLEAR, CLEAR_OF_DOUBLES = 10.5, 11.5  # from the middle of a city to its first car


class Car(msgspec.Struct, frozen=True):
    """A space of a route on the sheet: its middle, its direction in degrees (never upside down) and its length."""

    x: float
    y: float
    turn: float
    length: float


class Track(msgspec.Struct, frozen=True):
    """A route on the sheet. ``line``: from city to city; ``between``: the part of it outside both cities."""

    cars: tuple[Car, ...]
    line: tuple[Point, ...]
    between: tuple[Point, ...]


@cache
def track(id: str) -> Track:
    """Place a track: both tracks of a double route use the cuts and directions of the line in the middle, moved to
    either side.
    """
    route = ROUTES[id]
    course = _Course(route)
    aside = {0: 0.0, 1: -LANE, 2: LANE}[route.lane]
    clear = CLEAR_OF_DOUBLES if route.lane else CLEAR
    free = course.length - 2 * clear
    step = free / route.spaces
    length = min(LONGEST_CAR, (free - (route.spaces - 1) * GAP) / route.spaces)
    cars = []
    for space in range(route.spaces):
        x, y, angle = course.at(clear + step * (space + 0.5), aside)
        turn = math.degrees(angle)
        cars.append(Car(x, y, turn - 180 if turn > 90 else turn + 180 if turn < -90 else turn, length))
    return Track(tuple(cars), course.stretch(0, course.length, aside), course.stretch(9, course.length - 9, aside))


class _Course:
    """The middle line between two cities, measured along its length."""

    STEPS = 48

    def __init__(self, route: Route) -> None:
        a, b = CITIES[route.a], CITIES[route.b]
        bend = BASE.courses[route.pair] or ((a.x + b.x) / 2, (a.y + b.y) / 2)
        self.points: list[Point] = []
        for step in range(self.STEPS + 1):
            t = step / self.STEPS
            u, v, w = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
            self.points.append((u * a.x + v * bend[0] + w * b.x, u * a.y + v * bend[1] + w * b.y))
        self.along = [0.0]
        for (x0, y0), (x1, y1) in zip(self.points, self.points[1:], strict=False):
            self.along.append(self.along[-1] + math.hypot(x1 - x0, y1 - y0))
        self.length = self.along[-1]

    def at(self, distance: float, aside: float) -> tuple[float, float, float]:
        """Return the point at ``distance``, moved ``aside`` to the right, and the direction there."""
        step = next((n for n in range(1, self.STEPS + 1) if self.along[n] >= distance), self.STEPS)
        (x0, y0), (x1, y1) = self.points[step - 1], self.points[step]
        part = (distance - self.along[step - 1]) / (self.along[step] - self.along[step - 1])
        angle = math.atan2(y1 - y0, x1 - x0)
        x = x0 + (x1 - x0) * part - math.sin(angle) * aside
        y = y0 + (y1 - y0) * part + math.cos(angle) * aside
        return x, y, angle

    def stretch(self, start: float, end: float, aside: float) -> tuple[Point, ...]:
        points = 13
        return tuple(self.at(start + (end - start) * n / (points - 1), aside)[:2] for n in range(points))


def _path(points: tuple[Point, ...], x: float = 0, y: float = 0) -> str:
    return "M" + "L".join(f"{num(px - x)} {num(py - y)}" for px, py in points)


# ==== the ground ==================================================================================
@cache
def _ground(theme: Theme, language: Language, small: bool, alone: bool) -> str:
    size, ink = (SMALL if small else REGULAR), INKS[theme]
    parts = [paint_map(BASE, ink, language, small=small), _beds(ink, size)]
    for route in ROUTES.values():
        parts.append(placed(route.id, *(_open_car(route.colour, car, ink, size) for car in track(route.id).cars)))
    parts += [placed(city.id, _city(city.x, city.y, ink, size)) for city in CITIES.values()]
    parts.append(border(-32, -32, 1064, 764, 7, 1, ink))
    if alone:
        parts.append(border(-38, -38, 1076, 776, 10, 3, ink))
    else:
        parts += [_strip(ink, language), border(-38, -38, 1076, 776 + STRIP, 10, 3, ink)]
    return "".join(parts)


def _beds(ink: Ink, size: Size) -> str:
    """Draw a light bed under every route, and the thin line that holds its cars together."""
    d = "".join(_path(track(route).line) for route in ROUTES)
    return (
        f'<path d="{d}" fill="none" stroke="{ink["land"]}" stroke-width="{num(size.car + 4)}" stroke-opacity=".8"/>'
        f'<path d="{d}" fill="none" stroke="{ink["rail"]}" stroke-width="2" stroke-opacity=".75"/>'
    )


def _open_car(colour: str, car: Car, ink: Ink, size: Size) -> str:
    return (
        f'<g transform="translate({num(car.x)} {num(car.y)}) rotate({num(car.turn)})"><rect x="{num(-car.length / 2)}"'
        f' y="{num(-size.car / 2)}" width="{num(car.length)}" height="{num(size.car)}" rx="2.2" fill="{ink[colour]}"'
        f' stroke="{ink["rail"]}" stroke-width="1.1"/>{sign(colour, ink[f"on-{colour}"], 2.7)}</g>'
    )


def _city(x: float, y: float, ink: Ink, size: Size) -> str:
    r = size.city
    return (
        f'<circle cx="{x}" cy="{y}" r="{num(r)}" fill="{ink["paper"]}" stroke="{ink["ink"]}"'
        f' stroke-width="{num(r * 0.34)}"/><circle cx="{x}" cy="{y}" r="{num(r * 0.34)}" fill="{ink["accent"]}"/>'
    )


# ==== the strip: market, decks, seats =============================================================
STRIP_TOP = 740
CARD = (80.0, 54.0)
DECK = 38
MARKET_AT = (-14.0, 790.0)
CARD_STEP = 90.0
DECKS_AT = (448.0, 500.0, 552.0)
TABLE_AT = 620.0
COLUMNS = (94.0, 164.0, 234.0, 304.0, 374.0)
ROW = 21.6
NUMBER = 44.0
"""Width for a number, which ends at its right edge."""
ROWS_TOP = 772.0

COLUMN_NAMES = (
    Sentence("points"),
    Sentence("trains"),
    Sentence("cards"),
    Sentence("tickets"),
    Sentence("longest"),
)
MARKET_NAMES = (Sentence("Market"), Sentence("deck"), Sentence("discards"), Sentence("tickets"))


def market_at(slot: int) -> Point:
    """Return the corner of a slot of the market, 0 to 4."""
    return MARKET_AT[0] + slot * CARD_STEP, MARKET_AT[1]


def _strip(ink: Ink, language: Language) -> str:
    """Draw the empty strip."""
    market, *decks = (say(each, language, str) for each in MARKET_NAMES)
    parts = [
        f'<rect x="-40" y="{STRIP_TOP}" width="1080" height="{STRIP}" fill="{ink["panel"]}"/>',
        f'<path d="M-38 {STRIP_TOP}H1038" stroke="{ink["frame"]}" stroke-width="2"/>',
        text(MARKET_AT[0], 772, market, 18, ink["ink"], anchor="start", serif=True),
    ]
    for slot in range(5):
        x, y = market_at(slot)
        parts.append(
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(CARD[0])}" height="{num(CARD[1])}" rx="6" fill="none"'
            f' stroke="{ink["muted"]}" stroke-width="1" stroke-dasharray="3 3"/>'
        )
        parts.append(text(x + CARD[0] / 2, y + CARD[1] + 18, str(slot + 1), 13, ink["muted"]))
    for x, said in zip(DECKS_AT, decks, strict=True):
        parts.append(text(x + 21, MARKET_AT[1] + CARD[1] + 18, said, 13, ink["ink"], weight=500))
    for x, column in zip(COLUMNS, COLUMN_NAMES, strict=True):
        said = say(column, language, str)
        parts.append(text(TABLE_AT + x, ROWS_TOP - 8, said, 13.5, ink["ink"], weight=500, anchor="end"))
    return "".join(parts)


# ==== the pieces ==================================================================================
def _pieces(view: TicketToRideView, theme: Theme, small: bool, alone: bool) -> Iterator[Piece]:
    for route, seat in view.owners.items():
        yield _claimed(route, seat, view.seats[seat - 1].colour, theme)
    yield from _names(theme, small)
    if alone:
        return
    ink = INKS[theme]
    for slot, card in enumerate(view.market):
        if card is not None:
            x, y = market_at(slot)
            yield Piece(x - 1, y - 1, CARD[0] + 2, CARD[1] + 2, card_of(card, ink), f"market.{slot + 1}")
    decks = (
        ("train_deck", view.train_deck, "accent"),
        ("discard", size(view.discard), "gray"),
        ("ticket_deck", view.ticket_deck, "paper"),
    )
    for x, (name, number, back) in zip(DECKS_AT, decks, strict=True):
        yield Piece(x, MARKET_AT[1], 46, CARD[1] + 2, deck_of(back if number else None, ink), name)
        if number:
            on = ink["ink" if back == "paper" else f"on-{back}"]
            said = text(DECK / 2 + 2, CARD[1] / 2 + 6.5, str(number), 19, on, weight=800)
            yield Piece(x, MARKET_AT[1], 46, CARD[1] + 2, said, f"{name}.number")
    for row, seat_view in enumerate(view.seats):
        yield from _row(seat_view, view, ROWS_TOP + row * ROW, ink)


@cache
def _names(theme: Theme, small: bool) -> tuple[Piece, ...]:
    """Draw the names of the cities over the trains: wagons are larger than the cars for which the names were placed."""
    labels, ink = BASE.labels[(SMALL if small else REGULAR).labels], INKS[theme]
    pieces = []
    for city, label in labels.items.items():
        size = labels.size
        wide = math.ceil(max(breadth(line, size) for line in label.lines) * 1.15 + size)
        x = {"start": size / 2, "middle": wide / 2, "end": wide - size / 2}[label.anchor]
        lines = "".join(
            text(
                x,
                size * 1.2 + row * size * 0.92,
                line,
                size,
                ink["ink"],
                anchor=label.anchor,
                weight=800,
                halo=ink["halo"],
            )
            for row, line in enumerate(label.lines)
        )
        height = size * (1.7 + 0.92 * (len(label.lines) - 1))
        pieces.append(Piece(label.x - x, label.y - size * 1.2, wide, height, lines, f"name.{city}"))
    return tuple(pieces)


@cache
def _claimed(id: str, seat: int, colour: str, theme: Theme) -> Piece:
    """Draw wagons: they are larger, rimmed and coupled, so that a red train differs from a red route."""
    ink = INKS[theme]
    laid = track(id)
    xs, ys = [x for x, _ in laid.between], [y for _, y in laid.between]
    reach = LONGEST_CAR / 2 + 12
    left, top = math.floor(min(xs) - reach), math.floor(min(ys) - reach)
    width, height = math.ceil(max(xs) + reach) - left, math.ceil(max(ys) + reach) - top
    d = _path(laid.between, left, top)
    parts = [
        f'<path d="{d}" fill="none" stroke="{ink["paper"]}" stroke-width="10"/>'
        f'<path d="{d}" fill="none" stroke="{ink["ink"]}" stroke-width="5"/>'
    ]
    parts += [
        f'<g transform="translate({num(car.x - left)} {num(car.y - top)}) rotate({num(car.turn)})">'
        f"{_wagon(car.length + 2, colour, ink)}</g>"
        for car in laid.cars
    ]
    return Piece(left, top, width, height, "".join(parts), id, seat)


def _wagon(length: float, colour: str, ink: Ink) -> str:
    """Draw a seat's train around the origin: paper rim, ink outline, two light lines and the letter."""
    w, paint = 14.2, ink[f"on-{colour}"]
    rail = length / 2 - 3
    return (
        f'<rect x="{num(-length / 2 - 1.6)}" y="{num(-w / 2 - 1.6)}" width="{num(length + 3.2)}"'
        f' height="{num(w + 3.2)}" rx="4.4" fill="{ink["paper"]}"/>'
        f'<rect x="{num(-length / 2)}" y="{num(-w / 2)}" width="{num(length)}" height="{w}" rx="3"'
        f' fill="{ink[colour]}" stroke="{ink["ink"]}" stroke-width="1.9"/>'
        f'<path d="M{num(-rail)} -4.5H{num(rail)}M{num(-rail)} 4.5H{num(rail)}" stroke="{paint}"'
        f' stroke-opacity=".55" stroke-width="1"/>' + text(0, 4, LETTERS[colour], 12, paint, weight=800)
    )


def card_of(card: str, ink: Ink) -> str:
    """Draw a train card: its colour and its sign, large and in two corners; a locomotive has all colours."""
    w, h = CARD
    if card == LOCOMOTIVE:
        return _locomotive(ink)
    paint = ink[f"on-{card}"]
    corner = sign(card, paint, 4)
    return (
        f'<rect x="1" y="1" width="{num(w)}" height="{num(h)}" rx="6" fill="{ink[card]}" stroke="{ink["rail"]}"'
        f' stroke-width="1.6"/><rect x="5" y="5" width="{num(w - 8)}" height="{num(h - 8)}" rx="3.5" fill="none"'
        f' stroke="{paint}" stroke-opacity=".4" stroke-width="1"/>'
        f'<g transform="translate({num(1 + w / 2)} {num(1 + h / 2)})">{sign(card, paint, 12)}</g>'
        f'<g transform="translate(14 14)">{corner}</g>'
        f'<g transform="translate({num(w - 12)} {num(h - 12)})">{corner}</g>'
    )


def _locomotive(ink: Ink) -> str:
    """Draw an engine on bands of all colours. They are bright even at night, so the engine is always dark, with a light
    rim.
    """
    w, h = CARD
    band = (w - 8) / len(COLOURS)
    bands = "".join(
        f'<rect x="{num(5 + n * band)}" y="5" width="{num(band + 0.3)}" height="{num(h - 8)}" fill="{ink[colour]}"/>'
        for n, colour in enumerate(COLOURS)
    )
    engine = "M20 35V18h14v7h15v-5h-3v-4h11v4h-3v5h4l2 5v5l5 4H20zM24 21.5v7h6.5v-7z"
    wheels = "".join(f'<circle cx="{x}" cy="39" r="4.6"/>' for x in (26, 38, 50))
    return (
        f'<rect x="1" y="1" width="{num(w)}" height="{num(h)}" rx="6" fill="{ink["paper"]}" stroke="{ink["rail"]}"'
        f' stroke-width="1.6"/>{bands}<g fill="{ink["black"]}" stroke="{ink["on-black"]}" stroke-width="2.2"'
        f' paint-order="stroke" stroke-linejoin="round"><path d="{engine}" fill-rule="evenodd"/>{wheels}</g>'
    )


def deck_of(back: str | None, ink: Ink) -> str:
    """Draw a deck seen from above; an empty one (None) is a dashed outline."""
    x, y, w, h = 2, 1, DECK, CARD[1]
    if back is None:
        place = f'fill="none" stroke="{ink["muted"]}" stroke-width="1" stroke-dasharray="3 3"'
        return f'<rect x="{x}" y="{y}" width="{w}" height="{num(h)}" rx="5" {place}/>'
    return (
        f'<rect x="{x + 3}" y="{y + 2}" width="{w}" height="{num(h - 2)}" rx="5" fill="{ink[back]}"'
        f' stroke="{ink["rail"]}" stroke-width="1.2"/>'
        f'<rect x="{x}" y="{y}" width="{w}" height="{num(h - 2)}" rx="5" fill="{ink[back]}" stroke="{ink["rail"]}"'
        f' stroke-width="1.4"/>'
    )


def _row(seat: SeatView, view: TicketToRideView, top: float, ink: Ink) -> Iterator[Piece]:
    """Draw a seat's wagon and its numbers, with a mark before the seat on turn.

    Each number is a piece of its own: numbers recur, whole rows hardly ever. (A mail's picture, out of a stream of
    games: 29 ms of a core with whole rows, 15 ms with single numbers.)
    """
    paint, left = ink["muted" if seat.left else "ink"], TABLE_AT - 22
    wagon = f'<g transform="translate(42 {num(ROW / 2)})">{_wagon(30, seat.colour, ink)}</g>'
    mark = f'<path d="M6 {num(ROW / 2 - 6)}l11 6-11 6z" fill="{ink["accent"]}"/>' if seat.seat in view.asked else ""
    name = f"seat.{seat.seat}"
    yield Piece(left, top, 66, ROW, wagon + mark, name)
    numbers = (seat.points, seat.trains, seat.cards, seat.tickets + seat.offered, seat.longest_path)
    for column, (x, number) in enumerate(zip(COLUMNS, numbers, strict=True), 1):
        said = text(NUMBER, ROW / 2 + 6, str(number), 17, paint, anchor="end", weight=800 if x == COLUMNS[0] else 700)
        yield Piece(left + x + 22 - NUMBER, top, NUMBER, ROW, said, f"{name}.{column}")
    if seat.left:
        line = f'<path d="M0 {num(ROW / 2)}H{num(COLUMNS[-1] - 40)}" stroke="{paint}" stroke-width="1.4"/>'
        yield Piece(left + 66, top, COLUMNS[-1] - 40, ROW, line, f"{name}.left")
