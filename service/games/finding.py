"""Finding a seat: open tables that match what somebody looks for."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import ColumnElement, Connection, func, or_, select

from domain.pace import DAY, MINUTE
from service.database.store import GAMES, SEATS
from service.games import queries
from service.games.offers import OFFERS
from service.games.queries import Listed
from service.words import ENGLISH

LIVE = 15 * MINUTE
"""The longest turn of a live pace."""
Speed = Literal["live", "day", "days", "none"]
SPEEDS: tuple[Speed, ...] = get_args(Speed)
SHARES = (70, 80, 90, 95)
"""The shares of finished games, in percent, that hosts choose from."""
_TURNS: Mapping[Speed, tuple[int, int | None]] = {
    "live": (1, LIVE), "day": (LIVE + 1, DAY), "days": (DAY + 1, None), "none": (0, 0),
}  # fmt: skip
PAGE = 20


class WantedTable(NamedTuple):
    """A filter of open tables. ``finished``: the share of finished games that a table asks for, at least."""

    title: str | None = None
    seats: int | None = None
    speed: Speed | None = None
    lang: str | None = None
    rated: bool | None = None
    finished: int | None = None


ANY = WantedTable()


class FoundTables(NamedTuple):
    """Open tables. ``total``: all that match, on this page or another. ``every``: all without the filter."""

    games: list[Listed]
    total: int
    every: int


def conditions(wanted: WantedTable) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter. A table that does not name its language suits every one."""
    found: list[ColumnElement[bool]] = []
    if wanted.title is not None:
        found.append(GAMES.c.title == wanted.title)
    if wanted.seats is not None:
        found.append(GAMES.c.seats == wanted.seats)
    if wanted.speed is not None:
        found.append(_offered(*_turn(*_TURNS[wanted.speed])))
    if wanted.lang is not None:
        found.append(~_offered(OFFERS.c.lang.not_in(("", wanted.lang))))
    if wanted.rated is not None:
        found.append(GAMES.c.rated == wanted.rated)
    if wanted.finished is not None:
        found.append(_offered(OFFERS.c.finished >= wanted.finished))
    return found


def _offered(*conditions: Any) -> ColumnElement[bool]:
    return GAMES.c.id.in_(select(OFFERS.c.game_id).where(*conditions))


def _turn(shortest: int, longest: int | None) -> list[ColumnElement[bool]]:
    return [OFFERS.c.turn >= shortest, *([] if longest is None else [OFFERS.c.turn <= longest])]


def open_tables(
    conn: Connection, viewer: int | None, wanted: WantedTable = ANY, *, page: int = 1, lang: str = ENGLISH
) -> FoundTables:
    """Return tables with a seat for the viewer: those that need the fewest players first, then the newest."""
    taken = select(func.count()).where(SEATS.c.game_id == GAMES.c.id).correlate(GAMES).scalar_subquery()
    mine = select(SEATS.c.game_id).where(SEATS.c.person_id == viewer)
    free = [
        GAMES.c.public, GAMES.c.status == "open", taken < GAMES.c.seats, ~GAMES.c.by_invitation,
    ]  # fmt: skip
    if viewer is not None:
        free += [GAMES.c.id.not_in(mine), or_(GAMES.c.host_id.is_(None), GAMES.c.host_id != viewer)]
    every = _count(conn, free)
    free += conditions(wanted)
    total = every if wanted == ANY else _count(conn, free)
    order = GAMES.c.seats - taken, GAMES.c.created_at.desc(), GAMES.c.id.desc()
    games = queries.lines(conn, viewer, free, order, PAGE, PAGE * (page - 1), lang=lang)
    return FoundTables(games, total, every)


def _count(conn: Connection, which: list[Any]) -> int:
    return int(conn.execute(select(func.count()).select_from(GAMES).where(*which)).scalar_one())
