"""TTR 7: the beginning, the course and the end of the last round."""

from domain.ticket_to_ride.board import LAST_ROUND_AT
from domain.ticket_to_ride.events import LastRoundStarted
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.state import State


def last_round_begins(now: Now) -> None:
    """TTR 7.1 Begin the last round when a seat ends its turn with 0, 1 or 2 trains.

    TTR 7.2 Every seat gets one more turn, clockwise, this seat last. TTR 7.3 It is triggered once.
    """
    state = now.state
    seat = state.on_turn
    if seat is None or state.last_round_by is not None or state.players[seat].left:
        return
    if state.players[seat].trains <= LAST_ROUND_AT:
        order = tuple(each for each in state.after(seat) if not state.players[each].left)
        now.happens(LastRoundStarted(seat, order))


def last_turn_is_over(state: State) -> bool:
    """TTR 7.4 After the last of these turns, is the game over?"""
    return state.last_round_by is not None and not state.last_turns
