"""The places in a title's picture and hand, in positions of random games and of the sensible bots."""

import math
import statistics
import xml.etree.ElementTree as ElementTree
from functools import cache

import pytest

from domain.places import Aimed, Narrowed, Places, nearest
from domain.title import Title
from domain.words import say
from service.words import languages, spoken
from tests.contract.titles import ASKED
from tests.orders import Position, positions
from tests.taps import turns

GAMES, EVERY = 4, 23
PHONE = 360
"""CSS px: the width of the narrow drawing."""
FINGER = 12
"""CSS px from the middle of a hit area of 24 to its edge."""
MOST_LEFT = 12
TAPS, MOST_TAPS = {"ticket_to_ride": 2, "new_england": 2}, 4
"""The most taps at the median of turns: in titles with few commands, and in others."""
AT_ZOOM, TWINS = 2, 2
"""At this zoom nothing is nearer than the width of a finger, except the two tracks of a double route."""


def _looked_at(title: Title) -> list[Position]:
    return _of(title.id)


@cache
def _of(title: str) -> list[Position]:
    return [at for number in range(GAMES) for at in positions(ASKED[title], number, every=EVERY)]


@pytest.fixture
def places(title: Title) -> Places:
    return title.face.places


def looked_at(title: Title, places: Places) -> list[tuple[Position, list[Aimed]]]:
    return [(at, places.targets(at.tongue.view, [it.action for it in at.options])) for at in _looked_at(title)]


def complete(places: Places, targets: list[Aimed], it: Aimed) -> Narrowed:
    """Choose everything that an action has."""
    return places.narrow(targets, (it.aim.kind,), it.aim.all)


def test_every_place_of_an_action_is_shown_and_every_one_on_the_board_is_in_both_drawings(title, places):
    for at, targets in looked_at(title, places):
        view = at.tongue.view
        shown = places.shown(view)
        assert len({it.id for it in shown}) == len(shown)
        wide, narrow = (places.areas(view, small) for small in (False, True))
        assert {it.id for it in shown if it.on_board} == set(narrow)
        assert set(narrow) <= set(wide) <= {it.id for it in shown}
        for it in targets:
            assert set(it.aim.all) <= {place.id for place in shown}, it


@pytest.mark.parametrize("small", [False, True])
def test_every_area_holds_something_drawn(title, places, small):
    for at, _ in looked_at(title, places)[::5]:
        view = at.tongue.view
        picture = title.face.picture(view, "page", at.tongue.languages[0], small, alone=True)
        pieces = "".join(piece.svg for piece in picture.pieces)
        tree = ElementTree.fromstring(f"<svg>{picture.ground}{pieces}</svg>")
        drawn = {group.get("data-place") for group in tree.iter("g")} | {piece.name for piece in picture.pieces}
        areas = places.areas(view, small)
        assert set(areas) <= drawn
        left, top, width, height = picture.box
        for area in areas.values():
            assert all(left <= x <= left + width and top <= y <= top + height for x, y in area.line)
        boxes = {piece.name: piece for piece in picture.pieces}
        for id_ in set(areas) & set(boxes):
            piece, (x, y) = boxes[id_], areas[id_].middle
            assert piece.x <= x <= piece.x + piece.width, id_
            assert piece.y <= y <= piece.y + piece.height, id_


def test_kinds_and_places_have_names_in_the_title(title, places):
    kinds = set()
    for at, targets in looked_at(title, places):
        kinds |= {it.aim.kind for it in targets}
        for it in places.shown(at.tongue.view):
            for tag in languages():
                language = spoken(title.face.words, tag)
                assert it.name is not None or it.id in title.face.words.names, it
                assert it.called(language)
                assert it.name is None or tag == "en" or it.name.template in language.texts, it
    assert kinds <= set(places.kinds)
    assert {f"do {kind}" for kind in places.kinds} <= set(title.face.words.names)


def test_each_command_has_one_or_few_complete_choices(title, places):
    for at, targets in looked_at(title, places):
        for it in targets[:: max(1, len(targets) // 40)]:
            left = complete(places, targets, it)
            assert it in left.rest
            assert sum(map(len, left.lines)) <= MOST_LEFT, say(it.action.sentence, at.tongue.languages[0], str)
            assert any(it in line for line in left.lines)


def test_a_choice_leaves_the_announced_number_of_actions(title, places):
    for _, targets in looked_at(title, places)[::3]:
        whole = places.narrow(targets)
        assert len(whole.rest) == len(targets) == sum(whole.kinds.values())
        for kind, number in whole.kinds.items():
            assert len(places.narrow(targets, (kind,)).rest) == number
        for place, number in list(whole.places.items())[:20]:
            left = places.narrow(targets, (), (place,))
            assert len(left.rest) == number
            assert place not in left.places


def test_the_order_of_a_choice_does_not_matter(title, places):
    for _, targets in looked_at(title, places)[::3]:
        for it in targets[::50]:
            forth, back = (places.narrow(targets, (it.aim.kind,), ids) for ids in (it.aim.all, it.aim.all[::-1]))
            assert (forth.rest, forth.lines) == (back.rest, back.lines)
            assert set(forth.places) == set(back.places)


def test_a_choice_of_a_missing_place_leaves_no_action(title, places):
    for _, targets in looked_at(title, places)[:3]:
        assert places.narrow(targets, (), ("no_such_place",)) == places.narrow(targets, ("no_such_kind",))


@pytest.mark.parametrize("zoom", [1, AT_ZOOM])
def test_a_finger_hits_the_intended_place_or_chooses_it_by_name(title, places, zoom):
    """At 360 px a hit area is 24 px wide unless another place is nearer; elsewhere the nearest place is meant."""
    view = _looked_at(title)[0].tongue.view
    areas = places.areas(view, True)
    assert areas
    box = title.face.picture(view, "page", _looked_at(title)[0].tongue.languages[0], True).box
    px = box[2] / PHONE / zoom
    for id_, area in areas.items():
        x, y = area.middle
        offered = nearest(areas, (x, y), FINGER * px)
        assert offered[0] == id_
        assert zoom == 1 or len(offered) <= TWINS
        for turn in range(8):
            point = x + 0.99 * FINGER * px * math.cos(turn), y + 0.99 * FINGER * px * math.sin(turn)
            meant = nearest(areas, point, FINGER * px)
            assert id_ in meant
            others = [it for it in areas if it != id_ and areas[it].distance(point) < FINGER * px]
            assert set(others) <= set(meant)


def test_a_turn_of_the_sensible_bot_takes_few_taps(title):
    assert statistics.median(it.taps for it in turns(title, 0)) <= TAPS.get(title.id, MOST_TAPS)
