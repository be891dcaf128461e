"""The narrowing rule and the nearest place, on a table of two cards, two cities and a price."""

import pytest

from domain.messages import Command
from domain.places import Aim, Aimed, Area, NamedPlace, Narrowed, Places, best_first, box, nearest
from domain.rules import Action
from domain.words import Language, Sentence


class Do(Command, frozen=True):
    """Anything."""


def target(kind, *places, more=(), of="", number=0, gains=()) -> Aimed:
    return Aimed(Action(Do(), kind, Sentence("Do")), Aim(kind, places, more, of, number, gains))


PLACES = Places(
    ("build", "move", "discard", "pay"),
    lambda view: (),
    lambda view, small: {},
    lambda view, action: Aim("move"),
    alike={"port_2": "port_1"},
)
MOVE = [target("move", city, card) for city in ("utica", "boston") for card in ("port_1", "ace")]
SLOWLY = target("move", "utica", "ace", more=("slowly",))
BUILD = target("build", "boston", "port_1")
DISCARDS = [target("discard", more=more) for more in ((), ("ace",), ("port_1",), ("port_1", "port_2"))]
ALL = [*MOVE, SLOWLY, BUILD, *DISCARDS]


def narrow(kinds=(), places=()) -> Narrowed:
    return PLACES.narrow(ALL, kinds, places)


def test_actions_with_all_chosen_places_remain():
    assert narrow(places=("boston",)).rest == (*MOVE[2:], BUILD)
    assert narrow(("build",), ("boston",)).rest == (BUILD,)
    assert narrow(("build",), ("utica",)).rest == ()
    assert narrow(("build", "move")).rest == ()


def test_kinds_and_places_of_remaining_actions_have_their_counts():
    left = narrow(places=("boston",))
    assert left.kinds == {"move": 2, "build": 1}
    assert left.places == {"port_1": 2, "port_2": 2, "ace": 1}


def test_an_action_with_unchosen_places_is_not_meant():
    left = narrow(("move",), ("utica", "ace"))
    assert left.meant is MOVE[1]
    assert left.places == {"slowly": 1}
    assert narrow(("move",), ("utica", "ace", "slowly")).meant is SLOWLY


def test_the_only_remaining_action_is_meant():
    assert PLACES.narrow([SLOWLY], (), ("utica",)).meant is SLOWLY


def test_check_boxes_mean_exactly_what_is_checked():
    assert narrow(("discard",)).meant is DISCARDS[0]
    assert narrow(("discard",), ("ace",)).meant is DISCARDS[1]
    assert narrow(("discard",)).boxes == (0, 2)
    assert narrow(("build",)).boxes is None


def test_interchangeable_places_can_be_chosen_and_mean_the_same():
    assert narrow(("build",)).places == {"boston": 1, "port_1": 1, "port_2": 1}
    assert narrow(("build",), ("port_2",)).meant is BUILD
    assert narrow(("discard",), ("port_2",)).meant is DISCARDS[2]
    assert narrow(("discard",), ("port_2",)).places == {"port_1": 1}
    assert narrow(("discard",), ("port_2", "port_1")).meant is DISCARDS[3]
    assert narrow(("build",), ("port_1", "port_2")).rest == ()


def test_actions_that_differ_in_a_number_share_a_line_with_the_lowest():
    three, one, two = (target("pay", "red", of="locomotive", number=number) for number in (3, 1, 2))
    left = PLACES.narrow([three, one, two])
    assert left.lines == ((one, two, three),)
    assert left.meant is one
    assert left.listed == (one,)


def test_more_than_sixteen_lines_are_not_listed():
    assert len(PLACES.narrow([target("move", str(number)) for number in range(16)]).listed) == 16
    assert PLACES.narrow([target("move", str(number)) for number in range(17)]).listed == ()


def test_paths_are_listed_by_ones_own_gain_and_then_by_the_others():
    little, shared, mine = (target("pay", gains=gains) for gains in (((2, 1),), ((1, 2), (2, 1)), ((1, 2),)))
    assert best_first([little, shared, mine], 1) == [mine, shared, little]


def test_a_place_has_its_own_name_or_that_of_the_title():
    language = Language(names={"utica": "Utica", "red": "red"})
    assert NamedPlace("utica").called(language) == "Utica"
    market = NamedPlace("market.1", Sentence("{card} in the market", {"card": "red"}))
    assert market.called(language) == "red in the market"


# ==== areas =======================================================================================
CITY = Area(((0, 0),), 10)
TOWN = Area(((30, 0),), 10)
LINE = Area(((0, 100), (100, 100), (100, 200)), 3)
ON_PAPER = {"line": LINE, "town": TOWN, "city": CITY}


@pytest.mark.parametrize(
    ("point", "meant"),
    [
        ((-5, 0), ("city",)),
        ((-18, 0), ("city",)),
        ((-21, 0), ()),
        ((14, 0), ("city", "town")),
        ((16, 0), ("town", "city")),
        ((50, 95), ("line",)),
        ((110, 150), ("line",)),
        ((100, 219), ("line",)),
        ((60, 160), ()),
    ],
)
def test_a_touch_offers_the_places_nearby_the_nearest_first(point, meant):
    assert nearest(ON_PAPER, point, 20) == meant


def test_a_wide_thing_can_be_touched_wherever_it_is_drawn():
    card = box(0, 0, 80, 50)
    assert nearest({"card": card, "city": CITY}, (70, 40), 1) == ("card",)
    assert card.middle == (55, 25)
    assert box(0, 0, 50, 80).line == ((25, 25), (25, 55))
    assert box(0, 0, 50, 50) == Area(((25, 25),), 25)


def test_an_area_can_be_drawn():
    assert CITY.path == "M0.0 0.0L0.0 0.0"
    assert LINE.path == "M0.0 100.0L100.0 100.0L100.0 200.0"
