"""The other half of a title: its face, all that is said of a game, pointed at and drawn.

It knows the rules (`domain.rules`); they do not know it. A command has a record here (`CommandFace`), beside the one in
its chapter of the rules: its English stands there, other languages in the title's ``.po`` files.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from domain.messages import Command, Event
from domain.orders import Listing, Names, Order, Orders, Told, Verb
from domain.places import Aim, Area, NamedPlace, Places
from domain.report import Description
from domain.rules import Action, View
from domain.things import Things
from domain.words import Language, Sentence, Words


# ==== the board ===================================================================================
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


# ==== a command ===================================================================================
Ahead = Callable[[View, Any, str], list[Sentence]]


def nothing_ahead(view: View, command: Any, at: str) -> list[Sentence]:
    """What a title says of what comes that has no words for it."""
    return []


def as_told(view: View, told: Told) -> Told:
    """Nothing follows from what was told."""
    return told


class CommandFace(msgspec.Struct, frozen=True, eq=False):
    """How a command is asked for, written, pointed at and explained.

    ``verbs``: words by which it is asked for; commands that share one have the same value. ``lines``: the templates of
    its lines; ``tell(view, command, action)``: the line of a legal one, as the seat whose view it is says it.
    ``kind``: what it does, for `domain.places`; ``aim(view, command)``: what one points at to mean a legal one.

    ``fields``: field -> kind of the thing that it names, so that the rules can say why a line is not legal.
    ``follows(view, told)``: what was told, with what follows from it (a route from its two cities); None where it names
    no command.

    In lists, as in `domain.orders.Listing`: ``open``: the fields of its line that a target leaves open;
    ``gains(view, command)``, ``remark(view, command, action)`` and ``idle(view, command)`` of a legal one; ``hint``:
    what else one would know of its lines. ``ahead``: see `Face`.
    """

    command: type[Command]
    verbs: tuple[Verb, ...]
    lines: tuple[Sentence, ...]
    tell: Callable[[Any, Any, Action], Order]
    kind: str
    aim: Callable[[Any, Any], Aim]
    fields: Mapping[str, str] = {}
    follows: Callable[[Any, Told], Told | None] = as_told
    open: tuple[str, ...] = ()
    gains: Callable[[Any, Any], Sequence[tuple[int, int]]] | None = None
    remark: Callable[[Any, Any, Action], Sentence | None] | None = None
    idle: Callable[[Any, Any], bool] | None = None
    hint: Sentence | None = None
    ahead: Ahead | None = None


def orders_of(
    commands: Sequence[CommandFace], names: Callable[[Any], Names], alike: Mapping[str, str] | None = None
) -> Orders:
    """How the commands are written and read. ``names`` and ``alike``: see `domain.orders.Orders`."""
    faces = {it.command: it for it in commands}
    verbs: dict[Verb, tuple[type[Command], ...]] = {}
    for it in commands:
        for verb in it.verbs:
            verbs[verb] = (*verbs.pop(verb, ()), it.command)  # one that is shared stands where the last has it

    def tell(view: Any, action: Action) -> Order:
        return faces[type(action.command)].tell(view, action.command, action)

    def wish(view: Any, kind: type[Command], told: Told) -> Command | None:
        face = faces[kind]
        whole = face.follows(view, told)
        return None if whole is None else whole.named(kind, face.fields)

    def gains(view: Any, action: Action) -> Sequence[tuple[int, int]]:
        found = faces[type(action.command)].gains
        return found(view, action.command) if found else ()

    def remark(view: Any, action: Action) -> Sentence | None:
        found = faces[type(action.command)].remark
        return found(view, action.command, action) if found else None

    def idle(view: Any, action: Action) -> bool:
        found = faces[type(action.command)].idle
        return found is not None and found(view, action.command)

    listing = Listing(
        {it.command: it.open for it in commands if it.open},
        gains,
        remark,
        {it.command: it.hint for it in commands if it.hint},
        idle,
    )
    return Orders(verbs, tell, names, {it.command: it.lines for it in commands}, alike or {}, wish, listing)


def places_of(
    commands: Sequence[CommandFace],
    shown: Callable[[Any], tuple[NamedPlace, ...]],
    areas: Callable[[Any, bool], Mapping[str, Area]],
    alike: Mapping[str, str] | None = None,
) -> Places:
    """The places of the commands. ``shown``, ``areas`` and ``alike``: see `domain.places.Places`."""
    faces = {it.command: it for it in commands}

    def aim(view: Any, action: Action) -> Aim:
        return faces[type(action.command)].aim(view, action.command)

    return Places(tuple(dict.fromkeys(it.kind for it in commands)), shown, areas, aim, alike or {})


def ahead_of(commands: Iterable[CommandFace], others: Ahead) -> Ahead:
    """The function that describes the outcome of a command by its record, or by ``others`` if that is silent."""
    told = {it.command: it.ahead for it in commands if it.ahead is not None}

    def ahead(view: View, command: Any, at: str) -> list[Sentence]:
        return told.get(type(command), others)(view, command, at)

    return ahead


# ==== all of it ===================================================================================
class Face(msgspec.Struct, frozen=True):
    """Everything that a title says and draws.

    ``words``: what it calls things, in every language; its own name stands among them.
    ``notes``: sentences on what is reconstructed, to be shown wherever it is shown.

    ``narrate(events)``: sentences for the events of one ply, as far as they were redacted for the reader.
    ``hand(view)``: the viewer's own hidden things in a few sentences. ``standing(view)``: score and place of each
    seat so far, in sentences. ``why_asked(view)``: the reason of the turn, in a few words that go on after "It is your
    turn:" (None: the game waits for nobody). ``report(view)``: the whole open position, for readers without a board.
    ``things(view)``: the things beside the board, before the viewer and before all.
    ``picture(view, theme, language, small)``; ``colours``: those it draws with beside those of all boards
    (`domain.drawing`).

    ``orders``: its commands as lines that a person would type. ``places``: what one points at to mean them.
    ``ahead(view, command, at)``: what comes of a command that cannot be foreseen, in words: first what happens, then
    what it may cost. ``at``: where foreseeing ended (`domain.play.foresee`), which may rest on something hidden:
    nothing may be said by which it shows.
    """

    words: Words
    notes: tuple[Sentence, ...]
    narrate: Callable[[Sequence[Event]], list[Sentence]]
    hand: Callable[[View], list[Sentence]]
    standing: Callable[[View], list[Sentence]]
    why_asked: Callable[[View], Sentence | None]
    report: Callable[[View], Description]
    things: Callable[[View], Things]
    picture: DrawBoard
    orders: Orders
    places: Places
    ahead: Ahead = nothing_ahead
    colours: Palettes = NO_COLOURS
