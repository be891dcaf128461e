"""The second verifier, loaded once, and another installation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config.settings import Settings
from domain.title import Title
from service.store import Store, open_store
from tests.bundle.javascript import JavaScript, loaded


@pytest.fixture(scope="session")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


@pytest.fixture
def elsewhere(tmp_path: Path, toy_title: Title) -> Iterator[Store]:
    """An installation that is asked to take a game."""
    opened = open_store(f"sqlite:///{tmp_path / 'elsewhere.db'}", settings=Settings(_env_file=None, data_dir=tmp_path))
    opened.migrate()
    yield opened
    opened.close()
