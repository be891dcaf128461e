"""One unit of work of a request, a task or a command on the store.

It knows the open connection, the statements that may share a trip, and the loaded games, so that no other code has to.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from service.base.lately import Lately
from service.database.store import Store, Stored


class Work:
    """A unit of work. It loads a game once, until it changes it. It belongs to one thread and survives a failure.

    ``made``: values computed from loaded games.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._games: dict[str, Stored] = {}
        self.made: Lately[Any] = Lately(8)
        self._open: Connection | None = None

    def game(self, game_id: str) -> Stored:
        """Return the game as it was when this work first asked for it. Raise `NoSuchGame`, `Outdated`."""
        known = self._games.get(game_id)
        if known is None:
            with self.store.read_autocommit() as conn:
                known = self._games[game_id] = self.store.load(conn, game_id)
        return known

    def forget(self, game_id: str) -> None:
        """Forget the game after a change, so that the next caller loads it again."""
        self._games.pop(game_id, None)

    @property
    def is_open(self) -> bool:
        """Is a transaction open? All reads and writes use it then."""
        return self._open is not None

    @contextmanager
    def locked(self, game_id: str, submission_id: str | None = None) -> Iterator[Stored]:
        """Yield the present game in a transaction for all reads and writes until the end of the block.

        ``submission_id``: as in `Store.load`.
        """
        with self.store.write() as conn:
            self._open = conn
            try:
                stored = self._games[game_id] = self.store.load(conn, game_id, submission_id)
                yield stored
            finally:
                self._open = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection for reading: that of the open transaction, or a new one."""
        if self._open is not None:
            yield self._open
        else:
            with self.store.read() as conn:
                yield conn

    @contextmanager
    def writing(self, *, append_only: bool = False) -> Iterator[Connection]:
        """Yield the open transaction, or a new one; ``append_only``: as in `Store.append_only`."""
        if self._open is not None:
            yield self._open
        else:
            with self.store.append_only() if append_only else self.store.write() as conn:
                yield conn
