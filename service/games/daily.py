"""The daily limit of moves of one person in one game: moves and take-backs could grow a log without end.

It is one of the limits that ``rate_limits`` switches off. Actions of bots, clocks and the service are not counted. Days
are those of UTC.
"""

from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, select

from domain.refusal import Refused
from service.base.clock import DAY, HOUR
from service.database.compiled import Compiled, upsert
from service.database.tables import DailyMoves, table_of
from service.database.work import Work

MADE = table_of(DailyMoves)
MOST = 1000
"""Moves of one person in one game in one day. A seat makes at most 300 in a whole game of our titles."""
WAYS_OUT = ("resign", "leave", "cancel")
"""Actions that lead out of the game, each done once."""


def must_have_room(work: Work, game_id: str, person_id: int, number: int, at: int) -> None:
    """Raise `Refused` if ``number`` more moves of this person exceed the limit for the day of ``at``."""
    with work.reading() as conn:
        made = _MADE.row(conn, game=game_id, person=person_id, day=at // DAY)
    if (made.moves if made is not None else 0) + number > MOST:
        raise Refused(
            "ST 8",
            "You can make at most {most} moves a day in one game, including those taken back. You can go on in "
            "{hours} h. Until then you can still leave the game.",
            most=MOST,
            hours=-(-(DAY - at % DAY) // HOUR),
        )


def count(conn: Connection, game_id: str, person_id: int, number: int, at: int) -> None:
    """Count ``number`` more moves."""
    _COUNT[conn.dialect.name].run(conn, game_id=game_id, person_id=person_id, day=at // DAY, moves=number)


def forget_old(conn: Connection, at: int) -> None:
    """Delete the counts of earlier days."""
    conn.execute(delete(MADE).where(MADE.c.day < at // DAY))


_MADE = Compiled(
    select(MADE.c.moves).where(
        MADE.c.game_id == bindparam("game"), MADE.c.person_id == bindparam("person"), MADE.c.day == bindparam("day")
    )
)


def _more(fresh: Any) -> dict[str, Any]:
    """Add to the count; the first move of another day starts it anew."""
    moves = case((MADE.c.day == fresh.day, MADE.c.moves + fresh.moves), else_=fresh.moves)
    return {"day": fresh.day, "moves": moves}


_COUNT = upsert(MADE, ["game_id", "person_id"], _more)
