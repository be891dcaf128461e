"""Players' private notes about a game; nobody else sees them."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from service.database.tables import Note, table_of

NOTES = table_of(Note)
LONGEST = 1000
SHOWN = 20


def add(conn: Connection, person_id: int, game_id: str, text: str, key: str, at: int) -> None:
    """Keep a note. ``key``: a repeated one changes nothing."""
    if conn.execute(select(NOTES.c.id).where(NOTES.c.key == key)).first() is None:
        row = {"person_id": person_id, "game_id": game_id, "text": text[:LONGEST], "key": key, "created_at": at}
        conn.execute(insert(NOTES).values(**row))


def of(conn: Connection, person_id: int, game_id: str) -> Sequence[str]:
    """The last notes of a person about a game, the oldest first."""
    mine = select(NOTES.c.text).where(NOTES.c.person_id == person_id, NOTES.c.game_id == game_id)
    return list(conn.scalars(mine.order_by(NOTES.c.id.desc()).limit(SHOWN)))[::-1]
