"""What tests of every part may ask for: real servers, a store on either database, the toy title, a game under way."""

import gc
import logging
import os
import random
import secrets
import shutil
import sys
from base64 import urlsafe_b64encode
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import URL, Engine, event, make_url, update
from xdist.scheduler import WorkStealingScheduling

import domain
from config.settings import Settings
from domain.title import Title
from service.database import engines
from service.database import store as stores
from service.database.migrations import INSTALLATION
from service.database.store import Store, open_store
from service.games import opening, sandboxes
from service.web.api import games as web_games
from service.web.pages import opening as form_of_opening
from tests import toy
from tests.databases import Lent
from tests.durations import ByFolder
from tests.servers import PostgreSQL, postgresql, redis_server

__all__ = ["postgresql", "redis_server"]

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""The tests start many processes; what none of them may write down each must compile anew, for seconds."""

DATABASES = ("sqlite", "postgresql")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process gets one half of the tests, and whoever is done takes over of what the other has left.

    So neighbours share what is made once for a module, and nobody waits at the end.
    """
    if config.getoption("dist") != "load":
        return None
    return WorkStealingScheduling(config, log)


LONG = {"bench", "workers", "test_by_mail.py", "test_quality.py"}
"""Folders and files whose tests take long, each by itself."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests come first: nobody takes over one that another process has begun, and at the end all would wait."""
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """What is imported and collected stays to the end: no search for garbage need go through it again and again.

    Nor need there be a search after every 700 objects. With fewer of them, random games take a twentieth less time.
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


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("by_folder"):
        config.pluginmanager.register(ByFolder())


class Fate:
    """In place of the module `secrets` where games are opened: what it gives follows from a seed."""

    def __init__(self, seed: str) -> None:
        drawn = random.Random(seed)
        self.token_bytes, self.randbits = drawn.randbytes, drawn.getrandbits

    def token_urlsafe(self, length: int) -> str:
        return urlsafe_b64encode(self.token_bytes(length)).decode().rstrip("=")


def foreordain(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Have the games that are opened dealt as ``seed`` says.

    That goes by a game's secret and by its id, and the id by that of the submission that opened it.
    """
    fate = Fate(seed)
    for drawing in (opening, sandboxes, web_games, form_of_opening):
        patch.setattr(drawing, "secrets", fate)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[Any]:
    """What is made once for several tests is dealt alike, too, whichever of them is the first."""
    if fixturedef.scope == "function":
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        foreordain(patch, f"{request.node.nodeid} {fixturedef.argname} {getattr(request, 'param_index', 0)}")
        return (yield)


@pytest.fixture(autouse=True)
def fate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that a test opens in this process is dealt alike in every run, unlike those of other tests."""
    foreordain(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def loudness() -> Iterator[None]:
    """A command that a test runs in this process says how much is logged; the tests after it do not go by that."""
    root = logging.getLogger()
    level = root.level
    yield
    root.setLevel(level)


@pytest.fixture
def one_moment() -> Iterator[None]:
    """All that a test does it does at one moment, so that how often one may do it a minute is not a matter of speed.

    It is in an hour: what forgets the counts of the past is a thread that goes by the right time.
    """
    with freeze_time(datetime.now(UTC) + timedelta(hours=1)):
        yield


@pytest.fixture
def toy_title(monkeypatch: pytest.MonkeyPatch) -> Title:
    """The toy title, listed among the titles for the time of a test."""
    monkeypatch.setattr(domain, "TITLES", ChainMap({"toy": toy.TITLE}, domain.TITLES))  # type: ignore[arg-type]
    return toy.TITLE


# ==== stores ======================================================================================
@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """A statement is compiled once for all stores on a kind of database; thousands are opened, and each would anew."""
    first: dict[str, Engine] = {}
    """The first on each kind that has met its server, and so knows how to speak to it."""

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


@pytest.fixture(scope="session")
def tables_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that has taken all steps, made once: a file to be copied."""
    file = tmp_path_factory.mktemp("tables") / "tables.db"
    made = open_store(f"sqlite:///{file}")
    made.migrate()
    made.wipe()  # so that all is in the one file
    made.close()
    return file


@pytest.fixture(scope="session")
def tables_on_postgresql(postgresql: PostgreSQL) -> Lent:
    """The same on PostgreSQL: copies of a database."""
    address = postgresql.new_database()
    made = open_store(address)
    made.migrate()
    made.close()
    return Lent(postgresql, str(make_url(address).database))


def no_power_cuts(store: Store) -> Store:
    """The store, which on SQLite does not wait until the disk has what is written."""
    if store.on_sqlite:
        event.listen(store.engine, "connect", lambda conn, _: conn.execute("PRAGMA synchronous = OFF"))
    return store


def given_tables(store: Store) -> Store:
    """The store on a copy of tables, as its migration would have left it: it is an installation of its own."""
    with no_power_cuts(store).write() as conn:
        conn.execute(update(INSTALLATION).values(salt=secrets.token_bytes(32)))
    return store


WITH_TABLES = ("store", "both_worlds")
"""Fixtures that make a store of `database_url`."""


@pytest.fixture
def copy_on_sqlite(tables_on_sqlite: Path, tmp_path: Path) -> str:
    """The address of a database with its tables."""
    return f"sqlite:///{shutil.copyfile(tables_on_sqlite, tmp_path / 'slowtrain.db')}"


@pytest.fixture
def copy_on_postgresql(tables_on_postgresql: Lent) -> Iterator[str]:
    """The same there."""
    with tables_on_postgresql.one() as address:
        yield address


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database, empty unless the test asks for its store, too; it runs once on each kind."""
    if any(name in request.fixturenames for name in WITH_TABLES):
        return str(request.getfixturevalue(f"copy_on_{request.param}"))
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'slowtrain.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def store(database_url: str, toy_title: Title, tmp_path: Path) -> Iterator[Store]:
    """An empty store with its tables; the test runs once on each kind of database."""
    opened = given_tables(open_store(database_url, settings=Settings(_env_file=None, data_dir=tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def store_in(tables_on_sqlite: Path) -> Iterator[Callable[..., Store]]:
    """``store_in(settings, titles)``: an empty store with its tables, on SQLite, where these settings have it."""
    opened: list[Store] = []

    def made(settings: Settings, titles: Mapping[str, Title] | None = None, name: str = "") -> Store:
        address = f"sqlite:///{settings.data_dir / name}" if name else settings.database
        shutil.copyfile(tables_on_sqlite, str(make_url(address).database))
        opened.append(given_tables(open_store(address, titles=titles, settings=settings)))
        return opened[-1]

    yield made
    for each in opened:
        each.close()
