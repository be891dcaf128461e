"""GTJ 14: Option 2, maintenance."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    MoveTrain,
    PerformMaintenance,
    PlayInfluenceDemand,
    UseRoundhouse,
)
from domain.grand_trunk.events import (
    CardsDiscarded,
    CardsDrawn,
    DaysSpent,
    DeckShuffled,
    MaintenancePerformed,
    TurnEnded,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    ended,
    given,
    owns,
    spent,
)

DECK = tuple(ann(name) for name in ("flat_car", "box_car", "port_2"))


def hand(situation):
    return set(TITLE.rules.view(situation.state, ANN).own.hand)


def test_maintenance_costs_a_day_discards_and_draws():
    """GTJ 14.1"""
    outcome = given(OPENING).when(
        ANN, PerformMaintenance((ann("richmond"), ann("port_1"))), chance=[ann("flat_car"), ann("port_2")]
    )
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 0, 1, "maintenance"),
        CardsDiscarded(ANN, (ann("richmond"), ann("port_1")), "maintenance"),
        CardsDrawn(ANN, 2, (ann("flat_car"), ann("port_2"))),
        TurnEnded(ANN, 1, False),
    )
    assert outcome.only(MaintenancePerformed) == [MaintenancePerformed(ANN)]
    assert {ann("flat_car"), ann("port_2")} < hand(after)
    assert TITLE.rules.asked(after.state) == (BOB,)


def test_discarding_none_is_legal():
    """GTJ 14.1"""
    outcome = given(OPENING).when(ANN, PerformMaintenance())
    assert len(hand(outcome.after)) == 5
    assert outcome.only(DaysSpent) == [DaysSpent(ANN, 1, 0, 1, "maintenance")]


def test_the_whole_hand_may_go():
    """GTJ 14.1"""
    cards = tuple(sorted(hand(given(OPENING))))
    outcome = given(OPENING).when(ANN, PerformMaintenance(cards), chance=[*DECK, cards[0], cards[3]])
    assert outcome.only(DeckShuffled) == [DeckShuffled(ANN, 5, "discard_pile")]
    assert hand(outcome.after) == {*DECK, cards[0], cards[3]}


@pytest.mark.parametrize("card", [ann("flat_car"), ann("burlington"), ann("boston"), bob("port_1"), "no_such_card"])
def test_only_cards_in_hand_are_discarded(card):
    """GTJ 14.1"""
    given(OPENING).when(ANN, PerformMaintenance((ann("port_1"), card))).then_refused("GTJ 14.1")


def test_a_card_is_discarded_once():
    """GTJ 14.1"""
    given(OPENING).when(ANN, PerformMaintenance((ann("port_1"), ann("port_1")))).then_refused("GTJ 14.1")


def test_no_action_in_a_turn_of_maintenance():
    """GTJ 14.2: it is one command, and after a command of Option 1 it is refused."""
    start = given(OPENING, owns(ANN, "roundhouse"))
    acted = start.when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).after
    acted.when(ANN, PerformMaintenance()).then_refused("GTJ 3.5")
    over = start.when(ANN, PerformMaintenance()).after
    for command in (UseRoundhouse(ann("port_1")), MoveTrain(ann("port_1"), "albany")):
        over.when(ANN, command).then_refused("GTJ 3.1")


def test_a_railcar_keeps_its_cube_through_maintenance():
    """GTJ 4.5, 14.1"""
    after = given(OPENING, spent(ANN, 0, 2), ended(ANN, 2)).when(BOB, PerformMaintenance()).after
    assert TITLE.rules.view(after.state, None).seats[1].railcars[0].cubes == 1
