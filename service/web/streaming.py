"""Streams of the embedded profile: waitress's own loop keeps their connections, so they cost no thread.

A thread answers the request with the first line. After that only the loop's thread writes: ticks come as datagrams to a
socket that the loop watches, too.
"""

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.channel import ClientDisconnected, HTTPChannel  # type: ignore[import-untyped]
from waitress.task import WSGITask  # type: ignore[import-untyped]

from config.files import FILE, private_folder
from config.settings import Settings
from service.base import ticks
from service.base.clock import now
from service.live.streams import BEAT, BEAT_SECONDS, FIRST, HEADERS, NoStream, Streams, Ticket, ticket

PATH = "/live"
MOST = 200
"""Streams of a web process. Other pages ask now and then."""
LARGEST_TICK = 65536
AT_ONCE = 100
"""Ticks that are told before the loop turns to its other connections."""
BEHIND = 4096
"""Bytes that a stream may owe to a client that reads too slowly."""


class StreamChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that may become a stream. ``until``: the time (in milliseconds) at which the stream ends."""

    until = 0
    _beat_at = 0.0

    def begin(self, granted: Ticket) -> None:
        """Become a stream. Raise `NoStream`."""
        self.server.live.streams.add(self, granted.topics)
        self.until = granted.until
        self._beat_at = time.monotonic() + BEAT_SECONDS

    def write(self, line: bytes) -> None:
        if self.total_outbufs_len > BEHIND:
            self.will_close = True
            return
        with suppress(ClientDisconnected):
            self.write_soon(line)

    def go_on(self) -> None:
        """Write a beat if one is due, or end the stream."""
        if now() >= self.until:
            self.will_close = True
        elif time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + BEAT_SECONDS
            self.write(BEAT)

    def received(self, data: bytes) -> bool:
        """Ignore further requests on the connection of a stream."""
        return True if self.until else bool(super().received(data))

    def handle_close(self) -> None:
        if self.until:
            self.server.live.streams.drop(self)
        super().handle_close()


class StreamTask(WSGITask):  # type: ignore[misc]
    """A request, which may ask for a stream."""

    def execute(self) -> None:
        live = self.channel.server.live
        if live is None or self.request.path != PATH or self.request.command != "GET":
            super().execute()
            return
        try:
            self.channel.begin(ticket(live.settings, self.request.query, now()))
        except NoStream as refused:
            self._answer(f"{refused.status} Refused", [("Content-Length", "0")])
            return
        self._answer("200 OK", [*HEADERS, ("Connection", "close")])
        self.channel.write_soon(FIRST)

    def _answer(self, status: str, headers: list[tuple[str, str]]) -> None:
        """Write the head of an answer; its end is that of the connection."""
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers)]
        self.channel.write_soon("\r\n".join([*lines, "", ""]).encode("latin-1"))
        self.wrote_header = True


StreamChannel.task_class = StreamTask


class Live(wasyncore.dispatcher):  # type: ignore[misc]
    """The socket at which this process hears ticks, and the streams that it tells them to."""

    def __init__(self, settings: Settings, bound: socket.socket, channels: dict[int, Any]) -> None:
        super().__init__(bound, channels)
        self.settings = settings
        self.streams = Streams(MOST)

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        for _ in range(AT_ONCE):
            try:
                message = self.socket.recv(LARGEST_TICK)
            except BlockingIOError:
                return
            if (tick := ticks.decode(message)) is not None:
                self.streams.tell(tick)

    def go_on(self) -> None:
        """Keep the streams alive, and end those whose time is over."""
        for each in self.streams.all():
            each.go_on()  # type: ignore[attr-defined]


@contextmanager
def ears(settings: Settings) -> Iterator[socket.socket | None]:
    """Yield the socket for the ticks of this installation; None if another process has it, or it cannot be made."""
    with open(private_folder(settings.data_dir) / "live.lock", "ab", opener=_private) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
            path = settings.data_dir.absolute() / ticks.NAME
            path.unlink(missing_ok=True)
            before = os.umask(0o177)
            try:
                with ticks.address(path) as its:
                    bound.bind(its)
            except OSError:  # for example, the path is too long for this system
                yield None
                return
            finally:
                os.umask(before)
            bound.setblocking(False)
            yield bound


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)
