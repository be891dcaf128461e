"""GTJ 10: step 6, drawing, and the end of a turn."""

from collections.abc import Collection, Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import IMPROVEMENTS
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import ending, loading, steps
from domain.grand_trunk.state import Seat
from domain.rules import Action, Chapter
from domain.words import Sentence


def end_turn(now: Now, command: commands.EndTurn) -> None:
    """GTJ 10.1, 10.4, 19.4 Empty railcars are discarded, the hand is refilled and nothing more: the turn is over."""
    steps.must_have_moved(now)
    loading.railcars_left_empty(now)
    refill(now)
    ending.turn_over(now)


def hand_limit(mine: Seat) -> int:
    """GTJ 10.1 A hand is refilled to 5 cards, GTJ 13.9 to 6 with Warehouse."""
    return next((limit for each in mine.improvements if (limit := IMPROVEMENTS[each].hand_limit)), CONSTANTS.hand_limit)


def refill(now: Now) -> None:
    """GTJ 10.1 The seat draws until its hand is full."""
    mine = now.mine
    draw(now, hand_limit(mine) - len(mine.hand))


def draw(now: Now, number: int) -> None:
    """GTJ 10.2 When the deck runs out the discard pile becomes the deck. GTJ 10.3 With both empty one does without."""
    if number <= 0:
        return
    seat, mine = now.seat, now.mine
    deck = mine.deck(now.state.terminals)
    size = len(mine.top) + len(deck)
    if size:
        draw_cards(now, seat, mine.top, deck, min(number, size))
    missing, pile = number - size, mine.discard
    if missing > 0 and pile:
        now.happens(events.DeckShuffled(seat, len(pile), "discard_pile"))
        draw_cards(now, seat, (), pile, min(missing, len(pile)))


def draw_cards(now: Now, seat: int, top: tuple[str, ...], deck: Collection[str], number: int) -> None:
    """GTJ 19.2 A draw takes the cards known to be on top first, then of the others each equally likely."""
    known = top[:number]
    unknown = number - len(known)
    drawn = now.chance.draw(f"GTJ 10.1 deck of seat {seat}", deck, unknown, seat) if unknown else ()
    now.happens(events.CardsDrawn(seat, number, (*known, *drawn)))


# ==== in the list of legal actions ================================================================
END_TURN = Action(commands.EndTurn(), "end", Sentence("End the turn and draw cards"))


def candidates(now: Now) -> Iterator[Action]:
    """Return the end of the turn."""
    if now.allows(steps.must_have_moved):
        yield END_TURN


CHAPTER = Chapter({commands.EndTurn: end_turn}, candidates, sure=True)
