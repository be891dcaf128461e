"""A decision of this title: what every rule in `rules/` is given as ``now``."""

from domain.decision import Decision
from domain.grand_trunk.evolve import BOOKKEEPING
from domain.grand_trunk.state import Seat, State


class Now(Decision[State]):
    __slots__ = ()
    bookkeeping = BOOKKEEPING

    @property
    def mine(self) -> Seat:
        """The company of the seat whose decision it is, as it is by now."""
        return self.state.seats[self.seat]
