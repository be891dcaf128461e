"""The tables are what the classes say; the log in them is never changed; many may migrate at once."""

import multiprocessing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from service import migrations
from service.store import Store, open_store
from tests.service.lanterns import NOON, log, start

LOG = ("ply", "sealed_part")


def test_the_migrations_make_the_tables_of_the_classes(store: Store) -> None:
    with store.read() as conn:
        context = MigrationContext.configure(conn, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_migrating_again_changes_nothing(store: Store) -> None:
    game_id = start(store)
    before = log(store, game_id)
    store.migrate()
    assert log(store, game_id) == before
    with store.read() as conn:
        assert migrations.is_current(conn)


def test_a_store_without_tables_is_not_current(database_url: str) -> None:
    empty = open_store(database_url)
    with empty.read() as conn:
        assert not migrations.is_current(conn)
    empty.close()


def _migrate(url: str, barrier: Any) -> None:
    store = open_store(url)
    barrier.wait()
    store.migrate()


def test_processes_that_migrate_at_once_wait_for_each_other(database_url: str) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(3)
    processes = [context.Process(target=_migrate, args=(database_url, barrier)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    store = open_store(database_url)
    with store.read() as conn:
        assert migrations.is_current(conn)
    store.close()


def test_a_migration_that_fails_leaves_the_tables_as_they_were(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(database_url)

    def fails(conn: Any) -> Any:
        config = configured(conn)
        conn.execute(text("CREATE TABLE half_done (id INTEGER)"))
        conn.execute(text("CREATE TABLE person (id INTEGER)"))  # the first step will stumble over it
        return config

    configured = migrations._config
    monkeypatch.setattr(migrations, "_config", fails)
    with pytest.raises(DBAPIError):
        store.migrate()
    with store.read() as conn:
        assert inspect(conn).get_table_names() == []
    monkeypatch.setattr(migrations, "_config", configured)
    store.migrate()
    store.close()


def test_names_and_zones_that_were_given_to_people_are_known_as_such(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0012")
    people = [(1, "Player 1", "UTC"), (2, "Player 1", "Europe/Berlin"), (3, "Cleo", "UTC")]
    insert = text(
        "INSERT INTO person (id, email, name, lang, zone, wakes_at, sleeps_at, quiet, created_at)"
        " VALUES (:id, :email, :name, 'en', :zone, 0, 0, :quiet, 0)"
    )
    with store.write() as conn:
        for number, name, zone in people:
            conn.execute(insert, {"id": number, "email": f"{number}", "name": name, "zone": zone, "quiet": False})
    store.migrate()
    with store.read() as conn:
        found = conn.execute(text("SELECT named, zone_known FROM person ORDER BY id")).all()
    assert [(bool(named), bool(zone)) for named, zone in found] == [(False, False), (True, True), (True, False)]
    store.close()


def test_games_that_wait_for_a_bot_are_still_found_after_the_step_to_moments(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0011")
    columns = "id, title, name, status, seats, public, version, head, asked, bot_due, created_at, moved_at"
    values = ":id, 'toy', '', 'running', 2, :due, 0, :head, '[]', :due, 0, 0"
    with store.write() as conn:
        for name, due in (("one", True), ("two", False)):
            conn.execute(
                text(f"INSERT INTO game ({columns}) VALUES ({values})"), {"id": name, "due": due, "head": b""}
            )
    store.migrate()
    with store.read() as conn:
        found = conn.execute(text("SELECT id, bot_at, paused FROM game ORDER BY id")).all()
        assert [(row.id, row.bot_at, bool(row.paused)) for row in found] == [("one", 0, False), ("two", None, False)]
    store.close()


def test_names_from_before_lose_their_addresses_and_no_webhook_tells_what_is_inside(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0008")
    with store.write() as conn:
        for number, name in enumerate(("Ann", "evil.example", "w" * 30 + " a.bc d.ef"), 1):
            conn.execute(text(
                "INSERT INTO person (id, email, name, lang, zone, wakes_at, sleeps_at, created_at, quiet, mail_flag) "
                "VALUES (:id, :email, :name, 'en', 'UTC', 0, 0, 0, false, '')"
            ), {"id": number, "email": f"{number}@example.org", "name": name})  # fmt: skip
        for number, error in enumerate(("not_public", "answered 404"), 1):
            conn.execute(text(
                "INSERT INTO webhook (id, person_id, url, kinds, nonce, secret_hash, enabled, created_at, failures, "
                "error, disabled_for) VALUES (:id, 1, 'https://x', '', '', '', true, 0, 0, :error, :error)"
            ), {"id": number, "error": error})  # fmt: skip
    store.migrate()
    with store.read() as conn:
        names = conn.execute(text("SELECT name FROM person ORDER BY id")).scalars().all()
        assert names == ["Ann", "evil. example", "w" * 30 + " a. bc d."]
        errors = conn.execute(text("SELECT error FROM webhook ORDER BY id")).scalars().all()
        assert errors == ["no_host", "answered 404"]
        assert conn.execute(text("SELECT address_since FROM person")).scalars().all() == [None] * 3
    store.close()


# ==== the triggers ================================================================================
FORBIDDEN = {
    "update": "UPDATE {table} SET body = body",
    "delete": "DELETE FROM {table}",
    "delete one": "DELETE FROM {table} WHERE ply = 4",
}
ON_SQLITE = {
    "replace": "INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE ply = 4",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} WHERE true ON CONFLICT DO UPDATE SET body = 'x'",
}
ON_POSTGRESQL = {
    "truncate": "TRUNCATE {table} CASCADE",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET body = 'x'",
}
KEYS = {"ply": "game_id, ply", "sealed_part": "game_id, ply, part"}


@pytest.mark.parametrize("table", LOG)
def test_the_log_can_be_neither_changed_nor_deleted(store: Store, table: str) -> None:
    game_id = start(store)
    before = log(store, game_id)
    for statement in (FORBIDDEN | (ON_SQLITE if store.on_sqlite else ON_POSTGRESQL)).values():
        with pytest.raises(DBAPIError, match="the log is never changed"), store.write() as conn:
            conn.execute(text(statement.format(table=table, key=KEYS[table])))
        assert log(store, game_id) == before


def test_a_game_cannot_be_deleted_from_under_its_log(store: Store) -> None:
    game_id = start(store)
    with pytest.raises(DBAPIError), store.write() as conn:
        conn.execute(text("DELETE FROM game WHERE id = :game"), {"game": game_id})
    assert log(store, game_id)


def test_every_connection_to_sqlite_is_told_everything(store: Store) -> None:
    if not store.on_sqlite:
        with store.read() as conn:
            assert conn.execute(text("SHOW transaction_isolation")).scalar() == "read committed"
        return
    with store.read() as one, store.read() as two:
        for conn in (one, two):
            said = {
                name: conn.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in (
                    "journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers",
                    "secure_delete",
                )
            }
            assert said == {
                "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000,
                "recursive_triggers": 1, "secure_delete": 1,
            }  # fmt: skip


def test_a_person_can_be_erased_and_the_game_stays(store: Store) -> None:
    with store.write() as conn:
        columns, values = "id, email, name, lang, zone, created_at", "7, 'ann@example.org', 'Ann', 'en', 'UTC', :at"
        conn.execute(text(f"INSERT INTO person ({columns}) VALUES ({values})"), {"at": NOON})
    game_id = start(store)
    with store.write() as conn:
        conn.execute(text("UPDATE seat SET person_id = 7, bot = NULL WHERE seat = 1"))
        conn.execute(text("UPDATE game SET host_id = 7"))
        conn.execute(text("DELETE FROM person WHERE id = 7"))
    with store.read() as conn:
        assert conn.execute(text("SELECT person_id FROM seat WHERE seat = 1")).scalar() is None
    assert log(store, game_id)
