"""The layer over a board: highlighted places, each a link with an outline around the drawing.

A finger or a mouse means the nearest place, which the script finds (`static/pointing.js`). Without it each link has an
area of its own, 24 px wide on a phone unless another place is nearer.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

from domain.places import Area, Point
from domain.title import Title
from service.base.lately import Lately
from service.web.pages.parts.choosing import LitPlace

PHONE, SHEET = 360, 720
"""CSS px: the width of a board on a phone, and on the narrowest screen for the wide drawing."""
FINGER = 12
"""CSS px from the middle of an area to its edge."""
CLOSE = 2.0
"""Board units by which a simplified line may be off. It saves a fifth of the bytes of all highlighted places."""
GAP = {True: 1.5, False: 3}
"""``small`` -> CSS px between a drawing and its outline. A wider gap would cross names."""


_areas: Lately[Mapping[str, Area]] = Lately(32)
"""Of the views shown last: a page asks for those of its position again and again."""


def areas(title: Title, view: Any, small: bool) -> Mapping[str, Area]:
    """Return the areas of the places of a view, in one of the two drawings."""
    return _areas.of(view, lambda: title.face.places.areas(view, small), small)


def overlay(
    areas: Mapping[str, Area], spots: Iterable[LitPlace], width: float, small: bool, label: str, which: str
) -> Markup:
    """Return the links of a board that is ``width`` board units wide, if any; ``label``: for all of them together.

    ``which``: the question if several places may be meant.
    """
    lit = [(it, areas[it.id]) for it in spots if it.id in areas]
    if not lit:
        return Markup()
    px = width / (PHONE if small else SHEET)
    reaches = _reaches(tuple(areas.items()), FINGER * px)
    lit.sort(key=lambda it: -len(it[1].line))  # short ones on top of long ones
    links = "".join(_link(spot, area, reaches[spot.id], GAP[small] * px) for spot, area in lit)
    return Markup(
        f'<g class="places" role="group" aria-label="{escape(label)}" data-which="{escape(which)}">{links}</g>'
    )


def _link(spot: LitPlace, area: Area, reach: float, gap: float) -> str:
    look = "chosen" if spot.chosen else "pointed" if spot.pointed else ""
    chosen = f' class="{look}"' if look else ""
    said = escape(spot.name if spot.chosen else f"{spot.name}: {spot.number}")
    return (
        f'<a id="at-{escape(spot.id)}" href="{escape(spot.address)}"{chosen} data-body="{area.body:.0f}">'
        f"<title>{said}</title>{_shapes(area, round(reach), gap)}</a>"
    )


@lru_cache(4096)
def _shapes(area: Area, reach: int, gap: float) -> str:
    """Return the area that can be hit, and the outline."""
    ring = area.body + gap
    if len(area.line) == 1:
        [(x, y)] = area.line
        at = f'cx="{x:.0f}" cy="{y:.0f}"'
        return f'<circle class="hit" {at} r="{max(reach, ring):.0f}"/><circle {at} r="{ring:.0f}"/>'
    line = plainer(area.line)
    hit = f'<path class="hit" d="{_path(line)}" stroke-width="{2 * max(reach, area.body):.0f}"/>'
    return f'{hit}<path d="{outline(line, ring)}"/>'


def plainer(line: Sequence[Point]) -> tuple[Point, ...]:
    """Simplify a line: drop points within `CLOSE` of the segment between their neighbours (Douglas and Peucker)."""
    way = Area((line[0], line[-1]), 0)
    far, place = max(((way.distance(point), place) for place, point in enumerate(line)), key=lambda it: it[0])
    if far <= CLOSE:
        return line[0], line[-1]
    return plainer(line[: place + 1])[:-1] + plainer(line[place:])


def outline(line: Sequence[Point], far: float) -> str:
    """Return an outline at the distance ``far`` around a line, with round ends, as data of an SVG path."""
    left, right = _beside(line, far), _beside(line[::-1], far)
    cap = f"a{far:.0f} {far:.0f} 0 0 1 "
    (bx, by), (ax, ay), (cx, cy) = left[-1], right[0], left[0]
    ex, ey = right[-1]
    return f"{_path(left)}{cap}{ax - bx:.0f} {ay - by:.0f}{_path(right, first='')}{cap}{cx - ex:.0f} {cy - ey:.0f}z"


def _beside(line: Sequence[Point], far: float) -> list[Point]:
    """Return the line, moved to its left by ``far``."""
    turns = [math.atan2(y2 - y1, x2 - x1) for (x1, y1), (x2, y2) in pairwise(line)]
    found = []
    for place, (x, y) in enumerate(line):
        before, after = turns[max(place - 1, 0)], turns[min(place, len(turns) - 1)]
        turn = math.atan2(math.sin(before) + math.sin(after), math.cos(before) + math.cos(after))
        found.append((x + far * math.sin(turn), y - far * math.cos(turn)))
    return found


def _path(line: Sequence[Point], first: str = "M") -> str:
    """Return data of an SVG path in whole units: relative steps from point to point."""
    whole = [(round(x), round(y)) for x, y in line]
    steps = " ".join(f"{x2 - x1} {y2 - y1}" for (x1, y1), (x2, y2) in pairwise(whole))
    return f"{first}{whole[0][0]} {whole[0][1]}l{steps}" if first else f"l{steps}"


@lru_cache(256)
def _reaches(areas: tuple[tuple[str, Area], ...], finger: float) -> Mapping[str, float]:
    """Return for each place the distance at which pointing still means it: at most half the way to the next.

    Points lie on top of lines, so only other points limit them.
    """
    found: dict[str, float] = {}
    for long in (False, True):
        middles = [(id_, area.middle) for id_, area in areas if (len(area.line) > 1) == long]
        for id_, middle in middles:
            found[id_] = min([finger, *(math.dist(middle, other) / 2 for it, other in middles if it != id_)])
    return found
