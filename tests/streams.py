"""A client of a stream: it reads events as a browser does."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

from config.settings import Settings
from service.base import links
from service.base.clock import now

PATIENCE = 60.0
"""Seconds after which an event counts as missing."""


def token(settings: Settings, topic: str, at: int | None = None) -> str:
    return links.live(settings, topic, now() if at is None else at)


class Stream:
    """An open stream. ``status``: of the answer. ``head``: its headers."""

    def __init__(self, port: int, tokens: Sequence[str]) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        query = urlencode([("t", each) for each in tokens])
        self._socket.sendall(f"GET /live?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.head = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            self.head[name.lower()] = value
        self._chunked = self.head.get("transfer-encoding") == "chunked"
        self._lines: list[bytes] = []

    def fileno(self) -> int:
        return self._socket.fileno()

    def event(self) -> tuple[str, str] | None:
        """Return the next event, its name and its data, or None at the end; skip beats."""
        name, data, some = "message", "", False
        while (line := self._line()) is not None:
            if not line:
                if some:
                    return name, data
            elif not line.startswith(":"):
                field, _, value = line.partition(":")
                some, value = True, value.removeprefix(" ")
                name, data = (value, data) if field == "event" else (name, value)
        return None

    def tick(self) -> str | None:
        """Return the game of the next tick, or None at the end."""
        event = self.event()
        return None if event is None else event[1]

    def _line(self) -> str | None:
        while not self._lines:
            if not self._chunked:
                line = self._file.readline()
                return line.rstrip(b"\n").decode() if line else None
            size = self._file.readline().strip()
            if not size or size == b"0":
                return None
            self._lines = self._file.read(int(size, 16)).split(b"\n")[:-1]
            self._file.readline()
        return self._lines.pop(0).decode()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@contextmanager
def streaming(port: int, *tokens: str) -> Iterator[Stream]:
    stream = Stream(port, tokens)
    try:
        yield stream
    finally:
        stream.close()
