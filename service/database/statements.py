"""The statements of a move, on the driver's own cursor.

SQLAlchemy takes 50 to 100 µs of Python to execute a statement, several times what the database takes, and accepting a
move used to spend half its time there. So the few that every move needs are made by Core once for each kind of
database, as text, and then handed to the driver as they are: a move takes 34 % less on SQLite and 40 % on PostgreSQL
(`python -m tests.bench.gains quick`). Transactions and connections stay SQLAlchemy's.
"""

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
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
    Insert,
    Select,
    TextClause,
    Update,
    bindparam,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

Process = Callable[[Any], Any]


class _Text(msgspec.Struct, frozen=True):
    """A statement for one kind of database. ``binds``, ``results``: what its types make of values on their way.

    ``defaults``: values of columns for which none is given, and those that stand in the statement.
    """

    text: str
    binds: tuple[tuple[str, Process], ...]
    results: tuple[tuple[int, Process], ...]
    row: Callable[[Iterable[Any]], Any]
    defaults: dict[str, Any]


class Look:
    """A connection for `Quick` statements alone."""

    __slots__ = ("connection", "dialect")

    def __init__(self, connection: Any, dialect: Dialect) -> None:
        self.connection, self.dialect = connection, dialect

    def invalidate(self, error: BaseException) -> None:
        self.connection.invalidate(error)


class Quick:
    """A statement of Core that is executed often. All its values are given by name, those of an INSERT by column."""

    def __init__(self, statement: Select[Any] | CompoundSelect[Any] | Insert | Update | Delete | TextClause) -> None:
        self._statement = statement
        self._texts: dict[str, _Text] = {}

    def rows(self, conn: Connection | Look, **given: Any) -> list[Any]:
        """What a SELECT finds; the columns of each row are its attributes."""
        it = self._for(conn.dialect)
        found = self._execute(conn, it, given).fetchall()
        if it.results:
            return [it.row(_processed(values, it.results)) for values in found]
        return [it.row(values) for values in found]

    def tuples(self, conn: Connection | Look, **given: Any) -> list[tuple[Any, ...]]:
        """What a SELECT finds, as the driver gives it: where all columns are numbers, texts and bytes."""
        found: list[tuple[Any, ...]] = self._execute(conn, self._for(conn.dialect), given).fetchall()
        return found

    def row(self, conn: Connection | Look, **given: Any) -> Any | None:
        """The first of them, None if there is none."""
        found = self.rows(conn, **given)
        return found[0] if found else None

    def run(self, conn: Connection | Look, **given: Any) -> None:
        """Write; raises what Core would."""
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

    def _execute(self, conn: Connection | Look, it: _Text, given: dict[str, Any]) -> Any:
        try:
            return _cursor(conn).execute(it.text, _bound(it, given))
        except conn.dialect.loaded_dbapi.Error as error:
            _raise(conn, error)


class Among(FunctionElement[bool]):
    """Whether a column's number is in a list that is given by this name: one value, and one text, however long."""

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
    """The values of a statement as the driver takes them."""
    if it.defaults:
        given = it.defaults | given
    if it.binds:
        given = {**given, **{name: process(given[name]) for name, process in it.binds}}
    return given


def _cursor(conn: Connection | Look) -> Any:
    """The cursor of all quick statements on a connection; nobody reads two at a time."""
    kept = conn.connection.info
    cursor = kept.get(_cursor)
    if cursor is None:
        driver: Any = conn.connection.dbapi_connection
        # psycopg: bytes come as bytes and not in hexadecimal digits
        cursor = driver.cursor() if conn.dialect.name == "sqlite" else driver.cursor(binary=True)
        kept[_cursor] = cursor
    return cursor


@contextmanager
def together(conn: Connection | Look) -> Iterator[None]:
    """On PostgreSQL what the block writes goes in one statement, in one trip; an error comes at its end.

    The block reads nothing that it has written itself, and changes no row twice. Outside a transaction all of it is
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
"""A statement that is to go together with others, and its values."""
MOST_VALUES = 50
"""Of a statement with more values psycopg forgets what it has found out about it."""


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
    """All these statements as one: the first, with the others as parts of its WITH.

    PostgreSQL carries out the first and then the parts from the last to the first. It does not promise that; writers
    that lock the same rows in another order would at worst have one of them try again (`store.Busy`).
    """
    first, *others = (_NAME.sub(rf"%(s{number}_\1)s", text) for number, text in enumerate(texts))
    parts = [f"s{number} AS ({text})" for number, text in enumerate(others, start=1)]
    return f"WITH {', '.join(reversed(parts))} {first}" if parts else first


_NAME = re.compile(r"%\((\w+)\)s")


def _made(statement: Any, dialect: Dialect) -> _Text:
    # SQLite's driver would take values by place: by name it is one way for both.
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


def _raise(conn: Connection | Look, error: Exception) -> NoReturn:
    """Raise a driver's error as Core does, and give a lost connection up."""
    driver = conn.dialect.loaded_dbapi
    lost = conn.dialect.is_disconnect(error, conn.connection.dbapi_connection, None)  # type: ignore[arg-type]
    if lost:
        conn.invalidate(error)
    raise DBAPIError.instance(
        None, None, error, driver.Error, hide_parameters=True, connection_invalidated=lost, dialect=conn.dialect
    ) from error
