"""Feeds for calendars and feed readers: turns with a deadline (iCalendar), and the story of games (Atom)."""

from typing import Any

from flask import Response, request

from service.database.store import Busy
from service.games import queries
from service.people import feeds
from service.people.feeds import Kind, Subscriber
from service.web.api import channel_schemas as schemas
from service.web.api.api import Blueprint, described, needs
from service.web.api.games import game
from service.web.feeds import atom, turn_calendar
from service.web.shared.context import lang, now, settings, store
from service.web.shared.problems import Problem

blueprint = Blueprint("feeds", __name__, url_prefix="/api/v1", description="Feeds for calendars and feed readers")

ATOM = "application/atom+xml"
CALENDAR = "text/calendar"
TOKEN = f"<string(length={feeds.TOKEN_LENGTH}):token>"


def secret(view: Any) -> Any:
    """Mark a view whose address is its own key."""
    return described(view, security=[{}])


# ==== for everybody who may see the game ==========================================================
@blueprint.route("/games/<game:game_id>/log.atom", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.AtomQuery, location="query")
@blueprint.response(200, {"type": "string"}, content_type=ATOM)
def game_feed(given: dict[str, Any], game_id: str) -> Any:
    """The story of a game as an Atom feed"""
    language = given["lang"] or lang()
    with store.read() as conn:
        seen = game(game_id, given["invite"])
        known = seen.row.public and not given["invite"]
        address = f"{settings.site}{request.path}?lang={language}" if known else None
        return _answer(atom.of_game(store, conn, seen, language, address=address), ATOM)


# ==== for bearers of the secret address ===========================================================
@blueprint.route(f"/feeds/{TOKEN}/turns.ics", methods=["GET"])
@secret
@blueprint.response(200, {"type": "string"}, content_type=CALENDAR)
def turn_feed(token: str) -> Any:
    """One's turns with a deadline, as a calendar"""
    who = _subscriber("calendar", token)
    with store.read() as conn:
        return _answer(turn_calendar.calendar(store, conn, who.id, who.lang), CALENDAR)


@blueprint.route(f"/feeds/{TOKEN}/games.atom", methods=["GET"])
@secret
@blueprint.response(200, {"type": "string"}, content_type=ATOM)
def person_feed(token: str) -> Any:
    """The story of one's games as an Atom feed"""
    who = _subscriber("story", token)
    with store.read() as conn:
        return _answer(atom.of_person(store, conn, who.id, who.name, who.lang), ATOM)


@blueprint.route(f"/feeds/{TOKEN}/games/<game:game_id>.atom", methods=["GET"])
@secret
@blueprint.response(200, {"type": "string"}, content_type=ATOM)
def person_game_feed(token: str, game_id: str) -> Any:
    """The story of one game as an Atom feed, as its subscriber may see it"""
    who = _subscriber("story", token)
    with store.read() as conn:
        seen = queries.game_for(store, conn, who.id, game_id, lang=who.lang)
        return _answer(atom.of_game(store, conn, seen, who.lang), ATOM)


def _subscriber(kind: Kind, token: str) -> Subscriber:
    at = now()
    with store.read() as conn:
        who = feeds.subscriber(conn, kind, token, at)
    if who is None:
        raise Problem("not_found")
    if who.stale:
        _note(who, kind, at)
    return who


def _note(who: Subscriber, kind: Kind, at: int) -> None:
    try:
        with store.write() as conn:
            feeds.seen(conn, who.id, kind, at)
    except Busy:
        return  # the next request tries again


def _answer(body: bytes, kind: str) -> Response:
    """Answer with a feed, or 304 if the reader has it already."""
    response = Response(body, content_type=f"{kind}; charset=utf-8")
    response.headers["Cache-Control"] = "private, no-cache"  # it may be kept, but must be revalidated
    response.add_etag()
    tag, _ = response.get_etag()
    if request.if_none_match.contains_weak(tag or ""):
        response.status_code = 304
        response.data = b""
        del response.headers["Content-Type"]
    return response
