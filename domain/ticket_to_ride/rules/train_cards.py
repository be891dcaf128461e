"""TTR 4: drawing train cards, the market and its sweeps, and the end of the deck."""

from collections.abc import Iterator
from typing import Any, cast

from domain.chance import NOBODY, Bag
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.ticket_to_ride.cards import (
    FEWEST_OTHERS,
    KINDS,
    LOCOMOTIVE,
    MARKET_SLOTS,
    MOST_SWEEPS,
    SWEEP_AT,
    Card,
    size,
)
from domain.ticket_to_ride.commands import DrawBlindCard, DrawFaceUpCard
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardDrawn,
    FaceUpCardTurned,
    MarketLeftStanding,
    MarketSwept,
    TrainDeckShuffled,
)
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.turn import must_be_on_turn, must_have_chosen
from domain.ticket_to_ride.state import State
from domain.words import Sentence


# ==== the two draws ===============================================================================
def draw_face_up_card(now: Now, command: DrawFaceUpCard) -> None:
    """TTR 4.1 A draw takes one card of the market; TTR 4.2 its place is filled at once."""
    must_be_able_to_draw(now)
    slot = must_lie_in_the_market(now, command.card)
    now.happens(FaceUpCardDrawn(now.seat, slot, command.card))
    turn_up(now, slot)


def draw_blind_card(now: Now, command: DrawBlindCard) -> None:
    """TTR 4.1 A draw takes, unseen, one card of the deck. TTR 4.4 A locomotive is then like any other card."""
    must_be_able_to_draw(now)
    now.happens(BlindCardDrawn(now.seat, from_the_deck(now)))
    deck_runs_out(now)


def must_be_able_to_draw(now: Now) -> None:
    """TTR 4.11 While deck and discard pile are both empty, no train card may be drawn, not even from the market."""
    must_be_on_turn(now)
    must_have_chosen(now)
    if now.state.nothing_to_draw:
        raise Refused("TTR 4.11", "You cannot take a train card, because the deck and the discard pile are empty.")


def must_lie_in_the_market(now: Now, card: Card) -> int:
    """TTR 4.13 A card is taken from the lowest slot of its kind. TTR 4.3 A locomotive there is no second card."""
    if card == LOCOMOTIVE and now.state.step == "one_card":
        raise Refused("TTR 4.3", "You can take a face-up locomotive only as your first card.")
    if card not in now.state.market:
        raise Refused("TTR 4.1", "There is no {card} in the market.", card=card)
    return now.state.market.index(card) + 1


def action_became_impossible(state: State) -> bool:
    """TTR 4.12 If nothing can be drawn after the first draw, the action ends with one card."""
    return state.step == "one_card" and state.nothing_to_draw


DRAW_FACE_UP = {
    kind: Action(
        DrawFaceUpCard(cast(Card, kind)), "draw_cards", Sentence("Take {card} from the market", {"card": kind})
    )
    for kind in KINDS
}
DRAW_BLIND = Action(DrawBlindCard(), "draw_cards", Sentence("Draw a card from the deck"))


def candidates(now: Now) -> Iterator[Action]:
    """Return the kinds of the market, in the order of the slots (TTR 4.13), then the deck."""
    if now.allows(must_be_able_to_draw):
        for kind in dict.fromkeys(now.state.market):
            if kind is not None and now.allows(must_lie_in_the_market, kind):
                yield DRAW_FACE_UP[kind]
        yield DRAW_BLIND


CHAPTER = Chapter({DrawFaceUpCard: draw_face_up_card, DrawBlindCard: draw_blind_card}, candidates, sure=True)


# ==== the deck ====================================================================================
def from_the_deck(now: Now) -> Any:
    """TTR 10.12 Draw a card of the deck, each equally likely, at this moment."""
    return now.chance.draw("TTR 4.1 train deck", Bag(now.state.deck), seat=NOBODY)[0]


def deck_runs_out(now: Now) -> None:
    """TTR 4.10 As soon as the deck is empty, the discard pile becomes the deck, the set to draw from (TTR 10.12)."""
    if now.state.nothing_to_draw and (cards := size(now.state.discard)):
        now.happens(TrainDeckShuffled(cards))


# ==== the market ==================================================================================
def turn_up(now: Now, slot: int) -> None:
    """TTR 4.2 Fill the slot with a card of the deck."""
    now.happens(FaceUpCardTurned(slot, from_the_deck(now)))
    deck_runs_out(now)


def market_is_tested(now: Now) -> None:
    """TTR 4.7 Three or more locomotives in the market are swept away with the rest, and five new cards turned up.

    TTR 4.8 It is tested when all five slots are filled, and again after every sweep. TTR 4.9 But there is no sweep if
    hardly anything but locomotives is left, nor after ten by one command. (So a sweep never finds the deck empty: it
    holds at least one other card.)
    """
    sweep = 0
    while now.state.market.count(LOCOMOTIVE) >= SWEEP_AT:
        if others_in_play(now.state) < FEWEST_OTHERS:
            now.happens(MarketLeftStanding("too_few_others"))
            return
        if sweep == MOST_SWEEPS:
            now.happens(MarketLeftStanding("ten_sweeps"))
            return
        sweep += 1
        now.happens(MarketSwept(tuple(card for card in now.state.market if card), sweep))
        for slot in range(1, MARKET_SLOTS + 1):
            turn_up(now, slot)


def others_in_play(state: State) -> int:
    """TTR 4.9 Count the cards of market, deck and discard pile that are not locomotives."""
    market = sum(card != LOCOMOTIVE for card in state.market)
    deck = size(state.deck) - state.deck[LOCOMOTIVE]
    return market + deck + size(state.discard) - state.discard[LOCOMOTIVE]
