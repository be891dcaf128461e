"""Things that a player points at: places of the picture and the hand, and the legal actions that fit the chosen places.

*Places* are things to point at; each has an id of its own title. If the title's words name that id, this is the place's
name. A *kind* is a sort of action ("build"); words name it as "do build". One rule narrows the list: kinds and places
are chosen in any order, and the remaining actions are those that contain all of them. Nothing here depends on a
language or a page.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from domain.messages import Command
from domain.words import Language, Sentence, say

Point = tuple[float, float]

MOST_LISTED = 16
"""With more lines than these, no list is shown, but kinds and places with their numbers."""


class NamedPlace(msgspec.Struct, frozen=True):
    """Something one can point at.

    ``name``: None if the title's words name its id. ``on_board``: both drawings have an area for it. Otherwise it is
    shown beside them, with the hand; a drawing may have an area for it all the same.
    """

    id: str
    name: Sentence | None = None
    on_board: bool = False

    def called(self, language: Language) -> str:
        return language.name(self.id) if self.name is None else say(self.name, language, str)


class Area(msgspec.Struct, frozen=True):
    """The area of a place in a drawing: along a line (of one point, or more) in board units.

    ``body``: how far from the line the drawn thing reaches.
    """

    line: tuple[Point, ...]
    body: float

    @property
    def middle(self) -> Point:
        """The point for a ring or a menu."""
        return self.line[len(self.line) // 2]

    @property
    def path(self) -> str:
        """The line as data of an SVG path: stroked with round ends, at any width, it is a hit area."""
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (self.line if len(self.line) > 1 else self.line * 2))

    def distance(self, point: Point) -> float:
        """Return the distance from ``point`` to the line."""
        if len(self.line) == 1:
            return math.dist(point, self.line[0])
        return min(_distance(point, a, b) for a, b in zip(self.line, self.line[1:], strict=False))


def _distance(point: Point, a: Point, b: Point) -> float:
    """Return the distance from a point to the segment from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = (point[0] - a[0]) * dx + (point[1] - a[1]) * dy
    part = min(max(along / ((dx * dx + dy * dy) or 1), 0), 1)
    return math.dist(point, (a[0] + part * dx, a[1] + part * dy))


def box(left: float, top: float, width: float, height: float) -> Area:
    """Return the area of a thing in a box: a line along the longer side, as wide as the shorter one; or a circle."""
    body = min(width, height) / 2
    if width == height:
        return Area(((left + body, top + body),), body)
    if width > height:
        return Area(((left + body, top + body), (left + width - body, top + body)), body)
    return Area(((left + body, top + body), (left + body, top + height - body)), body)


def nearest(areas: Mapping[str, Area], point: Point, reach: float) -> tuple[str, ...]:
    """Return the places that a touch at ``point`` may mean, the nearest first.

    ``reach``: the precision of a touch, in board units: 12 px of a finger, so that each hit area is at least 24 px
    wide. One result is the choice; several are offered by name; with none, the touch was too far away.
    """
    away = ((area.distance(point), area.body, place) for place, area in areas.items())
    near = sorted((max(far - body, 0), far, place) for far, body, place in away if far <= max(body, reach))
    return tuple(place for _, _, place in near)


class Aim(msgspec.Struct, frozen=True):
    """The places to point at for an action.

    ``places``: all of them, in the order of speech. ``more``: optional ones, which count only if pointed at: check
    boxes, switches. ``number``: among otherwise equal actions, this one takes this number ``of`` a thing; − and + step
    through them. ``gains``: (seat, amount), its yield for each seat.
    """

    kind: str
    places: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    of: str = ""
    number: int = 0
    gains: tuple[tuple[int, int], ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return self.places + self.more


class Aimed(msgspec.Struct, frozen=True):
    """A legal action (of the title's contract), with the places to point at."""

    action: Any
    aim: Aim

    @property
    def command(self) -> Command:
        command: Command = self.action.command
        return command


class Places(msgspec.Struct, frozen=True, eq=False):
    """The pointable things of a title's picture and hand.

    ``kinds``: of its actions, in the order of a turn. ``shown(view)``: its places, in reading order. ``areas(view,
    small)``: id -> the area in one of the two drawings. ``aim(view, action)``: of a legal action. ``alike``: id -> the
    id it is interchangeable with (`domain.orders.Orders.alike`, as places).
    """

    kinds: tuple[str, ...]
    shown: Callable[[Any], tuple[NamedPlace, ...]]
    areas: Callable[[Any, bool], Mapping[str, Area]]
    aim: Callable[[Any, Any], Aim]
    alike: Mapping[str, str] = {}

    def targets(self, view: Any, actions: Iterable[Any]) -> list[Aimed]:
        """Return the legal actions. Of several actions for the same places, such as two gray tracks, return only the
        first.
        """
        once: dict[Aim, Any] = {}
        for action in actions:
            once.setdefault(self.aim(view, action), action)
        return [Aimed(action, aim) for aim, action in once.items()]

    def narrow(self, targets: Sequence[Aimed], kinds: Sequence[str] = (), places: Sequence[str] = ()) -> "Narrowed":
        """Return the actions that remain when all these are chosen, in any order."""
        wanted = Counter(self.alike.get(it, it) for it in places)
        rest = [it for it in targets if set(kinds) <= {it.aim.kind}]
        if wanted:
            rest = [it for it in rest if wanted <= self._counted(it.aim.all)]
        lit = self._all_lit(rest, wanted, places)
        plain = [it for it in rest if not it.aim.more or (wanted and self._counted(it.aim.more) <= wanted)]
        return Narrowed(
            tuple(rest),
            dict(Counter(it.aim.kind for it in rest)),
            dict(lit),
            tuple(_lines(plain if plain or len(rest) != 1 else rest)),
        )

    def _counted(self, ids: Iterable[str]) -> Counter[str]:
        return Counter(self.alike.get(it, it) for it in ids)

    def _all_lit(self, rest: Sequence[Aimed], wanted: Counter[str], chosen: Sequence[str]) -> Counter[str]:
        """Count the actions that have each place not chosen yet; most have no interchangeable places."""
        either = {*self.alike, *self.alike.values()}
        lit = Counter(chain.from_iterable(it.aim.all for it in rest if either.isdisjoint(it.aim.all)))
        for place in chosen:
            del lit[place]
        for it in rest:
            if not either.isdisjoint(it.aim.all):
                lit.update(self._lit(it.aim, wanted, chosen))
        return lit

    def _lit(self, aim: Aim, wanted: Counter[str], chosen: Sequence[str]) -> Iterator[str]:
        """Return the places of an action that are not chosen yet, and those interchangeable with them."""
        for it in self._counted(aim.all) - wanted:
            yield from (each for each in (it, *self._others(it)) if each not in chosen)

    def _others(self, place: str) -> Iterator[str]:
        return (it for it, same in self.alike.items() if same == place)


def _lines(plain: Iterable[Aimed]) -> list[tuple[Aimed, ...]]:
    """Group actions by their lines: those that differ only in their number share one, the lowest number first."""
    lines: dict[Any, list[Aimed]] = {}
    for it in plain:
        aim = it.aim
        lines.setdefault((aim.kind, aim.places, aim.more) if aim.of else id(it), []).append(it)
    return [tuple(sorted(line, key=lambda it: it.aim.number)) for line in lines.values()]


class Narrowed(msgspec.Struct, frozen=True):
    """The result of a choice.

    ``rest``: the actions that contain everything chosen. ``kinds`` and ``places``: those still to choose from, with the
    number of remaining actions that have them. ``lines``: the remaining actions that need nothing more, one line for
    those that differ only in their number.
    """

    rest: tuple[Aimed, ...]
    kinds: dict[str, int]
    places: dict[str, int]
    lines: tuple[tuple[Aimed, ...], ...]

    @property
    def meant(self) -> Aimed | None:
        """The action that is shown before it is done: the only line, with its lowest number."""
        return self.lines[0][0] if len(self.lines) == 1 else None

    @property
    def listed(self) -> tuple[Aimed, ...]:
        """The lines, each with its lowest number, if they are few enough to be read."""
        return tuple(line[0] for line in self.lines) if len(self.lines) <= MOST_LISTED else ()

    @property
    def boxes(self) -> tuple[int, int] | None:
        """The fewest and the most of ``more`` in any remaining action; None if none has any."""
        numbers = [len(it.aim.more) for it in self.rest]
        return (min(numbers), max(numbers)) if any(numbers) else None


def best_first(targets: Iterable[Aimed], seat: int) -> list[Aimed]:
    """Sort by the gain of ``seat`` over the gain of all others, the best first."""

    def worth(it: Aimed) -> tuple[int, int]:
        own = dict(it.aim.gains).get(seat, 0)
        return -own, sum(amount for _, amount in it.aim.gains) - own

    return sorted(targets, key=worth)
