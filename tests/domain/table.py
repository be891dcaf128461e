"""The toy title at a table for two, decided as the service decides: with a secret, versions and times."""

from collections.abc import Mapping

import msgspec

from domain import lifecycle, luck
from domain.chain import Ply, secret_commitment
from domain.clock import SetPace
from domain.game import Game, advance, fold
from domain.messages import Command
from domain.pace import Calendar, Pace
from domain.play import Decided, decide, decide_all
from domain.timekeeping import by_calendars
from tests.toy import TITLE, Choose

SECRET = bytes(range(32))
SETTLE = 60_000
ANN, BOB = 1, 2


def raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


class TableForTwo:
    """A game in progress. ``at`` is the time of the next command, in milliseconds."""

    def __init__(
        self,
        seats: int = 2,
        started: bool = True,
        options: str = "{}",
        secret: bytes = SECRET,
        pace: Pace | None = None,
        calendars: Mapping[int, Calendar] | None = None,
        older: bool = True,
    ) -> None:
        self.secret, self.at = secret, 1_000_000
        self.timekeeper = by_calendars(calendars or {})
        self.game = fold("a-game", TITLE, [])
        self.plies: list[Ply] = []
        shape = lifecycle.OpenTable1 if older else lifecycle.OpenTable
        self.give(None, shape("toy", seats, raw(options), secret_commitment(secret), SETTLE))
        if pace is not None:
            self.give(None, SetPace(pace))
        if started:
            for seat in range(1, seats + 1):
                self.sit(seat) if older else self.bring(seat, f"words of seat {seat}")
            self.give(None, lifecycle.StartGame())

    def sit(self, seat: int, choice: str = "{}", entropy: str = "") -> Ply:
        return self.give(seat, lifecycle.TakeSeat1(seat, raw(choice), entropy or f"{seat:02}" * 32))

    def bring(self, seat: int, words: str | None = None, *, choice: str = "{}", bot: bool = False) -> Ply:
        """Sit down at a table of the present shape."""
        brought = None if words is None else luck.brought("", words)
        return self.give(seat, lifecycle.TakeSeat(seat, raw(choice), brought, bot))

    def give(self, seat: int | None, command: Command, cause: str = "player") -> Ply:
        """Give a command. Raises `Refused`, and then nothing has changed."""
        ply = decide(self.game, seat, command, self.at, cause, self.secret, self.past, self.timekeeper)
        self.plies.append(ply)
        self.game = advance(self.game, ply, self.past)
        return ply

    def past(self, version: int) -> Game:
        """Return the game as it was at ``version``."""
        return fold("a-game", TITLE, self.plies[:version])

    def send(self, seat: int, *commands: Command) -> Decided:
        """Send several commands in one message."""
        decided = decide_all(self.game, seat, commands, self.at, "player", self.secret)
        self.plies += decided.plies
        self.game = decided.game
        return decided

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.game.state.hands[seat]

    def choose_all(self) -> int:
        """Let every seat choose its first card. Return the seat that leads."""
        for seat in self.game.asked:
            self.give(seat, Choose(self.hand(seat)[0]))
        return self.game.state.leader
