"""Worlds for tests of the API. One database with its tables is made once and copied for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from config.settings import Settings
from service.database.store import open_store
from tests import toy
from tests.conftest import no_power_cuts
from tests.service.web.api.world import Asker, World, make_world


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=int, default=None, help="requests of each operation that Schemathesis makes up")


@pytest.fixture(scope="session", autouse=True)
def _plain_logs() -> Iterator[None]:
    """Log an error with its traceback, without the variables of every frame."""
    structlog.configure([structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()])
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("site"), rate_limits=False)


@pytest.fixture(scope="session")
def first_world(settings: Settings) -> World:
    """Make one application for all tests; each gives it a store of its own."""
    world = make_world(f"sqlite:///{settings.data_dir / 'first.db'}", settings)
    close(world)
    return world


@pytest.fixture
def world(first_world: World, settings: Settings, tmp_path: Path) -> Iterator[World]:
    """An empty world on SQLite."""
    fresh = copy_of(first_world, settings.data_dir / "first.db", tmp_path / "world.db")
    yield fresh
    fresh.store.close()


def copy_of(world: World, database: Path, copy: Path) -> World:
    """Return ``world`` on a copy of its closed database."""
    shutil.copy(database, copy)
    store = no_power_cuts(open_store(f"sqlite:///{copy}", titles={"toy": toy.TITLE}, settings=world.settings))
    fresh = World(world.app, store, world.settings)
    fresh.numbers = dict(world.numbers)
    fresh.use(store)
    return fresh


def close(world: World) -> None:
    """Close the database, with everything in its one file."""
    with world.store.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    world.store.close()


@pytest.fixture
def both_worlds(first_world: World, database_url: str, settings: Settings) -> Iterator[World]:
    """An empty world on each kind of database."""
    made = World(first_world.app, open_store(database_url, titles={"toy": toy.TITLE}, settings=settings), settings)
    made.use(made.store)
    yield made
    made.store.close()


@pytest.fixture
def alice(world: World) -> Asker:
    return world.person("Alice")


@pytest.fixture
def bob(world: World) -> Asker:
    return world.person("Bob")


@pytest.fixture
def charlie(world: World) -> Asker:
    """A stranger."""
    return world.person("Charlie")


@pytest.fixture
def harriet(world: World) -> Asker:
    """The host."""
    return world.person("Harriet")


@pytest.fixture
def game_id(world: World, harriet: Asker, alice: Asker, bob: Asker) -> str:
    """A running game of Alice (seat 1) and Bob (seat 2), which Harriet opened for them alone."""
    return world.game(harriet, alice, bob, public=False)
