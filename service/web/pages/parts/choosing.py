"""The part of the legal actions that a page shows. Its address narrows them, by the rule of `domain.places`.

``?do=`` names a kind of action and ``?at=`` a place, on the board or beside it; both may be repeated in any order. The
page shows the actions that have all of them, and highlights their kinds and places. More than `MOST_LISTED` lines
appear as kinds with counts, then as places with counts, if these are fewer; ``?from=`` lists them page by page.
``?number=`` picks one of the actions that differ only in a number, counted from the lowest. All controls are links to
the same page and work without a script. Words are made only for the actions shown.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from flask import g, request

from domain.messages import Command
from domain.places import MOST_LISTED, Aimed, Narrowed, Places, best_first
from domain.rules import Action
from domain.title import Title
from domain.words import Language, say
from service.base.lately import Lately
from service.web.pages.frame import _, number_in, reader, this_page
from service.web.pages.parts import forms
from service.web.pages.parts.forms import Boxes, Choice, Way
from service.words import listed

MOST, MOST_IN_LOW = MOST_LISTED, MOST_LISTED // 2
"""Lines that are shown at once; in a low window, as the script measured it, half as many."""
AT_MOST = 16
"""Places named by ``?at=`` that are considered."""
Line = tuple[Aimed, ...]
"""Actions that differ only in their number, or in their ticked things; the first is shown."""


def lines_at_once() -> int:
    """Return the number of lines that fit into the reader's window."""
    return MOST_IN_LOW if request.cookies.get("low") == "1" else MOST


class LitPlace(NamedTuple):
    """A place that is highlighted, or chosen. ``number``: its actions; ``address``: the page with it, or without it.

    ``pointed``: a lesson speaks of it.
    """

    id: str
    name: str
    address: str
    number: int
    chosen: bool = False
    pointed: bool = False


class Offered(NamedTuple):
    """The legal actions as a page shows them.

    ``number``: the actions left. ``groups``: forms; ``kinds`` and ``things``: links that narrow further. ``chosen``:
    the present choices, each with the address without it. ``spots``: by the id of the place. ``meant``: the only action
    left after a choice. ``first`` and ``last``: the range of ``lines`` shown, if there is more than one page of them,
    with the pages ``before`` and ``after``; ``whole``: the first page of them, instead of ``things``.
    """

    number: int
    groups: list[forms.Group]
    kinds: Sequence[Way] = ()
    things: Sequence[Way] = ()
    chosen: Sequence[Way] = ()
    spots: Mapping[str, LitPlace] = MappingProxyType({})
    meant: Command | None = None
    lines: int = 0
    first: int = 0
    last: int = 0
    before: str | None = None
    after: str | None = None
    whole: str | None = None

    @property
    def long(self) -> bool:
        """Do the lines need all the room that a choice has?"""
        return len(self.things) + sum(len(it.choices) for it in self.groups) > MOST_IN_LOW


class Narrowing(NamedTuple):
    """The choices in an address."""

    do: str = ""
    at: tuple[str, ...] = ()
    since: int | None = None
    number: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.do,) if self.do else ()

    @property
    def address(self) -> str:
        return self._query((*self._fields_but_places(), *self._places(), *self._steps()), "actions")

    def with_place(self, place: str, below: str = "actions") -> str:
        """Return the address with one more place, or without it if it is chosen; the other choices start again."""
        at = tuple(it for it in self.at if it != place) if place in self.at else (*self.at, place)
        return self._replace(at=at)._query((*self._fields_but_places(), *(f"at={_quoted(it)}" for it in at)), below)

    @property
    def adding(self) -> str:
        """Return the address with one more place, up to its name."""
        return self._query((*self._fields_but_places(), *self._places(), "at="), "").removesuffix("#")

    def _fields_but_places(self) -> Iterator[str]:
        if self.do:
            yield f"do={_quoted(self.do)}"

    def _places(self) -> Iterator[str]:
        return (f"at={_quoted(it)}" for it in self.at)

    def _steps(self) -> Iterator[str]:
        if self.since is not None:
            yield f"from={self.since}"
        if self.number:
            yield f"number={self.number}"

    def _query(self, fields: Iterable[str], below: str) -> str:
        bare, query = _bare(), "&".join(fields)
        joined = ("&" if "?" in bare else "?") + query if query else ""
        return f"{bare}{joined}#{below}"


def _bare() -> str:
    """Return this page's address without choices; computed once, as there may be a hundred links."""
    if "bare_page" not in g:
        g.bare_page = this_page({"do": [], "at": [], "from": [], "number": []})
    return cast(str, g.bare_page)


@lru_cache(4096)
def _quoted(id: str) -> str:
    """Return the id of a kind or a place as it stands in an address, cached: a page may link to a hundred of them."""
    return quote(id, safe="")


# ==== the actions shown ===========================================================================
def offered(
    title: Title,
    view: Any,
    actions: Sequence[Action],
    language: Language,
    player: Callable[[int], str],
    *,
    seat: int | None = None,
    chosen: Command | None = None,
) -> Offered:
    """Show the legal ``actions`` of the position in ``view``, narrowed by this address.

    ``chosen``: the choice before a refusal; it is among the actions shown.
    """
    if not actions:
        return Offered(0, [])
    targets = _targets(title, view, actions, seat or 0)
    kept = next((it for it in targets.all if chosen is not None and it.action.means(chosen)), None)
    wish = _wish() if kept is None else _around(title.face.places, targets.all, kept)
    if wish.do or wish.at:
        left, wish = _narrowed(title.face.places, targets.all, wish)
        lines: Sequence[Line] = _lines(left, targets.seat)
    else:
        left, lines = targets.whole
    return _Sheet(title, view, left, wish, language, player, chosen).offered(lines)


class _Targets:
    """The places that mean each action of a seat, and the page while nothing is chosen."""

    def __init__(self, title: Title, view: Any, actions: Sequence[Action], seat: int) -> None:
        self.actions, self.seat, self.all = actions, seat, title.face.places.targets(view, actions)
        self._places = title.face.places

    @cached_property
    def whole(self) -> tuple[Narrowed, Sequence[Line]]:
        left = self._places.narrow(self.all)
        return left, _lines(left, self.seat)


_aims: Lately[_Targets] = Lately(16)
"""Of the actions shown last."""


def _targets(title: Title, view: Any, actions: Sequence[Action], seat: int) -> _Targets:
    """Return the places of actions. They are cached by position, as the actions are (`service.games.queries`)."""
    others = tuple(map(id, actions))  # ids stay unique: the cache holds the actions
    return _aims.of(actions[0], lambda: _Targets(title, view, actions, seat), seat, others)


class _Sheet(NamedTuple):
    """A choice, the actions it leaves, and their words."""

    title: Title
    view: Any
    left: Narrowed
    wish: Narrowing
    language: Language
    player: Callable[[int], str]
    asked: Command | None

    def offered(self, lines: Sequence[Line]) -> Offered:
        spots = self._spots()
        chosen = []
        if self.wish.do:
            chosen.append(self._way_of(self.wish.do, ""))
        chosen += [Way(it.name, it.address, id=f"to-{it.id}") for it in spots.values() if it.chosen]
        whole = Offered(len(self.left.rest), [], chosen=chosen, spots=spots, lines=len(lines))
        most = lines_at_once()
        if len(lines) <= most:
            only = lines[0] if len(lines) == 1 and chosen else None
            meant = None if only is None else self._at(only)[0].command
            return whole._replace(groups=self._groups(lines), meant=meant)
        if len(self.left.kinds) > 1:
            alone = _alone(lines)
            return whole._replace(kinds=self._kinds({it[0].aim.kind for it in alone}), groups=self._groups(alone))
        things = self._things(spots)
        if 0 < len(things) < len(lines) and self.wish.since is None and self.asked is None:
            return whole._replace(things=things, whole=self.wish._replace(since=0).address)
        since = self.wish.since if self.wish.since and self.wish.since < len(lines) else 0
        until = min(since + most, len(lines))
        return whole._replace(
            groups=self._groups(lines[since:until]),
            first=since + 1,
            last=until,
            before=self.wish._replace(since=max(0, since - most)).address if since else None,
            after=self.wish._replace(since=until).address if until < len(lines) else None,
        )

    def _kind(self, kind: str) -> str:
        return self.language.name(f"do {kind}")

    def _kinds(self, shown: set[str]) -> list[Way]:
        order = {kind: place for place, kind in enumerate(self.title.face.places.kinds)}
        found = sorted(self.left.kinds.items(), key=lambda it: order[it[0]])
        return [self._way_of(kind, kind, count) for kind, count in found if kind not in shown]

    def _way_of(self, kind: str, to: str, number: int = 0) -> Way:
        return Way(self._kind(kind), self.wish._replace(do=to, since=None, number=0).address, number, f"do-{kind}")

    def _spots(self) -> dict[str, LitPlace]:
        """Return the spots in reading order."""
        spots, lit, at, more = {}, self.left.places, self.wish.at, self.wish.adding
        for place in self.title.face.places.shown(self.view):
            id_ = place.id
            if id_ in lit or id_ in at:
                address = self.wish.with_place(id_) if id_ in at else f"{more}{_quoted(id_)}#actions"
                number = lit.get(id_, len(self.left.rest))
                spots[id_] = LitPlace(id_, place.called(self.language), address, number, id_ in at)
        return spots

    def _things(self, spots: dict[str, LitPlace]) -> list[Way]:
        """Return the places that only some of the actions have, by where they are written, then by name."""
        said: dict[str, int] = {}
        for it in self.left.rest:
            for place, id_ in enumerate(it.aim.all):
                said[id_] = min(place, said.get(id_, place))
        telling = [it for it in spots.values() if not it.chosen and it.number < len(self.left.rest)]
        telling.sort(key=lambda it: (said.get(it.id, 0), it.name))
        return [Way(it.name, it.address, it.number, f"to-{it.id}") for it in telling]

    # ---- lines ----
    def _groups(self, lines: Iterable[Line]) -> list[forms.Group]:
        choices = [(line[0].action, self._choice(line)) for line in lines]
        if self.wish.do and choices:
            return [forms.Group(self.wish.do, self._kind(self.wish.do), [choice for _, choice in choices])]
        return forms.action_groups(choices, self.language)

    def _choice(self, line: Line) -> Choice:
        it, at = self._at(line)
        choice = forms.choice_of(it.action, self.language, self.player, self.asked)
        deed = self.title.face.deed(it.action)
        says = "" if deed is None else say(deed, self.language, self.player)
        choice = choice._replace(places=it.aim.all, deed=self._kind(it.aim.kind))
        if boxes := self._boxes(line):
            ticked = {id_ for id_, _, ticked in boxes.boxes if ticked}
            text = choice.text if ticked and ticked == set(it.aim.more) else self._with_price(choice.deed, it)
            return choice._replace(boxes=boxes, text=text, deed=says)
        if deed is not None and choice.span and choice.span.low == choice.span.high:
            whole = self.title.face.deed(it.action, choice.span.low) or deed
            return choice._replace(span=None, text=say(whole, self.language, self.player))
        return choice._replace(
            says=says if choice.span else "",
            brings=self._brings(it),
            gains=it.aim.gains,
            ways=[*self._numbers(line, at), *self._switches(it)],
        )

    def _with_price(self, kind: str, it: Aimed) -> str:
        """Return a kind of action that names none of its ticks, with its days or points."""
        remark = self.title.face.orders.listing.remark(self.view, it.action)
        return kind if remark is None else f"{kind} ({say(remark, self.language, self.player)})"

    def _at(self, line: Line) -> tuple[Aimed, int]:
        """Return the action shown of a line, and its index there: the requested one, else the wished one."""
        asked = (n for n, it in enumerate(line) if self.asked is not None and it.command == self.asked)
        if _field(line):
            exact = (n for n, it in enumerate(line) if set(it.aim.more) <= set(self.wish.at))
            at = next(asked, next(exact, 0))
        else:
            at = next(asked, min(self.wish.number, len(line) - 1))
        return line[at], at

    def _boxes(self, line: Line) -> Boxes | None:
        field = _field(line)
        if not field:
            return None
        sizes, shown = [len(it.aim.more) for it in line], self._at(line)[0].aim.more
        ticked = shown if self.asked is not None else self.wish.at
        ids = dict.fromkeys(id_ for it in line for id_ in it.aim.more)
        named = {it.id: it.called(self.language) for it in self.title.face.places.shown(self.view) if it.id in ids}
        return Boxes(field, min(sizes), max(sizes), [(id_, name, id_ in ticked) for id_, name in named.items()])

    def _brings(self, it: Aimed) -> str:
        if not it.aim.gains:
            return ""
        whom = [f"{self.player(seat)} +{amount}" for seat, amount in it.aim.gains]
        return _("Income: {whom}", whom=listed(whom, reader().lang))

    def _numbers(self, line: Line, at: int) -> list[Way]:
        """Return links to one less and one more."""
        if len(line) == 1:
            return []
        here, name = self._to(line[0], line[0].aim.more), self.language.name(line[0].aim.of)
        signs = (("−", at - 1), ("+", at + 1))
        return [Way(f"{sign} {name}", here._replace(number=to).address) for sign, to in signs if 0 <= to < len(line)]

    def _switches(self, it: Aimed) -> list[Way]:
        """Return switches for the action's optional things."""
        beside = dict.fromkeys(
            id_
            for other in self.left.rest
            if other.aim.more and (other.aim.kind, other.aim.places) == (it.aim.kind, it.aim.places)
            for id_ in other.aim.more
            if id_ not in it.aim.more
        )
        names = (
            {each.id: each.called(self.language) for each in self.title.face.places.shown(self.view)} if beside else {}
        )
        return [Way(f"+ {names[id_]}", self._to(it, (*it.aim.more, id_)).address) for id_ in beside]

    def _to(self, it: Aimed, more: Sequence[str]) -> Narrowing:
        """Return the choices that leave the action as the only line, with as few places as possible."""
        left = [other for other in self.left.rest if other.aim.kind == it.aim.kind]
        telling = []
        for place in it.aim.places:
            fewer = [other for other in left if place in other.aim.all]
            if place not in self.wish.at and len(fewer) < len(left):
                telling.append(place)
            left = fewer
        return Narrowing(it.aim.kind, tuple(dict.fromkeys((*self.wish.at, *telling, *more))))


def _lines(left: Narrowed, seat: int) -> list[Line]:
    """Return the lines of the remaining actions, the most profitable first. Actions that differ in ticks share one."""
    boxes: dict[Any, list[Aimed]] = {}
    for it in left.rest:
        if it.aim.more:
            boxes.setdefault((it.aim.kind, it.aim.places), []).append(it)
    lines = []
    for line in left.lines:
        variants = boxes.get((line[0].aim.kind, line[0].aim.places))
        if not variants or not _field(both := (*(it for it in line if it not in variants), *variants)):
            lines.append(line)
        elif boxes.pop((line[0].aim.kind, line[0].aim.places)):
            lines.append(both)
    told = {(it.aim.kind, it.aim.places) for line in lines for it in line}
    lines += [tuple(sorted(it, key=lambda each: len(each.aim.more))) for key, it in boxes.items() if key not in told]
    if any(line[0].aim.gains for line in lines):
        place = {id(it): number for number, it in enumerate(best_first((line[0] for line in lines), seat))}
        lines.sort(key=lambda line: place[id(line[0])])
    return lines


def _field(line: Line) -> str:
    """Return the field of a command that takes the ticks: the only one in which the actions of a line differ."""
    if len(line) == 1 or not any(it.aim.more for it in line):
        return ""
    commands = [it.command for it in line]
    differing = {field for field in commands[0].__struct_fields__ if len({getattr(it, field) for it in commands}) > 1}
    field = differing.pop() if len(differing) == 1 else ""
    ticked = field and all(getattr(it.command, field) == it.aim.more for it in line)
    return field if ticked else ""


def _alone(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a long list that are the only ones of their kind, without unusual ones."""
    number = Counter(line[0].aim.kind for line in lines)
    return [it for it in lines if number[it[0].aim.kind] == 1 and not it[0].action.aside]


# ==== the wish ====================================================================================
def _wish() -> Narrowing:
    if request.method not in ("GET", "HEAD"):
        return Narrowing()
    given = request.args
    at = tuple(dict.fromkeys(islice(given.getlist("at"), AT_MOST)))
    return Narrowing(given.get("do", ""), at, number_in(given.get("from")), number_in(given.get("number"), 3) or 0)


def _around(places: Places, targets: Sequence[Aimed], kept: Aimed) -> Narrowing:
    """Return the choices that show ``kept``, if the page without choices does not."""
    whole = places.narrow(targets)
    if len(_lines(whole, 0)) <= lines_at_once():
        return Narrowing()
    aim = kept.aim
    return Narrowing(aim.kind, aim.all)


def _narrowed(places: Places, targets: Sequence[Aimed], wish: Narrowing) -> tuple[Narrowed, Narrowing]:
    """Return the actions that the wish leaves, and the wish without stale parts, which none of the actions has."""
    left = places.narrow(targets, wish.kinds, wish.at)
    if left.rest:
        return left, wish
    wish = wish if any(it.aim.kind == wish.do for it in targets) else wish._replace(do="")
    known: tuple[str, ...] = ()
    for it in wish.at:
        if places.narrow(targets, wish.kinds, (*known, it)).rest:
            known = (*known, it)
    return places.narrow(targets, wish.kinds, known), wish._replace(at=known)
