"""Sending a tick never fails and never waits, whatever Redis or the listener does."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from config.settings import Settings
from service.base import ticks
from service.base.ticks import Tick
from tests.listeners import listening
from tests.servers import Redis, free_port
from tests.workers.post import until
from tests.workers.processes import embedded, production

TICK = Tick("a game", (1, 2), watchers=True)


@pytest.fixture(autouse=True)
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """The number of dropped ticks."""
    dropped: list[None] = []
    monkeypatch.setattr(ticks, "REST", 0.2)
    monkeypatch.setattr(ticks, "dropped", lambda: dropped.append(None))
    return lambda: len(dropped)


def test_a_tick_arrives_as_it_was_sent(tmp_path: Path) -> None:
    settings = embedded(tmp_path)
    with listening(settings) as listener:
        ticks.send(settings, TICK)
        assert listener.heard() == [TICK]


def test_the_folder_may_lie_deep(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    deep.mkdir(parents=True)
    settings = embedded(deep)
    with listening(settings) as listener:
        ticks.send(settings, TICK)
        assert listener.heard() == [TICK]


def test_without_a_listener_nothing_happens(tmp_path: Path, count: Callable[[], int]) -> None:
    ticks.send(embedded(tmp_path), TICK)
    with listening(embedded(tmp_path)):
        pass
    ticks.send(embedded(tmp_path), TICK)  # it has left its socket behind
    assert count() == 0


def test_a_listener_that_is_too_slow_loses_ticks(tmp_path: Path, count: Callable[[], int]) -> None:
    settings = embedded(tmp_path)
    with listening(settings) as listener:
        for _ in range(2000):
            ticks.send(settings, TICK)
        assert len(listener.heard()) + count() == 2000
        assert count() > 0


def test_a_message_that_is_no_tick_is_ignored() -> None:
    assert ticks.decode(b"\xff") is None
    assert ticks.decode(b"") is None
    assert ticks.decode(ticks.encode(TICK)) == TICK


# ==== Redis =======================================================================================
def sending(settings: Settings, times: int = 200) -> float:
    """Return the seconds of the slowest of many ticks, in the best of some rounds, since the machine may be busy."""
    rounds = []
    for _ in range(10):
        slowest = 0.0
        for _ in range(times):
            begin = time.perf_counter()
            ticks.send(settings, TICK)
            slowest = max(slowest, time.perf_counter() - begin)
        rounds.append(slowest)
    return min(rounds)


def test_a_missing_redis_slows_no_move(tmp_path: Path) -> None:
    assert sending(production(tmp_path, "sqlite://", f"redis://127.0.0.1:{free_port()}/0")) < 0.1


def test_a_silent_redis_slows_no_move(tmp_path: Path, count: Callable[[], int]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings = production(tmp_path, "sqlite://", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert sending(settings, 3 * ticks.WAITING) < 0.1
    assert count() > 0


def test_a_redis_that_comes_back_gets_ticks_again(tmp_path: Path, redis_server: Redis) -> None:
    settings = production(tmp_path, "sqlite://", redis_server.url, base_url="https://back.example")
    redis_server.kill()
    ticks.send(settings, TICK)
    time.sleep(0.3)
    redis_server.start()
    with redis.Redis.from_url(redis_server.url) as client, client.pubsub() as channel:
        channel.subscribe(ticks.channel(settings))

        def arrived() -> bool:
            ticks.send(settings, TICK)
            message = channel.get_message(ignore_subscribe_messages=True, timeout=0.5)
            return message is not None and ticks.decode(message["data"]) == TICK

        assert until(arrived, what="a tick through the Redis that came back")


def test_the_last_tick_of_a_short_process_arrives(tmp_path: Path, redis_server: Redis) -> None:
    settings = production(tmp_path, "sqlite://", redis_server.url, base_url="https://short.example")
    code = f"""
from service.base import ticks
ticks._way_of(False, None, {redis_server.url!r}, {ticks.channel(settings)!r})(ticks.encode(ticks.Tick("last")))
"""
    with redis.Redis.from_url(redis_server.url) as client, client.pubsub() as channel:
        channel.subscribe(ticks.channel(settings))
        channel.get_message(timeout=5)
        subprocess.run([sys.executable, "-c", code], check=True)
        message = channel.get_message(timeout=20)
        assert message is not None
        assert ticks.decode(message["data"]) == Tick("last")


def test_without_a_redis_nothing_is_sent(tmp_path: Path, count: Callable[[], int]) -> None:
    ticks.send(production(tmp_path, "sqlite://", "amqp://127.0.0.1"), TICK)
    assert count() == 0
