"""The hub of production: a plain ASGI application that hears ticks from Redis and tells them to its streams.

It needs no database. While it cannot hear Redis it ends its streams and begins none: then pages ask now and then, as
without a hub. Several hubs may run, since each hears all ticks.
"""

import asyncio
import hmac
import logging
import resource
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, generate_latest
from redis import RedisError
from redis.asyncio import Redis

from config.settings import Settings
from service.base import ticks
from service.base.clock import SECOND, now
from service.live.streams import BEAT, BEAT_SECONDS, FIRST, HEADERS, NoStream, Streams, Ticket, ticket

log = logging.getLogger(__name__)

MOST = 10_000
"""Streams of a hub."""
OTHER_FILES = 100
"""Files that the process has open besides streams."""
REST = 1.0
"""Seconds between two tries to reach Redis."""
SILENCE = 5.0
"""Seconds without a word from Redis after which it is asked; after as many more it counts as away."""
BEHIND = 4096
"""Bytes that a stream may owe to a client that reads too slowly."""
PATIENCE = 5
"""Seconds for the last lines when the process ends."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS]


class Hub:
    """The application. ``streams``: the open ones. ``hears``: is it connected to Redis?"""

    def __init__(self, settings: Settings, most: int = MOST) -> None:
        self.settings = settings
        self.streams = Streams(most)
        self.hears = False
        self._figures = _Figures(self)
        self._listening: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            views = {"/live": self._stream, "/healthz": self._health, "/metrics": self._metrics}
            await views.get(scope["path"], _not_found)(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Listen to Redis from the start of the process to its end."""
        await receive()
        self._listening = asyncio.create_task(self._listen())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._listening.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    # ---- ticks ----
    async def _listen(self) -> None:
        while True:
            try:
                await self._hear_redis()
            except (RedisError, OSError) as error:
                log.warning("the hub cannot hear Redis: %s", error)
            finally:
                self.hears = False
                self.end_all()
            await asyncio.sleep(REST)

    async def _hear_redis(self) -> None:
        """Tell the ticks of Redis until it is away."""
        address = self.settings.broker
        async with (
            Redis.from_url(address, socket_connect_timeout=2, socket_timeout=5) as client,
            client.pubsub() as channel,
        ):
            await channel.subscribe(ticks.channel(self.settings))
            asked = False
            while True:
                message = await channel.get_message(timeout=SILENCE)
                if message is not None:
                    asked = False
                    self._heard(message)
                    await asyncio.sleep(0)  # so that many ticks at once are also sent, not only owed
                elif asked:
                    raise TimeoutError("Redis is silent")
                else:
                    await channel.ping()
                    asked = True

    def _heard(self, message: Any) -> None:
        if message["type"] == "subscribe":
            self.hears = True
        elif message["type"] == "message" and (tick := ticks.decode(message["data"])) is not None:
            self._figures.ticks.inc()
            self._figures.told.inc(self.streams.tell(tick))

    def end_all(self) -> None:
        """End all streams."""
        for each in self.streams.all():
            each.end()  # type: ignore[attr-defined]

    # ---- views ----
    async def _stream(self, scope: Message, receive: Receive, send: Send) -> None:
        stream = HubStream(send)
        try:
            if scope["method"] != "GET":
                raise NoStream(405)
            granted = ticket(self.settings, scope["query_string"].decode("ascii", "replace"), now())
            if not self.hears:
                raise NoStream(503)
            self.streams.add(stream, granted.topics)
        except NoStream as refused:
            self._figures.refused.labels(str(refused.status)).inc()
            await _answer(send, refused.status)
            return
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            stream.begin(granted)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.streams.drop(stream)
            stream.gone()

    async def _health(self, scope: Message, receive: Receive, send: Send) -> None:
        await _answer(send, 200 if self.hears else 503, b"ok" if self.hears else b"the hub cannot hear Redis")

    async def _metrics(self, scope: Message, receive: Receive, send: Send) -> None:
        expected = f"Bearer {self.settings.metrics_token}".encode()
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not self.settings.metrics_token or not hmac.compare_digest(expected, given):
            await _not_found(scope, receive, send)
            return
        await _answer(send, 200, self._figures.page(), CONTENT_TYPE_LATEST)


async def _not_found(scope: Message, receive: Receive, send: Send) -> None:
    await _answer(send, 404)


async def _answer(send: Send, status: int, body: bytes = b"", kind: str = "text/plain; charset=utf-8") -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class HubStream:
    """A stream of the hub. Lines are sent one after another; a client that falls behind loses the stream."""

    __slots__ = ("_beat", "_ended", "_owed", "_send", "_sending", "_until")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._owed = b""
        self._sending: asyncio.Task[None] | None = None
        self._ended = False
        self._beat: asyncio.TimerHandle | None = None
        self._until = 0.0

    def begin(self, granted: Ticket) -> None:
        """Send the first line, then a beat now and then until the ticket ends."""
        self._until = asyncio.get_running_loop().time() + (granted.until - now()) / SECOND
        self._go_on(FIRST)

    def _go_on(self, line: bytes = BEAT) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() >= self._until:
            self.end()
            return
        self.write(line)
        self._beat = loop.call_at(min(loop.time() + BEAT_SECONDS, self._until), self._go_on)

    def write(self, line: bytes) -> None:
        if self._ended:
            return
        self._owed += line
        if len(self._owed) > BEHIND:
            self.end()
        elif self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_owed())

    async def _send_owed(self) -> None:
        with suppress(OSError):
            while self._owed:
                line, self._owed = self._owed, b""
                await self._send({"type": "http.response.body", "body": line, "more_body": True})
            if self._ended:
                await self._send({"type": "http.response.body", "body": b""})
        self._sending = None

    def end(self) -> None:
        """End the stream after the line that is being sent."""
        if self._ended:
            return
        self._ended, self._owed = True, b""
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_owed())

    def gone(self) -> None:
        """Forget the timer of a stream whose connection is closed."""
        self._ended = True
        if self._beat is not None:
            self._beat.cancel()


class _Figures:
    """The metrics of a hub."""

    def __init__(self, hub: Hub) -> None:
        self._registry = registry = CollectorRegistry()
        Gauge("slowtrain_live_streams", "Open streams.", registry=registry).set_function(lambda: len(hub.streams))
        hears = Gauge("slowtrain_live_hears", "Is the hub connected to Redis?", registry=registry)
        hears.set_function(lambda: int(hub.hears))
        self.ticks = Counter("slowtrain_live_ticks", "Ticks heard from Redis.", registry=registry)
        self.told = Counter("slowtrain_live_told", "Ticks written to streams.", registry=registry)
        said = "Streams refused, by the status of the answer."
        self.refused = Counter("slowtrain_live_refused", said, ("status",), registry=registry)

    def page(self) -> bytes:
        return generate_latest(self._registry)


# ==== the process =================================================================================
class _Server(uvicorn.Server):
    """uvicorn, which waits for its connections at the end: streams would go on for ever."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.end_all()
        await super().shutdown(sockets)


def serve(settings: Settings, listener: socket.socket, most: int = MOST) -> None:
    """Serve streams at a bound socket until SIGTERM or SIGINT."""
    allowed, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(most + OTHER_FILES, hard) if hard != resource.RLIM_INFINITY else most + OTHER_FILES
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, wanted), hard))
    hub = Hub(settings, most)
    config = uvicorn.Config(
        hub,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=PATIENCE,
    )
    _Server(config, hub).run(sockets=[listener])
