"""Who plays a seat whose player went away: the player come back, a substitute, or a bot the host leaves it to."""

from sqlalchemy import Connection, update

from domain.clock import ReturnToSeat, StandIn, TakeOver
from service.database.store import SEATS, Store
from service.games import play
from service.games.play import Answer


def return_to(store: Store, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """The player of ``seat`` is back (ST 16). Raises what `play.submit` raises."""
    return play.submit(store, game_id, seat, [ReturnToSeat()], None, None, at)


def take_over(
    store: Store, game_id: str, seat: int, *, person_id: int, at: int | None = None, invitation: int | None = None
) -> Answer:
    """A person who has no seat at the table takes one that stands open (ST 16). Raises what `play.submit` raises.

    ``invitation``: as in `play.take_seat`. The player who sat there before is a stranger to the table from then on, but
    for being its host, perhaps; what they brought is none of the substitute's business.
    """

    def sit_down(conn: Connection, at: int) -> None:
        play.demand_invitation(conn, game_id, invitation)
        play.demand_no_seat(conn, game_id, person_id)
        conn.execute(update(SEATS).where(SEATS.c.game_id == game_id, SEATS.c.seat == seat).values(
            person_id=person_id, joined_at=at, erased_at=None, salt="", words=""
        ))  # fmt: skip

    return play.submit(
        store, game_id, None, [TakeOver(seat)], None, None, at, also=sit_down, sitter=(seat, person_id)
    )


def stand_in(store: Store, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """The host leaves an open seat to a bot, until its player is back (ST 16). Raises what `play.submit` raises."""
    return play.submit(store, game_id, None, [StandIn(seat)], None, None, at)
