"""A finished game told again: its story in a few sentences, and its plots, each with its table."""

from typing import NamedTuple

from flask import Response, abort, url_for
from markupsafe import Markup

from domain.plots import Plot, table
from service.games import plots
from service.games.plots import NARROW, WIDTH, Sheet
from service.games.review import review as review_of
from service.games.review import sheet
from service.web.pages.frame import page, reader
from service.web.pages.parts import boards
from service.web.pages.parts.visits import visit
from service.web.pages.sandbox.sandboxes import offer
from service.web.pages.story import room
from service.web.shared.context import store


class PlotShown(NamedTuple):
    """``rows``: of the table beside it, the first of them its head."""

    id: str
    heading: str
    picture: Markup
    rows: list[list[str]]


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
        plots=[_shown(plot, drawing) for plot in found.plots],
        trying=offer(seen, max(1, seen.game.version - 1)),
        last=seen.game.version,
    )


def _shown(plot: Plot, drawing: Sheet) -> PlotShown:
    heading, grid = drawing.say(plot.heading), table(plot)
    rows = [[drawing.say(cell) for cell in row] for row in ((grid.heading, *grid.head), *grid.rows)]
    return PlotShown(plot.id, heading, Markup(plots.svg(plots.drawn(plot, drawing), heading)), rows)
