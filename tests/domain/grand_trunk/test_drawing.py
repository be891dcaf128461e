"""GTJ 10: step 6, drawing."""

import pytest
from msgspec.structs import replace

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    EndTurn,
    UseSemaphoreSignaling,
)
from domain.grand_trunk.events import (
    CardsDiscarded,
    CardsDrawn,
    DeckShuffled,
    RailcarUncoupled,
    TurnEnded,
)
from domain.grand_trunk.state import Railcar
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    drawn,
    emptied,
    given,
    moved,
    opening,
    owns,
)

MOVED = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0))
"""Four cards in Ann's hand; flat car, box car and port 2 in her deck."""
DECK = tuple(ann(name) for name in ("flat_car", "box_car", "port_2"))


def hand(situation):
    return set(TITLE.rules.view(situation.state, ANN).own.hand)


@pytest.mark.parametrize("card", DECK)
def test_the_hand_is_refilled_from_the_deck(card):
    """GTJ 10.1"""
    after = MOVED.when(ANN, EndTurn(), chance=[card]).then(CardsDrawn(ANN, 1, (card,)), TurnEnded(ANN, 1, False))
    assert len(hand(after)) == 5
    assert TITLE.rules.asked(after.state) == (BOB,)


def test_cards_that_are_elsewhere_cannot_be_drawn():
    """GTJ 10.1"""
    for card in (ann("burlington"), ann("boston"), ann("port_1"), bob("port_1")):
        with pytest.raises(ValueError, match="not in list"):
            MOVED.when(ANN, EndTurn(), chance=[card])


def test_a_full_hand_draws_nothing():
    """GTJ 10.1"""
    full = MOVED.then(drawn(ANN, "port_2"))
    outcome = full.when(ANN, EndTurn())
    after = outcome.then(TurnEnded(ANN, 1, False))
    assert len(hand(after)) == 5


def test_more_cards_than_a_full_hand_stay_and_none_is_drawn():
    """GTJ 10.1"""
    outcome = MOVED.then(drawn(ANN, "port_2", "flat_car")).when(ANN, EndTurn())
    after = outcome.then(TurnEnded(ANN, 1, False))
    assert len(hand(after)) == 6


def test_warehouse_raises_the_limit():
    """GTJ 10.1, 13.9"""
    outcome = MOVED.then(owns(ANN, "warehouse")).when(ANN, EndTurn(), chance=DECK[:2])
    assert len(hand(outcome.after)) == 6


def test_an_empty_deck_is_filled_with_the_discard_pile():
    """GTJ 10.2"""
    poor = given(
        opening(hands={ANN: ("watertown", "port_1")}),
        drawn(ANN, "grand_trunk_jct", "richmond", "port_2", "flat_car"),
        [CardsDiscarded(ANN, (ann("richmond"), ann("port_2"), ann("flat_car")), "maintenance")],
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    # hand: port 1, junction; deck: box car, White River Jct; pile: Richmond, port 2, flat car, Burlington
    outcome = poor.when(ANN, EndTurn(), chance=[ann("white_river_jct"), ann("box_car"), ann("burlington")])
    events = outcome.only(CardsDrawn, DeckShuffled, TurnEnded)
    assert [type(event) for event in events] == [CardsDrawn, DeckShuffled, CardsDrawn, TurnEnded]
    assert set(events[0].cards) == {ann("white_river_jct"), ann("box_car")}
    assert events[1:3] == [DeckShuffled(ANN, 4, "discard_pile"), CardsDrawn(ANN, 1, (ann("burlington"),))]
    seat = TITLE.rules.view(outcome.after.state, ANN).own
    assert (seat.discard, set(seat.deck)) == ((), {ann("richmond"), ann("port_2"), ann("flat_car")})


def test_a_railcar_left_empty_is_in_the_pile_that_becomes_the_deck():
    """GTJ 10.2, 9.4, 19.4: it is discarded first, so it may be drawn again at once."""
    last = given(
        OPENING,
        drawn(ANN, "flat_car", "box_car", "port_2"),
        [CardsDiscarded(ANN, tuple(ann(name) for name in ("flat_car", "box_car", "port_2")), "maintenance")],
        moved(ANN, "watertown", "watertown", "burlington", 0),
        emptied(ANN),
    )
    # hand: four cards; deck: none; pile: those three, Burlington, and with the end of the turn the hopper car
    for card in ("hopper_car", "burlington", "flat_car"):
        after = last.when(ANN, EndTurn(), chance=[ann(card)]).then(
            RailcarUncoupled(ANN, ann("hopper_car"), "discard_pile"),
            DeckShuffled(ANN, 5, "discard_pile"),
            CardsDrawn(ANN, 1, (ann(card),)),
            TurnEnded(ANN, 1, False),
        )
        seat = TITLE.rules.view(after.state, ANN).own
        assert (ann(card) in seat.hand, seat.discard, seat.deck_size) == (True, (), 4)
        assert (ann("hopper_car") in seat.deck) == (card != "hopper_car")


def test_nothing_is_shuffled_before_a_card_is_needed():
    """GTJ 10.2"""
    exact = given(
        opening(),
        drawn(ANN, "flat_car", "box_car"),
        CardsDiscarded(ANN, (ann("flat_car"), ann("box_car")), "maintenance"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    after = exact.when(ANN, EndTurn(), chance=[ann("port_2")]).then_without(DeckShuffled)
    assert TITLE.rules.view(after.state, ANN).own.deck_size == 0


def test_too_few_cards():
    """GTJ 10.3: Warehouse asks for six cards, and a long train leaves five."""
    few = given(opening(), drawn(ANN, "flat_car", "box_car", "port_2"), owns(ANN, "warehouse", "parking_spur"))
    everything = tuple(ann(name) for name in ("flat_car", "box_car", "port_2", "richmond", "white_river_jct", "port_1"))
    few = few.then(
        CardsDiscarded(ANN, everything, "maintenance"), moved(ANN, "watertown", "watertown", "burlington", 0)
    )
    # hand: junction; pile: those six and Burlington: seven, of which five are drawn
    outcome = few.when(ANN, EndTurn(), chance=everything[:5])
    assert len(hand(outcome.after)) == 6

    train = tuple(Railcar(ann(name), "wood", 1) for name in ("hopper_car", "box_car", "flat_car", "burlington"))
    pile = frozenset(ann(name) for name in ("richmond", "white_river_jct", "port_1", "port_2"))
    poor = replace(few.state.seats[ANN], railcars=train, discard=pile)
    bare = type(few)(few.title, replace(few.state, seats={**few.state.seats, ANN: poor}))
    outcome = bare.when(ANN, EndTurn(), chance=sorted(pile))
    assert hand(outcome.after) == {ann("grand_trunk_jct"), *pile}
    assert outcome.only(TurnEnded)


def test_nothing_comes_after_the_refill():
    """GTJ 10.4: the turn is over in the same breath."""
    outcome = MOVED.then(owns(ANN, "semaphore_signaling")).when(ANN, EndTurn(), chance=DECK[:1])
    assert isinstance(outcome.events[-1], TurnEnded)
    outcome.after.when(ANN, UseSemaphoreSignaling(ann("port_1"))).then_refused("GTJ 3.1")


def test_known_cards_are_drawn_first():
    """GTJ 19.2, 12.6"""
    from domain.grand_trunk.events import TerminalBuilt

    on_top = MOVED.then(TerminalBuilt(ANN, "boston", 2, "deck_top"))
    outcome = on_top.when(ANN, EndTurn())
    assert [card for event in outcome.only(CardsDrawn) for card in event.cards] == [ann("boston")]
