"""Health for monitoring: the process lives, can work, and its work gets done."""

import time
from typing import Any

import structlog
from flask import Blueprint
from sqlalchemy.exc import SQLAlchemyError

from service.base.clock import SECOND
from service.database.store import Busy
from service.notices import watch
from service.notices.watch import Troubles
from service.post.imap import TROUBLES
from service.web.shared.context import store

blueprint = Blueprint("health", __name__)
log = structlog.get_logger(__name__)

WARN_EVERY = 60.0
"""Seconds between two warnings of a process."""

_warned_at = -WARN_EVERY


@blueprint.get("/healthz")
def healthz() -> Any:
    """The process lives."""
    return {"status": "ok"}


@blueprint.get("/readyz")
def readyz() -> Any:
    """The database answers and has the shape that this program expects."""
    from service.database.migrations import fits  # only this view needs Alembic

    try:
        with store.read() as conn:
            ready = fits(conn)
    except (SQLAlchemyError, Busy):
        return {"status": "the database does not answer"}, 503
    return ({"status": "ok"}, 200) if ready else ({"status": "the tables are of another version"}, 503)


@blueprint.get("/healthz/work")
def work() -> Any:
    """Mail leaves, webhooks are called, clocks are looked at, bots play: nothing has been due for too long.

    ``mail_server``: since how many seconds it takes no mail, and how many conversations of the last minutes failed.
    ``mailbox``: since how many seconds no answers can be fetched from it, and why.
    ``time``: of the last day, if the clock jumped or nobody swept. That was made good, and is no fault of the moment.

    Not a part of `readyz`: a web process without workers still takes moves, and must not be taken from its players.
    """
    try:
        at = store.now()
        found = watch.troubles(store, at)
        with store.read() as conn:
            jumps = watch.jumps(conn, at)
    except (SQLAlchemyError, Busy):
        return {"status": "the database does not answer"}, 503
    time_was = {"time": jumps} if jumps else {}
    if not found:
        return {"status": "ok"} | time_was
    status = _status(found)
    told: dict[str, Any] = {"seconds": found.late} if found.late else {}
    if it := found.server:
        told["mail_server"] = {"seconds": (at - it.since) // SECOND, "failed": it.failed, "of": it.of}
    if box := found.mailbox:
        told["mailbox"] = {"seconds": (at - box.since) // SECOND, "trouble": TROUBLES[box.trouble]}
    _warn(status, told)
    return {"status": status} | told | time_was, 503


def _status(found: Troubles) -> str:
    if found.late:
        return "work is overdue"
    return "the mail server takes no mail" if found.server else "no answers can be fetched"


def _warn(status: str, told: dict[str, Any]) -> None:
    global _warned_at
    if time.monotonic() - _warned_at >= WARN_EVERY:
        _warned_at = time.monotonic()
        log.warning(status, **told)
