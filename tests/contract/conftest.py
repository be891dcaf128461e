"""The number of random games, and the titles under test.

    pytest tests/contract                  # 25 games of each title, of Grand Trunk 64
    pytest tests/contract --games 5000     # before a release, or after a change of the rules

The environment variable SLOWTRAIN_TEST_GAMES does the same as ``--games``.
"""

import os

import pytest

from domain import TITLES
from tests.contract.titles import ASKED

GAMES = 25
RARE = {"grand_trunk": 64}
"""More games for a title with rare commands. These games have every command and event that 96 games of each title have,
and all refusals but four.
"""
BATCHES = 8
OF_WHAT_IS_KEPT = ("test_recorded_games", "test_rules_md", "test_samples")
"""Tests of files kept for released titles: the toy has no finished game and no list of its rules."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=None, help="random games of each title in the contract tests")


def number_of_games(config: pytest.Config, title: str) -> int:
    asked = config.getoption("--games", default=None)
    return int(asked if asked is not None else os.environ.get("SLOWTRAIN_TEST_GAMES", RARE.get(title, GAMES)))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "batch" in metafunc.fixturenames:
        batches = [(title, batch) for title in ASKED for batch in batches_of(number_of_games(metafunc.config, title))]
        metafunc.parametrize(("title", "batch"), batches, indirect=["title"], scope="session")
    elif "title" in metafunc.fixturenames:
        kept = metafunc.module.__name__.rpartition(".")[2] in OF_WHAT_IS_KEPT
        metafunc.parametrize("title", list(TITLES if kept else ASKED), indirect=True, scope="session")


def batches_of(games: int) -> list[range]:
    return [range(start, games, BATCHES) for start in range(min(BATCHES, games))]


@pytest.fixture(scope="session")
def title(request: pytest.FixtureRequest):
    return ASKED[request.param]
