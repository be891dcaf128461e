"""The connections to a database: how each kind begins, waits, commits and is configured.

One engine for both. On SQLite a writer begins with BEGIN IMMEDIATE and a reader with a plain BEGIN; on PostgreSQL a
writer's transaction is READ COMMITTED and a reader has none.
"""

import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DisconnectionError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoneFree

from config.files import private_database
from service.database.compiled import BEGIN

BUSY_SECONDS = 5
"""Seconds for which a writer waits for another before it gives up."""

PATIENCE = {
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""The waits for a silent server, unless the address sets others (libpq's parameters).

Seconds until the next host is tried; milliseconds until sent data must be acknowledged; and keepalives: after this many
seconds of silence, at this interval, this often. A wait for an answer so ends after 11 s.
"""

ANSWER_SECONDS = 10.0
"""Seconds for which web requests and workers wait for the answer to one statement of PostgreSQL.

A stopped server, or one whose machine hangs, keeps its connections open, and its kernel reports no error: only a
timeout detects it.
"""


def address_of(url: str) -> URL:
    """Return the address for a setting: ``sqlite:///path`` or ``postgresql://...``. A file becomes private."""
    address = make_url(url)
    if address.drivername in ("postgres", "postgresql"):
        address = address.set(drivername="postgresql+psycopg")
    if _has_several_hosts(address):  # all readers also write, so no standby serves
        address = address.set(query={"target_session_attrs": "read-write", **address.query})
    if address.drivername == "sqlite" and address.database:
        private_database(Path(address.database))
    return address


def _has_several_hosts(address: URL) -> bool:
    """Does the address name a server and its standbys? ``postgresql://u@/db?host=one:5432&host=two:5432``."""
    if address.get_backend_name() == "sqlite":
        return False
    hosts = address.query.get("host", address.host or "")
    return not isinstance(hosts, str) or "," in hosts


def _to_json(it: Any) -> str:
    return msgspec.json.encode(it).decode()


_JSON: dict[str, Any] = {"json_serializer": _to_json, "json_deserializer": msgspec.json.decode}


def make_engine(address: URL, answer_within: float | None = None) -> Engine:
    """Return the engine for a database.

    ``answer_within``: seconds for PostgreSQL's answer to a statement, after which it counts as away; None: no limit.
    """
    if address.get_backend_name() != "sqlite":
        from service.database import postgresql

        given = {name: value for name, value in PATIENCE.items() if name not in address.query}
        patience = {"options": f"-c lock_timeout={BUSY_SECONDS * 1000}", **given}
        engine = create_engine(
            address, isolation_level="READ COMMITTED", connect_args=patience, hide_parameters=True, **_JSON
        )
        postgresql.attend(engine, answer_within)
        return engine
    # The last used connection is used next: its pages are still valid if no other connection has written.
    engine = create_engine(
        address, connect_args={"isolation_level": None}, hide_parameters=True, pool_use_lifo=True, **_JSON
    )
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _set_pragmas(connection: sqlite3.Connection, _: Any) -> None:
    """Configure a connection. Only ``journal_mode`` is persistent, so every connection needs all others."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")  # an accepted move survives a power cut
    # A page that many moves change is then copied into the database once; the journal grows to 32 MB.
    connection.execute("PRAGMA wal_autocheckpoint = 8000")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted data (but see `Store.wipe`)
    connection.execute("PRAGMA recursive_triggers = ON")  # otherwise INSERT OR REPLACE bypasses the log's triggers


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to WAL, and retry: SQLite does not wait if several processes open a new file at once."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _begin(conn: Connection) -> None:
    """Begin a transaction, since the driver begins none (isolation_level None). A writer must lock at once."""
    BEGIN[conn.get_execution_options().get("begin", "DEFERRED")].run(conn)


def is_busy(error: OperationalError) -> bool:
    """Did a wait for another writer end without success?"""
    waited_for = ("55P03", "40P01")  # PostgreSQL: no lock in time; a deadlock
    return "database is locked" in str(error.orig) or getattr(error.orig, "sqlstate", "") in waited_for


_AWAY = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY}


def is_away(error: Exception) -> bool:
    """Was the database not reached, lost on the way, or full? A later try may succeed."""
    if isinstance(error, NoneFree | DisconnectionError):
        return True
    original = getattr(error, "orig", error)
    if isinstance(original, sqlite3.OperationalError):
        return getattr(original, "sqlite_errorcode", 0) & 0xFF in _AWAY
    return isinstance(original, _errors_of_psycopg("OperationalError", "InterfaceError"))


def errors_of_databases() -> tuple[type[Exception], ...]:
    """Return all errors of SQLAlchemy and the drivers, without those of psycopg if it is not loaded."""
    return (SQLAlchemyError, sqlite3.Error, *_errors_of_psycopg("Error"))


def _errors_of_psycopg(*names: str) -> tuple[type[Exception], ...]:
    psycopg = sys.modules.get("psycopg")
    return tuple(getattr(psycopg, name) for name in names) if psycopg else ()
