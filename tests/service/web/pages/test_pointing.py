"""The layer over a board: a large enough link for each highlighted place, with an outline around its drawing."""

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from domain import TITLES
from domain.places import Area
from service.web.pages.parts.choosing import LitPlace
from service.web.pages.parts.pointing import CLOSE, FINGER, PHONE, outline, overlay, plainer
from service.words import spoken
from tests.orders import positions

ZOOM = 2


@pytest.fixture(scope="module", params=TITLES.values(), ids=lambda title: title.id)
def sheet(request):
    """Return the areas of a position in the title's drawing for phones, its width, and the layer over it."""
    title = request.param
    view = [*positions(title, 0, every=9)][4].tongue.view
    areas = title.face.places.areas(view, True)
    width = title.face.picture(view, "page", spoken(title.face.words, "en"), True).box[2]
    spots = [LitPlace(id_, f"Place {id_}", f"/games/x?at={id_}#actions", 2) for id_ in areas]
    return areas, width, ElementTree.fromstring(overlay(areas, spots, width, True, "Places", "Which?"))


def test_every_highlighted_place_is_a_link_with_its_name(sheet):
    areas, _, over = sheet
    assert {link.get("id") for link in over} == {f"at-{id_}" for id_ in areas}
    for link in over:
        id_ = link.get("id").removeprefix("at-")
        assert link.get("href") == f"/games/x?at={id_}#actions"
        assert link.find("title").text == f"Place {id_}: 2"


def test_an_area_is_as_wide_as_a_finger_unless_another_is_near(sheet):
    areas, width, over = sheet
    px = width / PHONE
    points = {id_: area.middle for id_, area in areas.items() if len(area.line) == 1}
    for link in over:
        circle = link.find("circle")
        if circle is None:
            continue
        middle = points[link.get("id").removeprefix("at-")]
        nearest = min(math.dist(middle, other) for other in points.values() if other != middle) / px
        assert 2 * float(circle.get("r")) / px >= min(2 * FINGER, nearest) - 0.5
        assert 2 * float(circle.get("r")) / px * ZOOM >= min(2 * FINGER, nearest * ZOOM) - 1


def test_a_point_lies_on_top_of_lines(sheet):
    _, _, over = sheet
    lines = [number for number, link in enumerate(over) if link.find("path") is not None]
    points = [number for number, link in enumerate(over) if link.find("circle") is not None]
    assert not lines or not points or max(lines) < min(points)


@pytest.mark.parametrize(
    "line", [((0, 0), (100, 0)), ((0, 0), (0, 80)), ((10, 10), (60, 60)), ((0, 0), (50, 10), (100, 0))]
)
def test_a_ring_goes_round_a_line_at_its_distance(line):
    area, far = Area(line, 0), 10
    data = re.sub(r"a[\d.]+ [\d.]+ 0 0 1 ", "l", outline(line, far))
    x = y = 0
    corners = []
    for letter, numbers in re.findall(r"([Ml])([^Mlz]*)", data):
        values = [float(it) for it in numbers.split()]
        for dx, dy in zip(values[::2], values[1::2], strict=True):
            x, y = (dx, dy) if letter == "M" else (x + dx, y + dy)
            corners.append((x, y))
    assert len(corners) == 2 * len(line) + 1
    for corner in corners:
        assert area.distance(corner) == pytest.approx(far, abs=1.6)


def test_a_simplified_line_follows_the_original():
    arc = [(100 * math.cos(turn / 20), 100 * math.sin(turn / 20)) for turn in range(30)]
    few = plainer(arc)
    assert (few[0], few[-1]) == (arc[0], arc[-1])
    assert len(few) < 12
    assert max(Area(few, 0).distance(point) for point in arc) <= CLOSE
    assert plainer(((0, 0), (5, 0.2), (9, 0))) == ((0, 0), (9, 0))


def test_names_are_escaped():
    spot = LitPlace('"><script>', "<b>&</b>", '/games/x?at="><script>', 1, True)
    over = overlay({spot.id: Area(((5, 5),), 3)}, [spot], 100, True, '"<i>', "?")
    (link,) = ElementTree.fromstring(over)
    assert (link.get("href"), link.find("title").text) == (spot.address, spot.name)
    assert link.get("class") == "chosen"


def test_a_board_without_highlighted_places_has_no_overlay():
    assert overlay({"a": Area(((5, 5),), 3)}, [], 100, True, "", "") == ""
