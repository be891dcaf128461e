"""GTJ 9: step 5, loading."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import CoupleRailcar, EndTurn, LoadGood, PlayRailYard, UncoupleRailcar
from domain.grand_trunk.events import GoodLoaded, RailcarCoupled, RailcarUncoupled
from tests.domain.grand_trunk.positions import (
    ANN,
    OPENING,
    ann,
    bob,
    coupled,
    delivered,
    emptied,
    force,
    given,
    in_hand_from_afar,
    moved,
    opening,
    steel_in,
    without_railcar,
)
from tests.domain.grand_trunk.trains import AT_WATERTOWN, RAILCARS, train


def test_goods_that_the_place_supplies_are_loaded_from_the_stock():
    """GTJ 9.1"""
    empty = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    empty.when(ANN, LoadGood(ann("hopper_car"), "coal")).then(
        GoodLoaded(ANN, ann("hopper_car"), "coal", "watertown", "stock", 1)
    )
    empty.when(ANN, LoadGood(ann("hopper_car"), "iron")).then_refused("GTJ 9.1")


@pytest.mark.parametrize("card", [ann("flat_car"), bob("hopper_car"), "no_such_card"])
def test_only_railcars_on_the_train_are_loaded(card):
    """GTJ 9.1"""
    AT_WATERTOWN.when(ANN, LoadGood(card, "wood")).then_refused("GTJ 9.1")


def test_steel_is_loaded_from_the_steel_space():
    """GTJ 9.2"""
    box = without_railcar(ANN)[1:], coupled(ANN, "box_car", "wood")
    base = opening(hands={ANN: RAILCARS}), steel_in(ANN, "watertown", 2), box
    here = given(base, moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN, "box_car"))
    after = here.when(ANN, LoadGood(ann("box_car"), "steel")).then(
        GoodLoaded(ANN, ann("box_car"), "steel", "watertown", "steel_space", 1)
    )
    assert TITLE.rules.view(after.state, None).place["watertown"].steel == 1
    late = after.when(ANN, UncoupleRailcar(ann("box_car")))
    late.then_refused("GTJ 5.1")
    assert late.refusal.sentence.template == "You have already passed this step of your turn."
    none = given(
        opening(hands={ANN: RAILCARS}),
        emptied(ANN),
        box,
        moved(ANN, "watertown", "watertown", "burlington", 0),
        emptied(ANN, "box_car"),
    )
    none.when(ANN, LoadGood(ann("box_car"), "steel")).then_refused("GTJ 9.2")
    port = given(base, moved(ANN, "port_1", "albany", "burlington", 0), emptied(ANN, "box_car"))
    port.when(ANN, LoadGood(ann("box_car"), "steel")).then_refused("GTJ 9.2")


def test_steel_made_in_this_turn_can_be_loaded():
    """GTJ 9.2"""
    from domain.grand_trunk.commands import DeliverGood

    iron = given(opening(hands={ANN: RAILCARS}), moved(ANN, "watertown", "watertown", "burlington", 0))
    made = iron.when(ANN, DeliverGood(ann("hopper_car"))).after.when(ANN, UncoupleRailcar(ann("hopper_car"))).after
    made.when(ANN, CoupleRailcar(ann("box_car"), "steel")).then(
        RailcarCoupled(ANN, ann("box_car"), "hand"),
        GoodLoaded(ANN, ann("box_car"), "steel", "watertown", "steel_space", 1),
    )


@pytest.mark.parametrize("good", ["iron", "coal"])
def test_an_emptied_railcar_is_loaded_again(good):
    """GTJ 9.3"""
    home = given(OPENING, delivered(ANN, "coal"), moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0))
    home.when(ANN, LoadGood(ann("hopper_car"), good)).then(
        GoodLoaded(ANN, ann("hopper_car"), good, "white_river_jct", "stock", 1)
    )


def test_railcars_left_empty_go_to_the_discard_pile():
    """GTJ 9.4"""
    two = given(
        opening(hands={ANN: RAILCARS}),
        force(ANN, 2),
        coupled(ANN, "box_car", "wood"),
        emptied(ANN),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    outcome = two.when(ANN, EndTurn(), chance=[ann("port_2"), ann("white_river_jct")])
    assert outcome.only(RailcarUncoupled) == [RailcarUncoupled(ANN, ann("hopper_car"), "discard_pile")]
    assert train(outcome.after) == [(ann("box_car"), "wood", 1)]


def test_rail_yard_couples_with_a_cube_too():
    """GTJ 8.4, 11.8"""
    yard = given(
        opening(hands={ANN: RAILCARS}),
        in_hand_from_afar(ANN, "peterborough"),
        without_railcar(ANN),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    yard.when(ANN, PlayRailYard(ann("peterborough"), ann("hopper_car"), "iron")).then_refused("GTJ 9.1")
