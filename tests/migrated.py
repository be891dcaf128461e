"""Tables for empty databases, as the migrations make them: the steps are taken once, and the result is copied.

All steps take half a second, and many tests begin with an empty database. `tests.service.database.test_migrations`
takes the steps themselves; so does every process that a test starts.
"""

import secrets
import sqlite3
import subprocess
from contextlib import closing
from functools import cached_property
from pathlib import Path

from sqlalchemy import URL, inspect, update

from service.database import migrations
from service.database.migrations import INSTALLATION
from service.database.store import Store, open_store
from tests.databases import connected
from tests.servers import programs

upgrade = migrations.upgrade
VERSIONS = migrations.VERSIONS


class Copied:
    """The replacement of `upgrade` in tests. ``folder``: for its own files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._script = ""

    def __call__(self, store: Store, revision: str = "head") -> None:
        if revision == "head" and migrations.VERSIONS is VERSIONS and _is_ours_and_empty(store):
            self._fill(store)
        upgrade(store, revision)

    def _fill(self, store: Store) -> None:
        if store.on_sqlite:
            with (
                closing(sqlite3.connect(self.file)) as made,
                closing(sqlite3.connect(str(store.engine.url.database))) as copy,
            ):
                copy.execute("PRAGMA synchronous = OFF")
                made.backup(copy)
        elif self._script:
            with connected(_address(store.engine.url)) as conn:
                conn.execute(self._script.encode())
        else:
            upgrade(store)
            self._script = _dumped(store.engine.url)
            return
        renewed(store)

    @cached_property
    def file(self) -> Path:
        """A file of SQLite with all tables."""
        file = self._folder / "tables.db"
        made = open_store(f"sqlite:///{file}")
        upgrade(made)
        made.wipe()  # so that one file holds everything
        made.close()
        return file


def renewed(store: Store) -> Store:
    """Return the store with an installation of its own, as after its migrations."""
    with store.write() as conn:
        conn.execute(update(INSTALLATION).values(salt=secrets.token_bytes(32)))
    return store


def _is_ours_and_empty(store: Store) -> bool:
    """Is it empty, and a file or a database of the tests' own server?"""
    url = store.engine.url
    ours = url.database != ":memory:" if store.on_sqlite else str(url.query.get("host", "")).startswith("/")
    if not ours:
        return False
    with store.read() as conn:
        return not inspect(conn).get_table_names()


def _address(url: URL) -> str:
    return url.render_as_string(hide_password=False)


def _dumped(url: URL) -> str:
    """Return the statements that make the tables of a database, and their rows."""
    plain = _address(url.set(drivername="postgresql"))
    dump = [programs() / "pg_dump", "--no-owner", "--inserts", plain]
    said = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in said.splitlines() if not line.startswith("\\"))  # orders to psql
