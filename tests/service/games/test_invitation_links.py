"""Invitations in the store: renewed by many at once, used during a renewal, and migrated from earlier releases."""

import threading
from typing import Any

import pytest
from sqlalchemy import insert, text, update

from domain.clock import SetPace
from domain.lifecycle import StartGame
from domain.pace import Pace
from service.base import clock
from service.database import migrations
from service.database.store import GAMES, NoSuchGame, Store, open_store
from service.games import queries
from service.games.opening import Opened
from service.people.accounts import PERSONS, hashed
from tests import road
from tests.service.games.test_play import writers_at_a_barrier
from tests.service.lanterns import NOON, give, log, open_table, stored
from workers import clocks


def people(store: Store, *names: str) -> list[int]:
    with store.write() as conn:
        made = [
            conn.execute(insert(PERSONS).values(email=f"{name}@example.org", name=name, created_at=NOON))
            for name in names
        ]
    return [int(it.inserted_primary_key[0]) for it in made]  # type: ignore[index]


def test_simultaneous_renewals_each_end_the_invitation_before(store: Store) -> None:
    game_id = open_table(store, public=False)
    numbers = writers_at_a_barrier(store, lambda _: road.renew_invitation(store, game_id), 8)
    assert sorted(numbers) == list(range(1, 9))
    assert stored(store, game_id).row.invites == 8


def test_a_renewal_is_no_ply_and_hinders_none(store: Store) -> None:
    game_id = open_table(store)
    before = log(store, game_id)

    def work(number: int) -> Any:
        if number % 2:
            return road.renew_invitation(store, game_id)
        return give(store, game_id, None, SetPace(Pace(turn=clock.HOUR * (number + 1))), expected_version=None)

    writers_at_a_barrier(store, work, 6)
    assert stored(store, game_id).row.invites == 3
    assert len(log(store, game_id)) == len(before) + 3
    assert stored(store, game_id).row.version == len(before) + 3


def test_nobody_sits_down_by_an_invitation_that_was_renewed_meanwhile(store: Store) -> None:
    ann, bob = people(store, "ann", "bob")
    game_id = open_table(store, public=False)
    road.renew_invitation(store, game_id)
    before = log(store, game_id)
    with pytest.raises(NoSuchGame):
        road.take_seat(store, game_id, 1, choice={}, at=NOON, person_id=ann, invitation=0)
    assert (log(store, game_id), stored(store, game_id).seats) == (before, ())
    road.take_seat(store, game_id, 1, choice={}, at=NOON, person_id=ann, invitation=1)
    road.take_seat(store, game_id, 2, choice={}, at=NOON, person_id=bob, invitation=1)
    assert [it.person_id for it in stored(store, game_id).seats] == [ann, bob]


def test_joining_during_a_renewal_waits_and_is_refused(store: Store) -> None:
    (ann,) = people(store, "ann")
    game_id = open_table(store, public=False)
    outcome: list[Any] = []

    def sit_down() -> None:
        try:
            outcome.append(road.take_seat(store, game_id, 1, choice={}, at=NOON, person_id=ann, invitation=0))
        except NoSuchGame as refused:
            outcome.append(refused)

    with store.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(invites=1))
        sitting = threading.Thread(target=sit_down)
        sitting.start()
        sitting.join(0.5)
        assert outcome == [], "it waits for what becomes of the renewal"
    sitting.join(30)
    assert [type(it) for it in outcome] == [NoSuchGame]
    assert stored(store, game_id).seats == ()


def test_nobody_takes_a_vacant_seat_by_an_invitation_that_was_renewed_meanwhile(store: Store) -> None:
    ann, bob, cleo = people(store, "ann", "bob", "cleo")
    game_id = open_table(store, public=False, pace=Pace(turn=clock.DAY, excuse=False, then="substitute"))
    for seat, who in ((1, ann), (2, bob)):
        road.take_seat(store, game_id, seat, choice={}, at=NOON, person_id=who, invitation=0)
    road.submit(store, game_id, None, [StartGame()], None, None, NOON)
    clocks.call(store, NOON + clock.DAY)
    road.renew_invitation(store, game_id)
    with pytest.raises(NoSuchGame):
        road.take_over(store, game_id, 1, person_id=cleo, at=NOON + clock.DAY, invitation=0)
    assert [it.person_id for it in stored(store, game_id).seats] == [ann, bob]
    road.take_over(store, game_id, 1, person_id=cleo, at=NOON + clock.DAY, invitation=1)
    assert [it.person_id for it in stored(store, game_id).seats] == [cleo, bob]


# ==== earlier releases ============================================================================
GAME = """INSERT INTO game (id, title, name, status, seats, public, invite_hash, version, head, asked, bot_due,
          created_at, moved_at) VALUES (:id, 'toy', 'x', :status, 2, false, :hash, 1, :head, '[]', false, 1, 1)"""


def test_the_migration_keeps_the_old_links_of_open_tables_only(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0007")
    statuses = ("open", "running", "over", "cancelled")
    with store.write() as conn:
        for status in statuses:
            conn.execute(text(GAME), {"id": status, "status": status, "hash": hashed(status), "head": b""})
    store.migrate()
    with store.read() as conn:
        rows = {row.id: row for row in conn.execute(GAMES.select())}
        assert {status: rows[status].invite_hash for status in statuses} == {
            "open": hashed("open"),
            "running": None,
            "over": None,
            "cancelled": None,
        }
        assert {row.invites for row in rows.values()} == {0}
        assert migrations.fits(conn)
    store.close()


def test_a_table_that_is_opened_twice_under_one_submission_has_its_present_invitation(store: Store) -> None:
    def opened() -> Opened:
        return road.open_game(
            store,
            title="toy",
            options={},
            seats=2,
            name="x",
            host_id=None,
            public=False,
            at=NOON,
            settle_ms=0,
            submission_id="once",
        )

    first = opened()
    road.renew_invitation(store, first.game_id)
    again = opened()
    assert first.game_id == again.game_id
    with store.read() as conn:
        assert queries.game_by_invite(store, conn, None, again.invite_token).invited
        with pytest.raises(NoSuchGame):
            queries.game_by_invite(store, conn, None, first.invite_token)
