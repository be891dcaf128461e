"""A game as a file: what the asker may see of it, ready to be proved elsewhere."""

from typing import Any

from flask import Response, request
from limits import parse
from sqlalchemy import Connection

from service.games.queries import Seen
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.api.games import game
from service.web.shared import limits
from service.web.shared.context import lang, store

blueprint = Blueprint("audit", __name__, url_prefix="/api/v1/games", description="A game as a file that proves itself.")

JSONL = "application/jsonl"
TYPES = {"html": "text/html", "jsonl": JSONL}
PAGE_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; frame-ancestors 'none'"
)
"""The page brings its own script. It is a download; even if a browser opens it, it is no page of this site."""
PAGES_PER_ADDRESS = (parse("20 per minute"), parse("200 per hour"))
"""Every position of a game is drawn for a page: a second's work."""


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
        seen = game(conn, game_id, given["invite"])
        response = download(conn, seen, given["format"] or _wanted(), lang())
    response.vary.add("Accept")
    return response


def download(conn: Connection, seen: Seen, form: str, lang: str) -> Response:
    """The game as its viewer may see it, as a file. The pages answer with it, too."""
    if form == "html":
        limits.spend_by_address("audit", PAGES_PER_ADDRESS)
    game_id = seen.game.id
    plies = store.stored_plies(conn, game_id, 0, seen.game.version)
    bundle = make.bundle(seen.stored, plies, seen.seat)
    if form == "html":
        from service.proof.bundle import page  # fonts are needed here alone

        body = page.page(bundle, seen.stored, plies, seen.seat, lang)
    else:
        body = write(bundle)
    response = Response(body, content_type=f"{TYPES[form]}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="slowtrain-{game_id}.{form}"'
    if form == "html":
        response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


def _wanted() -> str:
    """A browser that asks without saying what for gets the page, a program the lines."""
    best = request.accept_mimetypes.best_match((JSONL, "text/html"))
    return "html" if best == "text/html" else "jsonl"
