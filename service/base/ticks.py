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
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from select import select
from typing import Any

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
    _way(settings)(encode(tick))


def _way(settings: Settings) -> Callable[[bytes], None]:
    """Return the function that sends the ticks of an installation."""
    return _way_of(settings.embedded, settings.data_dir, settings.broker, channel(settings))


@cache
def _way_of(embedded: bool, folder: Path, broker: str, channel: str) -> Callable[[bytes], None]:
    if embedded:
        return Datagrams(folder).send
    return Publisher(broker, channel).send if is_heard(broker) else _nowhere


os.register_at_fork(after_in_child=_way_of.cache_clear)  # each connection belongs to one process


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
        self._is_short = len(os.fsencode(self._path)) <= LONGEST_PATH
        self._address = str(self._path)

    def send(self, message: bytes) -> None:
        try:
            if self._is_short:
                _socket().sendto(message, self._address)
                return
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
    """The way through Redis. Sending only hands bytes to the system; a thread connects, and ticks wait for it.

    A thread that published each tick would cost a move five times as much, because it takes turns with the other
    threads of the process (`python -m tests.bench live`).
    """

    def __init__(self, broker: str, channel: str) -> None:
        import redis  # the embedded profile never loads it; and a thread could not, when the process ends

        self._errors = (redis.RedisError, OSError)
        timeouts = {"socket_connect_timeout": 2, "socket_timeout": 5}
        self._connection: Any = redis.Redis.from_url(broker, **timeouts).connection_pool.make_connection()
        self._channel = channel
        self._lock = threading.Lock()
        self._line: socket.socket | None = None
        self._waiting: list[bytes] = []
        self._rests_until = float("-inf")
        self._connecting: threading.Thread | None = None
        atexit.register(self._finish)

    def send(self, message: bytes) -> None:
        with self._lock:
            if self._line is not None and self._is_sent(message):
                return
            if len(self._waiting) >= WAITING or time.monotonic() < self._rests_until:
                _drop("Redis is away")
                return
            self._waiting.append(message)
            if self._connecting is None or not self._connecting.is_alive():
                self._connecting = threading.Thread(target=self._connect, name="ticks", daemon=True)
                self._connecting.start()

    def _is_sent(self, message: bytes) -> bool:
        """Hand a tick to the system, or hang up."""
        assert self._line is not None
        packed = b"".join(self._connection.pack_command("PUBLISH", self._channel, message))
        try:
            is_closed = bool(select([self._line], [], [], 0)[0])  # Redis says nothing else
            if not is_closed and self._line.send(packed) == len(packed):
                return True
        except OSError:  # the connection is cut, or Redis is too slow
            pass
        self._line = None
        self._connection.disconnect()
        return False

    def _connect(self) -> None:
        """Connect, and send the ticks that wait, or drop them."""
        try:
            self._connection.connect()
            self._connection.send_command("CLIENT", "REPLY", "OFF", check_health=False)  # nobody would read answers
            line = self._connection._sock
            line.settimeout(0)
        except self._errors as error:
            with self._lock:
                self._rests_until = time.monotonic() + REST
                lost, self._waiting = self._waiting, []
            for _ in lost:
                _drop(error)
            return
        with self._lock:
            self._line, waiting, self._waiting = line, self._waiting, []
            for each in waiting:
                if self._line is None or not self._is_sent(each):
                    _drop("Redis is away")

    def _finish(self) -> None:
        """Wait for the last ticks at the end of the process, for a moment at most."""
        if self._connecting is not None:
            self._connecting.join(AT_THE_END)
        self._connection.disconnect()
