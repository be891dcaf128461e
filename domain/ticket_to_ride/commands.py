"""The commands of Ticket to Ride (appendix A of the catalogue).

There is no command for passing, ending a turn, sweeping, shuffling or scoring: they happen by themselves.
"""

from msgspec import UNSET

from domain.messages import Command, Own
from domain.ticket_to_ride.cards import Card


class KeepTickets(Command, frozen=True):
    """TTR 2.6, 2.7, 6.2. ``tickets``: the ones to keep of those offered. In setup, a second command replaces the first
    choice.
    """

    tickets: Own[tuple[str, ...]] = UNSET


class DrawFaceUpCard(Command, frozen=True):
    """TTR 4.1, 4.3, 4.13. ``card``: a kind in the market."""

    card: Card


class DrawBlindCard(Command, frozen=True):
    """TTR 4.1, 4.4."""


class ClaimRoute(Command, frozen=True):
    """TTR 5. ``route``: a route's id. ``pay``: the exact cards, one by one, in any order (TTR 5.9)."""

    route: str
    pay: tuple[Card, ...]


class DrawTickets(Command, frozen=True):
    """TTR 6.1."""
