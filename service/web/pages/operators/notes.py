"""Notes of operators on the pages of people and games: the list, and writing and deleting one."""

from collections.abc import Callable
from typing import Any

from flask import Response, abort, request, url_for
from sqlalchemy import Connection

from service.operators import notes
from service.operators.acts import NotDone
from service.web.pages.frame import _, done, moment
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, operator
from service.web.pages.parts.acts import author
from service.web.shared.context import now, store


def notes_of(conn: Connection, at: int, **about: Any) -> dict[str, Any]:
    """Return the notes about a person or a game, the text that was refused, and the limit of a new one."""
    found = notes.notes(conn, operator(), at, **about)
    lines = [{"id": it.id, "at": moment(it.at), "by": author(it), "text": it.text} for it in found]
    return {"lines": lines, "text": request.form.get("text", ""), "longest": notes.LONGEST}


def write_note(write: Callable[[str, int], None], again: Callable[[str], Response], back: str) -> Response:
    """Write the note in the form, and go ``back``; or show the page ``again`` with the error."""
    bad = _("A note has 1 to {length} visible characters, in at most {lines} lines.",
            length=notes.LONGEST, lines=notes.LINES)  # fmt: skip
    return acted(lambda: write(request.form.get("text", ""), now()), again, f"{back}#notes", bad=bad, said="saved")


@room.post("/operate/notes/<int(max=2147483647):number>")
def delete_note(number: int) -> Response:
    try:
        note = notes.remove(store, operator(), number, now())
    except NotDone:
        abort(404)
    if note.person_id is not None:
        return done(url_for("pages.operators.person", person_id=note.person_id, _anchor="notes"), "saved")
    return done(url_for("pages.operators.game", game_id=note.game_id, _anchor="notes"), "saved")
