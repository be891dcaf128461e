"""What the service does at a table by itself: the clock calls, lost time is given back, an operator steps in.

Nobody is asked whether they may: sweeps and operators are the service (`rights.ByService`). Raises what `play.submit`
raises.
"""

from domain.clock import CallTime, FreeSeat, MoveClocks
from domain.lifecycle import ClosedFor, CloseGame
from domain.messages import Command
from domain.sealed import CallWords, MoveWords
from service.database.work import Work
from service.games import clocks
from service.games.play import Also, Answer, Here, Submission, submit
from service.games.rights import ByService

CLOCK, SERVICE = ByService("clock"), ByService()


def call_time(work: Work, game_id: str, seat: int, at: int) -> Answer:
    """The clock of a seat has run out (ST 14)."""
    return submit(work, CLOCK, Submission(game_id, "house", [CallTime(seat)], at=at))


def call_words(work: Work, game_id: str, at: int) -> Answer:
    """The time for sealed words is over (ST 20)."""
    return submit(work, CLOCK, Submission(game_id, "house", [CallWords()], at=at))


def wait_for_words(work: Work, game_id: str, due: int, submission_id: str, at: int) -> Answer:
    """Sealed words have time until ``due`` (ST 20)."""
    return submit(work, SERVICE, Submission(game_id, "house", [MoveWords(due)], None, submission_id, at))


def move_clocks(
    work: Work, game_id: str, command: MoveClocks, at: int, *, submission_id: str | None = None, also: Also
) -> Answer:
    """Clocks that run wait for who is away, or for a service that stood still (ST 13)."""
    return submit(work, SERVICE, Submission(game_id, "house", [command], None, submission_id, at, also=also))


def give_time_back(work: Work, game_id: str, lost: int, *, also: Also | None = None, at: int | None = None) -> Answer:
    """Give every clock that runs, or sealed words that are waited for, so many milliseconds (ST 13, ST 20)."""

    def later(here: Here) -> list[Command]:
        with here.work.reading() as conn:
            return [clocks.later(conn, here.stored, lost, here.at)]

    return submit(work, SERVICE, Submission(game_id, "house", later, at=at, also=also))


def close(work: Work, game_id: str, cause: ClosedFor, *, also: Also) -> Answer:
    """Close a running game, for a cause (ST 17)."""
    return submit(work, SERVICE, Submission(game_id, "house", [CloseGame(cause)], also=also))


def open_seat(work: Work, game_id: str, seat: int, *, also: Also) -> Answer:
    """Open a seat that a person plays to a substitute (ST 18)."""
    return submit(work, SERVICE, Submission(game_id, "house", [FreeSeat(seat)], also=also))
