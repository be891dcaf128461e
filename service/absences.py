"""Vacations and holidays: planned by a person within a budget; clocks that run wait for who goes away (ST 13)."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import Connection, delete, insert, select, update

from domain.clock import MoveClocks
from domain.game import Game
from domain.pace import Calendar, after, counted, day_of
from domain.refusal import Refused
from service import calendars, play
from service.calendars import ABSENCES
from service.clocks import CLOCKS, time_of
from service.play import Stale
from service.store import SEATS, Busy, NoSuchGame, Store

Kind = Literal["vacation", "holiday"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BUDGET: dict[Kind, int] = {"vacation": 30, "holiday": 15}
"""Days of each kind that a person has in a calendar year."""
AHEAD = timedelta(days=730)
"""How far ahead days can be planned."""


class BadAbsence(ValueError):
    """These days cannot be taken. ``why``: order, past, far, overlap or budget; ``left``: days left of ``year``."""

    def __init__(self, why: str, left: int = 0, year: int = 0) -> None:
        super().__init__(why)
        self.why, self.left, self.year = why, left, year


def of(conn: Connection, person_id: int) -> Sequence[Any]:
    """The absences of a person, in order."""
    mine = select(ABSENCES).where(ABSENCES.c.person_id == person_id)
    return conn.execute(mine.order_by(ABSENCES.c.first_day, ABSENCES.c.id)).all()


def left(rows: Sequence[Any], kind: Kind, year: int) -> int:
    """How many days of a kind are left in a year."""
    return BUDGET[kind] - sum(_days_in(year, *_span(row)) for row in rows if row.kind == kind)


def plan(store: Store, person_id: int, first: date, last: date, kind: Kind, at: int) -> None:
    """Take days off, from today on. Clocks that run wait at once. Raises `BadAbsence`."""

    def note(conn: Connection) -> None:
        rows = of(conn, person_id)
        today = day_of(calendars.of_person(conn, person_id), at)
        _check(rows, first, last, kind, today)
        conn.execute(insert(ABSENCES).values(
            person_id=person_id, first_day=first.isoformat(), last_day=last.isoformat(), kind=kind
        ))  # fmt: skip

    _change(store, person_id, note, at)


def end(store: Store, person_id: int, absence_id: int, at: int) -> bool:
    """Give back the days of an absence that are still to come, today included; whether there were any."""
    found = []

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

    _change(store, person_id, note, at)
    return bool(found)


def _check(rows: Sequence[Any], first: date, last: date, kind: Kind, today: date) -> None:
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


# ==== clocks that run =============================================================================
def _change(store: Store, person_id: int, note: Callable[[Connection], None], at: int) -> None:
    """Write the absence down; then each running clock of the person has as much time to count as it had before."""
    with store.write() as conn:
        before = calendars.of_person(conn, person_id)
        note(conn)
        now = calendars.of_person(conn, person_id)
        mine = select(CLOCKS.c.game_id, CLOCKS.c.seat, CLOCKS.c.due_at).join(
            SEATS, (SEATS.c.game_id == CLOCKS.c.game_id) & (SEATS.c.seat == CLOCKS.c.seat)
        )
        running = conn.execute(mine.where(SEATS.c.person_id == person_id, CLOCKS.c.due_at > at)).all()
    if before != now:
        for row in running:
            _move(store, row, before, now, at)


def _move(store: Store, row: Any, before: Calendar, now: Calendar, at: int) -> None:
    """Move one clock, unless it has moved on meanwhile: then it was reckoned with the new calendar."""
    try:
        with store.read() as conn:
            game = store.load(conn, row.game_id).game
        due = moved(game, row.due_at, before, now, at)
        if due != row.due_at:
            command = MoveClocks(((row.seat, due),), "away")
            still = same_clock(row.game_id, row.seat, row.due_at)
            play.submit(store, row.game_id, None, [command], None, None, at, cause="service", also=still)
    except (Refused, Stale, NoSuchGame, Busy):
        return


def moved(game: Game, due: int, before: Calendar, now: Calendar, at: int) -> int:
    """The deadline that leaves as much time to count under the calendar of now as there was."""
    time = time_of(game)
    if time is None or not time.pace.absences:
        return due
    return after(time.pace, now, at, counted(time.pace, before, at, due))


def same_clock(game_id: str, seat: int, due: int) -> Callable[[Connection], None]:
    """Refuses when the clock of a seat is not due then any more."""

    def look(conn: Connection) -> None:
        here = CLOCKS.c.game_id == game_id, CLOCKS.c.seat == seat
        if conn.execute(select(CLOCKS.c.due_at).where(*here)).scalar() != due:
            raise Stale(0)

    return look
