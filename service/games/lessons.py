"""Lessons: the positions of a game that a title has written down (`domain.lesson`), and a reader's try at a step.

The positions are decided again in memory. No row, account, game, notice or presence is behind a lesson.
"""

from collections.abc import Iterator
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
from domain.refusal import Refused
from domain.rules import Action
from domain.title import Title
from service.database.store import Stored
from service.games import orders, queries
from service.games.orders import LineReader
from service.games.queries import Occupant, Seen
from service.games.turn import Tryout
from service.words import ENGLISH

AT = 0
"""The time of all plies of a lesson."""


class NoSuchStep(LookupError):
    """The title has no lesson, or its lesson has no such step."""


class StepPosition(NamedTuple):
    """A step with its position. ``command``: that of its order; None for a step to read. ``led``: the plies before it,
    since the position of the step before.
    """

    game: Game
    command: Command | None
    led: tuple[Ply, ...]


class StepTried(NamedTuple):
    """The answer to a command at a step. ``how``: "done": it is the step's own. "other": it is legal, but not the
    lesson's; ``does``: its outcome. "refused": the rules refuse it.
    """

    how: Literal["done", "other", "refused"]
    does: tuple[str, ...] = ()
    refused: Refused | None = None


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
        then = before[step.again - 1].game if step.again else game
        command = _command(title, lesson, then, PUPIL, step.line) if step.line else None
        before.append(StepPosition(then, command, before[step.again - 1].led if step.again else led))
        yield before[-1]
        if step.again:
            continue
        plies: list[Ply] = []
        for line in ((f"{PUPIL} {step.line}",) if step.line else ()) + step.then:
            seat, _space, order = line.partition(" ")
            ply, game = play.play(
                game, int(seat), _command(title, lesson, game, int(seat), order), AT, "player", lesson.secret
            )
            plies.append(ply)
        led = tuple(plies)


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

    def action(self) -> Action | None:
        """Return the legal action of the step's order."""
        wish = self.moment.command
        return None if wish is None else next((it for it in queries.actions(self.seen) if it.means(wish)), None)

    def line(self, lang: str) -> str:
        """Return the step's order as a line in the reader's language; "" if it has none."""
        wish = self.moment.command
        if wish is None:
            return ""
        action = self.action() or Action(wish, "", self.step.text)
        [option] = self.title.face.orders.options(queries.view(self.seen), [action])
        amount = None if action.span is None else getattr(wish, action.span.field)
        return orders.written(self.seen, option, lang, amount)

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
        turn = Tryout(self.seen, AT, lang)
        try:
            tried = turn.add(command)
        except Refused as refused:
            return StepTried("refused", refused=refused)
        if self._is_the_same(command):
            return StepTried("done")
        return StepTried("other", turn.does(tried))

    def _is_the_same(self, command: Command) -> bool:
        """Does the command do the same as the step's order, in a game that goes on as it is written down?"""
        wish = self.moment.command
        if wish is None or type(wish) is not type(command):
            return False
        return command == wish or self._after(command) == self._after(wish)

    def _after(self, command: Command) -> object:
        lesson, game = self.lesson, self.moment.game
        return play.play(game, PUPIL, command, AT, "player", lesson.secret)[1].state


def step(title: Title, number: int) -> StepSeen:
    """Return a step of a title's lesson by its number, from 1. Raises `NoSuchStep`."""
    lesson = title.lesson
    if lesson is None or not 1 <= number <= len(lesson.steps):
        raise NoSuchStep(number)
    moment = moments(title)[number - 1]
    seen = _seen(title, lesson, moment.game, PUPIL)
    return StepSeen(number, len(lesson.steps), lesson.steps[number - 1], lesson, moment, seen)
