"""GTJ 6: step 2, unloading."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import DeliverGood, DumpGood, FulfilContract, LoadGood, PlayInfluenceDemand
from domain.grand_trunk.events import (
    ContractFulfilled,
    DaysSpent,
    FirstDeliveryTaken,
    GoodDelivered,
    GoodDumped,
    GoodLoaded,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    coupled,
    delivered,
    emptied,
    ended,
    given,
    in_hand_from_afar,
    moved,
    opening,
    owns,
    spent,
    steel_in,
    without_railcar,
)

HOPPER, BOX, FLAT = ann("hopper_car"), ann("box_car"), ann("flat_car")
RAILCARS = {ANN: ("flat_car", "box_car", "port_1", "watertown", "white_river_jct")}
IRON_AT_WATERTOWN = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0))
"""Watertown demands iron; Ann has brought one."""


def arrived(place, railcar, good, *before, card="port_1", tokens=None, cubes=1):
    """Ann has come to ``place`` with cubes on one railcar."""
    return given(
        opening(hands=RAILCARS, tokens=tokens),
        without_railcar(ANN),
        before,
        coupled(ANN, railcar, good, cubes),
        moved(ANN, card, place, "burlington", 0),
    )


def in_city(city, railcar, good, *before, tokens=None, cubes=1):
    """The same in a city that starts without a terminal."""
    return given(
        opening(hands=RAILCARS, tokens=tokens),
        without_railcar(ANN),
        before,
        coupled(ANN, railcar, good, cubes),
        in_hand_from_afar(ANN, city),
        moved(ANN, city, city, "burlington", 0),
    )


def seat(situation, number=ANN):
    return TITLE.rules.view(situation.state, None).seats[number - 1]


def test_each_cube_is_unloaded_by_itself_and_for_no_days():
    """GTJ 6.1"""
    two = arrived("white_river_jct", "flat_car", "wood", card="white_river_jct", cubes=2)
    once = two.when(ANN, DeliverGood(FLAT))
    once.then_without(DaysSpent)
    assert [(r.card, r.good, r.cubes) for r in seat(once.after).railcars] == [(FLAT, "wood", 1)]
    twice = once.after.when(ANN, DeliverGood(FLAT)).after
    assert [(r.card, r.good, r.cubes) for r in seat(twice).railcars] == [(FLAT, None, 0)]
    assert seat(twice).delivered["wood"] == 2


@pytest.mark.parametrize("card", [FLAT, bob("hopper_car"), "no_such_card"])
def test_only_what_is_on_the_train_is_unloaded(card):
    """GTJ 6.1"""
    for command in (DeliverGood(card), DumpGood(card), FulfilContract(card, 1)):
        IRON_AT_WATERTOWN.when(ANN, command).then_refused("GTJ 6.1")


def test_an_empty_railcar_has_nothing_to_unload():
    """GTJ 6.1"""
    empty = IRON_AT_WATERTOWN.then(emptied(ANN))
    for command in (DeliverGood(HOPPER), DumpGood(HOPPER), FulfilContract(HOPPER, 1)):
        empty.when(ANN, command).then_refused("GTJ 6.1")


def test_delivery_on_demand():
    """GTJ 6.2"""
    after = IRON_AT_WATERTOWN.when(ANN, DeliverGood(HOPPER)).then(
        GoodDelivered(ANN, HOPPER, "iron", "watertown", 0, 2, 0)
    )
    assert seat(after).delivered == {"coal": 0, "iron": 1, "wood": 0, "steel": 0}


def test_no_delivery_without_demand():
    """GTJ 6.2"""
    given(OPENING, moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0)).when(
        ANN, DeliverGood(HOPPER)
    ).then_refused("GTJ 6.2")


@pytest.mark.parametrize(
    ("city", "vp", "token"), [("new_london", 1, "first_delivery_3"), ("quebec", 2, "first_delivery_7")]
)
def test_the_first_delivery_in_a_city_takes_its_token(city, vp, token):
    """GTJ 6.3"""
    good = "coal" if city == "new_london" else "wood"
    name = "hopper_car" if good == "coal" else "flat_car"
    hand = {ANN: RAILCARS[ANN]}
    there = given(
        opening(hands=hand),
        without_railcar(ANN),
        coupled(ANN, name, good, 2, "discard_pile" if good == "coal" else "hand"),
        in_hand_from_afar(ANN, city),
        moved(ANN, city, city, "burlington", 0),
    )
    first = there.when(ANN, DeliverGood(ann(name))).then_includes(
        GoodDelivered(ANN, ann(name), good, city, 0, 0, 1 if good == "wood" else 0),
        FirstDeliveryTaken(ANN, city, token, vp),
    )
    assert TITLE.rules.view(first.state, None).place[city].first_delivery is None
    first.when(ANN, DeliverGood(ann(name))).then_without(FirstDeliveryTaken)


def test_a_contract_takes_the_token_too_whatever_its_good():
    """GTJ 6.3: Québec demands wood, the contract asks for iron."""
    there = given(
        opening(hands=RAILCARS),
        without_railcar(ANN),
        coupled(ANN, "flat_car", "iron"),
        in_hand_from_afar(ANN, "quebec"),
        spent(ANN, 0, 5),
        moved(ANN, "quebec", "quebec", "burlington", 5, 2),
    )
    there.when(ANN, FulfilContract(FLAT, 2)).then_includes(
        ContractFulfilled(ANN, 2, "contract_3d_quebec_iron", FLAT, 4),
        FirstDeliveryTaken(ANN, "quebec", "first_delivery_7", 2),
    )


def test_no_token_in_starting_cities_and_ports():
    """GTJ 6.3"""
    IRON_AT_WATERTOWN.when(ANN, DeliverGood(HOPPER)).then_without(FirstDeliveryTaken)


def test_coal_has_no_effect_at_once():
    """GTJ 6.4"""
    back = given(
        opening(order=(BOB, ANN)), spent(BOB, 0, 1), moved(BOB, "grand_trunk_jct", "burlington", "richmond", 1, 3)
    )
    outcome = back.when(BOB, DeliverGood(bob("hopper_car")))
    outcome.then(GoodDelivered(BOB, bob("hopper_car"), "coal", "burlington", 0, 0, 0))
    assert seat(outcome.after, BOB).vp == seat(back, BOB).vp


def test_wood_moves_the_wood_marker():
    """GTJ 6.5"""
    wood = arrived("white_river_jct", "flat_car", "wood", card="white_river_jct")
    after = wood.when(ANN, DeliverGood(FLAT)).then(GoodDelivered(ANN, FLAT, "wood", "white_river_jct", 0, 0, 1))
    assert seat(after).wood == 1


@pytest.mark.parametrize(("before", "steps"), [(6, 1), (7, 0)])
def test_the_wood_marker_stops_on_seven(before, steps):
    """GTJ 6.5"""
    there = given(
        opening(hands=RAILCARS),
        emptied(ANN),
        delivered(ANN, *["wood"] * before),
        without_railcar(ANN)[1:],
        coupled(ANN, "flat_car", "wood"),
        moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0),
    )
    assert seat(there).wood == before
    after = there.when(ANN, DeliverGood(FLAT)).then(GoodDelivered(ANN, FLAT, "wood", "white_river_jct", 0, 0, steps))
    assert (seat(after).wood, seat(after).delivered["wood"]) == (7, before + 1)


@pytest.mark.parametrize(("there", "made"), [(0, 2), (1, 2), (2, 2), (3, 1)])
def test_iron_makes_steel(there, made):
    """GTJ 6.6"""
    with_steel = given(
        OPENING,
        steel_in(ANN, "watertown", there),
        without_railcar(ANN)[1:],
        coupled(ANN, "hopper_car", "iron", source="discard_pile"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    after = with_steel.when(ANN, DeliverGood(HOPPER)).then(GoodDelivered(ANN, HOPPER, "iron", "watertown", 0, made, 0))
    assert TITLE.rules.view(after.state, None).place["watertown"].steel == there + made


FULL = given(
    OPENING,
    steel_in(ANN, "watertown", 4),
    without_railcar(ANN)[1:],
    coupled(ANN, "hopper_car", "iron", source="discard_pile"),
    moved(ANN, "watertown", "watertown", "burlington", 0),
)


def test_no_iron_where_four_steel_lie():
    """GTJ 6.6"""
    FULL.when(ANN, DeliverGood(HOPPER)).then_refused("GTJ 6.6")


def test_two_iron_can_be_delivered_on_one_steel():
    """GTJ 6.6"""
    one = given(
        OPENING,
        steel_in(ANN, "watertown", 1),
        without_railcar(ANN)[1:],
        coupled(ANN, "hopper_car", "iron", 2, "discard_pile"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    after = one.when(ANN, DeliverGood(HOPPER)).after.when(ANN, DeliverGood(HOPPER)).after
    assert TITLE.rules.view(after.state, None).place["watertown"].steel == 4


def test_iron_in_a_contract_is_not_held_up():
    """GTJ 7.6, 6.6"""
    contracts = ("contract_4d_burlington_iron", "contract_3d_quebec_iron")
    at_home = given(
        opening(contracts=contracts),
        steel_in(ANN, "burlington", 4),
        without_railcar(ANN)[1:],
        spent(ANN, 0, 3),
        coupled(ANN, "hopper_car", "iron", source="discard_pile"),
        ended(ANN, 3),
        spent(BOB, 0, 9),
        ended(BOB, 9),
        moved(ANN, "grand_trunk_jct", "albany", "burlington", 3),
        moved(ANN, "port_1", "burlington", "albany", 4, discarded="grand_trunk_jct"),
    )
    at_home.when(ANN, FulfilContract(HOPPER, 1)).then(
        ContractFulfilled(ANN, 1, "contract_4d_burlington_iron", HOPPER, 3)
    )


def test_steel_belongs_to_nobody():
    """GTJ 6.7: Ann loads what Bob's iron made."""
    made = given(
        opening(hands=RAILCARS),
        steel_in(BOB, "watertown", 2),
        without_railcar(ANN),
        moved(ANN, "watertown", "watertown", "burlington", 0),
        coupled(ANN, "box_car", "wood"),
        emptied(ANN, "box_car"),
    )
    assert made.when(ANN, LoadGood(BOX, "steel")).events


def test_steel_in_a_port_scores():
    """GTJ 6.8"""
    steel = arrived("albany", "box_car", "steel")
    after = steel.when(ANN, DeliverGood(BOX)).then(GoodDelivered(ANN, BOX, "steel", "albany", 3, 0, 0))
    assert (seat(after).vp, seat(after).delivered["steel"]) == (seat(steel).vp + 3, 1)


def test_steel_is_demanded_by_ports_only():
    """GTJ 6.8, 6.2"""
    arrived("watertown", "box_car", "steel", card="watertown").when(ANN, DeliverGood(BOX)).then_refused("GTJ 6.2")


def test_dumping_costs_a_point():
    """GTJ 6.9"""
    wrong = given(OPENING, moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0))
    after = wrong.when(ANN, DumpGood(HOPPER)).then(GoodDumped(ANN, HOPPER, "iron", "white_river_jct", -1))
    assert seat(after).vp == 2
    assert sum(seat(after).delivered.values()) == 0


def test_dumping_takes_no_first_delivery():
    """GTJ 6.9"""
    in_city("quebec", "flat_car", "iron").when(ANN, DumpGood(FLAT)).then(GoodDumped(ANN, FLAT, "iron", "quebec", -1))


def test_a_demanded_good_cannot_be_dumped():
    """GTJ 6.9"""
    IRON_AT_WATERTOWN.when(ANN, DumpGood(HOPPER)).then_refused("GTJ 6.9")
    FULL.when(ANN, DumpGood(HOPPER)).then_refused("GTJ 6.9")
    exporter = arrived("albany", "flat_car", "wood", owns(ANN, "wood_exporter"))
    exporter.when(ANN, DumpGood(FLAT)).then_refused("GTJ 6.9")
    assert arrived("albany", "flat_car", "wood").when(ANN, DumpGood(FLAT)).events


def test_dumped_steel_does_not_go_to_the_steel_space():
    """GTJ 6.9"""
    steel = arrived("watertown", "box_car", "steel", card="watertown")
    after = steel.when(ANN, DumpGood(BOX)).then(GoodDumped(ANN, BOX, "steel", "watertown", -1))
    assert TITLE.rules.view(after.state, None).place["watertown"].steel == 0


def test_points_may_fall_below_zero():
    """GTJ 6.10"""
    lost = [[GoodDumped(ANN, HOPPER, "iron", "albany", -1), GoodLoaded(ANN, HOPPER, "iron", "albany", "stock", 1)]] * 3
    broke = given(OPENING, lost, moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0))
    assert seat(broke).vp == 0
    assert seat(broke.when(ANN, DumpGood(HOPPER)).after).vp == -1


def test_influence_demand_between_unloading_and_loading():
    """GTJ 11.6, 6.2: a swap before unloading changes what is demanded."""
    swap = PlayInfluenceDemand(ann("white_river_jct"), "watertown", "boston")
    swapped = IRON_AT_WATERTOWN.when(ANN, swap).after
    swapped.when(ANN, DeliverGood(HOPPER)).then_refused("GTJ 6.2")
