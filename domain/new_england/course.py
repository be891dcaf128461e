"""What a decision has brought about so far: the events, and the table after them.

One command of New England Railways can carry a game through several steps; each rule sees the table as the events
before it left it.
"""

from domain.chance import Chance
from domain.messages import Event
from domain.new_england.evolve import BOOKKEEPING
from domain.new_england.state import State


class Course:
    """``actor``: the seat whose command is being decided, or None (setup, leaving)."""

    def __init__(self, state: State, chance: Chance, actor: int | None = None) -> None:
        self.state = state
        self.chance = chance
        self.actor = actor
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        """``event`` happens now."""
        self.events.append(event)
        self.state = BOOKKEEPING[type(event)](self.state, event)
