"""The board of New England Railways as SVG, drawn from a view (for the web, and as pixels in mails).

The ground is the sheet before the game: map, links with their numbers, cities in the colour of their demand. The pieces
lie on it: owned and built links, links on offer, waiting cubes. `REGULAR` is drawn for boards at least 600 px wide,
`SMALL` for phones. In mails a strip below has the cup and a line for each seat, which pages show beside the board.
"""

import math
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from domain.drawing import INKS, BaseMap, Ink, Label, Labels, border, map_defs, num, paint_map, placed, sign, text
from domain.face import Picture, Piece, Theme
from domain.new_england.board import COLOURS, LINKS
from domain.new_england.face.narrate import LETTERS
from domain.new_england.view import CityView, LinkView, NewEnglandView, SeatView
from domain.words import Language, Sentence, say

Waiting = tuple[tuple[str, int], ...]
"""The cubes in a city's box: (colour, number)."""
SEAT_COLOURS = ("red", "blue", "green", "yellow", "purple", "black")
# A seat's letter on its links is the second channel besides the colour.


class CityLabel(Label, frozen=True):
    """``lower``: how much lower the name stands if no cube waits under it."""

    lower: float = 0


class CityLabels(Labels, frozen=True):
    items: dict[str, CityLabel]  # type: ignore[assignment]


class LinkMap(BaseMap, frozen=True, kw_only=True):
    """``middles``: link -> the middle of its drawn course."""

    labels: dict[str, CityLabels]  # type: ignore[assignment]
    middles: dict[str, tuple[float, float]]


BASE = msgspec.json.decode((Path(__file__).parents[1] / "data" / "basemap.json").read_bytes(), type=LinkMap)


class Size(msgspec.Struct, frozen=True):
    """The measures of one of the two drawings. ``scale``: of links.

    ``disc``: the radius of the disc of a link. ``number``: the size of its text. ``city``: the radius of a city.
    """

    small: bool
    box: tuple[float, float, float, float]
    labels: str
    scale: float
    disc: float
    number: float
    city: float


REGULAR = Size(False, (-26, -40, 1086, 780), "regular", 1.0, 12.2, 17.2, 12.5)
SMALL = Size(True, (-22, -36, 1082, 772), "phone", 1.3, 16.5, 24.2, 16.5)
STRIP = 156
"""The height of the strip below the sheet."""


def picture(
    view: NewEnglandView, theme: Theme, language: Language, small: bool = False, alone: bool = False
) -> Picture:
    """Draw the board as ``view`` shows it."""
    size, alone = (SMALL if small else REGULAR), alone or small
    left, top, width, height = size.box
    box = left, top, width, height + (0 if alone else STRIP)
    ground, pieces = _ground(theme, language, small, alone), tuple(_pieces(view, theme, size, alone))
    return Picture(box, map_defs(BASE, small), ground, pieces, _label(view))


def _label(view: NewEnglandView) -> Sentence:
    """Describe the picture, for readers who cannot see it."""
    return Sentence(
        "The board in turn {turn}: {built} of {all} links built, {cubes:cube waits|cubes wait} in the cities.",
        {
            "turn": view.turn,
            "built": sum(link.where == "built" for link in view.links),
            "all": len(view.links),
            "cubes": sum(sum(city.cubes.values()) for city in view.cities),
        },
    )


# ==== the ground ==================================================================================
@cache
def _ground(theme: Theme, language: Language, small: bool, alone: bool) -> str:
    size, ink = (SMALL if small else REGULAR), INKS[theme]
    parts = [paint_map(BASE, ink, language, small=small), _free_links(ink, size)]
    parts += [placed(link, _disc(link, ink["paper"], ink["ink"], str(LINKS[link].number), ink, size)) for link in LINKS]
    if small:
        return "".join((*parts, border(-16, -30, 1070, 760, 7, 1, ink)))
    parts += [border(-18, -32, 1070, 764, 7, 1, ink), _legend(ink, language)]
    if alone:
        return "".join((*parts, border(-24, -38, 1082, 776, 10, 3, ink)))
    return "".join((*parts, _strip(ink, language), border(-24, -38, 1082, 776 + STRIP, 10, 3, ink)))


def _free_links(ink: Ink, size: Size) -> str:
    d, k = "".join(BASE.links.values()), size.scale
    return (
        f'<path d="{d}" fill="none" stroke="{ink["halo"]}" stroke-width="{num(11 * k)}" stroke-opacity=".75"/>'
        f'<path d="{d}" fill="none" stroke="{ink["rail"]}" stroke-width="{num(2.4 * k)}"'
        f' stroke-dasharray="{num(7 * k)} {num(5 * k)}" stroke-opacity=".8"/>'
    )


def middle(link: str, size: Size) -> tuple[float, float]:
    """Return the middle of the disc of a link."""
    return (ASIDE_ON_PHONES if size.small else {}).get(link) or BASE.middles[link]


ASIDE_ON_PHONES = {"concord__manchester": (651.0, 187.5)}
"""Link -> its disc beside it, if the cities at its ends would hide one in the middle."""


def ring_radius(size: Size) -> float:
    """Return the radius of the paper ring of a city."""
    return size.city + 2.4


def _disc(link: str, fill: str, paint: str, said: str, ink: Ink, size: Size, at: tuple[float, float] = (0, 0)) -> str:
    """Draw the disc in the middle of a link: its number, or the letter of its owner."""
    x, y = middle(link, size)
    x, y = x - at[0], y - at[1]
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(size.disc)}" fill="{fill}" stroke="{ink["ink"]}"'
        f' stroke-width="{num(1.6 * size.scale)}"/>'
        + text(x, y + size.number * 0.335, said, size.number, paint, weight=800)
    )


def _city(x: float, y: float, demand: str, ink: Ink, radius: float) -> str:
    """Draw a paper ring, filled with the colour of the city's demand and its sign."""
    return (
        f'<g transform="translate({num(x)} {num(y)})"><circle r="{num(radius + 2.4)}" fill="{ink["paper"]}"'
        f' stroke="{ink["ink"]}" stroke-width="{num(radius * 0.14)}"/><circle r="{num(radius - 1.2)}"'
        f' fill="{ink[demand]}"/>{sign(demand, ink[f"on-{demand}"], radius * 0.42)}</g>'
    )


LEGEND = (
    Sentence("demands this good"),
    Sentence("good waiting"),
    Sentence("link and its number"),
    Sentence("on offer, next turn"),
    Sentence("owned by B, unbuilt"),
)


def _legend(ink: Ink, language: Language) -> str:
    x, y = 806.0, 520.0
    asks, waits, free, offered, owned = (say(each, language, str) for each in LEGEND)
    blue = SEAT_COLOURS[1]

    def row(number: int, said: str) -> str:
        return text(x + 50, y + 63 + 26 * number, said, 16, ink["ink"], anchor="start", weight=500)

    def disc(number: int, fill: str, paint: str, said: str) -> str:
        cy = y + 58 + 26 * number
        return (
            f'<circle cx="{x + 28}" cy="{cy}" r="9.5" fill="{fill}" stroke="{ink["ink"]}" stroke-width="1.4"/>'
            + text(x + 28, cy + 5.2, said, 15.2, paint, weight=800)
        )

    return "".join(
        (
            f'<rect x="{x}" y="{y}" width="228" height="184" rx="8" fill="{ink["panel"]}" fill-opacity=".94"'
            f' stroke="{ink["frame"]}" stroke-width="1.6"/>',
            border(x + 4, y + 4, 220, 176, 5, 0.7, ink),
            text(x + 114, y + 30, language.name("new_england"), 20, ink["ink"], serif=True),
            f'<path d="M{x + 40} {y + 39}h148" stroke="{ink["frame"]}" stroke-width=".8"/>',
            _city(x + 28, y + 58, "purple", ink, 8.5),
            row(0, asks),
            f'<g transform="translate({x + 20.5} {y + 76.5})">{cube_of("purple", 0, 15, ink)}</g>',
            row(1, waits),
            f'<path d="M{x + 12} {y + 110}h32" stroke="{ink["rail"]}" stroke-width="2.4" stroke-dasharray="7 5"/>',
            disc(2, ink["paper"], ink["ink"], "7"),
            row(2, free),
            f'<circle cx="{x + 16}" cy="{y + 136}" r="7.5" fill="none" stroke="{ink["accent"]}" stroke-width="3.6"/>',
            f'<circle cx="{x + 36}" cy="{y + 136}" r="7" fill="none" stroke="{ink["accent"]}" stroke-width="1.8"'
            f' stroke-dasharray="3 3"/>',
            row(3, offered),
            f'<path d="M{x + 10} {y + 162}h36" stroke="{ink[blue]}" stroke-width="5.6" stroke-dasharray="5 4"/>',
            disc(4, ink[blue], ink[f"on-{blue}"], "B"),
            row(4, owned),
        )
    )


# ==== the strip: money and incomes ================================================================
STRIP_TOP = 738
TABLE_AT = 40.0
COLUMNS = (150.0, 250.0, 360.0, 460.0)
ROW = 18.6
NUMBER = 70.0
"""Width for a number, which ends at its right edge."""
ROWS_TOP = 772.0
CUP_AT = 620.0
KEY_TOP = 822.0
COLUMN_NAMES = (Sentence("cash"), Sentence("debt"), Sentence("income"), Sentence("links"))
CUP_NAME = Sentence("In the cup")
KEY = (Sentence("first player"), Sentence("asked now"))


def _strip(ink: Ink, language: Language) -> str:
    parts = [
        f'<rect x="-30" y="{STRIP_TOP}" width="1100" height="{STRIP + 14}" fill="{ink["panel"]}"/>'
        f'<path d="M-24 {STRIP_TOP}H1058" stroke="{ink["frame"]}" stroke-width="2"/>'
    ]
    for x, column in zip(COLUMNS, COLUMN_NAMES, strict=True):
        said = say(column, language, str)
        parts.append(text(TABLE_AT + x, ROWS_TOP - 8, said, 13.5, ink["ink"], weight=500, anchor="end"))
    cup = say(CUP_NAME, language, str)
    parts.append(text(CUP_AT, ROWS_TOP - 8, cup, 13.5, ink["ink"], weight=500, anchor="start"))
    first, asked = (say(each, language, str) for each in KEY)
    parts += [
        f'<g transform="translate({CUP_AT} {KEY_TOP})">{_first_player(0, ink)}{_asked(108 + 8, ink)}</g>',
        text(CUP_AT + 20, KEY_TOP + 14, first, 13.5, ink["ink"], weight=500, anchor="start"),
        text(CUP_AT + 130, KEY_TOP + 14, asked, 13.5, ink["ink"], weight=500, anchor="start"),
    ]
    return "".join(parts)


# ==== the pieces ==================================================================================
def _pieces(view: NewEnglandView, theme: Theme, size: Size, alone: bool) -> Iterator[Piece]:
    for link in view.links:
        if link.owner is not None:
            yield _owned(link, theme, size.small)
        elif link.where in ("lot", "row", "future"):
            yield _offered(link, theme, size)
        elif link.where == "unsold":
            yield _unsold(link, theme, size)
    for city in view.cities:  # over the links that end in them
        yield _placed_city(city.id, city.demand, theme, size)
    for city in view.cities:
        yield _name(city.id, _waiting(city), theme, size)
    if not alone:
        for number, seat in enumerate(view.seats):
            yield from _row(view, seat, ROWS_TOP + number * ROW, INKS[theme])
        for number, colour in enumerate(COLOURS):
            yield Piece(
                CUP_AT + number * 66.0,
                ROWS_TOP,
                56,
                30,
                _in_cup(colour, view.cup[colour], INKS[theme]),
                f"cup.{colour}",
            )


@cache
def _course(link: str, size: Size) -> tuple[float, float, float, float]:
    """Return the box around a link's course and its disc: left, top, width, height, with room for its width."""
    numbers = [float(each) for each in (*re.findall(r"-?\d*\.?\d+", BASE.links[link]), *middle(link, size))]
    xs, ys = numbers[0::2], numbers[1::2]
    left, top = math.floor(min(xs)) - 20, math.floor(min(ys)) - 20
    return left, top, math.ceil(max(xs)) + 20 - left, math.ceil(max(ys)) + 20 - top


def _owned(link: LinkView, theme: Theme, small: bool) -> Piece:
    assert link.owner is not None
    return _owned_link(link.id, link.owner, link.where == "built", theme, small)


@cache
def _owned_link(link: str, owner: int, built: bool, theme: Theme, small: bool) -> Piece:
    """Draw a built link as a band in its owner's colour, an unbuilt one as a broken band. Both carry the letter."""
    ink, size = INKS[theme], SMALL if small else REGULAR
    left, top, width, height = _course(link, size)
    k, colour = size.scale, SEAT_COLOURS[owner - 1]
    move, d = f' transform="translate({-left} {-top})"', BASE.links[link]
    if built:
        lines = (
            f'<path d="{d}"{move} fill="none" stroke="{ink["ink"]}" stroke-width="{num(8.4 * k)}"/>'
            f'<path d="{d}"{move} fill="none" stroke="{ink[colour]}" stroke-width="{num(5.6 * k)}"/>'
            f'<path d="{d}"{move} fill="none" stroke="{ink["halo"]}" stroke-opacity=".75" stroke-width="{num(1.3 * k)}"'
            f' stroke-dasharray="{num(2.6 * k)} {num(5 * k)}"/>'
        )
    else:
        lines = (
            f'<path d="{d}"{move} fill="none" stroke="{ink[colour]}" stroke-width="{num(5.6 * k)}"'
            f' stroke-dasharray="{num(5 * k)} {num(4 * k)}"/>'
        )
    disc = _disc(link, ink[colour], ink[f"on-{colour}"], LETTERS[owner - 1], ink, size, (left, top))
    return Piece(left, top, width, height, lines + disc, link, owner)


def _offered(link: LinkView, theme: Theme, size: Size) -> Piece:
    """Draw a ring around the number: whole for links on offer, filled for the lot, broken for links of
    the next turn.
    """
    (x, y), ink = middle(link.id, size), INKS[theme]
    reach = size.disc + 7
    style = 'stroke-width="2.2" stroke-dasharray="4 3.5"' if link.where == "future" else 'stroke-width="4"'
    at_middle = f'cx="{num(reach)}" cy="{num(reach)}" r="{num(size.disc + 3)}"'
    ring = f'<circle {at_middle} fill="none" stroke="{ink["accent"]}" {style}/>'
    if link.where == "lot":
        at = (x - reach, y - reach)
        ring += _disc(link.id, ink["accent"], ink["on-accent"], str(link.number), ink, size, at)
    return Piece(x - reach, y - reach, 2 * reach, 2 * reach, ring, link.id)


def _unsold(link: LinkView, theme: Theme, size: Size) -> Piece:
    """Draw a cross instead of the number: this link is never built (NER 10.9)."""
    (x, y), ink = middle(link.id, size), INKS[theme]
    reach = size.disc + 2
    disc = _disc(link.id, ink["panel"], ink["muted"], "×", ink, size, (x - reach, y - reach))
    return Piece(x - reach, y - reach, 2 * reach, 2 * reach, disc, link.id)


class CubesAt(msgspec.Struct, frozen=True):
    """Cubes of a colour that wait in a city: their number, the corner of the drawn one, and its side."""

    colour: str
    number: int
    x: float
    y: float
    side: float


@cache
def _placed_city(city: str, demand: str, theme: Theme, size: Size) -> Piece:
    x, y = BASE.places[city]
    reach = size.city + 4
    return Piece(x - reach, y - reach, 2 * reach, 2 * reach, _city(reach, reach, demand, INKS[theme], size.city), city)


def cubes_at(city: CityView, size: Size) -> list[CubesAt]:
    """Return the row of cubes under a city's name (NER 1.5); one stands for all of its colour."""
    return _cubes_at(city.id, _waiting(city), size)


def _cubes_at(city: str, waiting: Waiting, size: Size) -> list[CubesAt]:
    labels = BASE.labels[size.labels]
    label, side = labels.items[city], labels.size * 0.78
    x = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * _row_of_cubes(waiting, side)
    row = []
    for colour, number in waiting:
        row.append(CubesAt(colour, number, x, label.plate_y, side))
        x += _breadth(number, side) + 2.5
    return row


def _waiting(city: CityView) -> Waiting:
    return tuple([(colour, city.cubes[colour]) for colour in COLOURS if city.cubes.get(colour)])


COUNT = 1.16
"""The size of the number of cubes, relative to the side of one."""


def _breadth(number: int, side: float) -> float:
    """Return the width of a cube and, if there are more, their number."""
    return side * (1 if number == 1 else 1.75)


def _row_of_cubes(waiting: Waiting, side: float) -> float:
    breadths = [_breadth(number, side) for _, number in waiting]
    return sum(breadths) + 2.5 * max(len(breadths) - 1, 0)


@lru_cache(maxsize=2048)
def _name(city: str, waiting: Waiting, theme: Theme, size: Size) -> Piece:
    """Draw a city's name with the cubes that wait in its box (NER 1.5); most are as in the previous position."""
    labels, ink = BASE.labels[size.labels], INKS[theme]
    label, big = labels.items[city], labels.size
    cubes = _cubes_at(city, waiting, size)
    side = big * 0.78
    longest = max(len(line) for line in label.lines) * big * 0.62 + big
    width = math.ceil(max(_row_of_cubes(waiting, side) + 4, longest))
    anchor = {"start": 0.0, "middle": width / 2, "end": float(width)}[label.anchor]
    inset = {"start": big * 0.3, "middle": 0.0, "end": -big * 0.3}[label.anchor]
    left, top = label.x - anchor - inset, label.y - big * 1.2
    lower = 0 if cubes else label.lower
    parts = [
        text(
            anchor + inset,
            big * 1.2 + number * big * 0.92 + lower,
            line,
            big,
            ink["ink"],
            anchor=label.anchor,
            weight=800,
            halo=ink["halo"],
        )
        for number, line in enumerate(label.lines)
    ]
    for it in cubes:
        cube = f'<g transform="translate({num(it.x - left)} {num(it.y - top)})">{cube_of(it.colour, 0, side, ink)}'
        if it.number > 1:
            many = str(it.number)
            cube += text(side * 1.38, side * 0.86, many, side * COUNT, ink["ink"], weight=800, halo=ink["halo"])
        parts.append(placed(f"cube.{it.colour}.{city}", cube, "</g>"))
    bottom = max(label.plate_y + side + 3, label.y + lower + big * (0.92 * len(label.lines) - 0.4))
    return Piece(left, top, width, math.ceil(bottom - top), "".join(parts), f"name.{city}")


def cube_of(colour: str, x: float, side: float, ink: Ink) -> str:
    s, paint = side, ink[f"on-{colour}"]
    return (
        f'<rect x="{num(x)}" y="0" width="{num(s)}" height="{num(s)}" rx="{num(s * 0.16)}" fill="{ink[colour]}"'
        f' stroke="{ink["ink"]}" stroke-width="{num(s * 0.09)}"/>'
        f'<g transform="translate({num(x + s / 2)} {num(s * 0.52)})">{sign(colour, paint, s * 0.25)}</g>'
    )


def _row(view: NewEnglandView, seat: SeatView, top: float, ink: Ink) -> Iterator[Piece]:
    """Draw a seat's line: letter, whether it is first player or asked, and its money.

    Each number is a piece of its own: numbers recur, whole rows hardly ever. (A mail's picture, out of a stream of
    games: 29 ms of a core with whole rows, 15 ms with single numbers.)
    """
    colour, x, y = SEAT_COLOURS[seat.seat - 1], 46.0, ROW * 0.76
    parts = [
        f'<circle cx="16" cy="{num(ROW / 2)}" r="8" fill="{ink[colour]}" stroke="{ink["ink"]}" stroke-width="1.3"/>'
        + text(16, ROW / 2 + 4.2, LETTERS[seat.seat - 1], 12, ink[f"on-{colour}"], weight=800)
    ]
    if seat.seat == view.first:
        parts.append(_first_player(34, ink))
    if seat.seat in view.asked:
        parts.append(_asked(62, ink))
    left = TABLE_AT - 46
    name = f"seat.{seat.seat}"
    yield Piece(left, top, 70, ROW, "".join(parts), name)
    links = sum(link.owner == seat.seat for link in view.links)
    values = (f"${seat.cash}", f"${seat.debt}", str(seat.income), str(links))
    for place, (column, said) in enumerate(zip(COLUMNS, values, strict=True), 1):
        number = text(NUMBER, y, said, 15, ink["ink"], anchor="end", weight=700)
        yield Piece(left + x + column - NUMBER, top, NUMBER, ROW, number, f"{name}.{place}")
    if seat.left:
        line = f'<path d="M0 {num(ROW / 2)}H{num(x + COLUMNS[-1] - 30)}" stroke="{ink["muted"]}" stroke-width="1.2"/>'
        yield Piece(left + 30, top, x + COLUMNS[-1] - 30, ROW, line, f"{name}.left")


def _first_player(x: float, ink: Ink) -> str:
    return f'<path d="M{num(x)} 3.5h7l5 5.5-5 5.5h-7z" fill="{ink["accent"]}"/>'


def _asked(x: float, ink: Ink) -> str:
    ring = f'<circle cx="{num(x)}" cy="{num(ROW / 2)}" r="4.5" fill="none"'
    return f'{ring} stroke="{ink["accent"]}" stroke-width="2"/>'


def _in_cup(colour: str, number: int, ink: Ink) -> str:
    cube = f'<g transform="translate(0 4)">{cube_of(colour, 0, 17, ink)}</g>'
    return cube + text(24, 18, str(number), 15, ink["ink"], anchor="start")
