"""A finished game told again: its plots, and its story in a few sentences.

There is none before the end, because everything hidden goes into it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from domain.chain import Ply
from domain.drawing import inks
from domain.face import Theme
from domain.plots import Happening, Plot
from domain.report import Cell, say_cell
from domain.retelling import Told, retell
from domain.rules import Result
from domain.things import Seated
from domain.title import Title
from service.base.lately import Lately
from service.database.store import Store
from service.games import queries
from service.games.plots import WIDTH, Sheet
from service.games.queries import Seen


class Review(NamedTuple):
    """``plots``: without those that have nothing to show."""

    plots: tuple[Plot, ...]
    story: tuple[Told, ...]


_reviews: Lately[Review] = Lately(8)
"""Of the games told last: to make one takes some 20 ms, longer than the rest of the letter that each player gets."""


def review(store: Store, conn: Connection, seen: Seen) -> Review | None:
    """Return the review of a game; None if it is not over. It is the same for everybody."""
    if seen.game.status != "over" or (result := queries.result(seen)) is None:
        return None
    return _reviews.of(seen.game, lambda: _review(store, conn, seen, result))


def _review(store: Store, conn: Connection, seen: Seen, result: Result) -> Review:
    log = [ply for _, ply in store.plies(conn, seen.game.id, seen.title, 0, seen.game.version)]
    counted = tuple(moments(seen.title, log))
    plots = seen.title.face.plots(counted)
    return Review(tuple(it for it in plots if not it.is_empty), tuple(retell(seen.title.face, counted, plots, result)))


def moments(title: Title, log: Sequence[Ply]) -> Iterator[Happening]:
    """Return the events of the title that counted in the end, each with the states around it."""
    state, withdrawn = title.rules.start, queries.withdrawn_among(log)
    for ply in log:
        if ply.number in withdrawn:
            continue
        for event in ply.events:
            if (write_down := title.rules.bookkeeping.get(type(event))) is not None:
                before, state = state, write_down(state, event)
                yield Happening(ply.number, event, before, state)


def sheet(seen: Seen, lang: str, theme: Theme, width: int = WIDTH) -> Sheet:
    """Return the words for drawings of the game's plots, and the seats' marks in the colours of ``theme``."""
    face, language = seen.title.face, seen.language(lang)

    def say(cell: Cell) -> str:
        return say_cell(cell, language, seen.player)

    return Sheet(say, marks(seen), inks(face.colours)[theme], width)


def marks(seen: Seen) -> dict[int, Seated]:
    """Return the colours and letters of the seats, by number."""
    return {it.seat: it for it in seen.title.face.things(queries.view(seen)).seats}
