"""GTJ 7: special delivery contracts."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.board import BOARD
from domain.grand_trunk.commands import BuildTerminal, FulfilContract, MoveTrain
from domain.grand_trunk.events import (
    ContractFulfilled,
    ContractTurnedUp,
    DaysSpent,
    FirstDeliveryTaken,
    GoodDelivered,
    SeatLeft,
    TerminalBuilt,
    TrainMoved,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    CYD,
    OPENING,
    ann,
    bob,
    coupled,
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

HOPPER = ann("hopper_car")
CONTRACTS = ("contract_4d_watertown_wood", "contract_3d_quebec_iron")
"""Slot 1 (days 2 to 5, 3 VP): wood to Watertown. Slot 2 (days 6 to 8, 4 VP): iron to Québec."""
HAND = {ANN: ("flat_car", "box_car", "port_1", "watertown", "richmond")}


def wood_at_watertown(day, *before, contracts=CONTRACTS):
    """Ann arrives on ``day`` with wood on her flat car."""
    return given(
        opening(hands=HAND, contracts=contracts),
        without_railcar(ANN),
        coupled(ANN, "flat_car", "wood"),
        before,
        spent(ANN, 0, day - 1),
        moved(ANN, "watertown", "watertown", "burlington", day - 1),
    )


FULFIL = FulfilContract(ann("flat_car"), 1)


def seat(situation, number=ANN):
    return TITLE.rules.view(situation.state, None).seats[number - 1]


def test_a_slot_has_a_window_and_a_value_and_its_token_a_city_and_a_good():
    """GTJ 7.1"""
    slots = TITLE.rules.view(given(opening(contracts=CONTRACTS)).state, None).contracts
    first = slots[0]
    assert (first.first_day, first.last_day, first.vp, first.length) == (2, 5, 3, 4)
    assert (first.token, first.city, first.good) == (CONTRACTS[0], "watertown", "wood")
    assert [(slot.slot, slot.dark_space) for slot in slots] == [
        (slot.slot, slot.revealed_at) for slot in BOARD.contract_slots
    ]


def test_reaching_a_dark_space_turns_up_its_slot():
    """GTJ 7.2"""
    three = given(OPENING, spent(ANN, 0, 3))
    three.when(ANN, MoveTrain(ann("watertown"), "watertown"), chance=["contract_3d_utica_coal"]).then(
        DaysSpent(ANN, 1, 3, 4, "move"),
        ContractTurnedUp(3, "contract_3d_utica_coal", 4),
        TrainMoved(ANN, ann("watertown"), ann("burlington"), "burlington", "watertown", 1, False, False, None, 1),
    )
    assert (
        not given(OPENING, spent(ANN, 0, 2)).when(ANN, MoveTrain(ann("watertown"), "watertown")).only(ContractTurnedUp)
    )


def test_passing_it_does_too_and_several_come_in_order():
    """GTJ 7.2"""
    chance = ["contract_3d_utica_coal", "contract_3d_boston_wood"]
    far = given(opening(hands={ANN: ("grand_trunk_jct", "port_1")}), spent(ANN, 0, 3))
    outcome = far.when(ANN, MoveTrain(ann("grand_trunk_jct"), "hamilton"), chance=chance)
    assert outcome.only(DaysSpent) == [DaysSpent(ANN, 5, 3, 8, "move")]
    assert outcome.only(ContractTurnedUp) == [
        ContractTurnedUp(3, "contract_3d_utica_coal", 4),
        ContractTurnedUp(4, "contract_3d_boston_wood", 8),
    ]


def test_an_action_turns_contracts_up_as_well():
    """GTJ 7.2"""
    acting = given(OPENING, spent(ANN, 0, 2), moved(ANN, "watertown", "watertown", "burlington", 2))
    built = acting.when(ANN, BuildTerminal(ann("port_1"), "boston"), chance=["contract_3d_utica_coal"])
    built.then_includes(DaysSpent(ANN, 1, 3, 4, "build_terminal"), ContractTurnedUp(3, "contract_3d_utica_coal", 4))


def test_each_dark_space_acts_once():
    """GTJ 7.2"""
    bob_was_there = given(
        OPENING,
        spent(ANN, 0, 3),
        ended(ANN, 3),
        spent(BOB, 0, 7),
        ContractTurnedUp(3, "contract_3d_utica_coal", 4),
        ended(BOB, 7),
    )
    bob_was_there.when(ANN, MoveTrain(ann("watertown"), "watertown")).then_without(ContractTurnedUp)


def test_a_dark_space_has_acted_though_the_seat_that_reached_it_has_left():
    """GTJ 7.2, 19.7: Cyd, who was furthest on, turned up slot 3; slot 4 lies ahead of her marker."""
    gone = given(
        opening(3), spent(CYD, 0, 5), ContractTurnedUp(3, "contract_3d_utica_coal", 4), SeatLeft(CYD, "resigned")
    )
    passing = gone.then(spent(ANN, 0, 3)).when(ANN, MoveTrain(ann("watertown"), "watertown"))
    passing.then_without(ContractTurnedUp)
    assert passing.after.state.seats[ANN].day == 4
    further = gone.then(spent(ANN, 0, 7)).when(
        ANN, MoveTrain(ann("watertown"), "watertown"), chance=["contract_3d_boston_wood"]
    )
    assert further.only(ContractTurnedUp) == [ContractTurnedUp(4, "contract_3d_boston_wood", 8)]


def test_a_token_is_drawn_once():
    """GTJ 7.2, 2.5: the tokens of the length that were not drawn yet."""
    drawn = given(OPENING, spent(ANN, 0, 7), ContractTurnedUp(3, "contract_3d_utica_coal", 4))
    for token in ("contract_3d_utica_coal", "contract_3d_quebec_iron", "contract_2d_boston_coal"):
        with pytest.raises(ValueError, match="not in list"):
            drawn.when(ANN, MoveTrain(ann("watertown"), "watertown"), chance=[token])
    drawn.when(ANN, MoveTrain(ann("watertown"), "watertown"), chance=["contract_3d_boston_wood"]).then_includes(
        ContractTurnedUp(4, "contract_3d_boston_wood", 8)
    )


def test_a_token_is_drawn_once_though_two_slots_of_its_length_are_turned_up_at_once():
    """GTJ 7.2, 2.5: from 3 over the dark spaces 4 and 8, both for contracts of 3 days."""
    far = given(opening(hands={ANN: ("grand_trunk_jct", "port_1")}), spent(ANN, 0, 3))
    move = MoveTrain(ann("grand_trunk_jct"), "hamilton")
    first = "contract_3d_utica_coal"
    for second in (first, "contract_3d_quebec_iron", "contract_2d_boston_coal"):
        with pytest.raises(ValueError, match="not in list"):
            far.when(ANN, move, chance=[first, second])
    others = [token.id for token in BOARD.contract_tokens if token.days == 3 and token.id != "contract_3d_quebec_iron"]
    for second in others:
        if second != first:
            far.when(ANN, move, chance=[first, second]).then_includes(
                ContractTurnedUp(3, first, 4), ContractTurnedUp(4, second, 8)
            )


def test_a_token_turned_up_may_be_met_in_the_same_turn():
    """GTJ 7.2: from 31 over dark space 32 to 35, where Early Delivery opens the last window."""
    late = given(OPENING, owns(ANN, "early_delivery"), TerminalBuilt(ANN, "niagara", 2, "discard"), spent(ANN, 0, 31))
    there = late.when(ANN, MoveTrain(ann("grand_trunk_jct"), "niagara"), chance=["contract_1d_niagara_iron"]).after
    there.when(ANN, FulfilContract(HOPPER, 10)).then_includes(
        ContractFulfilled(ANN, 10, "contract_1d_niagara_iron", HOPPER, 7)
    )


def test_meeting_a_contract():
    """GTJ 7.3, 7.5"""
    before = wood_at_watertown(3)
    after = before.when(ANN, FULFIL).then(ContractFulfilled(ANN, 1, CONTRACTS[0], ann("flat_car"), 3))
    assert seat(after).vp == seat(before).vp + 3
    assert seat(after).contracts == (1,)


def test_slots_that_cannot_be_met():
    """GTJ 7.3"""
    there = wood_at_watertown(3)
    for slot in (3, 10, 0, 11, -1):  # face down, or no slot at all
        there.when(ANN, FulfilContract(ann("flat_car"), slot)).then_refused("GTJ 7.3")
    met = wood_at_watertown(3, ContractFulfilled(BOB, 1, CONTRACTS[0], bob("hopper_car"), 3))
    met.when(ANN, FULFIL).then_refused("GTJ 7.3")


def test_another_city_or_another_good():
    """GTJ 7.3"""
    wood_at_watertown(3, contracts=("contract_4d_richmond_coal", CONTRACTS[1])).when(ANN, FULFIL).then_refused(
        "GTJ 7.3"
    )
    iron = given(opening(contracts=CONTRACTS), spent(ANN, 0, 2), moved(ANN, "watertown", "watertown", "burlington", 2))
    iron.when(ANN, FulfilContract(HOPPER, 1)).then_refused("GTJ 7.3")


@pytest.mark.parametrize(("day", "fits"), [(1, False), (2, True), (5, True), (6, False)])
def test_the_day_lies_in_the_window(day, fits):
    """GTJ 7.4"""
    outcome = wood_at_watertown(day).when(ANN, FULFIL)
    if fits:
        assert outcome.only(ContractFulfilled)
    else:
        outcome.then_refused("GTJ 7.4")


def test_an_action_may_be_paid_for_to_reach_the_window():
    """GTJ 7.4"""
    too_early = wood_at_watertown(1)
    later = too_early.when(ANN, BuildTerminal(ann("port_1"), "boston")).after
    assert later.when(ANN, FULFIL).only(ContractFulfilled)


@pytest.mark.parametrize(
    ("improvement", "day", "fits"),
    [
        ("early_delivery", 1, True),
        ("late_delivery", 6, True),
        ("late_delivery", 1, False),
        ("early_delivery", 6, False),
        ("late_delivery", 7, False),
    ],
)
def test_the_window_is_widened(improvement, day, fits):
    """GTJ 7.4, 13.5, 13.6"""
    outcome = wood_at_watertown(day, owns(ANN, improvement)).when(ANN, FULFIL)
    assert bool(outcome.events) is fits
    if not fits:
        outcome.then_refused("GTJ 7.4")


def test_the_token_is_kept_in_every_game():
    """GTJ 7.5"""
    after = wood_at_watertown(3).when(ANN, FULFIL).after
    slot = TITLE.rules.view(after.state, BOB).contracts[0]
    assert slot.met_by == ANN


def test_the_cube_is_no_delivered_good():
    """GTJ 7.6"""
    outcome = wood_at_watertown(3).when(ANN, FULFIL)
    after = outcome.then_without(GoodDelivered)
    assert (seat(after).delivered["wood"], seat(after).wood) == (0, 0)
    assert [(each.good, each.cubes) for each in seat(after).railcars] == [(None, 0)]


def test_four_steel_hold_no_contract_up():
    """GTJ 7.6"""
    iron = ("contract_4d_burlington_iron", CONTRACTS[1])
    at_home = given(
        opening(contracts=iron),
        steel_in(ANN, "burlington", 4),
        without_railcar(ANN)[1:],
        coupled(ANN, "hopper_car", "iron", source="discard_pile"),
        moved(ANN, "grand_trunk_jct", "albany", "burlington", 0),
        ended(ANN, 1),
        spent(BOB, 0, 9),
        ended(BOB, 9),
        in_hand_from_afar(ANN, "boston"),
        [moved(ANN, "richmond", "burlington", "albany", 1, 1, "grand_trunk_jct")],
    )
    assert at_home.when(ANN, FulfilContract(HOPPER, 1)).only(ContractFulfilled)


def test_no_steel_is_made_by_a_contract():
    """GTJ 7.6"""
    quebec = given(
        opening(hands=HAND, contracts=CONTRACTS),
        without_railcar(ANN),
        coupled(ANN, "flat_car", "iron"),
        in_hand_from_afar(ANN, "quebec"),
        spent(ANN, 0, 5),
        moved(ANN, "quebec", "quebec", "burlington", 5, 2),
    )
    after = quebec.when(ANN, FulfilContract(ann("flat_car"), 2)).then_includes(
        FirstDeliveryTaken(ANN, "quebec", "first_delivery_7", 2)
    )
    assert TITLE.rules.view(after.state, None).place["quebec"].steel == 0


def test_a_contract_nobody_met_stays():
    """GTJ 7.7: Bob is far beyond the window, Ann is still in it."""
    behind = wood_at_watertown(3, spent(BOB, 0, 30))
    assert behind.when(ANN, FULFIL).only(ContractFulfilled)
    beyond = given(opening(contracts=CONTRACTS), spent(ANN, 0, 20), ended(ANN, 20), spent(BOB, 0, 21), ended(BOB, 21))
    assert TITLE.rules.view(beyond.state, None).contracts[0].token == CONTRACTS[0]
