"""The outbox: owed mail of any kind is written here."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert
from sqlalchemy.dialects import postgresql, sqlite

from service.database.compiled import Compiled
from service.database.tables import Notice, table_of
from service.people import recipients

OUTBOX = table_of(Notice)

Row = dict[str, Any]
"""A row of the outbox that is not yet written, by column."""


def mail(
    kind: str,
    message_id: str,
    at: int,
    *,
    person_id: int | None = None,
    address: str | None = None,
    game_id: str = "",
    seat: int | None = None,
    ply: int = 0,
    key: str = "",
    payload: Mapping[str, Any] | None = None,
    due_at: int | None = None,
) -> Row:
    """Return the row of a mail owed since ``at`` to a person, an address, or a person at an address. See
    `tables.Notice`.
    """
    return {
        "person_id": person_id, "address": address, "game_id": game_id, "seat": seat, "ply": ply, "kind": kind,
        "key": key, "payload": payload or {}, "message_id": message_id, "state": "pending", "created_at": at,
        "due_at": at if due_at is None else due_at, "attempts": 0,
    }  # fmt: skip


def owe(conn: Connection, rows: Sequence[Row]) -> None:
    """Owe these rows in the caller's transaction. Raise ``IntegrityError`` for one that is owed already."""
    for row in rows:
        _INSERT.run(conn, **row)
    recipients.owe(conn, rows)


def owe_once(conn: Connection, rows: Sequence[Row]) -> None:
    """Owe those of these many rows that are not owed already."""
    if rows:
        conn.execute(_INSERT_ONCE[conn.dialect.name], rows)
        recipients.owe(conn, rows)


_INSERT = Compiled(insert(OUTBOX).values({name: bindparam(name) for name in mail("", "", 0)}).inline())
_INSERT_ONCE: Mapping[str, Any] = {
    "sqlite": sqlite.insert(OUTBOX).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(OUTBOX).on_conflict_do_nothing(),
}
