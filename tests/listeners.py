"""A process that hears the ticks of an installation, as the web process of the embedded profile does."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from config.settings import Settings
from service.base import ticks
from service.base.ticks import Tick


class Listener:
    """Reads the ticks that have arrived."""

    def __init__(self, bound: socket.socket) -> None:
        self._bound = bound

    def heard(self) -> list[Tick]:
        """Return the ticks since the last call, in order."""
        found = []
        while True:
            try:
                message = self._bound.recv(65536)
            except BlockingIOError:
                return found
            tick = ticks.decode(message)
            assert tick is not None
            found.append(tick)


@contextmanager
def listening(settings: Settings) -> Iterator[Listener]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        with ticks.address(settings.data_dir.absolute() / ticks.NAME) as its:
            bound.bind(its)
        bound.setblocking(False)
        yield Listener(bound)
