"""A decision of this title: what every rule in `rules/` is given as ``now``.

One command of New England Railways can carry a game through several steps; each rule sees the table as the events
before it left it.
"""

from domain.decision import Decision
from domain.new_england.evolve import BOOKKEEPING
from domain.new_england.state import Seat, State


class Now(Decision[State]):
    __slots__ = ()
    bookkeeping = BOOKKEEPING

    @property
    def own(self) -> Seat:
        """The company of the seat whose decision it is."""
        return self.state.seats[self.seat]
