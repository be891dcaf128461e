"""``python -m tests.bench live``: a hub with many streams, the time of its ticks, and the cost of a tick for a move."""

import asyncio
import multiprocessing
import random
import resource
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import psutil  # type: ignore[import-untyped]
import requests

from config import logging
from config.settings import Settings
from service.base import links, ticks
from service.base.clock import now
from service.base.ticks import Datagrams, Publisher, Tick
from service.games import marks
from tests.bench import gains
from tests.bench.home import SLOWTRAIN
from tests.bench.measure import Bench, Figure
from tests.servers import Redis, free_port
from tests.workers.processes import process, production

STREAMS = 5_000
SETTLED = 2.0
"""Seconds until the memory of a hub with new streams is measured."""
PER_SECOND, READERS, SECONDS = 20, 4, 15
MB = 1024 * 1024
PAIRS, WARM = 600, 20
"""Pairs of moves that are measured, and those before them."""
SEPARATE = multiprocessing.get_context("spawn")
"""Starts processes that share no memory with ours."""


def bench_live(bench: Bench) -> Iterator[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = Redis()
        stack.callback(redis.stop)
        settings = production(folder, "sqlite://", redis.url, live_port=free_port())
        running = stack.enter_context(process(settings, *SLOWTRAIN, "live"))
        _until_well(settings)
        hub = psutil.Process(running.pid)
        empty = hub.memory_full_info().pss / MB
        took, full, busy, direct = _streaming(settings, hub)
        what = f"hub with {STREAMS:,} streams, memory"
        yield Figure(what, f"{full:.0f} MB", f"{empty:.0f} MB without streams", "120 MB")
        what = f"{PER_SECOND} ticks a second, {READERS} readers each, 99th percentile"
        alone = f"{1000 * _last(direct):.1f} ms to a bare subscriber of Redis"
        yield Figure(what, f"{1000 * _last(took):.1f} ms, {100 * busy:.1f} % of a core", alone, "100 ms")
        yield from _of_a_move(bench, settings)


def _until_well(settings: Settings) -> None:
    for _ in range(600):
        try:
            if requests.get(f"http://127.0.0.1:{settings.live_port}/healthz", timeout=5).status_code == 200:
                return
        except requests.ConnectionError:
            pass
        time.sleep(0.1)
    raise AssertionError("the hub does not hear Redis")


def _last(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


# ==== streams =====================================================================================
def _streaming(settings: Settings, hub: Any) -> tuple[list[float], float, float, list[float]]:
    """Open the streams and send ticks.

    Return the seconds to each reader, the hub's memory, its share of a core, and the seconds to a bare subscriber.
    """
    line, theirs = multiprocessing.Pipe()
    other = SEPARATE.Process(target=_readers, args=(settings, theirs))
    other.start()
    line.recv()  # all streams have begun
    time.sleep(SETTLED)
    full, before, began = hub.memory_full_info().pss / MB, sum(hub.cpu_times()[:2]), time.monotonic()
    dice = random.Random(1)
    for number in range(PER_SECOND * SECONDS):
        readers = tuple(dice.sample(range(1, STREAMS + 1), READERS))
        ticks.send(settings, Tick(f"{time.time():.6f}", readers))
        time.sleep(max(0.0, began + (number + 1) / PER_SECOND - time.monotonic()))
    busy = (sum(hub.cpu_times()[:2]) - before) / (time.monotonic() - began)
    line.send("end")
    took, direct = line.recv()
    other.join()
    assert len(took) == PER_SECOND * SECONDS * READERS, f"{len(took)} ticks have arrived"
    return took, full, busy, direct


def _readers(settings: Settings, line: Any) -> None:
    """Read the streams of many people, in a process of its own."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_read_all(settings, line))


async def _read_all(settings: Settings, line: Any) -> None:
    from redis.asyncio import Redis as Client

    took: list[float] = []
    direct: list[float] = []
    begun = asyncio.Semaphore(0)

    async def read(person: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.live_port, limit=2048)
        token = links.live(settings, links.topic_of_person(person), now())
        writer.write(f"GET /live?t={token} HTTP/1.1\r\nHost: hub\r\n\r\n".encode())
        await reader.readuntil(b"event: here\n")
        begun.release()
        while line_read := await reader.readline():
            if line_read.startswith(b"data: ") and len(line_read) > 8:
                took.append(time.time() - float(line_read[6:]))

    async def subscribe() -> None:
        async with Client.from_url(settings.broker) as client, client.pubsub() as channel:
            await channel.subscribe(ticks.channel(settings))
            async for message in channel.listen():
                if message["type"] == "message" and (tick := ticks.decode(message["data"])) is not None:
                    direct.append(time.time() - float(tick.game_id))

    tasks = [asyncio.create_task(subscribe())]
    for first in range(1, STREAMS + 1, 100):
        tasks += [asyncio.create_task(read(first + each)) for each in range(100)]
        for _ in range(100):
            await begun.acquire()
    line.send("begun")
    await asyncio.to_thread(line.recv)
    await asyncio.sleep(1)
    line.send((took, direct))
    for task in tasks:
        task.cancel()


# ==== a move ======================================================================================
def _of_a_move(bench: Bench, settings: Settings) -> Iterator[Figure]:
    """Measure the processor's time for the tick of a move: to a socket that nobody waits at, and through Redis.

    The first is our own work. The system adds its work to wake Redis, which is several times as much.
    """
    logging.configure(settings.with_(log_level="ERROR"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        heard = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        heard.bind(str(folder / ticks.NAME))
        moves = stack.enter_context(gains._opened(bench.addresses["SQLite"], bench.title))
        to_a_socket, through_redis = Datagrams(folder), Publisher(settings.broker, "slowtrain ticks of nobody")
        ways: tuple[tuple[str, Datagrams | Publisher, Callable[[], object], str], ...] = (
            ("to a socket", to_a_socket, lambda: heard.recv(1000), "2 % more"),
            ("through Redis", through_redis, lambda: None, ""),
        )
        for name, way, take, hold in ways:
            tick, move = (1000 * seconds for seconds in _in_pairs(moves, way.send, take))
            yardstick = f"{move:.3f} ms without it ({tick / move:+.1%})"
            yield Figure(f"the tick of a move, SQLite, {name}", f"{tick:.3f} ms of a core", yardstick, hold)


def _in_pairs(moves: gains.Moves, way: Callable[[bytes], None], take: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that a tick adds to a move, and those of a move without. ``take``: takes a tick that was sent.

    Moves with a tick and without follow each other in pairs, either of them first in turn: both meet the same machine.
    """
    without = gains._patched((marks, "tick", lambda *_: None))
    more: list[float] = []
    alone: list[float] = []

    def took(with_tick: bool) -> float:
        with nullcontext() if with_tick else without():
            began = time.process_time()
            moves.run()
            return (time.process_time() - began) / 2

    def sent(message: bytes) -> None:
        way(message)
        waiting.append(message)

    def its_way(_settings: Settings) -> Callable[[bytes], None]:
        return sent  # a mock would cost as much as ten ticks

    waiting: list[bytes] = []
    with mock.patch.object(ticks, "_way", its_way):
        for number in range(PAIRS + WARM):
            pair = {with_tick: took(with_tick) for with_tick in ((True, False) if number % 2 else (False, True))}
            while waiting and waiting.pop():
                take()
            if number >= WARM:
                more.append(pair[True] - pair[False])
                alone.append(pair[False])
    return statistics.median(more), statistics.median(alone)
