"""The trial of a turn before it is submitted: the meaning of its lines, and the effects of its commands in order.

Every channel reads and tries a turn here and then submits it: the text box, turns collected on a page, the API, the
command line, answers by mail and one-tap links. Channels differ only on purpose:

- A step that fails stops the turn. A turn that was collected before the table moved on leaves it out (`trying`).
- Nothing can follow a step that draws or reveals something. Mail submits the steps so far, and reads on.
- Mail tells talk from orders, and a broken order stops all of it (`by_mail`).
- Only mail and one-tap links carry out words for every title, such as taking back (`by_mail`, `taps`).
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from domain import play
from domain.chance import ChanceAsked
from domain.game import Game
from domain.messages import Command, Event
from domain.refusal import Refused
from domain.words import Sentence
from service.database.work import Work
from service.games import queries
from service.games.orders import LONGEST, GivenLine, LineReader
from service.games.play import Submission
from service.games.queries import Seen


class TryoutStep(msgspec.Struct, frozen=True):
    """A possible command. ``events``: as far as its seat may know them; None if they cannot be foreseen."""

    command: Command
    events: tuple[Event, ...] | None


class Tryout:
    """A trial of a turn of the viewer's seat, step by step. It submits nothing.

    ``game``: the position after the steps, as far as they can be foreseen. ``ahead``: the story of the last step, if it
    draws or reveals something; nothing can follow it then.
    """

    def __init__(self, seen: Seen, at: int, lang: str, game: Game | None = None) -> None:
        """``at``: the time passed to decisions. ``game``: where the turn begins, if that is not the present."""
        self.seen, self.at, self.lang = seen, at, lang
        self.game = game or seen.game
        self.steps: list[TryoutStep] = []
        self.ahead: tuple[str, ...] = ()

    def add(self, command: Command) -> TryoutStep:
        """Try one more command. Raises `Refused`."""
        assert not self.ahead, "nothing can follow"
        try:
            self.game, events = play.foresee(self.game, self.seen.seat or 0, command, self.at)
        except ChanceAsked as asked:
            said = self.seen.title.face.ahead(queries.view(self.seen, self.game), command, str(asked))
            self.ahead = tuple(self.seen.say(it, self.lang) for it in said or [_UNKNOWN])
            step = TryoutStep(command, None)
        else:
            step = TryoutStep(command, queries.redacted_events(self.seen, events))
        self.steps.append(step)
        return step

    def follow(self, commands: Iterable[Command]) -> "Tryout":
        """Try commands until one is refused, or cannot be foreseen."""
        for command in commands:
            try:
                self.add(command)
            except Refused:
                break
            if self.ahead:
                break
        return self

    def does(self, step: TryoutStep) -> tuple[str, ...]:
        """Return the story of a step of this turn, or the outlook if it cannot be foreseen."""
        if step.events is None:
            return self.ahead
        return tuple(self.seen.say(it, self.lang) for it in self.seen.title.face.narrate(step.events))

    def read(self, lines: Sequence[str]) -> list[GivenLine]:
        """Read the orders of these lines, each at the position after those before it.

        Blank lines are left out, and reading ends at the first line with a problem.
        """
        done: list[GivenLine] = []
        first = self._reader()
        for text in (each for line in lines for each in first.apart(line[:LONGEST])):
            line = self._reader().line(text)
            if line is None:
                continue
            if self.ahead:
                done.append(GivenLine(text, problem="later", said=self.seen.say(_LATER, self.lang)))
                break
            if line.command is not None and self.seen.seat is not None:
                line = self._tried(line, line.command)
            done.append(line)
            if line.problem is not None:
                break
        return done

    def _reader(self) -> LineReader:
        return LineReader(self.seen, self.game, self.at, self.lang)

    def _tried(self, line: GivenLine, command: Command) -> GivenLine:
        try:
            return replace(line, does=self.does(self.add(command)))
        except Refused as refused:
            said = queries.refusal(self.seen.title, refused, self.lang, self.seen.player)
            return GivenLine(line.text, line.line, problem="refused", said=said, rule=refused.rule)


_UNKNOWN = Sentence("This step draws or reveals something. You will see the outcome once you have played it.")
_LATER = Sentence("We can read this line only after the lines before it, because their outcome is not known yet.")


def position(work: Work, seen: Seen, version: int | None) -> Game:
    """The position where a turn written for ``version`` begins (None: the present). So the same lines mean the same
    commands, however often they are sent. Raises `NoSuchVersion`.
    """
    if version is None or version == seen.version:
        return seen.game
    with work.reading() as conn:
        return work.store.position(conn, seen.game.id, version)


def submission(
    game_id: str,
    commands: Sequence[Command],
    expected_version: int | None,
    submission_id: str | None = None,
    at: int | None = None,
) -> Submission:
    """The submission of a turn: commands for the position at ``expected_version``."""
    return Submission(game_id, "move", commands, expected_version, submission_id, at)
