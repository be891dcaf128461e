"""The contract every title fulfils. A title is one folder and one line in `domain.TITLES`.

Nothing outside `domain/` knows more of a title than what stands here.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import astuple, replace

from domain import lifecycle
from domain.chain import ChainCodec
from domain.chance import Chance
from domain.decision import Bookkeeping
from domain.lifecycle import Why
from domain.messages import Codec, Command, Event, Upcast
from domain.orders import Orders
from domain.places import Places
from domain.report import Description
from domain.things import Things
from domain.words import Language, Sentence, Words

State = Any
"""A title's frozen state struct. Nobody but the title looks inside."""
View = Any
"""A title's frozen view struct: what one seat (or a spectator) may see, ready to be written as JSON."""


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


class Piece(msgspec.Struct, frozen=True):
    """A part of a picture that changes during a game: SVG inside the box x, y, width, height (board units).

    Equal pieces have equal ``svg``, drawn around the origin (0, 0 = top left of the box), so that their pixels can
    be kept. ``name``: of one piece in a picture, and the same in both drawings: that of the place it is drawn for
    (`domain.places`), else one that it keeps from move to move ("train.2").
    """

    x: float
    y: float
    width: float
    height: float
    svg: str
    name: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A board: ``ground`` is the same for all games of a theme, language and drawing; ``pieces`` lie on it.

    ``box``: x, y, width, height of the view box. ``label``: what the picture shows, for those who cannot see it.
    Pages keep it as one file, with ``defs``. Ids are in ``defs`` alone, used in ``ground`` alone, and begin with a word
    of the drawing: the one for a phone and the other one can stand in one page. What is drawn of a place
    (`domain.places`) has its id: a piece as its name, a group of the ground as its ``data-place``.
    """

    box: tuple[float, float, float, float]
    defs: str
    ground: str
    pieces: tuple[Piece, ...]
    label: Sentence


Palettes = Mapping[str, Mapping[str, str]]
"""Theme ("light" and "dark") -> name of a colour -> the colour."""
NO_COLOURS: Palettes = {}

Theme = Literal["light", "dark", "page"]
"""Literal light or dark colours; "page" uses CSS variables (``var(--board-land)``) that the site's style sets."""


class DrawBoard(Protocol):
    """Draws a board. ``small``: for a phone, another drawing with fewer and larger things."""

    def __call__(self, view: View, theme: Theme, language: Language, small: bool = False) -> Picture: ...


Bot = Callable[[View, random.Random], tuple[Command, ...]]
"""Plays from a view: the commands a seat gives next, at least one. Refused remains are planned again."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What comes of a command, of setup or of a leaving: the events in their order, and the state after them."""

    events: list[Event]
    after: State


EventKind = tuple[Bookkeeping | None, int]
"""What a fold asks of a class of events: its bookkeeping (None: it is the table's), and its flags."""
SEEN_BY_ALL, BARRIER = 1, 2
"""Flags: it is not quiet; nothing before it can be taken back."""


def _flags(kind: type[Event]) -> int:
    return (0 if kind.QUIET or kind.HIDDEN else SEEN_BY_ALL) | (BARRIER if kind.BARRIER else 0)


def _unchanged(state: State, event: Event) -> State:
    return state


def nothing_ahead(view: View, command: Any, at: str) -> list[Sentence]:
    """What a title says of what comes that has no words for it."""
    return []


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


class Title(msgspec.Struct, frozen=True, dict=True):
    """A game in its box, with its rules.

    ``id``: the folder's name, also in addresses. Its own name stands among
    the names of its words. ``rules``: the version of the rules,
    those of the table and its clocks included; it begins at 1 and is raised by every fix that changes a decision.
    ``seats``: fewest and most players.
    ``prefix``: of its rule numbers ("GTJ"). ``cites``: house rule -> the title's own number for it
    (``take_back``, ``over``).

    ``options``: struct of what the host chooses; every field has a default and is a bool or a Literal of ids.
    ``choice``: struct of what each seat chooses on sitting down, likewise (``""`` for "any").
    ``check_table(options, seats)`` and ``check_choice(options, choice, taken)`` raise `Refused`; ``taken`` are the
    other seats' choices.

    ``setup(options, choices, chance)``: the opening `Outcome`; ``choices``: seat number -> choice, seats 1 to n.
    ``start``: the state before them. ``decide(state, seat, command, chance)``: its `Outcome`, or `Refused`.
    ``bookkeeping``: event class -> the function that writes such an event down, ``(state, event) -> state``, total and
    pure. ``leave(state, seat, why, chance)``: the `Outcome` of a seat's leaving.
    ``asked(state)``: the seats the game waits for. ``actions(state, seat)``: the list of legal actions; it depends
    only on what the seat may see. ``safe(state, seat)``: the command the clock gives for a seat.
    ``result(state)``: None while the game runs.

    ``view(state, seat)``: what a seat (None: a spectator) may see, built from nothing. When the game is over it
    shows everything. ``imagine(view, chance)``: a state with that view.

    ``ahead(view, command, at)``: what comes of a command that cannot be foreseen, in words: first what happens, then
    what it may cost. ``at``: where foreseeing ended (`domain.play.foresee`), which may rest on something hidden:
    nothing may be said by which it shows.

    ``narrate(events)``: sentences for the events of one ply, as far as they were redacted for the reader.
    ``hand(view)``: the viewer's own hidden things in a few sentences. ``standing(view)``: score and place of each
    seat so far, in sentences. ``report(view)``: the whole open position, for who sees no board. ``why_asked(view)``:
    why the game waits for whom it waits for, in a few words that go on after "It is your turn:" (None: it waits for
    nobody). ``things(view)``: what lies beside the board, before the viewer and before all.
    ``picture(view, theme, language, small)``; ``colours``: those it draws with beside those of all boards
    (`domain.drawing`). ``notes``: sentences on what is reconstructed, to be shown wherever it is shown.
    ``bots``: name -> player, the weakest first; "random" and "sensible" are always there, "hasty", which scores as soon
    as it can, where the safe answers alone are no yardstick, and "patient", which answers in advance whatever can be,
    where a title has such answers.
    ``orders``: its commands as lines that a person would type. ``places``: what one points at to mean them.
    ``catalogue``: the file with the numbered rules, which players read.
    ``ending``: where a log says how its game ended, if it says so in one place.
    ``older``: the earlier versions of the rules whose plies are still decided again, each with the fields of this
    contract that it has otherwise (``{1: {"decide": decide_1}}``; none where only table or clock differed).
    What an event class says of itself (`Event.BARRIER`, `Event.QUIET`) holds for all versions: it steers the fold.
    """

    id: str
    prefix: str
    rules: int
    seats: tuple[int, int]
    cites: Mapping[str, str]
    options: type[msgspec.Struct]
    choice: type[msgspec.Struct]
    check_table: Callable[[Any, int], None]
    check_choice: Callable[[Any, Any, Sequence[Any]], None]
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
    narrate: Callable[[Sequence[Event]], list[Sentence]]
    hand: Callable[[View], list[Sentence]]
    standing: Callable[[View], list[Sentence]]
    report: Callable[[View], Description]
    why_asked: Callable[[View], Sentence | None]
    things: Callable[[View], Things]
    picture: DrawBoard
    orders: Orders
    places: Places
    words: Words
    notes: tuple[Sentence, ...]
    bots: Mapping[str, Bot]
    catalogue: Path
    colours: Palettes = NO_COLOURS
    ahead: Callable[[View, Any, str], list[Sentence]] = nothing_ahead
    upcasters: Mapping[type[Event], Upcast] = {}
    ending: Ending | None = None
    older: Mapping[int, Mapping[str, Any]] = {}

    @cached_property
    def editions(self) -> dict[int, "Title"]:
        """Version of the rules -> this title as it decides by that version: the present one, and those in ``older``.

        A log is read, folded and shown by the present one alone.
        """
        return {self.rules: self, **{rules: replace(self, rules=rules, **those) for rules, those in self.older.items()}}

    def __post_init__(self) -> None:
        """Make what a log is read with at once, where a title is made: while its module is imported, by one thread.

        msgspec writes down at a class what it finds when it first reads one, bit by bit: a thread that reads one
        meanwhile ends the process with a segmentation fault (msgspec 0.22). Python 3.11 had a lock in every
        `cached_property`; those after it have none.
        """
        _ = self.chain, self.kinds, self.kinds_known
        for kind in (self.options, self.choice, type(self.start)):
            msgspec.json.Decoder(kind)

    @cached_property
    def codec(self) -> Codec:
        """All commands and events that can stand in a log of this title."""
        return Codec((*lifecycle.COMMANDS, *self.commands), (*lifecycle.EVENTS, *self.events), self.upcasters)

    @cached_property
    def chain(self) -> ChainCodec:
        return ChainCodec(self.codec)

    @cached_property
    def kinds(self) -> dict[type[Event], EventKind]:
        """Event class -> all that a fold asks of it, in one lookup."""
        events: tuple[type[Event], ...] = (*lifecycle.EVENTS, *self.bookkeeping)
        return {it: (self.bookkeeping.get(it), _flags(it)) for it in events}

    @cached_property
    def kinds_known(self) -> dict[type[Event], EventKind]:
        """The same for a fold that knows the state after: nothing needs to be written down."""
        return {it: (write_down and _unchanged, flags) for it, (write_down, flags) in self.kinds.items()}

    def evolve(self, state: State, event: Event) -> State:
        """The state after one event of the title."""
        return self.bookkeeping[type(event)](state, event)

    def name(self, language: Language) -> str:
        return language.name(self.id)
