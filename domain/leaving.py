"""Leaving a running game, and closing it (ST 6, ST 17)."""

from domain.at_table import AtTable, must_not_be_over
from domain.lifecycle import CloseGame, GameClosed, Resign, SeatRetired, TimeOut, Why
from domain.refusal import Refused


def resign(now: AtTable, command: Resign) -> None:
    """ST 6 Let a seat that still plays leave a running game."""
    must_not_be_over(now.game)
    must_be_able_to_leave(now, now.seat)
    leave(now, now.seat, "resigned")


def time_out(now: AtTable, command: TimeOut) -> None:
    """ST 6 Let the clock put a seat out."""
    must_not_be_over(now.game)
    must_be_able_to_leave(now, now.seat)
    leave(now, now.seat, "timed_out")


def must_be_able_to_leave(now: AtTable, seat: int) -> None:
    """ST 6 The seat must still play, in a running game."""
    if now.table.status != "running":
        raise Refused("ST 6", "You can leave a game only while it is running.")
    if seat not in now.table.playing:
        raise Refused("ST 6", "This seat is no longer in the game.")


def leave(now: AtTable, seat: int, why: Why) -> None:
    """ST 6 Record the leaving; the others play on. The title decides the consequences on the board."""
    now.happens(SeatRetired(seat, why))
    after = now.game.title.rules.leave(now.game.state, seat, why, now.chance)
    now.happens(*after.events)


def close_game(now: AtTable, command: CloseGame) -> None:
    """ST 17 Let an operator close a running game; nobody wins."""
    must_not_be_over(now.game)
    must_be_running(now)
    now.happens(GameClosed(command.cause))


def must_be_running(now: AtTable) -> None:
    """ST 17 The game must be running."""
    if now.table.status != "running":
        raise Refused("ST 17", "An operator can only close a running game.")
