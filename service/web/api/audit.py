"""A game as a file: all that the caller may see, in a form that can be checked elsewhere."""

from typing import Any

from flask import Response, json, request, url_for

from service.games.queries import Seen
from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.api.games import game
from service.web.shared.context import lang, store
from service.web.shared.downloads import ASK_AGAIN, JSONL, drawn_page, lines

blueprint = Blueprint("audit", __name__, url_prefix="/api/v1/games", description="A game as a file that proves itself.")


@blueprint.route("/<game:game_id>/audit", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.AuditQuery, location="query")
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type=JSONL)
@blueprint.alt_response(200, schema={"type": "string"}, content_type="text/html")
@blueprint.alt_response(202, schema=schemas.BeingMade)
def audit(given: dict[str, Any], game_id: str) -> Any:
    """The game as a file that proves itself

    The file is JSON lines or, if `format` or `Accept` asks for it, one HTML page that needs no network. While the game
    runs, it holds only what the caller may see; after the end, everything. `slowtrain verify` proves both forms.

    A page takes seconds to draw. Until it is ready, the answer is 202. Ask again at the address in `Location` after
    `Retry-After` seconds. The page is kept for the caller, by language, for a day or until the next move.
    """
    seen = game(game_id, given["invite"])
    if (given["format"] or _wanted()) == "jsonl":
        with store.read() as conn:
            response = lines(conn, seen)
    else:
        response = drawn_page(seen, lang(), given["since"]) or _being_made(given, seen)
    response.vary.add("Accept")
    return response


def _being_made(given: dict[str, Any], seen: Seen) -> Response:
    since = min(given["since"] or seen.game.version, seen.game.version)
    invite = {"invite": given["invite"]} if given["invite"] else {}
    again = url_for("audit.audit", game_id=seen.game.id, format="html", since=since, **invite)
    body = schemas.BeingMade().dump({"since": since, "again": again})
    response = Response(json.dumps(body), 202, content_type="application/json")
    response.headers["Location"] = again
    response.headers["Retry-After"] = str(ASK_AGAIN)
    return response


def _wanted() -> str:
    """Return the wanted form: the page for a browser that states none, the lines for a program."""
    best = request.accept_mimetypes.best_match((JSONL, "text/html"))
    return "html" if best == "text/html" else "jsonl"
