"""The broker of the embedded profile: a folder of messages, as kombu has it, with one repair."""

import os
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """kombu makes a message's file and then fills it; a reader that comes between finds it empty, and its worker
    dies of that. Here a message is written under another name and appears when it is whole.
    """

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{filesystem.monotonic() * 1000:015.0f}_{filesystem.uuid.uuid4()}.{queue}.msg"
        hidden = os.path.join(self.data_folder_out, f".{name}.part")
        with open(hidden, "wb") as file:
            file.write(str_to_bytes(dumps(payload)))
        os.replace(hidden, os.path.join(self.data_folder_out, name))


class Transport(filesystem.Transport):
    Channel = Channel


def install() -> None:
    """Let ``filesystem://`` mean this transport."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
