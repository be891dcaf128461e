"""Given past events, when a seat gives a command, then these events follow, or this rule refuses it.

    given(OPENING, moved(ANN, "boston")).when(ANN, EndTurn()).then(TurnEnded(ANN, 2, False))
    given(OPENING).when(BOB, EndTurn()).then_refused("GTJ 3.1")

A title's tests make their own ``given`` with ``Spec(TITLE).given``. Events may be grouped in lists. Chance is scripted
with the flat list of all drawn items, in order. A draw of a missing item fails the test, and so does a scripted item
that nobody drew. Each command also tests the list of legal actions: an accepted command must stand in it, a refused one
must not.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.chance import Bag, in_order
from domain.messages import Command, Event
from domain.refusal import Refused
from domain.rules import State
from domain.title import Title
from tests.contract.games import does_what_a_listed_one_does, is_listed

Events = Event | Iterable["Events"]


class Dealt:
    """Chance whose draws take the next items of one flat list, so a test need not know how many are drawn at a time."""

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes = list(outcomes)

    def draw(self, name: str, items: Iterable[Any] | Bag[Any], count: int = 1, seat: int | None = None) -> list[Any]:
        assert len(self.outcomes) >= count, f"{name}: {count} drawn, but only {self.outcomes} scripted"
        mine, self.outcomes = self.outcomes[:count], self.outcomes[count:]
        here = in_order(items)
        for item in mine:
            here.remove(item)
        return mine

    def uncover(self, name: str) -> None:
        """Do nothing: there is no preview to guard."""


def flat(events: Events) -> Iterator[Event]:
    if isinstance(events, Event):
        yield events
    else:
        for each in events:
            yield from flat(each)


class Spec:
    """The rules of one title, under test."""

    def __init__(self, title: Title) -> None:
        self.title = title

    def given(self, *events: Events) -> "Situation":
        return Situation(self.title, self.title.rules.start).then(*events)


class Situation:
    """A position. ``state`` is for tests that must look inside."""

    def __init__(self, title: Title, state: State) -> None:
        self.title, self.state = title, state

    def then(self, *events: Events) -> "Situation":
        """Return the position after more events."""
        state = self.state
        for event in flat(events):
            state = self.title.evolve(state, event)
        return Situation(self.title, state)

    def when(self, seat: int, command: Command, chance: Iterable[Any] = ()) -> "Outcome":
        """Return the result of ``command``. An accepted one must be a listed action, a refused one must not."""
        dealt = Dealt(*chance)
        try:
            events = self.title.rules.decide(self.state, seat, command, dealt).events
        except Refused as refusal:
            assert not self.allows(seat, command), f"refused, but listed: {command}"
            return Outcome(self, [], refusal)
        assert not dealt.outcomes, f"nobody drew {dealt.outcomes}"
        assert self.allows(seat, command) or self._has_a_listed_twin(seat, command), f"accepted, not listed: {command}"
        return Outcome(self, events, None)

    def leaves(self, seat: int, why: str = "resigned", chance: Iterable[Any] = ()) -> "Outcome":
        """Let a seat leave, by itself or by the clock."""
        return Outcome(self, self.title.rules.leave(self.state, seat, why, Dealt(*chance)).events, None)

    def allows(self, seat: int, command: Command) -> bool:
        """Is ``command`` among the listed actions?"""
        return is_listed(command, self.title.rules.actions(self.state, seat))

    def _has_a_listed_twin(self, seat: int, command: Command) -> bool:
        """Does a listed action do the same, for example with cards in another order?"""
        actions = self.title.rules.actions(self.state, seat)
        return does_what_a_listed_one_does(self.title, self.state, seat, command, actions)


class Outcome:
    def __init__(self, before: Situation, events: list[Event], refusal: Refused | None) -> None:
        self.before, self.events, self.refusal = before, events, refusal

    @property
    def after(self) -> Situation:
        """Return the position after it."""
        assert self.refusal is None, self.refusal
        return self.before.then(self.events)

    def then(self, *events: Events) -> Situation:
        """Require exactly these events, in this order."""
        assert self.refusal is None, self.refusal
        assert self.events == list(flat(events))
        return self.after

    def then_includes(self, *events: Events) -> Situation:
        """Require these events in this order; others may stand before, between and after them."""
        assert self.refusal is None, self.refusal
        rest = iter(self.events)
        for event in flat(events):
            assert any(each == event for each in rest), (
                f"{event}\nis not there, or not in this order, in\n{self.events}"
            )
        return self.after

    def then_without(self, *kinds: type[Event]) -> Situation:
        """Require no event of these kinds."""
        assert self.refusal is None, self.refusal
        assert not [event for event in self.events if isinstance(event, kinds)]
        return self.after

    def only(self, *kinds: type[Event]) -> list[Event]:
        """Return the events of these kinds, in order."""
        assert self.refusal is None, self.refusal
        return [event for event in self.events if isinstance(event, kinds)]

    def then_refused(self, rule: str) -> None:
        assert self.refusal is not None, f"accepted: {self.events}"
        assert self.refusal.rule == rule, self.refusal
