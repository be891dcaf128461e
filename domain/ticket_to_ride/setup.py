"""Opening a table and the opening position (TTR 1.1, 2.1 to 2.5): the choices, and the deal."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from domain.chance import NOBODY, Bag, Chance
from domain.decision import NO_SEAT
from domain.refusal import Refused
from domain.rules import Outcome
from domain.ticket_to_ride.cards import HAND_DEALT, MARKET_SLOTS, SEAT_COLOURS
from domain.ticket_to_ride.events import HandDealt, TableSet
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.tickets import deal_tickets
from domain.ticket_to_ride.rules.train_cards import market_is_tested, turn_up
from domain.ticket_to_ride.state import State

FEWEST_SEATS, MOST_SEATS = 2, 5


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host's choices: there are none."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's choice: its colour (TTR 1.1), or any remaining one."""

    colour: Literal["", "blue", "red", "green", "yellow", "black"] = ""


def check_table(options: Options, seats: int) -> None:
    """TTR 1.1 Two to five seats play."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Refused("TTR 1.1", "This game is for {fewest} to {most} seats.", fewest=FEWEST_SEATS, most=MOST_SEATS)


def check_choice(options: Options, choice: Choice, taken: Sequence[Choice]) -> None:
    """TTR 1.1 Each seat has its own colour."""
    if choice.colour and any(other.colour == choice.colour for other in taken):
        raise Refused("TTR 1.1", "Another player already has {colour}.", colour=choice.colour)


def setup(options: Options, choices: Mapping[int, Choice], chance: Chance) -> Outcome:
    """TTR 2.1 to 2.5, in this order."""
    now = Now(State(), NO_SEAT, chance)
    first_seat = chance.draw("TTR 2.2 first seat", choices)[0]
    now.happens(TableSet(colours(choices), first_seat))
    for seat in now.state.in_turn_order:
        hand: list[Any] = chance.draw("TTR 4.1 train deck", Bag(now.state.deck), HAND_DEALT, NOBODY)
        now.happens(HandDealt(seat, HAND_DEALT, tuple(hand)))
    for slot in range(1, MARKET_SLOTS + 1):
        turn_up(now, slot)
    market_is_tested(now)
    for seat in now.state.in_turn_order:
        deal_tickets(now, seat)
    return Outcome(now.events, now.state)


def colours(choices: Mapping[int, Choice]) -> tuple[Any, ...]:
    """TTR 1.1 Return the chosen colours; seats without a wish get remaining ones, in the order of the data."""
    wished = {choice.colour for choice in choices.values()}
    left = iter([colour for colour in SEAT_COLOURS if colour not in wished])
    return tuple(choices[seat].colour or next(left) for seat in sorted(choices))
