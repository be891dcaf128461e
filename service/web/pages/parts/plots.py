"""Plots on pages: each as a drawing with the table beside it."""

from typing import NamedTuple

from markupsafe import Markup

from domain.plots import Plot, table
from service.games import plots
from service.games.plots import Sheet


class PlotShown(NamedTuple):
    """``rows``: of the table beside it, the first of them its head."""

    id: str
    heading: str
    picture: Markup
    rows: list[list[str]]


def shown(plot: Plot, drawing: Sheet) -> PlotShown:
    heading, grid = drawing.say(plot.heading), table(plot)
    rows = [[drawing.say(cell) for cell in row] for row in ((grid.heading, *grid.head), *grid.rows)]
    return PlotShown(plot.id, heading, Markup(plots.svg(plots.drawn(plot, drawing), heading)), rows)
