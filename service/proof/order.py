"""Checks from each ply to the next: versions of the rules never fall, times never run back, and all seats exist.

They hold for any version of the rules and any reader. `service.proof.audit` checks bytes, links and rules. The second
verifier checks the same (``bundle/verifier.js``).
"""

from typing import Final, Protocol

from domain.clock import CallTime, FreeSeat, MoveClocks, StandIn, TakeOver
from domain.lifecycle import BY_NO_SEAT, OpenTable, OpenTable1, ProposeRewind, TakeSeat, TakeSeat1
from domain.messages import Command
from domain.play import HOUSE_RULES
from domain.words import Sentence
from service.proof.verdicts import FaultFound

ONE_CLOCK: Final = 2
"""The version of the rules since which all times of a log are those of one clock."""
LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, the end of Python's calendar."""


class Disorder(FaultFound):
    """A ply cannot stand at its place in the log."""


class ShownPly(Protocol):
    """The fields of a ply that are checked here."""

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
    """Checks the order of a log ply by ply. ``newest``: the title's present version of the rules.

    ``back``: plies with an earlier time than the ply before them, of versions whose logs several clocks wrote.
    """

    def __init__(self, newest: int) -> None:
        self.newest = newest
        self.back: list[int] = []
        self._rules = self._at = 1
        self._seats = 0

    def follow(self, ply: ShownPly) -> None:
        """Check the next ply of the log. Raises `Disorder`."""
        rules, at = ply.rules, ply.at
        if not (self._rules <= rules <= self.newest and self._at <= at <= LATEST):
            self._version(rules)
            self._time(ply)
        self._rules, self._at = rules, at
        if type(ply.command) in HOUSE_RULES:
            self._of_table(ply)
        else:
            self._seat(ply)

    def follow_unseen(self, ply: ShownPly) -> None:
        """Check the next ply, of which the reader may see neither seat, command nor time. Raises `Disorder`."""
        self._version(ply.rules)
        self._rules = ply.rules

    def _version(self, rules: int) -> None:
        """Check that versions begin at 1, never fall, and are known."""
        if rules > self.newest:
            raise Disorder(
                Sentence(
                    "it was decided under version {rules} of the rules; this program knows versions up to {newest}.",
                    {"rules": rules, "newest": self.newest},
                )
            )
        if rules < 1:
            raise Disorder(
                Sentence(
                    "it was decided under version {rules} of the rules; the first version is 1.",
                    {"rules": rules},
                )
            )
        if rules < self._rules:
            raise Disorder(
                Sentence(
                    "it was decided under version {rules} of the rules, but an earlier ply under version {before}. A "
                    "game never returns to older rules.",
                    {"rules": rules, "before": self._rules},
                )
            )

    def _time(self, ply: ShownPly) -> None:
        """Check that the ply has a time, not before that of the ply before."""
        if not 0 < ply.at <= LATEST:
            raise Disorder(Sentence("its time is missing or impossible."))
        if ply.at < self._at:
            if ply.rules >= ONE_CLOCK:
                raise Disorder(Sentence("its time is earlier than that of the previous ply."))
            self.back.append(ply.number)

    def _of_table(self, ply: ShownPly) -> None:
        """Check that commands of the table come from no seat or their own, and that all seats in them exist."""
        command = ply.command
        if isinstance(command, OpenTable1 | OpenTable):
            self._seats = command.seats
        named = _seats_concerned(command)
        if not all(0 < seat <= self._seats for seat in named):
            raise Disorder(Sentence("its command concerns a seat that the table does not have."))
        if type(command) in BY_NO_SEAT:
            if ply.seat is not None:
                raise Disorder(
                    Sentence("its command cannot come from a seat, but it names seat {seat}.", {"seat": ply.seat})
                )
            return
        self._seat(ply)
        if isinstance(command, TakeSeat1 | TakeSeat) and command.seat != ply.seat:
            raise Disorder(
                Sentence("seat {seat} sits down at seat {other}.", {"seat": ply.seat, "other": command.seat})
            )
        if isinstance(command, ProposeRewind) and ply.seat in named:
            raise Disorder(Sentence("seat {seat} is asked to agree to its own proposal.", {"seat": ply.seat}))

    def _seat(self, ply: ShownPly) -> None:
        if ply.seat is None or not 0 < ply.seat <= self._seats:
            raise Disorder(Sentence("the table has no seat {seat}.", {"seat": ply.seat}))


def _seats_concerned(command: Command | None) -> tuple[int, ...]:
    """The seats that a command of the table is about, without the seat that gives it."""
    match command:
        case CallTime() | TakeOver() | StandIn() | FreeSeat():
            return (command.seat,)
        case MoveClocks():
            return tuple(seat for seat, _ in command.clocks)
        case ProposeRewind():
            return command.people
    return ()
