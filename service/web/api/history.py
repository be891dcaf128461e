"""The history of a game: plies, past positions, the story, the result, and pictures of the board."""

from typing import Any

from flask import Response
from sqlalchemy import Connection

from domain.game import Game
from service.base.clock import iso
from service.games import drawings, lookback, queries
from service.games.queries import Seen, StoryPly
from service.web.api import schemas
from service.web.api.api import Blueprint, needs, plain, tagged
from service.web.api.games import game, position
from service.web.shared.context import lang, store
from service.web.shared.problems import Problem

blueprint = Blueprint("history", __name__, url_prefix="/api/v1/games", description="The history of a game")

SVG_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self' data:; img-src data:; frame-ancestors 'none'"
)


# ==== plies =======================================================================================
@blueprint.route("/<game:game_id>/plies", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.SinceQuery, location="query")
@blueprint.response(200, schemas.Plies)
def list_plies(given: dict[str, Any], game_id: str) -> Any:
    """List the plies since a version, as far as the caller may see them

    After the end of the game, the answer shows them whole.
    """
    seen = game(game_id, given["invite"])
    with store.read() as conn:
        told, more = _plies(conn, seen, given)
    body = {"version": seen.version, "plies": [_ply(it) for it in told], "more": more}
    return tagged(body, schemas.Plies(), seen.version)


def _plies(conn: Connection, seen: Seen, given: dict[str, Any]) -> tuple[list[StoryPly], bool]:
    until = given["since"] + given["limit"]
    return queries.plies(store, conn, seen, lang(), since=given["since"], until=until), until < seen.game.version


def _ply(told: StoryPly) -> dict[str, Any]:
    ply = told.ply
    return {
        "ply": ply.number,
        "at": iso(ply.at) if ply.at else None,
        "seat": ply.seat,
        "cause": ply.cause or None,
        "rules": ply.rules,
        "command": None if ply.command is None else plain(ply.command),
        "events": [plain(event) for event in ply.events],
        "draws": [plain(draw) for draw in ply.draws],
        "withdrawn": told.withdrawn,
        "link": told.link.hex(),
    }


@blueprint.route("/<game:game_id>/log", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.SinceQuery, location="query")
@blueprint.response(200, schemas.Log)
def tell_log(given: dict[str, Any], game_id: str) -> Any:
    """The story of the game in sentences"""
    seen = game(game_id, given["invite"])
    with store.read() as conn:
        told, more = _plies(conn, seen, given)
    body = {
        "version": seen.version,
        "log": [it for it in told if not it.hidden],
        "more": more,
        "until": told[-1].ply.number if told else min(given["since"], seen.game.version),
    }
    return tagged(body, schemas.Log(), seen.version)


# ==== positions ===================================================================================
@blueprint.route("/<game:game_id>/versions/<int(max=2147483647):version>", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.EyesQuery, location="query")
@blueprint.response(200, schemas.Position)
def show_version(given: dict[str, Any], game_id: str, version: int) -> Any:
    """Show the game at a version, as your seat saw it

    After the end of the game, you can choose any of its seats.
    """
    seen = queries.through_eyes_of(game(game_id, given["invite"]), given["seat"])
    with store.read() as conn:
        past = queries.position(store, conn, seen, version)
    return {**position(seen, past), "version": version}


@blueprint.route("/<game:game_id>/changes", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.ChangesQuery, location="query")
@blueprint.response(200, schemas.Changes)
def show_changes(given: dict[str, Any], game_id: str) -> Any:
    """Show the changes between two versions, in words

    Either version can be the later one. Plies that were taken back or undone are listed in `removed`.
    """
    seen = queries.through_eyes_of(game(game_id, given["invite"]), given["seat"])
    with store.read() as conn:
        to = seen.game.version if given["to"] is None else given["to"]
        since = lookback.last_own(store, conn, seen) if given["since"] is None else given["since"]
        found = lookback.changes(store, conn, seen, since, to, lang())
    return {
        "since": found.since,
        "to": found.to,
        "differences": found.differences,
        "added": [it for it in found.added if not it.hidden],
        "removed": [it for it in found.removed if not it.hidden],
    }


# ==== the result ==================================================================================
@blueprint.route("/<game:game_id>/result", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.InviteQuery, location="query")
@blueprint.response(200, schemas.Result)
def show_result(given: dict[str, Any], game_id: str) -> Any:
    """Show how the game ended, with the secret that proves it"""
    seen = game(game_id, given["invite"])
    result, secret = queries.result(seen), queries.secret(seen)
    if result is None or secret is None:
        raise Problem("no_result")
    body = {
        "winners": list(result.winners),
        "standings": [
            {
                "seat": line.seat,
                "name": seen.player(line.seat),
                "place": line.place,
                "total": line.total,
                "lines": [
                    {"id": part, "name": seen.language(lang()).name(part), "points": points}
                    for part, points in line.lines
                ],
            }
            for line in result.standings
        ],
        "commitment": seen.table.commitment,
        "secret": secret.hex(),
    }
    return tagged(body, schemas.Result(), seen.version)


# ==== pictures ====================================================================================
@blueprint.route("/<game:game_id>/board.svg", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.BoardQuery, location="query")
@blueprint.response(200, {"type": "string"}, content_type="image/svg+xml")
def draw_svg(given: dict[str, Any], game_id: str) -> Any:
    """The board as SVG"""
    return svg(*_view(game_id, given), given["theme"])


def svg(seen: Seen, view: Any, theme: Any) -> Response:
    """Answer with a drawing of the board."""
    picture = seen.title.face.picture(view, theme, seen.language(lang()))
    drawn = drawings.svg(picture, seen.say(picture.label, lang()))
    response = Response(drawn, content_type="image/svg+xml; charset=utf-8")
    response.headers["Content-Security-Policy"] = SVG_POLICY
    return response


@blueprint.route("/<game:game_id>/board.png", methods=["GET"])
@needs("read", anybody=True)
@blueprint.arguments(schemas.PictureQuery, location="query")
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="image/png")
def draw_png(given: dict[str, Any], game_id: str) -> Any:
    """The board as PNG, as in mails"""
    from service.games import pictures  # only pixels need Pillow and fonts

    seen, view = _view(game_id, given)
    return Response(pictures.png(seen.title, view, lang(), given["width"]), content_type="image/png")


def _view(game_id: str, given: dict[str, Any]) -> tuple[Seen, Any]:
    """Return the board's position; there is none before the game starts."""
    past: Game | None = None
    seen = queries.through_eyes_of(game(game_id, given["invite"]), given["seat"])
    if given["version"] is not None:
        with store.read() as conn:
            past = queries.position(store, conn, seen, given["version"])
    view = queries.view(seen, past)
    if view is None:
        raise Problem("not_found")
    return seen, view
