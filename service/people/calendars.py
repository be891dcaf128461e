"""The times when people are present: zone, waking hours, vacations and holidays, for the arithmetic of deadlines."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from sqlalchemy import Connection, bindparam, select

from domain.pace import Calendar
from service.database.tables import Absence, Person, table_of

PERSONS, ABSENCES = table_of(Person), table_of(Absence)

_CALENDAR = (PERSONS.c.id, PERSONS.c.zone, PERSONS.c.wakes_at, PERSONS.c.sleeps_at)
_OF_PEOPLE = select(*_CALENDAR).where(PERSONS.c.id.in_(bindparam("people", expanding=True)))
_ABSENCES = select(ABSENCES.c.person_id, ABSENCES.c.first_day, ABSENCES.c.last_day).where(
    ABSENCES.c.person_id.in_(bindparam("people", expanding=True))
)


def of_person(conn: Connection, person_id: int) -> Calendar:
    """Return the calendar of a person. After an erasure it is always open."""
    return of_people(conn, [person_id]).get(person_id, Calendar())


def of_people(conn: Connection, people: Iterable[int]) -> dict[int, Calendar]:
    """Return the calendar of each person."""
    ids = list(set(people))
    away: dict[int, list[tuple[int, int]]] = {}
    for row in conn.execute(_ABSENCES, {"people": ids}):
        away.setdefault(row.person_id, []).append((_day(row.first_day), _day(row.last_day)))
    return {
        row.id: Calendar(row.zone, row.wakes_at, row.sleeps_at, tuple(sorted(away.get(row.id, []))))
        for row in conn.execute(_OF_PEOPLE, {"people": ids})
    }


def of_seats(conn: Connection, seats: Iterable[Any]) -> dict[int, Calendar]:
    """Return the calendar of the person at each seat, without seats that only a bot holds.

    ``seats``: the taken seats of a game, as in `service.database.store.Stored`.
    """
    sitting = {row.seat: row.person_id for row in seats if row.person_id is not None}
    people = of_people(conn, sitting.values())
    return {seat: people[person] for seat, person in sitting.items() if person in people}


def _day(iso: str) -> int:
    return date.fromisoformat(iso).toordinal()
