"""Backups of the store: made while it is in use, and restored.

A copy records the contents of the store at its beginning, which exposes a loss, and the keys that belong to it. A copy
of SQLite is a database in one file. A copy of PostgreSQL is the output of ``pg_dump``, or any other copy made by its
own tools.
"""

import hashlib
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlalchemy import Connection, func, insert, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from config.files import FILE, OF_SQLITE, private_files
from config.settings import Settings
from service.base.clock import SECOND
from service.base.release import release_of_program
from service.database import migrations
from service.database.migrations import INSTALLATION
from service.database.store import GAMES, Away, Store
from service.people.accounts import ERASED, PERSONS
from service.proof.verdicts import games_and_plies

NOT_GIVEN_AGAIN = 100_000
"""Numbers of people to skip after a restore: some were given after the copy was made, and stand in signed links of old
mails."""


class Copied(msgspec.Struct, frozen=True):
    """The record in a copy. ``games``, ``plies``: the least numbers in the store at its beginning.

    ``keys``: the names of the installation's keys, the signing one first. ``own_key``: the key itself, if the
    installation keeps it in its data folder.
    """

    at: int
    program: str
    games: int
    plies: int
    keys: tuple[str, ...]
    own_key: str = ""


class NoCopy(Exception):
    """A copy cannot be made or restored. It says why."""


def name_of(key: str) -> str:
    """The name of a key, for places that must not reveal the key."""
    return hashlib.sha256(f"slow train key {key}".encode()).hexdigest()[:12]


def counted(conn: Connection) -> tuple[int, int]:
    """Count the games and plies."""
    games, plies = conn.execute(select(func.count(), func.coalesce(func.sum(GAMES.c.version), 0))).one()
    return int(games), int(plies)


# ==== making ======================================================================================
def back_up(store: Store, file: Path, at: int) -> Copied:
    """Copy the store to a new file while it is in use, with everything accepted before. Raises `NoCopy`."""
    if file.exists():
        raise NoCopy(f"There is a file {file} already, which is left as it is.")
    try:
        with _beginning(file) as part:
            copied = (_copy_sqlite if store.on_sqlite else _copy_postgresql)(store, part, at)
    except OSError as error:
        raise NoCopy(f"{file} cannot be written: {error.strerror}.") from None
    return copied


NAMED = "slowtrain-%Y%m%dT%H%M%SZ.backup"
"""The name of a copy in a folder of copies, from its time."""


def named_by_time(folder: Path, at: int) -> Path:
    """The file for a copy made at ``at``."""
    return folder / datetime.fromtimestamp(at // SECOND, UTC).strftime(NAMED)


def kept_in(folder: Path) -> list[Path]:
    """The copies in a folder that are named by their time, the oldest first."""
    return sorted(it for it in folder.iterdir() if OF_FOLDER.fullmatch(it.name))


OF_FOLDER = re.compile(r"slowtrain-\d{8}T\d{6}Z\.backup")


@contextmanager
def _beginning(file: Path) -> Iterator[Path]:
    """A private file beside ``file``. At the end it is moved to ``file``; after an error it is deleted."""
    part = _beside(file)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL, FILE))
    try:
        yield part
        with open(part, "rb") as written:
            os.fsync(written.fileno())
        part.rename(file)
        _flush_folder(file.parent)
    finally:
        discard(part)


def _beside(file: Path) -> Path:
    """The name of a file that will replace ``file``."""
    return file.with_name(f".{file.name}.{secrets.token_hex(8)}")


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _said(store: Store, at: int, games: int, plies: int) -> Copied:
    settings = store.settings
    own = settings.keys()[0] if settings.embedded and not settings.secret_keys else ""
    return Copied(at, release_of_program(), games, plies, tuple(map(name_of, settings.keys())), own)


def _copy_sqlite(store: Store, part: Path, at: int) -> Copied:
    """Copy in one statement: SQLite's backup in small steps restarts at every write."""
    connection = store.engine.raw_connection()
    try:
        connection.cursor().execute("VACUUM INTO ?", (str(part),))
    except sqlite3.DatabaseError as error:
        raise NoCopy(f"SQLite could not make the copy: {error}.") from None
    finally:
        connection.close()
    with closing(sqlite3.connect(part)) as copy, copy:
        games, plies = copy.execute("SELECT count(*), coalesce(sum(version), 0) FROM game").fetchone()
        copied = _said(store, at, games, plies)
        copy.execute("UPDATE installation SET copied = ?", (msgspec.json.encode(copied).decode(),))
    return copied


def _copy_postgresql(store: Store, part: Path, at: int) -> Copied:
    program = shutil.which("pg_dump")
    if program is None:
        raise NoCopy(
            "pg_dump is not on this machine. Run it where it is (pg_dump --format=custom), or copy the whole server "
            "with pg_basebackup and an archive of its write-ahead log."
        )
    with store.write() as conn:
        copied = msgspec.structs.replace(_said(store, at, *counted(conn)), own_key="")
        conn.execute(update(INSTALLATION).values(copied=msgspec.to_builtins(copied)))
    _run(store, [program, "--format=custom", f"--file={part}"])
    return copied


def _run(store: Store, command: Sequence[str]) -> None:
    """Run a tool of PostgreSQL on the store's database, without the password in its command line."""
    from psycopg.conninfo import make_conninfo

    _, given = store.engine.dialect.create_connect_args(store.engine.url)
    given.pop("context", None)  # the driver's own, unknown to libpq
    environment = dict(os.environ)
    if password := given.pop("password", None):
        environment["PGPASSWORD"] = password
    _said_by([*command, f"--dbname={make_conninfo(**given)}"], environment)


def _said_by(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return its output. Raises `NoCopy` if it fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoCopy(f"{Path(command[0]).name} failed.\n{done.stderr.strip()}")
    return done.stdout


# ==== restoring ===================================================================================
def database_file(settings: Settings) -> Path:
    """The path of the SQLite database."""
    return Path(make_url(settings.database).database or "")


def unpacked(settings: Settings, file: Path) -> Path:
    """Copy a copy to a file beside the database, to be `discard`-ed in the end. Raises `NoCopy`."""
    target = database_file(settings)
    staged = _beside(target)
    try:
        with open(file, "rb") as given:
            begin = given.read(16)
        if begin != b"SQLite format 3\0":
            other = " It is one of PostgreSQL." if begin.startswith(b"PGDMP") else ""
            raise NoCopy(f'{file} is no copy that "slowtrain backup" made of SQLite.{other}')
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(staged, os.O_CREAT | os.O_EXCL, FILE))
        shutil.copyfile(file, staged)
    except OSError as error:
        raise NoCopy(f"{file} cannot be unpacked to {target.parent}: {error.strerror}.") from None
    return staged


@contextmanager
def database_apart(store: Store) -> Iterator[str]:
    """Create an empty database on the store's PostgreSQL server, yield its address, and drop it at the end.

    A database left by a killed check is dropped first. Raises `NoCopy`.
    """
    url = store.engine.url
    name = f"{(url.database or 'slowtrain')[:40]}{APART}"
    quoted = store.engine.dialect.identifier_preparer.quote(name)
    engine = store.engine.execution_options(isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as conn:
            conn.exec_driver_sql(f"DROP DATABASE IF EXISTS {quoted}")
            conn.exec_driver_sql(f"CREATE DATABASE {quoted} TEMPLATE template0")
    except DBAPIError as error:
        why = str(error.orig).partition("\n")[0]
        raise NoCopy(
            f"A database to try the copy in could not be made: {why}. Its role needs the right to "
            "(ALTER ROLE … CREATEDB), and no other check may run."
        ) from None
    try:
        yield url.set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as conn:
            conn.exec_driver_sql(f"DROP DATABASE {quoted} WITH (FORCE)")


APART = "_slowtrain_check"
"""The ending of the name of a database in which a copy is checked."""


def discard(staged: Path) -> None:
    """Delete a staged copy and the files that SQLite wrote beside it. Do nothing if it is already in place."""
    for end in OF_SQLITE:
        staged.with_name(staged.name + end).unlink(missing_ok=True)


class Granted(msgspec.Struct, frozen=True):
    """The number of grants restored from the copy, and why others failed (each reason once)."""

    given: int
    not_given: tuple[str, ...]


def unpack_postgresql(store: Store, file: Path) -> Granted:
    """Restore a file of ``pg_dump`` into the database, which must be empty. The restoring role owns everything. Other
    roles get their grants back if they exist here. Raises `NoCopy`.
    """
    program = shutil.which("pg_restore")
    if program is None:
        raise NoCopy(
            "pg_restore is not on this machine. Run it where it is, on an empty database, and then "
            '"slowtrain restore --here".'
        )
    with store.read() as conn:
        if inspect(conn).get_table_names():
            raise NoCopy(
                "The database is not empty, and is left as it is. Make an empty one (createdb) and name it in "
                "SLOWTRAIN_DATABASE_URL."
            )
    if not file.is_file():
        raise NoCopy(f"There is no file {file}.")
    _run(store, [program, "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", str(file)])
    return _grant(store, _grants_in(program, file))


def _grants_in(program: str, file: Path) -> list[str]:
    """The GRANT and REVOKE statements in a file of ``pg_dump``, each of one line."""
    contents = _said_by([program, "--list", str(file)])
    wanted = [line for line in contents.splitlines() if OF_GRANTS.match(line)]
    if not wanted:
        return []
    with tempfile.NamedTemporaryFile("w", suffix=".list") as these:
        these.write("\n".join(wanted))
        these.flush()
        script = _said_by([program, f"--use-list={these.name}", "--file=-", str(file)])
    return [line for line in script.splitlines() if GRANTS.match(line)]


OF_GRANTS = re.compile(r"\d+; \d+ \d+ (DEFAULT )?ACL ")
GRANTS = re.compile(r"(GRANT|REVOKE|ALTER DEFAULT PRIVILEGES) ")


def _grant(store: Store, statements: Sequence[str]) -> Granted:
    """Run each statement by itself, so that a missing role does not stop the others."""
    refused: dict[str, None] = {}
    given = 0
    with store.write() as conn:
        for statement in statements:
            try:
                with conn.begin_nested():
                    conn.exec_driver_sql(statement)
                given += 1
            except DBAPIError as error:
                refused[str(error.orig).partition("\n")[0]] = None
    return Granted(given, tuple(refused))


def said_of(store: Store) -> Copied | None:
    """The record in this store, if it is a copy; None if it has none. Raises `NoCopy` if it is not ours."""
    try:
        with store.read() as conn:
            at = migrations.present(conn)
            if at is None:
                raise NoCopy("There are no tables in it.")
            if not migrations.is_known(at):
                raise NoCopy(
                    f"It was made by a later release (tables {at}; this one has {migrations.newest()}): use that one."
                )
            if not inspect(conn).has_table(INSTALLATION.name):
                return None
            said = conn.execute(select(INSTALLATION.c.copied)).scalar_one()
            if store.on_sqlite and (broken := conn.execute(text("PRAGMA quick_check(1)")).scalars().all()) != ["ok"]:
                raise damaged(" ".join(broken))
    except SQLAlchemyError as error:
        if isinstance(error, Away) and not store.on_sqlite:
            raise
        raise damaged(str(error.__cause__ or error)) from None
    return None if said is None else msgspec.convert(said, Copied)


def damaged(why: str) -> NoCopy:
    """The error for a damaged copy, in one sentence."""
    plain = " ".join(why.replace("*** in database main ***", "").split()).rstrip(".")
    return NoCopy(f"The copy is damaged and cannot be brought back; use an earlier one ({plain}).")


def lost(store: Store, copied: Copied) -> str:
    """Say which of the recorded games and plies are missing from a copy; "" if none are."""
    with store.read() as conn:
        games, plies = counted(conn)
    if games >= copied.games and plies >= copied.plies:
        return ""
    return f"It holds {games_and_plies(games, plies)}, and should hold {copied.games} with {copied.plies} at least."


def settle(store: Store, at: int) -> None:
    """Turn a copy into a working store: migrate its tables, and skip numbers of people that may be in use."""
    store.migrate()
    with store.write() as conn:
        conn.execute(update(INSTALLATION).values(copied=None))
        highest = max(
            conn.execute(select(func.coalesce(func.max(column), 0))).scalar_one()
            for column in (PERSONS.c.id, ERASED.c.person_id)
        )
        conn.execute(insert(ERASED).values(person_id=highest + NOT_GIVEN_AGAIN, at=at))
        if not store.on_sqlite:
            next_one = text("SELECT setval(pg_get_serial_sequence('person', 'id'), :number)")
            conn.execute(next_one, {"number": highest + NOT_GIVEN_AGAIN})


def put_in_place(settings: Settings, staged: Path, copied: Copied, at: int) -> list[Path]:
    """Make the unpacked copy the database, and its key the installation's. Return the files that were put aside."""
    target = database_file(settings)
    mark, aside = f"before-{at}", []
    for end in OF_SQLITE:
        file = target.with_name(target.name + end)
        if file.exists():
            aside.append(file.rename(target.with_name(f"{target.name}.{mark}{end}")))
    for end in OF_SQLITE:
        if (file := staged.with_name(staged.name + end)).exists():
            file.rename(target.with_name(target.name + end))
    key = settings.data_dir / "secret_key"
    if copied.own_key and not (key.exists() and key.read_text() == copied.own_key):
        if key.exists():
            aside.append(key.rename(key.with_name(f"{key.name}.{mark}")))
        key.touch(FILE)
        key.write_text(copied.own_key)
    private_files([target, key])
    return aside


def keys_gone(settings: Settings, copied: Copied) -> bool:
    """Are all links signed before the copy invalid now? So it is if none of the copy's keys is in use today."""
    return not copied.own_key and not {name_of(key) for key in settings.keys()} & set(copied.keys)  # noqa: SIM118
