"""The tip of a beginner's turn: in somebody's first game of a title, until they want no tips.

Only the person's own games and wishes decide whether there is one. Its words follow from title and view
(`domain.tips`), so it tells nothing that the view hides. Substitutes get none: they came to play on, not to learn.
"""

from sqlalchemy import Connection, and_, bindparam, exists, select

from domain import tips
from domain.game import Game
from domain.tips import TipSaid
from service.database.compiled import Compiled
from service.database.store import GAMES, SEATS, Store
from service.games import queries
from service.games.queries import Seen
from service.people.accounts import PERSONS

_mine, _others = SEATS.alias("mine"), SEATS.alias("others")
_finished = exists().where(
    _others.c.person_id == PERSONS.c.id,
    _others.c.game_id == GAMES.c.id,
    GAMES.c.title == bindparam("title"),
    GAMES.c.status == "over",
)
_BEGINNER = Compiled(
    select(_mine.c.joined_at)
    .select_from(PERSONS.join(_mine, and_(_mine.c.person_id == PERSONS.c.id, _mine.c.game_id == bindparam("game"))))
    .where(PERSONS.c.id == bindparam("person"), PERSONS.c.tips, ~_finished)
)
"""The seat of a person who wants tips and has finished no game of the title."""


def tip(store: Store, conn: Connection, seen: Seen, at: Game | None = None) -> TipSaid | None:
    """Return the tip for the viewer's turn; None if it is not their turn, or they are no beginner.

    ``at``: a position that they try, if it is not the present one.
    """
    game, title = at or seen.game, seen.title
    if not title.face.tips or seen.seat not in game.asked or queries.barred(seen):
        return None
    row = _BEGINNER.row(conn, person=seen.viewer, game=seen.game.id, title=title.id)
    if row is None or row.joined_at > _started(store, conn, seen):
        return None
    return tips.first(title.face.tips, queries.view(seen, game))


def _started(store: Store, conn: Connection, seen: Seen) -> int:
    """Return the time of the game's start, or of the last leave."""
    start = seen.table.floor
    ((_, ply),) = store.plies(conn, seen.game.id, seen.title, start - 1, start)
    return ply.at
