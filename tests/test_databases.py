"""A returned database is lent again only if it is like new."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import inspect, text, update

from service.database.migrations import INSTALLATION
from service.database.store import open_store
from tests import databases
from tests.databases import Lent, connected


@pytest.fixture
def copies(tables_on_postgresql: Lent) -> Iterator[Lent]:
    """Return copies without anything that other tests have given back."""
    kept, tables_on_postgresql.free = tables_on_postgresql.free, []
    yield tables_on_postgresql
    tables_on_postgresql.free = kept


def everything(address: str) -> dict[str, object]:
    with closing(open_store(address)) as store, store.read() as conn:
        tables = {it: [tuple(row) for row in conn.execute(text(f'SELECT * FROM "{it}"'))] for it in names(conn)}
        return tables | {"sequences": list(conn.execute(text("SELECT * FROM pg_sequences")))}


def names(conn: object) -> list[str]:
    return sorted(inspect(conn).get_table_names())  # type: ignore[attr-defined]


def test_the_rows_of_a_test_are_gone_for_the_next(copies: Lent) -> None:
    with copies.one() as first:
        new = everything(first)
        with closing(open_store(first)) as store, store.write() as conn:
            person = (
                "INSERT INTO person (name, email, lang, zone, created_at) VALUES ('A', 'a@b.example', 'en', 'UTC', 1)"
            )
            conn.execute(text(person))
            conn.execute(update(INSTALLATION).values(salt=b"another", needs="0001"))
        assert everything(first) != new
    with copies.one() as second:
        assert second == first
        assert everything(second) == new


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE person ADD COLUMN more integer",
        "DROP INDEX ix_game_title",
        "DROP TRIGGER ply_no_change ON ply",
        "CREATE TABLE more (id integer)",
    ],
)
def test_a_database_with_a_changed_schema_is_not_lent_again(copies: Lent, change: str) -> None:
    with copies.one() as first, connected(first) as conn:
        conn.execute(change)  # type: ignore[arg-type]
    with copies.one() as second:
        assert second != first


def test_a_database_with_a_connection_is_not_lent_again(copies: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "LOOKS", 2)
    with copies.one() as first:
        left: psycopg.Connection = connected(first)
    with closing(left), copies.one() as second:
        assert second != first
