"""One unit of work: what a request, a task or a command does with the store.

It knows which connection is open, what may go in one trip, and which games were loaded, so that nobody else need to.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from sqlalchemy import Connection

from service.database.store import Store, Stored

T = TypeVar("T")


class Work:
    """A game is loaded once, until it is changed here. For one thread; what follows a failure may go on with it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._games: dict[str, Stored] = {}
        self._made: dict[str, tuple[Stored, dict[Hashable, Any]]] = {}
        self._open: Connection | None = None

    def game(self, game_id: str) -> Stored:
        """The game as it was when this work first asked for it. Raises `NoSuchGame`, `Outdated`."""
        known = self._games.get(game_id)
        if known is None:
            with self.store.look() as conn:
                known = self._games[game_id] = self.store.load(conn, game_id)
        return known

    def forget(self, game_id: str) -> None:
        """The game has changed: who asks next is told how it is then."""
        self._games.pop(game_id, None)
        self._made.pop(game_id, None)

    def once(self, stored: Stored, what: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` makes of a game as it was loaded: made once, found again under ``what``."""
        known = self._made.get(stored.game.id)
        if known is None or known[0] is not stored:
            known = self._made[stored.game.id] = stored, {}
        made = known[1]
        if what not in made:
            made[what] = make()
        return cast(T, made[what])

    @property
    def is_open(self) -> bool:
        """Whether a transaction is open, in which all of this is read and written."""
        return self._open is not None

    @contextmanager
    def locked(self, game_id: str, submission_id: str | None = None) -> Iterator[Stored]:
        """The game as it is now, in a transaction in which all is read and written until the end of the block.

        ``submission_id``: as `Store.load` takes it.
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
        """A connection for reading: that of the transaction that is open, or one of its own."""
        if self._open is not None:
            yield self._open
        else:
            with self.store.read() as conn:
                yield conn

    @contextmanager
    def writing(self, *, append_only: bool = False) -> Iterator[Connection]:
        """The transaction that is open, or one of its own; ``append_only``: as `Store.append_only` has it."""
        if self._open is not None:
            yield self._open
        else:
            with self.store.append_only() if append_only else self.store.write() as conn:
                yield conn
