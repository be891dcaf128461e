"""A game as a file: what its viewer may see of it, ready to be proved elsewhere."""

from flask import Response
from limits import parse
from sqlalchemy import Connection

from service.games.queries import Seen
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.web.shared import limits
from service.web.shared.context import store

JSONL = "application/jsonl"
TYPES = {"html": "text/html", "jsonl": JSONL}
PAGE_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; frame-ancestors 'none'"
)
"""The page brings its own script. It is a download; even if a browser opens it, it is no page of this site."""
PAGES_PER_ADDRESS = (parse("20 per minute"), parse("200 per hour"))
"""Every position of a game is drawn for a page: a second's work."""


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
