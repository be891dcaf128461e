"""GTJ 11: the five simple actions."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    DeliverGood,
    EndTurn,
    MoveTrain,
    PlayHighCapacityRailcar,
    PlayInfluenceDemand,
    PlayOverlandTransport,
    PlayRailYard,
)
from domain.grand_trunk.events import (
    ActionCardPlayed,
    CardsDiscarded,
    DaysSpent,
    GoodLoaded,
    GoodsTokensSwapped,
    RailcarCoupled,
    SteelMoved,
    TrainMoved,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    OPENING,
    TOKENS,
    ann,
    bob,
    coupled,
    emptied,
    fast,
    given,
    in_hand_from_afar,
    moved,
    steel_in,
    without_railcar,
)

HOPPER, FLAT = ann("hopper_car"), ann("flat_car")
SWAP = ann("white_river_jct")
"""Ann's card with Influence Demand."""


def test_any_number_of_actions_at_any_moment():
    """GTJ 11.1"""
    start = given(OPENING, in_hand_from_afar(ANN, "utica"), steel_in(ANN, "watertown", 2))
    before = start.when(ANN, PlayInfluenceDemand(SWAP, "boston", "utica")).after
    again = before.when(ANN, PlayOverlandTransport(ann("utica"), "watertown", "utica")).after
    moved_on = again.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    assert moved_on.when(ANN, EndTurn(), chance=[FLAT, ann("port_2")]).events
    after_the_move = start.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    assert after_the_move.when(ANN, PlayInfluenceDemand(SWAP, "boston", "utica")).events


def test_the_card_goes_to_the_discard_pile():
    """GTJ 11.2, 19.4: last of all."""
    outcome = given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, "boston", "utica"))
    after = outcome.then(
        GoodsTokensSwapped(ANN, "boston", "utica", TOKENS["utica"], TOKENS["boston"]),
        ActionCardPlayed(ANN, SWAP, "influence_demand"),
    )
    seat = TITLE.rules.view(after.state, ANN).own
    assert SWAP in seat.discard
    assert SWAP not in seat.hand


@pytest.mark.parametrize(
    "card", [ann("port_2"), ann("quebec"), ann("richmond"), ann("grand_trunk_jct"), bob("quebec"), "no_such_card"]
)
def test_a_card_in_hand_that_shows_the_action(card):
    """GTJ 11.2"""
    given(OPENING).when(ANN, PlayInfluenceDemand(card, "boston", "utica")).then_refused("GTJ 11.2")
    given(OPENING).when(ANN, PlayOverlandTransport(card, "boston", "new_london")).then_refused("GTJ 11.2")
    given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN)).when(
        ANN, PlayRailYard(card, ann("burlington"), "coal")
    ).then_refused("GTJ 11.2")


def test_an_impossible_action_keeps_its_card():
    """GTJ 11.3"""
    outcome = given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, "boston", "albany"))
    outcome.then_refused("GTJ 11.6")
    assert SWAP in outcome.before.state.seats[ANN].hand


def test_the_simple_actions_cost_no_days():
    """GTJ 11.4"""
    given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, "boston", "utica")).then_without(DaysSpent)


# ==== GTJ 11.5: High Capacity Railcar =============================================================
def at_white_river(*before, railcar="hopper_car", good="iron", cubes=1):
    return given(
        OPENING,
        without_railcar(ANN),
        coupled(ANN, railcar, good, cubes, "discard_pile"),
        before,
        moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0),
    )


HIGH = ann("watertown")


def test_a_second_cube_of_the_same_good():
    """GTJ 11.5"""
    outcome = at_white_river().when(ANN, PlayHighCapacityRailcar(HIGH, HOPPER))
    after = outcome.then(
        GoodLoaded(ANN, HOPPER, "iron", "white_river_jct", "stock", 2),
        ActionCardPlayed(ANN, HIGH, "high_capacity_railcar"),
    )
    assert TITLE.rules.view(after.state, None).seats[0].railcars[0].cubes == 2


def test_a_high_capacity_railcar_needs_a_place_that_supplies_the_good():
    """GTJ 11.5, 9.1"""
    dry = at_white_river(GoodsTokensSwapped(ANN, "white_river_jct", "utica", TOKENS["quebec"], TOKENS["boston"]))
    dry.when(ANN, PlayHighCapacityRailcar(HIGH, HOPPER)).then_refused("GTJ 9.1")


@pytest.mark.parametrize(
    ("good", "cubes", "railcar"), [("iron", 2, HOPPER), ("steel", 1, HOPPER), ("iron", 1, FLAT), ("iron", 1, "x")]
)
def test_it_needs_exactly_one_cube_of_coal_iron_or_wood(good, cubes, railcar):
    """GTJ 11.5"""
    at_white_river(good=good, cubes=cubes).when(ANN, PlayHighCapacityRailcar(HIGH, railcar)).then_refused("GTJ 11.5")


def test_not_on_an_empty_railcar():
    """GTJ 11.5"""
    at_white_river().then(emptied(ANN)).when(ANN, PlayHighCapacityRailcar(HIGH, HOPPER)).then_refused("GTJ 11.5")


def test_high_capacity_belongs_to_step_five():
    """GTJ 11.5, 5.1: nothing is unloaded after it."""
    loaded = at_white_river().when(ANN, PlayHighCapacityRailcar(HIGH, HOPPER)).after
    loaded.when(ANN, DeliverGood(HOPPER)).then_refused("GTJ 5.1")


# ==== GTJ 11.6: Influence Demand ==================================================================
@pytest.mark.parametrize(
    ("first", "second"), [("boston", "kingston"), ("burlington", "quebec"), ("albany", "portland")]
)
def test_two_cities_or_two_ports(first, second):
    """GTJ 11.6: near or far, with a terminal or without."""
    outcome = given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, first, second))
    after = outcome.then_includes(GoodsTokensSwapped(ANN, first, second, TOKENS[second], TOKENS[first]))
    places = TITLE.rules.view(after.state, None).place
    assert (places[first].token, places[second].token) == (TOKENS[second], TOKENS[first])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("boston", "albany"),
        ("albany", "boston"),
        ("albany", "hamilton"),
        ("hamilton", "portland"),
        ("boston", "boston"),
        ("albany", "albany"),
        ("boston", "nowhere"),
        ("nowhere", "boston"),
        ("nowhere", "nowhere"),
        ("", ""),
    ],
)
def test_other_pairs_are_refused(first, second):
    """GTJ 11.6"""
    given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, first, second)).then_refused("GTJ 11.6")


def test_tokens_with_equal_faces_may_be_exchanged():
    """GTJ 11.6: Niagara and Ottawa both demand iron and supply coal and wood."""
    assert given(OPENING).when(ANN, PlayInfluenceDemand(SWAP, "niagara", "ottawa")).events


def test_everything_else_stays_when_tokens_change_places():
    """GTJ 11.6"""
    before = given(OPENING, steel_in(ANN, "boston", 2))
    after = before.when(ANN, PlayInfluenceDemand(SWAP, "boston", "utica")).after
    for city in ("boston", "utica"):
        old, new = (TITLE.rules.view(each.state, None).place[city] for each in (before, after))
        assert (old.steel, old.first_delivery, old.terminal) == (new.steel, new.first_delivery, new.terminal)


# ==== GTJ 11.7: Overland Transport ================================================================
WAGON = ann("utica")
STEEL = given(OPENING, in_hand_from_afar(ANN, "utica"), steel_in(ANN, "watertown", 2), steel_in(ANN, "boston", 1))


def test_steel_moves_over_one_link():
    """GTJ 11.7"""
    after = STEEL.when(ANN, PlayOverlandTransport(WAGON, "watertown", "kingston")).then(
        SteelMoved(ANN, "watertown", "kingston"), ActionCardPlayed(ANN, WAGON, "overland_transport")
    )
    places = TITLE.rules.view(after.state, None).place
    assert (places["watertown"].steel, places["kingston"].steel) == (1, 1)
    assert not places["kingston"].terminal


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        ("kingston", "watertown"),  # no steel there
        ("watertown", "boston"),  # no link
        ("boston", "portland"),
        ("portland", "boston"),  # a port
        ("watertown", "watertown"),
        ("nowhere", "watertown"),
        ("watertown", "nowhere"),
    ],
)
def test_other_transports_are_refused(origin, target):
    """GTJ 11.7"""
    STEEL.when(ANN, PlayOverlandTransport(WAGON, origin, target)).then_refused("GTJ 11.7")


def test_no_room_at_the_other_end():
    """GTJ 11.7"""
    full = STEEL.then(steel_in(ANN, "kingston", 4))
    full.when(ANN, PlayOverlandTransport(WAGON, "watertown", "kingston")).then_refused("GTJ 11.7")


# ==== GTJ 11.8: Rail Yard =========================================================================
YARD = ann("peterborough")
AT_WATERTOWN = given(
    OPENING,
    in_hand_from_afar(ANN, "peterborough"),
    without_railcar(ANN),
    moved(ANN, "watertown", "watertown", "burlington", 0),
)
"""Ann's discard pile holds the hopper car and Burlington, whose card is a hopper car too."""


@pytest.mark.parametrize("railcar", [HOPPER, ann("burlington")])
def test_a_railcar_comes_out_of_the_discard_pile(railcar):
    """GTJ 11.8"""
    after = AT_WATERTOWN.when(ANN, PlayRailYard(YARD, railcar, "coal")).then(
        RailcarCoupled(ANN, railcar, "discard_pile"),
        GoodLoaded(ANN, railcar, "coal", "watertown", "stock", 1),
        ActionCardPlayed(ANN, YARD, "rail_yard"),
    )
    seat = TITLE.rules.view(after.state, ANN).own
    assert railcar not in seat.discard
    assert YARD in seat.discard


@pytest.mark.parametrize("railcar", [FLAT, ann("port_1"), YARD, bob("hopper_car"), "no_such_card"])
def test_only_railcars_of_the_own_pile(railcar):
    """GTJ 11.8"""
    AT_WATERTOWN.when(ANN, PlayRailYard(YARD, railcar, "coal")).then_refused("GTJ 11.8")
    pile = AT_WATERTOWN.then(CardsDiscarded(ANN, (ann("port_1"),), "maintenance"))
    pile.when(ANN, PlayRailYard(YARD, ann("port_1"), "coal")).then_refused("GTJ 11.8")


def test_rail_yard_keeps_to_the_rules_of_coupling():
    """GTJ 11.8, 4.2, 4.3, 9.1, 9.2, 5.1"""
    AT_WATERTOWN.when(ANN, PlayRailYard(YARD, HOPPER, "wood")).then_refused("GTJ 4.3")
    AT_WATERTOWN.when(ANN, PlayRailYard(YARD, HOPPER, "iron")).then_refused("GTJ 9.1")
    full = given(OPENING, in_hand_from_afar(ANN, "peterborough"), moved(ANN, "watertown", "watertown", "burlington", 0))
    full.when(ANN, PlayRailYard(YARD, ann("burlington"), "coal")).then_refused("GTJ 4.2")
    start = given(OPENING, in_hand_from_afar(ANN, "peterborough"), without_railcar(ANN))
    start.when(ANN, PlayRailYard(YARD, HOPPER, "iron")).then_refused("GTJ 5.1")


# ==== GTJ 11.9: Right of Way ======================================================================
RIGHT = ann("boston")
WITH_RIGHT = given(OPENING, in_hand_from_afar(ANN, "boston"))


def test_right_of_way_is_played_with_the_move():
    """GTJ 11.9"""
    outcome = WITH_RIGHT.when(ANN, MoveTrain(ann("richmond"), "richmond", right_of_way=RIGHT))
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 0, 1, "move"),
        TrainMoved(ANN, ann("richmond"), ann("burlington"), "burlington", "richmond", 2, False, False, RIGHT, 1),
    )
    seat = TITLE.rules.view(after.state, ANN).own
    assert RIGHT in seat.discard
    assert RIGHT not in seat.hand


def test_not_for_a_move_of_one_day():
    """GTJ 11.9"""
    WITH_RIGHT.when(ANN, MoveTrain(ann("watertown"), "watertown", right_of_way=RIGHT)).then_refused("GTJ 11.9")
    WITH_RIGHT.then(fast(ANN)).when(ANN, MoveTrain(ann("richmond"), "richmond", right_of_way=RIGHT)).then_refused(
        "GTJ 11.9"
    )
    assert (
        WITH_RIGHT.then(fast(ANN))
        .when(ANN, MoveTrain(ann("richmond"), "richmond", decline_fast=True, right_of_way=RIGHT))
        .events
    )


@pytest.mark.parametrize("card", [ann("watertown"), ann("port_2"), "no_such_card", bob("richmond")])
def test_right_of_way_needs_its_card(card):
    """GTJ 11.9, 11.2"""
    WITH_RIGHT.when(ANN, MoveTrain(ann("richmond"), "richmond", right_of_way=card)).then_refused("GTJ 11.2")


def test_a_card_is_not_both_the_way_and_the_right():
    """GTJ 5.2, 11.9"""
    itself = WITH_RIGHT.when(ANN, MoveTrain(RIGHT, "boston", right_of_way=RIGHT))
    assert itself.refusal.rule in ("GTJ 5.2", "GTJ 11.2")
