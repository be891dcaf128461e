"""GTJ 3: turn order and the time track. Who plays, and what days cost."""

from domain.grand_trunk import events
from domain.grand_trunk.board import LAST_SPACE
from domain.grand_trunk.now import Now
from domain.grand_trunk.rules import contracts
from domain.refusal import Refused


def must_be_on_turn(now: Now) -> None:
    """GTJ 3.1 Only the active seat may give commands of play."""
    if now.seat != now.state.active:
        raise Refused("GTJ 3.1", "It is {active_seat}'s turn.", active_seat=now.state.active)


def must_have_days(now: Now, days: int) -> None:
    """GTJ 3.6 Nothing may be done that would take the marker beyond space 40."""
    day = now.mine.day
    if day + days > LAST_SPACE:
        raise Refused(
            "GTJ 3.6",
            "This takes {days:day|days} and would pass day {last}; you are on day {day}.",
            days=days,
            last=LAST_SPACE,
            day=day,
        )


def spend(now: Now, days: int, for_what: events.ForWhat) -> None:
    """GTJ 3.2 Pay days by moving the marker forward, if there are so many. Paying none is no stop (GTJ 3.3).

    This may draw contracts (GTJ 7.2, 19.4).
    """
    must_have_days(now, days)
    if not days:
        return
    day, furthest = now.mine.day, now.state.furthest
    now.happens(events.DaysSpent(now.seat, days, day, day + days, for_what))
    contracts.turn_up(now, furthest, day + days)
