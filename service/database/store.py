"""The store of plies and folded games. It decides nothing; `play` is responsible for writing.

The key (game, ply) is the lock. `engines` has the begin and end of connections.
"""

import os
import sqlite3
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Connection, Table, bindparam, func, insert, literal_column, select, union_all
from sqlalchemy.exc import OperationalError, SQLAlchemyError

import domain
from config.settings import Settings
from domain.chain import Ply, SealedPart, StoredPly, first_link
from domain.game import Game, extend, fold
from domain.title import Title
from service.base import clock
from service.database.compiled import Compiled, OpenConnections
from service.database.engines import (
    BUSY_SECONDS,
    address_of,
    errors_of_databases,
    is_away,
    is_busy,
    make_engine,
)
from service.database.tables import (
    GameRow,
    GameSecret,
    Person,
    PlyRow,
    SealedRow,
    Seat,
    SeatResult,
    SubmissionRow,
    table_of,
)

ASK_AGAIN = 10.0
"""Seconds for which this machine's clock extends the last answer of the database's clock."""
STRIDE = 64
"""Plies between the kept positions of a game at which somebody looks back."""


GAMES, SECRETS, SEATS, RESULTS = (table_of(model) for model in (GameRow, GameSecret, Seat, SeatResult))
PERSONS = table_of(Person)
PLIES, SEALED, SUBMISSIONS = (table_of(model) for model in (PlyRow, SealedRow, SubmissionRow))


class NoSuchGame(LookupError):
    """There is no game with this id."""


class NoSuchVersion(LookupError):
    """The game has not reached this version."""


class Busy(Exception):
    """Another writer kept the store for longer than `BUSY_SECONDS`; the same request may be made again."""


class Outdated(Exception):
    """The game's rules are newer than this program, so a process of a later release must continue it."""


class Away(SQLAlchemyError):
    """The database was not reached, or was lost on the way. A write in progress may or may not be committed."""


class Stored(msgspec.Struct, frozen=True):
    """A game as stored: its row, its fold, its secret, and the link of its last ply.

    ``row``: the columns of `GameRow`. ``seats``: the taken ones, in order; the columns of `SEAT`. ``answered``: hash
    and answer of the requested submission, if it is known. ``read_at``: the time of reading, by the database's clock
    (None: it has only this machine's) and by `time.monotonic`.
    """

    row: Any
    game: Game
    secret: bytes
    head: bytes
    seats: tuple[Any, ...] = ()
    answered: tuple[str, dict[str, Any]] | None = None
    read_at: tuple[int | None, float] = (None, 0.0)

    def now(self) -> int:
        """Return the time in milliseconds by the database's clock: when the game was read, plus the time since."""
        then, since = self.read_at
        return clock.now() if then is None else then + int((time.monotonic() - since) * 1000)


def open_store(
    url: str,
    *,
    titles: Mapping[str, Title] | None = None,
    settings: Settings | None = None,
    answer_within: float | None = None,
) -> "Store":
    """Return the store at an address: ``sqlite:///path`` or ``postgresql://...``. `Store.migrate` makes its tables.

    ``answer_within``: seconds after which a silent PostgreSQL counts as away; None if statements take long.
    """
    return Store(url, domain.TITLES if titles is None else titles, settings or Settings(), answer_within)


class Store:
    """A database of games, with the recently folded games. One for each process; threads share it."""

    def __init__(
        self, url: str, titles: Mapping[str, Title], settings: Settings, answer_within: float | None = None
    ) -> None:
        self.titles = titles
        self.settings = settings
        self.engine = make_engine(address_of(url), answer_within)
        self.folds = Folds()
        self._writers = self.engine.execution_options(begin="IMMEDIATE")
        self._readers = self.engine if self.on_sqlite else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        # SQLite's waiting writers sleep and retry; a lock within the process wakes them at once.
        self._turnstile = threading.Lock() if self.on_sqlite else None
        self._open_connections = OpenConnections(self._readers)
        self._read_at = 0, float("-inf")  # the last answer of the database's clock, and its time by `time.monotonic`
        _stores.add(self)

    @property
    def on_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection for reading: one snapshot on SQLite; on PostgreSQL the latest state for each statement.

        READ COMMITTED would promise no more, and a transaction there costs two trips.
        """
        with _reached(), self._readers.connect() as conn:
            if self.on_sqlite:
                conn.begin()
            yield conn

    @contextmanager
    def read_autocommit(self) -> Iterator[Connection]:
        """Yield a connection like `read`, in a third of the time, for callers that only load a game or a person.

        There is no transaction: each statement sees the latest state. A game loaded in this way is still consistent:
        its row is read first, and the plies up to the row's version never change.
        """
        with _reached(), self._open_connections.connection() as conn:
            yield conn

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a transaction for writing, which is rolled back if the block raises. Raise `Busy`.

        If the commit raises `Away`, it may or may not have succeeded.
        """
        with self._turn_to_write(), _reached(), self._writers.begin() as conn:
            yield conn

    @contextmanager
    def append_only(self) -> Iterator[Connection]:
        """Yield a transaction like `write`, in half the time, under the conditions of `OpenConnections.append_only`.

        Raise `Busy`.
        """
        with self._turn_to_write(), _reached(), self._open_connections.append_only() as conn:
            yield conn

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        if self._turnstile is not None and not self._turnstile.acquire(timeout=BUSY_SECONDS):
            raise Busy
        try:
            yield
        except OperationalError as error:
            if is_busy(error):
                raise Busy from error
            raise
        finally:
            if self._turnstile is not None:
                self._turnstile.release()

    def migrate(self) -> None:
        """Migrate the tables to the present shape. Several processes may try at once."""
        from service.database.migrations import upgrade  # only this method needs Alembic

        upgrade(self)

    def wipe(self) -> None:
        """SQLite: rewrite the file without deleted data, and empty its journal. Raise `Busy`.

        Deleted rows are overwritten at once; copies remain in pages whose rows were moved, and in the journal.
        docs/host/privacy.md describes PostgreSQL.
        """
        if not self.on_sqlite:
            return
        with self._turn_to_write():
            connection = self.engine.raw_connection()
            try:
                connection.cursor().execute("VACUUM")
                busy, *_ = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError as error:  # or the disk is full
                raise Busy(str(error)) from error
            finally:
                connection.close()
        if busy:
            raise Busy

    def size(self) -> int:
        """Return the size of the database in bytes, on SQLite with its journal."""
        if self.on_sqlite:
            file = Path(self.engine.url.database or "")
            return sum(it.stat().st_size for it in (file, file.with_name(f"{file.name}-wal")) if it.exists())
        with self.read() as conn:
            return int(conn.execute(select(func.pg_database_size(func.current_database()))).scalar_one())

    def close(self) -> None:
        self._open_connections.close()
        self.engine.dispose()

    # ---- reading ---------------------------------------------------------------------------------
    def now(self) -> int:
        """Return the time in milliseconds by the database's clock; on SQLite by this machine's.

        All entries of a log use this time, so the clocks of web processes and workers may differ.
        """
        if self.on_sqlite:
            return clock.now()
        with self.read_autocommit() as conn:
            since = time.monotonic()
            at = int(_NOW.tuples(conn)[0][0])
        self._read_at = at, since
        return at

    def time(self) -> int:
        """Return the time in milliseconds by the same clock without a trip: its last answer plus the time since.

        It serves for all expiries and due times: leases, sessions, links, presence. It goes on while the database is
        away.
        """
        if self.on_sqlite:
            return clock.now()
        passed = time.monotonic() - self._read_at[1]
        if not 0 <= passed < ASK_AGAIN:
            try:
                return self.now()
            except (Away, Busy):
                if self._read_at[0] == 0:
                    raise
        then, since = self._read_at
        return then + int((time.monotonic() - since) * 1000)

    def load(self, conn: Connection, game_id: str, submission_id: str | None = None) -> Stored:
        """Return the game as it is now. Raise `NoSuchGame` and `Outdated`."""
        since = time.monotonic()
        rows = _GAME[conn.dialect.name].rows(conn, game=game_id)
        if not rows:
            raise NoSuchGame(game_id)
        row, answered = rows[0], None
        if row.clock is not None:
            self._read_at = row.clock, since
        if submission_id is not None and (known := _ANSWER.row(conn, game=game_id, submission=submission_id)):
            answered = (known.content_hash, known.answer)
        game = self._fold(conn, game_id, self.titles[row.title], row.version, row.head)
        seats = tuple(it for it in rows if it.seat is not None)
        return Stored(row, game, row.secret, row.head, seats, answered, (row.clock, since))

    def plies(
        self, conn: Connection, game_id: str, title: Title, since: int = 0, until: int | None = None
    ) -> list[tuple[StoredPly, Ply]]:
        """Return the plies after ``since``, up to ``until``, in order: as stored, and as decoded."""
        decode = title.chain.decode
        return [(it, decode(it.open, it.sealed)) for it in self.stored_plies(conn, game_id, since, until)]

    def stored_plies(self, conn: Connection, game_id: str, since: int = 0, until: int | None = None) -> list[StoredPly]:
        """Return them as stored."""
        stored: list[StoredPly] = []
        sealed: list[SealedPart] = []
        for number, part, seat, body, link in _log(conn, game_id, since, _ENDLESS if until is None else until):
            if link is None:  # the sealed parts of a ply come before its open one
                sealed.append(SealedPart(part, seat, body))
            else:
                stored.append(StoredPly(number, body, tuple(sealed), link))
                sealed.clear()
        return stored

    def position(self, conn: Connection, game_id: str, version: int) -> Game:
        """Return the game as it was at ``version``. Raise `NoSuchGame`, `NoSuchVersion` and `Outdated`."""
        row = _GAME[conn.dialect.name].row(conn, game=game_id)
        if row is None:
            raise NoSuchGame(game_id)
        if version == row.version:
            return self._fold(conn, game_id, self.titles[row.title], version, row.head)
        return self._earlier(conn, game_id, self.titles[row.title], version, row.version)

    def earlier(self, conn: Connection, stored: Stored, version: int) -> Game:
        """Return a loaded game as it was at ``version``, without a look at its row. Raise `NoSuchVersion`."""
        if version == stored.game.version:
            return stored.game
        return self._earlier(conn, stored.game.id, stored.game.title, version, stored.game.version)

    def _earlier(self, conn: Connection, game_id: str, title: Title, version: int, last: int) -> Game:
        if not 0 <= version < last:
            raise NoSuchVersion(version)
        # A reader who looks back goes on from there, mostly backwards, so the kept position is never far behind.
        point = version - version % STRIDE
        if self.folds.nearest(game_id, title, version)[1].version < point:
            self._fold(conn, game_id, title, point, None)
        return self._fold(conn, game_id, title, version, None)

    def _fold(self, conn: Connection, game_id: str, title: Title, version: int, head: bytes | None) -> Game:
        link, game = self.folds.nearest(game_id, title, version)
        if game.version == version and link == head:
            return game
        # The last ply of the kept fold is read again: its link shows whether the fold belongs to this log.
        log = _log(conn, game_id, max(game.version - 1, 0), version)
        if game.version:
            last = next((place for place, row in enumerate(log) if row[-1] is not None), None)
            if last is not None and log[last][-1] == link:
                log = log[last + 1 :]
            else:
                link, game = first_link(game_id), fold(game_id, title, ())
                log = _log(conn, game_id, 0, version)
        if log:
            if (rules := _RULES.decode(log[-1][-2]).rules) > title.rules.version:  # they never decrease within a log
                raise Outdated(f"game {game_id} goes on under version {rules} of the rules of {title.id}")
            effects = title.chain.effects(*_bodies(log))
            game = extend(game, effects, lambda version: self._fold(conn, game_id, title, version, None))
            link = log[-1][-1]
        self.folds.keep(game, link)
        return game

    # ---- writing the log -------------------------------------------------------------------------
    def append(
        self,
        conn: Connection,
        game: Game,
        head: bytes,
        secret: bytes,
        plies: Sequence[Ply],
        submission_id: str | None,
    ) -> bytes:
        """Write ``plies`` behind ``head``. Return the new head. An existing ply raises ``IntegrityError``."""
        for ply in plies:
            stored = game.title.chain.store(ply, head, game.id, secret)
            head = stored.link
            at = {"game_id": game.id, "ply": ply.number}
            _INSERT_PLY.run(conn, **at, body=stored.open, link=head, submission_id=submission_id)
            for part in stored.sealed:
                _INSERT_SEALED.run(conn, **at, part=part.index, seat=part.seat, body=part.body)
        return head


def raise_if_away(error: Exception) -> None:
    """Raise ``error`` if the database is away or busy: for callers that survive our own bugs."""
    if isinstance(error, Away | Busy) or is_away(error):
        raise error


@contextmanager
def _reached() -> Iterator[None]:
    """Raise `Away` if the database was not reached, whatever the driver's error."""
    try:
        yield
    except errors_of_databases() as error:
        if is_away(error) and not (isinstance(error, OperationalError) and is_busy(error)):
            raise Away(str(error).partition("\n")[0]) from error
        raise


class Folds:
    """Recently folded games, by (game, version, rules version), each with the link of its last ply. A pure cache.

    It is bounded: the last used games, and the last used versions of each. Threads share it. It saves half of the time
    of move 400 (63 % on SQLite, 52 % on PostgreSQL; `python -m tests.bench.gains folds`).
    """

    def __init__(self, games: int = 512, versions: int = 4) -> None:
        self._games, self._versions = games, versions
        self._kept: OrderedDict[tuple[str, str, int], OrderedDict[int, tuple[bytes, Game]]] = OrderedDict()
        self._lock = threading.Lock()

    def nearest(self, game_id: str, title: Title, version: int) -> tuple[bytes, Game]:
        """Return the kept fold at ``version``, else the last one before it, else the game before its first ply."""
        key = (game_id, title.id, title.rules.version)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                if (best := max((at for at in kept if at <= version), default=None)) is not None:
                    kept.move_to_end(best)
                    return kept[best]
        return first_link(game_id), fold(game_id, title, ())

    def keep(self, game: Game, link: bytes) -> None:
        key = (game.id, game.title.id, game.title.rules.version)
        with self._lock:
            kept = self._kept.setdefault(key, OrderedDict())
            self._kept.move_to_end(key)
            kept[game.version] = (link, game)
            kept.move_to_end(game.version)
            if len(kept) > self._versions:
                kept.popitem(last=False)
            if len(self._kept) > self._games:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


# ==== statements ==================================================================================
_ENDLESS = 2**31 - 1
SEAT = (
    SEATS.c.seat, SEATS.c.person_id, SEATS.c.bot, SEATS.c.left_at, SEATS.c.erased_at, SEATS.c.vacant_since,
    PERSONS.c.name.label("person"),
)  # fmt: skip
"""The columns about a seat's person or bot."""
_CLOCK: Any = literal_column("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint", BigInteger)
_NOW = Compiled(select(_CLOCK.label("clock")))


def _game(now: Any) -> Compiled:
    return Compiled(
        select(GAMES, SECRETS.c.secret, now.label("clock"), *SEAT)
        .select_from(
            GAMES.join(SECRETS)
            .outerjoin(SEATS, SEATS.c.game_id == GAMES.c.id)
            .outerjoin(PERSONS, PERSONS.c.id == SEATS.c.person_id)
        )
        .where(GAMES.c.id == bindparam("game"))
        .order_by(SEATS.c.seat)
    )


_GAME = {"sqlite": _game(literal_column("NULL", BigInteger)), "postgresql": _game(_CLOCK)}
"""A game, with the time if all processes share a clock: it costs no trip of its own."""
_SEATS = Compiled(
    select(*SEAT)
    .join_from(SEATS, PERSONS, PERSONS.c.id == SEATS.c.person_id, isouter=True)
    .where(SEATS.c.game_id == bindparam("game"))
    .order_by(SEATS.c.seat)
)
_ANSWER = Compiled(
    select(SUBMISSIONS.c.content_hash, SUBMISSIONS.c.answer).where(
        SUBMISSIONS.c.game_id == bindparam("game"), SUBMISSIONS.c.submission_id == bindparam("submission")
    )
)


def _span(table: Table, part: Any, seat: Any, link: Any) -> Any:
    here = table.c.game_id == bindparam("game"), table.c.ply > bindparam("since"), table.c.ply <= bindparam("until")
    return select(table.c.ply, part, seat, table.c.body, link).where(*here)


_NONE: Any = literal_column("NULL")
_LAST: Any = literal_column("1000000")
_LOG = Compiled(
    union_all(
        _span(SEALED, SEALED.c.part, SEALED.c.seat, _NONE.label("link")),
        _span(PLIES, _LAST.label("part"), _NONE.label("seat"), PLIES.c.link),
    )
)
"""A log in one trip, unordered. A ply's open part follows its sealed parts and alone has a link."""


_BY_PLY = itemgetter(0, 1)


def _log(conn: Connection, game_id: str, since: int, until: int) -> list[tuple[Any, ...]]:
    """Return the parts after ply ``since``, up to ply ``until``, in order: (ply, part, seat, body, link)."""
    parts = _LOG.tuples(conn, game=game_id, since=since, until=until)
    parts.sort(key=_BY_PLY)  # they come in two runs; a database takes longer to merge them
    return parts


class _Rules(msgspec.Struct):
    rules: int


_RULES = msgspec.json.Decoder(_Rules)
"""Decodes the rules version of an open ply, even if the rest cannot be decoded."""


def _bodies(log: Iterable[tuple[Any, ...]]) -> tuple[list[bytes], list[tuple[int, list[bytes]]]]:
    """Return a log's open parts, and its sealed ones with the places of their plies, for `ChainCodec.effects`."""
    opens: list[bytes] = []
    sealed: list[tuple[int, list[bytes]]] = []
    own: list[bytes] = []
    for _, _, _, body, link in log:
        if link is None:
            own.append(body)
            continue
        if own:
            sealed.append((len(opens), own))
            own = []
        opens.append(body)
    return opens, sealed


_INSERT_PLY, _INSERT_SEALED = Compiled(insert(PLIES)), Compiled(insert(SEALED))


def seats_of(conn: Connection, game_id: str) -> tuple[Any, ...]:
    """Return the taken seats of a game, as in `Stored`."""
    return tuple(_SEATS.rows(conn, game=game_id))


_stores: "weakref.WeakSet[Store]" = weakref.WeakSet()


def _forget_connections() -> None:
    """Forget the parent's connections, which a child process must not use."""
    for store in list(_stores):
        store._open_connections.forget()
        store.engine.dispose(close=False)
        store._turnstile = threading.Lock() if store.on_sqlite else None


os.register_at_fork(after_in_child=_forget_connections)
