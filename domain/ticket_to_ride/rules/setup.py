"""TTR 2.6 to 2.8: the simultaneous, sealed choice of tickets in setup, and its opening."""

from collections.abc import Sequence

from domain.refusal import Refused
from domain.ticket_to_ride.board import FEWEST_KEPT_IN_SETUP
from domain.ticket_to_ride.events import SetupCompleted, SetupTicketsChosen, SetupTicketsReplaced
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.state import State


def choose_tickets(now: Now, tickets: Sequence[str]) -> None:
    """TTR 2.6 Each seat keeps 2 or 3 of its three tickets. TTR 2.7 A later choice replaces an earlier one."""
    kept, returned = must_keep_two(now, tickets)
    if now.player.chosen is None:
        now.happens(SetupTicketsChosen(now.seat, kept, returned))
    else:
        now.happens(SetupTicketsReplaced(now.seat, kept, returned))


def must_keep_two(now: Now, tickets: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """TTR 2.6 The seat must keep at least two of its dealt tickets. Return those kept and those returned."""
    kept, returned = parted(now.player.offered, tickets)
    if len(kept) != len(tickets):
        raise Refused("TTR 2.6", "Choose from the tickets offered to you, each at most once.")
    if len(kept) < FEWEST_KEPT_IN_SETUP:
        raise Refused("TTR 2.6", "Keep at least {fewest} of your tickets.", fewest=FEWEST_KEPT_IN_SETUP)
    return kept, returned


def parted(offered: Sequence[str], tickets: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split the offered tickets into kept and returned ones, both in the order they were dealt (TTR 6.3)."""
    kept = tuple(ticket for ticket in offered if ticket in tickets)
    return kept, tuple(ticket for ticket in offered if ticket not in tickets)


def everybody_has_chosen(state: State) -> bool:
    """TTR 2.8, 10.10 Have all seats chosen that have not left?"""
    return all(player.chosen is not None for player in state.players.values())


def setup_is_completed(now: Now) -> None:
    """TTR 2.8 Put returned tickets below the ticket deck, in turn order; then show the numbers kept."""
    state = now.state
    kept = tuple((seat, len(state.players[seat].chosen or ())) for seat in state.in_turn_order)
    returned = sum(len(player.offered) for player in state.players.values()) - sum(number for _, number in kept)
    now.happens(SetupCompleted(kept, state.ticket_deck + returned))
