"""A decision of this title, which every rule in `rules/` gets as ``now``.

One command of New England Railways can carry a game through several steps; each rule sees the table after all earlier
events.
"""

from domain.decision import Decision
from domain.new_england.evolve import BOOKKEEPING
from domain.new_england.state import Seat, State


class Now(Decision[State]):
    __slots__ = ()
    bookkeeping = BOOKKEEPING

    @property
    def own(self) -> Seat:
        """The company of the deciding seat."""
        return self.state.seats[self.seat]
