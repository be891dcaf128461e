"""A game as a file: what the asker may see of it, ready to be proved elsewhere."""

from typing import Any

from flask import request

from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.api.games import game
from service.web.shared.context import lang, store
from service.web.shared.downloads import JSONL, download

blueprint = Blueprint("audit", __name__, url_prefix="/api/v1/games", description="A game as a file that proves itself.")


@blueprint.route("/<game:game_id>/audit", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.AuditQuery, location="query")
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type=JSONL)
@blueprint.alt_response(200, schema={"type": "string"}, content_type="text/html")
def audit(given: dict[str, Any], game_id: str) -> Any:
    """The game as a file that proves itself

    As JSON lines or, where `format` or `Accept` asks for it, as one HTML page that needs no network. While the game
    runs, it holds what the asker may see; when it has ended, everything. `slowtrain verify` proves both.
    """
    with store.read() as conn:
        seen = game(game_id, given["invite"])
        response = download(conn, seen, given["format"] or _wanted(), lang())
    response.vary.add("Accept")
    return response


def _wanted() -> str:
    """A browser that asks without saying what for gets the page, a program the lines."""
    best = request.accept_mimetypes.best_match((JSONL, "text/html"))
    return "html" if best == "text/html" else "jsonl"
