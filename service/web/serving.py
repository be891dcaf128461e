"""The web server: waitress, how much it takes on at once, and how it ends.

One thread takes requests in and gives answers out, for all connections, as fast as each client likes; other threads
only work on requests that have come whole. So clients that dawdle cost memory, never a thread.
"""

import logging
import resource
import signal
import socket
import time
from types import FrameType
from typing import Any

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

THREADS = 8
CONNECTIONS = 1000
"""How many a process keeps at once, where it may have so many files open."""
IDLE_SECONDS = 150
"""How long a connection over which nothing moves is kept: longer than proxies keep theirs (60 to 120 s), since one
that both sides let go of at the same time costs a request."""
BITE = 2048
"""Bytes that are read from a connection at a time. What else has come waits for the answers to the requests in them, so
that nobody can owe more answers than are buffered: a thread would wait until they are read."""
LARGEST_BODY = 1024 * 1024
"""The application refuses smaller ones already, in words."""
OWED = 64 * 1024 * 1024
"""Bytes of answers that are put aside for a connection before a thread waits."""
IN_MEMORY = 256 * 1024
"""Bytes of what is put aside that are kept in memory; the rest is in a file."""
OTHER_FILES = 200
"""Files that the process has open beside connections: database, broker, logs."""
PATIENCE = 10.0
"""Seconds for answering what has been asked before the end."""


def serve(application: Any, listener: socket.socket) -> None:
    """Serve a WSGI application at a bound socket until told to end (SIGTERM, SIGINT).

    What has been asked by then is answered first, for as long as `PATIENCE`.
    """
    channels: dict[int, Any] = {}
    server = create_server(
        application,
        channels,
        sockets=[listener],
        threads=THREADS,
        ident=None,
        connection_limit=_connections(),
        channel_timeout=IDLE_SECONDS,
        asyncore_use_poll=True,
        recv_bytes=BITE,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        outbuf_high_watermark=OWED,
        clear_untrusted_proxy_headers=False,  # which proxies are trusted the application decides, and must see them
    )
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # else a line for each request that waits for a thread
    told: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        told.append(number)
        server.pull_trigger()  # wakes the loop

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    while not told:
        wasyncore.loop(timeout=1, use_poll=True, map=channels, count=1)
    wasyncore.dispatcher.close(server)  # nobody else is let in
    until = time.monotonic() + PATIENCE
    while server.active_channels and time.monotonic() < until:
        wasyncore.loop(timeout=0.1, use_poll=True, map=channels, count=1)
        for channel in server.active_channels.values():
            channel.close_when_flushed |= not channel.requests


def _connections() -> int:
    """How many connections there may be. Each is an open file, and up to two more for what is put aside for it."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OTHER_FILES + 3 * CONNECTIONS
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        allowed = wanted
    return max(1, min(CONNECTIONS, (allowed - OTHER_FILES) // 3))
