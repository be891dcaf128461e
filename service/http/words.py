"""Words of luck: who brought some, and whether the asker's own went in."""

from typing import Any

from domain import house_words
from service import queries
from service.http import schemas
from service.http.api import Blueprint, needs, plain
from service.http.context import lang, store
from service.http.games import game
from service.queries import Seen

blueprint = Blueprint("words", __name__, url_prefix="/api/v1/games", description="Words of luck that seats bring")


@blueprint.route("/<game:game_id>/words", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.InviteQuery, location="query")
@blueprint.response(200, schemas.Words)
def show_words(given: dict[str, Any], game_id: str) -> Any:
    """Who brought words of luck

    And what the asker brought, with the ply that it went into.
    """
    with store.read() as conn:
        seen = game(conn, game_id, given["invite"])
        mine = queries.brought(store, conn, seen)
    return _words(seen, mine)


def _words(seen: Seen, mine: queries.Brought | None) -> dict[str, Any]:
    table = seen.game.table
    assert table is not None
    said = house_words.of_luck(table)
    return {
        "commitment": table.commitment,
        "brought": {str(seat): chair.brought for seat, chair in sorted(table.chairs.items())},
        "bots": [seat for seat, chair in sorted(table.chairs.items()) if chair.bot],
        "choosable": None if said is None else table.choosable,
        "sentence": said and seen.say(said, lang()),
        "mine": mine and plain(mine),
    }
