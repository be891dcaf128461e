"""Fixtures for tests of every part: real servers, a store on either database, the toy title, a running game."""

import gc
import logging
import os
import random
import shutil
import sys
from base64 import urlsafe_b64encode
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from freezegun import freeze_time
from jinja2.bccache import Bucket, BytecodeCache
from pydantic_settings import EnvSettingsSource
from sqlalchemy import URL, Engine, event, make_url
from xdist.scheduler import WorkStealingScheduling

import domain
from config.settings import Settings
from domain.title import Title
from service.database import engines, migrations
from service.database import store as stores
from service.database.store import Store, open_store
from service.games import opening, sandboxes
from service.web.api import games as web_games
from service.web.pages.lobby import opening as form_of_opening
from tests import long, memory, toy
from tests.databases import Lent
from tests.durations import ByFolder
from tests.migrated import Copied, renewed
from tests.servers import PostgreSQL, postgresql, redis_server

__all__ = ["postgresql", "redis_server"]

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""The tests start many processes; without bytecode files each would compile for seconds."""

memory.use()

DATABASES = ("sqlite", "postgresql")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process one half of the tests; one that is done takes over tests of the other.

    So neighbours share the fixtures of a module, and no process is idle at the end.
    """
    if config.getoption("dist") != "load":
        return None
    return WorkStealingScheduling(config, log)


FIRST = {"bench", "workers", "test_by_mail.py", "test_quality.py"}
"""Folders and files whose single tests take longest."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests out unless they are asked for, and begin with what takes longest.

    No process can take over a test that another has begun, and at the end all would wait.
    """
    if not config.getoption("long"):
        items[:], left = long.parted(items)
        config.hook.pytest_deselected(items=left)
    items.sort(key=lambda item: FIRST.isdisjoint(item.path.parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Exclude imported and collected objects from garbage collection, as they stay to the end.

    It also runs less often than after every 700 objects. With fewer runs, random games take a twentieth less time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--by-folder", action="store_true", help="say at the end how long the tests of each folder took")
    parser.addoption("--long", action="store_true", help="run long tests, too")


def pytest_configure(config: pytest.Config) -> None:
    long.add_to(config)
    if config.getoption("by_folder"):
        config.pluginmanager.register(ByFolder())


class Fate:
    """A replacement for the module `secrets` where games are opened: its values follow from a seed."""

    def __init__(self, seed: str) -> None:
        drawn = random.Random(seed)
        self.token_bytes, self.randbits = drawn.randbytes, drawn.getrandbits

    def token_urlsafe(self, length: int) -> str:
        return urlsafe_b64encode(self.token_bytes(length)).decode().rstrip("=")


def foreordain(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Deal the games that are opened as ``seed`` says.

    The deal follows from a game's secret and its id, and the id from that of the submission that opened it.
    """
    fate = Fate(seed)
    for drawing in (opening, sandboxes, web_games, form_of_opening):
        patch.setattr(drawing, "secrets", fate)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[Any]:
    """Deal the games of shared fixtures alike, too, whichever test uses them first."""
    if fixturedef.scope == "function":
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        foreordain(patch, f"{request.node.nodeid} {fixturedef.argname} {getattr(request, 'param_index', 0)}")
        return (yield)


@pytest.fixture(autouse=True)
def fate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the games that a test opens in this process alike in every run, but differently for each test."""
    foreordain(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def loudness() -> Iterator[None]:
    """Reset the log level after a test that runs a command in this process."""
    root = logging.getLogger()
    level = root.level
    yield
    if root.level != level:
        root.setLevel(level)


@pytest.fixture
def one_moment() -> Iterator[None]:
    """Freeze the clock during a test, so that rate limits do not depend on its speed.

    The time lies an hour ahead: the thread that deletes old counts uses the real time.
    """
    with freeze_time(datetime.now(UTC) + timedelta(hours=1)):
        yield


@pytest.fixture
def toy_title(monkeypatch: pytest.MonkeyPatch) -> Title:
    """List the toy title among the titles during a test."""
    monkeypatch.setattr(domain, "TITLES", ChainMap({"toy": toy.TITLE}, domain.TITLES))  # type: ignore[arg-type]
    return toy.TITLE


# ==== stores ======================================================================================
@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Compile a statement once for all stores on a kind of database: tests open thousands, and each would compile
    anew."""
    first: dict[str, Engine] = {}
    """The first engine of each kind that has connected to its server, and so knows its dialect."""

    def made(address: URL, answer_within: float | None = None) -> Engine:
        engine = engines.make_engine(address, answer_within)
        kind = engine.dialect.name
        if kind in first:
            engine.dialect, engine._compiled_cache = first[kind].dialect, first[kind]._compiled_cache
        else:
            event.listen(engine, "connect", lambda *_: first.setdefault(kind, engine))
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "make_engine", made)
        yield


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """Read our variables of an environment once: most tests make settings, and finding each field takes 2 ms."""
    read, known = EnvSettingsSource.__call__, {}

    def looked_up(source: EnvSettingsSource) -> dict[str, Any]:
        ours = {name: value for name, value in source.env_vars.items() if name.startswith("slowtrain_")}  # type: ignore[attr-defined]
        key = type(source), source.settings_cls, tuple(ours.items())
        if key not in known:
            known[key] = read(source)
        return dict(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EnvSettingsSource, "__call__", looked_up)
        yield


class Compiled(BytecodeCache):
    """The templates that any application of this process has compiled."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def templates_once() -> Iterator[None]:
    """Compile a template once for all applications: the page of a table takes 150 ms, and many tests make their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": Compiled()})
        yield


@pytest.fixture(scope="session", autouse=True)
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copied]:
    """Take the steps of the migrations once for all empty databases."""
    copied = Copied(tmp_path_factory.mktemp("tables"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "upgrade", copied)
        yield copied


@pytest.fixture(scope="session")
def tables_on_sqlite(migrated_once: Copied) -> Path:
    """Return the file of a fully migrated database, made once to be copied."""
    return migrated_once.file


@pytest.fixture(scope="session")
def tables_on_postgresql(postgresql: PostgreSQL) -> Lent:
    """Return the same on PostgreSQL: copies of a database."""
    address = postgresql.new_database()
    made = open_store(address)
    made.migrate()
    made.close()
    return Lent(postgresql, str(make_url(address).database))


def no_power_cuts(store: Store) -> Store:
    """Return the store; on SQLite it no longer waits for the disk."""
    if store.on_sqlite:
        event.listen(store.engine, "connect", lambda conn, _: conn.execute("PRAGMA synchronous = OFF"))
    return store


def given_tables(store: Store) -> Store:
    """Return the store on a copy of tables, as after its migrations."""
    return renewed(no_power_cuts(store))


WITH_TABLES = ("store", "both_worlds")
"""Fixtures that make a store of `database_url`."""


@pytest.fixture
def copy_on_sqlite(tables_on_sqlite: Path, tmp_path: Path) -> str:
    """Return the address of a database with its tables."""
    return f"sqlite:///{shutil.copyfile(tables_on_sqlite, tmp_path / 'slowtrain.db')}"


@pytest.fixture
def copy_on_postgresql(tables_on_postgresql: Lent) -> Iterator[str]:
    """Yield the address of such a database on PostgreSQL."""
    with tables_on_postgresql.one() as address:
        yield address


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database, empty unless the test uses its store, too; the test runs once on each kind."""
    if any(name in request.fixturenames for name in WITH_TABLES):
        return str(request.getfixturevalue(f"copy_on_{request.param}"))
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'slowtrain.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def store(database_url: str, toy_title: Title, tmp_path: Path) -> Iterator[Store]:
    """Yield an empty store with its tables; the test runs once on each kind of database."""
    opened = given_tables(open_store(database_url, settings=Settings(_env_file=None, data_dir=tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def store_in(tables_on_sqlite: Path) -> Iterator[Callable[..., Store]]:
    """``store_in(settings, titles)``: an empty store with its tables, on SQLite, at the path in these settings."""
    opened: list[Store] = []

    def made(settings: Settings, titles: Mapping[str, Title] | None = None, name: str = "") -> Store:
        address = f"sqlite:///{settings.data_dir / name}" if name else settings.database
        shutil.copyfile(tables_on_sqlite, str(make_url(address).database))
        opened.append(given_tables(open_store(address, titles=titles, settings=settings)))
        return opened[-1]

    yield made
    for each in opened:
        each.close()
