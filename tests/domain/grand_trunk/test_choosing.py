"""GTJ 2.11 and 2.12: the sealed choice of the first railcar."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import ChooseFirstRailcar, EndTurn, MoveTrain, PerformMaintenance
from domain.grand_trunk.events import (
    CardsDrawn,
    DeckShuffled,
    FirstRailcarChosen,
    FirstRailcarReplaced,
    FirstRailcarsOpened,
)
from tests.domain.grand_trunk.positions import ANN, BOB, CYD, OPENING, ann, bob, cyd, dealt, given


def test_a_seat_chooses_a_plain_railcar_and_a_good_of_its_city():
    """GTJ 2.11"""
    given(dealt()).when(ANN, ChooseFirstRailcar(ann("flat_car"), "wood")).then(
        FirstRailcarChosen(ANN, ann("flat_car"), "wood")
    )


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("port_1", "iron"),  # no railcar
        ("burlington", "iron"),  # a railcar, but not a plain one
        ("hopper_car", "coal"),  # Burlington does not supply it
        ("hopper_car", "wood"),  # supplied, but a hopper car cannot carry it
        ("hopper_car", "steel"),
        ("hopper_car", "gold"),
        ("no_such_card", "iron"),
    ],
)
def test_other_choices_are_refused(name, good):
    """GTJ 2.11"""
    given(dealt()).when(ANN, ChooseFirstRailcar(ann(name), good)).then_refused("GTJ 2.11")


def test_another_seats_railcar_is_refused():
    """GTJ 2.11"""
    given(dealt()).when(ANN, ChooseFirstRailcar(bob("hopper_car"), "iron")).then_refused("GTJ 2.11")
    given(dealt()).when(ANN, ChooseFirstRailcar()).then_refused("GTJ 2.11")


def test_seats_choose_in_any_order_and_are_all_asked():
    """GTJ 2.12"""
    table = given(dealt(3))
    assert TITLE.rules.asked(table.state) == (ANN, BOB, CYD)
    one = table.when(CYD, ChooseFirstRailcar(cyd("hopper_car"), "coal")).after
    assert TITLE.rules.asked(one.state) == (ANN, BOB)


def test_a_choice_is_replaced_and_only_its_owner_learns_of_it():
    """GTJ 2.12"""
    chosen = given(dealt(), FirstRailcarChosen(ANN, ann("hopper_car"), "iron"))
    replaced = chosen.when(ANN, ChooseFirstRailcar(ann("flat_car"), "wood"))
    after = replaced.then(FirstRailcarReplaced(ANN, ann("flat_car"), "wood"))
    assert FirstRailcarReplaced.HIDDEN
    assert TITLE.rules.view(after.state, BOB) == TITLE.rules.view(chosen.state, BOB)
    chosen.when(ANN, ChooseFirstRailcar(ann("hopper_car"), "coal")).then_refused("GTJ 2.11")


def test_the_last_choice_opens_all():
    """GTJ 2.12, 2.13"""
    last = given(dealt(2, order=(BOB, ANN)), FirstRailcarChosen(ANN, ann("hopper_car"), "iron"))
    bobs = [bob(name) for name in ("port_1", "port_2", "flat_car", "box_car", "grand_trunk_jct")]
    anns = [ann(name) for name in ("richmond", "watertown", "flat_car", "port_2", "white_river_jct")]
    after = last.when(BOB, ChooseFirstRailcar(bob("hopper_car"), "coal"), chance=[*bobs, *anns]).then(
        FirstRailcarChosen(BOB, bob("hopper_car"), "coal"),
        FirstRailcarsOpened(((ANN, ann("hopper_car"), "iron"), (BOB, bob("hopper_car"), "coal"))),
        DeckShuffled(BOB, 8, "start"),
        CardsDrawn(BOB, 5, tuple(bobs)),
        DeckShuffled(ANN, 8, "start"),
        CardsDrawn(ANN, 5, tuple(anns)),
    )
    seat = TITLE.rules.view(after.state, ANN).own
    assert [(railcar.card, railcar.good, railcar.cubes) for railcar in seat.railcars] == [
        (ann("hopper_car"), "iron", 1)
    ]
    assert TITLE.rules.asked(after.state) == (BOB,)


@pytest.mark.parametrize("command", [MoveTrain(ann("watertown"), "watertown"), EndTurn(), PerformMaintenance()])
def test_nobody_plays_before_all_have_chosen(command):
    """GTJ 2.12"""
    given(dealt()).when(ANN, command).then_refused("GTJ 2.12")
    given(dealt(), FirstRailcarChosen(ANN, ann("hopper_car"), "iron")).when(ANN, command).then_refused("GTJ 2.12")


def test_choosing_ends_with_the_last_choice():
    """GTJ 2.12"""
    given(OPENING).when(ANN, ChooseFirstRailcar(ann("flat_car"), "wood")).then_refused("GTJ 2.12")
