"""The time in a log and of everything that expires: the database's clock, whatever those of web processes and workers
say."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from freezegun import freeze_time
from freezegun.api import real_time

from domain.clock import ClockStarted, TimeRanOut
from domain.lifecycle import RewindProposed
from domain.pace import DAY
from service.base.clock import HOUR, SECOND
from service.database.store import GAMES, Away
from service.database.work import Work
from service.games.moves import REWIND_LIFE
from service.people.accounts import LINKS
from service.people.presence import PRESENCE
from service.people.recipients import OUTBOX, RECIPIENTS
from service.proof.audit import verify_game
from tests import road
from tests.service.web.api.test_moves import STOP, leader_of
from tests.service.web.api.test_rewind import propose
from tests.service.web.api.test_times import paced
from tests.service.web.api.world import World
from workers import bots, clocks

FAST, SLOW = datetime(2049, 5, 1, tzinfo=UTC), datetime(2009, 5, 1, tzinfo=UTC)
"""The wrong clocks of two web processes, one far ahead and one far behind."""


def true_now() -> int:
    return int(real_time() * 1000)


def plies_of(world: World, game_id: str) -> list[Any]:
    with world.store.read() as conn:
        return [ply for _, ply in world.store.plies(conn, game_id, world.store.titles["toy"])]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_web_processes_and_workers_with_wrong_clocks_write_the_databases_time(both_worlds: World) -> None:
    world, began = both_worlds, true_now()
    with freeze_time(FAST):
        alice, bob = world.person("Alice"), world.person("Bob")
        game_id = paced(world, alice, alice, bob, pace={"turn": DAY, "excuse": False, "then": "bot"})
        leader, other = leader_of(game_id, alice, bob)
    with freeze_time(SLOW):
        assert leader.move(game_id, STOP).status_code == 201
        clocks.sweep(world.store)
    with freeze_time(FAST):
        clocks.sweep(world.store)  # no clock has run out
        assert bots.play_due(world.store) == 0
        assert other.choose(game_id).status_code == 201
        assert propose(leader, game_id).status_code == 201
    ended, log = true_now(), plies_of(world, game_id)
    assert [ply for ply in log if not began - SECOND <= ply.at <= ended + SECOND] == []
    assert all(one.at <= next_one.at for one, next_one in pairwise(log))
    deadlines = [(it.due, ply.at + DAY) for ply in log for it in ply.events if isinstance(it, ClockStarted)]
    assert deadlines
    assert all(due == in_a_day for due, in_a_day in deadlines)
    assert not any(isinstance(it, TimeRanOut) for ply in log for it in ply.events)
    (proposed,) = (it for it in log[-1].events if isinstance(it, RewindProposed))
    assert proposed.expires == log[-1].at + REWIND_LIFE
    with world.store.read() as conn:
        row = conn.execute(GAMES.select().where(GAMES.c.id == game_id)).one()
    assert (row.created_at, row.moved_at) == (log[0].at, log[-1].at)
    assert verify_game(world.store, game_id).faults == ()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_clock_that_is_put_back_writes_no_earlier_ply(both_worlds: World) -> None:
    world, noon = both_worlds, datetime(2027, 3, 1, 12, tzinfo=UTC)
    with freeze_time(noon):
        alice, bob = world.person("Alice"), world.person("Bob")
        game_id = paced(world, alice, alice, bob, pace={"turn": DAY})
    with freeze_time(noon - timedelta(hours=2)):
        assert alice.choose(game_id).status_code == 201
    with freeze_time(noon + timedelta(minutes=1)):
        assert bob.choose(game_id).status_code == 201
    *_, before, back, on = (ply.at for ply in plies_of(world, game_id))
    assert before == back == int(noon.timestamp() * 1000)
    assert on == before + 60 * SECOND
    assert verify_game(world.store, game_id).faults == ()


def test_a_ply_is_never_dated_before_the_last_one(both_worlds: World) -> None:
    world = both_worlds
    alice, bob = world.person("Alice"), world.person("Bob")
    game_id = world.game(alice, alice, bob)
    last = plies_of(world, game_id)[-1].at
    with world.store.read() as conn:
        game = world.store.load(conn, game_id).game
    safe = game.title.rules.safe(game.state, 1)
    road.submit(world.store, game_id, 1, [safe], None, None, last - DAY)
    assert plies_of(world, game_id)[-1].at == last


def test_a_cached_position_uses_the_present_time(both_worlds: World) -> None:
    """A bot thinks before it moves; the ply has the time of the move."""
    world = both_worlds
    alice, bob = world.person("Alice"), world.person("Bob")
    game_id = world.game(alice, alice, bob)
    began = datetime.now(UTC)
    with freeze_time(began) as clock:
        work = Work(world.store)
        stored = work.game(game_id)
        read = stored.now()
        clock.tick(7)
        assert stored.now() - read == 7 * SECOND
        safe = stored.game.title.rules.safe(stored.game.state, 1)
        road.submit(world.store, game_id, 1, [safe], None, None, work=work)
    assert plies_of(world, game_id)[-1].at - read == 7 * SECOND


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_deadlines_and_expiry_follow_the_databases_time(both_worlds: World) -> None:
    """One process reads another's times: sessions, presence, owed mail, sign-in links."""
    world, began = both_worlds, true_now()
    with freeze_time(FAST):
        alice, bob = world.person("Alice"), world.person("Bob")
        game_id = world.game(alice, alice, bob)
        assert world.anonymous().post("/sign-in", {"email": "zoe@example.org"}).status_code == 202
        assert alice.get(f"/games/{game_id}").status_code == 200
        assert alice.choose(game_id).status_code == 201
    with freeze_time(SLOW):
        assert bob.get(f"/games/{game_id}").status_code == 200
    ended = true_now() + HOUR  # nothing here is delayed longer
    tables = {
        LINKS: ("created_at",),
        PRESENCE: ("since", "seen_at"),
        OUTBOX: ("created_at", "due_at"),
        RECIPIENTS: ("next_at",),
    }
    for table, columns in tables.items():
        with world.store.read() as conn:
            rows = conn.execute(table.select()).all()
        assert rows, table.name
        for row in rows:
            assert all(began - SECOND <= getattr(row, column) <= ended for column in columns), (table.name, row)


def test_the_time_is_read_at_intervals_and_goes_on_without_the_database(
    both_worlds: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = both_worlds.store
    first = store.time()

    def away() -> int:
        raise Away

    monkeypatch.setattr(store, "now", away)
    assert store.time() >= first
    monkeypatch.setattr("service.database.store.ASK_AGAIN", 0.0)
    assert store.time() >= first
    if not store.on_sqlite:
        store._read_at = 0, float("-inf")
        with pytest.raises(Away):
            store.time()
