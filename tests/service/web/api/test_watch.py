"""Monitoring: metrics, overdue work, and logs without secrets."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import insert, literal, select, true, update

from config import logging as ours
from config.celery import READ_MAIL, SWEEP_CLOCKS
from config.settings import Settings
from service.base.clock import DAY, HOUR, MINUTE, SECOND, now
from service.database.store import GAMES, PERSONS
from service.games.kept import KEPT
from service.notices import failing, watch, webhooks
from service.notices.kinds import SWITCHED
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS
from service.people import recipients
from service.post.inbox import INCOMING
from service.proof.checks import RUNS
from service.web.api import health
from tests.answers import came
from tests.service.web.api.world import Asker, World, make_world
from tests.workers.processes import ROOT
from workers import outbox
from workers import webhooks as calls
from workers.smtp import ServerAway

TOKEN = {"Authorization": "Bearer of figures"}


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[World]:
    settings = Settings(_env_file=None, data_dir=tmp_path, metrics_token="of figures", webhook_guard=False)
    made = make_world(settings.database, settings)
    yield made
    made.store.close()


def figures(world: World) -> dict[tuple[str, ...], float]:
    answer = world.anonymous().get("./metrics", headers=TOKEN)
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=")
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# ==== metrics =====================================================================================
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "of figures"}])
def test_figures_need_the_token(watched: World, headers: dict[str, str]) -> None:
    assert watched.anonymous().get("./metrics", headers=headers).status_code == 404


def test_without_a_token_in_the_settings_figures_are_off(world: World) -> None:
    assert world.anonymous().get("./metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_figures_match_the_rows(watched: World) -> None:
    host, alice, bob = watched.person("Harriet"), watched.person("Alice"), watched.person("Bob")
    game_id = watched.game(host, alice, bob)
    read = figures(watched)
    assert read["slowtrain_games", "running"] == 1
    assert read["slowtrain_plies_total",] == len(watched.log_of(game_id))
    assert read["slowtrain_due", "mail"] == 3, "two are asked, and the host hears that the table was full"
    assert read["slowtrain_mails_of_a_day", "pending"] == 3
    outbox.send_due(watched.store, send=lambda *_: "250 OK", now=lambda: now() + HOUR)
    read = figures(watched)
    assert (read["slowtrain_due", "mail"], read["slowtrain_due_oldest_seconds", "mail"]) == (0, 0)
    assert read["slowtrain_mails_of_a_day", "sent"] == 2
    with watched.store.write() as conn:
        conn.execute(update(GAMES).values(due_at=now() - 2 * HOUR))
    read = figures(watched)
    assert read["slowtrain_due", "clocks"] == 1
    assert 7190 <= read["slowtrain_due_oldest_seconds", "clocks"] <= 7300
    assert read["slowtrain_overdue", "clocks"] == 1
    assert read["slowtrain_overdue", "mail"] == 0


def test_figures_count_the_results_of_incoming_email(watched: World) -> None:
    read = figures(watched)
    assert (read["slowtrain_due", "incoming"], read["slowtrain_incoming_of_a_day", "failed"]) == (0, 0)
    with watched.store.write() as conn:
        came(conn, now() - HOUR)
        came(conn, now() - HOUR, state="leased", lease_until=now() + HOUR, attempts=1)
        came(conn, now() - HOUR, state="done", what="failed", attempts=5)
        came(conn, now() - 2 * DAY, state="done", what="failed", attempts=5)
    read = figures(watched)
    assert (read["slowtrain_due", "incoming"], read["slowtrain_overdue", "incoming"]) == (1, 1)
    assert 3590 <= read["slowtrain_due_oldest_seconds", "incoming"] <= 3700
    of_a_day = {key[1]: number for key, number in read.items() if key[0] == "slowtrain_incoming_of_a_day"}
    assert of_a_day == {"waiting": 2, "failed": 1, "unreadable": 0, "unknown": 0, "unproved": 0}


def test_figures_show_the_last_finished_check(watched: World) -> None:
    assert ("slowtrain_games_wrong",) not in figures(watched), "before the first there is nothing to say"
    run = {"program": "", "games": 9, "plies": 90, "spent": 5, "titles": {}, "done_created_at": -1, "done_id": ""}
    with watched.store.write() as conn:
        conn.execute(insert(RUNS).values(night=1, started_at=1, ended_at=7 * SECOND, wrong=2, lease_until=0, **run))
        conn.execute(insert(RUNS).values(night=2, started_at=2, ended_at=None, wrong=1, lease_until=0, **run))
    read = figures(watched)
    assert read["slowtrain_games_wrong",] == 2
    assert read["slowtrain_check_timestamp_seconds",] == 7


def test_requests_are_timed_by_rule_and_not_by_address(watched: World) -> None:
    host, alice, bob = watched.person("Harriet"), watched.person("Alice"), watched.person("Bob")
    game_id = watched.game(host, alice, bob)
    alice.get(f"/games/{game_id}")
    answer = watched.anonymous().get("./metrics", headers=TOKEN)
    read = figures(watched)
    assert read["slowtrain_request_seconds_count", "GET", "/api/v1/games/<game:game_id>", "2xx"] >= 1
    assert game_id not in answer.text


THREE = """
import os

from config.settings import Settings
from tests.service.web.api.world import make_world

for _ in range(3):
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == 0
        continue
    settings = Settings()
    asker = make_world(settings.database, settings).anonymous()
    asker.get("./healthz")
    figures = asker.get("./metrics", headers={"Authorization": "Bearer of figures"}).text
    os.write(1, f"A process\\n{figures}".encode())
    os._exit(0)
"""
"""Forks three processes, one after the other, and each prints its figures."""


@pytest.mark.long
def test_several_processes_add_up_their_requests(tmp_path: Path) -> None:
    """Each runs in a process of its own, as in production; the third shows the counts of the first two."""
    environment = os.environ | {
        "SLOWTRAIN_DATA_DIR": str(tmp_path),
        "SLOWTRAIN_METRICS_TOKEN": "of figures",
        "SLOWTRAIN_LOG_LEVEL": "ERROR",
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "figures"),
    }
    said = subprocess.run([sys.executable, "-c", THREE], cwd=ROOT, env=environment, capture_output=True, check=True)
    last = said.stdout.decode().split("A process\n")[3]
    assert 'slowtrain_request_seconds_count{method="GET",rule="/healthz",status="2xx"} 3.0' in last
    assert 'slowtrain_due{work="mail"} 0.0' in last


def test_production_shows_no_figures_of_a_single_web_process(watched: World) -> None:
    watched.anonymous().get("./healthz")
    assert ("slowtrain_request_seconds_count", "GET", "/healthz", "2xx") in figures(watched)
    production = watched.settings.model_copy(update={"profile": "production"})
    watched.settings = production
    watched.use(watched.store)
    assert ("slowtrain_request_seconds_count", "GET", "/healthz", "2xx") not in figures(watched)


# ==== overdue work ================================================================================
OVERDUE = {
    "mail": insert(OUTBOX).values(
        address="a@example.org", kind="sign_in", payload={}, message_id="<x@y>", state="pending", created_at=0, due_at=0
    ),
    "mail of a dead worker": insert(OUTBOX).values(
        address="a@example.org", kind="sign_in", payload={}, message_id="<x@y>", state="leased", created_at=0, due_at=0,
        lease_until=0,
    ),
    "clocks": update(GAMES).values(due_at=0),
    "bots": update(GAMES).values(bot_at=0, moved_at=0),
    "incoming": insert(INCOMING).values(
        token_hash="x", content="x", raw=b"", state="pending", received_at=0, due_at=0, attempts=0
    ),
    "incoming of a dead worker": insert(INCOMING).values(
        token_hash="x", content="x", raw=b"", state="leased", received_at=0, due_at=0, attempts=1, lease_until=0
    ),
    "wishes": insert(KEPT).from_select(
        ["game_id", "person_id", "seat", "state", "offered_at", "kept_until"],
        select(GAMES.c.id, PERSONS.c.id, literal(1), literal("kept"), literal(0), literal(0))
        .join(PERSONS, true())
        .limit(1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", OVERDUE)
def test_figures_show_overdue_work(world: World, game_id: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox.send_due(world.store, send=lambda *_: "250 OK", now=lambda: now() + HOUR)
    assert world.anonymous().get("./healthz/work").json == {"status": "ok"}
    with world.store.write() as conn:
        conn.execute(OVERDUE[what])
    recipients.mend(world.store, 0)
    monkeypatch.setattr(health, "_warned_at", -health.WARN_EVERY)
    with structlog.testing.capture_logs() as lines:
        answers = [world.anonymous().get("./healthz/work") for _ in range(3)]
    assert {it.status_code for it in answers} == {503}
    assert list(answers[0].json["seconds"]) == [what.split()[0]]  # type: ignore[index]
    assert [it["log_level"] for it in lines if it["event"] == "work is overdue"] == ["warning"]


def test_unsent_email_is_overdue_after_a_while_and_no_longer_once_sent(world: World, game_id: str) -> None:
    """Unsent mail of a turn is tolerated for a while, then overdue; once it is sent, all is well."""
    store, due = world.store, now()
    limit = watch.patience(store.settings)
    assert watch.overdue(store, due + limit - MINUTE // 2) == {}
    assert set(watch.overdue(store, due + limit + MINUTE)) == {"mail"}
    outbox.send_due(store, send=lambda *_: "250 OK", now=lambda: now() + HOUR)
    assert watch.overdue(store, due + DAY) == {}


def test_a_mailbox_that_cannot_be_read_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_warned_at", -health.WARN_EVERY)
    box = {"imap_host": "imap.example.org", "imap_user": "club", "imap_password": "secret"}
    fetching = make_world(world.settings.database, world.settings.with_(**box, reply_addresses="club+{}@example.org"))
    row = {"mailbox": "club imap.example.org", "due_at": 0, "fails": 9, "trouble": "login", "left": 0}
    with fetching.store.write() as conn:
        conn.execute(insert(failing.FETCHING).values(**row, failing_since=now() - HOUR))
    answer = fetching.anonymous().get("./healthz/work")
    assert answer.status_code == 503
    assert answer.json == {
        "status": "no answers can be fetched",
        "mailbox": {"seconds": 3600, "trouble": "the mailbox does not accept the user name and password"},
    }
    fetching.store.close()
    assert world.anonymous().get("./healthz/work").status_code == 200, "without a mailbox in the settings"


def test_work_that_waits_for_its_time_is_not_overdue(world: World, alice: Asker) -> None:
    with world.store.write() as conn:
        number, _ = webhooks.make(conn, world.settings, alice.number or 0, "https://hooks.example/", SWITCHED, now())
        webhooks.ping(conn, alice.number or 0, number, now())
        at = now()
        conn.execute(update(CALLS).values(due_at=at + HOUR))
    assert watch.overdue(world.store, at) == {}
    assert watch.overdue(world.store, at + 2 * HOUR) == {"webhooks": 3600}


def test_an_answer_behind_one_that_is_tried_again_later_is_not_overdue(world: World) -> None:
    at = now()
    with world.store.write() as conn:
        came(conn, at - DAY, token_hash="letter", attempts=2, due_at=at + HOUR)
        came(conn, at - DAY, token_hash="letter")
    assert watch.overdue(world.store, at) == {}
    assert watch.overdue(world.store, at + 2 * HOUR) == {"incoming": 3600}


def test_without_the_database_there_are_no_figures_about_work(world: World) -> None:
    from service.database.store import Store

    world.use(Store("postgresql://nobody@127.0.0.1:1/nothing", {}, world.settings))
    assert world.anonymous().get("./healthz/work").status_code == 503


def test_a_sweep_notes_its_end_but_not_all_the_time(world: World) -> None:
    watch.note(world.store, "mail.send_due", 1000)
    watch.note(world.store, "mail.send_due", 2000)
    watch.note(world.store, "bots.sweep", 3000)
    with world.store.read() as conn:
        assert watch.heartbeats(conn, world.settings) == {"mail.send_due": 1000, "bots.sweep": 3000}


def test_reading_mail_that_was_switched_off_raises_no_alarm(watched: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old heartbeat and an unread mail do not matter until reading is switched on again."""
    monkeypatch.setattr(health, "_warned_at", -health.WARN_EVERY)
    at, store = now(), watched.store
    watch.note(store, READ_MAIL, at - DAY)
    watch.note(store, SWEEP_CLOCKS, at)
    with store.write() as conn:
        came(conn, at - DAY, token_hash="letter")
    assert figures(watched)["slowtrain_sweep_timestamp_seconds", READ_MAIL] == (at - DAY) / SECOND
    assert watched.anonymous().get("./healthz/work").status_code == 503
    silent = make_world(watched.settings.database, watched.settings.with_(replies=False))
    read = figures(silent)
    assert ("slowtrain_sweep_timestamp_seconds", READ_MAIL) not in read
    assert ("slowtrain_sweep_timestamp_seconds", SWEEP_CLOCKS) in read
    assert (read["slowtrain_due", "incoming"], read["slowtrain_overdue", "incoming"]) == (0, 0)
    assert silent.anonymous().get("./healthz/work").status_code == 200
    silent.store.close()


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        (-HOUR, "the clock was found set back by 3600 seconds"),
        (HOUR, "nobody looked at the clocks for 3600 seconds, or the clock jumped"),
    ],
)
def test_a_jump_of_the_clock_is_reported_for_a_day_without_an_alarm(world: World, lost: int, says: str) -> None:
    at = now()
    with world.store.write() as conn:
        conn.execute(insert(watch.OUTAGES).values(since=at - lost, until=at, settled_at=at))
        conn.execute(insert(watch.OUTAGES).values(since=at - 3 * DAY, until=at - 2 * DAY, settled_at=at))
    answer = world.anonymous().get("./healthz/work")
    assert answer.status_code == 200
    (line,) = answer.json["time"]  # type: ignore[index]
    assert says in line


def refused(*_: Any) -> str:
    raise ServerAway("421 go away")


def test_figures_show_a_dead_mail_server(watched: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails refused for nine minutes are never overdue, since each failure delays them."""
    monkeypatch.setattr(outbox, "REST", 0.0)
    monkeypatch.setattr(outbox, "_rest_until", 0.0)
    monkeypatch.setattr(health, "_warned_at", -health.WARN_EVERY)
    watched.game(watched.person("Harriet"), *(watched.person(name) for name in ("Alice", "Bob")))
    began = now() - 9 * MINUTE
    with watched.store.write() as conn:
        conn.execute(update(OUTBOX).values(due_at=began))
    recipients.mend(watched.store, began)
    quiet = figures(watched)
    assert (quiet["slowtrain_mail_failing", "away"], quiet["slowtrain_mail_server_fails",]) == (0, 0)
    for at in range(began, began + 9 * MINUTE, 20 * SECOND):
        outbox.send_due(watched.store, send=refused, now=lambda at=at: at)  # type: ignore[misc]
    answer = watched.anonymous().get("./healthz/work")
    assert answer.status_code == 503
    told = answer.json["mail_server"]  # type: ignore[index]
    assert answer.json["status"] == "the mail server takes no mail"  # type: ignore[index]
    assert 530 <= told["seconds"] <= 600
    assert told["failed"] == told["of"] > 0
    read = figures(watched)
    assert (read["slowtrain_due", "mail"], read["slowtrain_overdue", "mail"]) == (0, 0)
    assert (read["slowtrain_mail_failing", "away"], read["slowtrain_mail_failing", "ours"]) == (2, 0)
    assert 530 <= read["slowtrain_mail_failing_seconds", "away"] <= 600
    assert read["slowtrain_mail_conversations", "away"] > read["slowtrain_mail_conversations", "taken"] == 0
    assert read["slowtrain_mail_server_fails",] == 1


# ==== logs ========================================================================================
@pytest.fixture
def in_production(watched: World) -> Iterator[Any]:
    """Write logs as in production; ``in_production()`` returns the lines so far."""
    root, written = logging.getLogger(), StringIO()
    kept, level = root.handlers[:], root.level
    ours.configure(watched.settings.model_copy(update={"profile": "production"}))
    structlog.configure(cache_logger_on_first_use=False)  # other tests use the same loggers
    (handler,) = root.handlers
    handler.setStream(written)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.handlers[:] = kept
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.configure([structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()])


def test_the_log_names_game_and_ply_and_holds_no_secrets(watched: World, in_production: Any) -> None:
    host, alice, bob = watched.person("Harriet"), watched.person("Alice"), watched.token("Bob")
    made = alice.post("/me/webhooks", {"url": "https://hooks.example/secret-path"}).json
    alice.post(f"/me/webhooks/{made['id']}/test")  # type: ignore[index]
    feed = str(alice.ask("PUT", "/me/feeds/story").json["url"])  # type: ignore[index]
    watched.anonymous().get("." + feed.removeprefix("http://127.0.0.1:8000"))
    watched.anonymous().get("./metrics", headers=TOKEN)
    game_id = watched.game(host, alice, bob)
    bob.move(game_id, {"command": "Whisper", "number": 87})
    alice.choose(game_id)
    outbox.send_due(watched.store, send=lambda *_: "250 OK", now=lambda: now() + HOUR)
    calls.send_due(watched.store, post=lambda *_: 1 // 0)
    lines = in_production()
    played = [it for it in lines if it["event"] == "played" and it["game"] == game_id]
    assert [it["ply"] for it in played] == list(range(2, len(watched.log_of(game_id)) + 1))
    moves = [it for it in lines if it.get("rule") == "/api/v1/games/<game:game_id>/moves"]
    assert moves[-1]["request"] == played[-1]["request"], "the lines of a request can be told from others"
    assert len({it["request"] for it in lines if it["event"] == "request"}) == len(
        [it for it in lines if it["event"] == "request"]
    )
    assert any("ZeroDivisionError" in it.get("exception", "") for it in lines), "a failed call is told of"
    text = json.dumps(lines)
    token, session = bob.headers["Authorization"].split()[1], alice.client.get_cookie("session")
    assert session
    for secret in (
        token,
        session.value,
        made["secret"],
        "secret-path",
        feed.split("/")[6],
        "of figures",  # type: ignore[index]
        "@example.org",
        "hisper",
        '"number"',
    ):
        assert secret not in text, secret


def test_the_id_of_a_request_comes_only_from_a_trusted_proxy(world: World, tmp_path: Path) -> None:
    behind = make_world(
        f"sqlite:///{tmp_path / 'x.db'}", Settings(_env_file=None, data_dir=tmp_path, trusted_proxies=1)
    )
    for made, given, kept in ((world, "abc-1", False), (behind, "abc-1", True), (behind, "a b\n", False)):
        with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
            made.anonymous().get("./healthz", headers={"X-Request-Id": given.replace("\n", "")})
        assert (lines[-1]["request"] == given) is kept
    behind.store.close()
