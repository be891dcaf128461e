"""What a player points at: places of the picture and the hand, and the legal actions that a choice of them leaves.

*Places* are things to point at; each has an id of its own title. Where its words name that id, this is its name. A
*kind* is what an action does ("build"); words name it as "do build". One rule narrows: kinds and places are chosen in
any order, and what is left are the actions that contain all of them. Nothing here knows a language or a page.
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

MOST_LISTED = 20
"""More lines than these are no list any more: kinds and places with their numbers are shown instead."""


class NamedPlace(msgspec.Struct, frozen=True):
    """Something one can point at.

    ``name``: None where the title's words name its id. ``on_board``: both drawings have an area of it; else it is
    shown beside them, with the hand, and a drawing may have an area of it all the same.
    """

    id: str
    name: Sentence | None = None
    on_board: bool = False

    def called(self, language: Language) -> str:
        return language.name(self.id) if self.name is None else say(self.name, language, str)


class Area(msgspec.Struct, frozen=True):
    """Where a place is in a drawing: along a line (of one point, or more) in board units.

    ``body``: how far from the line the thing that is drawn there reaches.
    """

    line: tuple[Point, ...]
    body: float

    @property
    def middle(self) -> Point:
        """Where a ring or a menu belongs."""
        return self.line[len(self.line) // 2]

    @property
    def path(self) -> str:
        """The line as data of an SVG path: stroked with round ends, of any breadth, it is a hit area."""
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (self.line if len(self.line) > 1 else self.line * 2))

    def distance(self, point: Point) -> float:
        """From ``point`` to the line."""
        if len(self.line) == 1:
            return math.dist(point, self.line[0])
        return min(_distance(point, a, b) for a, b in zip(self.line, self.line[1:], strict=False))


def _distance(point: Point, a: Point, b: Point) -> float:
    """From a point to the stretch from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = (point[0] - a[0]) * dx + (point[1] - a[1]) * dy
    part = min(max(along / ((dx * dx + dy * dy) or 1), 0), 1)
    return math.dist(point, (a[0] + part * dx, a[1] + part * dy))


def box(left: float, top: float, width: float, height: float) -> Area:
    """The area of a thing that lies in a box: a line along its longer side, as broad as the shorter one."""
    body = min(width, height) / 2
    if width >= height:
        return Area(((left + body, top + body), (left + width - body, top + body)), body)
    return Area(((left + body, top + body), (left + body, top + height - body)), body)


def nearest(areas: Mapping[str, Area], point: Point, reach: float) -> tuple[str, ...]:
    """The places that a touch at ``point`` may mean, the nearest first.

    ``reach``: how exact a touch is, in board units: 12 px of a finger, so that each hit area is 24 px wide at least.
    One is meant; several are offered by their names; none was near.
    """
    away = ((area.distance(point), area.body, place) for place, area in areas.items())
    near = sorted((max(far - body, 0), far, place) for far, body, place in away if far <= max(body, reach))
    return tuple(place for _, _, place in near)


class Aim(msgspec.Struct, frozen=True):
    """What one points at to mean an action.

    ``places``: all that mean it, in the order one would say them. ``more``: those it has only if they are pointed at:
    check boxes, switches. ``number``: of the otherwise equal actions, this takes so many ``of`` a thing; − and + go
    from one to the next. ``gains``: (seat, amount), what it brings to whom.
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
    """A legal action (of the title's contract), with what one points at."""

    action: Any
    aim: Aim

    @property
    def command(self) -> Command:
        command: Command = self.action.command
        return command


class Places(msgspec.Struct, frozen=True, eq=False):
    """What a title's picture and hand have to point at.

    ``kinds``: of its actions, in the order of a turn. ``shown(view)``: its places, in reading order.
    ``areas(view, small)``: id -> where it is in one of the two drawings. ``aim(view, action)``: of a legal action.
    ``alike``: id -> the one it is interchangeable with (`domain.orders.Orders.alike`, as places).
    """

    kinds: tuple[str, ...]
    shown: Callable[[Any], tuple[NamedPlace, ...]]
    areas: Callable[[Any, bool], Mapping[str, Area]]
    aim: Callable[[Any, Any], Aim]
    alike: Mapping[str, str] = {}

    def targets(self, view: Any, actions: Iterable[Any]) -> list[Aimed]:
        """The legal actions; of those that are meant by the same things, as two gray tracks, the first alone."""
        once: dict[Aim, Any] = {}
        for action in actions:
            once.setdefault(self.aim(view, action), action)
        return [Aimed(action, aim) for aim, action in once.items()]

    def narrow(self, targets: Sequence[Aimed], kinds: Sequence[str] = (), places: Sequence[str] = ()) -> "Narrowed":
        """What is left when all these are chosen, in any order."""
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
        """How many of the actions have each place that is not chosen; most have nothing that is interchangeable."""
        either = {*self.alike, *self.alike.values()}
        lit = Counter(chain.from_iterable(it.aim.all for it in rest if either.isdisjoint(it.aim.all)))
        for place in chosen:
            del lit[place]
        for it in rest:
            if not either.isdisjoint(it.aim.all):
                lit.update(self._lit(it.aim, wanted, chosen))
        return lit

    def _lit(self, aim: Aim, wanted: Counter[str], chosen: Sequence[str]) -> Iterator[str]:
        """The places of an action that are not chosen yet; what is interchangeable with them, too."""
        for it in self._counted(aim.all) - wanted:
            yield from (each for each in (it, *self._others(it)) if each not in chosen)

    def _others(self, place: str) -> Iterator[str]:
        return (it for it, same in self.alike.items() if same == place)


def _lines(plain: Iterable[Aimed]) -> list[tuple[Aimed, ...]]:
    """Actions by their lines: those that differ in their number alone are one, the lowest number first."""
    lines: dict[Any, list[Aimed]] = {}
    for it in plain:
        aim = it.aim
        lines.setdefault((aim.kind, aim.places, aim.more) if aim.of else id(it), []).append(it)
    return [tuple(sorted(line, key=lambda it: it.aim.number)) for line in lines.values()]


class Narrowed(msgspec.Struct, frozen=True):
    """What a choice leaves.

    ``rest``: the actions that contain all that is chosen. ``kinds`` and ``places``: those that are lit, with the
    number of actions of the rest that have them. ``lines``: those of the rest that have nothing more than was pointed
    at, one line for those that differ in their number alone.
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
        """The fewest and the most of ``more`` that an action of the rest has; None where none has any."""
        numbers = [len(it.aim.more) for it in self.rest]
        return (min(numbers), max(numbers)) if any(numbers) else None


def best_first(targets: Iterable[Aimed], seat: int) -> list[Aimed]:
    """Those that bring ``seat`` most, beside what they bring all others, come first."""

    def worth(it: Aimed) -> tuple[int, int]:
        own = dict(it.aim.gains).get(seat, 0)
        return -own, sum(amount for _, amount in it.aim.gains) - own

    return sorted(targets, key=worth)
