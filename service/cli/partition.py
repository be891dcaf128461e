"""``slowtrain partition``: split the log of a large store into partitions, by hash of the game's id (PostgreSQL).

It is no step of the migrations. Programs name the same two tables with the same columns before and after, so every
release works with either. Later migrations change a whole table and thereby its partitions. All is done in one
transaction. Indexes and foreign keys are made anew as they were. The triggers that keep the log append-only are made on
every partition, since PostgreSQL hands down row triggers to partitions, but no triggers for TRUNCATE.
"""

import time
from collections.abc import Callable

import click
from sqlalchemy import Connection, bindparam, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from service.cli.shared import opened_store
from service.database.migrations import ONE_AT_A_TIME
from service.database.store import GAMES, PLIES, SEALED, Busy, Store
from service.keeping.copies import counted

LOG = (PLIES.name, SEALED.name)
"""The tables; the first is the one that the other refers to."""
GAMES_AT_ONCE = 5000
"""Games copied by one statement, after which the progress is shown."""
MOMENT = 3.0
"""Seconds within which the connection of an ended process disappears."""
MOST = 128
"""Most partitions of a table. A statement whose game is known only at run time locks all of them."""


class CannotPartition(Exception):
    """The tables stay as they are. It says why."""


# ==== the command =================================================================================
@click.command()
@click.option(
    "--into",
    "count",
    type=click.IntRange(2, MOST),
    default=16,
    show_default=True,
    metavar="N",
    help="Number of partitions for each of the two tables.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def partition(count: int, yes: bool) -> None:
    """Partition the log by hash of the game's id, while the service is stopped (PostgreSQL).

    The tables of plies and of their sealed parts get N partitions each. Nothing else changes, for programs either. Stop
    all processes of the service first, and make a backup: nobody else may be connected to the database. The command
    needs as much free space as the two tables take, and about a minute for each million plies. If anything goes wrong,
    or you stop the command, the tables stay as they were. Only a backup leads back.
    """
    store = opened_store()
    try:
        with store.read() as conn:
            _refuse(store, conn)
            games, _ = counted(conn)
            sizes = (conn.scalar(text("SELECT pg_total_relation_size(to_regclass(:it))"), {"it": it}) for it in LOG)
            size = sum(map(int, sizes))
        click.echo(f"{games} games. Their log takes {size / 1e6:,.0f} MB, and needs as much again in the meantime.")
        if not yes:
            click.confirm(f"Divide the log into {count} partitions? Only a backup leads back", abort=True)
        rows = divide(store, count, lambda done: click.echo(f"{done} of {games} games copied"))
    except CannotPartition as error:
        raise click.ClickException(str(error)) from None
    except Busy:
        raise click.ClickException("The tables are in use. Nothing was changed; try again.") from None
    except SQLAlchemyError as error:
        said = str(error).partition("\n")[0]
        raise click.ClickException(f"The database refused. Nothing was changed. {said}") from None
    finally:
        store.close()
    said = ", ".join(f"{number} rows of {name}" for name, number in rows.items())
    click.echo(f'Divided into {count} partitions: {said}. "slowtrain verify --all" proves every game.')


def _refuse(store: Store, conn: Connection) -> None:
    """Raise `CannotPartition` if this is no PostgreSQL, is partitioned already, or others are connected."""
    if store.on_sqlite:
        raise CannotPartition("SQLite has no partitions. This command needs PostgreSQL.")
    if conn.scalar(text("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(:it)"), {"it": LOG[0]}):
        raise CannotPartition("The log is already partitioned.")
    if others := _others(conn):
        raise CannotPartition(
            f"{others} others are connected to the database. Stop all processes of the service first "
            "(and poolers that keep their connections)."
        )


def _others(conn: Connection) -> int:
    """Count the other connections, after a moment for those that are just ending."""
    count = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL"
    )
    until = time.monotonic() + MOMENT
    while others := int(conn.scalar(count)):
        if time.monotonic() > until:
            return others
        time.sleep(0.1)
        conn.execute(text("SELECT pg_stat_clear_snapshot()"))
    return 0


# ==== dividing ====================================================================================
def divide(store: Store, count: int, copied: Callable[[int], None]) -> dict[str, int]:
    """Divide both tables. Return the number of rows of each. ``copied`` gets the number of finished games.

    The role that owned the tables owns the new ones. Other roles keep their grants, on the whole tables only. Raises
    `CannotPartition` and `Busy`.
    """
    with store.write() as conn:
        _run(conn, "SET LOCAL lock_timeout = '5s'")
        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
        _refuse(store, conn)
        owner = str(
            conn.scalar(
                text("SELECT tableowner FROM pg_tables WHERE schemaname = current_schema() AND tablename = :it"),
                {"it": LOG[0]},
            )
        )
        _run(conn, f"SET LOCAL ROLE {_quoted(conn, owner)}")
        _run(conn, f"LOCK TABLE game, {', '.join(LOG)} IN ACCESS EXCLUSIVE MODE")
        later = [line for table in LOG for line in _made_after(conn, table)]
        for table in LOG:
            _begin(conn, table, count)
        _copy(conn, copied)
        rows = {table: _same(conn, table) for table in LOG}
        for table in reversed(LOG):
            _run(conn, f"DROP TABLE {table}_before")
        for line in later:
            _run(conn, line)
        for table in LOG:
            _guard(conn, table, count)
            _run(conn, f"ANALYZE {table}")
    return rows


def _made_after(conn: Connection, table: str) -> list[str]:
    """The statements to run after the rows are copied: they make keys and indexes anew, and repeat grants."""
    constraints = conn.execute(
        text(
            "SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', CAST(:it AS text), conname, "
            "pg_get_constraintdef(oid))"
            " FROM pg_constraint WHERE conrelid = to_regclass(:it) AND contype IN ('p', 'u', 'f')"
            " ORDER BY contype = 'f', conname"
        ),
        {"it": table},
    )
    indexes = conn.execute(
        text(
            "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = to_regclass(:it)"
            " AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)"
        ),
        {"it": table},
    )
    grants = conn.execute(
        text(
            "SELECT format('GRANT %s ON %I TO %s%s', privilege_type, CAST(:it AS text),"
            " CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,"
            " CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)"
            " FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass(:it) AND grantee <> relowner"
        ),
        {"it": table},
    )
    return [*constraints.scalars(), *indexes.scalars(), *grants.scalars()]


def _begin(conn: Connection, table: str, count: int) -> None:
    """Rename the table to ``…_before``, and put an empty one with partitions in its place."""
    _run(conn, f"ALTER TABLE {table} RENAME TO {table}_before")
    _run(
        conn,
        f"CREATE TABLE {table} (LIKE {table}_before INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)"
        " PARTITION BY HASH (game_id)",
    )
    for number, name in enumerate(names(table, count)):
        values = f"FOR VALUES WITH (MODULUS {count}, REMAINDER {number})"
        _run(conn, f"CREATE TABLE {name} PARTITION OF {table} {values}")
    for name in (table, *names(table, count)):
        _take_back(conn, name)


def _take_back(conn: Connection, table: str) -> None:
    """Revoke the default privileges of other roles on a new table."""
    others = conn.execute(
        text(
            "SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END"
            " FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass(:it) AND grantee <> relowner"
        ),
        {"it": table},
    )
    for role in others.scalars().all():
        _run(conn, f"REVOKE ALL ON {table} FROM {role}")


def names(table: str, count: int) -> list[str]:
    """The names of the partitions of a table."""
    return [f"{table}_{number:03}" for number in range(count)]


def _copy(conn: Connection, copied: Callable[[int], None]) -> None:
    """Copy the rows in the order of the games' ids, some games at a time."""
    after, done = "", 0
    some = select(GAMES.c.id).where(GAMES.c.id > bindparam("after")).order_by(GAMES.c.id).limit(GAMES_AT_ONCE)
    ids = some.subquery()
    upto = select(func.count(), func.max(ids.c.id))
    while True:
        number, last = conn.execute(upto, {"after": after}).one()
        if not number:
            return
        for table in LOG:
            span = f"SELECT * FROM {table}_before WHERE game_id > :after AND game_id <= :last ORDER BY game_id, ply"
            conn.execute(text(f"INSERT INTO {table} {span}"), {"after": after, "last": last})
        after, done = last, done + number
        copied(done)


def _same(conn: Connection, table: str) -> int:
    """Count the rows of the new table. Raises `CannotPartition` unless its count, plies and bytes match the old one."""
    old, new = (
        conn.execute(text(f"SELECT count(*), sum(ply), sum(octet_length(body)) FROM {it}")).one()
        for it in (f"{table}_before", table)
    )
    if old != new:
        raise CannotPartition(f"Not all of {table} was copied ({new} of {old}): nothing was changed.")
    return int(new[0])


def _guard(conn: Connection, table: str, count: int) -> None:
    """Make the triggers that keep the log append-only. PostgreSQL hands row triggers down to the partitions."""
    calls = "EXECUTE FUNCTION the_log_is_never_changed()"
    _run(conn, f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {calls}")
    for name in (table, *names(table, count)):
        _run(conn, f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {name} FOR EACH STATEMENT {calls}")


def _run(conn: Connection, statement: str) -> None:
    conn.exec_driver_sql(statement)


def _quoted(conn: Connection, name: str) -> str:
    return conn.dialect.identifier_preparer.quote_identifier(name)
