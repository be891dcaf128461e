"""Redis or a receiver of webhooks hangs silently: moves are accepted, other work continues, and all recovers.

PostgreSQL hangs: all waiting callers get an error, and all recovers.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.base import hints
from service.base.clock import HOUR, now
from service.database.store import Store, open_store
from service.notices.webhooks import CALLS
from tests.servers import PostgreSQL, Redis, free_port
from tests.service.web.api.world import make_world
from tests.workers.post import Sink, person, smtp_server, table, until
from tests.workers.processes import HASTY, beat, embedded, production, said, worker
from tests.workers.receiver import Receiver
from tests.workers.test_webhooks import hook, taken

__all__ = ["taken"]


@pytest.fixture
def hanging(redis_server: Redis) -> Iterator[Redis]:
    yield redis_server
    redis_server.go_on()


def test_moves_are_taken_while_redis_hangs(tmp_path: Path, hanging: Redis) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, rate_limit_url=hanging.url, trusted_proxies=1)
    world = make_world(settings.database, settings)
    hints.configure(production(tmp_path, "sqlite://", hanging.url))
    try:
        host, alice, bob = world.person("Harriet"), world.person("Alice"), world.person("Bob")
        game_id = world.game(host, alice, bob)
        hanging.hang()
        assert alice.choose(game_id).status_code == 201
        assert alice.get(f"/games/{game_id}").status_code == 200
    finally:
        hints.configure(None)
        world.store.close()


@pytest.mark.long
def test_workers_recover_when_redis_has_hung(
    tmp_path: Path, hanging: Redis, postgresql: PostgreSQL, toy_title: Title
) -> None:
    settings = production(tmp_path, postgresql.new_database(), hanging.url, smtp_port=free_port())
    sink = Sink()
    with closing(open_store(settings.database, settings=settings)) as store, smtp_server(sink, settings.smtp[1]):
        store.migrate()
        with worker(settings, HASTY), beat(settings, HASTY):
            table(store, person(store, "Ann"), "random", at=now() - HOUR)
            until(lambda: sink.of("ann@example.org"), what="the first mail")
            hanging.hang()
            time.sleep(3)  # longer than a socket's timeout
            hanging.go_on()
            table(store, person(store, "Bob"), "random", at=now() - HOUR)
            until(lambda: sink.of("bob@example.org"), what="the mail behind it")


def test_a_receiver_that_hangs_holds_up_no_mail(tmp_path: Path, toy_title: Title, taken: Receiver) -> None:
    settings = embedded(tmp_path, webhook_guard=False, mailbox_port=free_port())
    sink, over = Sink(), threading.Event()
    with closing(open_store(settings.database, settings=settings)) as store, smtp_server(sink, settings.smtp[1]):
        store.migrate()
        hook(store, person(store, "Ann"), taken, at=now())
        table(store, person(store, "Bob"), 1, at=now() - HOUR)
        taken.slow = lambda _: over.wait()
        try:
            with worker(settings, app="tests.workers.patient_app"), beat(settings):
                until(lambda: taken.calls, what="the call")
                table(store, person(store, "Cem"), "random", at=now() - HOUR)
                until(lambda: sink.of("cem@example.org"), what="the mail")
                assert states(store) == ["leased"]
        finally:
            over.set()


# ==== PostgreSQL ==================================================================================
@pytest.fixture
def standing(postgresql: PostgreSQL) -> Iterator[PostgreSQL]:
    yield postgresql
    postgresql.go_on()


@pytest.mark.long
def test_requests_while_postgresql_hangs_get_a_retry_answer(tmp_path: Path, standing: PostgreSQL) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path)
    address = f"{standing.new_database()}&connect_timeout=2"
    world = make_world(address, settings)
    host, alice, bob = world.person("Harriet"), world.person("Alice"), world.person("Bob")
    elsewhere = world.person("Harriet")  # a client serves one request at a time
    game_id = world.game(host, alice, bob)
    world.store.close()
    with closing(open_store(address, titles=world.store.titles, settings=settings, answer_within=1.0)) as store:
        world.use(store)
        card = alice.get(f"/games/{game_id}/actions").json["actions"][0]["command"]  # type: ignore[index]
        standing.hang()
        asked = (
            lambda: alice.move(game_id, card),
            lambda: bob.get(f"/games/{game_id}"),
            lambda: host.get("/games"),
            lambda: elsewhere.get("./"),
        )
        with ThreadPoolExecutor() as pool:
            for answer in pool.map(lambda ask: ask(), asked):
                assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), answer.text
        standing.go_on()
        until(lambda: bob.get(f"/games/{game_id}").status_code == 200, what="an answer")
        assert alice.move(game_id, card).status_code == 201


@pytest.mark.long
def test_workers_recover_when_postgresql_has_hung(
    tmp_path: Path, standing: PostgreSQL, redis_server: Redis, toy_title: Title
) -> None:
    settings = production(tmp_path, standing.new_database(), redis_server.url, smtp_port=free_port())
    sink = Sink()
    with closing(open_store(settings.database, settings=settings)) as store, smtp_server(sink, settings.smtp[1]):
        store.migrate()
        with worker(settings, HASTY), beat(settings, HASTY):
            table(store, person(store, "Ann"), "random", at=now() - HOUR)
            until(lambda: sink.of("ann@example.org"), what="the first mail")
            standing.hang()
            until(lambda: "the database is away" in said(settings), what="a word of it in the log")
            standing.go_on()
            table(store, person(store, "Bob"), "random", at=now() - HOUR)
            until(lambda: sink.of("bob@example.org"), what="the mail behind it")
    assert "Traceback" not in said(settings)


def states(store: Store) -> list[str]:
    with store.read() as conn:
        return [row.state for row in conn.execute(select(CALLS.c.state))]
