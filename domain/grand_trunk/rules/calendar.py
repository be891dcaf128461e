"""GTJ 3: turn order and the time track. Who plays, and what days cost."""

from domain.chance import Chance
from domain.grand_trunk import events
from domain.grand_trunk.board import LAST_SPACE
from domain.grand_trunk.rules import contracts
from domain.grand_trunk.state import Seat, State
from domain.messages import Event
from domain.refusal import Refused


def its_turn(state: State, seat: int) -> None:
    """GTJ 3.1 Only the active seat may give commands of play."""
    if seat != state.active:
        raise Refused("GTJ 3.1", "It is {active_seat}'s turn.", active_seat=state.active)


def days_left(mine: Seat, days: int) -> None:
    """GTJ 3.6 Nothing may be done that would take the marker beyond space 40."""
    if mine.day + days > LAST_SPACE:
        raise Refused("GTJ 3.6", "This takes {days:day|days} and would pass day {last}; you are on day {day}.",
                      days=days, last=LAST_SPACE, day=mine.day)  # fmt: skip


def spend(state: State, seat: int, days: int, for_what: events.ForWhat, chance: Chance) -> list[Event]:
    """GTJ 3.2 Days are paid by moving the marker forward. Paying none is no stop (GTJ 3.3).

    The last refusal of a command stands here: behind it chance may be asked for contracts (GTJ 7.2, 19.4).
    """
    if not days:
        return []
    mine = state.seats[seat]
    days_left(mine, days)
    to = mine.day + days
    return [events.DaysSpent(seat, days, mine.day, to, for_what), *contracts.turned_up(state, to, chance)]
