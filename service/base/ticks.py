"""Ticks: the page of a game has changed for some readers. They are sent after the commit, and never awaited.

A tick names a game and its readers, and nothing of its content: a reader's page asks the service, with the reader's own
rights. A tick may be late, doubled or lost, since pages also ask now and then. So sending one never fails, never waits
and never slows a change; `dropped` counts the ticks that could not be sent.

In the embedded profile a tick is a datagram to a socket in the data folder, where the web process listens. In
production it goes through Redis to all hubs (`service.live`).
"""

import atexit
import logging
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

from config.settings import Settings

log = logging.getLogger(__name__)

WAITING = 1000
"""The most ticks that wait for Redis; more are dropped."""
REST = 5.0
"""Seconds without a try after Redis refused a tick."""
AT_THE_END = 2.0
"""Seconds that an ending process gives its last ticks."""
NAME = "live.sock"
"""The socket in the data folder of an embedded installation."""
LONGEST_PATH = 100
"""The longest path of a socket in bytes that every system accepts."""


class Tick(msgspec.Struct, frozen=True, array_like=True):
    """The page of a game has changed for these ``people`` (numbers), and for ``watchers``: all without a seat."""

    game_id: str
    people: tuple[int, ...] = ()
    watchers: bool = False


encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Tick)


def decode(message: bytes) -> Tick | None:
    """Return the tick in a message, or None if there is none."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return None


def send(settings: Settings, tick: Tick) -> None:
    """Send a tick, or drop it."""
    _way(settings.embedded, settings.data_dir, settings.broker, channel(settings))(encode(tick))


@cache
def _way(embedded: bool, folder: Path, broker: str, channel: str) -> Callable[[bytes], None]:
    """Return the function that sends the ticks of an installation."""
    if embedded:
        return Datagrams(folder).send
    return Publisher(broker, channel).send if is_heard(broker) else _nowhere


def is_heard(broker: str) -> bool:
    """Can a hub hear ticks through this broker?"""
    return broker.startswith(("redis:", "rediss:", "unix:"))


def channel(settings: Settings) -> str:
    """Return the channel of Redis that carries this installation's ticks: all databases of a Redis share channels."""
    return f"slowtrain ticks {settings.site}"


def _nowhere(message: bytes) -> None:
    """Drop a tick of an installation without a hub."""


# ==== dropped ticks ===============================================================================
dropped: Callable[[], object] = object
"""Counts a dropped tick; metrics set it."""
_warned_at = float("-inf")


def _drop(why: object) -> None:
    global _warned_at
    dropped()
    if time.monotonic() - _warned_at >= REST:
        _warned_at = time.monotonic()
        log.warning("ticks are dropped: %s", why)


# ==== embedded ====================================================================================
class Datagrams:
    """The way to the web process of this machine. Without one that listens, ticks are dropped."""

    def __init__(self, folder: Path) -> None:
        self._path = folder.absolute() / NAME

    def send(self, message: bytes) -> None:
        try:
            with address(self._path) as its:
                _socket().sendto(message, its)
        except (FileNotFoundError, ConnectionRefusedError):
            return  # nobody listens
        except OSError as error:  # for example, the listener is busy and its buffer is full
            _drop(error)


@contextmanager
def address(path: Path) -> Iterator[str]:
    """Yield the address of a socket. If its path is too long for a system, the address leads through an open folder."""
    plain = str(path)
    if len(os.fsencode(plain)) <= LONGEST_PATH or not _FOLDERS.is_dir():
        yield plain
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield str(_FOLDERS / str(folder) / path.name)
    finally:
        os.close(folder)


_FOLDERS = Path("/proc/self/fd")


@cache
def _socket() -> socket.socket:
    """Return the socket from which this process sends."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.setblocking(False)
    atexit.register(made.close)
    return made


# ==== production ==================================================================================
class Publisher:
    """The way through Redis: a thread publishes, and drops ticks while Redis is away."""

    def __init__(self, broker: str, channel: str) -> None:
        import redis  # the embedded profile never loads it; and a thread could not, when the process ends

        self._redis, self._broker, self._channel = redis, broker, channel
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def send(self, message: bytes) -> None:
        if self._waiting.qsize() >= WAITING:
            _drop("too many wait")
            return
        self._waiting.put(message)
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        """Start the thread: with the first tick, and again in a forked process."""
        with self._lock:
            if self._thread is None:
                atexit.register(self._finish)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._publish_all, name="ticks", daemon=True)
                self._thread.start()

    def _publish_all(self) -> None:
        timeouts = {"socket_connect_timeout": 2, "socket_timeout": 5}
        with self._redis.Redis.from_url(self._broker, **timeouts) as client:
            while (message := self._waiting.get()) is not None:
                try:
                    client.publish(self._channel, message)
                except (self._redis.RedisError, OSError) as error:
                    _drop(error)
                    self._wait_for_redis()
        self._ended.set()

    def _wait_for_redis(self) -> None:
        """Drop the ticks that come until the next try."""
        until = time.monotonic() + REST
        while (left := until - time.monotonic()) > 0:
            with suppress(queue.Empty):
                if self._waiting.get(timeout=left) is None:
                    self._waiting.put(None)
                    return
                _drop("Redis is away")

    def _finish(self) -> None:
        """Publish what waits at the end of the process, for a moment at most."""
        if self._thread is not None and self._thread.is_alive():
            self._waiting.put(None)
            self._ended.wait(AT_THE_END)
