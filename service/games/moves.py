"""Actions of a seat beside its turns: taking back, going back together, resigning.

Each function takes a `rights.Actor` and raises the errors of `play.submit`.
"""

from typing import Any, Unpack

from domain.lifecycle import AgreeToRewind, ProposeRewind, RefuseRewind, Resign, TakeBack
from domain.messages import Command
from service.database.store import Stored
from service.database.work import Work
from service.games.play import Answer, Submission, SubmissionContext, SubmitOptions, submit
from service.games.rights import Actor

REWIND_LIFE = 3 * 24 * 60 * 60 * 1000
"""How long the others may think about a rewind, in milliseconds."""


def take_back(
    work: Work,
    actor: Actor,
    game_id: str,
    down_to: int,
    **options: Unpack[SubmitOptions],
) -> Answer:
    """Withdraw one's own last plies, back to and including ``ply`` (ST 7)."""
    return submit(work, actor, Submission(game_id, "take_back", [TakeBack(down_to)], **options))


def resign(
    work: Work,
    actor: Actor,
    game_id: str,
    *,
    also: Any = None,
    **options: Unpack[SubmitOptions],
) -> Answer:
    """Leave a running game; the others play on (ST 6). ``also``: as in `play.Submission`."""
    return submit(work, actor, Submission(game_id, "resign", [Resign()], also=also, **options))


# ==== going back together =========================================================================
def propose_rewind(
    work: Work,
    actor: Actor,
    game_id: str,
    to: int,
    *,
    at: int | None = None,
    **options: Unpack[SubmitOptions],
) -> Answer:
    """Propose to go back to the position after ply ``to`` (ST 9). All other people at the table are asked.

    If all others are bots, the game goes back at once.
    """

    def propose(here: SubmissionContext) -> list[Command]:
        return [ProposeRewind(to, people_to_ask(here.stored, here.seat), here.at + REWIND_LIFE)]

    given = Submission(
        game_id, "propose_rewind", propose, at=at, content=lambda seat: ["propose rewind", seat, to], **options
    )
    return submit(work, actor, given)


def people_to_ask(stored: Stored, seat: int | None) -> tuple[int, ...]:
    """The other seats that people play, who must all agree to a rewind that ``seat`` proposes."""
    there = [it for it in stored.seats if it.bot is None and it.vacant_since is None]  # absent players are not asked
    held = {it.seat for it in there if it.person_id is not None}
    playing = stored.game.table.playing if stored.game.table else ()
    return tuple(sorted(held & {*playing} - {seat}))


def agree_to_rewind(
    work: Work,
    actor: Actor,
    game_id: str,
    to: int,
    **options: Unpack[SubmitOptions],
) -> Answer:
    """Agree to the proposed rewind to ply ``to`` (ST 9). With the last consent the game goes back."""
    return submit(work, actor, Submission(game_id, "agree_to_rewind", [AgreeToRewind(to)], **options))


def refuse_rewind(work: Work, actor: Actor, game_id: str, **options: Unpack[SubmitOptions]) -> Answer:
    """Refuse to rewind, or withdraw one's own proposal (ST 9)."""
    return submit(work, actor, Submission(game_id, "refuse_rewind", [RefuseRewind()], **options))
