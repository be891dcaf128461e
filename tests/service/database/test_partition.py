"""A partitioned log stays the same log: playable, provable, copyable and never changed, through whichever table."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy import inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.lifecycle import TakeBack
from service.cli import main, partition
from service.cli.partition import LOG, CannotPartition, divide, names
from service.database import migrations
from service.database.store import PLIES, Store, open_store
from service.keeping import personal
from service.proof.audit import game_ids, verify_game
from tests.servers import PostgreSQL
from tests.service.keeping.test_personal import Life
from tests.service.lanterns import NOON, game, give, lead, log, play_on, start
from tests.workers.post import until

COUNT = 4
ROOT = Path(__file__).parents[3]


@pytest.fixture
def address(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Return the address of an empty PostgreSQL database, which the commands use, too."""
    url = postgresql.new_database()
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", url)
    monkeypatch.setenv("SLOWTRAIN_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{postgresql.programs}{os.pathsep}{os.environ['PATH']}")
    return url


@pytest.fixture
def house(address: str, toy_title: Any, tmp_path: Path) -> Iterator[Store]:
    opened = open_store(address, settings=Settings(_env_file=None, data_dir=tmp_path))
    opened.migrate()
    yield opened
    opened.close()


def shape(store: Store) -> dict[str, Any]:
    """Return columns, keys, foreign keys (without PostgreSQL's own for partitions) and indexes of the log."""
    found = inspect(store.engine)
    return {
        table: (
            [(it["name"], str(it["type"]), it["nullable"]) for it in found.get_columns(table)],
            found.get_pk_constraint(table)["constrained_columns"],
            [
                (it["name"], it["constrained_columns"], it["referred_table"])
                for it in found.get_foreign_keys(table)
                if it["referred_table"] in ("game", *LOG)
            ],
            [it["name"] for it in found.get_indexes(table)],
        )
        for table in LOG
    }


def slowtrain(code: int, *command: str, answer: str | None = None) -> str:
    result = CliRunner().invoke(main.main, command, input=answer)
    assert result.exit_code == code, result.output
    return result.output


# ==== dividing ====================================================================================
def test_partitioning_keeps_all_rows_and_games_continue(
    house: Store, postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = Life(house)
    games = game_ids(house)
    before, looked = {it: log(house, it) for it in games}, shape(house)
    with house.write() as conn:
        conn.execute(text(f"CREATE INDEX of_the_operator ON {PLIES.name} (submission_id)"))
    house.close()

    said = slowtrain(0, "partition", "--into", str(COUNT), "--yes")
    assert f"{len(games)} of {len(games)} games copied" in said
    assert f"{sum(map(len, before.values()))} rows of {PLIES.name}" in said
    assert {it: log(house, it) for it in games} == before
    assert sum(filled(house)) > 2
    with house.write() as conn:
        assert migrations.fits(conn)
        assert not conn.scalar(text("SELECT count(*) FROM pg_class WHERE relname LIKE '%before'"))
        conn.execute(text("DROP INDEX of_the_operator"))
    assert shape(house) == looked
    house.migrate()

    play_on(house, life.running["toy"])
    play_on(house, start(house, people=True), 3)
    personal.erase(house, life.id, NOON)
    assert all(not verify_game(house, it).faults for it in game_ids(house))
    copy, kept = tmp_path / "copy.backup", {it: log(house, it) for it in game_ids(house)}
    slowtrain(0, "backup", str(copy))
    house.close()
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", url := postgresql.new_database())
    slowtrain(0, "restore", str(copy))
    restored = open_store(url, settings=house.settings)
    assert {it: log(restored, it) for it in kept} == kept
    refused(restored)
    restored.close()


def test_a_partitioned_log_allows_taking_back_and_keeps_its_keys(house: Store) -> None:
    game_id = start(house, people=True)
    house.close()
    divide(house, COUNT, lambda _: None)
    leader = lead(house, game_id)
    give(house, game_id, leader, *bot_of(house, game_id, leader))
    before = game(house, game_id)
    give(house, game_id, leader, TakeBack(before.version))
    assert game(house, game_id).version == before.version + 1
    assert not verify_game(house, game_id).faults
    same = text("INSERT INTO ply SELECT * FROM ply WHERE game_id = :game AND ply = 2")
    with pytest.raises(DBAPIError, match="duplicate key"), house.write() as conn:
        conn.execute(same, {"game": game_id})
    with pytest.raises(DBAPIError, match="foreign key"), house.write() as conn:
        conn.execute(text("INSERT INTO sealed_part VALUES (:game, 9999, 1, 1, '')"), {"game": game_id})
    with pytest.raises(DBAPIError, match="foreign key"), house.write() as conn:
        conn.execute(text("INSERT INTO ply VALUES ('nobody', 1, '', '')"))


def bot_of(store: Store, game_id: str, seat: int) -> Any:
    now = game(store, game_id)
    return (now.title.rules.safe(now.state, seat),)


# ==== the log is never changed ====================================================================
def refused(store: Store) -> None:
    """Check that the log cannot be changed or emptied, as a whole, by partition, or detached."""
    for table in LOG:
        assert inspect(store.engine).has_table(names(table, COUNT)[-1])
        for name in (table, *names(table, COUNT)):
            with store.read() as conn:
                some = conn.scalar(text(f"SELECT count(*) FROM {name}"))
            changes = [f"TRUNCATE {name} CASCADE"]
            if some:
                changes += [f"UPDATE {name} SET body = ''", f"DELETE FROM {name}"]
            for change in changes:
                with pytest.raises(DBAPIError, match="the log is never changed"), store.write() as conn:
                    conn.execute(text(change))


def test_no_partition_is_changed_or_emptied(house: Store) -> None:
    start(house)
    house.close()
    divide(house, COUNT, lambda _: None)
    while not all(filled(house)):
        play_on(house, start(house), 2)
    refused(house)


def filled(store: Store) -> list[bool]:
    """Return, for each partition, whether it has a row."""
    with store.read() as conn:
        every = [name for table in LOG for name in names(table, COUNT)]
        return [bool(conn.scalar(text(f"SELECT EXISTS (SELECT 1 FROM {name})"))) for name in every]


class Roles:
    """An owner who makes the tables, and the service's role with the documented rights."""

    def __init__(self, address: str) -> None:
        url = make_url(address)
        self.owner, self.service = f"owner_{url.database}", f"service_{url.database}"
        with psycopg.connect(address, autocommit=True) as conn:
            for line in (
                f"CREATE ROLE {self.owner} LOGIN",
                f"CREATE ROLE {self.service} LOGIN",
                f"ALTER DATABASE {url.database} OWNER TO {self.owner}",
            ):
                conn.execute(line)

    def grant(self, owned: Store) -> None:
        """Execute the documented grants literally, as the owner."""
        (script,) = re.findall(r"```sql\n(.*?)```", (ROOT / "docs/host/growing.md").read_text(), re.DOTALL)
        with owned.write() as conn:
            conn.exec_driver_sql(
                script.replace("TO slowtrain;", f"TO {self.service};").replace(
                    "FROM slowtrain;", f"FROM {self.service};"
                )
            )

    @staticmethod
    def at(address: str, role: str) -> str:
        return address.replace("//postgres@", f"//{role}@")


def test_the_service_s_own_role_plays_and_drops_nothing(address: str, toy_title: Any, tmp_path: Path) -> None:
    """The owner makes the tables; the service's role may read and extend the log."""
    roles, settings = Roles(address), Settings(_env_file=None, data_dir=tmp_path)
    house = open_store(roles.at(address, roles.owner), settings=settings)
    house.migrate()
    roles.grant(house)
    house.close()
    served = open_store(roles.at(address, roles.service), settings=settings)
    game_id = start(served)
    served.close()
    with pytest.raises(DBAPIError, match="permission denied"):
        divide(served, COUNT, lambda _: None)
    served.close()
    divide(house, COUNT, lambda _: None)
    house.close()

    play_on(served, game_id, 3)
    assert not verify_game(served, game_id).faults
    for table in LOG:
        part = names(table, COUNT)[1]
        for attempt in (
            f"DROP TABLE {part}",
            f"ALTER TABLE {table} DETACH PARTITION {part}",
            f"DROP TABLE {table} CASCADE",
            f"ALTER TABLE {part} DISABLE TRIGGER ALL",
            f"DELETE FROM {table}",
            f"TRUNCATE {part}",
            f"SELECT 1 FROM {part}",
            f"UPDATE {part} SET body = ''",
        ):
            with pytest.raises(DBAPIError, match=r"must be owner|permission denied"), served.write() as conn:
                conn.execute(text(attempt))
    served.close()
    with house.read() as conn:
        found = conn.execute(text("SELECT DISTINCT tableowner FROM pg_tables WHERE tablename ~ '^(ply|sealed_part)'"))
        assert found.scalars().all() == [roles.owner]
    house.close()


# ==== refusing ====================================================================================
def test_partitioning_is_refused_while_others_are_connected(
    house: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(house)
    house.close()
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(address, autocommit=True) as one, monkeypatch.context() as patch:
        until(lambda: one.execute(others).fetchone() == (0,), what="the end of the store's connections")
        patch.setattr(partition, "MOMENT", 0.0)
        assert "1 others are connected" in slowtrain(1, "partition", "--yes")
    assert "Aborted" in slowtrain(1, "partition", answer="n\n")
    assert "Divided into 16 partitions" in slowtrain(0, "partition", answer="y\n")
    assert "already partitioned" in slowtrain(1, "partition", "--yes")


def test_if_rows_are_missing_partitioning_changes_nothing(house: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = start(house)
    before = log(house, game_id)
    house.close()
    monkeypatch.setattr(partition, "_copy", lambda conn, copied: None)
    with pytest.raises(CannotPartition, match="Not all of ply"):
        divide(house, COUNT, lambda _: None)
    assert log(house, game_id) == before
    with house.read() as conn:
        assert not conn.scalar(text("SELECT count(*) FROM pg_class WHERE relname ~ '_before|_00'"))


def test_sqlite_has_no_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWTRAIN_DATABASE_URL", url := f"sqlite:///{tmp_path / 'slowtrain.db'}")
    monkeypatch.setenv("SLOWTRAIN_DATA_DIR", str(tmp_path))
    store = open_store(url, settings=Settings(_env_file=None, data_dir=tmp_path))
    store.migrate()
    store.close()
    assert "SQLite has no partitions" in slowtrain(1, "partition", "--yes")
