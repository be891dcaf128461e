"""What a rule works with while one thing is decided: the state so far, whose it is, chance, and what has happened.

A rule answers a command: ``rule(now, command) -> None``, with ``now`` a `Decision`. First come its guards, functions
called ``must_...``, which refuse or give what they have found; then it happens. What happens is written down at once,
so every rule sees the table as it is by then, and what it needs of the state before is read before. What follows by
itself, a leaving, setup and the clock work with the same object.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from domain.chance import Chance, ChanceAsked, NoChance
from domain.messages import Event
from domain.refusal import Refused

S = TypeVar("S")
Bookkeeping = Callable[[Any, Any], Any]
"""Writes an event down: (state, event) -> the state after it. Total and pure."""

NO_SEAT = 0
"""As the ``seat`` of a decision: it is nobody's, as in setup."""


class Decision(Generic[S]):
    """A title's own is a subclass that says its ``bookkeeping``, with the few questions that its rules ask often.

    ``state``: as what has happened so far has left it. ``events``: what has happened, in order.
    """

    __slots__ = ("_trial", "chance", "events", "seat", "state")
    bookkeeping: ClassVar[Mapping[type[Event], Bookkeeping]]

    def __init__(self, state: S, seat: int, chance: Chance) -> None:
        self.state = state
        self.seat = seat
        self.chance = chance
        self.events: list[Event] = []
        self._trial = False

    def happens(self, *events: Event) -> None:
        """``events`` happen now, in this order."""
        if self._trial:
            raise _Allowed
        state, bookkeeping = self.state, self.bookkeeping
        for event in events:
            state = bookkeeping[type(event)](state, event)
        self.state = state
        self.events += events

    @classmethod
    def allows(cls, state: S, seat: int, rule: Callable[..., Any], *given: Any) -> bool:
        """Whether ``rule``, or a guard, lets ``given`` of ``seat`` pass: a command, or what the guard asks about.

        All guards stand before what happens and before chance is asked, so the answer is there when either would come.
        """
        trial = cls(state, seat, _NO_CHANCE)
        trial._trial = True
        try:
            rule(trial, *given)
        except Refused:
            return False
        except (_Allowed, ChanceAsked):
            return True
        return True


class _Allowed(Exception):
    """A trial ends where something would happen."""


_NO_CHANCE = NoChance()
