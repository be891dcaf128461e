"""The preview of a collected turn: the commands that a seat has collected, and the effects of each.

Nothing of it is stored. The client resends the whole turn each time, and it is tried at the present position. Commands
that the rules refuse there, and commands after an unforeseeable one, are left out with the reason.
"""

from collections.abc import Sequence

import msgspec

from domain.game import Game
from domain.messages import Command
from domain.pace import MINUTE
from domain.refusal import Refused
from domain.rules import Action
from domain.words import Sentence, first_upper
from service.games import lookback, orders, queries
from service.games.clocks import time_of
from service.games.lookback import ChangedSentence
from service.games.queries import Seen
from service.games.turn import Tryout

MOST = 30
"""Commands of a turn."""


class TriedStep(msgspec.Struct, frozen=True):
    """A possible command. ``said``: the command in words, with its price. ``does``: the story of its effects."""

    command: Command
    said: str
    does: tuple[str, ...] = ()


class LeftOut(msgspec.Struct, frozen=True):
    """A command that is impossible now. ``why``: the reason in words, with the refusing ``rule``'s number, if any."""

    said: str
    why: str
    rule: str | None = None


class Tried(msgspec.Struct, frozen=True):
    """A tried turn. ``game``: the position after the ``steps``, as far as it can be foreseen.

    ``ahead``: the outlook, if the last step draws or reveals something. Then no step can follow it, and ``game``
    is the position before it. ``changes``: the differences that the viewer sees from before the turn.
    """

    steps: tuple[TriedStep, ...]
    game: Game
    ahead: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    changes: tuple[ChangedSentence, ...] = ()

    @property
    def commands(self) -> list[Command]:
        return [step.command for step in self.steps]

    @property
    def may_go_on(self) -> bool:
        """Could a further command be tried?"""
        return not self.ahead and len(self.steps) < MOST


def tried(seen: Seen, commands: Sequence[Command], at: int, lang: str, then: Game | None = None) -> Tried:
    """Try ``commands`` of the viewer's seat at the present position.

    ``at``: the time passed to decisions. ``then``: the position for which they were chosen, if not the present one.
    """
    turn, words = Tryout(seen, at, lang), _Words(seen, lang)
    steps: list[TriedStep] = []
    left_out: list[LeftOut] = []
    for number, command in enumerate(commands[:MOST]):
        before = turn.game
        if turn.ahead:
            said = words.chosen(before, command) or _said_then(words, then, commands[: number + 1], at)
            left_out.append(LeftOut(said, words.say(_LATER)))
            continue
        try:
            step = turn.add(command)
        except Refused as refused:
            said = _said_then(words, then, commands[: number + 1], at)
            why = queries.refusal(seen.title, refused, lang, seen.player)
            left_out.append(LeftOut(said, why, refused.rule))
        else:
            does = () if turn.ahead else turn.does(step)
            steps.append(TriedStep(command, words.legal(before, command), does))
    found = lookback.differences(seen, seen.game, turn.game, lang, ("standing", "hand")) if steps else ()
    return Tried(tuple(steps), turn.game, turn.ahead, tuple(left_out), tuple(found))


# ==== pace ========================================================================================
LIVE = 60 * MINUTE
"""The longest time for a turn in a game that is played live."""


def is_live(game: Game) -> bool:
    """Is the game played live, by its pace?"""
    time = time_of(game)
    return time is not None and time.pace.turn <= LIVE


_LATER = Sentence("Earlier steps must be played first, because their outcome is not known yet.")


# ==== words =======================================================================================
class _Words:
    """Words commands and positions for the viewer."""

    def __init__(self, seen: Seen, lang: str) -> None:
        self.seen, self.lang = seen, lang

    def say(self, sentence: Sentence) -> str:
        return self.seen.say(sentence, self.lang)

    def chosen(self, game: Game, command: Command) -> str:
        """A command as its button says it; "" if no list has it."""
        deed = queries.deed(self.seen, command, game)
        return "" if deed is None else self.say(deed)

    def legal(self, game: Game, command: Command) -> str:
        """The words for a legal command. If only an equal one is in the lists, it is worded as a line."""
        if said := self.chosen(game, command):
            return said
        alone = [Action(command, "", Sentence(""))]
        [option] = self.seen.title.face.orders.options(queries.view(self.seen, game), alone)
        return first_upper(orders.written(self.seen, option, self.lang))


def _said_then(words: _Words, then: Game | None, commands: Sequence[Command], at: int) -> str:
    """The last of ``commands`` in words, at the position for which they were chosen; "" if it was illegal there."""
    if then is None:
        return ""
    *before, last = commands
    turn = Tryout(words.seen, at, words.lang, then).follow(before)
    refused = len(turn.steps) < len(before) and not turn.ahead
    return "" if refused else words.chosen(turn.game, last)
