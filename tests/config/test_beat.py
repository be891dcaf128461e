"""The beat follows the monotonic clock, gives workers work whatever their clocks say, and overfills no queue."""

import logging
import time
from pathlib import Path

import pytest

from config import beat as ours
from config.beat import FIRST_TICK, FULL, Ticks
from config.celery import QUEUES, SEND_DUE_MAIL, TIDY, make_celery
from domain.title import Title
from service.database.store import open_store
from tests.servers import Redis, free_port
from tests.workers.post import Sink, person, smtp_server, table, until
from tests.workers.processes import beat, embedded, in_profile, production, worker

AHEAD = "tests.workers.ahead_app"


class Passing:
    """Replaces the module `time`: the test sets the monotonic time, and no code may ask for the wall clock."""

    def __init__(self) -> None:
        self.passed = 1000.0

    def monotonic(self) -> float:
        return self.passed


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Passing:
    stands_in = Passing()
    monkeypatch.setattr(ours, "time", stands_in)
    return stands_in


@pytest.fixture
def ticks(tmp_path: Path) -> Ticks:
    return Ticks(make_celery(embedded(tmp_path)))


def given(folder: Path) -> dict[str, int]:
    """Return the number of waiting messages in each queue."""
    return {queue: len(list((folder / "broker/messages").glob(f"*.{queue}.msg"))) for queue in QUEUES}


def test_ticks_follow_the_monotonic_clock(ticks: Ticks, passing: Passing, tmp_path: Path) -> None:
    assert ticks.tick() == pytest.approx(0.5)
    assert sum(given(tmp_path).values()) == 0
    passing.passed += 0.5
    ticks.tick()
    assert given(tmp_path) == {"mail": 1, "bots": 1, "clock": 3, "webhooks": 1, "checks": 2}
    for _ in range(3):
        ticks.tick()
    assert given(tmp_path)["mail"] == 1, "no time has passed"
    passing.passed += 3600
    ticks.tick()
    assert given(tmp_path)["mail"] == 2, "a machine that slept for an hour owes one tick, not thousands"


def test_a_rare_tick_comes_soon_after_the_start(
    ticks: Ticks, passing: Passing, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(ticks, "apply_entry", lambda entry: sent.append(entry.task))
    ticks.tick()
    passing.passed += FIRST_TICK
    ticks.tick()
    assert sent.count(TIDY) == 1
    passing.passed += FIRST_TICK
    ticks.tick()
    assert sent.count(TIDY) == 1, "and then once an hour"


def test_a_queue_without_a_worker_gets_no_more_ticks_and_one_log_line(
    ticks: Ticks, passing: Passing, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3 * FULL):
        passing.passed += 0.5
        ticks.tick()
    assert given(tmp_path)["mail"] == FULL
    assert max(given(tmp_path).values()) <= FULL
    lines = [it.message for it in caplog.records if "wait in the queue mail" in it.message]
    assert 1 <= len(lines) <= 3 * FULL * 0.5 / ours.WARN_EVERY


def test_an_absent_broker_is_logged_once_a_minute(
    tmp_path: Path, passing: Passing, caplog: pytest.LogCaptureFixture
) -> None:
    ticks = Ticks(make_celery(production(tmp_path, "sqlite://", f"redis://127.0.0.1:{free_port()}/0")))
    caplog.set_level(logging.DEBUG)
    for _ in range(3):
        passing.passed += 2
        ticks.apply_entry(ticks.schedule[SEND_DUE_MAIL])
    (line,) = [it.getMessage() for it in caplog.records if it.levelno >= logging.WARNING]
    assert line.startswith("the broker takes no ticks")
    assert len(line) <= 300


def test_a_broker_that_comes_back_gets_ticks_again(tmp_path: Path, passing: Passing, redis_server: Redis) -> None:
    app = make_celery(production(tmp_path, "sqlite://", redis_server.url))
    ticks = Ticks(app)
    redis_server.kill()
    ticks.apply_entry(ticks.schedule[SEND_DUE_MAIL])
    redis_server.start()

    def arrived() -> bool:
        ticks.apply_entry(ticks.schedule[SEND_DUE_MAIL])
        with app.connection_for_read() as line:
            return bool(line.default_channel.client.llen("mail"))

    assert until(arrived, what="a tick on the broker that came back")


@pytest.mark.long("15")
@pytest.mark.parametrize(("profile", "seconds"), [("embedded", 15), ("production", 15), ("production", -3600)])
def test_a_worker_whose_clock_differs_works(
    profile: str,
    seconds: int,
    tmp_path: Path,
    toy_title: Title,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fifteen seconds ahead, it used to throw every tick away silently."""
    monkeypatch.setenv("CLOCK_AHEAD", str(seconds))
    settings = in_profile(profile, request, tmp_path)
    store = open_store(settings.database, settings=settings)
    store.migrate()
    sink = Sink()
    early = int(time.time() * 1000) - 2 * 3_600_000
    with smtp_server(sink, settings.smtp[1]), worker(settings, app=AHEAD, anew=True), beat(settings):
        table(store, person(store, "Ann"), "random", at=early)
        until(lambda: sink.of("ann@example.org"), what="the mail")
    store.close()
