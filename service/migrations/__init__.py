"""The shape of the tables, and every step it has taken since the first release (Alembic).

``upgrade`` is all the rest of the service knows of it. A step is one file in ``versions``; a change to
`service.models` needs a new one.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

if TYPE_CHECKING:
    from service.store import Store

HERE = Path(__file__).parent
ONE_AT_A_TIME = 0x510377A1
"""Key of the PostgreSQL lock under which tables are changed."""


def upgrade(store: "Store", revision: str = "head") -> None:
    """Bring the tables to ``revision``: all steps or none. Others that try at the same time wait."""
    with store.write() as conn:
        if not store.on_sqlite:
            conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
        if present(conn) != ScriptDirectory(str(HERE)).get_current_head() or revision != "head":
            command.upgrade(_config(conn), revision)


def present(conn: Connection) -> str | None:
    """The revision the tables are at; None for an empty database."""
    return MigrationContext.configure(conn).get_current_revision()


def is_current(conn: Connection) -> bool:
    """Whether the tables have the shape this program expects."""
    return present(conn) == ScriptDirectory(str(HERE)).get_current_head()


def _config(conn: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = conn
    return config
