"""Connections to PostgreSQL by psycopg. Only this module loads it, since the embedded profile does not need it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg.errors import ConnectionTimeout
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

PING_SECONDS = 3.0
"""The wait for the answer of a connection that was idle."""
IDLE_SECONDS = 2.0
"""A connection to PostgreSQL that has been idle for longer is tested before use."""


def attend(engine: Engine, answer_within: float | None) -> None:
    """Let an engine make its connections here, and test those that were idle."""
    event.listen(engine, "do_connect", _connector(answer_within))
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _ping_when_idle)


class Connected(psycopg.Connection[Any]):
    """A connection that is closed if no answer has come for `answer_within` seconds (None: never)."""

    answer_within: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait as psycopg does, which calls this for every wait for the server."""
        limit = self.answer_within if timeout is None else timeout
        try:
            return super().wait(gen, interval, limit)
        except psycopg.OperationalError:
            # A server's error ends the statement. Here the statement still runs, so the connection cannot be used
            # again.
            if timeout is not None or self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.close()
            raise ConnectionTimeout(f"the server has not answered for {limit} s") from None


REST = 2.0
"""Seconds between two tries while the server is away: otherwise all callers would queue, each for `connect_timeout`."""


def _connector(answer_within: float | None) -> Callable[..., Connected]:
    """Return the function that makes connections (an SQLAlchemy event)."""
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
    """Test an idle connection, so that no player's move hits a restarted server. A test each time would cost a trip."""
    if was_idle(record.info) and not answers(connection):
        raise DisconnectionError


def was_idle(info: Any) -> bool:
    """Has a connection been idle for long? ``info``: of its record in the pool."""
    return bool(time.monotonic() - info.get("used", time.monotonic()) >= IDLE_SECONDS)


def answers(connection: Connected) -> bool:
    """Does a connection that was idle still work?"""
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
