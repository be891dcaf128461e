"""Who plays a seat whose player went away: the player come back, a substitute, or a bot the host leaves it to.

Each function is told who asks (`rights.Actor`) and raises what `play.submit` raises.
"""

from sqlalchemy import Connection, update

from domain.clock import ReturnToSeat, StandIn, TakeOver
from service.database.store import SEATS
from service.database.work import Work
from service.games.lobby import must_sit_nowhere
from service.games.play import Answer, Here, Submission, submit
from service.games.rights import Actor, Asking, must_be


def return_to_seat(work: Work, actor: Actor, game_id: str, *, at: int | None = None) -> Answer:
    """The player of a seat is back (ST 16)."""
    return submit(work, actor, Submission(game_id, "return_to_seat", [ReturnToSeat()], at=at))


def take_over(work: Work, actor: Asking, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """A person who has no seat at the table takes one that stands open (ST 16).

    Who sat there before is a stranger to the table from then on, but for being its host, perhaps; what they brought is
    none of the substitute's business.
    """
    person_id = must_be(actor, "play")

    def sit_down(conn: Connection, here: Here) -> None:
        must_sit_nowhere(conn, here)
        conn.execute(
            update(SEATS)
            .where(SEATS.c.game_id == game_id, SEATS.c.seat == seat)
            .values(person_id=person_id, joined_at=here.at, erased_at=None, salt="", words="")
        )

    given = Submission(game_id, "take_over", [TakeOver(seat)], at=at, also=sit_down, sitter=(seat, person_id))
    return submit(work, actor, given)


def stand_in(work: Work, actor: Actor, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """The host leaves an open seat to a bot, until its player is back (ST 16)."""
    return submit(work, actor, Submission(game_id, "stand_in", [StandIn(seat)], at=at))
