"""How a worker ends when it is told to: it begins nothing new, conversations that stay silent are cut, and it is gone
within ten seconds.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from billiard import active_children

GRACE = 4.0
"""Seconds that conversations are given to come to their end by themselves."""
GONE = 8.0
"""Seconds after which the process ends whatever it is doing: all of it is safe in the database."""

told = threading.Event()
cut = threading.Event()
_lines: set[Callable[[], socket.socket | None]] = set()


def begin() -> None:
    """Begin to end. It may be called from a handler of signals."""
    if not told.is_set():
        told.set()
        threading.Thread(target=_end, name="ending", daemon=True).start()


@contextmanager
def may_be_cut(line: Callable[[], socket.socket | None]) -> Iterator[None]:
    """A conversation over ``line``; when the worker ends, whoever waits for an answer there is told that none comes."""
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
                    socket.socket.shutdown(open_, socket.SHUT_RDWR)  # not TLS's own, which would talk to the other side
        time.sleep(0.1)
    for child in active_children():
        child.kill()
    os._exit(0)
