"""What is the same in every title: opening a table, taking and leaving seats, starting, resigning, taking back.

These commands and events stand in the same log as the title's own. They are folded into a `Table`, a second fold
that is never rewound. The rules of this module are the house rules, cited as ``ST <n>`` (see HOUSE_RULES.md);
where a title has a number of its own for the same thing, `Title.cites` names it.
"""

from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from domain.messages import Command, Event
from domain.refusal import Refused

Why = Literal["resigned", "timed_out"]


# ==== commands ====================================================================================
class OpenTable(Command, frozen=True):
    """ST 1: a table for ``seats`` players of ``title`` with its ``options`` (JSON of the title's options struct).

    ``commitment``: SHA-256 of the game's secret in hexadecimal digits. ``settle``: for how many milliseconds after
    handing on the turn it can still be taken back.
    """

    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int


class TakeSeat(Command, frozen=True):
    """ST 2: sit down, with the title's choice for a seat (JSON) and some entropy, hashed (hexadecimal digits)."""

    seat: int
    choice: msgspec.Raw
    entropy: str


class GiveUpSeat(Command, frozen=True):
    """ST 3: stand up again before the game starts."""


class StartGame(Command, frozen=True):
    """ST 4: all seats are taken; the title sets up the game."""


class CancelGame(Command, frozen=True):
    """ST 5: the table is closed without a result."""


class Resign(Command, frozen=True):
    """ST 6: leave a running game; the others play on."""


class TimeOut(Command, frozen=True):
    """ST 6: the clock puts a seat out of the game."""


class TakeBack(Command, frozen=True):
    """ST 7: withdraw one's own last plies, ``down_to`` the oldest of them."""

    down_to: int


COMMANDS = (OpenTable, TakeSeat, GiveUpSeat, StartGame, CancelGame, Resign, TimeOut, TakeBack)


# ==== events ======================================================================================
class TableOpened(Event, frozen=True):
    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int
    BARRIER: ClassVar = True


class SeatTaken(Event, frozen=True):
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


class SeatRetired(Event, frozen=True):
    """The seat has left the running game; the title's own events say what that means on the table."""

    seat: int
    why: Why
    BARRIER: ClassVar = True


class TakenBack(Event, frozen=True):
    """These plies of ``seat`` count no more. They stay in the log and can be read."""

    seat: int
    plies: tuple[int, ...]


EVENTS = (TableOpened, SeatTaken, SeatGivenUp, GameStarted, GameCancelled, SeatRetired, TakenBack)


# ==== the table ===================================================================================
Status = Literal["open", "running", "over", "cancelled"]


class SeatAtTable(msgspec.Struct, frozen=True):
    """A taken seat: what it chose and what it adds to the game's chance; ``left`` when it is out of the game."""

    choice: msgspec.Raw
    entropy: str
    left: bool = False


class Table(msgspec.Struct, frozen=True):
    """Who sits where (by number only), and how far the game is. ``chairs``: seat number -> taken seat."""

    title: str
    seats: int
    options: msgspec.Raw
    commitment: str
    settle: int
    status: Status = "open"
    chairs: dict[int, SeatAtTable] = {}

    @property
    def full(self) -> bool:
        return len(self.chairs) == self.seats

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left, in order."""
        return tuple(seat for seat in sorted(self.chairs) if not self.chairs[seat].left)


def evolve_table(table: Table | None, event: Event) -> Table | None:
    """The table after ``event``; events of the title leave it as it was. (That a game is over is the title's word.)"""
    match event:
        case TableOpened():
            return Table(event.title, event.seats, event.options, event.commitment, event.settle)
        case _ if table is None:
            return None
        case SeatTaken():
            return replace(table, chairs={**table.chairs, event.seat: SeatAtTable(event.choice, event.entropy)})
        case SeatGivenUp():
            return replace(table, chairs={seat: it for seat, it in table.chairs.items() if seat != event.seat})
        case GameStarted():
            return replace(table, status="running")
        case GameCancelled():
            return replace(table, status="cancelled")
        case SeatRetired():
            chair = replace(table.chairs[event.seat], left=True)
            return replace(table, chairs={**table.chairs, event.seat: chair})
        case _:
            return table


# ==== what the house rules say ====================================================================
def take_seat(table: Table, command: TakeSeat) -> SeatTaken:
    """ST 2 A free seat of a table that has not started can be taken."""
    if table.status != "open":
        raise Refused("ST 2", "The game has started: no seat can be taken.")
    if not 1 <= command.seat <= table.seats:
        raise Refused("ST 2", "This table has {seats} seats.", seats=table.seats)
    if command.seat in table.chairs:
        raise Refused("ST 2", "Seat {number} is taken.", number=command.seat)
    return SeatTaken(command.seat, command.choice, command.entropy)


def give_up_seat(table: Table, seat: int | None) -> SeatGivenUp:
    """ST 3 A seat can be given up until the game starts; after that one resigns."""
    if table.status != "open":
        raise Refused("ST 3", "The game has started: a seat can only be resigned.")
    if seat not in table.chairs:
        raise Refused("ST 3", "Nobody sits there.")
    return SeatGivenUp(seat)


def start_game(table: Table) -> GameStarted:
    """ST 4 A game starts once, when every seat is taken."""
    if table.status != "open":
        raise Refused("ST 4", "This game has started already, or was cancelled.")
    if not table.full:
        raise Refused("ST 4", "{missing} of {seats} seats are still free.",
                      missing=table.seats - len(table.chairs), seats=table.seats)
    return GameStarted()


def cancel_game(table: Table) -> GameCancelled:
    """ST 5 A table can be closed until the game starts."""
    if table.status != "open":
        raise Refused("ST 5", "Only a game that has not started can be cancelled.")
    return GameCancelled()


def retire(table: Table, seat: int | None, why: Why) -> SeatRetired:
    """ST 6 A seat that still plays can leave a running game."""
    if table.status != "running":
        raise Refused("ST 6", "Only a running game can be left.")
    if seat not in table.playing:
        raise Refused("ST 6", "This seat does not play any more.")
    return SeatRetired(seat, why)
