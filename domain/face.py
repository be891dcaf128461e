"""The other half of a title, its face: how a game is described, pointed at and drawn.

It knows the rules (`domain.rules`); they do not know it. A command has a record here (`CommandFace`), besides the one
in its chapter of the rules. English texts stand here, other languages in the title's ``.po`` files.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from domain.messages import Command, Event
from domain.orders import BLANK, Listing, Names, Order, Orders, Told, Verb
from domain.places import Aim, Area, NamedPlace, Places
from domain.plots import Happening, Plot
from domain.report import Description
from domain.rules import Action, View
from domain.terms import Term
from domain.things import Things
from domain.tips import Tip
from domain.words import Language, Quoted, Sentence, Words


# ==== the board ===================================================================================
class Piece(msgspec.Struct, frozen=True):
    """A part of a picture that changes during a game: SVG inside the box x, y, width, height (board units).

    Equal pieces have equal ``svg``, drawn around the origin (0, 0 = top left of the box), so that their pixels can be
    kept. ``name``: unique in a picture, and the same in all drawings: the name of the piece's place (`domain.places`),
    else one that it keeps from move to move ("train.2"). So two positions are compared by names. ``seat``: its owner.
    """

    x: float
    y: float
    width: float
    height: float
    svg: str
    name: str = ""
    seat: int | None = None


class Picture(msgspec.Struct, frozen=True):
    """A board: ``ground`` is the same for all games of a theme, language and drawing; ``pieces`` lie on it.

    ``box``: x, y, width, height of the view box. ``label``: a text alternative to the picture. ``defs``: a file that
    all pages share. Only ``defs`` have ids, and only ``ground`` uses them. They begin with a word for the drawing, so
    that both drawings fit in one page. The drawing of a place (`domain.places`) has the place's id: a piece as its
    name, a group of the ground as its ``data-place``.
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
    """Draw a board. ``small``: the drawing for a phone, with fewer and larger things.

    ``alone``: without what a page shows beside the board: market, money, a line for each seat. ``small`` never has it.
    """

    def __call__(
        self, view: View, theme: Theme, language: Language, small: bool = False, alone: bool = False
    ) -> Picture: ...


# ==== a command ===================================================================================
Ahead = Callable[[View, Any, str], list[Sentence]]


def nothing_ahead(view: View, command: Any, at: str) -> list[Sentence]:
    """Describe nothing: for a title without sentences about the future."""
    return []


def as_told(view: View, told: Told) -> Told:
    """Return the told things unchanged: nothing follows from them."""
    return told


class CommandFace(msgspec.Struct, frozen=True, eq=False):
    """How a command is asked for, written, pointed at and explained.

    ``verbs``: the words that ask for it; commands that share a verb have the same value. ``lines``: the templates of
    its lines; ``tell(view, command, action)``: the line of a legal command, as the seat of that view says it. ``kind``:
    the kind of action, for `domain.places`; ``aim(view, command)``: the places to point at for a legal one. ``deed``:
    the button of a command with an open part, which it names ("Borrow ${amount}", "Keep these tickets").

    ``fields``: field -> kind of the thing that it names, so that the rules can say why a line is not legal.
    ``follows(view, told)``: the told things with their consequences (a route from its two cities); None if it names no
    command.

    For lists, as in `domain.orders.Listing`: ``open``: the fields of its line that a target leaves open; ``gains(view,
    command)``, ``remark(view, command, action)`` and ``idle(view, command)`` of a legal one; ``hint``: further
    information on its lines. ``ahead``: see `Face`.
    """

    command: type[Command]
    verbs: tuple[Verb, ...]
    lines: tuple[Sentence, ...]
    tell: Callable[[Any, Any, Action], Order]
    kind: str
    aim: Callable[[Any, Any], Aim]
    deed: Sentence | None = None
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
    """Return how the commands are written and read. ``names`` and ``alike``: see `domain.orders.Orders`."""
    faces = {it.command: it for it in commands}
    verbs: dict[Verb, tuple[type[Command], ...]] = {}
    for it in commands:
        for verb in it.verbs:
            verbs[verb] = (*verbs.pop(verb, ()), it.command)  # a shared verb takes the place of its last command

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
    """Return the places of the commands. ``shown``, ``areas`` and ``alike``: see `domain.places.Places`."""
    faces = {it.command: it for it in commands}

    def aim(view: Any, action: Action) -> Aim:
        return faces[type(action.command)].aim(view, action.command)

    return Places(tuple(dict.fromkeys(it.kind for it in commands)), shown, areas, aim, alike or {})


def deeds_of(commands: Iterable[CommandFace]) -> Mapping[type[Command], Sentence]:
    """Return the buttons of the commands with an open part."""
    return {it.command: it.deed for it in commands if it.deed is not None}


def ahead_of(commands: Iterable[CommandFace], others: Ahead) -> Ahead:
    """Return a function that describes the outcome of a command by its record, or by ``others`` if the record is
    silent.
    """
    told = {it.command: it.ahead for it in commands if it.ahead is not None}

    def ahead(view: View, command: Any, at: str) -> list[Sentence]:
        return told.get(type(command), others)(view, command, at)

    return ahead


# ==== after the end ===============================================================================
def no_plots(moments: Sequence[Happening]) -> tuple[Plot, ...]:
    """Return no plots: for a title that has none."""
    return ()


# ==== all of it ===================================================================================
class Face(msgspec.Struct, frozen=True):
    """The texts and drawings of a title.

    ``words``: its names in every language, its own name included. ``notes``: sentences on reconstructed material, shown
    wherever the title is shown.

    ``narrate(events)``: sentences for the events of one ply, as far as they were redacted for the reader.
    ``hand(view)``: the viewer's own hidden things in a few sentences. ``standing(view)``: score and place of each seat
    so far, in sentences. ``why_asked(view)``: the reason of the turn, in a few words that continue "It is your turn:"
    (None: the game waits for nobody). ``asks(view)``: what a waiting seat has to do, for lists of games: "Choose a
    loan". ``report(view)``: the whole open position, for readers without a board.
    ``things(view)``: the things beside the board, before the viewer and in public. ``picture``: see `DrawBoard`;
    ``colours``: the title's own, besides the colours of all boards (`domain.drawing`).

    ``orders``: its commands as lines that a person would type. ``places``: the places to point at for each command.
    ``deeds``: class of command -> the button of an action with an open part.
    ``ahead(view, command, at)``: the outcome of an unforeseeable command in words: first the events, then the possible
    cost. ``at``: the point where foreseeing ended (`domain.play.foresee`), which may depend on something hidden. The
    sentences must not depend on it.

    ``tips``: explanations for beginners, the most important first. ``terms``: the words that pages explain.

    ``plots(moments)``: the numbers of a game that is over, the seats' scores first, their last points the result's.
    ``end_begins``: the events that say that the end has begun.
    """

    words: Words
    notes: tuple[Sentence, ...]
    narrate: Callable[[Sequence[Event]], list[Sentence]]
    hand: Callable[[View], list[Sentence]]
    standing: Callable[[View], list[Sentence]]
    why_asked: Callable[[View], Sentence | None]
    asks: Callable[[View], Sentence]
    report: Callable[[View], Description]
    things: Callable[[View], Things]
    picture: DrawBoard
    orders: Orders
    places: Places
    deeds: Mapping[type[Command], Sentence] = {}
    ahead: Ahead = nothing_ahead
    colours: Palettes = NO_COLOURS
    tips: tuple[Tip, ...] = ()
    terms: tuple[Term, ...] = ()
    plots: Callable[[Sequence[Happening]], tuple[Plot, ...]] = no_plots
    end_begins: tuple[type[Event], ...] = ()

    def deed(self, action: Action, amount: int | None = None) -> Sentence | None:
        """Return an action with an open part as a button says it: with an amount, or a blank. None without one."""
        said, command = self.deeds.get(type(action.command)), action.command
        if said is None:
            return None
        facts = {field: getattr(command, field) for field in command.__struct_fields__}
        if action.span is not None:
            facts[action.span.field] = Quoted(BLANK) if amount is None else amount
        return Sentence(said.template, facts)
