"""GTJ 2: the opening position."""

import random
from collections import Counter
from functools import cache

from domain.chance import FreeChance
from domain.grand_trunk import TITLE
from domain.grand_trunk.board import BOARD, CITIES, GOODS_TOKENS, SCENARIOS
from domain.grand_trunk.cards import CITY_CARDS
from domain.grand_trunk.events import (
    ContractTurnedUp,
    FirstDeliveriesDealt,
    GoodsTokensDealt,
    ImprovementsDisplayed,
    StartingCitiesDrawn,
    TableSet,
    TurnOrderDrawn,
)
from domain.grand_trunk.setup import Choice, Options
from tests.domain.grand_trunk.positions import ANN, HOMES, OPENING, ann, dealt, given


@cache
def setups():
    return [
        TITLE.rules.setup(
            Options(), dict.fromkeys(range(1, seats + 1), Choice()), FreeChance(random.Random(seed))
        ).events
        for seats in (2, 3, 4)
        for seed in range(40)
    ]


def event(setup, kind):
    (found,) = [each for each in setup if isinstance(each, kind)]
    return found


def test_terminals_in_the_starting_cities():
    """GTJ 2.1"""
    for scenario in SCENARIOS.values():
        level = "intermediate" if scenario.intermediate else "expert"
        state = given(
            TITLE.rules.setup(
                Options(scenario.id, level), {1: Choice(), 2: Choice()}, FreeChance(random.Random(1))
            ).events
        )
        terminals = {place.id for place in TITLE.rules.view(state.state, None).places if place.terminal}
        assert terminals == set(scenario.starting_cities)


def test_city_goods_tokens_by_their_group():
    """GTJ 2.2"""
    starting = {token.id for token in BOARD.city_goods_tokens if token.group == "starting"}
    assert len(starting) == 4
    seen = set()
    for setup in setups():
        tokens = event(setup, GoodsTokensDealt).tokens
        assert {tokens[city] for city in HOMES} == starting
        assert len({tokens[city] for city in CITIES}) == 12
        seen.add(tuple(tokens[city] for city in CITIES))
    assert len(seen) == len(setups()), "at random"


def test_port_goods_tokens():
    """GTJ 2.3"""
    ports = ("albany", "montreal_griffintown", "portland")
    seen = set()
    for setup in setups():
        tokens = event(setup, GoodsTokensDealt).tokens
        assert "hamilton" not in tokens
        assert {GOODS_TOKENS[tokens[port]].group for port in ports} == {"port"}
        seen.add(tuple(tokens[port] for port in ports))
    assert len(seen) == 6


def test_first_deliveries_lie_where_nobody_starts():
    """GTJ 2.4"""
    for setup in setups():
        tokens = event(setup, FirstDeliveriesDealt).tokens
        assert set(tokens) == set(CITIES) - set(HOMES)
        assert len(set(tokens.values())) == 8


def test_two_contracts_are_turned_up():
    """GTJ 2.5"""
    lengths = Counter(slot.days for slot in BOARD.contract_slots)
    assert lengths == {4: 1, 3: 3, 2: 3, 1: 3}
    drawn = set()
    for setup in setups():
        first, second = [each for each in setup if isinstance(each, ContractTurnedUp)]
        assert (first.slot, first.dark_space, second.slot, second.dark_space) == (1, 0, 2, 0)
        assert "_4d_" in first.token
        assert "_3d_" in second.token
        drawn |= {first.token, second.token}
    assert len(drawn) == 10, "each token of the length is as likely"
    assert setup.index(first) < setup.index(second)


def test_three_improvements_for_each_seat():
    """GTJ 2.6"""
    for setup in setups():
        shown = event(setup, ImprovementsDisplayed).improvements
        assert len(shown) == len(set(shown)) == 3 * len(event(setup, TableSet).companies)


def test_a_first_player_is_drawn_and_the_others_follow_in_table_order():
    """GTJ 2.7"""
    orders = {event(setup, TurnOrderDrawn).order for setup in setups()}
    assert orders == {
        (1, 2),
        (2, 1),
        (1, 2, 3),
        (2, 3, 1),
        (3, 1, 2),
        (1, 2, 3, 4),
        (2, 3, 4, 1),
        (3, 4, 1, 2),
        (4, 1, 2, 3),
    }


def test_all_markers_start_on_day_0_in_turn_order():
    """GTJ 2.8"""
    view = TITLE.rules.view(given(dealt(3, order=(2, 3, 1))).state, None)
    assert [(seat.day, seat.vp, seat.wood) for seat in view.seats] == [(0, 3, 0)] * 3
    assert view.order == (2, 3, 1), "the first player at the bottom of the stack"


def test_each_seat_starts_in_a_starting_city_of_its_own():
    """GTJ 2.9"""
    for setup in setups():
        cities = event(setup, StartingCitiesDrawn).cities
        assert len(set(cities)) == len(cities) == len(event(setup, TableSet).companies)
        assert set(cities) <= set(HOMES)
        for seat in TITLE.rules.view(given(setup).state, None).seats:
            assert seat.place == cities[seat.seat - 1]
            assert seat.location == CITY_CARDS[seat.company][seat.place]
    left_over = TITLE.rules.view(given(dealt(2)).state, None).place["white_river_jct"]
    assert left_over.terminal
    assert left_over.token


def test_every_train_starts_with_force_one_and_slow():
    """GTJ 2.10"""
    assert [(seat.force, seat.fast) for seat in TITLE.rules.view(given(dealt(4)).state, None).seats] == [(1, False)] * 4


def test_the_starting_hand():
    """GTJ 2.13"""
    seat = TITLE.rules.view(given(OPENING).state, ANN).own
    names = {"port_1", "port_2", "grand_trunk_jct", "flat_car", "box_car", "richmond", "watertown", "white_river_jct"}
    assert (len(seat.hand), len(seat.deck), seat.deck_size, seat.discard) == (5, 3, 3, ())
    assert {*seat.hand, *seat.deck} == {ann(name) for name in names}


def test_the_other_cards_lie_aside():
    """GTJ 2.14"""
    seat = TITLE.rules.view(given(OPENING).state, ANN).own
    assert set(seat.set_aside) == {ann(city) for city in CITIES if city not in HOMES}
