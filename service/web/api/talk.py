"""Talk at tables, and private notes."""

import secrets
from typing import Any, cast

from flask import Response

from service.base.names import BadName
from service.games import notes, rights, saying, talk, talk_reports, talk_text
from service.games.queries import Seen
from service.games.saying import NoSuchLine, NotSaid
from service.games.talk import Room
from service.games.talk_text import TalkPiece
from service.web.api import schemas
from service.web.api import talk_schemas as shapes
from service.web.api.api import Blueprint, needs
from service.web.shared.context import by_whom, lang, now, person, settings, store, work
from service.web.shared.limits import slower
from service.web.shared.problems import Problem

blueprint = Blueprint("talk", __name__, url_prefix="/api/v1/games", description="Talk at tables, and private notes")

ROOM = "<any(players, spectators):whose>"
LINE = "<int(max=2147483647):number>"


def _seen(game_id: str, invite: str = "") -> Seen:
    return rights.see(work(), by_whom(invite), game_id)


@blueprint.route(f"/<game:game_id>/talk/{ROOM}", methods=["GET"])
@needs("talk")
@blueprint.arguments(shapes.TalkQuery, location="query")
@blueprint.response(200, shapes.RoomOfTalk)
def read_talk(given: dict[str, Any], game_id: str, whose: str) -> Any:
    """Read the talk of a room

    Players read the room of the spectators once the game is over. Lines of people whom you block or mute are left out.
    Reading does not count as having read: send the number of the last line for that.
    """
    seen, room = _seen(game_id, given["invite"]), cast(Room, whose)
    if room not in talk.readable(seen) or not talk.is_on(settings, seen, now()):
        raise Problem("not_found")
    with store.read() as conn:
        found = talk.lines(conn, seen, room, lang(), before=given["before"])
    lines = [
        {
            "number": it.number, "writer": it.writer, "profile": it.profile, "seat": it.seat, "mine": it.mine,
            "new": it.new, "text": talk_text.plain(it.pieces), "parts": [_part(seen, each) for each in it.pieces],
            "said_at": it.said_at,
        }
        for it in found
    ]  # fmt: skip
    return {"room": room, "lines": lines, "kept_until": talk.kept_until(settings, seen)}


def _part(seen: Seen, piece: TalkPiece) -> dict[str, Any]:
    me = piece.kind == "person" and piece.to == str(seen.viewer)
    return {"kind": piece.kind, "text": piece.text, "move": int(piece.to) if piece.kind == "move" else None, "me": me}


@blueprint.route(f"/<game:game_id>/talk/{ROOM}", methods=["POST"])
@needs("talk")
@blueprint.arguments(shapes.TalkSaid)
@blueprint.response(201, shapes.TalkWritten)
def say(given: dict[str, Any], game_id: str, whose: str) -> Any:
    """Write a line

    "@" and a name mentions somebody at the table. Players write in their own room, spectators in theirs.
    """
    try:
        number = saying.say(work(), by_whom(), game_id, given["text"], now(), room=cast(Room, whose), key=given["key"])
    except NotSaid as refused:
        raise _not_said(refused) from None
    return {"number": number}


def _not_said(refused: NotSaid) -> Problem:
    if refused.why == "too_many":
        return slower((refused.until or now()) / 1000)
    if refused.why in ("length", "unseen"):
        return Problem("shape", errors={"json": {"text": [f"The line cannot be written: {refused.why}."]}})
    return Problem("no_talk", why=refused.why)


@blueprint.route(f"/<game:game_id>/talk/{ROOM}/{LINE}", methods=["DELETE"])
@needs("talk")
@blueprint.response(204)
def delete_line(game_id: str, whose: str, number: int) -> Any:
    """Delete a line of your own"""
    try:
        saying.delete_line(work(), by_whom(), game_id, cast(Room, whose), number, now())
    except NoSuchLine:
        raise Problem("not_found") from None
    return Response(status=204)


@blueprint.route(f"/<game:game_id>/talk/{ROOM}/read", methods=["POST"])
@needs("talk")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(204)
def read_to_the_end(_: dict[str, Any], game_id: str, whose: str) -> Any:
    """Say that you have read a room to its end"""
    seen, room = _seen(game_id), cast(Room, whose)
    if room not in talk.readable(seen):
        raise Problem("not_found")
    talk.read(work(), seen, room, now())
    return Response(status=204)


@blueprint.route(f"/<game:game_id>/talk/{ROOM}/reports", methods=["POST"])
@needs("talk")
@blueprint.arguments(shapes.TalkReported)
@blueprint.response(204)
def report(given: dict[str, Any], game_id: str, whose: str) -> Any:
    """Report lines of others to the operators

    They see these lines, your name and your reason, and nothing else of the talk.
    """
    try:
        talk_reports.report(work(), by_whom(), game_id, cast(Room, whose), given["lines"], given["why"], now())
    except NoSuchLine:
        raise Problem("not_found") from None
    except NotSaid as refused:
        raise _not_said(refused) from None
    except BadName as bad:
        raise Problem("shape", errors={"json": {"why": [f"The reason cannot be used: {bad.why}."]}}) from None
    return Response(status=204)


@blueprint.route("/<game:game_id>/talk", methods=["PATCH"])
@needs("host")
@blueprint.arguments(shapes.TalkSwitched)
@blueprint.response(204)
def switch_talk(given: dict[str, Any], game_id: str) -> Any:
    """Switch talk at your table on or off"""
    _seen(game_id)
    talk.switch(work(), by_whom(), game_id, on=given["on"])
    return Response(status=204)


# ==== notes =======================================================================================
@blueprint.route("/<game:game_id>/notes", methods=["GET"])
@needs("read")
@blueprint.response(200, shapes.NotesShown)
def list_notes(game_id: str) -> Any:
    """List your private notes about a game"""
    who, seen = person("read"), _seen(game_id)
    with store.read() as conn:
        return {"notes": [row._mapping for row in notes.listed(conn, who.id, seen.game.id)]}


@blueprint.route("/<game:game_id>/notes", methods=["POST"])
@needs("play")
@blueprint.arguments(shapes.NoteAdded)
@blueprint.response(204)
def add_note(given: dict[str, Any], game_id: str) -> Any:
    """Keep a private note about a game, or about the position after a move"""
    who, seen = person("play"), _seen(game_id)
    if given["version"] is not None and given["version"] > seen.game.version:
        raise Problem("not_found")
    try:
        with store.write() as conn:
            key = secrets.token_hex(16)
            notes.add(conn, who.id, game_id, given["text"], key, now(), version=given["version"])
    except notes.TooManyNotes:
        raise Problem("too_many") from None
    return Response(status=204)


@blueprint.route(f"/<game:game_id>/notes/{LINE}", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def delete_note(game_id: str, number: int) -> Any:
    """Delete one of your notes"""
    with store.write() as conn:
        if not notes.remove(conn, person("play").id, game_id, number):
            raise Problem("not_found")
    return Response(status=204)
