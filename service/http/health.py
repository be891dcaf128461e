"""For those who watch the service: whether the process lives, and whether it can work."""

from typing import Any

from flask import Blueprint
from sqlalchemy.exc import SQLAlchemyError

from service.http.context import store
from service.store import Busy

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Any:
    """The process lives."""
    return {"status": "ok"}


@blueprint.get("/readyz")
def readyz() -> Any:
    """The database answers and has the shape that this program expects."""
    from service.migrations import is_current  # Alembic is needed here alone

    try:
        with store.read() as conn:
            ready = is_current(conn)
    except (SQLAlchemyError, Busy):
        return {"status": "the database does not answer"}, 503
    return ({"status": "ok"}, 200) if ready else ({"status": "the tables are of another version"}, 503)
