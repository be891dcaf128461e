"""The tables match the classes; the log in them never changes; several processes may migrate at once."""

import re
from contextlib import closing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from domain.words import Sentence
from service.database import engines, migrations
from service.database.migrations import _steps
from service.database.store import Store, open_store
from service.database.tables import CheckDifference, table_of
from service.notices.details import read
from service.notices.owing import HISTORY
from service.proof import checks
from service.words import spoken
from service.words.texts import WORDS
from tests import migrated
from tests.children import CHILDREN
from tests.next_release import AFTER
from tests.service.lanterns import NOON, log, start

LOG = ("ply", "sealed_part")


@pytest.fixture(autouse=True)
def _each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the steps themselves."""
    monkeypatch.setattr(migrations, "upgrade", migrated.upgrade)


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
        assert migrations.fits(conn)


def test_a_store_without_tables_is_not_current(database_url: str) -> None:
    empty = open_store(database_url)
    with empty.read() as conn:
        assert not migrations.fits(conn)
    empty.close()


def _migrate(url: str, barrier: Any) -> None:
    engines.BUSY_SECONDS = 300  # on a busy machine one of them may take very long
    store = open_store(url)
    barrier.wait()
    store.migrate()


def test_processes_that_migrate_at_once_wait_for_each_other(database_url: str) -> None:
    barrier = CHILDREN.Barrier(3)
    processes = [CHILDREN.Process(target=_migrate, args=(database_url, barrier)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        assert process.exitcode == 0
    store = open_store(database_url)
    with store.read() as conn:
        assert migrations.fits(conn)
    store.close()


def test_a_migration_that_fails_leaves_the_tables_as_they_were(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(database_url)

    def fails(conn: Any) -> Any:
        config = configured(conn)
        conn.execute(text("CREATE TABLE half_done (id INTEGER)"))
        conn.execute(text("CREATE TABLE person (id INTEGER)"))  # the first step will fail on it
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


def test_assigned_names_and_zones_are_marked_as_assigned(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0007")
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
    migrations.upgrade(store, "0007")
    columns = "id, title, name, status, seats, public, version, head, asked, bot_due, created_at, moved_at"
    values = ":id, 'toy', '', 'running', 2, :due, 0, :head, '[]', :due, 0, 0"
    with store.write() as conn:
        for name, due in (("one", True), ("two", False)):
            conn.execute(text(f"INSERT INTO game ({columns}) VALUES ({values})"), {"id": name, "due": due, "head": b""})
    store.migrate()
    with store.read() as conn:
        found = conn.execute(text("SELECT id, bot_at, paused FROM game ORDER BY id")).all()
        assert [(row.id, row.bot_at, bool(row.paused)) for row in found] == [("one", 0, False), ("two", None, False)]
    store.close()


def test_old_names_lose_web_addresses_and_old_webhook_errors_lose_internal_facts(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0007")
    with store.write() as conn:
        for number, name in enumerate(("Ann", "evil.example", "w" * 30 + " a.bc d.ef"), 1):
            conn.execute(
                text(
                    "INSERT INTO person (id, email, name, lang, zone, wakes_at, sleeps_at, created_at, quiet, "
                    "mail_flag) "
                    "VALUES (:id, :email, :name, 'en', 'UTC', 0, 0, 0, false, '')"
                ),
                {"id": number, "email": f"{number}@example.org", "name": name},
            )
        for number, error in enumerate(("not_public", "answered 404"), 1):
            conn.execute(
                text(
                    "INSERT INTO webhook (id, person_id, url, kinds, nonce, secret_hash, enabled, created_at, "
                    "failures, error, disabled_for) VALUES (:id, 1, 'https://x', '', '', '', true, 0, 0, :error, "
                    ":error)"
                ),
                {"id": number, "error": error},
            )
    store.migrate()
    with store.read() as conn:
        names = conn.execute(text("SELECT name FROM person ORDER BY id")).scalars().all()
        assert names == ["Ann", "evil. example", "w" * 30 + " a. bc d."]
        errors = conn.execute(text("SELECT error FROM webhook ORDER BY id")).scalars().all()
        assert errors == ["no_host", "answered 404"]
        assert conn.execute(text("SELECT address_since FROM person")).scalars().all() == [None] * 3
    store.close()


OF_OLD = [
    (4, "it calls itself ply 3.", "it calls itself ply {number}.", {"number": "3"}),
    (None, "The log is empty.", "The log is empty.", {}),
    (7, "by the code of release 0.1.0: the rules refuse its command: TTR 4.3",
     "by the code of release {release}: {fault}", {
         "release": "0.1.0", "fault": {"what": "the rules refuse its command: {why}", "facts": {"why": "TTR 4.3"}},
     }),
    (9, "its command cannot be decided: KeyError('{x}\n')", "its command cannot be decided: {error}",
     {"error": "KeyError('{x}\n')"}),
    (None, "Something of {long} ago", "{fault}", {"fault": "Something of {long} ago"}),
]  # fmt: skip
"""Findings of a nightly check, as they were stored in English, and as they are stored now."""


def test_findings_of_checks_become_translatable_and_can_be_migrated_back(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0016")
    with store.write() as conn:
        conn.execute(
            text(
                "INSERT INTO check_run (id, night, started_at, program, games, plies, wrong, spent, titles, "
                "done_created_at, done_id, lease_until) VALUES (1, 0, 0, '0.1.0', 1, 9, 1, 0, '{}', -1, '', 0)"
            )
        )
        for ply, prose, _, _ in OF_OLD:
            conn.execute(
                text("INSERT INTO check_difference (run_id, game_id, ply, what) VALUES (1, 'a', :ply, :what)"),
                {"ply": ply, "what": prose},
            )
    store.migrate()
    with store.read() as conn:
        rows = conn.execute(select(table_of(CheckDifference)).order_by(table_of(CheckDifference).c.id)).all()
        found = checks.differences(conn, 1)
    assert [(row.ply, row.what, row.facts) for row in rows] == [(ply, *kept) for ply, _, *kept in OF_OLD]
    assert [it.what() for it in found] == [prose for _, prose, _, _ in OF_OLD]
    assert found[2].what("de") == "nach dem Code der Version 0.1.0: die Regeln lehnen seinen Befehl ab: TTR 4.3"
    migrations.go_back(store, "0016")
    with store.read() as conn:
        kept = conn.scalars(text("SELECT what FROM check_difference ORDER BY id")).all()
    assert kept == [prose for _, prose, _, _ in OF_OLD]
    store.close()


def test_reasons_of_ours_are_told_from_the_words_of_servers_that_were_kept_before(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0028")
    details = ("a later mail tells of this turn", "the turn is over", "550 5.1.1 {No} such mailbox", "it was raining")
    with store.write() as conn:
        conn.execute(
            text(
                "INSERT INTO outbox (id, game_id, kind, key, payload, message_id, state, created_at, due_at, ply, "
                "attempts, resent, address) "
                "VALUES (1, '', 'turn', '', '{}', '<1@localhost>', 'dead', 0, 0, 0, 0, 0, '')"
            )
        )
        for number, detail in enumerate(details, 1):
            conn.execute(
                text(
                    "INSERT INTO outbox_history (id, notice_id, at, what, detail) "
                    "VALUES (:id, 1, 0, 'superseded', :detail)"
                ),
                {"id": number, "detail": detail},
            )
    store.migrate()
    with store.read() as conn:
        kept = [read(row) for row in conn.execute(select(HISTORY).order_by(HISTORY.c.id))]
    assert kept[:2] == [Sentence("a later email covers this turn"), Sentence("the turn is over")]
    assert kept[2:] == list(details[2:])
    step = next(it.module for it in _steps(migrations.VERSIONS).walk_revisions() if it.revision == "0029")
    assert {*step.REWORDED.values(), *step.KEPT} <= spoken(WORDS, "de").texts.keys()
    store.close()


# ==== steps, and back =============================================================================
@pytest.fixture
def next_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teach this process the steps of the next two releases."""
    monkeypatch.setattr(migrations, "VERSIONS", AFTER)


def test_a_long_language_tag_fits_and_becomes_english_on_the_way_back(database_url: str) -> None:
    store = open_store(database_url)
    migrations.upgrade(store, "0017")
    add = text(
        "INSERT INTO person (email, name, lang, zone, wakes_at, sleeps_at, quiet, created_at) "
        "VALUES (:lang, 'x', :lang, 'UTC', 0, 0, :quiet, 0)"
    )
    away = text("INSERT INTO absence (person_id, first_day, last_day, kind) SELECT id, '', '', '' FROM person")

    def languages() -> list[str]:
        with store.read() as conn:
            assert conn.execute(text("SELECT count(*) FROM absence")).scalar() == 1, "what belongs to a person stays"
            return list(conn.scalars(text("SELECT lang FROM person ORDER BY id")))

    with store.write() as conn:
        conn.execute(add, {"lang": "de", "quiet": False})
        conn.execute(away)
    migrations.upgrade(store, "0018")
    with store.write() as conn:
        conn.execute(add, {"lang": "pt-BR", "quiet": False})
        conn.execute(add, {"lang": "sl-rozaj-biske-1994", "quiet": False})
    assert languages() == ["de", "pt-BR", "sl-rozaj-biske-1994"]
    migrations.go_back(store, "0017")
    assert languages() == ["de", "en", "en"]
    store.close()


def test_every_step_says_whether_it_only_adds_and_has_a_way_back_or_says_why_not() -> None:
    for step in _steps(migrations.VERSIONS).walk_revisions():
        assert isinstance(step.module.ADDS_ONLY, bool), step.revision
        has_way_back = hasattr(step.module, "downgrade")
        assert has_way_back != bool(getattr(step.module, "NO_WAY_BACK", "")), step.revision
    assert len(migrations.between(None, migrations.newest())) >= 12
    assert migrations.between(None, None) == []


def shape(store: Store, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """Return the tables as the database describes them, without the order of their columns.

    ``known``: the shapes seen before, by their texts on SQLite, from which they follow.
    """
    with store.read() as conn:
        texts = tuple(conn.scalars(text("SELECT sql FROM sqlite_master ORDER BY name"))) if store.on_sqlite else None
        if texts is None or texts not in known:
            known[texts] = _shape(conn)
        return known[texts]


def _shape(conn: Connection) -> dict[str, Any]:
    seen = inspect(conn)
    columns, indexes, unique = (
        seen.get_multi_columns(),
        seen.get_multi_indexes(),
        seen.get_multi_unique_constraints(),
    )
    foreign, keys = seen.get_multi_foreign_keys(), seen.get_multi_pk_constraint()
    return {
        table[1]: {
            "columns": {it["name"]: (str(it["type"]), it["nullable"], it["default"]) for it in found},
            "indexes": {it["name"]: (it["column_names"], it["unique"]) for it in indexes[table]},
            "unique": {it["name"]: it["column_names"] for it in unique[table]},
            "foreign": {it["name"]: (it["constrained_columns"], it["referred_table"]) for it in foreign[table]},
            "key": keys[table]["constrained_columns"],
        }
        for table, found in columns.items()
    }


def without_defaults(tables: dict[str, Any]) -> dict[str, Any]:
    """Ignore defaults: a restored column has one for existing rows."""
    return {
        name: {**table, "columns": {column: it[:2] for column, it in table["columns"].items()}}
        for name, table in tables.items()
    }


def holds_as_much(was: tuple[str, bool, Any], now: tuple[str, bool, Any] | None) -> bool:
    """Can the column still hold all that it held? It is unchanged, or longer texts fit."""
    if now is None or was == now:
        return was == now
    rooms = [re.fullmatch(r"VARCHAR\(([0-9]+)\)", kind) for kind, _, _ in (was, now)]
    return was[1] == now[1] and all(rooms) and int(rooms[0][1]) < int(rooms[1][1])  # type: ignore[index]


def what_hinders(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the changes of a step beyond additions: a program that does not know it would fail on them."""
    found = []
    for table, was in before.items():
        now = after.get(table, {"columns": {}, "indexes": {}, "unique": {}, "foreign": {}, "key": None})
        columns = now["columns"]
        found += [f"{table}.{name}" for name, it in was["columns"].items() if not holds_as_much(it, columns.get(name))]
        for kind in ("unique", "foreign"):
            found += [f"{table}.{name}" for name, it in was[kind].items() if now[kind].get(name) != it]
        found += [
            f"{table}.{name}"
            for name in {**now["unique"], **now["foreign"]}
            if name not in was["unique"] and name not in was["foreign"]
        ]
        found += [
            f"{table}.{name}"
            for name, (_, nullable, default) in now["columns"].items()
            if name not in was["columns"] and not nullable and default is None
        ]
        found += [
            f"{table}.{name}" for name, (_, unique) in now["indexes"].items() if unique and name not in was["indexes"]
        ]
        found += [f"{table}'s key"] * (now["key"] != was["key"])
    return found


@pytest.mark.long("postgresql")
def test_steps_marked_so_only_add_and_downgrades_restore_the_tables(database_url: str, next_release: None) -> None:
    """Beginning with the first step that programs trust."""
    store = open_store(database_url)
    migrations.upgrade(store, migrations.FIRST_TO_SAY)
    steps = list(reversed(migrations.between(migrations.FIRST_TO_SAY, migrations.newest())))
    known: dict[Any, dict[str, Any]] = {}
    before, at = shape(store, known), migrations.FIRST_TO_SAY
    told = {}
    for step in steps:
        migrations.upgrade(store, step.revision)
        after = shape(store, known)
        assert bool(what_hinders(before, after)) != step.adds_only, what_hinders(before, after)
        if step.no_way_back:
            with pytest.raises(migrations.NoWayBack, match=step.revision):
                migrations.go_back(store, at)
        else:
            migrations.go_back(store, at)
            assert without_defaults(shape(store, known)) == without_defaults(before)
            migrations.upgrade(store, step.revision)
        assert shape(store, known) == after
        with store.read() as conn:
            told[step.revision] = conn.execute(text("SELECT needs FROM installation")).scalar_one()
        before, at = after, step.revision
    assert told["next_2"] == "next_2"
    changed = [step.revision for step in steps[:-1] if not step.adds_only]
    assert told["next_1"] == [migrations.FIRST_TO_SAY, *changed][-1]
    store.close()


def test_steps_without_a_way_back_say_so_and_leave_all_as_it_was(store: Store) -> None:
    before = shape(store, {})
    for revision, why in (("0007", "since a copy was made"), ("0001", "since a copy was made")):
        with pytest.raises(migrations.NoWayBack, match=f"from {migrations.FIRST_TO_SAY}.*{why}"):
            migrations.go_back(store, revision)
    assert shape(store, {}) == before


def test_a_program_works_with_additions_of_later_releases_but_not_with_changes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = migrations.newest()

    def of_later(change: Any, revision: str) -> None:
        with monkeypatch.context() as later:
            later.setattr(migrations, "VERSIONS", AFTER)
            change(store, revision)

    def fits() -> bool:
        with store.read() as conn:
            return migrations.fits(conn)

    of_later(migrations.upgrade, "next_1")
    assert fits()
    store.migrate()
    with store.read() as conn:
        assert migrations.present(conn) == "next_1", "it was left alone"
    with pytest.raises(migrations.NewerTables):
        migrations.go_back(store, ours)
    of_later(migrations.upgrade, "next_2")
    assert not fits()
    with pytest.raises(migrations.NewerTables):
        store.migrate()
    of_later(migrations.go_back, "next_1")
    assert fits()
    of_later(migrations.go_back, ours)
    assert fits()
    with store.write() as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = 'strange'"))
        conn.execute(text("DROP TABLE installation"))
    assert not fits()


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


def test_every_connection_to_sqlite_is_configured(database_url: str) -> None:
    with closing(open_store(database_url)) as store:
        _is_told_everything(store)


def _is_told_everything(store: Store) -> None:
    if not store.on_sqlite:
        with store.read() as conn:
            assert conn.execute(text("SHOW transaction_isolation")).scalar() == "read committed"
        return
    with store.read() as one, store.read() as two:
        for conn in (one, two):
            said = {
                name: conn.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in (
                    "journal_mode",
                    "synchronous",
                    "foreign_keys",
                    "busy_timeout",
                    "recursive_triggers",
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
