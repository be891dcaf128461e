"""One half of a title: its rules. They decide, apply events, list actions and hide; `domain.face` describes and draws.

Nothing in a title's rules depends on its face; a contract in `pyproject.toml` says so.
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
"""A title's frozen state struct. Only the title looks inside."""
View = Any
"""A title's frozen view struct: everything that one seat (or a spectator) may see, ready to be written as JSON."""


# ==== the actions of a seat =======================================================================
class Span(msgspec.Struct, frozen=True):
    """The integers that a field of an action may take: ``low``, ``low + step`` ... ``high``."""

    field: str
    low: int
    high: int
    step: int = 1


class Action(msgspec.Struct, frozen=True):
    """A legal action: a command that will be accepted, with at most one integer left open.

    ``group``: an id, with a name in the title's words, under which forms gather actions of a kind. ``sentence``: the
    action in words, as an imperative or an infinitive ("Move to {place} with {card}: {days} days"). ``span``: the
    integer field left open, with the command holding its lowest value. ``aside``: nobody waits for it (an answer in
    advance), or it is rarely wanted; forms fold it away.
    """

    command: Command
    group: str
    sentence: Sentence
    span: Span | None = None
    aside: bool = False

    def means(self, command: Command) -> bool:
        """Is ``command`` this action, with any value for the number that it leaves open?"""
        if self.span is None or type(command) is not type(self.command):
            return self.command == command
        return replace(self.command, **{self.span.field: getattr(command, self.span.field)}) == command


Rule = Callable[[Any, Any], None]
"""Answers a command: (now, command), see `domain.decision`."""


class Chapter(NamedTuple):
    """A chapter that answers commands. A title builds its lookup and its list of legal actions from these records.

    ``answers``: class of command -> the rule that answers it. ``candidates``: actions of these classes for the seat of
    a trial, in the order of the list, including every legal one; the rule decides which are legal. ``sure``: all
    candidates are legal, because ``candidates`` asks the guards itself.
    """

    answers: Mapping[type[Command], Rule]
    candidates: Callable[[Any], Iterable[Action]]
    sure: bool = False


def answers_of(chapters: Iterable[Chapter]) -> dict[type[Command], Rule]:
    """Return class of command -> the rule that answers it, for all chapters."""
    return {command: rule for chapter in chapters for command, rule in chapter.answers.items()}


def legal(now: Decision[Any], chapters: Iterable[Chapter]) -> list[Action]:
    """Return the candidates of all chapters that their rules let pass. ``now``: a trial of the title's own decision."""
    found: list[Action] = []
    for answers, candidates, sure in chapters:
        actions = candidates(now)
        found += actions if sure else [it for it in actions if now.allows(answers[type(it.command)], it.command)]
    return found


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
    """The result of a game. ``winners``: the seats in first place."""

    winners: tuple[int, ...]
    standings: tuple[Standing, ...]

    @property
    def ranked(self) -> list[Standing]:
        """The standings from the best on; seats that left come last."""
        return sorted(self.standings, key=lambda it: (it.place is None, it.place or 0, it.seat))


class Ending(msgspec.Struct, frozen=True):
    """The events of a log that say how its game ended, for readers without the rules. Events are named by their tags.

    ``winners``: an event and its field with the winners' seats. ``totals``: an event and its field with a row for each
    seat, whose first column is the seat; ``columns``: those whose numbers add up to its total (from 0).
    """

    winners: tuple[str, str]
    totals: tuple[str, str]
    columns: tuple[int, ...]


# ==== decisions ===================================================================================
class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The consequences of a command, of setup or of a leaving: the events in their order, and the state after them."""

    events: list[Event]
    after: State


Decide = Callable[[State, int, Any, Chance], Outcome]
Leave = Callable[[State, int, Why, Chance], Outcome]


def recording(decide: Decide, leave: Leave, shapes: Mapping[type[Event], type[Event]]) -> dict[str, Any]:
    """Return the fields in which an earlier edition differs if it decided the same, but recorded events in other
    shapes.

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

    ``version``: of the rules, including those of the table and its clocks. It begins at 1 and rises with every fix that
    changes a decision. ``commands`` and ``events``: all classes that can stand in a log; ``upcasters``: older event
    class -> the function that converts it to the present shape.

    ``setup(options, choices, chance)``: the opening `Outcome`; ``choices``: seat number -> choice, seats 1 to n.
    ``start``: the state before them. ``decide(state, seat, command, chance)``: its `Outcome`, or `Refused`.
    ``bookkeeping``: event class -> the function that applies such an event, ``(state, event) -> state``, total and
    pure. ``leave(state, seat, why, chance)``: the `Outcome` of a seat's leaving. ``asked(state)``: the seats the game
    waits for. ``actions(state, seat)``: the list of legal actions; it depends only on the seat's own view.
    ``safe(state, seat)``: the command the clock gives for a seat. ``result(state)``: None while the game runs.

    ``view(state, seat)``: everything that a seat (None: a spectator) may see, built from nothing. When the game is over
    it shows everything. ``imagine(view, chance)``: a state with that view.

    ``ending``: the place of a log that says how its game ended, if there is one. ``older``: the earlier versions of the
    rules whose plies are still decided again, each with the fields of this record in which it differs (``{1: {"decide":
    decide_1}}``; none if only table or clock differed). Declarations of an event class (`Event.BARRIER`, `Event.QUIET`)
    hold for all versions, because they steer the fold.
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
        """Version -> the rules by which it decides: the present ones, and those in ``older``."""
        return {self.version: self, **{it: replace(self, version=it, **those) for it, those in self.older.items()}}
