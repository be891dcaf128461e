"""The Celery application: every sweep has its task, every task its queue, and expired data is deleted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from config.celery import (
    CALL_WEBHOOKS,
    CHECK_GAMES,
    DRAW_PAGES,
    FETCH_MAIL,
    MATCH_WISHES,
    MEND_RECIPIENTS,
    PLAY_BOTS,
    QUEUES,
    READ_MAIL,
    RECORD_GAMES,
    SEND_DUE_MAIL,
    SWEEP_BOTS,
    SWEEP_CLOCKS,
    TELL_OPERATORS,
    TIDY,
    make_celery,
)
from service.base.clock import DAY, MINUTE
from service.database.store import Store
from service.people import accounts
from service.people.accounts import LINKS, SESSIONS
from tests.service.lanterns import NOON
from tests.workers.post import person
from tests.workers.processes import ROOT, embedded, environment, production
from workers.housekeeping import forget_expired


def test_every_task_has_a_queue_and_every_sweep_a_task(tmp_path: Path) -> None:
    """In its own process: the application reads the settings when it is imported, without heavy modules."""
    ask = (
        "import json, sys; from workers.app import app;"
        "ours = [name for name in app.tasks if not name.startswith('celery.')];"
        "queue = lambda name: app.amqp.router.route({}, name)['queue'].name;"
        "sweeps = [it['task'] for it in app.conf.beat_schedule.values()];"
        "heavy = [name for name in ('alembic', 'flask', 'babel') if name in sys.modules];"
        "print(json.dumps([{name: queue(name) for name in ours}, sweeps, heavy]))"
    )
    said = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=environment(embedded(tmp_path)), capture_output=True, check=True
    )
    tasks, sweeps, heavy = json.loads(said.stdout)
    assert not heavy
    assert tasks == {
        SEND_DUE_MAIL: "mail", PLAY_BOTS: "bots", SWEEP_BOTS: "bots", TIDY: "clock", CALL_WEBHOOKS: "webhooks",
        SWEEP_CLOCKS: "clock", CHECK_GAMES: "checks", MEND_RECIPIENTS: "clock", READ_MAIL: "clock",
        TELL_OPERATORS: "webhooks", DRAW_PAGES: "checks", RECORD_GAMES: "checks", FETCH_MAIL: "mail",
        MATCH_WISHES: "clock",
    }  # fmt: skip
    assert set(tasks.values()) == set(QUEUES)
    assert set(sweeps) == {
        SEND_DUE_MAIL, SWEEP_BOTS, SWEEP_CLOCKS, TIDY, CALL_WEBHOOKS, CHECK_GAMES, MEND_RECIPIENTS, READ_MAIL,
        DRAW_PAGES, RECORD_GAMES, MATCH_WISHES, TELL_OPERATORS,
    }  # fmt: skip


def test_no_work_depends_on_a_message_alone(tmp_path: Path) -> None:
    """Acknowledged when done, redelivered when lost, never expired by a clock, and never waited for."""
    for settings in (embedded(tmp_path), production(tmp_path, "sqlite://", "redis://localhost/0")):
        conf = make_celery(settings).conf
        assert conf.task_acks_late
        assert conf.task_reject_on_worker_lost
        assert conf.worker_prefetch_multiplier == 1
        assert not conf.task_always_eager
        assert conf.accept_content == ["json"]
        assert not any("expires" in entry.get("options", {}) for entry in conf.beat_schedule.values())
    redis = make_celery(production(tmp_path, "sqlite://", "redis://localhost/0")).conf.broker_transport_options
    assert redis["unacked_restore_interval"] * redis["unacked_restore_throttle"] <= 5
    assert {"socket_timeout", "socket_connect_timeout", "socket_keepalive"} <= set(redis)


@pytest.mark.long
def test_an_absent_database_is_one_line_in_the_log_of_workers(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    settings = embedded(tmp_path, database_url=f"sqlite:///{tmp_path / 'a folder'}")
    ask = "from workers import app; app._log_as_everywhere(20); app.app.tasks['mail.send_due'].apply()"
    said = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=environment(settings), capture_output=True, check=True
    )
    log = (said.stdout + said.stderr).decode()
    assert "Traceback" not in log
    assert len([line for line in log.splitlines() if "database is away" in line]) == 1, log


def test_expired_links_and_sessions_are_forgotten_and_no_others(store: Store) -> None:
    ann = person(store, "Ann")
    with store.write() as conn:
        for number, expires in enumerate((NOON - DAY - 1, NOON - 1, NOON + MINUTE)):
            conn.execute(
                insert(LINKS).values(
                    token_hash=f"l{number}",
                    email="a@example.org",
                    code_hash="",
                    browser_hash="",
                    next="/",
                    attempts=0,
                    created_at=NOON,
                    expires_at=expires,
                )
            )
            conn.execute(
                insert(SESSIONS).values(
                    token_hash=f"s{number}", person_id=ann, created_at=NOON, seen_at=NOON, expires_at=expires
                )
            )
    forget_expired(store, NOON)
    with store.read() as conn:
        assert set(conn.scalars(select(LINKS.c.token_hash))) == {"l1", "l2"}
        assert set(conn.scalars(select(SESSIONS.c.token_hash))) == {"s2"}


def test_an_idle_session_is_deleted_when_it_expires(store: Store) -> None:
    ann, idle = person(store, "Ann"), store.settings.session_idle_days * DAY
    with store.write() as conn:
        token = accounts.open_session(conn, ann, NOON, store.settings.session_days * DAY)
    for at, good in ((NOON + idle - 1, True), (NOON + idle, False)):
        forget_expired(store, at)
        with store.read() as conn:
            assert (accounts.by_session(conn, token, at, idle) is not None) == good
            assert len(conn.scalars(select(SESSIONS.c.token_hash)).all()) == good
