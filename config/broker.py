"""The embedded profile's broker: kombu's folder of messages, with repairs. `config.redis_broker` repairs Redis."""

import logging
import os
import time
from collections import deque
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

from config.files import FILE

log = logging.getLogger(__name__)

POLL = 0.05
"""Seconds between two reads of the last listing."""
LIST_EVERY = 0.2
"""Seconds between two listings of the folder. This is the longest delay of a message."""
ASK_EVERY = 0.2
"""Seconds for which a worker waits for messages before it checks whether it must stop."""
HALF_WRITTEN = 60.0
"""Seconds after which a half-written file has lost its writer."""


class Channel(filesystem.Channel):
    """A channel that writes each message whole and lists the folder rarely.

    kombu creates a message's file and then fills it. A reader in between finds an empty file, and its worker dies. Here
    a message is written under another name and renamed when it is whole.

    kombu lists the folder for each message, which slows down with their number. Here one listing serves all messages in
    it. Of several equal messages one is delivered, since a message is only a hint.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._listed: dict[str, deque[str]] = {}
        self._listed_at = float("-inf")
        self._said: set[bytes] = set()

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{monotonic() * 1_000_000:018.0f}_{uuid4()}.{queue}.msg"
        hidden = os.path.join(self.data_folder_out, f".{name}.part")
        try:
            with open(hidden, "wb", opener=partial(os.open, mode=FILE)) as file:
                file.write(str_to_bytes(dumps(payload)))
            os.replace(hidden, os.path.join(self.data_folder_out, name))
        except OSError:  # for example, the disk is full
            with suppress(OSError):
                os.unlink(hidden)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        if not self._listed.get(queue) and time.monotonic() - self._listed_at >= LIST_EVERY:
            self._list()
        waiting = self._listed.get(queue, deque())
        while waiting:
            payload = self._taken(waiting.popleft())
            if payload is None:
                continue
            says = str_to_bytes(dumps([queue, payload.get("headers", {}).get("task"), payload.get("body")]))
            if says not in self._said:
                self._said.add(says)
                return payload
        raise Empty

    def _list(self) -> None:
        self._listed, self._said, self._listed_at = {}, set(), time.monotonic()
        for name in sorted(os.listdir(self.data_folder_in)):
            queue, _, kind = name.partition(".")[2].rpartition(".")
            if kind == "msg" and not name.startswith("."):
                self._listed.setdefault(queue, deque()).append(name)

    def _taken(self, name: str) -> Any:
        """Return the message, or None if another worker took it or it is damaged.

        The worker that unlinks the file owns the message.
        """
        file = os.path.join(self.data_folder_in, name)
        try:
            with open(file, "rb") as opened:
                content = opened.read()
            os.unlink(file)
        except OSError:
            return None
        try:
            payload = loads(bytes_to_str(content))
        except ValueError:
            payload = None
        if isinstance(payload, dict):
            return payload
        log.warning("a message that is not whole is thrown away: %s", name)
        return None


def tidy(folder: Path) -> None:
    """Remove half-written messages of processes that died."""
    for file in folder.glob(".*.part"):
        with suppress(OSError):
            if abs(time.time() - file.stat().st_mtime) > HALF_WRITTEN:
                file.unlink()


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Shorten the wait, so that Celery's workers stop two seconds earlier."""
        super().drain_events(connection, timeout and min(timeout, ASK_EVERY), **kwargs)


def install() -> None:
    """Register these transports for ``filesystem://`` and ``redis://``."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = (
        "config.redis_broker:RedisTransport"  # loaded on first use
    )
