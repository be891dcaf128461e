"""GTJ 16: objectives."""

import random

import pytest

from domain.chance import FreeChance
from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import AcquireObjective
from domain.grand_trunk.events import (
    ActionCardPlayed,
    ContractFulfilled,
    ContractTurnedUp,
    DaysSpent,
    ObjectiveAcquired,
    ObjectivesDisplayed,
)
from domain.grand_trunk.setup import Choice, Options
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OBJECTIVES,
    OPENING,
    ann,
    bob,
    coupled,
    delivered,
    fast,
    force,
    given,
    opening,
    owns,
    without_railcar,
)

PORT, RICHMOND = ann("port_1"), ann("richmond")
START = given(opening(objectives=OBJECTIVES))


def met(slots):
    """Contracts Ann has met."""
    tokens = (
        "contract_4d_richmond_coal",
        "contract_3d_quebec_iron",
        "contract_3d_utica_coal",
        "contract_3d_boston_wood",
    )
    return [ContractTurnedUp(slot, tokens[slot - 1], 0) for slot in range(3, slots + 1)] + [
        ContractFulfilled(ANN, slot, tokens[slot - 1], ann("flat_car"), 0) for slot in range(1, slots + 1)
    ]


def test_three_of_ten_are_displayed():
    """GTJ 16.1"""
    seen = set()
    for seed in range(40):
        setup = TITLE.rules.setup(Options(objectives=True), {1: Choice(), 2: Choice()}, FreeChance(random.Random(seed)))
        (shown,) = [event for event in setup.events if isinstance(event, ObjectivesDisplayed)]
        assert len(set(shown.objectives)) == 3
        seen |= set(shown.objectives)
    assert seen == set(OBJECTIVES)
    plain = TITLE.rules.setup(Options(), {1: Choice(), 2: Choice()}, FreeChance(random.Random(1)))
    assert not [event for event in plain.events if isinstance(event, ObjectivesDisplayed)]


@pytest.mark.parametrize("card", [PORT, RICHMOND])
def test_any_development_card_takes_one_for_a_day(card):
    """GTJ 16.2"""
    able = START.then(delivered(ANN, "coal", "coal", "coal"))
    after = able.when(ANN, AcquireObjective(card, "coal_depot")).then(
        DaysSpent(ANN, 1, 0, 1, "acquire_objective"),
        ObjectiveAcquired(ANN, "coal_depot", 3),
        ActionCardPlayed(ANN, card, "development"),
    )
    assert "coal_depot" not in TITLE.rules.view(after.state, None).objectives
    assert TITLE.rules.view(after.state, None).seats[0].objectives == ("coal_depot",)


def test_the_factory_does_not_help():
    """GTJ 16.2, 13.7"""
    able = START.then(delivered(ANN, "coal", "coal", "coal"), owns(ANN, "rail_equipment_factory"))
    assert able.when(ANN, AcquireObjective(RICHMOND, "coal_depot")).only(DaysSpent)


def test_none_in_a_game_without_objectives():
    """GTJ 16.2"""
    given(OPENING, delivered(ANN, "coal", "coal", "coal")).when(ANN, AcquireObjective(PORT, "coal_depot")).then_refused(
        "GTJ 16.2"
    )


@pytest.mark.parametrize("objective", ["coal_depot", "no_such_objective", ""])
def test_only_what_is_on_display(objective):
    """GTJ 16.2"""
    other = given(
        opening(objectives=("wood_depot", "freight_station", "steel_warehouse")), delivered(ANN, *["coal"] * 9)
    )
    other.when(ANN, AcquireObjective(PORT, objective)).then_refused("GTJ 16.2")
    taken = START.then(delivered(ANN, *["coal"] * 9), ObjectiveAcquired(BOB, "coal_depot", 3))
    taken.when(ANN, AcquireObjective(PORT, "coal_depot")).then_refused("GTJ 16.2")


@pytest.mark.parametrize(
    "card", [ann("watertown"), ann("grand_trunk_jct"), ann("port_2"), bob("port_1"), "no_such_card"]
)
def test_only_with_a_development_card(card):
    """GTJ 16.2, 11.2"""
    able = START.then(delivered(ANN, "coal", "coal", "coal"))
    refusal = able.when(ANN, AcquireObjective(card, "coal_depot")).refusal
    assert refusal is not None
    assert refusal.rule in ("GTJ 11.2", "GTJ 16.2")


def test_the_score_is_fixed():
    """GTJ 16.3"""
    after = START.then(delivered(ANN, *["coal"] * 4)).when(ANN, AcquireObjective(PORT, "coal_depot")).after
    points = TITLE.rules.view(after.state, None).seats[0].points["objectives"]
    more = TITLE.rules.view(after.then(delivered(ANN, "coal", "coal")).state, None).seats[0].points["objectives"]
    assert points == more == 4


TRAIN = [without_railcar(ANN), force(ANN, 4), coupled(ANN, "flat_car", "wood", 2), coupled(ANN, "box_car", "wood", 2)]
CASES = [
    ("16.5", "carrier_of_the_year", [met(4)], 5, [met(3)]),
    ("16.6", "coal_depot", [delivered(ANN, *["coal"] * 5)], 5, [delivered(ANN, "coal", "coal", "iron")]),
    (
        "16.7",
        "common_carrier",
        [delivered(ANN, *["coal", "iron", "wood"] * 3), force(ANN, 3)],
        5,
        [delivered(ANN, *["coal", "iron", "wood"] * 3), force(ANN, 2)],
    ),
    (
        "16.7",
        "common_carrier",
        [delivered(ANN, *["coal", "iron", "wood"] * 3), force(ANN, 4)],
        5,
        [delivered(ANN, *["coal", "iron", "wood"] * 2, "coal", "iron", "iron"), force(ANN, 4)],
    ),
    (
        "16.8",
        "freight_station",
        [delivered(ANN, *["coal"] * 4, "steel", "wood", "wood", "iron")],
        4,
        [delivered(ANN, *["coal"] * 5)],
    ),
    (
        "16.8",  # steel makes the third full three
        "freight_station",
        [delivered(ANN, *["coal"] * 4, "steel", *["wood"] * 3, "iron")],
        6,
        [delivered(ANN, *["coal"] * 4, "steel")],
    ),
    (
        "16.8",  # steel makes the sixth, without which there is no objective
        "freight_station",
        [delivered(ANN, *["coal"] * 4, "steel", "steel")],
        4,
        [delivered(ANN, *["coal"] * 5)],
    ),
    ("16.9", "heavy_cargo_train", TRAIN, 3, TRAIN[:3]),
    ("16.10", "iron_ore_depot", [delivered(ANN, *["iron"] * 3)], 3, [delivered(ANN, *["iron"] * 2, "coal")]),
    (
        "16.11",
        "national_railway_certificate",
        [delivered(ANN, *["coal"] * 10), met(2), force(ANN, 4), fast(ANN)],
        7,
        [delivered(ANN, *["coal"] * 9), met(2), force(ANN, 4), fast(ANN)],
    ),
    (
        "16.11",
        "national_railway_certificate",
        [delivered(ANN, *["coal"] * 12), met(4), force(ANN, 4), fast(ANN)],
        7,
        [delivered(ANN, *["coal"] * 12), met(1), force(ANN, 4), fast(ANN)],
    ),
    (
        "16.11",
        "national_railway_certificate",
        [delivered(ANN, *["coal"] * 10), met(3), force(ANN, 4), fast(ANN)],
        7,
        [delivered(ANN, *["coal"] * 10), met(2), force(ANN, 3), fast(ANN)],
    ),
    (
        "16.11",
        "national_railway_certificate",
        [delivered(ANN, *["coal"] * 11), met(2), force(ANN, 4), fast(ANN)],
        7,
        [delivered(ANN, *["coal"] * 10), met(2), force(ANN, 4)],
    ),
    (
        "16.12",
        "specialized_carrier",
        [delivered(ANN, *["steel"] * 6)],
        5,
        [delivered(ANN, *["steel"] * 5, *["coal"] * 5)],
    ),
    ("16.13", "steel_warehouse", [delivered(ANN, *["steel"] * 4)], 4, [delivered(ANN, "steel", "steel")]),
    ("16.14", "wood_depot", [delivered(ANN, *["wood"] * 8)], 8, [delivered(ANN, "wood", "wood", "coal")]),
]
"""Rule, objective, what meets it, its VP, what falls short by one thing."""


@pytest.mark.parametrize(("rule", "objective", "enough", "vp", "short"), CASES)
def test_conditions_and_scores(rule, objective, enough, vp, short):
    """GTJ 16.5, 16.6, 16.7, 16.8, 16.9, 16.10, 16.11, 16.12, 16.13, 16.14"""
    hand = {ANN: ("port_1", "flat_car", "box_car", "watertown", "richmond")}
    start = given(opening(hands=hand, objectives=OBJECTIVES))
    outcome = start.then(enough).when(ANN, AcquireObjective(PORT, objective))
    assert outcome.only(ObjectiveAcquired) == [ObjectiveAcquired(ANN, objective, vp)]
    start.then(short).when(ANN, AcquireObjective(PORT, objective)).then_refused(f"GTJ {rule}")


def test_goods_of_mines_count():
    """GTJ 16.4"""
    mined = START.then(owns(ANN, "coal_mine"), delivered(ANN, "coal"))
    assert mined.when(ANN, AcquireObjective(PORT, "coal_depot")).events


def test_cubes_of_contracts_are_no_goods():
    """GTJ 16.4: six cubes unloaded, two of them for contracts."""
    four = START.then(delivered(ANN, *["coal"] * 4), met(2))
    four.when(ANN, AcquireObjective(PORT, "freight_station")).then_refused("GTJ 16.8")


def test_somebody_elses_contracts_do_not_count():
    """GTJ 16.4"""
    others = [
        ContractFulfilled(BOB, event.slot, event.token, event.railcar, event.vp)
        if isinstance(event, ContractFulfilled)
        else event
        for event in met(4)
    ]
    START.then(others).when(ANN, AcquireObjective(PORT, "carrier_of_the_year")).then_refused("GTJ 16.5")
