"""GTJ 1: what is in the box."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.board import BOARD, CITIES, FIRST_DELIVERIES, LINKS_BETWEEN, NEIGHBOURS, PLACES, PORTS
from domain.grand_trunk.cards import CARDS, CARRIES, COMPANIES, IMPROVEMENTS, OBJECTIVES, RAILCAR_TYPES
from domain.grand_trunk.commands import CoupleRailcar, LoadGood
from domain.grand_trunk.events import GoodLoaded, RailcarCoupled
from domain.grand_trunk.setup import Choice, Options
from domain.refusal import Refused
from tests.domain.grand_trunk.positions import (
    ANN,
    OPENING,
    ann,
    delivered,
    given,
    moved,
    opening,
    without_railcar,
)


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 99])
def test_two_to_four_seats_play(seats):
    """GTJ 1.1"""
    with pytest.raises(Refused) as refused:
        TITLE.seating.check_table(Options(), seats)
    assert refused.value.rule == "GTJ 1.1"
    for allowed in (2, 3, 4):
        TITLE.seating.check_table(Options(), allowed)
    assert TITLE.seating.seats == (2, 4)


def test_no_company_is_run_twice():
    """GTJ 1.1"""
    taken = [Choice("central_vermont"), Choice()]
    with pytest.raises(Refused) as refused:
        TITLE.seating.check_choice(Options(), Choice("central_vermont"), taken)
    assert refused.value.rule == "GTJ 1.1"
    TITLE.seating.check_choice(Options(), Choice("quebec_richmond"), taken)
    TITLE.seating.check_choice(Options(), Choice(), taken)


def test_twelve_cities_and_four_ports():
    """GTJ 1.2"""
    assert len(CITIES) == 12
    assert set(PORTS) == {"albany", "hamilton", "montreal_griffintown", "portland"}
    assert set(PLACES) == {*CITIES, *PORTS}


def test_links_run_both_ways():
    """GTJ 1.3"""
    assert len(BOARD.links) == len({frozenset((link.a, link.b)) for link in BOARD.links}) == 25
    for link in BOARD.links:
        assert link.a != link.b
        assert link.b in NEIGHBOURS[link.a]
        assert link.a in NEIGHBOURS[link.b]
        assert LINKS_BETWEEN[link.a][link.b] == LINKS_BETWEEN[link.b][link.a] == 1


def test_each_of_twelve_cities_starts_with_a_token_and_no_steel():
    """GTJ 1.4"""
    view = TITLE.rules.view(given(OPENING).state, None)
    cities = [place for place in view.places if not place.port]
    assert len(cities) == 12
    assert all(place.token for place in cities)
    assert [place.steel for place in cities] == [0] * 12
    assert {place.id for place in cities if place.terminal} == {
        "burlington",
        "richmond",
        "watertown",
        "white_river_jct",
    }
    assert len([place for place in cities if place.first_delivery]) == 8


def test_every_port_but_hamilton_starts_with_a_token():
    """GTJ 1.5"""
    view = TITLE.rules.view(given(OPENING).state, None)
    ports = {place.id: place for place in view.places if place.port}
    assert {place.id: place.token is not None for place in ports.values()} == {
        "albany": True,
        "hamilton": False,
        "montreal_griffintown": True,
        "portland": True,
    }
    for place in ports.values():
        assert (place.terminal, place.steel, place.first_delivery, place.first_delivery_vp) == (False, 0, None, 0)


def test_the_stock_never_runs_out():
    """GTJ 1.6"""
    coal = given(OPENING, delivered(ANN, *["coal"] * 200), moved(ANN, "richmond", "richmond", "burlington", 0, 2))
    coal.when(ANN, LoadGood(ann("hopper_car"), "coal")).then(
        GoodLoaded(ANN, ann("hopper_car"), "coal", "richmond", "stock", 1)
    )


def test_the_token_that_lies_there_says_what_is_demanded_and_supplied():
    """GTJ 1.7"""
    view = TITLE.rules.view(given(OPENING).state, None)
    places = {place.id: (set(place.demand), set(place.supply)) for place in view.places}
    assert places["burlington"] == ({"coal"}, {"iron", "wood"})
    assert places["quebec"] == ({"wood"}, {"coal"})
    assert places["albany"] == ({"steel"}, {"coal"})
    assert places["hamilton"] == ({"steel"}, {"iron"})


@pytest.mark.parametrize("company", COMPANIES)
def test_a_companys_cards(company):
    """GTJ 1.8"""
    kinds = [card.kind for card in COMPANIES[company].cards]
    assert [kinds.count(kind) for kind in ("railcar", "port", "junction", "city")] == [3, 2, 1, 12]
    assert len(kinds) == 18
    assert {card.leads_to for card in COMPANIES[company].cards if card.kind == "city"} == set(CITIES)
    assert not [card for card in COMPANIES[company].cards if "locomotive" in card.id]


def test_a_city_card_with_a_railcar_is_a_railcar():
    """GTJ 1.9"""
    assert CARRIES[ann("hopper_car")] == RAILCAR_TYPES["hopper_car"].goods == ("coal", "iron")
    assert CARRIES[ann("burlington")] == ("coal", "iron")
    assert ann("richmond") not in CARRIES
    assert len(CARRIES) == sum(card.railcar is not None for card in CARDS.values()) > 12
    his_hand = ("white_river_jct", "port_1", "port_2", "flat_car", "watertown")
    bob_begins = opening(hands={2: his_hand}, order=(2, 1))
    place = given(bob_begins, without_railcar(2), moved(2, "watertown", "watertown", "richmond", 0, 3))
    place.when(2, CoupleRailcar("grand_trunk_railway.white_river_jct", "wood")).then(
        RailcarCoupled(2, "grand_trunk_railway.white_river_jct", "hand"),
        GoodLoaded(2, "grand_trunk_railway.white_river_jct", "wood", "watertown", "stock", 1),
    )


def test_the_tracks():
    """GTJ 1.10"""
    assert (BOARD.time_track.first_space, BOARD.time_track.last_space) == (0, 40)
    assert BOARD.wood_track.vp_per_improvement == (0, 1, 2, 3, 4, 5, 6, 7)


def test_the_other_pieces():
    """GTJ 1.11"""
    assert len(FIRST_DELIVERIES) == 8
    assert {token.vp for token in FIRST_DELIVERIES.values()} == {1, 2}
    assert len(BOARD.contract_tokens) == 22
    assert [slot.slot for slot in BOARD.contract_slots] == list(range(1, 11))
    assert (len(IMPROVEMENTS), len(OBJECTIVES)) == (16, 10)
