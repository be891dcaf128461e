"""The list of the actions of operators, each with its time, reason and subject."""

from typing import Any

from flask import Response, request, url_for

from service.operators import acts
from service.operators.acts import Act
from service.web.pages.frame import number_in
from service.web.pages.operators import room
from service.web.pages.operators.area import operator, sheet
from service.web.pages.parts.acts import told
from service.web.shared.context import now, store


@room.get("/operate/entries")
def entries() -> Response:
    before = number_in(request.args.get("before"))
    with store.read() as conn:
        found = acts.entries(conn, operator(), now(), before=before)
    more = url_for("pages.operators.entries", before=found[-1].id) if len(found) == acts.PAGE else None
    return sheet("operators/entries.html", entries=[entry_line(it) for it in found], more=more)


def entry_line(entry: Act) -> dict[str, Any]:
    """Return an entry for operators, with a link to its subject."""
    return {
        **told(entry),
        "person": entry.person,
        "game": entry.game,
        "person_at": url_for("pages.operators.person", person_id=entry.person_id) if entry.person_id else None,
        "game_at": url_for("pages.operators.game", game_id=entry.game_id) if entry.game_id else None,
    }
