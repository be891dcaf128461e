"""GTJ 2: the last steps of setup, which the seats take: first railcars and starting hands."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import CARRIES, PLAIN_RAILCARS
from domain.grand_trunk.rules import drawing
from domain.grand_trunk.rules.places import goods_at
from domain.grand_trunk.state import State
from domain.messages import Event
from domain.refusal import Refused


def choose_first_railcar(state: State, seat: int, command: commands.ChooseFirstRailcar, chance: Chance) -> list[Event]:
    """GTJ 2.11, 2.12 A plain railcar and its good, sealed until the last seat has chosen; given again it replaces."""
    if state.stage != "choosing":
        raise Refused("GTJ 2.12", "The first railcars have been chosen.")
    mine = state.seats[seat]
    if mine.left:
        raise Refused("GTJ 19.7", "A seat that has left plays no more.")
    card, good = command.card, command.good
    if not isinstance(card, str) or card not in PLAIN_RAILCARS[mine.company]:
        raise Refused("GTJ 2.11", "Name one of your three plain railcars.")
    if not isinstance(good, str) or good not in goods_at(state, mine.place).supply:
        raise Refused("GTJ 2.11", "Name a good that {place} supplies.", place=mine.place)
    if good not in CARRIES[card]:
        raise Refused("GTJ 2.11", "{railcar} cannot carry {good}.", railcar=card, good=good)
    if mine.choice is not None:
        return [events.FirstRailcarReplaced(seat, card, good)]
    choices = {number: each.choice for number, each in state.seats.items() if not each.left} | {seat: (card, good)}
    return [events.FirstRailcarChosen(seat, card, good), *opened(state, choices, chance)]


def opened(state: State, choices: dict[int, tuple[str, str] | None], chance: Chance) -> list[Event]:
    """GTJ 2.12 When the last choice is in, all are shown. ``choices``: of the seats that have not left."""
    given = {seat: choice for seat, choice in choices.items() if choice is not None}
    if len(given) < len(choices):
        return []
    shown = tuple((seat, *given[seat]) for seat in sorted(given))
    dealt: list[Event] = [events.FirstRailcarsOpened(shown)]
    for seat in state.order:
        if seat in given:
            dealt += starting_hand(state, seat, given[seat], chance)
    return dealt


def starting_hand(state: State, seat: int, choice: tuple[str, str], chance: Chance) -> list[Event]:
    """GTJ 2.13 The starting cards less the two on the table are the deck, of which a hand is drawn."""
    deck = state.seats[seat].deck(state.terminals) - {choice[0]}
    return [
        events.DeckShuffled(seat, len(deck), "start"),
        drawing.cards_drawn(seat, (), deck, CONSTANTS.hand_limit, chance),
    ]


def all_have_chosen(state: State) -> None:
    """GTJ 2.12 No command of play before all have chosen."""
    if state.stage == "choosing":
        raise Refused("GTJ 2.12", "Not all seats have chosen their first railcar.")


def candidates(state: State, seat: int) -> Iterator[commands.ChooseFirstRailcar]:
    """In the order of the company's cards, then of the goods a railcar can carry (GTJ 19.10)."""
    for card in PLAIN_RAILCARS[state.seats[seat].company]:
        for good in CARRIES[card]:
            yield commands.ChooseFirstRailcar(card, good)
