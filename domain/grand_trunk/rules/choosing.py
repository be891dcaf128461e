"""GTJ 2: the last steps of setup, which the seats take: first railcars and starting hands."""

from collections.abc import Iterator

from msgspec.structs import asdict

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS
from domain.grand_trunk.cards import CARRIES, PLAIN_RAILCARS
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import drawing
from domain.grand_trunk.rules.places import goods_at
from domain.grand_trunk.state import Seat
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


def choose_first_railcar(now: Now, command: commands.ChooseFirstRailcar) -> None:
    """GTJ 2.11, 2.12 A plain railcar and its good, sealed until the last seat has chosen; given again it replaces."""
    must_still_be_choosing(now)
    card, good = must_be_a_first_railcar(now, command)
    if now.mine.choice is not None:
        now.happens(events.FirstRailcarReplaced(now.seat, card, good))
        return
    now.happens(events.FirstRailcarChosen(now.seat, card, good))
    open_choices(now)


def must_still_be_choosing(now: Now) -> None:
    """GTJ 2.12 A choice is given until all are opened. GTJ 19.7 A seat that has left gives none."""
    if now.state.stage != "choosing":
        raise Refused("GTJ 2.12", "The first railcars have already been chosen.")
    if now.mine.left:
        raise Refused("GTJ 19.7", "A seat that has left the game cannot play.")


def must_be_a_first_railcar(now: Now, command: commands.ChooseFirstRailcar) -> tuple[str, str]:
    """GTJ 2.11 One of the three plain railcars, and a good that it carries and the starting city supplies."""
    card, good, place = command.card, command.good, now.mine.place
    if not isinstance(card, str) or card not in PLAIN_RAILCARS[now.mine.company]:
        raise Refused("GTJ 2.11", "Name one of your three plain railcars.")
    if not isinstance(good, str) or good not in goods_at(now.state, place).supply:
        raise Refused("GTJ 2.11", "Name a good that {place} supplies.", place=place)
    if good not in CARRIES[card]:
        raise Refused("GTJ 2.11", "{railcar} cannot carry {good}.", railcar=card, good=good)
    return card, good


def open_choices(now: Now) -> None:
    """GTJ 2.12 When the last choice is in, all are shown. GTJ 19.7 Seats that have left are not waited for."""
    staying = {seat: each.choice for seat, each in now.state.seats.items() if not each.left}
    given = {seat: choice for seat, choice in staying.items() if choice is not None}
    if len(given) < len(staying):
        return
    now.happens(events.FirstRailcarsOpened(tuple((seat, *given[seat]) for seat in sorted(given))))
    for seat in now.state.order:
        if seat in given:
            starting_hand(now, seat)


def starting_hand(now: Now, seat: int) -> None:
    """GTJ 2.13 The starting cards less the two on the table are the deck, of which a hand is drawn."""
    deck = now.state.seats[seat].deck(now.state.terminals)
    now.happens(events.DeckShuffled(seat, len(deck), "start"))
    drawing.draw_cards(now, seat, (), deck, CONSTANTS.hand_limit)


def must_all_have_chosen(now: Now) -> None:
    """GTJ 2.12 No command of play before all have chosen."""
    if now.state.stage == "choosing":
        raise Refused("GTJ 2.12", "Not everybody has chosen a first railcar yet.")


# ==== in the list of legal actions ================================================================
def choices(mine: Seat) -> Iterator[commands.ChooseFirstRailcar]:
    """GTJ 19.10 Return every choice, in the order of the company's cards, then of the goods a railcar can carry."""
    for card in PLAIN_RAILCARS[mine.company]:
        for good in CARRIES[card]:
            yield commands.ChooseFirstRailcar(card, good)


def candidates(now: Now) -> Iterator[Action]:
    """Return every choice of a first railcar and its good."""
    if now.allows(must_still_be_choosing):
        for it in choices(now.mine):
            yield Action(it, "first_railcar", Sentence("Start with {card} and load {good}", asdict(it)))


CHAPTER = Chapter({commands.ChooseFirstRailcar: choose_first_railcar}, candidates)
