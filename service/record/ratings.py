"""Ratings per title: each rated game with the strengths of its players before and after it.

Games are rated in the order of their ends, and of their ids where ends are equal. When an earlier end turns up, all
games of the title from there on are rated again. An erased player leaves two numbers with each game, the strength
before it, so nobody else's rating moves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, text, tuple_

from service.base.described import MOMENT, doc
from service.database.store import Store
from service.database.tables import RatingRow, RecordRow, table_of
from service.people.standing import SETTLED
from service.record.formula import MILLION, NEWCOMER, VERSION, Strength, rated

RATINGS, ROWS = table_of(RatingRow), table_of(RecordRow)
ONE_AT_A_TIME = 0x510377A2
"""The key of the PostgreSQL lock under which ratings are written."""
FROM_THE_START = (-1, "")

Moment = tuple[int, str]
"""The end of a game, and its id."""
Row = dict[str, Any]
LAST = 1_000


# ==== computed ====================================================================================
class _Known(NamedTuple):
    """Earlier results: person -> strength, and (game, seat) -> the strength that an erased player had before it."""

    people: dict[int, Strength]
    erased: Mapping[tuple[str, int], Strength]


def _rows(games: Iterable[tuple[str, Sequence[Any]]], known: _Known) -> Iterator[Row]:
    """Return the rows of rated games, given in order with their rows of the record. ``known`` follows along."""
    for game_id, seats in games:
        before = [_before(it, known) for it in seats]
        after = rated(before, [_place(it) for it in seats])
        for it, then, now in zip(seats, before, after, strict=True):
            if it.person_id is not None:
                known.people[it.person_id] = now
            yield {
                "game_id": game_id, "seat": it.seat, "person_id": it.person_id, "title": it.title,
                "ended_at": it.ended_at, "before_mu": then.mu, "before_sigma": then.sigma, "mu": now.mu,
                "sigma": now.sigma, "formula": VERSION,
            }  # fmt: skip


def _before(seat: Any, known: _Known) -> Strength:
    if seat.person_id is None:
        return known.erased.get((seat.game_id, seat.seat), NEWCOMER)
    return known.people.get(seat.person_id, NEWCOMER)


def _place(seat: Any) -> int:
    """Return the place of a seat's first player: all who left share the last one, as do seats that a bot played."""
    return LAST if seat.place is None or seat.played_by == "bot" else int(seat.place)


def _games(conn: Connection, title: str, since: Moment) -> Iterator[tuple[str, list[Any]]]:
    """Return the rated games of a title from one on, in order, each with the first players of its seats."""
    wanted = select(ROWS).where(ROWS.c.title == title, ROWS.c.rated, ROWS.c.sitting == 0, _from(ROWS, since))
    rows = conn.execute(wanted.order_by(ROWS.c.ended_at, ROWS.c.game_id, ROWS.c.seat))
    for game_id, seats in groupby(rows, lambda it: it.game_id):
        yield str(game_id), list(seats)


def _from(table: Any, since: Moment) -> Any:
    return tuple_(table.c.ended_at, table.c.game_id) >= tuple_(*since)


def _erased(conn: Connection, title: str, since: Moment) -> dict[tuple[str, int], Strength]:
    """Return the strengths that erased players left with their games, if the formula is still the same."""
    wanted = select(RATINGS).where(RATINGS.c.title == title, RATINGS.c.person_id.is_(None), _from(RATINGS, since))
    rows = conn.execute(wanted.where(RATINGS.c.formula == VERSION))
    return {(it.game_id, it.seat): Strength(it.before_mu, it.before_sigma) for it in rows}


def _people(conn: Connection, title: str, since: Moment, people: set[int]) -> dict[int, Strength]:
    """Return the strengths of ``people`` just before a game."""
    latest = func.row_number().over(
        partition_by=RATINGS.c.person_id, order_by=(RATINGS.c.ended_at.desc(), RATINGS.c.game_id.desc())
    )
    earlier = RATINGS.c.title == title, RATINGS.c.person_id.in_(people), ~_from(RATINGS, since)
    ranked = select(RATINGS.c.person_id, RATINGS.c.mu, RATINGS.c.sigma, latest.label("back")).where(*earlier).subquery()
    rows = conn.execute(select(ranked).where(ranked.c.back == 1))
    return {it.person_id: Strength(it.mu, it.sigma) for it in rows}


# ==== written =====================================================================================
def rate(conn: Connection, title: str, since: Moment) -> None:
    """Rate the games of a title from one on, in the transaction that wrote its rows of the record."""
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
    if _has_older_formula(conn, title):
        since = FROM_THE_START
    games = list(_games(conn, title, since))
    people = {it.person_id for _, seats in games for it in seats if it.person_id is not None}
    known = _Known(_people(conn, title, since, people), _erased(conn, title, since))
    rows = list(_rows(games, known))
    conn.execute(delete(RATINGS).where(RATINGS.c.title == title, _from(RATINGS, since)))
    if rows:
        conn.execute(insert(RATINGS), rows)


def _has_older_formula(conn: Connection, title: str) -> bool:
    other = select(RATINGS.c.game_id).where(RATINGS.c.title == title, RATINGS.c.formula != VERSION).limit(1)
    return conn.execute(other).first() is not None


class Checked(NamedTuple):
    """A title whose ratings were computed again. ``differing``: the ids of games whose rows differ."""

    title: str
    games: int
    rows: int
    differing: tuple[str, ...]


def compare(store: Store, *, rebuild: bool) -> list[Checked]:
    """Compute all ratings from the first game on, and compare them with the stored ones. ``rebuild``: store them."""
    with store.read() as conn:
        titles = set(conn.scalars(select(ROWS.c.title).where(ROWS.c.rated).distinct()))
        titles |= set(conn.scalars(select(RATINGS.c.title).distinct()))
        found = [_compared(conn, title) for title in sorted(titles)]
    if rebuild:
        for it in found:
            if it.differing:
                with store.write() as conn:
                    rate(conn, it.title, FROM_THE_START)
    return found


def _compared(conn: Connection, title: str) -> Checked:
    known = _Known({}, _erased(conn, title, FROM_THE_START))
    fresh = {(it["game_id"], it["seat"]): it for it in _rows(_games(conn, title, FROM_THE_START), known)}
    stored = {
        (it.game_id, it.seat): dict(it._mapping) for it in conn.execute(select(RATINGS).where(RATINGS.c.title == title))
    }
    differing = {
        game for game, seat in fresh.keys() | stored.keys() if fresh.get((game, seat)) != stored.get((game, seat))
    }
    return Checked(title, len({game for game, _ in fresh}), len(fresh), tuple(sorted(differing)))


# ==== read ========================================================================================
class Rating(msgspec.Struct, frozen=True):
    """A person's rating in a title. ``rating``: None until there are enough games; until then, the range counts."""

    title: str
    games: int
    rating: Annotated[int | None, doc("Null before the fifth rated game.")]
    low: Annotated[int, doc("The lower end of the range of two standard deviations.")]
    high: Annotated[int, doc("The upper end of the range of two standard deviations.")]


class RatedGame(msgspec.Struct, frozen=True):
    """A person's strength after a rated game."""

    title: str
    game: str
    ended_at: Annotated[int, doc("Time of its end.", MOMENT)]
    rating: int
    low: int
    high: int


def history(conn: Connection, person_id: int) -> list[RatedGame]:
    """Return a person's rated games in order, with the strength after each."""
    wanted = select(RATINGS).where(RATINGS.c.person_id == person_id)
    rows = conn.execute(wanted.order_by(RATINGS.c.title, RATINGS.c.ended_at, RATINGS.c.game_id))
    return [
        RatedGame(it.title, it.game_id, it.ended_at, round(it.mu / MILLION), *Strength(it.mu, it.sigma).range)
        for it in rows
    ]


def ratings(conn: Connection, person_id: int) -> tuple[Rating, ...]:
    """Return a person's rating in each title in which they have rated games."""
    found = []
    for title, games in groupby(history(conn, person_id), lambda it: it.title):
        played = list(games)
        last = played[-1]
        found.append(Rating(title, len(played), last.rating if len(played) >= SETTLED else None, last.low, last.high))
    return tuple(found)
