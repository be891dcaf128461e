"""A worker's shutdown: it starts nothing new, cuts silent connections, and is gone within ten seconds."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from billiard import active_children

GRACE = 4.0
"""Seconds in which conversations may end by themselves."""
GONE = 8.0
"""Seconds after which the process exits, even in the middle of work: all of it is safe in the database."""

told = threading.Event()
cut = threading.Event()
_lines: set[Callable[[], socket.socket | None]] = set()


def begin() -> None:
    """Begin the shutdown. A signal handler may call it."""
    if not told.is_set():
        told.set()
        threading.Thread(target=_end, name="ending", daemon=True).start()


@contextmanager
def may_be_cut(line: Callable[[], socket.socket | None]) -> Iterator[None]:
    """Let a shutdown cut the connection ``line``, so that a reader that waits for an answer stops waiting."""
    _lines.add(line)
    try:
        yield
    finally:
        _lines.discard(line)


def _end() -> None:
    until = time.monotonic() + GONE
    time.sleep(GRACE)
    cut.set()
    while time.monotonic() < until:
        for line in tuple(_lines):
            with suppress(OSError):
                if (open_ := line()) is not None:
                    socket.socket.shutdown(open_, socket.SHUT_RDWR)  # TLS's own method would talk to the peer
        time.sleep(0.1)
    for child in active_children():
        child.kill()
    os._exit(0)
