"""Standing wishes for a game: *Find me a game*."""

from typing import Any

from flask import Response

from service.base import hints
from service.people.accounts import TooMany
from service.web.api import wish_schemas as schemas
from service.web.api.api import Blueprint, needs
from service.web.shared import limits
from service.web.shared.context import now, person, store
from service.web.shared.problems import Problem
from service.wishes import wishes
from service.wishes.wishes import BadWish, WantedGame

blueprint = Blueprint("wishes", __name__, url_prefix="/api/v1/me/wishes", description="Find me a game")


@blueprint.route("", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.Wishes)
def list_wishes() -> Any:
    """List my wishes for a game, with the seats that are kept for me

    To take such a seat, join its game before its time is over, or decline it. The game starts by itself when everybody
    has sat down.
    """
    who = person("read")
    with store.read() as conn:
        return {"wishes": wishes.of_person(conn, who.id, now())}


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.WishGiven)
@blueprint.response(201, schemas.WishMade)
def make_wish(given: dict[str, Any]) -> Any:
    """Look for a game

    As soon as there are people whose wishes fit, the service opens a table and keeps a seat for each: for 48 hours, at
    a live pace for two minutes. If you let two such seats go by, the wish ends. The same wish again is the one before.
    """
    who = person("play")
    limits.spend("games of", str(who.id), limits.GAMES_PER_PERSON)
    several = {name: tuple(given[name]) for name in wishes.LISTS}
    try:
        with store.write() as conn:
            number = wishes.add(conn, store.titles, who.id, WantedGame(**given | several), now())
    except BadWish as bad:
        raise Problem("shape", errors={"json": {bad.field: ["No game fits this."]}}) from None
    except TooMany:
        raise Problem("too_many") from None
    hints.wake("wishes")
    return {"id": number}


@blueprint.route("/<int(max=2147483647):number>", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def withdraw_wish(number: int) -> Any:
    """Withdraw a wish

    A seat that is kept for you goes to somebody else. Where you have sat down already, you stay.
    """
    who = person("play")
    with store.write() as conn:
        if not wishes.withdraw(conn, who.id, number):
            raise Problem("not_found")
    hints.wake("wishes")
    return Response(status=204)
