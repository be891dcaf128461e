"""The fast path of a move and its mail: statements on the driver's own cursor, in one trip, on connections kept open.

SQLAlchemy takes 50 to 100 µs of Python to execute a statement, several times as long as the database, and accepting a
move used to spend half its time there. So Core compiles the few statements of every move once for each kind of
database, and the driver executes their text: a move takes 34 % less on SQLite and 40 % on PostgreSQL (`python -m
tests.bench.gains quick`), and a mail 15 % less. SQLAlchemy does everything else, connections and transactions included.
"""

import re
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any, NoReturn

import msgspec
from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    CompoundSelect,
    Connection,
    Delete,
    Engine,
    Insert,
    Select,
    Table,
    TextClause,
    Update,
    bindparam,
    text,
)
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

Process = Callable[[Any], Any]


class _Text(msgspec.Struct, frozen=True):
    """A statement for one kind of database. ``binds``, ``results``: the conversions of values by its types.

    ``defaults``: the default values of columns, and the constants in the statement.
    """

    text: str
    binds: tuple[tuple[str, Process], ...]
    results: tuple[tuple[int, Process], ...]
    row: Callable[[Iterable[Any]], Any]
    defaults: dict[str, Any]


class Compiled:
    """A Core statement that is executed often. All its values are given by name, those of an INSERT by column."""

    def __init__(self, statement: Select[Any] | CompoundSelect[Any] | Insert | Update | Delete | TextClause) -> None:
        self._statement = statement
        self._texts: dict[str, _Text] = {}

    def rows(self, conn: Connection, **given: Any) -> list[Any]:
        """Return the rows of a SELECT, with columns as attributes."""
        it = self._for(conn.dialect)
        found = self._execute(conn, it, given).fetchall()
        if it.results:
            return [it.row(_processed(values, it.results)) for values in found]
        return [it.row(values) for values in found]

    def tuples(self, conn: Connection, **given: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT as the driver's tuples, if all columns are numbers, texts and bytes."""
        found: list[tuple[Any, ...]] = self._execute(conn, self._for(conn.dialect), given).fetchall()
        return found

    def row(self, conn: Connection, **given: Any) -> Any | None:
        """Return the first row, or None."""
        found = self.rows(conn, **given)
        return found[0] if found else None

    def run(self, conn: Connection, **given: Any) -> None:
        """Execute a write. Raise the same errors as Core."""
        it = self._for(conn.dialect)
        waiting: list[_Waiting] | None = conn.connection.info.get(together)
        if waiting is None:
            self._execute(conn, it, given)
        else:
            waiting.append((it.text, _bound(it, given)))

    def _for(self, dialect: Dialect) -> _Text:
        known = self._texts.get(dialect.name)
        if known is None:
            known = self._texts[dialect.name] = _made(self._statement, dialect)
        return known

    def _execute(self, conn: Connection, it: _Text, given: dict[str, Any]) -> Any:
        try:
            return _cursor(conn).execute(it.text, _bound(it, given))
        except conn.dialect.loaded_dbapi.Error as error:
            _raise(conn, error)


def upsert(table: Table, key: Sequence[str], new: Callable[[Any], dict[str, Any]]) -> Mapping[str, Compiled]:
    """Return the INSERT that changes a row with the same ``key`` instead, by the kind of database.

    ``new``: the columns to change; it gets the row that cannot be inserted.
    """
    puts: dict[str, Any] = {"sqlite": sqlite_insert(table), "postgresql": postgresql_insert(table)}
    return {
        kind: Compiled(put.on_conflict_do_update(index_elements=key, set_=new(put.excluded)))
        for kind, put in puts.items()
    }


class Among(FunctionElement[bool]):
    """The condition that a column's number is in a list, bound by name: one value and one text, whatever its length."""

    inherit_cache = True  # No type: to a Boolean SQLAlchemy adds "= 1" on SQLite, which then reads the whole table.

    def __init__(self, column: ColumnElement[int], name: str) -> None:
        super().__init__(column, bindparam(name, type_=JSON().with_variant(ARRAY(column.type), "postgresql")))


@compiles(Among)
def _among(element: Among, compiler: Any, **how: Any) -> str:
    column, numbers = (compiler.process(each, **how) for each in element.clauses)
    if compiler.dialect.name == "sqlite":
        return f"{column} IN (SELECT value FROM json_each({numbers}))"
    return f"{column} = ANY ({numbers})"


def _bound(it: _Text, given: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a statement in the driver's form."""
    if it.defaults:
        given = it.defaults | given
    if it.binds:
        given = {**given, **{name: process(given[name]) for name, process in it.binds}}
    return given


def _cursor(conn: Connection) -> Any:
    """Return the cursor of all compiled statements on a connection; no two results are read at once."""
    kept = conn.connection.info
    cursor = kept.get(_cursor)
    if cursor is None:
        driver: Any = conn.connection.dbapi_connection
        # psycopg: in binary mode, bytes are not sent as hexadecimal digits
        cursor = driver.cursor() if conn.dialect.name == "sqlite" else driver.cursor(binary=True)
        kept[_cursor] = cursor
    return cursor


@contextmanager
def together(conn: Connection) -> Iterator[None]:
    """On PostgreSQL, send the block's writes as one statement, in one trip. An error is raised at the block's end.

    The block must not read its own writes, and must not change a row twice. Outside a transaction either all of it is
    written or nothing. A move takes 26 % less (`python -m tests.bench.gains together`).
    """
    kept = conn.connection.info
    if conn.dialect.name != "postgresql" or together in kept:
        yield
        return
    waiting: list[_Waiting] = []
    kept[together] = waiting
    try:
        yield
    finally:
        del kept[together]
    cursor, driver, parts = _cursor(conn), conn.connection.dbapi_connection, list(_batches(waiting))
    whole: Any = driver.transaction() if len(parts) > 1 and driver.autocommit else nullcontext()  # type: ignore[union-attr]
    try:
        with whole:
            for part in parts:
                values = {f"s{n}_{name}": value for n, (_, given) in enumerate(part) for name, value in given.items()}
                cursor.execute(_one_of(tuple(text for text, _ in part)), values)
    except conn.dialect.loaded_dbapi.Error as error:
        _raise(conn, error)


_Waiting = tuple[str, dict[str, Any]]
"""A statement that waits to be sent with others, and its values."""
MOST_VALUES = 50
"""With more values, psycopg discards a statement's cached preparation."""


def _batches(waiting: Iterable[_Waiting]) -> Iterator[list[_Waiting]]:
    part: list[_Waiting] = []
    size = 0
    for each in waiting:
        if part and size + len(each[1]) > MOST_VALUES:
            yield part
            part, size = [], 0
        part.append(each)
        size += len(each[1])
    if part:
        yield part


@lru_cache(200)
def _one_of(texts: tuple[str, ...]) -> str:
    """Return all these statements as one: the first, with the others as parts of its WITH.

    PostgreSQL executes the first and then the parts from the last to the first. It does not promise this order. If
    writers locked the same rows in another order, one of them would at worst have to retry (`store.Busy`).
    """
    first, *others = (_NAME.sub(rf"%(s{number}_\1)s", text) for number, text in enumerate(texts))
    parts = [f"s{number} AS ({text})" for number, text in enumerate(others, start=1)]
    return f"WITH {', '.join(reversed(parts))} {first}" if parts else first


_NAME = re.compile(r"%\((\w+)\)s")


def _made(statement: Any, dialect: Dialect) -> _Text:
    # SQLite's driver would take values by position; by name both are alike.
    style = "named" if dialect.name == "sqlite" else dialect.paramstyle
    compiled = statement.compile(dialect=type(dialect)(paramstyle=style, dbapi=dialect.dbapi))  # type: ignore[call-arg]
    columns = statement.selected_columns if isinstance(statement, Select) else ()
    binds = [(name, bind.type.dialect_impl(dialect).bind_processor(dialect)) for name, bind in compiled.binds.items()]
    results = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
    row = namedtuple("Row", [column.name for column in columns])  # type: ignore[misc]
    return _Text(
        compiled.string,
        tuple((name, process) for name, process in binds if process is not None),
        tuple((place, process) for place, process in enumerate(results) if process is not None),
        row._make,
        {column.key: column.default.arg for column in compiled.insert_prefetch}
        | {name: bind.value for name, bind in compiled.binds.items() if not bind.required and bind.value is not None},
    )


def _processed(values: Iterable[Any], results: tuple[tuple[int, Process], ...]) -> list[Any]:
    row = list(values)
    for place, process in results:
        row[place] = process(row[place])
    return row


def _raise(conn: Connection, error: Exception) -> NoReturn:
    """Raise a driver's error as Core does, and discard a lost connection."""
    driver = conn.dialect.loaded_dbapi
    lost = conn.dialect.is_disconnect(error, conn.connection.dbapi_connection, None)  # type: ignore[arg-type]
    if lost:
        conn.invalidate(error)
    raise DBAPIError.instance(
        None, None, error, driver.Error, hide_parameters=True, connection_invalidated=lost, dialect=conn.dialect
    ) from error


BEGIN = {kind: Compiled(text(f"BEGIN {kind}")) for kind in ("DEFERRED", "IMMEDIATE")}
COMMIT = Compiled(text("COMMIT"))


# ==== open connections ============================================================================
class OpenConnections:
    """Connections only for compiled statements, each in a transaction of its own. A few stay open between uses.

    The pool's checkout and return take about as long as a statement: 11 % of a move on SQLite and 26 % on PostgreSQL
    (`python -m tests.bench.gains at-hand`). Threads share them.
    """

    MOST = 4

    def __init__(self, engine: Engine) -> None:
        """``engine``: its connections begin no transaction by themselves (on PostgreSQL: AUTOCOMMIT)."""
        self._engine = engine
        self._on_sqlite = engine.dialect.name == "sqlite"
        self._kept: list[Connection] = []

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Yield a connection. If the block raises, its transaction is rolled back."""
        conn = self._taken()
        try:
            yield conn
            assert not conn.in_transaction(), "Core began a transaction: only compiled statements belong here"
        except BaseException:
            conn.close()
            raise
        if conn.invalidated or len(self._kept) >= self.MOST:
            conn.close()
        else:
            conn.info["used"] = time.monotonic()
            self._kept.append(conn)

    @contextmanager
    def append_only(self) -> Iterator[Connection]:
        """Yield a transaction for blocks that read none of their own writes and change no row twice.

        On PostgreSQL nothing is sent before the end, and then one statement, which needs no transaction around it. A
        move takes 31 % less there (`python -m tests.bench.gains append`).
        """
        with self.connection() as conn:
            if self._on_sqlite:
                BEGIN["IMMEDIATE"].run(conn)
                yield conn
                COMMIT.run(conn)
            else:
                with together(conn):
                    yield conn

    def _taken(self) -> Connection:
        while self._kept:
            try:
                conn = self._kept.pop()
            except IndexError:  # another thread took it
                break
            if self._on_sqlite or self._works(conn):
                return conn
            conn.invalidate()
            conn.close()
        return self._engine.connect()

    @staticmethod
    def _works(conn: Connection) -> bool:
        from service.database import postgresql

        driver: Any = conn.connection.dbapi_connection
        return not postgresql.was_idle(conn.info) or postgresql.answers(driver)

    def close(self) -> None:
        """Return all of them to the pool."""
        while self._kept:
            self._kept.pop().close()

    def forget(self) -> None:
        """Forget the parent's connections in a child process, which must not even close them."""
        _of_parents.append(self._kept)
        self._kept = []


_of_parents: list[list[Connection]] = []
"""A parent's connections at the time of a fork; garbage collection in the child would close them."""
