"""The rows of the record: one for each finished game and each player of a seat.

They follow from the log and from who sat there, so they can be made again at any time. A worker makes them once the
game is over; games that were called off or closed have none.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from domain import lifecycle
from domain.chain import Ply
from domain.clock import SeatTakenOver, Time
from domain.game import Game
from domain.rules import Standing
from service.database.store import GAMES, SEATS, Outdated, Store, raise_if_away
from service.database.tables import RecordRow, table_of
from service.games.seats import FORMER
from service.record import ratings
from service.record.times import times

log = logging.getLogger(__name__)

ROWS = table_of(RecordRow)
BATCH = 50
BUDGET = 20.0
"""Seconds after which the rest waits for the next sweep."""

Row = dict[str, Any]


# ==== the rows of a game ==========================================================================
def of_game(store: Store, conn: Connection, game_id: str) -> list[Row]:
    """Return the rows of a game that is over, in the order of their keys. Raises `NoSuchGame` and `Outdated`."""
    stored = store.load(conn, game_id)
    game, result = stored.game, stored.game.result
    assert game.table is not None
    assert result is not None
    plies = [ply for _, ply in store.plies(conn, game_id, game.title, 0, game.version)]
    sat = _sat(conn, game_id, plies)
    took, why = times(plies), _leaving(plies)
    common = {"game_id": game_id, "title": game.title.id, "seats": game.table.seats, "ended_at": game.at}
    only_people = all(player.bot is None for players in sat.values() for player in players)
    common["rated"] = stored.row.rated and only_people
    rows: list[Row] = []
    for line in sorted(result.standings, key=lambda it: it.seat):
        players = sat.get(line.seat, [_NOBODY])
        for sitting, player in enumerate(players):
            stayed = sitting == len(players) - 1
            end = _at_the_end(game, line, player, why.get(line.seat, "")) if stayed else _REPLACED
            seconds = took.get((line.seat, sitting), [])
            rows.append({**common, "seat": line.seat, "sitting": sitting, **player._asdict(), **end, "times": seconds})
    return rows


class _Player(NamedTuple):
    person_id: int | None
    bot: str | None


_NOBODY = _Player(None, None)
_REPLACED: Row = {"place": None, "total": None, "leaving": "replaced", "played_by": "nobody"}


def _sat(conn: Connection, game_id: str, plies: Sequence[Ply]) -> dict[int, list[_Player]]:
    """Return seat -> its players, one after another.

    Nothing is known of former players who were erased, or who left before there was a record.
    """
    former = {(it.seat, it.ply): it.person_id for it in conn.execute(select(FORMER).where(FORMER.c.game_id == game_id))}
    taken = [(ply.number, event.seat) for ply in plies for event in ply.events if isinstance(event, SeatTakenOver)]
    found: dict[int, list[_Player]] = {}
    for row in conn.execute(select(SEATS).where(SEATS.c.game_id == game_id)):
        before = [_Player(former.get((row.seat, ply)), None) for ply, seat in taken if seat == row.seat]
        is_bot = row.person_id is None and row.erased_at is None and not before
        found[row.seat] = [*before, _Player(row.person_id, row.bot if is_bot else None)]
    return found


def _leaving(plies: Sequence[Ply]) -> dict[int, str]:
    return {event.seat: event.why for ply in plies for event in ply.events if isinstance(event, lifecycle.SeatRetired)}


def _at_the_end(game: Game, line: Standing, player: _Player, why: str) -> Row:
    """Return the end of the game for the last player of a seat."""
    return {"place": line.place, "total": line.total, "leaving": why, "played_by": _played_by(game, line.seat, player)}


def _played_by(game: Game, seat: int, player: _Player) -> str:
    table = game.table
    assert table is not None
    held: Time | None = table.time
    if not table.plays(seat) or (held is not None and seat in held.vacant):
        return "nobody"
    if player.bot is not None or (held is not None and seat in held.bots):
        return "bot"
    return "clock" if held is not None and seat in held.answered else "player"


# ==== made by a worker ============================================================================
def make_due(store: Store) -> int:
    """Make the rows of games that have ended since. Return the number of games."""
    made, after, end = 0, (-1, ""), time.monotonic() + BUDGET
    due = select(GAMES.c.id, GAMES.c.ended_at).where(GAMES.c.status == "over", GAMES.c.recorded_at.is_(None))
    due = due.order_by(GAMES.c.ended_at, GAMES.c.id).limit(BATCH)
    while time.monotonic() < end:
        with store.read() as conn:
            games = conn.execute(due.where(tuple_(GAMES.c.ended_at, GAMES.c.id) > tuple_(*after))).all()
        made += sum(_make(store, it.id) for it in games)
        if len(games) < BATCH:
            break
        after = games[-1].ended_at, games[-1].id
    return made


def _make(store: Store, game_id: str) -> bool:
    """Make the rows of one game. If that fails, log it, so that no other game waits."""
    try:
        with store.read() as conn:
            rows = of_game(store, conn, game_id)
        with store.write() as conn:
            keep(conn, game_id, rows, store.time())
    except (Outdated, IntegrityError):
        return False  # a later release will, or another worker did, or a player was erased meanwhile
    except Exception as error:
        raise_if_away(error)
        log.exception("the record of game %s could not be made", game_id)
        return False
    return True


def keep(conn: Connection, game_id: str, rows: Sequence[Row], at: int) -> None:
    """Write the rows of a game in place of earlier ones."""
    conn.execute(delete(ROWS).where(ROWS.c.game_id == game_id))
    if rows:
        conn.execute(insert(ROWS), list(rows))
        if rows[0]["rated"]:
            ratings.rate(conn, rows[0]["title"], (rows[0]["ended_at"], game_id))
    conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(recorded_at=at))


# ==== made again ==================================================================================
class Remade(NamedTuple):
    """A game whose rows were made again. ``rows``: how many it has. ``why``: of one that this program cannot read."""

    game_id: str
    rows: int
    differs: bool
    why: str = ""


def compare(store: Store, *, rebuild: bool) -> Iterator[Remade]:
    """Make the rows of all recorded games again, and compare them with the stored ones, oldest game first.

    ``rebuild``: store them if they differ, and make those that are still due.
    """
    after: tuple[int, str] = (-1, "")
    games = select(GAMES.c.id, GAMES.c.created_at).where(GAMES.c.status == "over")
    games = games.order_by(GAMES.c.created_at, GAMES.c.id).limit(BATCH)
    if not rebuild:
        games = games.where(GAMES.c.recorded_at.is_not(None))
    while True:
        with store.read() as conn:
            batch = conn.execute(games.where(tuple_(GAMES.c.created_at, GAMES.c.id) > tuple_(*after))).all()
        for it in batch:
            yield _compare(store, it.id, rebuild)
        if len(batch) < BATCH:
            return
        after = batch[-1].created_at, batch[-1].id


def _compare(store: Store, game_id: str, rebuild: bool) -> Remade:
    try:
        with store.read() as conn:
            rows, kept = of_game(store, conn, game_id), _kept(conn, game_id)
    except Outdated as outdated:
        return Remade(game_id, 0, False, str(outdated))
    differs = rows != kept
    if differs and rebuild:
        with store.write() as conn:
            keep(conn, game_id, rows, store.time())
    return Remade(game_id, len(rows), differs)


def _kept(conn: Connection, game_id: str) -> list[Row]:
    wanted = select(ROWS).where(ROWS.c.game_id == game_id).order_by(ROWS.c.seat, ROWS.c.sitting)
    return [dict(it._mapping) for it in conn.execute(wanted)]
