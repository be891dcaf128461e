"""Connections to PostgreSQL by psycopg, which is loaded with this module alone: at home nobody needs it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg.errors import ConnectionTimeout
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

PING_SECONDS = 3.0
"""How long it is waited for whether a connection that was idle still works."""
IDLE_SECONDS = 2.0
"""A connection to PostgreSQL that has been idle for longer is tried before it is used."""


def attend(engine: Engine, answer_within: float | None) -> None:
    """Let an engine's connections be made here, and be tried when they were idle."""
    event.listen(engine, "do_connect", _connector(answer_within))
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _ping_when_idle)


class Connected(psycopg.Connection[Any]):
    """A connection that is given up when no answer has come for `answer_within` seconds (None: never)."""

    answer_within: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """As in psycopg, which calls it for all that waits for the server."""
        limit = self.answer_within if timeout is None else timeout
        try:
            return super().wait(gen, interval, limit)
        except psycopg.OperationalError:
            # What the server says ends the statement; this one goes on, and nobody may use the connection any more.
            if timeout is not None or self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.close()
            raise ConnectionTimeout(f"the server has not answered for {limit} s") from None


REST = 2.0
"""Seconds between two tries while nobody answers: else all who ask would wait in line, each for `connect_timeout`."""


def _connector(answer_within: float | None) -> Callable[..., Connected]:
    """What makes connections (an SQLAlchemy event)."""
    silent = False
    tried_at = 0.0

    def connect(_dialect: Any, _record: Any, args: Sequence[Any], given: dict[str, Any]) -> Connected:
        nonlocal silent, tried_at
        if silent and time.monotonic() - tried_at < REST:
            raise ConnectionTimeout("the server did not answer a moment ago")
        tried_at = time.monotonic()
        try:
            made = Connected.connect(*args, **given)
        except ConnectionTimeout:
            silent = True
            raise
        silent = False
        made.answer_within = answer_within
        return made

    return connect


def _note_use(connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ping_when_idle(connection: Any, record: Any, _: Any) -> None:
    """A server that was restarted is not found out by a player's move. (Trying each time would cost each a trip.)"""
    if was_idle(record.info) and not answers(connection):
        raise DisconnectionError


def was_idle(info: Any) -> bool:
    """Whether a connection has not been used for a while. ``info``: what its record in the pool says."""
    return bool(time.monotonic() - info.get("used", time.monotonic()) >= IDLE_SECONDS)


def answers(connection: Connected) -> bool:
    """Whether a connection that was idle still works."""
    usual, connection.answer_within = connection.answer_within, PING_SECONDS
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        connection.rollback()
    except psycopg.Error:
        return False
    finally:
        connection.answer_within = usual
    return True
