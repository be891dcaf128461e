"""PostgreSQL databases with our tables and no rows, lent to one test after another.

A new one is some hundreds of files, and takes longer than most tests that use it. So a returned database is emptied and
lent again, but only if it is surely as good as new: without connections, with its schema unchanged, and without growth.
Otherwise it is left alone, and the next test gets a new copy.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import make_url

from tests.servers import PostgreSQL

SHAPE = """
SELECT count(*) || ' rows, changed by ' || max(changed) FROM (
    SELECT xmin::text::bigint FROM pg_class WHERE oid >= 16384
    UNION ALL SELECT xmin::text::bigint FROM pg_attribute WHERE attrelid >= 16384
    UNION ALL SELECT xmin::text::bigint FROM pg_attrdef
    UNION ALL SELECT xmin::text::bigint FROM pg_constraint
    UNION ALL SELECT xmin::text::bigint FROM pg_index WHERE indexrelid >= 16384
    UNION ALL SELECT xmin::text::bigint FROM pg_trigger
    UNION ALL SELECT xmin::text::bigint FROM pg_proc WHERE oid >= 16384
    UNION ALL SELECT xmin::text::bigint FROM pg_inherits
    UNION ALL SELECT xmin::text::bigint FROM pg_namespace WHERE nspname !~ '^pg_'
    UNION ALL SELECT xmin::text::bigint FROM pg_extension
) AS parts (changed)
"""
"""The rows of the catalogue, and the last transaction that wrote one: reading all of their text takes 10 ms more."""
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
SIZE = "SELECT pg_database_size(current_database())"
ROWS = "SELECT coalesce(json_agg(it), '[]')::text FROM {table} it"
TABLES = "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
EMPTY = """
DO $$
DECLARE each regclass;
BEGIN
    SET LOCAL session_replication_role = replica;  -- no trigger minds, and no order is to be kept
    FOR each IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND pg_relation_size(oid) > 0 LOOP
        EXECUTE format('DELETE FROM %s', each);
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
        WHERE last_value IS NOT NULL;
END $$
"""
MOST_GROWTH = 4_000_000
"""Bytes. A database that grew by more is slow to empty, and slower to read than a new one."""
LOOKS = 400
"""Checks whether closed connections have ended; if they take longer, a copy is made."""


class Lent:
    """Copies of a database. ``template``: its name; nobody may be connected to it."""

    def __init__(self, server: PostgreSQL, template: str) -> None:
        self._server, self._template = server, template
        self.free = [server.new_database(template)]
        """Those that are as good as new and free."""
        with connected(self.free[0]) as conn:
            self._shape, self._size = _one(conn, SHAPE), int(_one(conn, SIZE))
            found = {table: _one(conn, ROWS.format(table=table)) for (table,) in conn.execute(TABLES)}  # type: ignore[str-bytes-safe]
        self._rows = {table: rows for table, rows in found.items() if rows != "[]"}

    @contextmanager
    def one(self) -> Iterator[str]:
        """Yield the address of an empty one."""
        address = self.free.pop() if self.free else self._server.new_database(self._template)
        yield address
        with connected(address) as conn:
            if self._as_made(conn):
                self._empty(conn)
                self.free.append(address)

    def _as_made(self, conn: psycopg.Connection) -> bool:
        return (
            self._alone(conn) and _one(conn, SHAPE) == self._shape and int(_one(conn, SIZE)) < self._size + MOST_GROWTH
        )

    def _alone(self, conn: psycopg.Connection) -> bool:
        for _ in range(LOOKS):
            if _one(conn, OTHERS) == "0":
                return True
            time.sleep(0.005)
        return False

    def _empty(self, conn: psycopg.Connection) -> None:
        with conn.transaction():
            conn.execute(EMPTY)
            for table, rows in self._rows.items():
                conn.execute(f"INSERT INTO {table} SELECT * FROM json_populate_recordset(null::{table}, %s)", [rows])  # type: ignore[arg-type]


def connected(address: str) -> psycopg.Connection:
    url = make_url(address)
    return psycopg.connect(host=url.query["host"], user=url.username, dbname=url.database, autocommit=True)


def _one(conn: psycopg.Connection, query: str) -> str:
    (found,) = conn.execute(query).fetchone() or ("",)  # type: ignore[arg-type]
    return str(found)
