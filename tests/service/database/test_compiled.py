"""Statements on the driver's own cursor return and raise the same as Core."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from config.settings import Settings
from domain.title import Title
from service.database import postgresql
from service.database.compiled import Among, Compiled, together
from service.database.store import GAMES, PLIES, SUBMISSIONS, Store, open_store
from service.notices.owing import OUTBOX
from tests.servers import PostgreSQL
from tests.service.lanterns import NOON, give, lead, start, stored
from tests.toy import Stop

GAME = select(GAMES).where(GAMES.c.id == bindparam("game"))
FIND = Compiled(select(GAMES.c.id).where(GAMES.c.id == bindparam("game")))
SUBMITTED = select(SUBMISSIONS).where(SUBMISSIONS.c.game_id == bindparam("game"))


def test_compiled_reads_return_the_same_as_core(store: Store) -> None:
    """Numbers, texts, bytes, JSON, true, false and NULL."""
    game_id = start(store)
    give(store, game_id, lead(store, game_id), Stop(), submission_id="one")
    for statement in (GAME, SUBMITTED, select(PLIES).where(PLIES.c.game_id == bindparam("game"))):
        with store.read() as conn:
            known = conn.execute(statement, {"game": game_id}).all()
            assert known
            assert Compiled(statement).rows(conn, game=game_id) == known
        with store.read_autocommit() as look:
            assert Compiled(statement).rows(look, game=game_id) == known
            assert Compiled(statement).row(look, game="") is None


def test_a_list_of_numbers_is_one_value_and_uses_the_index(store: Store) -> None:
    found = Compiled(
        select(OUTBOX.c.id).where(Among(OUTBOX.c.id, "these"), OUTBOX.c.kind == "turn").order_by(OUTBOX.c.id)
    )
    at = {"kind": "turn", "payload": {}, "created_at": NOON, "due_at": NOON}
    with store.write() as conn:
        conn.execute(insert(OUTBOX), [at | {"ply": ply, "message_id": str(ply)} for ply in range(1200)])
        ids = list(conn.scalars(select(OUTBOX.c.id).order_by(OUTBOX.c.id)))
        for some in ([], ids[:1], ids[100:1200]):
            assert found.tuples(conn, these=some) == [(each,) for each in some]
        if store.on_sqlite:
            text = f"EXPLAIN QUERY PLAN {found._for(conn.dialect).text}"
            plan = conn.connection.cursor().execute(text, {"these": "[1]", "kind_1": "turn"}).fetchall()
            assert "SEARCH outbox USING INTEGER PRIMARY KEY" in plan[0][-1]


def test_quick_writes_store_the_same_as_core(store: Store) -> None:
    game_id = start(store)
    row = {"game_id": game_id, "submission_id": "x", "content_hash": "y", "answer": {"a": [1]}, "created_at": NOON}
    with store.write() as conn:
        Compiled(insert(SUBMISSIONS)).run(conn, **row)
    with store.read() as conn:
        assert conn.execute(SUBMITTED, {"game": game_id}).mappings().all() == [row]


@pytest.mark.parametrize("at_once", [False, True])
def test_quick_errors_equal_those_of_core_and_leave_nothing(store: Store, at_once: bool) -> None:
    game_id = start(store)
    row = {"game_id": game_id, "submission_id": "x", "content_hash": "y", "answer": {}, "created_at": NOON}
    put = Compiled(insert(SUBMISSIONS))

    def twice() -> None:
        with store.write() as conn:
            if at_once:
                with together(conn):
                    put.run(conn, **row)
                    put.run(conn, **row)
                    put.run(conn, **row | {"submission_id": "z"})
            else:
                put.run(conn, **row)
                put.run(conn, **row)

    with pytest.raises(IntegrityError):
        twice()
    with store.read() as conn:
        assert conn.execute(SUBMITTED, {"game": game_id}).all() == []
    assert stored(store, game_id).row.status == "running"  # the connection is still usable


@pytest.fixture
def on_postgresql(postgresql: PostgreSQL, toy_title: Title, tmp_path: Path) -> Iterator[Store]:
    """An empty store, only on PostgreSQL."""
    with closing(open_store(postgresql.new_database(), settings=Settings(_env_file=None, data_dir=tmp_path))) as store:
        store.migrate()
        yield store


def test_a_lost_connection_is_not_used_again(on_postgresql: Store) -> None:
    store = on_postgresql
    game_id = start(store)
    with store.read_autocommit() as look:
        number = look.connection.dbapi_connection.info.backend_pid
        with store.write() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({number}, 60000)")
        with pytest.raises(DBAPIError):
            FIND.rows(look, game=game_id)
    with store.read_autocommit() as look:
        assert look.connection.dbapi_connection.info.backend_pid != number
        assert FIND.row(look, game=game_id).id == game_id


def test_joined_statements_are_all_written_whatever_their_number(store: Store) -> None:
    game_id = start(store)
    put = Compiled(insert(SUBMISSIONS))
    rows = [
        {"game_id": game_id, "submission_id": f"{n:02}", "content_hash": "y", "answer": {"n": n}, "created_at": n}
        for n in range(30)
    ]
    with store.write() as conn:
        with together(conn):
            for row in rows:
                put.run(conn, **row)
            put.run(conn, **rows[0] | {"submission_id": "more"})
        put.run(conn, **rows[0] | {"submission_id": "later"})
    with store.read() as conn:
        known = conn.execute(SUBMITTED.order_by(SUBMISSIONS.c.submission_id), {"game": game_id}).mappings().all()
    assert known[:30] == rows
    assert [row["submission_id"] for row in known[30:]] == ["later", "more"]


@pytest.mark.parametrize("many", [1, 30])
def test_an_append_is_written_whole_or_not_at_all(store: Store, many: int) -> None:
    """This includes writes that do not fit into one statement."""
    game_id = start(store)
    put = Compiled(insert(SUBMISSIONS))
    rows = [
        {"game_id": game_id, "submission_id": f"{n:02}", "content_hash": "y", "answer": {"n": n}, "created_at": n}
        for n in range(many)
    ]

    def append(*more: dict[str, Any], divisor: int = 1) -> None:
        with store.append_only() as conn:
            for row in (*rows, *more):
                put.run(conn, **row)
            1 / divisor

    def known() -> Any:
        with store.read() as conn:
            return conn.execute(SUBMITTED.order_by(SUBMISSIONS.c.submission_id), {"game": game_id}).mappings().all()

    with pytest.raises(IntegrityError):
        append(rows[0])
    assert known() == []
    with pytest.raises(ZeroDivisionError):
        append(divisor=0)
    assert known() == []
    append()
    assert known() == rows


def test_appends_take_turns_with_other_writers(store: Store) -> None:
    game_id = start(store)
    put = Compiled(insert(SUBMISSIONS))

    def append(number: int) -> None:
        for n in range(20):
            row = {"game_id": game_id, "submission_id": f"{number}.{n}", "content_hash": "y", "answer": {}}
            with store.append_only() if n % 2 else store.write() as conn:
                put.run(conn, **row, created_at=NOON)

    threads = [threading.Thread(target=append, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as conn:
        assert len(conn.execute(SUBMITTED, {"game": game_id}).all()) == 80


def test_an_idle_connection_at_hand_is_tested_before_use(on_postgresql: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store = on_postgresql
    game_id = start(store)
    with store.read_autocommit() as look:
        number = look.connection.dbapi_connection.info.backend_pid
    with store.read_autocommit() as look:
        assert look.connection.dbapi_connection.info.backend_pid == number
    with store.write() as other:
        other.exec_driver_sql(f"SELECT pg_terminate_backend({number}, 60000)")
    monkeypatch.setattr(postgresql, "IDLE_SECONDS", 0.05)
    time.sleep(0.1)
    with store.read_autocommit() as look:
        assert FIND.row(look, game=game_id).id == game_id
