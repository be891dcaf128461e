"""The button that ends all tips. Nobody need sign in for it: the link of a letter may do it, too."""

from flask import Response

from service.people import accounts
from service.web.pages.parts.visits import visit
from service.web.pages.table import room
from service.web.pages.table.table import to_table
from service.web.shared.context import now, store


@room.post("/games/<game:game_id>/tips/end")
def end_tips(game_id: str) -> Response:
    seen = visit(game_id)
    if seen.viewer is None:
        return to_table(game_id)
    with store.write() as conn:
        accounts.change(conn, seen.viewer, now(), tips=False)
    return to_table(game_id, "no-tips")
