"""People who look for a game, and their seats."""

from typing import Any

import pytest

from domain.pace import DAY
from service.database.store import Store
from service.database.work import Work
from service.games import lobby
from service.games.rights import ByPerson
from service.wishes import wishes
from service.wishes.wishes import MyWish, WantedGame
from tests.service.lanterns import NOON
from tests.workers.post import person

TWO = WantedGame(titles=("toy",), paces=("day",), seats=(2,))
THREE = WantedGame(titles=("toy",), paces=("day",), seats=(3,))
LIVE = WantedGame(titles=("toy",), paces=("evenings",), seats=(2,))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--queues", type=int, default=60, help="how many random queues matching is tried with")


@pytest.fixture
def people(store: Store) -> list[int]:
    return [person(store, name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve")]


def wish(store: Store, who: int, wanted: WantedGame = TWO, at: int = NOON) -> int:
    with store.write() as conn:
        return wishes.add(conn, store.titles, who, wanted, at)


def wishes_of(store: Store, who: int, at: int = NOON + 30 * DAY) -> list[MyWish]:
    with store.read() as conn:
        return wishes.of_person(conn, who, at)


def offered(store: Store, who: int) -> str:
    """Return the table at which a seat is kept for a person; "" for none."""
    with store.read() as conn:
        found = wishes.offers_to(conn, who)
    return found[0].game_id if found else ""


def sit(store: Store, who: int, game_id: str, at: int = NOON, **more: Any) -> int:
    return lobby.join(Work(store), ByPerson(who), game_id, choice={}, at=at, **more)[1]
