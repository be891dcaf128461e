"""How a person stands: their rating in a title and the share of their games that they finished.

Both come from finished games alone. The rows are written in `service.record`.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, and_, case, func, select

from service.database.tables import RatingRow, RecordRow, table_of

RATINGS, RECORD = table_of(RatingRow), table_of(RecordRow)
SETTLED = 5
"""Games after which a rating is shown as one number, and from which on a person is no newcomer."""
MILLION = 1_000_000


class Reputation(NamedTuple):
    """A person's standing. ``rated``: their rated games of the title. ``games``: all games in their record."""

    rated: int
    rating: int
    games: int
    finished: int

    @property
    def share(self) -> int:
        """The games that they finished, in whole percent."""
        return 100 * self.finished // self.games if self.games else 0


_STAYED = and_(RECORD.c.place.is_not(None), RECORD.c.played_by != "bot")
_FINISHED = func.coalesce(func.sum(case((_STAYED, 1), else_=0)), 0)


def standing(conn: Connection, person_id: int, title: str) -> Reputation:
    theirs = RATINGS.c.person_id == person_id, RATINGS.c.title == title
    rated = conn.execute(select(func.count()).select_from(RATINGS).where(*theirs)).scalar_one()
    latest = select(RATINGS.c.mu).where(*theirs).order_by(RATINGS.c.ended_at.desc(), RATINGS.c.game_id.desc())
    mu = conn.execute(latest.limit(1)).scalar() or 0
    games = select(func.count(), _FINISHED)
    played, finished = conn.execute(games.select_from(RECORD).where(RECORD.c.person_id == person_id)).one()
    return Reputation(int(rated), round(mu / MILLION), int(played), int(finished))


# ==== many people =================================================================================
def ratings(conn: Connection, people: Collection[int]) -> dict[tuple[int, str], int]:
    """Return person and title -> the rating, for those of these people who have enough rated games of the title."""
    number, last = func.count().label("number"), func.max(RATINGS.c.ended_at).label("last")
    theirs = select(RATINGS.c.person_id, RATINGS.c.title, number, last).where(RATINGS.c.person_id.in_(people))
    enough = theirs.group_by(RATINGS.c.person_id, RATINGS.c.title).having(number >= SETTLED).subquery()
    same = and_(
        RATINGS.c.person_id == enough.c.person_id,
        RATINGS.c.title == enough.c.title,
        RATINGS.c.ended_at == enough.c.last,
    )
    latest = select(RATINGS.c.person_id, RATINGS.c.title, RATINGS.c.mu).join(enough, same).order_by(RATINGS.c.game_id)
    return {(row.person_id, row.title): round(row.mu / MILLION) for row in conn.execute(latest)}


def shares(conn: Connection, people: Collection[int]) -> dict[int, int]:
    """Return person -> the share of games that they finished in percent, for those who are no newcomers."""
    theirs = select(RECORD.c.person_id, func.count().label("games"), _FINISHED.label("finished"))
    known = theirs.where(RECORD.c.person_id.in_(people)).group_by(RECORD.c.person_id)
    rows = conn.execute(known.having(func.count() >= SETTLED))
    return {row.person_id: Reputation(0, 0, row.games, row.finished).share for row in rows}
