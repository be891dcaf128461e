"""People's private notes about a game, or about a position of it; nobody else sees them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from service.database.tables import Note, table_of

NOTES = table_of(Note)
LONGEST = 1000
SHOWN = 20
MOST = 500
"""The notes of a person about one game."""


class TooManyNotes(Exception):
    """There are `MOST` notes already."""


def add(
    conn: Connection, person_id: int, game_id: str, text: str, key: str, at: int, *, version: int | None = None
) -> None:
    """Keep a note. ``key``: a repeated one changes nothing. ``version``: of the position that it is about.

    Raise `TooManyNotes`.
    """
    if conn.execute(select(NOTES.c.id).where(NOTES.c.key == key)).first() is None:
        if conn.execute(select(func.count()).where(*_its(person_id, game_id))).scalar_one() >= MOST:
            raise TooManyNotes
        row = {"person_id": person_id, "game_id": game_id, "text": text[:LONGEST], "key": key, "created_at": at}
        conn.execute(insert(NOTES).values(**row, version=version))


def _its(person_id: int, game_id: str) -> tuple[Any, ...]:
    return NOTES.c.person_id == person_id, NOTES.c.game_id == game_id


def of(conn: Connection, person_id: int, game_id: str) -> Sequence[str]:
    """Return the last notes of a person about a game, the oldest first."""
    mine = select(NOTES.c.text).where(*_its(person_id, game_id))
    return list(conn.scalars(mine.order_by(NOTES.c.id.desc()).limit(SHOWN)))[::-1]


def listed(conn: Connection, person_id: int, game_id: str) -> list[Any]:
    """Return all notes of a person about a game, the newest first, with number, version and time."""
    columns = NOTES.c.id, NOTES.c.text, NOTES.c.version, NOTES.c.created_at
    mine = select(*columns).where(*_its(person_id, game_id))
    return list(conn.execute(mine.order_by(NOTES.c.id.desc()).limit(MOST)))


def remove(conn: Connection, person_id: int, game_id: str, number: int) -> bool:
    """Delete a note. Return False if there is none."""
    return conn.execute(delete(NOTES).where(*_its(person_id, game_id), NOTES.c.id == number)).rowcount == 1
