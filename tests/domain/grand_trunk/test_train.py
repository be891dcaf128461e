"""GTJ 4: the train."""

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import CoupleRailcar, EndTurn, LoadGood, MoveTrain
from domain.grand_trunk.events import GoodLoaded, RailcarCoupled, RailcarUncoupled, TrainMoved
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    coupled,
    emptied,
    ended,
    force,
    given,
    moved,
    opening,
    spent,
    without_railcar,
)
from tests.domain.grand_trunk.trains import AT_WATERTOWN, EMPTY, RAILCARS, train


# ==== GTJ 4: the train ============================================================================
def test_the_parts_of_a_train():
    """GTJ 4.1"""
    seat = TITLE.rules.view(given(OPENING).state, None).seats[0]
    assert (seat.location, seat.force, seat.fast) == (ann("burlington"), 1, False)
    assert train(given(OPENING)) == [(ann("hopper_car"), "iron", 1)]


def test_no_more_railcars_than_force():
    """GTJ 4.2"""
    AT_WATERTOWN.when(ANN, CoupleRailcar(ann("flat_car"), "wood")).then_refused("GTJ 4.2")
    two = given(opening(hands={ANN: RAILCARS}), force(ANN, 2), moved(ANN, "watertown", "watertown", "burlington", 0))
    full = two.when(ANN, CoupleRailcar(ann("flat_car"), "wood")).then(
        RailcarCoupled(ANN, ann("flat_car"), "hand"),
        GoodLoaded(ANN, ann("flat_car"), "wood", "watertown", "stock", 1),
    )
    full.when(ANN, CoupleRailcar(ann("box_car"), "wood")).then_refused("GTJ 4.2")


def test_an_empty_railcar_takes_room_as_well():
    """GTJ 4.2"""
    full = given(
        opening(hands={ANN: RAILCARS}),
        force(ANN, 2),
        coupled(ANN, "box_car", "wood"),
        emptied(ANN),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    full.when(ANN, CoupleRailcar(ann("flat_car"), "wood")).then_refused("GTJ 4.2")


def test_a_railcar_takes_only_goods_of_its_type():
    """GTJ 4.3"""
    EMPTY.when(ANN, CoupleRailcar(ann("flat_car"), "coal")).then_refused("GTJ 4.3")
    hopper = given(opening(hands={ANN: RAILCARS}), moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    hopper.when(ANN, LoadGood(ann("hopper_car"), "wood")).then_refused("GTJ 4.3")
    hopper.when(ANN, LoadGood(ann("hopper_car"), "coal")).then(
        GoodLoaded(ANN, ann("hopper_car"), "coal", "watertown", "stock", 1)
    )


def test_a_railcar_holds_one_cube():
    """GTJ 4.4"""
    coal = given(OPENING, without_railcar(ANN), moved(ANN, "watertown", "watertown", "burlington", 0))
    coal = coal.then(coupled(ANN, "hopper_car", "coal", source="discard_pile"))
    coal.when(ANN, LoadGood(ann("hopper_car"), "coal")).then_refused("GTJ 4.4")
    two = given(
        OPENING,
        without_railcar(ANN),
        coupled(ANN, "hopper_car", "coal", 2, source="discard_pile"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    two.when(ANN, LoadGood(ann("hopper_car"), "coal")).then_refused("GTJ 4.4")


def test_no_empty_railcar_is_left_when_a_turn_ends():
    """GTJ 4.5, 9.4"""
    empty = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    after = empty.when(ANN, EndTurn(), chance=[ann("flat_car")]).then_includes(
        RailcarUncoupled(ANN, ann("hopper_car"), "discard_pile")
    )
    assert train(after) == []


def test_a_train_without_railcars_travels():
    """GTJ 4.6"""
    bare = given(OPENING, without_railcar(ANN))
    assert bare.when(ANN, MoveTrain(ann("watertown"), "watertown")).only(TrainMoved)


def test_a_train_stands_where_its_last_move_ended():
    """GTJ 4.7"""
    in_albany = given(OPENING, moved(ANN, "port_1", "albany", "burlington", 0))
    seat = TITLE.rules.view(in_albany.state, None).seats[0]
    assert (seat.place, seat.location) == ("albany", ann("port_1"))
    later = in_albany.then(ended(ANN, 1), spent(BOB, 0, 3), ended(BOB, 3))
    later.when(ANN, MoveTrain(ann("grand_trunk_jct"), "albany")).then_refused("GTJ 5.5")
