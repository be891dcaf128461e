"""One half of a title: its rules. They decide, write down, list and hide; what is said and drawn is `domain.face`.

Nothing of a title's rules knows its face; a contract in `pyproject.toml` says so.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from domain.chance import Chance
from domain.decision import Bookkeeping, Decision
from domain.lifecycle import Why
from domain.messages import Command, Event, Upcast
from domain.words import Sentence

State = Any
"""A title's frozen state struct. Nobody but the title looks inside."""
View = Any
"""A title's frozen view struct: what one seat (or a spectator) may see, ready to be written as JSON."""


# ==== what a seat may do ==========================================================================
class Span(msgspec.Struct, frozen=True):
    """The whole numbers a field of an action may take: ``low``, ``low + step`` ... ``high``."""

    field: str
    low: int
    high: int
    step: int = 1


class Action(msgspec.Struct, frozen=True):
    """Something a seat may do now: a command that will be accepted, with at most one integer left open.

    ``group``: an id, with a name in the title's words, under which forms gather actions of a kind.
    ``sentence``: the action in words, as an imperative or an infinitive ("Move to {place} with {card}: {days} days").
    ``span``: the integer field left open, with the command holding its lowest value.
    ``aside``: nobody waits for it (an answer in advance), or it is rarely wanted; forms fold it away.
    """

    command: Command
    group: str
    sentence: Sentence
    span: Span | None = None
    aside: bool = False

    def means(self, command: Command) -> bool:
        """Whether ``command`` is this action, with any value for the number that it leaves open."""
        if self.span is None or type(command) is not type(self.command):
            return self.command == command
        return replace(self.command, **{self.span.field: getattr(command, self.span.field)}) == command


Rule = Callable[[Any, Any], None]
"""Answers a command: (now, command), see `domain.decision`."""


class Chapter(NamedTuple):
    """A chapter that answers commands. Of these records a title makes its lookup and its list of legal actions.

    ``answers``: class of command -> the rule that answers it. ``candidates(state, seat)``: actions of these classes, in
    the order of the list, with every legal one among them: the rule is asked which are. ``sure``: all of them are.
    """

    answers: Mapping[type[Command], Rule]
    candidates: Callable[[Any, int], Iterable[Action]]
    sure: bool = False


def answers_of(chapters: Iterable[Chapter]) -> dict[type[Command], Rule]:
    """Class of command -> the rule that answers it, of all chapters."""
    return {command: rule for chapter in chapters for command, rule in chapter.answers.items()}


def legal(now: type[Decision[Any]], chapters: Iterable[Chapter], state: State, seat: int) -> list[Action]:
    """The candidates of all chapters that their rules let pass. ``now``: the title's own decision."""
    return [
        action
        for chapter in chapters
        for action in chapter.candidates(state, seat)
        if chapter.sure or now.allows(state, seat, chapter.answers[type(action.command)], action.command)
    ]


# ==== how a game ended ============================================================================
class Standing(msgspec.Struct, frozen=True):
    """One seat's line of the result. ``lines``: (id of a category, points), adding up to ``total``.

    ``place``: 1 is the winner's; equal places are shared; None for a seat that left.
    """

    seat: int
    place: int | None
    total: int
    lines: tuple[tuple[str, int], ...]


class Result(msgspec.Struct, frozen=True):
    """How a game ended. ``winners``: the seats in first place."""

    winners: tuple[int, ...]
    standings: tuple[Standing, ...]


class Ending(msgspec.Struct, frozen=True):
    """Where a log itself says how its game ended, for readers that know no rules. Events are named by their tags.

    ``winners``: an event and its field with the winners' seats. ``totals``: an event and its field with a row for each
    seat, whose first column is the seat; ``columns``: those whose numbers add up to its total (from 0).
    """

    winners: tuple[str, str]
    totals: tuple[str, str]
    columns: tuple[int, ...]


# ==== decisions ===================================================================================
class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What comes of a command, of setup or of a leaving: the events in their order, and the state after them."""

    events: list[Event]
    after: State


Decide = Callable[[State, int, Any, Chance], Outcome]
Leave = Callable[[State, int, Why, Chance], Outcome]


def recording(decide: Decide, leave: Leave, shapes: Mapping[type[Event], type[Event]]) -> dict[str, Any]:
    """What an earlier edition has otherwise that decided alike, but recorded events in other shapes.

    ``shapes``: the class of today -> the class of then, with the same fields.
    """

    def of_then(made: Outcome) -> Outcome:
        events = [shapes[type(it)](*astuple(it)) if type(it) in shapes else it for it in made.events]
        return Outcome(events, made.after)

    def decide_then(state: State, seat: int, command: Any, chance: Chance) -> Outcome:
        return of_then(decide(state, seat, command, chance))

    def leave_then(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
        return of_then(leave(state, seat, why, chance))

    return {"decide": decide_then, "leave": leave_then}


class Rules(msgspec.Struct, frozen=True):
    """The rules of a title.

    ``version``: of the rules, those of the table and its clocks included; it begins at 1 and is raised by every fix
    that changes a decision. ``commands`` and ``events``: all classes that can stand in a log; ``upcasters``: event
    class of yesterday -> the function that lifts it to today's shape.

    ``setup(options, choices, chance)``: the opening `Outcome`; ``choices``: seat number -> choice, seats 1 to n.
    ``start``: the state before them. ``decide(state, seat, command, chance)``: its `Outcome`, or `Refused`.
    ``bookkeeping``: event class -> the function that writes such an event down, ``(state, event) -> state``, total and
    pure. ``leave(state, seat, why, chance)``: the `Outcome` of a seat's leaving.
    ``asked(state)``: the seats the game waits for. ``actions(state, seat)``: the list of legal actions; it depends
    only on what the seat may see. ``safe(state, seat)``: the command the clock gives for a seat.
    ``result(state)``: None while the game runs.

    ``view(state, seat)``: what a seat (None: a spectator) may see, built from nothing. When the game is over it
    shows everything. ``imagine(view, chance)``: a state with that view.

    ``ending``: where a log says how its game ended, if it says so in one place.
    ``older``: the earlier versions of the rules whose plies are still decided again, each with the fields of this
    record that it has otherwise (``{1: {"decide": decide_1}}``; none where only table or clock differed).
    What an event class says of itself (`Event.BARRIER`, `Event.QUIET`) holds for all versions: it steers the fold.
    """

    version: int
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    start: State
    setup: Callable[[Any, Mapping[int, Any], Chance], Outcome]
    decide: Decide
    bookkeeping: Mapping[type[Event], Bookkeeping]
    leave: Leave
    asked: Callable[[State], tuple[int, ...]]
    actions: Callable[[State, int], list[Action]]
    safe: Callable[[State, int], Command]
    result: Callable[[State], Result | None]
    view: Callable[[State, int | None], View]
    imagine: Callable[[View, Chance], State]
    upcasters: Mapping[type[Event], Upcast] = {}
    ending: Ending | None = None
    older: Mapping[int, Mapping[str, Any]] = {}

    def editions(self) -> dict[int, "Rules"]:
        """Version -> the rules as they decide by it: the present ones, and those in ``older``."""
        return {self.version: self, **{it: replace(self, version=it, **those) for it, those in self.older.items()}}
