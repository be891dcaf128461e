"""How a person stands: their rating in a title and the share of their games that they finished.

Both come from finished games alone. The rows are written in `service.record`.
"""

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


def standing(conn: Connection, person_id: int, title: str) -> Reputation:
    theirs = RATINGS.c.person_id == person_id, RATINGS.c.title == title
    rated = conn.execute(select(func.count()).select_from(RATINGS).where(*theirs)).scalar_one()
    latest = select(RATINGS.c.mu).where(*theirs).order_by(RATINGS.c.ended_at.desc(), RATINGS.c.game_id.desc())
    mu = conn.execute(latest.limit(1)).scalar() or 0
    stayed = and_(RECORD.c.place.is_not(None), RECORD.c.played_by != "bot")
    games = select(func.count(), func.coalesce(func.sum(case((stayed, 1), else_=0)), 0))
    played, finished = conn.execute(games.select_from(RECORD).where(RECORD.c.person_id == person_id)).one()
    return Reputation(int(rated), round(mu / MILLION), int(played), int(finished))
