"""GTJ 10: step 6, drawing, and the end of a turn."""

from collections.abc import Collection, Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.rules import ending, loading, train, travel
from domain.grand_trunk.state import AFTER_MOVE, Seat, State
from domain.messages import Command, Event


def end_turn(state: State, seat: int, command: commands.EndTurn, chance: Chance) -> list[Event]:
    """GTJ 10.1, 10.4, 19.4 Empty railcars are discarded, the hand is refilled and nothing more: the turn is over."""
    travel.after_the_move(state)
    mine = state.seats[seat]
    return [
        *loading.railcars_left_empty(state, seat),
        *refill(state, seat, len(mine.hand), train.empty_railcars(mine), chance),
        *ending.turn_over(state, seat, mine.day),
    ]


def hand_limit(mine: Seat) -> int:
    """GTJ 10.1 A hand is refilled to 5 cards, GTJ 13.9 to 6 with Warehouse."""
    return next((limit for each in mine.improvements if (limit := IMPROVEMENTS[each].hand_limit)), CONSTANTS.hand_limit)


def refill(state: State, seat: int, in_hand: int, thrown: Collection[str], chance: Chance) -> list[Event]:
    """GTJ 10.1 The seat draws until its hand is full. ``thrown``: cards that this turn's end put on the pile first."""
    return draw(state, seat, hand_limit(state.seats[seat]) - in_hand, thrown, chance)


def draw(state: State, seat: int, number: int, thrown: Collection[str], chance: Chance) -> list[Event]:
    """GTJ 10.2 When the deck runs out the discard pile becomes the deck. GTJ 10.3 With both empty one does without."""
    if number <= 0:
        return []
    mine, drawn = state.seats[seat], list[Event]()
    deck = mine.deck(state.terminals)
    size = len(mine.top) + len(deck)
    if size:
        drawn.append(cards_drawn(seat, mine.top, deck, min(number, size), chance))
    missing = number - size
    if missing > 0:
        pile = mine.discard.union(thrown)
        if pile:
            drawn.append(events.DeckShuffled(seat, len(pile), "discard_pile"))
            drawn.append(cards_drawn(seat, (), pile, min(missing, len(pile)), chance))
    return drawn


def cards_drawn(
    seat: int, top: tuple[str, ...], deck: Collection[str], number: int, chance: Chance
) -> events.CardsDrawn:
    """GTJ 19.2 A draw takes the cards known to be on top first, then of the others each equally likely."""
    known = top[:number]
    unknown = number - len(known)
    drawn = chance.draw(f"GTJ 10.1 deck of seat {seat}", deck, unknown, seat) if unknown else ()
    return events.CardsDrawn(seat, number, (*known, *drawn))


def candidates(state: State, seat: int) -> Iterator[Command]:
    if state.stage in AFTER_MOVE:
        yield commands.EndTurn()
