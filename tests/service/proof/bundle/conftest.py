"""The second verifier, loaded once, and another installation."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.settings import Settings
from domain.title import Title
from service.database.store import Store
from tests.service.proof.bundle.javascript import JavaScript, loaded

SHARE = 4


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", default=False, help="try all broken files, and not one in four")


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> int:
    """The tests try one broken file in this many."""
    return 1 if request.config.getoption("--whole", default=False) else SHARE


@pytest.fixture(scope="session")
def javascript() -> Iterator[JavaScript]:
    yield from loaded()


@pytest.fixture
def elsewhere(tmp_path: Path, toy_title: Title, store_in: Callable[..., Store]) -> Iterator[Store]:
    """Another installation, which imports a game."""
    opened = store_in(Settings(_env_file=None, data_dir=tmp_path), name="elsewhere.db")
    yield opened
    opened.close()
