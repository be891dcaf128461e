"""GTJ 14: Option 2, maintenance."""

from collections.abc import Iterator
from itertools import combinations

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import in_order
from domain.grand_trunk.rules import calendar, drawing, ending
from domain.grand_trunk.state import State
from domain.messages import Command, Event
from domain.refusal import Refused


def perform_maintenance(state: State, seat: int, command: commands.PerformMaintenance, chance: Chance) -> list[Event]:
    """GTJ 14.1 A day: discard any cards of the hand, draw, and the turn is over. GTJ 14.2 Nothing else."""
    a_turn_of_its_own(state)
    mine = state.seats[seat]
    discard = command.discard
    for card in discard:
        if card not in mine.hand:
            raise Refused("GTJ 14.1", "{card} is not in your hand.", card=card)
    if len(set(discard)) < len(discard):
        raise Refused("GTJ 14.1", "A card can be discarded once.")
    days = CONSTANTS.maintenance_days
    maintained = calendar.spend(state, seat, days, "maintenance", chance)
    maintained.append(events.MaintenancePerformed(seat))
    if discard:
        maintained.append(events.CardsDiscarded(seat, discard, "maintenance"))
    maintained += drawing.refill(state, seat, len(mine.hand) - len(discard), discard, chance)
    return maintained + ending.turn_over(state, seat, mine.day + days)


def a_turn_of_its_own(state: State) -> None:
    """GTJ 3.5 Maintenance is chosen at the start of a turn, before any command of Option 1."""
    if state.stage != "start":
        raise Refused("GTJ 3.5", "You have begun a turn with the train: maintenance is no longer open to you.")


def candidates(state: State, seat: int) -> Iterator[Command]:
    if state.stage != "start":
        return
    hand = in_order(state.seats[seat].hand)
    for number in range(len(hand) + 1):
        for discard in combinations(hand, number):
            yield commands.PerformMaintenance(discard)
