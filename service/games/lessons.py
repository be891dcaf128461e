"""Lessons: the positions of a game that a title has written down (`domain.lesson`), and a reader's try at a step.

The positions are decided again in memory. No row, account, game, notice or presence is behind a lesson.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from domain import fork, play
from domain.chain import Ply
from domain.chance import NamedChance, draw_key, length_prefixed
from domain.fork import Start
from domain.game import Game
from domain.lesson import PUPIL, Lesson, LessonStep
from domain.messages import Command
from domain.orders import Found, chosen
from domain.refusal import Refused
from domain.rules import Action
from domain.title import Title
from service.database.store import Stored
from service.games import numbered, orders, queries
from service.games.orders import GivenLine, LineReader
from service.games.queries import Occupant, Seen
from service.games.turn import Tryout
from service.words import ENGLISH

AT = 0
"""The time of all plies of a lesson."""


class NoSuchStep(LookupError):
    """The title has no lesson, or its lesson has no such step."""


class StepPosition(NamedTuple):
    """A step with its position. ``commands``: those of its orders; none for a step to read. ``led``: the plies before
    it, since the position of the step before.
    """

    game: Game
    commands: tuple[Command, ...]
    led: tuple[Ply, ...]


class StepTried(NamedTuple):
    """The answer to commands at a step. ``how``: "done": they are the step's own. "part": so far they are, and more
    follow. "other": they are legal, but not the lesson's; ``does``: the outcome of the first one that is not.
    "refused": the rules refuse one. "unread": a typed line is no command; see ``line``.
    """

    how: Literal["done", "part", "other", "refused", "unread"]
    does: tuple[str, ...] = ()
    refused: Refused | None = None
    line: GivenLine | None = None


# ==== positions ===================================================================================
def moments(title: Title) -> tuple[StepPosition, ...]:
    """Return all steps of a title's lesson with their positions; none if it has no lesson."""
    if title.lesson is None:
        return ()
    return _moments(_Key(title, title.lesson))


class _Key(NamedTuple):
    """A lesson with its title, equal to itself alone: it is data that never changes, and has no hash."""

    title: Title
    lesson: Lesson

    def __hash__(self) -> int:
        return hash((id(self.title), id(self.lesson)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.title is self.title and other.lesson is self.lesson


@cache
def _moments(key: _Key) -> tuple[StepPosition, ...]:
    return tuple(_decided(key.title, key.lesson))


def _decided(title: Title, lesson: Lesson) -> Iterator[StepPosition]:
    game = _opened(title, lesson)
    led: tuple[Ply, ...] = ()
    before: list[StepPosition] = []
    for step in lesson.steps:
        then, how = (before[step.again - 1].game, before[step.again - 1].led) if step.again else (game, led)
        if step.since:
            since = list(_played(title, lesson, then, step.since))
            then, how = since[-1][1], tuple(ply for ply, _after in since)
        commands = tuple(ply.command for ply, _after in _played(title, lesson, then, _own(step)))
        before.append(StepPosition(then, commands, how))
        yield before[-1]
        if step.again:
            continue
        plies = list(_played(title, lesson, game, (*_own(step), *step.then)))
        game = plies[-1][1] if plies else game
        led = tuple(ply for ply, _after in plies)


def _own(step: LessonStep) -> tuple[str, ...]:
    return tuple(f"{PUPIL} {line}" for line in step.lines)


def _played(title: Title, lesson: Lesson, game: Game, lines: Sequence[str]) -> Iterator[tuple[Ply, Game]]:
    """Play lines ("2 draw card"). Yield each ply with the game after it."""
    for line in lines:
        seat, _space, order = line.partition(" ")
        command = _command(title, lesson, game, int(seat), order)
        ply, game = play.play(game, int(seat), command, AT, "player", lesson.secret)
        yield ply, game


def _opened(title: Title, lesson: Lesson) -> Game:
    """Return the game before its first move."""
    options = msgspec.convert(dict(lesson.options), title.seating.options)
    choices = dict.fromkeys(range(1, len(lesson.players) + 1), title.seating.choice())
    chance = NamedChance(draw_key(lesson.secret), length_prefixed(()), {})
    state = title.rules.setup(options, choices, chance).after
    raw = {seat: msgspec.Raw(msgspec.json.encode(it)) for seat, it in choices.items()}
    return fork.played("lesson", title, Start(msgspec.Raw(msgspec.json.encode(options)), raw, (), state))


def _command(title: Title, lesson: Lesson, game: Game, seat: int, order: str) -> Command:
    read = LineReader(_seen(title, lesson, game, seat), game, AT, ENGLISH).line(order)
    if read is None or read.command is None:
        raise ValueError(f"lesson of {title.id}: {lesson.players[seat - 1]} cannot {order!r}: {read and read.said}")
    return read.command


def _seen(title: Title, lesson: Lesson, game: Game, seat: int) -> Seen:
    places = {number: Occupant(number, name) for number, name in enumerate(lesson.players, 1)}
    return Seen(Stored(None, game, lesson.secret, b""), None, seat, False, places)


# ==== a step ======================================================================================
class StepSeen(NamedTuple):
    """A step as its reader sees it. ``number``: from 1. ``of``: the number of all steps. ``moment``: its position."""

    number: int
    of: int
    step: LessonStep
    lesson: Lesson
    moment: StepPosition
    seen: Seen

    @property
    def title(self) -> Title:
        return self.seen.title

    def lines(self, lang: str) -> list[str]:
        """Return the step's orders as lines in the reader's language."""
        said, game = list[str](), self.moment.game
        for command in self.moment.commands:
            said.append(self._line(game, command, lang))
            game = self._after(game, command)
        return said

    def _line(self, game: Game, command: Command, lang: str) -> str:
        seen = _seen(self.title, self.lesson, game, PUPIL)
        action = queries.action_of(seen, command) or Action(command, "", self.step.text)
        [option] = self.title.face.orders.options(queries.view(seen), [action])
        amount = None if action.span is None else getattr(command, action.span.field)
        return orders.written(seen, option, lang, amount)

    def led(self, lang: str) -> list[str]:
        """Return a line for each ply since the step before that tells something."""
        told = self.title.face.narrate
        each = [
            [self.seen.say(it, lang) for it in told(queries.redacted_events(self.seen, ply.events))]
            for ply in self.moment.led
        ]
        return [" ".join(lines) for lines in each if lines]

    def tried(self, command: Command, lang: str) -> StepTried:
        """Answer a command of the reader."""
        return self._answer(self._turn(lang), [command], lang)

    def read(self, text: str, lang: str) -> StepTried:
        """Answer typed lines, each at the position after those before it. In a letter, a line may be a number."""
        turn, commands = self._turn(lang), list[Command]()
        for line in text.splitlines():
            if (command := self._numbered(turn, line)) is not None:
                commands.append(command)
                turn.follow([command])
                continue
            for read in turn.read([line]):
                if read.command is None or read.problem is not None:
                    return StepTried("unread", line=read)
                commands.append(read.command)
        return self._answer(self._turn(lang), commands, lang)

    def _turn(self, lang: str) -> Tryout:
        return Tryout(self.seen, AT, lang)

    def _numbered(self, turn: Tryout, line: str) -> Command | None:
        if self.step.shows != "letter" or turn.ahead:
            return None
        said = LineReader(self.seen, self.moment.game, AT, turn.lang).number(line)
        found = None if said is None else chosen(said, numbered.options(self.seen))
        return found.command if isinstance(found, Found) else None

    def _answer(self, turn: Tryout, commands: Sequence[Command], lang: str) -> StepTried:
        """Follow the commands as far as they are the step's own."""
        game = self.moment.game
        for number, command in enumerate(commands):
            try:
                tried = turn.add(command)
            except Refused as refused:
                return StepTried("refused", refused=refused)
            wish = self.moment.commands[number : number + 1]
            after = self._after(game, command)
            if not wish or (command != wish[0] and not self._same(game, command, wish[0])):
                return StepTried("other", turn.does(tried))
            game = after
        return StepTried("done" if len(commands) == len(self.moment.commands) else "part")

    def _same(self, game: Game, command: Command, wish: Command) -> bool:
        """Does the command do the same as the step's order, in a game that goes on as it is written down?"""
        return type(command) is type(wish) and self._after(game, command).state == self._after(game, wish).state

    def _after(self, game: Game, command: Command) -> Game:
        return play.play(game, PUPIL, command, AT, "player", self.lesson.secret)[1]


def step(title: Title, number: int) -> StepSeen:
    """Return a step of a title's lesson by its number, from 1. Raises `NoSuchStep`."""
    lesson = title.lesson
    if lesson is None or not 1 <= number <= len(lesson.steps):
        raise NoSuchStep(number)
    moment = moments(title)[number - 1]
    seen = _seen(title, lesson, moment.game, PUPIL)
    return StepSeen(number, len(lesson.steps), lesson.steps[number - 1], lesson, moment, seen)
