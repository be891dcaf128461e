"""Sandboxes: private copies of positions, which only their owners see and play on."""

from typing import Any

from flask import Response, g

from service.games import queries, sandboxes
from service.games.sandboxes import Sandbox
from service.web.api import sandbox_schemas, schemas
from service.web.api.api import Blueprint, needs, tagged
from service.web.api.games import game, moved, position, submission_id
from service.web.api.history import svg
from service.web.api.moves import action_lines, commands_of, expected_version
from service.web.shared import limits
from service.web.shared.context import by_whom, lang, now, person, store, work

blueprint = Blueprint("sandboxes", __name__, url_prefix="/api/v1", description="Sandboxes: private copies of positions")


# ==== shared by all views =========================================================================
def _mine(sandbox_id: str, eyes: int | None = None) -> tuple[Sandbox, queries.Seen]:
    """Return the caller's own sandbox, and the view of one of its seats."""
    with store.read() as conn:
        box = sandboxes.load(store, conn, person("read").id, sandbox_id, lang())
    g.seen = box.seen(box.eyes(eyes))
    return box, g.seen


def _line(row: Any) -> dict[str, Any]:
    return {
        "id": row.id, "game": row.game_id, "title": row.title, "name": row.name, "note": row.note,
        "begins_at": row.version, "begins_as": row.seat, "imagined": row.imagined, "rules": row.rules,
        "bots": row.bots, "version": row.ply, "last": row.last, "created_at": row.created_at,
        "updated_at": row.updated_at,
    }  # fmt: skip


def _shown(sandbox_id: str, eyes: int | None = None) -> Response:
    box, seen = _mine(sandbox_id, eyes)
    body = {**position(seen), **_line(box.row), "eyes": seen.seat}
    return tagged(body, sandbox_schemas.Sandbox(), box.row.revision)


def _revision(headers: dict[str, Any], row: Any) -> int | None:
    return expected_version(headers, row.revision, needed=False)


# ==== starting and listing ========================================================================
@blueprint.route("/games/<game:game_id>/sandboxes", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.KeyHeaders(), location="headers")
@blueprint.arguments(sandbox_schemas.SandboxBeginning)
@blueprint.response(201, sandbox_schemas.Sandbox)
def begin_sandbox(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Start a sandbox at a position of a game

    While the game runs, the sandbox starts from the view of the caller's seat (or a spectator), and the rest is filled
    in at random. After the end, it starts from the real position. The game itself does not change. If you repeat an
    `Idempotency-Key`, the answer is the sandbox started with it before.
    """
    game(game_id, given["invite"])
    key = submission_id(headers) if "idempotency_key" in headers else None
    made = sandboxes.begin(
        work(), by_whom(given["invite"]), game_id, given["version"], name=given["name"], at=now(), submission_id=key
    )
    response = _shown(made)
    response.status_code = 201
    response.headers["Location"] = f"/api/v1/sandboxes/{made}"
    return response


@blueprint.route("/sandboxes", methods=["GET"])
@needs("read")
@blueprint.arguments(sandbox_schemas.SandboxesQuery, location="query")
@blueprint.response(200, sandbox_schemas.Sandboxes)
def list_sandboxes(given: dict[str, Any]) -> Any:
    """List your sandboxes, the last changed first"""
    with store.read() as conn:
        rows = sandboxes.mine(conn, person("read").id, given["game"])
    return {"sandboxes": [_line(row) for row in rows]}


@blueprint.route("/sandboxes/<game:sandbox_id>", methods=["GET"])
@needs("read")
@blueprint.arguments(sandbox_schemas.EyesQuery, location="query")
@blueprint.response(200, sandbox_schemas.Sandbox)
def show_sandbox(given: dict[str, Any], sandbox_id: str) -> Any:
    """Look at a sandbox, through the eyes of one of its seats"""
    return _shown(sandbox_id, given["seat"])


@blueprint.route("/sandboxes/<game:sandbox_id>", methods=["PATCH"])
@needs("play")
@blueprint.arguments(sandbox_schemas.SandboxChanging)
@blueprint.response(200, sandbox_schemas.Sandbox)
def change_sandbox(given: dict[str, Any], sandbox_id: str) -> Any:
    """Change a sandbox's name, your note, or the players of its seats"""
    _mine(sandbox_id)
    if "bots" in given:
        sandboxes.set_bots(work(), by_whom(), sandbox_id, given["bots"], at=now())
    if "name" in given or "note" in given:
        sandboxes.describe(work(), by_whom(), sandbox_id, name=given.get("name"), note=given.get("note"), at=now())
    return _shown(sandbox_id)


@blueprint.route("/sandboxes/<game:sandbox_id>", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def delete_sandbox(sandbox_id: str) -> Any:
    """Delete a sandbox"""
    sandboxes.throw_away(work(), by_whom(), sandbox_id)
    return Response(status=204)


# ==== playing =====================================================================================
@blueprint.route("/sandboxes/<game:sandbox_id>/actions", methods=["GET"])
@needs("read")
@blueprint.arguments(sandbox_schemas.EyesQuery, location="query")
@blueprint.response(200, sandbox_schemas.SandboxActions)
def list_sandbox_actions(given: dict[str, Any], sandbox_id: str) -> Any:
    """List the legal actions of a seat of a sandbox"""
    box, seen = _mine(sandbox_id, given["seat"])
    body = {"seat": seen.seat, "asked": list(box.asked), "actions": action_lines(seen)}
    return tagged(body, sandbox_schemas.SandboxActions(), box.row.revision)


@blueprint.route("/sandboxes/<game:sandbox_id>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(sandbox_schemas.MatchHeaders(), location="headers")
@blueprint.arguments(sandbox_schemas.SandboxMoving)
@blueprint.response(201, schemas.Moved)
def move_in_sandbox(headers: dict[str, Any], given: dict[str, Any], sandbox_id: str) -> Any:
    """Move for any seat; the bots whose turn it is then answer

    Plies that you stepped back behind are dropped. `plies` are those that count, including those of bots.
    """
    who = person("play").id
    box, seen = _mine(sandbox_id)
    commands = commands_of(seen, given)
    if box.bots:
        limits.spend_bots(who)
    answer = sandboxes.move(
        work(), by_whom(), sandbox_id, given["seat"], commands, revision=_revision(headers, box.row), at=now()
    )
    return moved(answer, seen)


@blueprint.route("/sandboxes/<game:sandbox_id>/play-on", methods=["POST"])
@needs("play")
@blueprint.arguments(sandbox_schemas.MatchHeaders(), location="headers")
@blueprint.arguments(sandbox_schemas.PlayingOn)
@blueprint.response(201, schemas.Moved)
def let_bots_play(headers: dict[str, Any], given: dict[str, Any], sandbox_id: str) -> Any:
    """Let the bots play on

    They stop when it is the turn of a seat that you play, at the end, and after some hundred plies. Ask again to let
    them continue.
    """
    who = person("play").id
    box, seen = _mine(sandbox_id)
    limits.spend_bots(who)
    answer = sandboxes.play_on(
        work(), by_whom(), sandbox_id, everybody=given["everybody"], revision=_revision(headers, box.row), at=now()
    )
    return moved(answer, seen)


@blueprint.route("/sandboxes/<game:sandbox_id>/step", methods=["POST"])
@needs("play")
@blueprint.arguments(sandbox_schemas.MatchHeaders(), location="headers")
@blueprint.arguments(sandbox_schemas.SandboxStepping)
@blueprint.response(200, sandbox_schemas.Sandbox)
def step_in_sandbox(headers: dict[str, Any], given: dict[str, Any], sandbox_id: str) -> Any:
    """Step back and forward

    After it, the same moves meet the same cards and dice. Later plies stay until you make another move.
    """
    with store.read() as conn:
        row = sandboxes.row_of(conn, person("play").id, sandbox_id)
    sandboxes.step(work(), by_whom(), sandbox_id, given["to"], revision=_revision(headers, row), at=now())
    return _shown(sandbox_id)


# ==== story and board =============================================================================
@blueprint.route("/sandboxes/<game:sandbox_id>/log", methods=["GET"])
@needs("read")
@blueprint.response(200, sandbox_schemas.SandboxLog)
def tell_sandbox(sandbox_id: str) -> Any:
    """Show the moves in a sandbox, in sentences"""
    box, seen = _mine(sandbox_id)
    body = {"version": box.row.ply, "log": [_log_entry(seen, ply) for ply in box.plies]}
    return tagged(body, sandbox_schemas.SandboxLog(), box.row.revision)


def _log_entry(seen: queries.Seen, ply: Any) -> dict[str, Any]:
    sentences = [seen.say(sentence, lang()) for sentence in seen.title.face.narrate(ply.events)]
    return {"ply": ply.number, "seat": ply.seat, "cause": ply.cause, "sentences": sentences}


@blueprint.route("/sandboxes/<game:sandbox_id>/board.svg", methods=["GET"])
@needs("read")
@blueprint.arguments(sandbox_schemas.SandboxBoardQuery, location="query")
@blueprint.response(200, {"type": "string"}, content_type="image/svg+xml")
def draw_sandbox(given: dict[str, Any], sandbox_id: str) -> Any:
    """The board of a sandbox as SVG"""
    _, seen = _mine(sandbox_id, given["seat"])
    return svg(seen, queries.view(seen), given["theme"])
