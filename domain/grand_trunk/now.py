"""A decision of this title: the argument ``now`` of every rule in `rules/`."""

from domain.decision import Decision
from domain.grand_trunk.evolve import BOOKKEEPING
from domain.grand_trunk.state import Seat, State


class Now(Decision[State]):
    __slots__ = ()
    bookkeeping = BOOKKEEPING

    @property
    def mine(self) -> Seat:
        """The deciding seat's company, as the decision so far has left it."""
        return self.state.seats[self.seat]
