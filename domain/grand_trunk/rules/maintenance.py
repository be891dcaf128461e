"""GTJ 14: Option 2, maintenance."""

from collections.abc import Iterator
from itertools import combinations

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import in_order
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import calendar, drawing, ending, hand
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


def perform_maintenance(now: Now, command: commands.PerformMaintenance) -> None:
    """GTJ 14.1 A day: discard any cards of the hand, draw, and the turn is over. GTJ 14.2 Nothing else."""
    must_be_a_turn_of_its_own(now)
    must_be_cards_of_the_hand(now, command.discard)
    calendar.spend(now, CONSTANTS.maintenance_days, "maintenance")
    now.happens(events.MaintenancePerformed(now.seat))
    if command.discard:
        now.happens(events.CardsDiscarded(now.seat, command.discard, "maintenance"))
    drawing.refill(now)
    ending.turn_over(now)


def must_be_a_turn_of_its_own(now: Now) -> None:
    """GTJ 3.5 Maintenance is chosen at the start of a turn, before any command of Option 1."""
    if now.state.stage != "start":
        raise Refused("GTJ 3.5", "You have begun a turn with the train, so you can no longer do maintenance.")


def must_be_cards_of_the_hand(now: Now, cards: tuple[str, ...]) -> None:
    """GTJ 14.1 What is discarded is in the hand, and named once."""
    for card in cards:
        hand.must_be_in_hand(now, card, "GTJ 14.1")
    if len(set(cards)) < len(cards):
        raise Refused("GTJ 14.1", "You can discard a card only once.")


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return every way to discard cards of the hand. There are dozens, so none is tried."""
    days = CONSTANTS.maintenance_days
    if now.allows(must_be_a_turn_of_its_own) and now.allows(calendar.must_have_days, days):
        cards = in_order(now.mine.hand)
        for number in range(len(cards) + 1):
            for discard in combinations(cards, number):
                yield Action(commands.PerformMaintenance(discard), "maintenance", _maintain(discard, days))


def _maintain(cards: tuple[str, ...], days: int) -> Sentence:
    if not cards:
        return Sentence("Do maintenance and discard nothing: {days:day|days}", {"days": days})
    return Sentence("Do maintenance and discard {cards}: {days:day|days}", {"days": days, "cards": cards})


CHAPTER = Chapter({commands.PerformMaintenance: perform_maintenance}, candidates, sure=True)
