"""The tools for drawing boards of all titles: palettes, text, and the painting of a base map.

A board is drawn back to front: sea, land, waters, borders, names, and then the game. The map stays pale; all saturated
colour belongs to the game. Players' colours differ in lightness, so that every kind of sight can tell them apart, and
they carry a letter or a sign as a second channel.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import msgspec

from domain.face import NO_COLOURS, Palettes, Theme
from domain.title import Title
from domain.words import Language, Name

PALETTES: Mapping[str, Mapping[str, str]] = {
    "light": {
        "sea": "#d6e2df", "wave-1": "#cfddda", "wave-2": "#c7d7d5", "wave-3": "#bdd0cf", "land": "#f6efe0",
        "coast": "#8aa19f", "river": "#abc5c7", "state": "#cdbd9b", "country": "#b59468", "mountain": "#cdbd9a",
        "water-name": "#7c9b9e", "region-name": "#c6b692",
        "ink": "#2a2521", "halo": "#fbf6ea", "paper": "#fffdf6", "rail": "#4b4138", "panel": "#efe5cf",
        "frame": "#4b4138", "accent": "#9c2f23", "on-accent": "#fff8ea", "dark-space": "#6b5f52", "muted": "#8d8171",
        "port": "#2f5d73", "on-port": "#fffdf6",
        "red": "#ac2a1e", "on-red": "#ffe9e2", "blue": "#0b5488", "on-blue": "#e6f1fb",
        "green": "#28846d", "on-green": "#e9fbf4", "yellow": "#fadc4b", "on-yellow": "#4d3c00",
        "purple": "#c88adc", "on-purple": "#34143f", "orange": "#dd7a1c", "on-orange": "#3d1e05",
        "black": "#2a2726", "on-black": "#e6e0d4", "white": "#fffefa", "on-white": "#5b5750",
        "gray": "#b9b2a5", "on-gray": "#5a554c",
    },
    "dark": {
        "sea": "#131d24", "wave-1": "#16222a", "wave-2": "#192730", "wave-3": "#1d2d37", "land": "#2a2c2b",
        "coast": "#51656d", "river": "#3c5762", "state": "#4c4a40", "country": "#7d6b4e", "mountain": "#45463f",
        "water-name": "#55717d", "region-name": "#5d5a4c",
        "ink": "#efe6d2", "halo": "#1d2021", "paper": "#1b1e1f", "rail": "#cbbd9f", "panel": "#202425",
        "frame": "#b3a487", "accent": "#e0745f", "on-accent": "#1b1e1f", "dark-space": "#8d8069", "muted": "#8f8672",
        "port": "#7fb4cc", "on-port": "#12222b",
        "red": "#b5443b", "on-red": "#fff0ea", "blue": "#2574be", "on-blue": "#eaf4ff",
        "green": "#83b995", "on-green": "#0d2c1c", "yellow": "#fadc48", "on-yellow": "#4d3c00",
        "purple": "#d3a2f5", "on-purple": "#34143f", "orange": "#d98d35", "on-orange": "#341a03",
        "black": "#08090a", "on-black": "#e6e0d4", "white": "#f6f2e8", "on-white": "#4b4741",
        "gray": "#7a7771", "on-gray": "#f0eadc",
    },
}  # fmt: skip
"""Theme -> name of a colour -> the colour. ``on-red`` is the colour of a letter or sign on red. Titles add their own.
"""

Ink = Mapping[str, str]
"""Name of a colour -> the text to write for it into the picture."""

VARIABLE = "--board-{}"
"""The CSS variable of a colour on a page. The site's style sets one for each name, including the titles' own."""


def inks(own: Palettes = NO_COLOURS) -> Mapping[Theme, Ink]:
    """Return the ink of a title: the colours of all titles and its own (`Title.colours`)."""
    light, dark = ({**PALETTES[theme], **own.get(theme, {})} for theme in PALETTES)
    return {"light": light, "dark": dark, "page": {name: f"var({VARIABLE.format(name)})" for name in light}}


INKS = inks()

SANS = "'Alegreya Sans',Lato,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
SERIF = "Alegreya,'EB Garamond',Georgia,serif"


def css_variables(theme: str, titles: Iterable[Title]) -> str:
    """Return the declarations with which a style sheet sets theme "page" to be ``theme`` on boards of ``titles``."""
    colours = dict(PALETTES[theme])
    for title in titles:
        colours |= title.face.colours.get(theme, {})
    return "".join(f"{VARIABLE.format(name)}:{colour};" for name, colour in colours.items())


def num(value: float) -> str:
    """Write a length or coordinate in the fewest characters."""
    return f"{value:.1f}".removesuffix(".0")


def border(x: float, y: float, width: float, height: float, round: float, stroke: float, ink: Ink) -> str:
    """Draw a frame without a filling."""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" fill="none"'
        f' stroke="{ink["frame"]}" stroke-width="{stroke}"/>'
    )


def text(
    x: float,
    y: float,
    said: str,
    size: float,
    fill: str,
    *,
    anchor: str = "middle",
    weight: int = 700,
    halo: str = "",
    serif: bool = False,
    more: str = "",
) -> str:
    """Draw ``said`` with its baseline at ``y``; ``halo``: the colour of a rim around the letters."""
    rim = f' paint-order="stroke" stroke="{halo}" stroke-width="{num(size * 0.24)}" stroke-linejoin="round"'
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-family="{SERIF if serif else SANS}" font-size="{num(size)}"'
        f' font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"{rim if halo else ""}{more}>{escape(said)}</text>'
    )


def placed(place: str, *svg: str) -> str:
    """Wrap the drawing of a place on the ground, so that it can be found by the place's id."""
    return f'<g data-place="{place}">{"".join(svg)}</g>'


_NARROW, _WIDE = frozenset("iljtfrI .,:'-()"), frozenset("mwMWQO%+")


def breadth(said: str, size: float) -> float:
    """Estimate how wide ``said`` is in bold sans, rather too wide than too narrow."""
    return size * sum(0.33 if letter in _NARROW else 0.85 if letter in _WIDE else 0.56 for letter in said)


# ==== signs of the colours ========================================================================
FILLED = {"purple": "M0-1 1 0 0 1-1 0z", "orange": "M0-1 1 .8H-1z"}
DRAWN = {
    "red": "M-.85-.85.85.85M.85-.85-.85.85",
    "green": "M0-1V1M-1 0H1",
    "white": "M-.8-.8H.8V.8H-.8z",
    "black": "M-1.1-.5H1.1M-1.1.5H1.1",
}


def sign(colour: str, paint: str, s: float) -> str:
    """Draw the sign of a colour, ``s`` in size, around the origin; gray has none."""
    if colour == "blue":
        return f'<circle r="{num(s * 0.85)}" fill="{paint}"/>'
    if colour == "yellow":
        tips = ((s * 1.15 * (1 if n % 2 == 0 else 0.45), n * math.pi / 5) for n in range(10))
        star = " ".join(f"{r * math.sin(a):.2f},{-r * math.cos(a):.2f}" for r, a in tips)
        return f'<polygon points="{star}" fill="{paint}"/>'
    if colour in FILLED:
        return f'<path d="{FILLED[colour]}" fill="{paint}" transform="scale({num(s)})"/>'
    if colour in DRAWN:
        return f'<path d="{DRAWN[colour]}" fill="none" stroke="{paint}" stroke-width=".5" transform="scale({num(s)})"/>'
    return ""


# ==== the base map ================================================================================
class MapName(msgspec.Struct, frozen=True):
    """The name of a water or a region (``kind`` "land"), turned by ``turn`` degrees."""

    name: str
    kind: str
    x: float
    y: float
    size: float
    turn: float


class Label(msgspec.Struct, frozen=True):
    """The position of a place's name: the baseline of its first line, and the top of the object below it."""

    x: float
    y: float
    anchor: str
    lines: tuple[str, ...]
    plate_y: float = 0


class Labels(msgspec.Struct, frozen=True):
    """The names of all places in one size of text."""

    size: float
    items: dict[str, Label]


class BaseMap(msgspec.Struct, frozen=True):
    """A title's data/basemap.json: SVG paths in board units, back to front. ``rivers``: by width, "1" the widest."""

    provenance: dict[str, str]
    extent: tuple[float, float, float, float]
    land: str
    lakes: str
    rivers: dict[str, str]
    state_borders: str
    country_borders: str
    country_borders_on_lakes: str
    mountains: tuple[tuple[float, float, float], ...]
    names: tuple[MapName, ...]
    labels: dict[str, Labels]
    places: dict[str, tuple[float, float]] = {}
    links: dict[str, str] = {}


WAVES = ((26, "wave-1"), (16, "wave-2"), (7, "wave-3"))
RIVERS = {"3": 0.9, "2": 1.4, "1": 2.1}


def map_names(base: BaseMap) -> dict[str, Name]:
    """Return the names of waters and regions on a map, each with its own id: a river may have the name of a city."""
    return {f"map {each.name}": each.name for each in base.names}


def ids_of(small: bool) -> str:
    """Return the prefix of ids in one of the two drawings, so that both fit in one page."""
    return "narrow" if small else "wide"


def map_defs(base: BaseMap, small: bool) -> str:
    """Return the paths that `paint_map` uses several times."""
    its = ids_of(small)
    return (
        f'<path id="{its}-land" d="{base.land}"/><path id="{its}-lakes" d="{base.lakes}" fill-rule="evenodd"/>'
        f'<clipPath id="{its}-in-lakes"><path d="{base.lakes}" clip-rule="evenodd"/></clipPath>'
    )


def paint_map(base: BaseMap, ink: Ink, language: Language, *, small: bool = False) -> str:
    """Paint the map under a board; ``small`` omits whatever a phone cannot show."""
    left, top, right, bottom = base.extent
    its = ids_of(small)
    waves = [f'fill="none" stroke="{ink[colour]}" stroke-width="{wide}"' for wide, colour in WAVES]
    shore = f'stroke="{ink["coast"]}" stroke-width=".9" stroke-linejoin="round"'
    painted = [
        f'<rect x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
        f' fill="{ink["sea"]}"/>',
        *(f'<use href="#{its}-land" {wave} stroke-linejoin="round"/>' for wave in waves),
        f'<use href="#{its}-land" fill="{ink["land"]}" fill-rule="evenodd" {shore}/>',
        f'<use href="#{its}-lakes" fill="{ink["sea"]}"/>',
        f'<g clip-path="url(#{its}-in-lakes)">',
        *(f'<use href="#{its}-lakes" {wave} stroke-linejoin="round"/>' for wave in waves),
        f'</g><use href="#{its}-lakes" fill="none" {shore}/>',
        *(
            _line(base.rivers[width], ink["river"], RIVERS[width], ' stroke-linecap="round"')
            for width in RIVERS
            if width in base.rivers and not (small and width == "3")
        ),
        _line(base.state_borders, ink["state"], 1.1, ' stroke-dasharray="4 3"'),
        _line(base.country_borders, ink["country"], 6, ' stroke-opacity=".22"'),
        _line(base.country_borders, ink["country"], 1.5, ' stroke-dasharray="9 3 2 3"'),
        _line(base.country_borders_on_lakes, ink["country"], 1, ' stroke-opacity=".55" stroke-dasharray="6 4"'),
    ]
    if not small:
        painted += [_mountains(base.mountains, ink), *(_map_name(name, ink, language) for name in base.names)]
    return "".join(painted)


def _line(path: str, colour: str, width: float, more: str = "") -> str:
    if not path:
        return ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{more}/>'


def _mountains(feet: Sequence[tuple[float, float, float]], ink: Ink) -> str:
    """Draw small double peaks with one shaded flank, each on (x, y, height)."""
    peaks = "".join(
        f"M{num(x - h * 0.75)} {num(y)}l{num(h * 0.62)} {num(-h)}l{num(h * 0.3)} {num(h * 0.42)}"
        f"l{num(h * 0.2)} {num(-h * 0.2)}l{num(h * 0.5)} {num(h * 0.78)}"
        for x, y, h in feet
    )
    flanks = "".join(
        f"M{num(x - h * 0.13)} {num(y - h)}l{num(h * 0.3)} {num(h * 0.42)}l{num(-h * 0.25)} {num(h * 0.5)}z"
        for x, y, h in feet
    )
    colour = ink["mountain"]
    return f'<path d="{flanks}" fill="{colour}" fill-opacity=".55"/>' + _line(peaks, colour, 1.2)


def _map_name(name: MapName, ink: Ink, language: Language) -> str:
    """Draw regions in spaced capitals, and waters in italics."""
    turn = f' transform="rotate({num(name.turn)} {num(name.x)} {num(name.y)})"' if name.turn else ""
    said = language.name(f"map {name.name}")
    if name.kind == "land":
        more = f' letter-spacing="{num(name.size * 0.24)}"{turn}'
        return text(name.x, name.y, said, name.size * 0.78, ink["region-name"], weight=500, more=more)
    more = f' font-style="italic" letter-spacing="{num(name.size * 0.05)}"{turn}'
    return text(name.x, name.y, said, name.size, ink["water-name"], weight=500, serif=True, more=more)
