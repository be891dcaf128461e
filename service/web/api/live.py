"""The stream of live pages, for programs: its address, with the tokens that it needs."""

from typing import Any
from urllib.parse import urlencode

from service.base import links
from service.base.clock import iso
from service.games import queries
from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.shared.context import now, person, settings, store

blueprint = Blueprint(
    "live", __name__, url_prefix="/api/v1/live", description="Hearing at once that a game has changed"
)


@blueprint.route("", methods=["GET"])
@needs("read")
@blueprint.arguments(schemas.LiveQuery, location="query")
@blueprint.response(200, schemas.Live)
def stream(given: dict[str, Any]) -> Any:
    """Get the address of your stream

    The stream (`text/event-stream`) tells the ids of games that have changed for you, and nothing else. Ask for a game
    when you hear its id. The stream ends at `until`; then get a new address. Begin with a look at your games, and look
    now and then, since a line can get lost. If the stream does not begin with the event `here` within five seconds,
    something on the way holds it back.
    """
    who, at = person("read"), now()
    topics = [links.topic_of_person(who.id)]
    if given["game"]:
        with store.read() as conn:
            seen = queries.game_for(store, conn, who.id, given["game"], invite=given["invite"])
        topics += [links.topic_of_game(seen.game.id)] if seen.seat is None else []
    tokens = urlencode([("t", links.live(settings, each, at)) for each in topics])
    return {"address": f"{settings.site}/live?{tokens}", "until": iso(at + links.LIVE_LASTS)}
