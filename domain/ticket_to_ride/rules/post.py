"""TTR 10: the rules for play by post: passing for a seat without an action, leaving, the safe answer."""

from domain.lifecycle import Why
from domain.messages import Command
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawTickets, KeepTickets
from domain.ticket_to_ride.events import PlayStalled, SeatLeft, TurnPassed
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.routes import can_claim, claims
from domain.ticket_to_ride.state import State


def can_draw(state: State) -> bool:
    """TTR 10.1 Can a seat on turn draw train cards or tickets?"""
    return not state.nothing_to_draw or state.ticket_deck > 0


def passed_for_want_of_action(now: Now) -> bool:
    """TTR 10.1 Pass for a seat whose turn begins if it can neither draw nor claim, and record it.

    Return True if it passed.
    """
    state = now.state
    seat = state.on_turn
    if seat is None or can_draw(state):
        return False
    now.chance.uncover(f"TTR 10.6 hand of seat {seat}")  # TTR 9.9: no preview reveals whether it can claim
    if can_claim(state, seat):
        return False
    now.happens(TurnPassed(seat))
    return True


def play_is_stalled(state: State) -> bool:
    """TTR 10.2 Has every seat still in the game been passed for, with no action in between?"""
    return set(state.playing) <= set(state.passed)


def play_stalls(now: Now) -> None:
    """TTR 10.2 Stop, because nothing can change any more; final scoring follows."""
    now.happens(PlayStalled())


def leave_game(now: Now, why: Why) -> None:
    """TTR 10.8 Its routes stay claimed, everything else stays with it, out of play.

    TTR 10.10 It keeps tickets offered to it in a turn. In setup a choice it has made stands; otherwise it keeps all.
    """
    kept = 0 if now.player.chosen is not None else len(now.player.offered)
    now.happens(SeatLeft(now.seat, why, kept))


def one_seat_remains(state: State) -> bool:
    """TTR 10.11 Does only one seat remain? Then final scoring follows at once, in setup too."""
    return len(state.playing) == 1


def safe_answer(state: State, seat: int) -> Command:
    """TTR 10.13 Return the clock's answer for a seat: the first of these that is legal."""
    player = state.players[seat]
    if player.offered:
        return KeepTickets(player.offered)
    if not state.nothing_to_draw:
        return DrawBlindCard()
    for route, ways in claims(state, seat):
        return ClaimRoute(route.id, ways[0])
    return DrawTickets()
