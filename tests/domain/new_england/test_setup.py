"""NER 2: the opening position."""

import random
from collections import Counter

import pytest

from domain.chance import FreeChance
from domain.new_england import TITLE
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS, LINKS, MATERIAL
from domain.new_england.setup import Choice, Options, setup
from tests.domain.new_england.positions import ANN, BOB, CUBES, given, opening
from tests.spec import Dealt

CITIES_OF_THE_OPENING = (
    "rutland", "hartford", "worcester", "manchester", "portland", "lowell", "kingston", "boston", "boston",
    "providence", "providence",
)  # fmt: skip


def opened(seats, *outcomes):
    return setup(Options(), {seat: Choice() for seat in range(1, seats + 1)}, Dealt(*outcomes)).events


def test_the_opening_is_laid_out_in_order():
    """NER 2.1 to 2.7, 3.5"""
    assert opened(3, *CUBES, BOB) == opening(3, first=BOB)


def test_eleven_cubes_are_drawn_for_eleven_places():
    """NER 2.1"""
    drawn = opened(3, *CUBES, ANN)[1]
    assert tuple(city for city, _ in drawn.cubes) == CITIES_OF_THE_OPENING
    assert sum(given(opening()).state.cup.values()) == 35


def test_each_cube_of_the_cup_is_equally_likely():
    """NER 2.1"""
    first = Counter()
    for number in range(920):
        drawn = setup(Options(), dict.fromkeys((1, 2, 3), Choice()), FreeChance(random.Random(number))).events[1]
        first[drawn.cubes[0][1]] += 1
    assert all(20 * count * 0.7 < first[colour] < 20 * count * 1.3 for colour, count in MATERIAL.cubes.items())


@pytest.mark.parametrize(("seats", "offered"), [(3, 2), (4, 3), (5, 4), (6, 5)])
def test_each_turn_offers_one_link_fewer_than_seats(seats, offered):
    """NER 2.2, 2.3, 2.4"""
    state = given(opened(seats, *CUBES, ANN)).state
    assert (
        state.row
        == (
            "boston__providence",
            "boston__worcester",
            "providence__worcester",
            "boston__lowell",
            "kingston__providence",
        )[:offered]
    )
    assert len(state.link_deck) == 30 - offered
    assert state.link_deck == set(LINKS) - set(state.row)
    assert state.future == ()


def test_all_growth_cards_are_in_the_deck():
    """NER 2.5"""
    assert given(opening()).state.growth_deck == set(GROWTH_CARDS)


def test_each_seat_starts_with_ten_dollars():
    """NER 2.6"""
    for seat in given(opening(6)).state.seats.values():
        assert (seat.cash, seat.debt, seat.income) == (10, 0, 0)
    assert not given(opening(6)).state.owners


def test_the_first_player_is_drawn():
    """NER 2.7"""
    first = Counter()
    for number in range(300):
        events = setup(Options(), dict.fromkeys((1, 2, 3), Choice()), FreeChance(random.Random(number))).events
        first[next(event.first for event in events if isinstance(event, happened.FirstPlayerDrawn))] += 1
    assert set(first) == {1, 2, 3}
    assert min(first.values()) > 70


def test_the_host_and_the_seats_have_nothing_to_choose():
    assert TITLE.seating.options.__struct_fields__ == TITLE.seating.choice.__struct_fields__ == ()
