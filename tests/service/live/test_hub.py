"""The hub in a process of its own, with a real Redis: what its streams hear, and when they end."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select

import pytest
import redis
import requests

from config.settings import Settings
from service.base import links, ticks
from service.base.clock import now
from service.base.ticks import Tick
from service.live.streams import EACH_MOST, NoStream, ticket
from tests.children import Child
from tests.servers import Redis, free_port
from tests.streams import Stream, streaming, token
from tests.workers.post import until
from tests.workers.processes import forked, production, run_slowtrain

METRICS = "a token for the metrics"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, redis_server: Redis) -> Settings:
    given = {"live_port": free_port(), "metrics_token": METRICS}
    return production(tmp_path_factory.mktemp("hub"), "sqlite://", redis_server.url, **given)


@pytest.fixture(scope="module")
def running(settings: Settings) -> Iterator[Settings]:
    """The settings of a hub that runs for all tests."""
    with hub(settings):
        yield settings


@contextmanager
def hub(settings: Settings) -> Iterator[Child]:
    """Run a hub that hears Redis."""
    with forked(settings, run_slowtrain, "live") as child:
        until(lambda: is_well(settings), what="a hub that hears Redis")
        yield child


def is_well(settings: Settings) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{settings.live_port}/healthz", timeout=20).status_code == 200
    except requests.ConnectionError:
        return False


def figures(settings: Settings) -> dict[str, float]:
    answer = requests.get(
        f"http://127.0.0.1:{settings.live_port}/metrics", headers={"Authorization": f"Bearer {METRICS}"}, timeout=20
    )
    lines = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


@contextmanager
def begun(settings: Settings, *topics: str) -> Iterator[Stream]:
    """Open a stream, and read its first line."""
    with streaming(settings.live_port, *(token(settings, each) for each in topics)) as stream:
        assert stream.status == 200
        assert stream.event() == ("here", "")
        yield stream


def test_a_stream_hears_the_ticks_of_its_topics_and_no_others(running: Settings) -> None:
    before = figures(running)
    topics = links.topic_of_person(1), links.topic_of_game("watched")
    with begun(running, *topics) as ann, begun(running, links.topic_of_game("other")) as guest:
        for tick in (
            Tick("hidden", (2, 3)),
            Tick("hers", (1, 2)),
            Tick("watched", (4,)),
            Tick("watched", (4, 1), watchers=True),
            Tick("other", (4,), watchers=True),
            Tick("last", (1,)),
        ):
            ticks.send(running, tick)
        assert [ann.tick() for _ in range(3)] == ["hers", "watched", "last"]
        assert guest.tick() == "other"
        after = figures(running)
        assert after["slowtrain_live_ticks_total"] - before["slowtrain_live_ticks_total"] == 6
        assert after["slowtrain_live_told_total"] - before["slowtrain_live_told_total"] == 4
        assert after["slowtrain_live_streams"] == 2
    until(lambda: figures(running)["slowtrain_live_streams"] == 0, what="the end of closed streams")


def test_headers_keep_proxies_from_holding_a_stream_back(running: Settings) -> None:
    with begun(running, "p1") as stream:
        assert stream.head["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.head["x-accel-buffering"] == "no"
        assert stream.head["cache-control"] == "no-store"


def test_a_stream_needs_a_valid_token(running: Settings) -> None:
    other = running.with_(secret_keys=("another key that is long enough, for tests only",))
    good, expired = token(running, "p1"), token(running, "p1", now() - links.LIVE_LASTS)
    bad = {(): 400, ("nonsense",): 403, (token(other, "p1"),): 403, (expired,): 403, (good, expired): 403}
    for tokens, status in bad.items():
        with streaming(running.live_port, *tokens) as stream:
            assert stream.status == status
    site = f"http://127.0.0.1:{running.live_port}"
    assert requests.post(f"{site}/live", timeout=20).status_code == 405
    assert requests.get(f"{site}/", timeout=20).status_code == 404
    assert requests.get(f"{site}/metrics", timeout=20).status_code == 404
    assert figures(running)['slowtrain_live_refused_total{status="403"}'] == 4


def test_tokens_of_other_purposes_open_no_stream(settings: Settings) -> None:
    invitation = links.invitation(settings, "p1", 2_000_000_000_000_000)
    with pytest.raises(NoStream):
        ticket(settings, f"t={invitation}", now())


def test_a_stream_ends_with_the_first_of_its_tokens(running: Settings) -> None:
    short = token(running, "p1", now() - links.LIVE_LASTS + 3000)
    with streaming(running.live_port, short, token(running, "gx")) as stream:
        assert stream.event() == ("here", "")
        assert stream.event() is None


def test_a_person_has_a_limited_number_of_streams(running: Settings) -> None:
    with ExitStack() as stack:
        for _ in range(EACH_MOST):
            stack.enter_context(begun(running, "p1"))
        with streaming(running.live_port, token(running, "p1")) as stream:
            assert stream.status == 503
    until(lambda: _is_let_in(running), what="a stream instead of the closed ones")


def _is_let_in(settings: Settings) -> bool:
    with streaming(settings.live_port, token(settings, "p1")) as stream:
        return stream.status == 200


# ==== faults ======================================================================================
def test_a_hub_that_cannot_hear_redis_ends_its_streams_and_comes_back(running: Settings, redis_server: Redis) -> None:
    with begun(running, "p1") as stream:
        redis_server.kill()
        try:
            assert stream.event() is None
            assert not is_well(running)
            with streaming(running.live_port, token(running, "p1")) as refused:
                assert refused.status == 503
        finally:
            redis_server.start()
    until(lambda: is_well(running), what="a hub that hears Redis again")
    with begun(running, "p1") as again:
        until(lambda: _told(running, again), what="a tick after Redis came back")


def _told(settings: Settings, stream: Stream) -> bool:
    """Send a tick, and wait for one: the publisher rests after a failure."""
    ticks.send(settings, Tick("again", (1,)))
    readable, _, _ = select([stream], [], [], 1)
    return bool(readable) and stream.tick() == "again"


@pytest.mark.long
def test_a_silent_redis_ends_the_streams(running: Settings, redis_server: Redis) -> None:
    with begun(running, "p1") as stream:
        redis_server.hang()
        try:
            assert stream.event() is None
        finally:
            redis_server.go_on()
    until(lambda: is_well(running), what="a hub that hears Redis again")


def test_a_flushed_redis_changes_nothing(running: Settings, redis_server: Redis) -> None:
    with begun(running, "p1") as stream:
        with redis.Redis.from_url(redis_server.url) as client:
            client.flushall()
        until(lambda: _told(running, stream), what="a tick after the flush")


def test_a_slow_client_delays_no_other(running: Settings) -> None:
    with begun(running, "p1") as slow, begun(running, "p2") as quick:
        for number in range(900):
            ticks.send(running, Tick(f"{number:016}", (1, 2)))
        until(lambda: _told_last(running, quick), what="the last tick")
        assert slow.tick() == f"{0:016}"


def _told_last(settings: Settings, stream: Stream) -> bool:
    ticks.send(settings, Tick("last", (2,)))
    while (tick := stream.tick()) is not None and tick != "last":
        pass
    return tick == "last"


def test_streams_end_with_the_hub(settings: Settings, tmp_path: Path) -> None:
    own = settings.with_(live_port=free_port(), data_dir=tmp_path)
    with hub(own) as child, begun(own, "p1") as stream:
        child.terminate()
        assert stream.event() is None
        assert child.wait(60) in (0, -signal.SIGTERM)  # uvicorn ends by the signal itself
