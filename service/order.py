"""What holds from each ply to the next, whoever decided them and however they are read: versions of the rules that
never fall, times that never run back, and seats that the table has.

A ply's bytes and its link are another matter (`service.audit`), and so are the rules. The second verifier asks the same
(``bundle/verifier.js``).
"""

from typing import Final, Protocol

from domain.clock import CallTime, MoveClocks, StandIn, TakeOver
from domain.game import OF_THE_TABLE
from domain.lifecycle import BY_NO_SEAT, OpenTable, OpenTable2, ProposeRewind, TakeSeat, TakeSeat2
from domain.messages import Command, tag_of

ONE_CLOCK: Final = 2
"""The version of the rules since which all times of a log are those of one clock."""
LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999: no calendar of ours goes further."""


class Disorder(Exception):
    """A ply cannot stand where it stands; says why, in plain words."""


class Shown(Protocol):
    """What is asked of a ply here."""

    @property
    def number(self) -> int: ...
    @property
    def rules(self) -> int: ...
    @property
    def at(self) -> int: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def command(self) -> Command | None: ...


class Order:
    """Goes along with a log. ``newest``: the version of the rules that the title has.

    ``back``: plies whose time lies before that of the ply before, of rules in whose time several clocks wrote a log.
    """

    def __init__(self, newest: int) -> None:
        self.newest = newest
        self.back: list[int] = []
        self._rules, self._at = 1, 0
        self._seats = range(0)

    def follow(self, ply: Shown) -> None:
        """The next ply of the log. Raises `Disorder`."""
        self.follow_unseen(ply)
        if not self._at <= ply.at <= LATEST or ply.at <= 0:
            self._time(ply)
        self._at = ply.at
        if type(ply.command) in OF_THE_TABLE:
            self._of_table(ply)
        elif ply.seat not in self._seats:
            raise Disorder(f"the table has no seat {ply.seat}.")

    def follow_unseen(self, ply: Shown) -> None:
        """The next ply where its reader may not see who did what, and when. Raises `Disorder`."""
        if not self._rules <= ply.rules <= self.newest:
            self._version(ply.rules)
        self._rules = ply.rules

    def _version(self, rules: int) -> None:
        if rules > self.newest:
            raise Disorder(
                f"it was decided by version {rules} of the rules; this program knows version {self.newest}."
            )
        if rules < 1:
            raise Disorder(f"it was decided by version {rules} of the rules; they begin with version 1.")
        raise Disorder(
            f"it was decided by version {rules} of the rules, and a ply before it by version {self._rules}: "
            "no game goes back to older rules."
        )

    def _time(self, ply: Shown) -> None:
        if not 0 < ply.at <= LATEST:
            raise Disorder("it has no time, or none that there is.")
        if ply.rules >= ONE_CLOCK:
            raise Disorder("its time lies before that of the ply before it.")
        self.back.append(ply.number)

    def _of_table(self, ply: Shown) -> None:
        """Commands of the table come from nobody, or from the seat they are about; all seats in them are there."""
        command, seats = ply.command, self._seats
        assert command is not None
        named: tuple[int, ...] = ()
        match command:
            case OpenTable() | OpenTable2():
                self._seats = range(1, command.seats + 1)
            case CallTime() | TakeOver() | StandIn():
                named = (command.seat,)
            case MoveClocks():
                named = tuple(seat for seat, _ in command.clocks)
            case ProposeRewind():
                named = command.people
                if ply.seat in named:
                    raise Disorder(f"seat {ply.seat} asks itself whether to go back.")
        if not all(seat in seats for seat in named):
            raise Disorder(f"its command is about a seat that the table does not have: {named}.")
        if type(command) in BY_NO_SEAT:
            if ply.seat is not None:
                raise Disorder(f"no seat gives the command {tag_of(type(command))}, but seat {ply.seat} has.")
        elif ply.seat not in seats:
            raise Disorder(f"the table has no seat {ply.seat}.")
        elif isinstance(command, TakeSeat | TakeSeat2) and command.seat != ply.seat:
            raise Disorder(f"seat {ply.seat} takes seat {command.seat}.")
