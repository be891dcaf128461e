"""TTR 3: the seat on turn, and the actions that may begin. The turn ends by itself (TTR 3.6)."""

from domain.refusal import Refused
from domain.ticket_to_ride.events import TurnStarted
from domain.ticket_to_ride.now import Now


def must_not_be_over(now: Now) -> None:
    """TTR 7.4 When the game is over no command is legal any more."""
    if now.state.phase == "over":
        raise Refused("TTR 7.4", "The game is over.")


def must_be_on_turn(now: Now) -> None:
    """TTR 3.4 Only the seat on turn may act; TTR 2.8 and nobody before setup is completed."""
    must_not_be_over(now)
    if now.state.phase == "setup":
        raise Refused("TTR 2.8", "The first turn begins when everybody has chosen tickets.")
    if now.seat != now.state.on_turn:
        raise Refused("TTR 3.4", "It is not your turn.")


def must_begin(now: Now) -> None:
    """TTR 3.3 A begun action is finished before anything else. TTR 3.2 A turn is one action."""
    must_be_on_turn(now)
    if now.state.step == "one_card":
        raise Refused("TTR 3.3", "You have taken one train card. Take the second.")
    must_have_chosen(now)


def must_have_chosen(now: Now) -> None:
    """TTR 3.3 Drawn tickets must be chosen from before anything else."""
    if now.state.step == "tickets":
        raise Refused("TTR 3.3", "First choose which of the drawn tickets you keep.")


def next_turn(now: Now) -> None:
    """TTR 3.1 Seats take one turn at a time, clockwise. TTR 10.8 Play skips seats that have left."""
    state = now.state
    order = state.in_turn_order if state.on_turn is None else state.after(state.on_turn)
    for seat in order:
        if not state.players[seat].left:
            now.happens(TurnStarted(seat, state.turn + 1))
            return
