"""Random games of any title, played through `domain.play` as the service plays them."""

import functools
import random
import re
import types
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from domain import lifecycle
from domain.chain import Ply, secret_commitment
from domain.chance import FreeChance
from domain.decision import Decision
from domain.game import Game, advance, can_take_back, fold
from domain.messages import Command, Event
from domain.play import Decided, decide, decide_all, play
from domain.refusal import Refused
from domain.rules import Action, State
from domain.title import Title

SETTLE = 60_000
MOST_PLIES = 4000
"""The limit of plies: a random game longer than this does not end."""
JUNK = "no_such_thing"


# ==== tables ======================================================================================
def values_of(kind: type[msgspec.Struct]) -> list[Any]:
    """Return every value of a struct of options or of a choice: all its fields are bools or Literals."""
    hints = get_type_hints(kind)
    fields = {name: (False, True) if hints[name] is bool else get_args(hints[name]) for name in kind.__struct_fields__}
    assert all(fields.values()), f"a field of {kind.__name__} is neither a bool nor a Literal"
    return [kind(**dict(zip(fields, combination, strict=True))) for combination in product(*fields.values())]


def tables(title: Title) -> list[tuple[Any, int]]:
    """Return every combination of options and number of seats that the title allows."""
    if title.seating.options not in _tables:
        _tables[title.seating.options] = _all_tables(title)
    return _tables[title.seating.options]


_tables: dict[type[msgspec.Struct], list[tuple[Any, int]]] = {}
"""By their options: a test may use a title with fewer of them, under the same id."""


def _all_tables(title: Title) -> list[tuple[Any, int]]:
    allowed = []
    for options in values_of(title.seating.options):
        for seats in range(title.seating.seats[0], title.seating.seats[1] + 1):
            try:
                title.seating.check_table(options, seats)
            except Refused:
                continue
            allowed.append((options, seats))
    return allowed


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


# ==== one game ====================================================================================
@dataclass
class Step:
    """A decision, and the games before and after it."""

    before: Game
    ply: Ply
    after: Game


@dataclass
class RandomGame:
    """A game whose every choice follows from ``number``."""

    title: Title
    number: int
    options: Any = None
    seats: int = 0
    mischief: bool = True
    """Do seats leave, undo and stand up again now and then?"""
    plies: list[Ply] = field(default_factory=list)
    choose: Any = None
    """``choose(game, seat, actions)`` gives a command; None for the random player."""
    id: str = ""

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.title.id} {self.number}")
        if not self.seats:
            allowed = tables(self.title)
            self.options, self.seats = allowed[self.number % len(allowed)]
        self.secret = self.dice.randbytes(32)
        self.at = 1_790_000_000_000
        self.game = fold(self.id or f"game-{self.number}", self.title, [])
        self.weights: dict[str, float] = defaultdict(lambda: self.dice.choice((0.1, 1, 1, 3, 10)))
        self.older = self.number % 4 == 1
        """Does the table have the older format?"""
        self.leaves_at = self.dice.randint(8, 400) if self.mischief and self.dice.random() < 0.25 else None

    def give(self, seat: int | None, command: Command, cause: str | None = None) -> Step:
        """Play one command, which must be accepted. ``cause``: its origin, if the seat does not give it itself."""
        ply, after = play(self.game, seat, command, self._now(), cause or self.cause_of(seat, command), self.secret)
        step = self._took(ply)
        assert after == step.after, "the decision tells another state than its events"
        return step

    def cause_of(self, seat: int | None, command: Command) -> str:
        """Return the cause that the service would write. A bot moves for its own seat, but never leaves it or the game
        itself."""
        if not self.is_bots(seat) or isinstance(command, lifecycle.TakeSeat | lifecycle.GiveUpSeat):
            return "player"
        return "service" if isinstance(command, lifecycle.Resign) else "bot"

    def is_bots(self, seat: int | None) -> bool:
        chair = self.game.table.chairs.get(seat or 0) if self.game.table else None
        return chair is not None and chair.bot

    def _took(self, ply: Ply) -> Step:
        step = Step(self.game, ply, advance(self.game, ply))
        self.game = step.after
        self.plies.append(ply)
        return step

    def _now(self) -> int:
        self.at += self.dice.choice((1, 1000, SETTLE // 2, 2 * SETTLE))
        return self.at

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the whole game."""
        yield from self.opening()
        while self.game.status == "running":
            assert len(self.plies) < MOST_PLIES, "this game does not end"
            yield from self.turn()

    # ---- before the first turn -------------------------------------------------------------------
    def opening(self) -> Iterator[Step]:
        commitment = secret_commitment(self.secret)
        shape = lifecycle.OpenTable1 if self.older else lifecycle.OpenTable
        yield self.give(None, shape(self.title.id, self.seats, raw(self.options), commitment, SETTLE), "service")
        seats = list(range(1, self.seats + 1))
        self.dice.shuffle(seats)
        for seat in seats:
            yield self.give(seat, self.take_seat(seat))
            if self.mischief and self.dice.random() < 0.05:
                yield self.give(seat, lifecycle.GiveUpSeat())
                yield self.give(seat, self.take_seat(seat))
        yield self.give(None, lifecycle.StartGame())

    def take_seat(self, seat: int) -> lifecycle.TakeSeat1 | lifecycle.TakeSeat:
        """Return a choice that the title allows besides the others' choices, and that leaves them one."""
        taken = [
            msgspec.json.decode(chair.choice, type=self.title.seating.choice)
            for chair in self.game.table.chairs.values()
        ]
        choices = values_of(self.title.seating.choice)
        self.dice.shuffle(choices)
        for choice in choices:
            try:
                self.title.seating.check_choice(self.options, choice, taken)
            except Refused:
                continue
            brought = self.dice.randbytes(32).hex()
            if self.older:
                return lifecycle.TakeSeat1(seat, raw(choice), brought)
            bot = self.dice.random() < 0.3
            return lifecycle.TakeSeat(seat, raw(choice), None if bot else brought, bot)
        raise AssertionError("no choice is allowed any more")

    # ---- turns -----------------------------------------------------------------------------------
    def turn(self) -> Iterator[Step]:
        if self.leaves_at is not None and len(self.plies) >= self.leaves_at:
            self.leaves_at = len(self.plies) + 50 if self.dice.random() < 0.3 else None
            seat = self.dice.choice(self.game.table.playing)
            yield self.give(seat, lifecycle.Resign())
            return
        seat = self.dice.choice(self.game.asked)
        if self.mischief and self.dice.random() < 0.02:  # another seat, if a title lets others act
            seat = self.dice.choice(self.game.table.playing)
        actions = listed(self.title, self.game.state, seat)
        if not actions:
            assert seat not in self.game.asked, f"seat {seat} is asked and nothing is legal"
            return
        if self.choose is None and seat in self.game.asked and self.plies[-1].hidden and self.dice.random() < 0.3:
            actions = [action for action in actions if not action.command.HIDDEN]  # hidden entries end no game
        if self.choose is not None:
            command = self.choose(self.game, seat, actions)
        else:
            command = self.pick(actions) if actions else self.title.rules.safe(self.game.state, seat)
        if self.mischief and self.dice.random() < 0.05:
            yield from self.with_a_refused_one(seat, command)
        else:
            yield self.give(seat, command)
        if self.mischief and self.dice.random() < 0.1:
            yield from self.regret(seat)

    def pick(self, actions: Sequence[Action]) -> Command:
        """Choose any action: first a kind, by this game's taste, then one of that kind."""
        kinds: dict[str, list[Action]] = defaultdict(list)
        for action in actions:
            kinds[type(action.command).__name__].append(action)
        names = list(kinds)
        (name,) = self.dice.choices(names, [self.weights[each] for each in names])
        return filled(self.dice.choice(kinds[name]), self.dice)

    def with_a_refused_one(self, seat: int, command: Command) -> Iterator[Step]:
        """Play two commands in one message, the second surely refused: only barriers remain."""
        both, cause = [command, lifecycle.TakeBack(0)], self.cause_of(seat, command)
        try:
            decided = decide_all(self.game, seat, both, self._now(), cause, self.secret)
        except Refused:
            assert not decide(self.game, seat, command, self.at, cause, self.secret).barrier
            return
        assert isinstance(decided, Decided)
        assert decided.refusal is not None
        assert decided.refused_at == 1
        (ply,) = decided.plies
        assert ply.barrier
        yield self._took(ply)

    def take_back(self, seat: int, down_to: int) -> Step:
        """Undo at the same moment as the last ply, as the settle time may be nearly over."""
        ply = decide(self.game, seat, lifecycle.TakeBack(down_to), self.at, "player", self.secret)
        return self._took(ply)

    def regret(self, seat: int) -> Iterator[Step]:
        """Undo some plies and repeat their commands: the same events follow. No bot does that."""
        plies = () if self.is_bots(seat) else can_take_back(self.game, seat, self.at)
        if not plies:
            return
        down_to = self.dice.choice(plies)
        again = [ply for ply in self.plies if ply.number in plies and ply.number >= down_to]
        yield self.take_back(seat, down_to)
        for ply in again:
            step = self.give(seat, ply.command)
            assert (step.ply.events, step.ply.draws) == (ply.events, ply.draws), "other cards after taking back"
            yield step


def listed(title: Title, state: State, seat: int) -> Sequence[Action]:
    """Return the legal actions of a position, found once for the player, the checks and the invariants."""
    if _position.state is not state or _position.title is not title:
        _position.title, _position.state, _position.actions = title, state, {}
    if seat not in _position.actions:
        _position.actions[seat] = tuple(title.rules.actions(state, seat))
    return _position.actions[seat]


_position = types.SimpleNamespace(title=None, state=None, actions={})


def filled(action: Action, dice: random.Random) -> Command:
    """Return the action's command with a chosen number."""
    if action.span is None:
        return action.command
    span = action.span
    return replace(action.command, **{span.field: dice.randrange(span.low, span.high + 1, span.step)})


# ==== made-up commands ============================================================================
class Forger:
    """A source of commands that are not listed, made of ids in use."""

    def __init__(self, title: Title, dice: random.Random) -> None:
        self.title, self.dice = title, dice
        self.seen: dict[str, set[Any]] = defaultdict(set)
        self.names = sorted(title.face.words.names)
        self._words: dict[tuple[str, str | None], tuple[int, list[str]]] = {}

    def learn(self, actions: Sequence[Action]) -> None:
        """Learn the values in the fields of real actions."""
        for action in actions:
            for name, value in asdict(action.command).items():
                for each in value if isinstance(value, tuple) else (value,):
                    if isinstance(each, str | int):
                        self.seen[name].add(each)

    def forge(self, actions: Sequence[Action], count: int) -> Iterator[Command]:
        """Yield real actions with one field changed, and whole inventions, all of a shape that reaches the rules."""
        for command in self._forge(actions, count):
            try:
                msgspec.convert(msgspec.to_builtins(command), type(command))
            except msgspec.ValidationError:
                continue
            yield command

    def _forge(self, actions: Sequence[Action], count: int) -> Iterator[Command]:
        kinds = self.title.rules.commands
        for _ in range(count):
            if actions and self.dice.random() < 0.6:
                command = filled(self.dice.choice(actions), self.dice)
                fields = command.__struct_fields__
                if fields:
                    name = self.dice.choice(fields)
                    yield replace(command, **{name: self.value(type(command), name)})
                    continue
            kind = self.dice.choice(kinds)
            yield kind(**{name: self.value(kind, name) for name in kind.__struct_fields__})

    def value(self, kind: type[Command], name: str) -> Any:
        return self.of_type(hints_of(kind)[name], name)

    def of_type(self, hint: Any, name: str) -> Any:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.of_shape(args[0], args[1:], name)
        if origin is Literal:
            return self.dice.choice(args)
        if origin in (Union, types.UnionType):
            inner = self.dice.choice(args)
            return UNSET if inner is UnsetType else None if inner is type(None) else self.of_type(inner, name)
        if origin is tuple:
            if len(args) == 2 and args[1] is Ellipsis:
                return tuple(self.of_type(args[0], name) for _ in range(self.dice.choice((0, 1, 1, 2, 3))))
            return tuple(self.of_type(each, name) for each in args)
        if origin is dict:
            return {
                self.of_type(args[0], name): self.of_type(args[1], name) for _ in range(self.dice.choice((0, 1, 2)))
            }
        if hint is bool:
            return self.dice.random() < 0.5
        if hint is int:
            known = [each for each in self.seen[name] if isinstance(each, int)]
            return self.dice.choice([*known, -1, 0, 1, 2, self.dice.randint(0, 50), 2**53 - 1])
        if hint is str:
            known = self.words(name)
            if known and self.dice.random() < 0.8:
                return self.dice.choice(known)
            return self.dice.choice([*self.dice.choices(self.names, k=6), "", JUNK])
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            inner = hints_of(hint)
            return hint(**{each: self.of_type(inner[each], each) for each in hint.__struct_fields__})
        raise AssertionError(f"no idea how to make up {name}: {hint}")

    def of_shape(self, hint: Any, marks: Sequence[Any], name: str) -> Any:
        """Return a value that the edge accepts: within the bounds and patterns of ``marks``."""
        (bounds,) = [mark for mark in marks if isinstance(mark, msgspec.Meta)]
        if bounds.pattern is not None:
            return self.dice.choice(self.words(name, bounds.pattern))
        value = self.of_type(hint, name)
        if isinstance(value, int):
            value = max(value, bounds.ge) if bounds.ge is not None else value
            value = min(value, bounds.le) if bounds.le is not None else value
        return value

    def words(self, name: str, pattern: str | None = None) -> list[str]:
        """Return the strings seen in a field; with a pattern, all strings that fit it. The result is cached until more
        are seen."""
        seen = self.seen[name]
        number, found = self._words.get((name, pattern), (-1, []))
        if number != len(seen):
            words = {each for each in seen if isinstance(each, str)}
            if pattern is not None:
                words = {it for it in {*self.names, *words, *re.split(r"[^\w]+", pattern)} if re.search(pattern, it)}
            found = sorted(words)
            self._words[name, pattern] = len(seen), found
        return found


hints_of = functools.cache(functools.partial(get_type_hints, include_extras=True))
"""Return a struct's fields and their types, with bounds and patterns."""


def what_had_happened(refusal: Refused) -> list[Event]:
    """Return the events that the refused decision had recorded by then: none, if its guards come first."""
    happened: list[Event] = []
    trace = refusal.__traceback__
    while trace is not None:
        if "now" in trace.tb_frame.f_code.co_varnames:  # reading a frame's names is slow
            now = trace.tb_frame.f_locals.get("now")
            if isinstance(now, Decision):
                happened = now.events
        trace = trace.tb_next
    return happened


def is_listed(command: Command, actions: Sequence[Action]) -> bool:
    """Is this command one of ``actions``, with the open number filled in?"""
    kind = type(command)
    alike = [action for action in actions if type(action.command) is kind]
    return any(action.command == command or (action.span is not None and _fills(command, action)) for action in alike)


def _fills(command: Command, action: Action) -> bool:
    span = action.span
    assert span is not None
    value = getattr(command, span.field)
    in_span = value in range(span.low, span.high + 1, span.step)
    return in_span and replace(action.command, **{span.field: value}) == command


def does_what_a_listed_one_does(
    title: Title, state: State, seat: int, command: Command, actions: Sequence[Action]
) -> bool:
    """Does an action of the same kind lead to the same state? For example, two places may be named in either order."""

    def outcome(given: Command) -> State:
        return title.rules.decide(state, seat, given, FreeChance(random.Random(1))).after

    mine = outcome(command)
    return any(
        outcome(action.command) == mine
        for action in actions
        if type(action.command) is type(command) and action.span is None
    )
