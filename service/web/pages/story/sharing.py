"""The picture of a finished public game, for sites that show one beside a link (Open Graph)."""

import hashlib
from typing import Any

from flask import Response, abort, request, url_for
from limits import parse

from service.base.lately import Lately
from service.games import queries, sharing
from service.games.queries import Seen
from service.web.pages.frame import _, reader
from service.web.pages.story import room
from service.web.shared import limits
from service.web.shared.context import store
from service.words import called, languages

A_DAY = 86_400
PER_ADDRESS = (parse("60 per minute"),)
"""The most pictures for one address: a new one takes some 0.2 s of a core."""
_drawn: Lately[bytes] = Lately(16)
"""The pictures shown last, by game, language and names: a person with a new name, or none, gets another one."""


@room.get("/games/<game:game_id>/picture/<lang>.png")
def picture(game_id: str, lang: str) -> Response:
    """Return the picture. Of a private game or a running one there is none, whoever asks."""
    limits.spend_by_address("pictures to", PER_ADDRESS)
    with store.read() as conn:
        seen = queries.game_for(store, conn, None, game_id, lang=lang)
    if lang not in languages() or not is_shared(seen):
        abort(404)
    names = seen.row.name, *(seen.player(seat) for seat in sorted(seen.table.chairs))
    png = _drawn.of(seen.game, lambda: sharing.picture(seen, lang), lang, *names)
    answer = Response(png, mimetype="image/png")
    answer.headers["Cache-Control"] = f"public, max-age={A_DAY}"
    answer.set_etag(hashlib.sha256(png).hexdigest()[:32])
    answer.make_conditional(request)
    return answer


def is_shared(seen: Seen) -> bool:
    """May everybody see the picture: is the game public, and over?"""
    return bool(seen.row.public) and seen.game.status == "over"


def tags(seen: Seen, ended: str) -> dict[str, Any] | None:
    """Return the facts of a table's page for other sites; None for a private game. ``ended``: who won, or ""."""
    if not seen.row.public:
        return None
    lang, picture = reader().lang, ""
    if is_shared(seen):
        picture = url_for("pages.story.picture", game_id=seen.game.id, lang=lang, _external=True)
    return {
        "name": f"{seen.row.name} · {called(seen.title, lang)}",
        "about": ended or _("A railway game by email"),
        "address": url_for("pages.table.game", game_id=seen.game.id, _external=True),
        "picture": picture,
        "size": sharing.SIZE,
    }
