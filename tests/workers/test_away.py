"""Games whose people are away, with the workers as they run: stand-ins wait, and nobody's game is played without them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from domain import clock
from domain.pace import DAY, HOUR, MINUTE, Pace
from service import seats
from service.store import Store
from tests.service.lanterns import ANN, BOB, NOON, game, stored
from tests.workers.post import outbox, person, table
from workers import bots, clocks

BOT = Pace(DAY, excuse=False, then="bot")


@pytest.fixture
def people(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob")


@contextmanager
def it_is(at: int) -> Iterator[None]:
    with freeze_time(datetime.fromtimestamp(at / 1000, UTC)):
        yield


def sweep(store: Store, at: int) -> None:
    """What the workers do now and then."""
    with it_is(at):
        clocks.call(store, at)
        bots.play_due(store)


def test_a_game_is_not_played_out_while_both_its_people_are_away(store: Store, people: tuple[int, int]) -> None:
    game_id = table(store, *people, pace=BOT, length="long")
    sweep(store, NOON + DAY)
    sweep(store, NOON + DAY + 2000)
    version = game(store, game_id).version
    assert version < 10, "it was played on without anybody there"
    for days in range(2, 40):
        sweep(store, NOON + days * DAY)
    assert game(store, game_id).version == version
    assert game(store, game_id).status == "running"
    assert not outbox(store, "over")
