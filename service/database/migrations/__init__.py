"""The shape of the tables, with every step since the first release (Alembic).

A step is one file in ``versions``; a change to `service.database.tables` needs a new one. Each states two things:

- ``ADDS_ONLY``: programs that do not know the step still work after it. It adds tables, columns that may be left out
  (nullable, or with a server default), longer texts, or indexes that forbid nothing, and changes nothing else. A table
  that a release no longer needs is dropped by a step of a later release, which says False. So does a step of a release
  that raises the version of a title's rules: an older program must not continue its games.
- its way back, as ``downgrade``, or ``NO_WAY_BACK``: the reason why it has none.

Steps without a release between them may become one: 0007 is the first release, and 0014 leads towards the second.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from os import pathsep
from pathlib import Path
from typing import Protocol

import msgspec
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text, update

from service.database.tables import Installation, table_of

HERE = Path(__file__).parent
VERSIONS: tuple[Path, ...] = (HERE / "versions",)
"""The folders of the steps."""
ONE_AT_A_TIME = 0x510377A1
"""The key of the PostgreSQL lock for changes of tables."""

INSTALLATION = table_of(Installation)


class Database(Protocol):
    """The parts of a store that migrations need."""

    @property
    def on_sqlite(self) -> bool: ...

    def write(self) -> AbstractContextManager[Connection]: ...


class NewerTables(Exception):
    """A later release has changed the tables in ways that this program does not know."""


class MigrationStep(msgspec.Struct, frozen=True):
    """A change of the tables. ``no_way_back``: the reason why it cannot be undone; "" if it can."""

    revision: str
    what: str
    adds_only: bool
    no_way_back: str


class NoWayBack(Exception):
    """A step cannot be undone. The message says which, and why."""

    def __init__(self, step: MigrationStep) -> None:
        super().__init__(f"There is no way back from {step.revision}: {step.no_way_back}.")


# ==== upgrade and downgrade =======================================================================
def upgrade(store: Database, revision: str = "head") -> None:
    """Migrate the tables to ``revision``: all steps or none. Other processes that try meanwhile wait.

    Tables to which a later release has only added are left unchanged. Raise `NewerTables` if it has changed more.
    """
    target = newest() if revision == "head" else revision
    with _alone(store) as conn:
        at = present(conn)
        if is_known(at):
            if at != target:
                command.upgrade(_config(conn), target)
                _note_needs(conn)
        elif not fits(conn):
            raise NewerTables(at)


def go_back(store: Database, revision: str) -> None:
    """Undo every step after ``revision``: all or none. Raise `NoWayBack` and `NewerTables`."""
    with _alone(store) as conn:
        at = present(conn)
        if not is_known(at):
            raise NewerTables(at)
        for step in between(revision, at):
            if step.no_way_back:
                raise NoWayBack(step)
        command.downgrade(_config(conn), revision)
        _note_needs(conn)


@contextmanager
def _alone(store: Database) -> Iterator[Connection]:
    with store.write() as conn:
        if not store.on_sqlite:
            conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
        yield conn


def _note_needs(conn: Connection) -> None:
    """Write the needed step into the tables, for programs that lack this step's file."""
    if inspect(conn).has_table(INSTALLATION.name):
        done = between(None, present(conn))
        needs = next(step.revision for step in done if not step.adds_only or step.revision == FIRST_TO_SAY)
        conn.execute(update(INSTALLATION).values(needs=needs))


FIRST_TO_SAY = "0014"
"""The first step that writes which step the tables need. Programs without it need tables of their own revision."""


# ==== revisions ===================================================================================
def present(conn: Connection) -> str | None:
    """Return the tables' revision, or None for an empty database."""
    return MigrationContext.configure(conn).get_current_revision()


def newest() -> str:
    """Return this program's revision."""
    return str(_steps(VERSIONS).get_current_head())


def is_known(revision: str | None) -> bool:
    """Does this program know this revision? It does not know those of later releases."""
    return revision is None or any(it.revision == revision for it in _steps(VERSIONS).walk_revisions())


def fits(conn: Connection) -> bool:
    """Can this program work with the tables? They are of its revision, or a later release has only added to them."""
    at = present(conn)
    if is_known(at):
        return at == newest()
    if not inspect(conn).has_table(INSTALLATION.name):
        return False
    return is_known(conn.execute(select(INSTALLATION.c.needs)).scalar_one())


def between(after: str | None, until: str | None) -> list[MigrationStep]:
    """Return the steps after a revision (None: all), up to another, last one first."""
    known = list(_steps(VERSIONS).walk_revisions("base", until)) if until else []
    steps = [
        MigrationStep(
            it.revision, (it.doc or "").partition("\n")[0], it.module.ADDS_ONLY, getattr(it.module, "NO_WAY_BACK", "")
        )
        for it in known
    ]
    places = [place for place, step in enumerate(steps) if step.revision == after]
    return steps[: places[0]] if places else steps


@cache
def _steps(versions: tuple[Path, ...]) -> ScriptDirectory:
    return ScriptDirectory(str(HERE), version_locations=[str(folder) for folder in versions])


def _config(conn: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", pathsep.join(map(str, VERSIONS)))
    config.attributes["connection"] = conn
    return config
