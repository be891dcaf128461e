"""The brokers as kombu has them, each with one repair: the folder of messages of the embedded profile, and Redis."""

import os
from functools import partial
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem, redis
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps

from config.files import FILE


class Channel(filesystem.Channel):
    """kombu makes a message's file and then fills it; a reader that comes between finds it empty, and its worker
    dies of that. Here a message is written under another name and appears when it is whole.
    """

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{filesystem.monotonic() * 1000:015.0f}_{filesystem.uuid.uuid4()}.{queue}.msg"
        hidden = os.path.join(self.data_folder_out, f".{name}.part")
        with open(hidden, "wb", opener=partial(os.open, mode=FILE)) as file:
            file.write(str_to_bytes(dumps(payload)))
        os.replace(hidden, os.path.join(self.data_folder_out, name))


class Transport(filesystem.Transport):
    Channel = Channel


class RedisChannel(redis.Channel):
    """A worker that loses Redis with a message in its hands wants to give it back or to acknowledge it over a
    connection that is gone, and dies of that. Here it lets go: a message is only a hint, and Redis gives it back when
    it has waited for a minute.
    """

    do_restore = False

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        if not self.closed:
            super().basic_ack(delivery_tag, multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if not self.closed:
            super().basic_reject(delivery_tag, requeue)


class RedisTransport(redis.Transport):
    Channel = RedisChannel


def install() -> None:
    """Let ``filesystem://`` and ``redis://`` mean these transports."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:RedisTransport"
