"""The web server: waitress, its limits, and its shutdown.

One thread reads requests and writes answers for all connections, as fast as each client can; other threads only work on
complete requests. So slow clients cost memory, never a thread.
"""

import logging
import resource
import signal
import socket
import time
from contextlib import nullcontext
from types import FrameType
from typing import Any

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from config.settings import Settings
from service.web import streaming

THREADS = 8
CONNECTIONS = 1000
"""Connections that a process keeps at once, if the limit of open files allows it."""
IDLE_SECONDS = 150
"""Seconds after which an idle connection is closed. It is longer than in proxies (60 to 120 s): a connection that both
sides close at the same moment costs a request."""
BITE = 2048
"""Bytes that are read from a connection at a time. Further bytes wait until the requests in these are answered. So a
client cannot cause more answers than fit into the buffer, and no thread waits for it to read them."""
LARGEST_BODY = 1024 * 1024
"""Bytes of the largest body. The application refuses smaller ones already, with an explanation."""
OWED = 64 * 1024 * 1024
"""Bytes of answers that are buffered for a connection before a thread waits."""
IN_MEMORY = 256 * 1024
"""Bytes of the buffer that are kept in memory; the rest is in a file."""
OTHER_FILES = 200
"""Files that the process has open besides connections: database, broker, logs."""
PATIENCE = 10.0
"""Seconds for answering the pending requests before the process ends."""


def serve(application: Any, listener: socket.socket, settings: Settings | None = None) -> None:
    """Serve a WSGI application at a bound socket until SIGTERM or SIGINT.

    Pending requests are answered first, for at most `PATIENCE`. ``settings``: those of an embedded installation, which
    has streams, too.
    """
    with nullcontext() if settings is None else streaming.ears(settings) as bound:
        _serve(application, listener, settings, bound)


def _serve(application: Any, listener: socket.socket, settings: Settings | None, bound: socket.socket | None) -> None:
    channels: dict[int, Any] = {}
    live = None if settings is None or bound is None else streaming.Live(settings, bound, channels)
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
        clear_untrusted_proxy_headers=False,  # the application decides which proxies it trusts
    )
    server.live, server.channel_class = live, streaming.StreamChannel
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # otherwise it logs a line for each request that waits
    told: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        told.append(number)
        server.pull_trigger()  # wakes the loop

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    while not told:
        wasyncore.loop(timeout=1, use_poll=True, map=channels, count=1)
        if live is not None:
            live.go_on()
    wasyncore.dispatcher.close(server)  # accept no further connections
    until = time.monotonic() + PATIENCE
    while server.active_channels and time.monotonic() < until:
        wasyncore.loop(timeout=0.1, use_poll=True, map=channels, count=1)
        for channel in server.active_channels.values():
            channel.close_when_flushed |= not channel.requests


def _connections() -> int:
    """Return the number of connections. Each is an open file, and its buffered answers take up to two more."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OTHER_FILES + 3 * CONNECTIONS
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        allowed = wanted
    return max(1, min(CONNECTIONS, (allowed - OTHER_FILES) // 3))
