"""A table of New England Railways, decided as the service decides: with a secret, versions and times."""

import msgspec

from domain import lifecycle
from domain.chain import Ply, secret_commitment
from domain.game import advance, can_take_back, fold
from domain.messages import Command, Event, open_part
from domain.new_england import TITLE
from domain.play import Decided, decide, decide_all

SETTLE = 60_000


class Table:
    """A game in progress. ``at`` is the time of the next command, in milliseconds."""

    def __init__(self, seats: int = 3, number: int = 1) -> None:
        self.secret, self.at = number.to_bytes(32, "big"), 1_000_000
        self.game = fold("a-game", TITLE, [])
        self.plies: list[Ply] = []
        nothing = msgspec.Raw(b"{}")
        self.give(None, lifecycle.OpenTable1(TITLE.id, seats, nothing, secret_commitment(self.secret), SETTLE))
        for seat in range(1, seats + 1):
            self.give(seat, lifecycle.TakeSeat1(seat, nothing, f"{seat:02}" * 32))
        self.give(None, lifecycle.StartGame())

    @property
    def state(self):
        return self.game.state

    def give(self, seat: int | None, command: Command, rules: int | None = None) -> Ply:
        """Decide by the present ``rules`` or by those of an earlier version. Raises `Refused`, and changes nothing."""
        ply = decide(self.game, seat, command, self.at, "player", self.secret, rules=rules)
        self.plies.append(ply)
        self.game = advance(self.game, ply)
        return ply

    def send(self, seat: int, *commands: Command) -> Decided:
        decided = decide_all(self.game, seat, commands, self.at, "player", self.secret)
        self.plies += decided.plies
        self.game = decided.game
        return decided

    def can_take_back(self, seat: int) -> tuple[int, ...]:
        return can_take_back(self.game, seat, self.at)

    @property
    def told(self) -> list[Event]:
        """Return the events as a spectator has seen them."""
        return [part for ply in self.plies for event in ply.events if (part := open_part(event)) is not None]
