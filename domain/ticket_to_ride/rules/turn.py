"""TTR 3: whose turn it is, and what may be begun in it. The turn ends by itself (TTR 3.6)."""

from domain.refusal import Refused
from domain.ticket_to_ride.events import TurnStarted
from domain.ticket_to_ride.rules.course import Course
from domain.ticket_to_ride.state import State


def must_not_be_over(state: State) -> None:
    """TTR 7.4 When the game is over no command is legal any more."""
    if state.phase == "over":
        raise Refused("TTR 7.4", "The game is over.")


def must_be_on_turn(state: State, seat: int) -> None:
    """TTR 3.4 Only the seat whose turn it is may act; TTR 2.8 and nobody before setup is completed."""
    must_not_be_over(state)
    if state.phase == "setup":
        raise Refused("TTR 2.8", "The first turn begins when everybody has chosen tickets.")
    if seat != state.on_turn:
        raise Refused("TTR 3.4", "It is not your turn.")


def must_begin(state: State, seat: int) -> None:
    """TTR 3.3 An action once begun is finished before anything else. TTR 3.2 A turn is one action."""
    must_be_on_turn(state, seat)
    if state.step == "one_card":
        raise Refused("TTR 3.3", "You have drawn one train card: draw the second.")
    tickets_come_first(state)


def tickets_come_first(state: State) -> None:
    """TTR 3.3 Tickets that were drawn are chosen among before anything else."""
    if state.step == "tickets":
        raise Refused("TTR 3.3", "First choose which of the tickets you drew you keep.")


def next_turn(course: Course) -> None:
    """TTR 3.1 Seats take one turn at a time, clockwise. TTR 10.8 Play passes over those that have left."""
    state = course.state
    order = state.in_turn_order if state.on_turn is None else state.after(state.on_turn)
    for seat in order:
        if not state.players[seat].left:
            course.happens(TurnStarted(seat, state.turn + 1))
            return
