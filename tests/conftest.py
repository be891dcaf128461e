"""What tests of every part may ask for: real servers, a store on either database, the toy title, a game under way."""

import os
import random
import sys
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain
from config.settings import Settings
from domain.title import Title
from service.database.store import Store, open_store
from service.games import play
from tests import toy
from tests.servers import PostgreSQL, postgresql, redis_server

__all__ = ["postgresql", "redis_server"]

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""The tests start many processes; what none of them may write down each must compile anew, for seconds."""

DATABASES = ("sqlite", "postgresql")


class Fate:
    """In place of the module `secrets` where games are opened: what it gives follows from a seed."""

    def __init__(self, seed: str) -> None:
        drawn = random.Random(seed)
        self.token_bytes, self.randbits = drawn.randbytes, drawn.getrandbits


@pytest.fixture(autouse=True)
def fate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that a test opens in this process is dealt alike in every run, unlike those of other tests."""
    monkeypatch.setattr(play, "secrets", Fate(request.node.nodeid))


@pytest.fixture
def toy_title(monkeypatch: pytest.MonkeyPatch) -> Title:
    """The toy title, listed among the titles for the time of a test."""
    monkeypatch.setattr(domain, "TITLES", ChainMap({"toy": toy.TITLE}, domain.TITLES))  # type: ignore[arg-type]
    return toy.TITLE


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database; the test runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'slowtrain.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def store(database_url: str, toy_title: Title, tmp_path: Path) -> Iterator[Store]:
    """An empty store with its tables; the test runs once on each kind of database."""
    opened = open_store(database_url, settings=Settings(_env_file=None, data_dir=tmp_path))
    opened.migrate()
    yield opened
    opened.close()
