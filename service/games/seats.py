"""Actions at the seat of an absent player: the player returns, a substitute takes over, or the host appoints a bot.

Each function takes a `rights.Actor` and raises the errors of `play.submit`.
"""

from sqlalchemy import Connection, insert, update

from domain.clock import ReturnToSeat, StandIn, TakeOver
from service.database.store import SEATS
from service.database.tables import FormerPlayer, table_of
from service.database.work import Work
from service.games.lobby import must_sit_nowhere
from service.games.play import Answer, Submission, SubmissionContext, submit
from service.games.rights import Actor, Asking, must_be

FORMER = table_of(FormerPlayer)


def return_to_seat(work: Work, actor: Actor, game_id: str, *, at: int | None = None) -> Answer:
    """Return to one's own seat (ST 16)."""
    return submit(work, actor, Submission(game_id, "return_to_seat", [ReturnToSeat()], at=at))


def take_over(work: Work, actor: Asking, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """Take over an open seat, as a person without a seat at the table (ST 16).

    The former player becomes a stranger to the table, unless they host it. The substitute never sees the words that the
    former player brought. The former player stays in the record of the game.
    """
    person_id = must_be(actor, "play")

    def sit_down(conn: Connection, here: SubmissionContext) -> None:
        must_sit_nowhere(conn, here)
        if (former := next((it.person_id for it in here.stored.seats if it.seat == seat), None)) is not None:
            ply = here.stored.game.version + 1
            conn.execute(insert(FORMER).values(game_id=game_id, seat=seat, ply=ply, person_id=former))
        conn.execute(
            update(SEATS)
            .where(SEATS.c.game_id == game_id, SEATS.c.seat == seat)
            .values(person_id=person_id, joined_at=here.at, erased_at=None, salt="", words="")
        )

    given = Submission(game_id, "take_over", [TakeOver(seat)], at=at, also=sit_down, sitter=(seat, person_id))
    return submit(work, actor, given)


def stand_in(work: Work, actor: Actor, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """Leave an open seat to a bot, as the host, until its player is back (ST 16)."""
    return submit(work, actor, Submission(game_id, "stand_in", [StandIn(seat)], at=at))
