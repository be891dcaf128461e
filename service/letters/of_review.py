"""The story and the plots of a finished game, for the letter of its end."""

from collections.abc import Iterator

from domain.plots import Plot, PlotRows, Steps, explained, table
from domain.words import first_upper
from service.games import plots
from service.games.plots import Sheet
from service.games.review import review, sheet
from service.letters.columns import in_lines
from service.letters.due import Case
from service.letters.letter import LetterPicture, Section
from service.letters.reader import MailReader

PLOT_WIDTH = 800
"""Pixels; it is displayed at three quarters of this width."""
PICTURES = 60_000
"""The most bytes of all plots. In place of a picture beyond them, HTML has the values in words."""


def sections(it: Case, say: MailReader) -> Iterator[Section]:
    """Return the story, and each plot as a picture in HTML and as a table in text."""
    found = review(it.store, it.conn, it.seen)
    if found is None:
        return
    yield Section(
        heading=say("How the game went"),
        lines=tuple(first_upper(it.seen.say(each.sentence, say.lang)) for each in found.story),
    )
    drawing = sheet(it.seen, say.lang, "light")
    if found.plots and say.pictures:
        letters = ", ".join(f"{mark.letter} {it.seen.player(seat)}" for seat, mark in drawing.marks.items())
        yield Section(heading="", lines=(letters,), only="html")
    room = PICTURES
    for plot in found.plots:
        heading = drawing.say(explained(plot, plot.heading))
        if say.pictures and len((picture := _picture(plot, drawing)).png) <= room:
            room -= len(picture.png)
            yield Section(heading=drawing.say(plot.heading), picture=picture, only="html")
        elif say.pictures:
            yield Section(heading=heading, lines=tuple(_values(plot, drawing)), only="html")
        yield Section(heading=heading, rows=tuple(_rows(plot, heading, drawing)), only="text")


def _picture(plot: Plot, drawing: Sheet) -> LetterPicture:
    from service.games import pictures  # Pillow and resvg take 4 MB, and only a process that draws needs them

    drawn = plots.drawn(plot, drawing)
    size = drawn.width, drawn.height
    return LetterPicture(pictures.chart(drawn.svg, size, drawing.ink["paper"], PLOT_WIDTH), in_words(plot, drawing))


def in_words(plot: Plot, drawing: Sheet) -> str:
    """Return the heading and the values: mail programs show them in place of a picture."""
    return f"{drawing.say(explained(plot, plot.heading))}: {'; '.join(_values(plot, drawing))}"


def _values(plot: Plot, drawing: Sheet) -> list[str]:
    """Return the values in lines, of steps only the last ones."""
    head, *rows = _said(plot, drawing)
    if isinstance(plot, Steps):
        return [", ".join(f"{seat} {value}" for seat, value in zip(head[1:], rows[-1][1:], strict=True))]
    return in_lines([f"{it}:" for it in head[1:]] if isinstance(plot, PlotRows) else head[1:], rows)


def _rows(plot: Plot, heading: str, drawing: Sheet) -> Iterator[tuple[str, ...]]:
    """Return the cells of the table. The heading begins its first line, as in all tables of letters; behind the heading
    of steps stands the name of their axis.
    """
    head, *rows = _said(plot, drawing)
    yield f"{heading} ({head[0]})" if isinstance(plot, Steps) else heading, *head[1:]
    yield from rows


def _said(plot: Plot, drawing: Sheet) -> list[tuple[str, ...]]:
    """Return the cells of the table in words, its head first."""
    grid = table(plot)
    return [tuple(drawing.say(cell) for cell in row) for row in ((grid.heading, *grid.head), *grid.rows)]
