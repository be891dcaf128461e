"""A finished game told again: its story in a few sentences, and its plots, each with its table."""

from typing import NamedTuple

from flask import Response, abort, url_for

from service.games.plots import NARROW, WIDTH
from service.games.review import review as review_of
from service.games.review import sheet
from service.web.pages.frame import page, reader
from service.web.pages.parts import boards
from service.web.pages.parts.plots import shown
from service.web.pages.parts.visits import visit
from service.web.pages.sandbox.sandboxes import offer
from service.web.pages.story import room
from service.web.shared.context import store


class ToldLine(NamedTuple):
    text: str
    version: int
    address: str


@room.get("/games/<game:game_id>/review")
def review(game_id: str) -> Response:
    """Show the story and the plots of a game that is over; before that, there is no such page."""
    seen = visit(game_id)
    with store.read() as conn:
        found = review_of(store, conn, seen)
    if found is None:
        abort(404)
    lang = reader().lang
    told = [
        ToldLine(
            seen.say(it.sentence, lang),
            it.ply,
            url_for("pages.story.position", game_id=game_id, version=it.ply),
        )
        for it in found.story
    ]
    drawing = sheet(seen, lang, "page", NARROW if boards.drawing() == "narrow" else WIDTH)
    return page(
        "story/review.html",
        game={"id": game_id, "name": seen.row.name},
        told=told,
        seats=[(mark, seen.player(seat)) for seat, mark in drawing.marks.items()],
        plots=[shown(plot, drawing) for plot in found.plots],
        trying=offer(seen, max(1, seen.game.version - 1)),
        last=seen.game.version,
    )
