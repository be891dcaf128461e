"""Words of luck: the seats that brought some, and proof that the caller's own were used."""

from typing import Any

from domain import house_words
from service.base.clock import iso
from service.games import lobby, queries
from service.games.queries import Seen
from service.web.api import schemas
from service.web.api.api import Blueprint, needs
from service.web.api.games import game, moved, submission_id
from service.web.shared.context import by_whom, lang, store, work

blueprint = Blueprint("words", __name__, url_prefix="/api/v1/games", description="Words of luck")


@blueprint.route("/<game:game_id>/words", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.InviteQuery, location="query")
@blueprint.response(200, schemas.Words)
def show_words(given: dict[str, Any], game_id: str) -> Any:
    """Show which seats brought words of luck

    The answer includes the caller's own words, with the ply that recorded them.
    """
    seen = game(game_id, given["invite"])
    with store.read() as conn:
        mine = queries.brought(store, conn, seen)
    return _words(seen, mine)


def _words(seen: Seen, mine: queries.Brought | None) -> dict[str, Any]:
    table = seen.table
    said = house_words.of_luck(table)
    return {
        "commitment": table.commitment,
        "brought": {str(seat): chair.brought for seat, chair in sorted(table.chairs.items())},
        "bots": [seat for seat, chair in sorted(table.chairs.items()) if chair.bot],
        "choosable": None if said is None else table.choosable,
        "sentence": said and seen.say(said, lang()),
        "mine": mine,
        "sealed": table.sealed
        and {
            "owing": list(table.owing),
            "opened": list(table.sealed.opened),
            "failed": table.sealed.failed,
            "due": table.sealed.due and iso(table.sealed.due),
        },
    }


@blueprint.route("/<game:game_id>/words/seal", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.Sealing)
@blueprint.response(200, schemas.Moved)
def seal(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Seal new words after a failed attempt"""
    seen, key = game(game_id), submission_id(headers)
    return moved(lobby.seal_words(work(), by_whom(), game_id, given["sealed"], submission_id=key), seen)


@blueprint.route("/<game:game_id>/words/open", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(schemas.OpeningWords)
@blueprint.response(200, schemas.Moved)
def open_words(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Open your sealed words when all seats are taken

    The last seat to do so starts the game.
    """
    seen, key = game(game_id), submission_id(headers)
    return moved(lobby.open_words(work(), by_whom(), game_id, given["words"], submission_id=key), seen)
