"""The parts of play that every title shares: opening a table, taking and leaving seats, starting, resigning, taking
back.

These commands and events stand in the same log as the title's own. They are folded into a `Table`, a second fold that
is never rewound. The house rules (`seats`, `leaving`, `going_back`) answer them, cited as ``ST <n>`` (see
HOUSE_RULES.md). `Title.cites` names a title's own number for the same rule, if it has one.

`OpenTable1` and `TakeSeat1` are the earlier shape of `OpenTable` and `TakeSeat`: a table that was opened in it keeps
it.
"""

from functools import cached_property, lru_cache
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from domain import clock, luck, sealed
from domain.chance import length_prefixed
from domain.clock import Time
from domain.luck import Digest
from domain.messages import Command, Event
from domain.pace import Pace
from domain.sealed import (
    MoveWords,
    Sealed,
    SeatLost,
    WordsCalled,
    WordsRevealed,
    WordsSealed,
    WordsVoided,
)

Why = Literal["resigned", "timed_out"]
ClosedFor = Literal["fault", "conduct", "wish", "other"]
"""Why a running game was closed: a fault of the service, somebody's conduct, the players' wish, or something else."""


# ==== commands ====================================================================================
class OpenTable(Command, frozen=True, tag="OpenTable.2"):
    """ST 1: open a table for ``seats`` players of ``title`` with its ``options`` (JSON of the title's options struct).

    ``commitment``: SHA-256 of the game's secret in hexadecimal digits. ``settle``: how many milliseconds after handing
    on the turn it can still be taken back. ``sealed``: words are sealed, and opened once all seats are taken (ST 20).
    """

    title: str
    seats: int
    options: msgspec.Raw
    commitment: Digest
    settle: int
    sealed: bool = False


class OpenTable1(Command, frozen=True, tag="OpenTable"):
    """ST 1: open a table in the earlier shape: nobody can check everything that its seats add to chance."""

    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int


class TakeSeat(Command, frozen=True, tag="TakeSeat.2"):
    """ST 2: sit down, with the title's choice for a seat (JSON) and the player's words, hashed (`domain.luck.brought`).

    ``brought``: None for a player without words; a ``bot`` never brings any. ``due``: the deadline for opening the
    words if this seat is the last to be taken. The service adds this fact of the moment at a table of sealed words.
    """

    seat: int
    choice: msgspec.Raw
    brought: Digest | None
    bot: bool
    due: int | None = None


class TakeSeat1(Command, frozen=True, tag="TakeSeat"):
    """ST 2: sit down at a table of the earlier shape, with some entropy, hashed (hexadecimal digits)."""

    seat: int
    choice: msgspec.Raw
    entropy: str


class GiveUpSeat(Command, frozen=True):
    """ST 3: stand up again before the game starts."""


class StartGame(Command, frozen=True):
    """ST 4: all seats are taken; the title sets up the game."""


class CancelGame(Command, frozen=True):
    """ST 5: close the table without a result."""


class CloseGame(Command, frozen=True):
    """ST 17: as an operator, close the table of a running game, without a result."""

    cause: ClosedFor


class Resign(Command, frozen=True):
    """ST 6: leave a running game; the others play on."""


class TimeOut(Command, frozen=True):
    """ST 6: by the clock, put a seat out of the game."""


class TakeBack(Command, frozen=True):
    """ST 7: withdraw one's own last plies, of which ``down_to`` is the oldest."""

    down_to: int


class ProposeRewind(Command, frozen=True):
    """ST 9: propose to rewind to the position after ply ``to``.

    ``people``: the other seats held by people, which must all agree. ``expires``: the moment at which the proposal
    expires, in milliseconds since 1970. Both are facts of the moment, which the service adds.
    """

    to: int
    people: tuple[int, ...]
    expires: int


class AgreeToRewind(Command, frozen=True):
    """ST 9: agree to the proposed rewind, to the position after ply ``to`` and to no other."""

    to: int


class RefuseRewind(Command, frozen=True):
    """ST 9: refuse the proposed rewind, or withdraw one's own proposal."""


COMMANDS = (
    OpenTable1, TakeSeat1, GiveUpSeat, StartGame, CancelGame, Resign, TimeOut, TakeBack, ProposeRewind, AgreeToRewind,
    RefuseRewind, OpenTable, TakeSeat, CloseGame, *sealed.COMMANDS, *clock.COMMANDS,
)  # fmt: skip

BY_NO_SEAT = frozenset((
    OpenTable1, OpenTable, StartGame, CancelGame, CloseGame, sealed.CallWords, MoveWords, clock.SetPace, clock.CallTime,
    clock.TakeOver, clock.StandIn, clock.MoveClocks, clock.FreeSeat,
))  # fmt: skip
"""Commands that come from the table itself, or from the service. All others come from a seat."""


# ==== events ======================================================================================
class TableOpened(Event, frozen=True, tag="TableOpened.2"):
    title: str
    seats: int
    options: msgspec.Raw
    commitment: Digest
    settle: int
    sealed: bool = False
    BARRIER: ClassVar = True


class TableOpened1(Event, frozen=True, tag="TableOpened"):
    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int
    BARRIER: ClassVar = True


class SeatTaken(Event, frozen=True, tag="SeatTaken.2"):
    """``brought``: the hash of its player's words; ``ours``: the share from the game's secret (`domain.luck`)."""

    seat: int
    choice: msgspec.Raw
    brought: Digest | None
    ours: Digest
    bot: bool
    BARRIER: ClassVar = True


class SeatTaken1(Event, frozen=True, tag="SeatTaken"):
    seat: int
    choice: msgspec.Raw
    entropy: str
    BARRIER: ClassVar = True


class SeatGivenUp(Event, frozen=True):
    seat: int
    BARRIER: ClassVar = True


class GameStarted(Event, frozen=True):
    """The title's own events of its setup follow in the same ply."""

    BARRIER: ClassVar = True


class GameCancelled(Event, frozen=True):
    BARRIER: ClassVar = True


class GameClosed(Event, frozen=True):
    """The running game has ended without a result, and nobody has won."""

    cause: ClosedFor
    BARRIER: ClassVar = True


class SeatRetired(Event, frozen=True):
    """The seat has left the running game; the title's own events record the consequences on the board."""

    seat: int
    why: Why
    BARRIER: ClassVar = True


class TakenBack(Event, frozen=True):
    """These plies of ``seat`` no longer count. They stay in the log and can be read."""

    seat: int
    plies: tuple[int, ...]


class RewindProposed(Event, frozen=True):
    """A seat has proposed a rewind. ``since``: the version of play at that moment; the proposal lapses when the game
    goes on.
    """

    seat: int
    to: int
    people: tuple[int, ...]
    expires: int
    since: int
    QUIET: ClassVar = True


class RewindAgreed(Event, frozen=True):
    seat: int
    QUIET: ClassVar = True


class RewindRefused(Event, frozen=True):
    seat: int
    QUIET: ClassVar = True


class Rewound(Event, frozen=True):
    """The game stands again as it did after ply ``to``. Later plies no longer count, but can be read."""

    to: int
    BARRIER: ClassVar = True


EVENTS = (
    TableOpened1, SeatTaken1, SeatGivenUp, GameStarted, GameCancelled, SeatRetired, TakenBack, RewindProposed,
    RewindAgreed, RewindRefused, Rewound, TableOpened, SeatTaken, GameClosed, *sealed.EVENTS, *clock.EVENTS,
)  # fmt: skip


# ==== the table ===================================================================================
TAKE_BACKS = 20
"""ST 7 How often a seat can take back since the last final ply."""

Status = Literal["open", "running", "over", "cancelled"]
ENDED: tuple[Status, ...] = ("over", "cancelled")


class SeatAtTable(msgspec.Struct, frozen=True):
    """A taken seat: its choice and its share of the game's chance; ``left`` when it is out of the game.

    ``brought``: the player's words, hashed; ``bot``: a bot sat down there. (Seats of the older shape have neither.)
    """

    choice: msgspec.Raw
    entropy: str
    left: bool = False
    brought: str | None = None
    bot: bool = False
    ours: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """A proposed rewind: see `RewindProposed`. ``agreed``: the seats that have agreed so far."""

    seat: int
    to: int
    people: tuple[int, ...]
    expires: int
    since: int
    agreed: tuple[int, ...] = ()

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose consent is still missing."""
        return tuple(seat for seat in self.people if seat not in self.agreed)


class Table(msgspec.Struct, frozen=True, dict=True):
    """The taken seats (by number only), and the stage of the game.

    ``chairs``: seat number -> taken seat. ``floor``: the earliest ply to which a rewind can go: the start, or the last
    leaving. ``proposal``: the last proposed rewind; it may have lapsed or expired. ``rewound``: the last ply that was a
    rewind. ``time``: the pace and the clocks; None without a pace. ``older``: the table is of the older shape, and
    nobody can check its seats' shares of chance. ``sealed``: the progress of its sealed words, if it has some.
    ``taken_back``: seat -> the plies in which it has taken back, the last `TAKE_BACKS` of them.
    """

    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int
    status: Status = "open"
    chairs: dict[int, SeatAtTable] = {}
    floor: int = 0
    proposal: Proposal | None = None
    rewound: int = 0
    time: Time | None = None
    older: bool = False
    sealed: Sealed | None = None
    taken_back: dict[int, tuple[int, ...]] = {}

    @property
    def begun(self) -> bool:
        """Has the game started? It may be over, or closed, since. (A sandbox runs from its first moment on.)"""
        return self.status == "running" or self.floor > 0

    @property
    def pace(self) -> Pace | None:
        """The pace of this table; None if it has no clock."""
        return self.time.pace if self.time else None

    @property
    def clocks(self) -> dict[int, int]:
        """Seat -> the deadline of its running clock."""
        return self.time.clocks if self.time else {}

    @cached_property
    def entropies(self) -> bytes:
        """The seats' share of every draw: their entropies in the order of the seats, each with its length in front."""
        return _entropies(tuple([self.chairs[seat].entropy for seat in sorted(self.chairs)]))

    @property
    def brought(self) -> tuple[int, ...]:
        """The seats whose players brought words, in order."""
        return tuple(seat for seat in sorted(self.chairs) if self.chairs[seat].brought is not None)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe an open table of sealed words a seal or, once all seats are taken, the sealed words."""
        if self.sealed is None or self.status != "open":
            return ()
        people = [seat for seat in sorted(self.chairs) if not self.chairs[seat].bot]
        unsealed = tuple(seat for seat in people if self.chairs[seat].brought is None)
        closed = tuple(seat for seat in people if seat not in self.sealed.opened)
        return unsealed or (closed if self.full else ())

    @property
    def choosable(self) -> bool:
        """Could a person with the secret have chosen the draws? By the secret itself if nobody brought words; in the
        older shape by the bytes that the service added to a seat's words.
        """
        return self.older or not self.brought

    @property
    def full(self) -> bool:
        return len(self.chairs) == self.seats

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left, in order."""
        return tuple(seat for seat in sorted(self.chairs) if not self.chairs[seat].left)

    def plays(self, seat: int) -> bool:
        """Is ``seat`` taken, and has it not left?"""
        chair = self.chairs.get(seat)
        return chair is not None and not chair.left


@lru_cache(maxsize=256)
def _entropies(digits: tuple[str, ...]) -> bytes:
    return length_prefixed(bytes.fromhex(each) for each in digits)


_OF_CLOCKS = frozenset(clock.EVENTS)
_OF_WORDS = frozenset(sealed.EVENTS)


def _evolve_words(table: Table, words: Sealed, event: Event) -> Table:
    chairs = table.chairs
    match event:
        case WordsCalled():
            return replace(table, sealed=replace(words, due=event.due))
        case WordsSealed(seat=seat) if seat in chairs:
            return replace(table, chairs={**chairs, seat: replace(chairs[seat], brought=event.brought)})
        case WordsRevealed(seat=seat) if seat in chairs:
            chair = replace(chairs[seat], entropy=luck.entropy(event.words, chairs[seat].ours))
            opened = replace(words, opened=(*words.opened, seat))
            return replace(table, chairs={**chairs, seat: chair}, sealed=opened)
        case WordsVoided():
            anew = {seat: it if it.bot else replace(it, brought=None, entropy="") for seat, it in chairs.items()}
            return replace(table, chairs=anew, sealed=Sealed(failed=words.failed + 1))
    return table


def evolve_table(table: Table | None, event: Event, ply: int, at: int) -> Table | None:
    """Return the table after ``event`` of ply number ``ply``, at the moment ``at``; events of the title leave it
    unchanged.

    (The end of a game is an event of its title.)
    """
    match event:
        case TableOpened1() | TableOpened():
            words = Sealed() if isinstance(event, TableOpened) and event.sealed else None
            older = isinstance(event, TableOpened1)
            return Table(
                event.title, event.seats, event.options, event.commitment, event.settle, older=older, sealed=words
            )
        case _ if table is None:
            return None
        case _ if type(event) in _OF_CLOCKS:  # the most frequent events by far
            return replace(table, time=clock.evolve(table.time, event, at))
        case SeatTaken1():
            return replace(table, chairs={**table.chairs, event.seat: SeatAtTable(event.choice, event.entropy)})
        case SeatTaken():
            entropy = "" if table.sealed and not event.bot else luck.entropy(event.brought, event.ours)
            chair = SeatAtTable(event.choice, entropy, brought=event.brought, bot=event.bot, ours=event.ours)
            return replace(table, chairs={**table.chairs, event.seat: chair})
        case SeatGivenUp() | SeatLost():
            words = table.sealed and replace(table.sealed, due=None)
            chairs = {seat: it for seat, it in table.chairs.items() if seat != event.seat}
            return replace(table, chairs=chairs, sealed=words)
        case _ if table.sealed is not None and type(event) in _OF_WORDS:
            return _evolve_words(table, table.sealed, event)
        case GameStarted():
            return replace(table, status="running", floor=ply)
        case GameCancelled():
            return replace(table, status="cancelled")
        case GameClosed():
            return replace(table, status="cancelled", proposal=None)
        case SeatRetired():
            chair = replace(table.chairs[event.seat], left=True)
            return replace(table, chairs={**table.chairs, event.seat: chair}, floor=ply, proposal=None)
        case RewindProposed():
            proposal = Proposal(event.seat, event.to, event.people, event.expires, event.since)
            return replace(table, proposal=proposal)
        case RewindAgreed() if table.proposal is not None:
            agreed = (*table.proposal.agreed, event.seat)
            return replace(table, proposal=replace(table.proposal, agreed=agreed))
        case RewindRefused():
            return replace(table, proposal=None)
        case Rewound():
            return replace(table, proposal=None, rewound=ply)
        case TakenBack(seat=seat):
            plies = (*table.taken_back.get(seat, ()), ply)[-TAKE_BACKS:]
            return replace(table, taken_back={**table.taken_back, seat: plies})
        case _:
            return table


def open_proposal(table: Table, since: int, at: int) -> Proposal | None:
    """Return the proposal that can still be agreed to: the game has not gone on since, and the time is not over."""
    proposal = table.proposal
    return proposal if proposal is not None and proposal.since == since and at <= proposal.expires else None
