"""The reader's private notes about a game and its positions."""

import secrets
from typing import Any

from flask import Response, abort, request, url_for

from service.base.names import has_unseen
from service.games import notes as kept
from service.games.notes import TooManyNotes
from service.web.pages.frame import _, done, moment, number_in, page, signed_in
from service.web.pages.parts.visits import visit
from service.web.pages.table import room
from service.web.shared.context import now, store


@room.get("/games/<game:game_id>/notes")
def notes(game_id: str, problem: str | None = None, status: int = 200) -> Response:
    asker, seen = signed_in(), visit(game_id)
    with store.read() as conn:
        found = kept.listed(conn, asker.id, game_id)
    version = number_in(request.values.get("move"))
    return page(
        "table/notes.html",
        status,
        game={"id": game_id, "name": seen.row.name},
        notes=[_note(game_id, it) for it in found],
        about=version if version is not None and 1 <= version <= seen.game.version else None,
        key=secrets.token_hex(8),
        problem=problem,
        typed=request.form.get("note", "")[: kept.LONGEST],
        longest=kept.LONGEST,
    )


def _note(game_id: str, row: Any) -> dict[str, Any]:
    at = None if row.version is None else url_for("pages.story.position", game_id=game_id, version=row.version)
    return {"id": row.id, "text": row.text, "version": row.version, "position": at, "time": moment(row.created_at)}


@room.post("/games/<game:game_id>/notes")
def add_note(game_id: str) -> Response:
    asker, seen = signed_in(), visit(game_id)
    text = request.form.get("note", "").replace("\r\n", "\n").strip()
    version = number_in(request.form.get("move"))
    if version is not None and not 1 <= version <= seen.game.version:
        abort(400)
    if not 0 < len(text) <= kept.LONGEST or any(map(has_unseen, text.split("\n"))):
        return notes(game_id, _("A note has 1 to {most} visible characters.", most=kept.LONGEST), 422)
    key = f"page.{asker.id}.{game_id}.{request.form.get('key', '')}"[:64]
    try:
        with store.write() as conn:
            kept.add(conn, asker.id, game_id, text, key, now(), version=version)
    except TooManyNotes:
        return notes(game_id, _("You have too many notes about this game. Delete one first."), 409)
    return done(url_for("pages.table.notes", game_id=game_id), "saved")


@room.post("/games/<game:game_id>/notes/<int(max=2147483647):number>/delete")
def delete_note(game_id: str, number: int) -> Response:
    asker = signed_in()
    with store.write() as conn:
        if not kept.remove(conn, asker.id, game_id, number):
            abort(404)
    return done(url_for("pages.table.notes", game_id=game_id), "saved")
