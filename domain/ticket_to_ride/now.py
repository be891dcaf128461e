"""A decision of this title, which every rule in `rules/` gets as ``now``."""

from domain.decision import Decision
from domain.messages import Event
from domain.ticket_to_ride.events import BlindCardDrawn, FaceUpCardDrawn, RouteClaimed
from domain.ticket_to_ride.evolve import BOOKKEEPING
from domain.ticket_to_ride.state import Player, State

MOVES_TRAIN_CARDS: frozenset[type[Event]] = frozenset((FaceUpCardDrawn, BlindCardDrawn, RouteClaimed))


class Now(Decision[State]):
    __slots__ = ()
    bookkeeping = BOOKKEEPING

    @property
    def player(self) -> Player:
        """The things of the deciding seat."""
        return self.state.players[self.seat]

    @property
    def train_cards_moved(self) -> bool:
        """Did the command draw or discard train cards (TTR 4.9)?"""
        return not MOVES_TRAIN_CARDS.isdisjoint(map(type, self.events))
