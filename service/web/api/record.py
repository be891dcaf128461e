"""The caller's own record of finished games."""

from typing import Any

from flask import Response

from service.record import files
from service.record.reading import Record, Wanted, ends_on, record
from service.web.api import record_schemas as schemas
from service.web.api.api import Blueprint, needs
from service.web.shared.context import lang, person, store

blueprint = Blueprint("record", __name__, url_prefix="/api/v1/me", description="Your record of finished games")

CSV = "text/csv"


@blueprint.route("/record", methods=["GET"])
@needs("read")
@blueprint.arguments(schemas.RecordQuery, location="query")
@blueprint.response(200, schemas.Record)
def show_record(given: dict[str, Any]) -> Any:
    """Show your finished games, results, and the time you took to move

    Nobody else can see this. Cancelled games do not count. The time to move runs from the moment at which a game
    begins to wait for you to your first move. It leaves out pauses, days off, turns that somebody played for you, and
    games without a clock. Games appear some seconds after their end.
    """
    return _record(given)


@blueprint.route("/record.csv", methods=["GET"])
@needs("read")
@blueprint.arguments(schemas.RecordQuery, location="query")
@blueprint.response(200, {"type": "string"}, content_type=CSV)
def show_record_as_csv(given: dict[str, Any]) -> Any:
    """Show your finished games as CSV, for spreadsheets"""
    response = Response(files.as_csv(_record(given)), content_type=f"{CSV}; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="slowtrain-record.csv"'
    return response


def _record(given: dict[str, Any]) -> Record:
    who = person("read")
    wanted = Wanted(
        given["title"], given["seats"], given["against"], **ends_on(given["first_day"], given["last_day"], who.zone)
    )
    with store.read() as conn:
        return record(conn, who.id, lang(), wanted)
