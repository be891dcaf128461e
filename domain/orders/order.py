"""The declarations of a title that let its commands be written and read as lines.

*Things* are named in a line: each has a kind of the title's own ("card", "place") and an id. Some of an action's things
are its own: they may be left out if the rest is enough. An *extra* is meant only if it is named. A thing *beside* is no
part of the command; it may be written and must then be right.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from domain.messages import Command
from domain.words import Sentence

BLANK = "…"
"""Stands in a text for what is still to be chosen."""
NUMBER = "number"
"""The kind of a thing that is a number; its id is the number in digits."""


class One(msgspec.Struct, frozen=True):
    """A thing named in a line: "Boston"."""

    kind: str
    id: str
    extra: bool = False


class Several(msgspec.Struct, frozen=True):
    """Things in any order: "Boston, Ottawa"."""

    kind: str
    ids: tuple[str, ...]


class Ends(msgspec.Struct, frozen=True):
    """The two ends of each thing, in any order: "Duluth–Omaha, Boston–Miami"."""

    kind: str
    pairs: tuple[tuple[str, str], ...]


class Path(msgspec.Struct, frozen=True):
    """Things in their order. The first is the start, and the last is the end. A single one is the end.

    A line asks for the word between them: ``{way:to}`` is "Boston to Utica", ``{way}`` is "Boston, Utica".
    """

    kind: str
    ids: tuple[str, ...]


class Cards(msgspec.Struct, frozen=True):
    """A count of each kind: "2 blue 1 locomotive", or one by one: "blue blue locomotive".

    ``unsaid``: the line means these cards if it names none of them. ``by``: the kind that may be named alone, without a
    number.
    """

    kind: str
    counts: tuple[tuple[str, int], ...]
    unsaid: bool
    by: str | None = None


class Amount(msgspec.Struct, frozen=True):
    """The number that is left open in an action: ``low``, ``low + step`` … ``high``, for its command's ``field``."""

    field: str
    low: int
    high: int
    step: int = 1

    def takes(self, number: int) -> bool:
        return self.low <= number <= self.high and (number - self.low) % self.step == 0

    @property
    def usual(self) -> int:
        """An amount to give as an example: the lowest above zero, if there is one."""
        return self.low or min(self.step, self.high)

    def at_least(self, number: int) -> int | None:
        """Return the lowest amount from ``number`` on; None if that is above the highest."""
        found = max(self.low, self.low + -(-(number - self.low) // self.step) * self.step)
        return found if self.takes(found) else None


Part = One | Several | Ends | Path | Cards | Amount


class Slots(NamedTuple):
    """The things of an order by the way they are named. ``single``: its ``own`` first, things beside
    it, then ``here``.
    """

    single: tuple[One, ...]
    own: int
    path: Path | None
    cards: Cards | None
    amount: Amount | None
    here: One | None


class Order(msgspec.Struct, frozen=True, dict=True):
    """An action as a line. ``line``: its template; ``parts``: field -> its things; also things that no field asks for.

    It has one path, one set of cards and one amount at most. ``here``: its location, if that may be written: an action
    with places of its own names this one only beside one of them.
    """

    line: Sentence
    parts: Mapping[str, Part] = {}
    beside: tuple[One, ...] = ()
    here: One | None = None

    @cached_property
    def slots(self) -> Slots:
        single: list[One] = []
        for part in self.parts.values():
            match part:
                case One():
                    single.append(part)
                case Several():
                    single += [One(part.kind, it) for it in part.ids]
                case Ends():
                    single += [One(part.kind, it) for pair in part.pairs for it in pair]
        path, cards, amount = (self._only(kind) for kind in (Path, Cards, Amount))
        beside = self.beside if self.here is None else (*self.beside, self.here)
        return Slots((*single, *beside), len(single), path, cards, amount, self.here)

    def _only(self, kind: type[Any]) -> Any:
        return next((part for part in self.parts.values() if isinstance(part, kind)), None)

    @cached_property
    def own(self) -> frozenset[tuple[str, str]]:
        """Its own things, as (kind, id); an open number does not count."""
        slots = self.slots
        found = {(it.kind, it.id) for it in slots.single[: slots.own]}
        if slots.path is not None:
            found |= {(slots.path.kind, it) for it in slots.path.ids}
        if slots.cards is not None:
            found |= {(slots.cards.kind, it) for it, _ in slots.cards.counts}
        return frozenset(found)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of its things."""
        slots = self.slots
        return frozenset(it.kind for it in (*slots.single, slots.path, slots.cards) if it is not None)


class Told(NamedTuple):
    """The things in a line: each with all its possible meanings, (kind, id); and the count of each counted thing."""

    things: tuple[frozenset[tuple[str, str]], ...]

    def of(self, kind: str) -> list[str]:
        """Return all possible things of a kind, in the order of the line."""
        return [it for each in self.things for it in self._ids(each, kind)[:1]]

    def beside(self, kind: str, ids: Sequence[str]) -> "Told":
        """Add things that follow from others: a route from its ends."""
        return Told((*self.things, *(frozenset({(kind, it)}) for it in ids)))

    @staticmethod
    def _ids(thing: frozenset[tuple[str, str]], kind: str) -> list[str]:
        return sorted(it for of, it in thing if of == kind)

    def named(self, kind: type[Command], fields: Mapping[str, str]) -> Command | None:
        """Return the command whose ``fields`` (field -> kind of thing) hold the told things.

        A thing stands in two fields only if no other fits. ``kind*`` takes all things of a kind. None if a field finds
        no thing.
        """
        left = list(self.things)
        values: dict[str, Any] = {}
        for field, of in fields.items():
            if of.endswith("*"):
                values[field] = self.of(of[:-1])
                continue
            fitting = [it for it in left if self._ids(it, of)] or [it for it in self.things if self._ids(it, of)]
            if not fitting:
                return None
            values[field] = self._ids(fitting[0], of)[0]
            left = [it for it in left if it is not fitting[0]]
        try:
            return msgspec.convert(values, kind, strict=False)
        except msgspec.ValidationError:
            return None


class Verb(msgspec.Struct, frozen=True, eq=False):
    """Words by which commands are asked for: "move | go | travel".

    A blank stands between words that follow one another. "…" stands for the things: "take … back" has a word before and
    one after them, "… beenden" may stand at the end. ``rule``: the rule about the commands. ``whole``: the commands can
    lose something, so the verb's beginning never stands for it.
    """

    words: Sentence
    rule: str
    whole: bool = False


class Names(msgspec.Struct, frozen=True, eq=False):
    """One seat's names for things: kind -> id -> spellings, first the one for writing lines.

    A spelling may hold several synonyms ("locomotive | engine"). A thing without spellings is called by its name; every
    thing is understood by its name, too. ``counted``: the kind whose things may follow a number.
    """

    kinds: Mapping[str, Mapping[str, tuple[Sentence, ...]]]
    counted: frozenset[str] = frozenset()


class Listing(msgspec.Struct, frozen=True, eq=False):
    """The declarations of a title for lists of its actions.

    ``open``: class of command -> the fields of its line that a target leaves open. Of a path the ends stay.
    ``gains(view, action)``: (seat, amount), its yield for each seat; among several ways that lead to the same, the line
    shows the one that yields most. ``remark(view, action)``: useful facts besides its line: days, points. ``hints``:
    class of command -> further information on its lines. ``idle(view, action)``: does it change nothing as things
    stand? Then no list offers it, though the rules allow it and a line that names it is done.
    """

    open: Mapping[type[Command], tuple[str, ...]] = {}
    gains: Callable[[Any, Any], Sequence[tuple[int, int]]] = lambda view, action: ()
    remark: Callable[[Any, Any], Sentence | None] = lambda view, action: None
    hints: Mapping[type[Command], Sentence] = {}
    idle: Callable[[Any, Any], bool] = lambda view, action: False


class Orders(msgspec.Struct, frozen=True, eq=False, dict=True):
    """How a title's commands are written and read.

    ``verbs``: verb -> the classes of commands that it asks for; each class has at least one verb. ``tell(view,
    action)``: the line of a legal action, as the seat of that view says it. ``names(view)``: that seat's names for
    things (None: the names for everybody); the same value for the same names. ``lines``: class of command -> the
    templates of its lines. ``alike``: id -> the id it is interchangeable with: actions that differ only in these are
    one. ``wish(view, kind, told)``: the command of a class with the named things, so that the rules can say why it is
    not legal; None if it needs more. ``listing``: how they are shown in lists.
    """

    verbs: Mapping[Verb, tuple[type[Command], ...]]
    tell: Callable[[Any, Any], Order]
    names: Callable[[Any], Names]
    lines: Mapping[type[Command], tuple[Sentence, ...]]
    alike: Mapping[str, str] = {}
    wish: Callable[[Any, type[Command], Told], Command | None] = lambda *_: None
    listing: Listing = Listing()

    def options(self, view: Any, actions: Sequence[Any]) -> list["Option"]:
        """Return the legal actions with their lines; of equal actions only the first."""
        once: dict[Any, Option] = {}
        for action in actions:
            option = Option(action, self.tell(view, action))
            once.setdefault(option.same(self.alike), option)
        return list(once.values())

    @cached_property
    def kinds(self) -> tuple[type[Command], ...]:
        """The classes of commands that have a verb."""
        return tuple(dict.fromkeys(kind for kinds in self.verbs.values() for kind in kinds))

    @cached_property
    def losing(self) -> tuple[type[Command], ...]:
        """The classes of commands that can lose something."""
        return tuple(kind for verb, kinds in self.verbs.items() if verb.whole for kind in kinds)


class Option(msgspec.Struct, frozen=True):
    """A legal action (of the title's contract) with its line."""

    action: Any
    order: Order

    @property
    def command(self) -> Command:
        command: Command = self.action.command
        return command

    @property
    def amount(self) -> Amount | None:
        """The number that it leaves open."""
        return self.order.slots.amount

    def same(self, alike: Mapping[str, str]) -> Any:
        """Return a key that is equal for actions that are one."""
        return type(self.command), self.order.line.template, tuple(_same(it, alike) for it in self.order.parts.items())


def _same(part: tuple[str, Part], alike: Mapping[str, str]) -> Any:
    field, it = part
    match it:
        case One():
            return field, alike.get(it.id, it.id)
        case Several():
            return field, tuple(sorted(alike.get(each, each) for each in it.ids))
        case Ends():
            return field, tuple(sorted(tuple(sorted(pair)) for pair in it.pairs))
        case Path():
            return field, it.ids
        case Cards():
            return field, it.counts
    return field
