"""A listener for mail in a thread of the test, and letters that can be answered there."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from service.database.store import Store
from service.notices import replies
from service.people import bounces
from service.post import listener

_letters = count(1)


@contextmanager
def listening(store: Store, port: int = 0, *, seconds: float = listener.SECONDS, **more: Any) -> Iterator[int]:
    """Run a listener and yield its port. At the end it is told to stop, and must have stopped."""
    bound = socket.create_server(("127.0.0.1", port))
    begun = threading.Event()
    told: list[Any] = []

    async def run() -> None:
        ended = asyncio.Event()
        told.extend((asyncio.get_running_loop(), ended))
        begun.set()
        await listener.listen(listener.Listener(store, **more), bound, ended, seconds=seconds)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    begun.wait()
    try:
        yield bound.getsockname()[1]
    finally:
        loop, ended = told
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        bound.close()


def letter(store: Store) -> str:
    """Return an address at which a letter is answered."""
    issued = replies.issue(store.settings, f"<letter.{next(_letters)}@localhost>", "turn", person_id=None)
    assert issued is not None
    with store.write() as conn:
        replies.keep(conn, [issued], ["Your turn"], store.time())
    return issued.address


def returning(store: Store) -> str:
    """Return an address to which a letter comes back."""
    sent = bounces.issue(store.settings, f"<letter.{next(_letters)}@localhost>", "ann@example.org")
    assert sent is not None
    with store.write() as conn:
        bounces.keep(conn, sent, None, store.time())
    return sent.address
