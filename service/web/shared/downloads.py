"""A game as a file: everything its viewer may see, in a form that can be checked elsewhere.

The lines of its log are written at once. Drawing a page takes long, so a worker does it and the client asks again.
"""

from flask import Response
from limits import parse
from sqlalchemy import Connection

from service.base import hints
from service.games.queries import Seen
from service.proof import drawn
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.web.shared import limits
from service.web.shared.context import now, store
from service.web.shared.problems import Problem

JSONL = "application/jsonl"
TYPES = {"html": "text/html", "jsonl": JSONL}
PAGE_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; frame-ancestors 'none'"
)
"""The page brings its own script. It is a download, so even when a browser opens it, it is not a page of this site."""
PAGES_PER_PERSON = (parse("5 per minute"), parse("60 per day"))
"""For a spectator who is not signed in the limit is per address."""
ASK_AGAIN = 2
"""Seconds after which the client asks again for a page that is being drawn."""


def lines(conn: Connection, seen: Seen) -> Response:
    """Return the game as lines, as its viewer may see it. Pages use it, too."""
    plies = store.stored_plies(conn, seen.game.id, 0, seen.game.version)
    return _file(seen, "jsonl", write(make.bundle(seen.stored, plies, seen.seat)))


def drawn_page(seen: Seen, lang: str, since: int | None) -> Response | None:
    """Return the game as a page, as its viewer may see it; None while it is being drawn.

    ``since``: the version at which the viewer first asked; a page of it or of a later one will do. Raises `Problem`.
    """
    at, version = now(), seen.game.version
    try:
        with store.read() as conn:
            kept = drawn.kept(conn, seen, lang, min(since or version, version), at)
    except drawn.NotDrawn:
        raise Problem("broken") from None
    if not kept.is_asked_for:
        if seen.viewer is None:
            limits.spend_by_address("pages for", PAGES_PER_PERSON)
        else:
            limits.spend("pages of", str(seen.viewer), PAGES_PER_PERSON)
        with store.write() as conn:
            drawn.ask(conn, seen, lang, at)
        hints.wake("pages")
    if kept.body is None:
        return None
    response = _file(seen, "html", kept.body)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


def _file(seen: Seen, form: str, body: bytes) -> Response:
    response = Response(body, content_type=f"{TYPES[form]}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="slowtrain-{seen.game.id}.{form}"'
    return response
