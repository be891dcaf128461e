"""The state of the table: frozen structs, and the few questions every chapter asks of them."""

from functools import cache
from typing import Literal

import msgspec

from domain.ticket_to_ride.board import TRAINS
from domain.ticket_to_ride.cards import ALL_CARDS, NO_CARDS, Card, Count, SeatColour

Phase = Literal["setup", "play", "over"]
Step = Literal["open", "one_card", "tickets", "complete"]
"""The stage of the turn's action: not begun, one card drawn, tickets offered, complete."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """One seat's things. ``points``: for routes, and at the end for everything.

    ``seen``: the least number of cards of each kind that everybody knows to be in the hand: taken from the market and
    not paid since. ``offered``: dealt tickets before the choice. ``chosen``: in setup, the tickets it keeps (TTR 2.7).
    ``returned``: every ticket it ever returned (TTR 9.7).
    """

    colour: SeatColour
    trains: int = TRAINS
    points: int = 0
    hand: Count = msgspec.field(default_factory=NO_CARDS.copy)
    seen: Count = msgspec.field(default_factory=NO_CARDS.copy)
    tickets: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    chosen: tuple[str, ...] | None = None
    returned: tuple[str, ...] = ()
    left: bool = False


class TicketScore(msgspec.Struct, frozen=True):
    """TTR 8.3, 8.4."""

    completed: tuple[str, ...]
    missed: tuple[str, ...]
    points: int


class Final(msgspec.Struct, frozen=True):
    """The results of final scoring, event by event. ``scores`` is empty until the last of them."""

    tickets: dict[int, TicketScore] = {}
    paths: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    holders: tuple[int, ...] = ()
    scores: tuple[tuple[int, int, int, int, int | None], ...] = ()
    winners: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """The whole table.

    ``players``: by seat. ``market``: slots 1 to 5, None while a slot waits for its card. ``standing``: the last command
    that moved train cards left three or more locomotives in the market (TTR 4.9). ``tickets``: the set of the ticket
    deck, sorted; ``bottom``: (seat, ticket) returned below it, the top first. ``owners``: route -> seat.
    ``last_turns``: in the last round, the seats whose last turn has not begun. ``passed``: the seats passed for, since
    the last action (TTR 10.2).
    """

    phase: Phase = "setup"
    players: dict[int, Player] = {}
    first_seat: int = 0
    on_turn: int | None = None
    turn: int = 0
    step: Step = "open"
    deck: Count = msgspec.field(default_factory=ALL_CARDS.copy)
    market: tuple[Card | None, ...] = (None,) * 5
    discard: Count = msgspec.field(default_factory=NO_CARDS.copy)
    standing: bool = False
    tickets: tuple[str, ...] = ()
    bottom: tuple[tuple[int, str], ...] = ()
    owners: dict[str, int] = {}
    last_round_by: int | None = None
    last_turns: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    final: Final = Final()

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple([seat for seat, player in self.players.items() if not player.left])

    @property
    def nothing_to_draw(self) -> bool:
        """Does TTR 4.11 forbid drawing train cards? (With an empty deck the discard pile is empty, TTR 4.10.)"""
        return not any(self.deck.values())

    @property
    def ticket_deck(self) -> int:
        """The number of tickets that are left."""
        return len(self.tickets) + len(self.bottom)

    def after(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise, beginning after ``seat`` and ending with it."""
        return _clockwise(len(self.players), seat)

    @property
    def in_turn_order(self) -> tuple[int, ...]:
        """All seats clockwise from the first seat."""
        return (self.first_seat, *self.after(self.first_seat)[:-1])

    def routes_of(self, seat: int) -> tuple[str, ...]:
        return tuple([route for route, owner in self.owners.items() if owner == seat])


@cache
def _clockwise(seats: int, seat: int) -> tuple[int, ...]:
    """Return seats 1 to ``seats`` clockwise, beginning after ``seat`` and ending with it."""
    return (*range(seat + 1, seats + 1), *range(1, seat + 1))
