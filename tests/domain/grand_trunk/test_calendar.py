"""GTJ 3: who plays, days, the time track."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    BuildTerminal,
    DeliverGood,
    EndTurn,
    IncreaseForce,
    MoveTrain,
    PerformMaintenance,
    PlayInfluenceDemand,
    UseSemaphoreSignaling,
)
from domain.grand_trunk.events import DaysSpent, ForceIncreased, TrainMoved, TurnEnded
from domain.words import say
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    CYD,
    OPENING,
    ann,
    bob,
    coupled,
    dealt,
    delivered,
    ended,
    given,
    moved,
    opening,
    owns,
    spent,
    without_railcar,
)

WATERTOWN = MoveTrain(ann("watertown"), "watertown")


def asked(situation):
    return TITLE.rules.asked(situation.state)


def test_only_the_active_seat_plays():
    """GTJ 3.1"""
    for command in (MoveTrain(bob("port_1"), "portland"), EndTurn(), PerformMaintenance()):
        given(OPENING).when(BOB, command).then_refused("GTJ 3.1")
    assert asked(given(OPENING)) == (ANN,)


def test_the_seat_furthest_back_plays_and_of_several_the_lowest():
    """GTJ 3.1"""
    assert asked(given(opening(3, order=(CYD, ANN, BOB)))) == (CYD,)
    assert asked(given(opening(3), spent(ANN, 0, 3), ended(ANN, 3))) == (BOB,)
    assert asked(given(opening(3), spent(ANN, 0, 3), ended(ANN, 3), spent(BOB, 0, 5), ended(BOB, 5))) == (CYD,)


def test_it_stays_active_until_its_turn_is_over():
    """GTJ 3.1"""
    assert asked(given(OPENING, spent(ANN, 0, 5))) == (ANN,)


def test_a_finished_seat_plays_no_more_even_when_it_is_last():
    """GTJ 3.1"""
    late = given(OPENING, spent(ANN, 0, 36), ended(ANN, 36, True), spent(BOB, 0, 38), ended(BOB, 38))
    assert asked(late) == (BOB,)


def test_days_are_paid_at_once():
    """GTJ 3.2"""
    given(OPENING).when(ANN, WATERTOWN).then_includes(DaysSpent(ANN, 1, 0, 1, "move"))
    after = given(OPENING).when(ANN, WATERTOWN).after
    assert TITLE.rules.view(after.state, None).seats[0].day == 1


def test_a_marker_goes_on_top_of_the_stack():
    """GTJ 3.3"""
    both_on_two = given(OPENING, spent(ANN, 0, 2), ended(ANN, 2), spent(BOB, 0, 2), ended(BOB, 2))
    assert TITLE.rules.view(both_on_two.state, None).order == (ANN, BOB)
    assert asked(both_on_two) == (ANN,)
    swapped = given(opening(order=(BOB, ANN)), spent(BOB, 0, 2), ended(BOB, 2), spent(ANN, 0, 2), ended(ANN, 2))
    assert asked(swapped) == (BOB,)


def test_also_in_mid_turn():
    """GTJ 3.3"""
    back = opening(), spent(ANN, 0, 1), ended(ANN, 1), spent(BOB, 0, 3), ended(BOB, 3)
    on_his_space = given(back, moved(ANN, "watertown", "watertown", "burlington", 1)).when(
        ANN, BuildTerminal(ann("port_1"), "boston")
    )
    assert TITLE.rules.view(on_his_space.after.state, None).order == (BOB, ANN)


def test_paying_nothing_is_no_stop():
    """GTJ 3.3, 13.7"""
    ready = given(
        opening(hands={ANN: ("richmond", "port_1", "watertown", "port_2", "white_river_jct")}),
        owns(ANN, "rail_equipment_factory"),
        delivered(ANN, "steel"),
        coupled(ANN, "flat_car", "wood"),
    )
    ready = ready.then(without_railcar(ANN)[1:])
    free = ready.when(ANN, IncreaseForce(ann("richmond")))
    assert TITLE.rules.view(free.then_without(DaysSpent).state, None).order == (ANN, BOB), "still at the bottom"
    assert free.only(ForceIncreased)


def test_a_seat_that_is_still_last_plays_again():
    """GTJ 3.4"""
    overtaken = given(OPENING, spent(ANN, 0, 5), ended(ANN, 5), spent(BOB, 0, 1), ended(BOB, 1))
    assert asked(overtaken) == (BOB,)
    passing = given(OPENING, spent(ANN, 0, 2), ended(ANN, 2), spent(BOB, 0, 4))
    assert asked(passing) == (BOB,), "overtaking does not end the turn"


def test_either_option_is_open_at_the_start():
    """GTJ 3.5"""
    start = given(OPENING)
    assert start.when(ANN, PerformMaintenance()).only(TurnEnded)
    assert start.when(ANN, WATERTOWN).only(TrainMoved)


def test_no_maintenance_after_a_command_of_option_one():
    """GTJ 3.5"""
    given(OPENING).when(ANN, WATERTOWN).after.when(ANN, PerformMaintenance()).then_refused("GTJ 3.5")
    swap = PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")
    given(OPENING).when(ANN, swap).after.when(ANN, PerformMaintenance()).then_refused("GTJ 3.5")
    owner = given(OPENING, owns(ANN, "semaphore_signaling"))
    used = owner.when(ANN, UseSemaphoreSignaling(ann("port_1"))).after
    used.when(ANN, PerformMaintenance()).then_refused("GTJ 3.5")


def test_a_seat_that_cannot_move_must_choose_maintenance():
    """GTJ 3.5"""
    stuck = given(opening(hands={ANN: ()}))
    assert [type(action.command) for action in TITLE.rules.actions(stuck.state, ANN)] == [PerformMaintenance]


@pytest.mark.parametrize("day", [38, 39, 40])
def test_space_forty_is_the_last(day):
    """GTJ 3.6"""
    to_richmond = given(OPENING, spent(ANN, 0, day)).when(ANN, MoveTrain(ann("richmond"), "richmond"))
    if day == 38:
        to_richmond.then_includes(DaysSpent(ANN, 2, 38, 40, "move"))
    else:
        to_richmond.then_refused("GTJ 3.6")


def test_nothing_goes_beyond_forty():
    """GTJ 3.6"""
    moved_to_40 = given(OPENING, spent(ANN, 0, 39), moved(ANN, "watertown", "watertown", "burlington", 39))
    moved_to_40.when(ANN, BuildTerminal(ann("port_1"), "boston")).then_refused("GTJ 3.6")
    given(OPENING, spent(ANN, 0, 40)).when(ANN, PerformMaintenance()).then_refused("GTJ 3.6")


def test_the_bonus_of_a_delivery_neither():
    """GTJ 3.6, 13.14"""
    steel = given(
        OPENING,
        owns(ANN, "foreign_steel_contract"),
        without_railcar(ANN),
        coupled(ANN, "box_car", "steel"),
        spent(ANN, 0, 39),
        moved(ANN, "port_1", "albany", "burlington", 39),
    )
    steel.when(ANN, DeliverGood(ann("box_car"), foreign_steel=True)).then_refused("GTJ 3.6")
    assert steel.when(ANN, DeliverGood(ann("box_car"))).events


def test_crossing_thirty_six_changes_nothing_until_the_turn_is_over():
    """GTJ 3.7"""
    at_36 = given(OPENING, spent(ANN, 0, 35), moved(ANN, "watertown", "watertown", "burlington", 35))
    assert at_36.when(ANN, DeliverGood(ann("hopper_car"))).events
    built = at_36.when(ANN, BuildTerminal(ann("port_1"), "boston"))
    built.then_includes(DaysSpent(ANN, 1, 36, 37, "build_terminal"))
    assert asked(built.after) == (ANN,)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (dealt(3), "all choose their first railcars at the same time"),
        (opening(3), "last on the time track, on day 0, with the marker under that of Bob and Cyd"),
        ((opening(3), moved(ANN, "port_1", "albany", "burlington", 0, 2)), "the turn is not finished yet"),
        (
            (opening(2), moved(ANN, "port_1", "albany", "burlington", 0, 2), ended(ANN, 2)),
            "last on the time track, on day 0",
        ),
    ],
)
def test_why_somebody_is_to_move(position, why):
    """GTJ 2.12, 3.1, 3.3"""
    sentence = TITLE.face.why_asked(TITLE.rules.view(given(position).state, BOB))
    assert say(sentence, TITLE.face.words.english, {ANN: "Ann", BOB: "Bob", CYD: "Cyd"}.__getitem__) == why
