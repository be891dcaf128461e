"""TTR 1: what is in the box."""

from collections import Counter

import pytest

from domain.refusal import Refused
from domain.ticket_to_ride.board import CITIES, ROUTES, TICKETS, TRAINS, other_end, routes_at
from domain.ticket_to_ride.cards import ALL_CARDS, COLOURS, LOCOMOTIVE, size
from domain.ticket_to_ride.setup import Choice, Options, check_choice, check_table, colours
from domain.ticket_to_ride.state import State


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_seats_play(seats):
    check_table(Options(), seats)


@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 99])
def test_no_other_number_of_seats_plays(seats):
    with pytest.raises(Refused) as refused:
        check_table(Options(), seats)
    assert refused.value.rule == "TTR 1.1"


def test_no_colour_is_played_twice():
    check_choice(Options(), Choice("red"), [Choice("blue"), Choice("")])
    check_choice(Options(), Choice(""), [Choice("")])
    with pytest.raises(Refused) as refused:
        check_choice(Options(), Choice("red"), [Choice("blue"), Choice("red")])
    assert refused.value.rule == "TTR 1.1"


def test_seats_without_a_wish_get_the_colours_left_over():
    assert colours({1: Choice(), 2: Choice("blue"), 3: Choice()}) == ("red", "blue", "green")
    assert colours({1: Choice("black"), 2: Choice()}) == ("black", "blue")


def test_the_map_has_its_cities_and_routes():
    pairs = {route.pair for route in ROUTES.values()}
    assert (len(CITIES), len(ROUTES), len(pairs)) == (36, 100, 78)
    assert sum(route.spaces for route in ROUTES.values()) == 309
    assert {route.spaces for route in ROUTES.values()} == {1, 2, 3, 4, 5, 6}
    assert {route.colour for route in ROUTES.values()} == {*COLOURS, "gray"}
    assert all(route.a in CITIES and route.b in CITIES for route in ROUTES.values())


def test_a_city_knows_its_routes():
    assert {city: routes_at(city) for city in CITIES} == {
        city: tuple(route for route in ROUTES.values() if city == route.a or city == route.b) for city in CITIES
    }
    miami = ["atlanta__miami", "charleston__miami", "miami__new_orleans"]
    assert [route.id for route in routes_at("miami")] == miami
    assert [other_end(route, "miami") for route in miami] == ["atlanta", "charleston", "new_orleans"]


def test_double_routes_are_twins_of_equal_length():
    doubles = [route for route in ROUTES.values() if route.twin]
    assert len(doubles) == 44
    for route in doubles:
        twin = ROUTES[route.twin]
        assert twin.twin == route.id
        assert (twin.pair, twin.spaces) == (route.pair, route.spaces)
        assert {route.lane, twin.lane} == {1, 2}
    single = Counter(route.pair for route in ROUTES.values() if not route.twin)
    assert set(single.values()) == {1}
    assert not set(single) & {route.pair for route in doubles}


def test_the_box_has_110_train_cards():
    assert size(ALL_CARDS) == 110
    assert ALL_CARDS[LOCOMOTIVE] == 14
    assert [ALL_CARDS[colour] for colour in COLOURS] == [12] * 8


def test_the_box_has_thirty_tickets():
    assert len(TICKETS) == 30
    assert sum(ticket.points for ticket in TICKETS.values()) == 349
    assert {min(t.points for t in TICKETS.values()), max(t.points for t in TICKETS.values())} == {4, 22}
    assert len({frozenset((ticket.a, ticket.b)) for ticket in TICKETS.values()}) == 30
    assert all(ticket.a in CITIES and ticket.b in CITIES for ticket in TICKETS.values())


def test_each_seat_has_45_trains():
    assert TRAINS == 45


def test_nobody_holds_the_longest_path_card_before_the_end():
    assert State().final.holders == ()
