"""TTR 4: drawing train cards, the market and its sweeps, and the end of the deck."""

from typing import Any

from domain.chance import NOBODY, Bag
from domain.refusal import Refused
from domain.ticket_to_ride.cards import (
    FEWEST_OTHERS,
    LOCOMOTIVE,
    MARKET_SLOTS,
    MOST_SWEEPS,
    SWEEP_AT,
    size,
)  # fmt: skip
from domain.ticket_to_ride.commands import DrawBlindCard, DrawFaceUpCard
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardDrawn,
    FaceUpCardTurned,
    MarketLeftStanding,
    MarketSwept,
    TrainDeckShuffled,
)  # fmt: skip
from domain.ticket_to_ride.rules.course import Course
from domain.ticket_to_ride.rules.turn import must_be_on_turn, tickets_come_first
from domain.ticket_to_ride.state import State


# ==== the two draws ===============================================================================
def draw_face_up_card(course: Course, seat: int, command: DrawFaceUpCard) -> None:
    """TTR 4.1 A draw takes one card of the market; TTR 4.2 its place is filled at once."""
    state, card = course.state, command.card
    may_draw(state, seat)
    if card == LOCOMOTIVE and state.step == "one_card":
        raise Refused("TTR 4.3", "A locomotive of the market can only be your first card.")
    if card not in state.market:
        raise Refused("TTR 4.1", "There is no {card} in the market.", card=card)
    slot = state.market.index(card) + 1  # TTR 4.13: the lowest slot
    course.happens(FaceUpCardDrawn(seat, slot, card))
    turn_up(course, slot)


def draw_blind_card(course: Course, seat: int, command: DrawBlindCard) -> None:
    """TTR 4.1 A draw takes, unseen, one card of the deck. TTR 4.4 A locomotive is then like any other card."""
    may_draw(course.state, seat)
    course.happens(BlindCardDrawn(seat, from_the_deck(course)))
    deck_runs_out(course)


def may_draw(state: State, seat: int) -> None:
    """TTR 4.11 While deck and discard pile are both empty, no train card may be drawn, not even from the market."""
    must_be_on_turn(state, seat)
    tickets_come_first(state)
    if state.nothing_to_draw:
        raise Refused("TTR 4.11", "No train card can be drawn: deck and discard pile are empty.")


def kinds_to_draw(state: State) -> list[str]:
    """The kinds that may be drawn from the market, in the order of the slots (TTR 4.3, 4.13)."""
    kinds = dict.fromkeys(card for card in state.market if card is not None)
    return [card for card in kinds if card != LOCOMOTIVE or state.step != "one_card"]


def action_became_impossible(state: State) -> bool:
    """TTR 4.12 If nothing can be drawn after the first draw, the action ends with one card."""
    return state.step == "one_card" and state.nothing_to_draw


# ==== the deck ====================================================================================
def from_the_deck(course: Course) -> Any:
    """TTR 10.12 Each card of the deck is equally likely, and drawn only now."""
    return course.chance.draw("TTR 4.1 train deck", Bag(course.state.deck), seat=NOBODY)[0]


def deck_runs_out(course: Course) -> None:
    """TTR 4.10 The moment the deck is empty the discard pile becomes the deck; it is the set then (TTR 10.12)."""
    if course.state.nothing_to_draw and (cards := size(course.state.discard)):
        course.happens(TrainDeckShuffled(cards))


# ==== the market ==================================================================================
def turn_up(course: Course, slot: int) -> None:
    """TTR 4.2 A card of the deck fills the slot."""
    course.happens(FaceUpCardTurned(slot, from_the_deck(course)))
    deck_runs_out(course)


def market_is_tested(course: Course) -> None:
    """TTR 4.7 Three or more locomotives in the market are swept away with the rest, and five new cards turned up.

    TTR 4.8 It is tested when all five slots are filled, and again after every sweep. TTR 4.9 But no sweep is made
    when hardly anything but locomotives is left, nor after ten by one command. (So a sweep never finds the deck empty:
    at least one other card lies in it.)
    """
    sweep = 0
    while course.state.market.count(LOCOMOTIVE) >= SWEEP_AT:
        if others_in_play(course.state) < FEWEST_OTHERS:
            course.happens(MarketLeftStanding("too_few_others"))
            return
        if sweep == MOST_SWEEPS:
            course.happens(MarketLeftStanding("ten_sweeps"))
            return
        sweep += 1
        course.happens(MarketSwept(tuple(card for card in course.state.market if card), sweep))
        for slot in range(1, MARKET_SLOTS + 1):
            turn_up(course, slot)


def others_in_play(state: State) -> int:
    """TTR 4.9 The cards of market, deck and discard pile that are not locomotives."""
    market = sum(card != LOCOMOTIVE for card in state.market)
    deck = size(state.deck) - state.deck[LOCOMOTIVE]
    return market + deck + size(state.discard) - state.discard[LOCOMOTIVE]
