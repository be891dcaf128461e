"""The shape of the tables, and every step it has taken since the first release (Alembic).

A step is one file in ``versions``; a change to `service.database.tables` needs a new one. Each says two things:

- ``ADDS_ONLY``: programs that do not know the step work as well after it as before. It adds tables, columns that may be
  left out (they can be NULL or have a default of the server's), room for longer texts and indexes that forbid nothing,
  and leaves the rest alone. What a release needs no more is taken away by a step of a later one, which says False. So
  does a step of a release that raises the version of a title's rules: an older program must not go on with its games.
- its way back, as ``downgrade``, or ``NO_WAY_BACK``: why it has none.
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
"""Where the steps are."""
ONE_AT_A_TIME = 0x510377A1
"""Key of the PostgreSQL lock under which tables are changed."""

INSTALLATION = table_of(Installation)


class Database(Protocol):
    """What of a store is needed to change its tables."""

    @property
    def on_sqlite(self) -> bool: ...

    def write(self) -> AbstractContextManager[Connection]: ...


class NewerTables(Exception):
    """The tables were changed by a later release in ways that this program does not know."""


class MigrationStep(msgspec.Struct, frozen=True):
    """A change of the tables. ``no_way_back``: why it cannot be undone; "" if it can."""

    revision: str
    what: str
    adds_only: bool
    no_way_back: str


class NoWayBack(Exception):
    """A step cannot be undone. Says which, and why."""

    def __init__(self, step: MigrationStep) -> None:
        super().__init__(f"There is no way back from {step.revision}: {step.no_way_back}.")


# ==== going on and back ===========================================================================
def upgrade(store: Database, revision: str = "head") -> None:
    """Bring the tables to ``revision``: all steps or none. Others that try at the same time wait.

    Tables that a later release has added to are left as they are; raises `NewerTables` if it has changed more.
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
    """Undo every step after ``revision``: all or none. Raises `NoWayBack` and `NewerTables`."""
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
    """Programs that do not know this step's file can read what they must know."""
    if inspect(conn).has_table(INSTALLATION.name):
        done = between(None, present(conn))
        needs = next(step.revision for step in done if not step.adds_only or step.revision == FIRST_TO_SAY)
        conn.execute(update(INSTALLATION).values(needs=needs))


FIRST_TO_SAY = "0014"
"""The step with which tables began to say what they need. Programs that do not know it ask for tables like theirs."""


# ==== what there is ===============================================================================
def present(conn: Connection) -> str | None:
    """The revision the tables are at; None for an empty database."""
    return MigrationContext.configure(conn).get_current_revision()


def newest() -> str:
    """The revision of this program."""
    return str(_steps(VERSIONS).get_current_head())


def is_known(revision: str | None) -> bool:
    """Whether this program knows tables of this revision; those of later releases it does not."""
    return revision is None or any(it.revision == revision for it in _steps(VERSIONS).walk_revisions())


def fits(conn: Connection) -> bool:
    """Whether this program can work with the tables: they are as it expects, or a later release has added to them."""
    at = present(conn)
    if is_known(at):
        return at == newest()
    if not inspect(conn).has_table(INSTALLATION.name):
        return False
    return is_known(conn.execute(select(INSTALLATION.c.needs)).scalar_one())


def between(after: str | None, until: str | None) -> list[MigrationStep]:
    """The steps after a revision (None: all), up to another, the last one first."""
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
