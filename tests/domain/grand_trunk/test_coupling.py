"""GTJ 8: steps 3 and 4, uncoupling and coupling."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import CoupleRailcar, UncoupleRailcar
from domain.grand_trunk.events import DaysSpent, GoodDumped, GoodLoaded, RailcarCoupled, RailcarUncoupled
from tests.domain.grand_trunk.positions import (
    ANN,
    OPENING,
    ann,
    bob,
    coupled,
    emptied,
    force,
    given,
    in_hand_from_afar,
    moved,
    opening,
    steel_in,
    without_railcar,
)
from tests.domain.grand_trunk.trains import AT_WATERTOWN, EMPTY, RAILCARS, train


def test_empty_railcars_may_be_uncoupled():
    """GTJ 8.1, 8.2"""
    empty = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    after = empty.when(ANN, UncoupleRailcar(ann("hopper_car"))).then(
        RailcarUncoupled(ANN, ann("hopper_car"), "discard_pile")
    )
    assert ann("hopper_car") in TITLE.rules.view(after.state, None).seats[0].discard
    assert ann("hopper_car") not in TITLE.rules.view(after.state, ANN).own.hand


def test_two_railcars_may_be_uncoupled_one_after_the_other():
    """GTJ 8.1, 5.1: step 3 goes on until step 4 begins."""
    two = given(opening(hands={ANN: RAILCARS}), force(ANN, 2), coupled(ANN, "flat_car", "wood"), emptied(ANN))
    there = two.then(
        GoodDumped(ANN, ann("flat_car"), "wood", "albany", 0), moved(ANN, "watertown", "watertown", "burlington", 0)
    )
    one_off = there.when(ANN, UncoupleRailcar(ann("hopper_car"))).after
    one_off.when(ANN, UncoupleRailcar(ann("flat_car"))).then(RailcarUncoupled(ANN, ann("flat_car"), "discard_pile"))


@pytest.mark.parametrize("railcar", ["flat_car", "port_1", "no_such_card"])
def test_only_a_railcar_on_the_train_can_be_uncoupled(railcar):
    """GTJ 8.1"""
    AT_WATERTOWN.when(ANN, UncoupleRailcar(ann(railcar))).then_refused("GTJ 8.1")


def test_a_railcar_with_a_cube_stays():
    """GTJ 8.1"""
    AT_WATERTOWN.when(ANN, UncoupleRailcar(ann("hopper_car"))).then_refused("GTJ 8.1")
    AT_WATERTOWN.when(ANN, UncoupleRailcar(bob("hopper_car"))).then_refused("GTJ 8.1")


def test_coupling_costs_no_days():
    """GTJ 8.3"""
    outcome = EMPTY.when(ANN, CoupleRailcar(ann("flat_car"), "wood"))
    outcome.then(
        RailcarCoupled(ANN, ann("flat_car"), "hand"), GoodLoaded(ANN, ann("flat_car"), "wood", "watertown", "stock", 1)
    )
    outcome.then_without(DaysSpent)
    assert ann("flat_car") not in TITLE.rules.view(outcome.after.state, ANN).own.hand


@pytest.mark.parametrize("card", [ann("hopper_car"), ann("port_2"), bob("flat_car"), "no_such_card", ann("port_1")])
def test_only_a_railcar_from_the_hand_can_be_coupled(card):
    """GTJ 8.3"""
    EMPTY.when(ANN, CoupleRailcar(card, "coal")).then_refused("GTJ 8.3")


def test_more_than_one_can_be_coupled():
    """GTJ 8.3"""
    two = given(
        opening(hands={ANN: RAILCARS}),
        without_railcar(ANN),
        force(ANN, 2),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    after = two.when(ANN, CoupleRailcar(ann("flat_car"), "wood")).after.when(ANN, CoupleRailcar(ann("box_car"), "wood"))
    assert train(after.after) == [(ann("flat_car"), "wood", 1), (ann("box_car"), "wood", 1)]


@pytest.mark.parametrize(
    ("good", "rule"), [("", "GTJ 8.4"), ("gold", "GTJ 8.4"), ("coal", "GTJ 4.3"), ("iron", "GTJ 9.1")]
)
def test_a_railcar_is_coupled_with_its_first_cube(good, rule):
    """GTJ 8.4"""
    EMPTY.when(ANN, CoupleRailcar(ann("flat_car"), good)).then_refused(rule)


def test_two_railcars_cannot_share_one_steel():
    """GTJ 8.4"""
    hand = ("box_car", "port_1", "port_2", "watertown", "richmond")
    one_steel = given(
        opening(hands={ANN: hand}),
        steel_in(ANN, "watertown", 1),
        without_railcar(ANN)[1:],
        force(ANN, 2),
        in_hand_from_afar(ANN, "quebec"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    loaded = one_steel.when(ANN, CoupleRailcar(ann("box_car"), "steel")).after
    loaded.when(ANN, CoupleRailcar(ann("quebec"), "steel")).then_refused("GTJ 9.2")
