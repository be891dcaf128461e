"""The open streams of a process: what each hears, and until when.

Both servers share this module. It may be called from several threads.
"""

import threading
from collections.abc import Collection
from typing import NamedTuple, Protocol
from urllib.parse import parse_qs

from config.settings import Settings
from service.base import links
from service.base.ticks import Tick

HEADERS = (
    ("Content-Type", "text/event-stream; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("X-Accel-Buffering", "no"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
FIRST = b"event: here\ndata:\n\n"
"""The first line. A browser that does not get it at once knows that something on the way holds answers back."""
BEAT = b":\n\n"
"""A line that says nothing, so that nobody takes the connection for a dead one."""
BEAT_SECONDS = 20.0
BEHIND = 4096
"""Bytes that a stream may owe to a client that reads too slowly."""
TOKENS_MOST = 50
EACH_MOST = 20
"""Streams of one person at a time."""


class Stream(Protocol):
    """An open stream of a server."""

    def write(self, line: bytes) -> None:
        """Write a line, without waiting; a stream whose client reads too slowly ends."""


class Ticket(NamedTuple):
    """The topics that a stream hears, and the time (in milliseconds) at which it ends."""

    topics: frozenset[str]
    until: int


class NoStream(Exception):
    """The stream is refused. ``status``: the status of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def ticket(settings: Settings, query: str, at: int) -> Ticket:
    """Return the ticket of a request by its tokens (``t``). It ends with the first of them. Raise `NoStream`."""
    tokens = parse_qs(query).get("t", [])
    if not 0 < len(tokens) <= TOKENS_MOST:
        raise NoStream(400)
    try:
        opened = [links.open_live(settings, each, at) for each in tokens]
    except links.BadLink:
        raise NoStream(403) from None
    return Ticket(frozenset(it.topic for it in opened), min(it.expires_at for it in opened))


def topics_of(tick: Tick) -> list[str]:
    """Return the topics that hear a tick."""
    heard = [links.topic_of_person(each) for each in tick.people]
    return [*heard, links.topic_of_game(tick.game_id)] if tick.watchers else heard


class Streams:
    """The streams of a process, at most ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._topics: dict[Stream, frozenset[str]] = {}
        self._hearing: dict[str, set[Stream]] = {}

    def __len__(self) -> int:
        return len(self._topics)

    def all(self) -> list[Stream]:
        with self._lock:
            return list(self._topics)

    def add(self, stream: Stream, topics: Collection[str]) -> None:
        """Add a stream. Raise `NoStream` if there are too many, in all or of a person."""
        with self._lock:
            people = (each for each in topics if links.is_person(each))
            full = len(self._topics) >= self._most
            if full or any(len(self._hearing.get(each, ())) >= EACH_MOST for each in people):
                raise NoStream(503)
            self._topics[stream] = frozenset(topics)
            for each in topics:
                self._hearing.setdefault(each, set()).add(stream)

    def drop(self, stream: Stream) -> None:
        """Forget a stream that has ended; it may be unknown."""
        with self._lock:
            for each in self._topics.pop(stream, frozenset()):
                self._hearing[each].discard(stream)
                if not self._hearing[each]:
                    del self._hearing[each]

    def tell(self, tick: Tick) -> int:
        """Write a tick to the streams that hear it, once each. Return their number."""
        with self._lock:
            hearing = {stream for topic in topics_of(tick) for stream in self._hearing.get(topic, ())}
        line = b"data: %b\n\n" % tick.game_id.encode()
        for stream in hearing:
            stream.write(line)
        return len(hearing)
