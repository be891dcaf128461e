"""The tokens by which a browser's stream hears ticks. Each lasts half an hour; then the browser asks again."""

from typing import Any

from service.base import links
from service.games import queries
from service.web.pages.frame import reader
from service.web.pages.live import room
from service.web.pages.parts.visits import visit
from service.web.shared.context import now, settings, store
from service.wishes import wishes


@room.get("/live/mine")
def mine() -> dict[str, Any]:
    """Return the token of a signed-in reader, and the number of games and kept seats that wait for them.

    Others get nothing. It names no game, so asking does not count as looking at a table.
    """
    who = reader().id
    if who is None:
        return {}
    with store.read() as conn:
        waiting = queries.waiting(conn, who) + len(wishes.offers_to(conn, who))
    return {"token": links.live(settings, links.topic_of_person(who), now()), "waiting": waiting}


@room.get("/games/<game:game_id>/live")
def watched(game_id: str) -> dict[str, Any]:
    """Return the token of a reader who watches this game; nothing for players, who hear of all their games."""
    seen = visit(game_id)
    if seen.seat is not None:
        return {}
    return {"token": links.live(settings, links.topic_of_game(game_id), now())}
