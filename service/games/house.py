"""Actions of the service itself at a table: call time, give lost time back, close a game, open a seat.

Sweeps and operators act as the service, so no right is checked (`rights.ByService`). Each function raises the errors of
`play.submit`.
"""

from domain.clock import CallTime, FreeSeat, MoveClocks
from domain.lifecycle import ClosedFor, CloseGame
from domain.messages import Command
from domain.sealed import CallWords, MoveWords
from service.database.work import Work
from service.games import clocks
from service.games.play import Answer, ExtraWrites, Submission, SubmissionContext, submit
from service.games.rights import ByService

CLOCK, SERVICE = ByService("clock"), ByService()


def call_time(work: Work, game_id: str, seat: int, at: int) -> Answer:
    """Call time on a seat whose clock has run out (ST 14)."""
    return submit(work, CLOCK, Submission(game_id, "house", [CallTime(seat)], at=at))


def call_words(work: Work, game_id: str, at: int) -> Answer:
    """Call time on sealed words (ST 20)."""
    return submit(work, CLOCK, Submission(game_id, "house", [CallWords()], at=at))


def wait_for_words(work: Work, game_id: str, due: int, submission_id: str, at: int) -> Answer:
    """Extend the time for sealed words to ``due`` (ST 20)."""
    return submit(work, SERVICE, Submission(game_id, "house", [MoveWords(due)], None, submission_id, at))


def move_clocks(
    work: Work, game_id: str, command: MoveClocks, at: int, *, submission_id: str | None = None, also: ExtraWrites
) -> Answer:
    """Move running clocks, for an absent player or after an outage (ST 13)."""
    return submit(work, SERVICE, Submission(game_id, "house", [command], None, submission_id, at, also=also))


def give_time_back(
    work: Work, game_id: str, lost: int, *, also: ExtraWrites | None = None, at: int | None = None
) -> Answer:
    """Give each running clock, or the awaited sealed words, ``lost`` more milliseconds (ST 13, ST 20)."""

    def later(here: SubmissionContext) -> list[Command]:
        with here.work.reading() as conn:
            return [clocks.later(conn, here.stored, lost, here.at)]

    return submit(work, SERVICE, Submission(game_id, "house", later, at=at, also=also))


def close(work: Work, game_id: str, cause: ClosedFor, *, also: ExtraWrites) -> Answer:
    """Close a running game for a cause (ST 17)."""
    return submit(work, SERVICE, Submission(game_id, "house", [CloseGame(cause)], also=also))


def open_seat(work: Work, game_id: str, seat: int, *, also: ExtraWrites) -> Answer:
    """Open a person's seat to a substitute (ST 18)."""
    return submit(work, SERVICE, Submission(game_id, "house", [FreeSeat(seat)], also=also))
