"""Vacations and holidays. A person plans them within a budget, and their running clocks wait meanwhile (ST 13)."""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import Connection, delete, exists, insert, select, update

from domain.clock import MoveClocks
from domain.game import Game
from domain.pace import Calendar, after, counted, day_of
from domain.refusal import Refused
from service.database.store import SEATS, Away, Busy, Store
from service.database.tables import ClockToMove, table_of
from service.database.work import Work
from service.games import house
from service.games.clocks import CLOCKS, time_of
from service.games.play import ExtraWrites, Stale, SubmissionContext
from service.games.rights import Asking, must_be
from service.people import calendars
from service.people.calendars import ABSENCES

log = logging.getLogger(__name__)

TO_MOVE = table_of(ClockToMove)

Kind = Literal["vacation", "holiday"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BUDGET: dict[Kind, int] = {"vacation": 30, "holiday": 15}
"""Days of each kind that a person has in a calendar year."""
AHEAD = timedelta(days=730)
"""How far ahead days can be planned."""
PATIENCE = 5.0
"""Seconds for moving clocks while the person waits for the page; the sweep moves the rest."""


class BadAbsence(ValueError):
    """These days cannot be taken. ``why``: order, past, far, overlap or budget. ``left``: days left in ``year``."""

    def __init__(self, why: str, left: int = 0, year: int = 0) -> None:
        super().__init__(why)
        self.why, self.left, self.year = why, left, year


def of(conn: Connection, person_id: int) -> Sequence[Any]:
    """The absences of a person, in order."""
    mine = select(ABSENCES).where(ABSENCES.c.person_id == person_id)
    return conn.execute(mine.order_by(ABSENCES.c.first_day, ABSENCES.c.id)).all()


def are_planned(rows: Sequence[Any], first: date, last: date) -> bool:
    """Does one of the absences ``rows`` cover exactly these days?"""
    return (first, last) in map(_span, rows)


def left(rows: Sequence[Any], kind: Kind, year: int) -> int:
    """Count the days of a kind that are left in a year."""
    return BUDGET[kind] - sum(_days_in(year, *_span(row)) for row in rows if row.kind == kind)


def plan(work: Work, actor: Asking, first: date, last: date, kind: Kind, at: int) -> None:
    """Take days off, from today on. Running clocks wait at once. Raises `BadAbsence`, `Forbidden`."""
    person_id = must_be(actor, None)

    def note(conn: Connection) -> None:
        rows = of(conn, person_id)
        today = day_of(calendars.of_person(conn, person_id), at)
        check(rows, first, last, kind, today)
        conn.execute(
            insert(ABSENCES).values(
                person_id=person_id, first_day=first.isoformat(), last_day=last.isoformat(), kind=kind
            )
        )

    _change(work.store, person_id, note, at)


def end(work: Work, actor: Asking, absence_id: int, at: int) -> bool:
    """Give back the days of an absence that are still to come, today included. Return False if there are none."""
    person_id, found = must_be(actor, None), []

    def note(conn: Connection) -> None:
        mine = ABSENCES.c.id == absence_id, ABSENCES.c.person_id == person_id
        row = conn.execute(select(ABSENCES).where(*mine)).one_or_none()
        today = day_of(calendars.of_person(conn, person_id), at)
        if row is None or date.fromisoformat(row.last_day) < today:
            return
        found.append(absence_id)
        if date.fromisoformat(row.first_day) >= today:
            conn.execute(delete(ABSENCES).where(*mine))
        else:
            yesterday = today - timedelta(days=1)
            conn.execute(update(ABSENCES).where(*mine).values(last_day=yesterday.isoformat()))

    _change(work.store, person_id, note, at)
    return bool(found)


def check(rows: Sequence[Any], first: date, last: date, kind: Kind, today: date) -> None:
    """Check that these days can be taken beside the absences ``rows``. Raises `BadAbsence`."""
    if last < first:
        raise BadAbsence("order")
    if first < today:
        raise BadAbsence("past")
    if last > today + AHEAD:
        raise BadAbsence("far")
    if any(not (last < begins or ends < first) for begins, ends in map(_span, rows)):
        raise BadAbsence("overlap")
    for year in range(first.year, last.year + 1):
        there = left(rows, kind, year)
        if _days_in(year, first, last) > there:
            raise BadAbsence("budget", there, year)


def _span(row: Any) -> tuple[date, date]:
    return date.fromisoformat(row.first_day), date.fromisoformat(row.last_day)


def _days_in(year: int, first: date, last: date) -> int:
    first, last = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (last - first).days + 1)


# ==== running clocks ==============================================================================
def _change(store: Store, person_id: int, note: Callable[[Connection], None], at: int) -> None:
    """Write the absence and the clocks that have to move, then move them. The sweep finds the rest."""
    with store.write() as conn:
        before = calendars.of_person(conn, person_id)
        note(conn)
        if before != calendars.of_person(conn, person_id):
            _owe(conn, person_id, before, at)
    settle(store, at, time.monotonic() + PATIENCE, person_id)


def _owe(conn: Connection, person_id: int, before: Calendar, at: int) -> None:
    """Note each running clock of a person as still to be moved. A clock that is already noted keeps its older note."""
    noted = exists().where(
        TO_MOVE.c.game_id == CLOCKS.c.game_id, TO_MOVE.c.seat == CLOCKS.c.seat, TO_MOVE.c.ply == CLOCKS.c.ply
    )
    running = (
        select(CLOCKS.c.game_id, CLOCKS.c.seat, CLOCKS.c.ply)
        .join(SEATS, (SEATS.c.game_id == CLOCKS.c.game_id) & (SEATS.c.seat == CLOCKS.c.seat))
        .where(SEATS.c.person_id == person_id, CLOCKS.c.due_at > at, ~noted)
    )
    rows = [
        {**row._mapping, "person_id": person_id, "at": at, "before": msgspec.to_builtins(before)}
        for row in conn.execute(running)
    ]
    if rows:
        conn.execute(insert(TO_MOVE), rows)


def settle(store: Store, at: int, end: float, person_id: int | None = None) -> None:
    """Move the noted clocks (of one person, or of all), so that each keeps the time it had left.

    ``at``: now. ``end``: by `time.monotonic`. Clocks not moved by then stay noted, as does the clock of a busy game.
    """
    owed = select(TO_MOVE).order_by(TO_MOVE.c.at, TO_MOVE.c.game_id)
    if person_id is not None:
        owed = owed.where(TO_MOVE.c.person_id == person_id)
    with store.read() as conn:
        rows = conn.execute(owed).all()
    for row in rows:
        if time.monotonic() > end:
            return
        try:
            _move(store, row, at)
        except (Stale, Busy):
            log.debug("game %s has gone on: the next sweep looks at its clocks again", row.game_id)
        except Away as error:  # no other clock can be moved either
            log.warning("the database is away: the next sweep moves the clocks of who is away: %s", error)
            return
        except Exception:  # a game that cannot be played keeps none of the others waiting
            log.exception("a clock of game %s does not wait for who is away", row.game_id)


def _move(store: Store, row: Any, at: int) -> None:
    """Move one clock. A clock that stopped or restarted needs no moving. Raises `Stale`, `Busy`."""
    with store.read() as conn:
        here = CLOCKS.c.game_id == row.game_id, CLOCKS.c.seat == row.seat, CLOCKS.c.ply == row.ply
        running = conn.execute(select(CLOCKS.c.due_at).where(*here)).scalar()
        if running is not None:
            game, now = store.load(conn, row.game_id).game, calendars.of_person(conn, row.person_id)
    if running is not None:
        due = moved(game, row.seat, running, msgspec.convert(row.before, Calendar), now, row.at)
        if due != running:
            still = same_clock(row.game_id, row.seat, running)

            def also(conn: Connection, here: SubmissionContext) -> None:
                still(conn, here)
                if not _moved(conn, row):
                    raise Stale(0)

            command = MoveClocks(((row.seat, due),), "away")
            try:
                house.move_clocks(Work(store), row.game_id, command, at, also=also)
                return
            except Refused as refusal:  # its time is over by the new days off, too
                log.info("seat %s of game %s: %s", row.seat, row.game_id, refusal)
    with store.write() as conn:
        _moved(conn, row)


def _moved(conn: Connection, row: Any) -> bool:
    """Note that a clock need not be moved any more. Return False if it was not noted."""
    here = TO_MOVE.c.game_id == row.game_id, TO_MOVE.c.seat == row.seat, TO_MOVE.c.ply == row.ply
    return conn.execute(delete(TO_MOVE).where(*here)).rowcount == 1


def moved(game: Game, seat: int, due: int, before: Calendar, now: Calendar, at: int) -> int:
    """Return the deadline that leaves the same time under the calendar ``now``, and at least the pace's minimum."""
    running = time_of(game)
    if running is None or not running.pace.absences:
        return due
    later = after(running.pace, now, at, counted(running.pace, before, at, due))
    return max(later, running.running[seat].least)


def same_clock(game_id: str, seat: int, due: int) -> ExtraWrites:
    """Make a check that raises `Stale` unless the seat's clock is still due at ``due``."""

    def look(conn: Connection, _here: SubmissionContext) -> None:
        here = CLOCKS.c.game_id == game_id, CLOCKS.c.seat == seat
        if conn.execute(select(CLOCKS.c.due_at).where(*here)).scalar() != due:
            raise Stale(0)

    return look
