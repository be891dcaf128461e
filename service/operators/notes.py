"""Notes of operators about people and games, for operators alone. Their table says who gets them in an export.

A note is no entry (`acts.ENTRIES`), because people read the entries that concern them. The security log has the fact,
without the text.
"""

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select

from service.base import names, security
from service.database.store import GAMES, Store
from service.database.tables import OperatorNote, table_of
from service.operators import acts
from service.operators.acts import NotDone, Who, demand

NOTES = table_of(OperatorNote)

LONGEST = 2000
LINES = 60
PAGE = 50


class Noted(msgspec.Struct, frozen=True):
    """A note. ``operator``: the name of its author; "" at the command line, and after their erasure.

    ``person``, ``game``: the name of its subject; the other is "".
    """

    id: int
    at: int
    operator: str
    by_command: bool
    person_id: int | None
    person: str
    game_id: str | None
    game: str
    text: str


def about_person(store: Store, who: Who, person_id: int, text: str, at: int) -> None:
    """Write a note about a person. Raise `NotDone`, `names.BadName`."""
    _write(store, who, text, at, person_id=person_id)


def about_game(store: Store, who: Who, game_id: str, text: str, at: int) -> None:
    """Write a note about a game. Raise `NotDone`, `names.BadName`."""
    _write(store, who, text, at, game_id=game_id)


def _write(
    store: Store, who: Who, text: str, at: int, *, person_id: int | None = None, game_id: str | None = None
) -> None:
    kept = names.cleaned_lines(text, LONGEST, LINES)
    with store.write() as conn:
        demand(conn, who, at)
        if person_id is not None:
            acts.person(conn, person_id)
        elif conn.execute(select(GAMES.c.id).where(GAMES.c.id == game_id)).first() is None:
            raise NotDone("no_game")
        author = {"operator_id": who.person_id, "by_command": who.person_id is None}
        conn.execute(insert(NOTES).values(at=at, person_id=person_id, game_id=game_id, text=kept, **author))
    security.tell("operator.deed", what="note", by=who.person_id, person=person_id, game=game_id)


def remove(store: Store, who: Who, number: int, at: int) -> Noted:
    """Delete a note, and return it. Raise `NotDone`."""
    with store.write() as conn:
        demand(conn, who, at)
        found = _read(conn, NOTES.c.id == number)
        if not found:
            raise NotDone("no_note")
        conn.execute(delete(NOTES).where(NOTES.c.id == number))
    (note,) = found
    security.tell("operator.deed", what="delete_note", by=who.person_id, person=note.person_id, game=note.game_id)
    return note


def notes(
    conn: Connection, who: Who, at: int, *, person_id: int | None = None, game_id: str | None = None, limit: int = PAGE
) -> list[Noted]:
    """Return the notes, the newest first, optionally about one person or game."""
    demand(conn, who, at)
    wanted = []
    if person_id is not None:
        wanted.append(NOTES.c.person_id == person_id)
    if game_id is not None:
        wanted.append(NOTES.c.game_id == game_id)
    return _read(conn, *wanted, limit=limit)


_NOTES = acts.with_names(NOTES)


def _read(conn: Connection, *wanted: Any, limit: int = PAGE) -> list[Noted]:
    return [
        Noted(
            row.id,
            row.at,
            row.operator or "",
            row.by_command,
            row.person_id,
            row.person or "",
            row.game_id,
            row.game or "",
            row.text,
        )
        for row in conn.execute(_NOTES.where(*wanted).limit(limit))
    ]
