"""The decision that a rule works on: the state so far, the deciding seat, chance, and the events so far.

A rule answers a command: ``rule(now, command) -> None``, with ``now`` a `Decision`. First come its guards, functions
called ``must_...``, which refuse or return what they have found. Then it records events. Each event is applied at once,
so every later rule sees the new state; a rule reads whatever it needs of the old state first. Automatic consequences, a
leaving, setup and the clock work with the same object.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from domain.chance import Chance, ChanceAsked, NoChance
from domain.messages import Event
from domain.refusal import Refused

S = TypeVar("S")
Bookkeeping = Callable[[Any, Any], Any]
"""Apply an event: (state, event) -> the state after it. Total and pure."""

NO_SEAT = 0
"""The ``seat`` of a decision that belongs to no seat, as in setup."""


class Decision(Generic[S]):
    """A decision. Each title has a subclass with its ``bookkeeping`` and the few questions that its rules ask often.

    ``state``: the state after the events so far. ``events``: the events so far, in order.
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
        """Record ``events`` now, in this order."""
        if self._trial:
            raise _Allowed
        state, bookkeeping = self.state, self.bookkeeping
        for event in events:
            state = bookkeeping[type(event)](state, event)
        self.state = state
        self.events += events

    @classmethod
    def trial(cls, state: S, seat: int) -> Self:
        """Return a decision that only answers `allows`: one serves a whole list of actions."""
        trial = cls(state, seat, _NO_CHANCE)
        trial._trial = True
        return trial

    def allows(self, rule: Callable[..., Any], *given: Any) -> bool:
        """Does ``rule``, or a guard, let ``given`` pass: a command, or the value that the guard checks?

        All guards run before the first event and before chance is asked. So the answer is known when either would come.
        """
        assert self._trial, "in a real decision an event would be recorded"
        try:
            rule(self, *given)
        except Refused:
            return False
        except (_Allowed, ChanceAsked):
            return True
        return True


class _Allowed(Exception):
    """A trial ends at the first event."""


_NO_CHANCE = NoChance()
