"""People and other people: the private list of those one likes to play with, and those one blocks or mutes.

Nobody learns who listed, blocked or muted them: no refusal, page, answer or export tells. If one person blocks another,
they never sit down together at a new table, and no invitation by the blocked one reaches the other. A person sees no
talk of people whom they block or mute.
"""

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Table, and_, delete, insert, or_, select

from service.database.tables import Block, Liked, Mute, Person, table_of

PERSONS, LIKED, BLOCKS, MUTES = table_of(Person), table_of(Liked), table_of(Block), table_of(Mute)

Kind = Literal["liked", "blocked", "muted"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 500
"""People on a list."""


class ListIsFull(Exception):
    """The list is full."""


_LISTS: Mapping[Kind, tuple[Table, Any]] = {
    "liked": (LIKED, LIKED.c.liked_id), "blocked": (BLOCKS, BLOCKS.c.blocked_id), "muted": (MUTES, MUTES.c.muted_id),
}  # fmt: skip
_NOT_BOTH: Mapping[Kind, Kind] = {"liked": "blocked", "blocked": "liked"}
"""A person is on one of these lists at most."""


def _list(kind: Kind) -> tuple[Table, Any]:
    """Return the table of a list, and its column with the listed people."""
    return _LISTS[kind]


def add(conn: Connection, person_id: int, kind: Kind, other: int, at: int) -> None:
    """Put somebody on a list of a person, and take them off one that says the opposite. Raises `ListIsFull`."""
    table, column = _list(kind)
    known = list(conn.scalars(select(column).where(table.c.person_id == person_id)))
    if other in known or other == person_id:
        return
    if len(known) >= MOST:
        raise ListIsFull
    if kind in _NOT_BOTH:
        remove(conn, person_id, _NOT_BOTH[kind], other)
    conn.execute(insert(table).values({"person_id": person_id, column.name: other, "since": at}))


def remove(conn: Connection, person_id: int, kind: Kind, other: int) -> None:
    table, column = _list(kind)
    conn.execute(delete(table).where(table.c.person_id == person_id, column == other))


def listed(conn: Connection, person_id: int, kind: Kind) -> list[Any]:
    """Return the people on a list: their number, name and the address of their profile, by name."""
    table, column = _list(kind)
    wanted = select(PERSONS.c.id, PERSONS.c.name, PERSONS.c.profile).join(table, column == PERSONS.c.id)
    return list(conn.execute(wanted.where(table.c.person_id == person_id).order_by(PERSONS.c.name, PERSONS.c.id)))


def is_listed(conn: Connection, person_id: int, kind: Kind, other: int) -> bool:
    table, column = _list(kind)
    return conn.execute(select(column).where(table.c.person_id == person_id, column == other)).first() is not None


def keep_apart(conn: Connection, person_id: int, others: Collection[int]) -> bool:
    """Does the person block one of ``others``, or one of them the person?"""
    mine = and_(BLOCKS.c.person_id == person_id, BLOCKS.c.blocked_id.in_(others))
    theirs = and_(BLOCKS.c.blocked_id == person_id, BLOCKS.c.person_id.in_(others))
    return conn.execute(select(BLOCKS.c.since).where(or_(mine, theirs)).limit(1)).first() is not None


def apart(conn: Connection, people: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of these people in which one blocks the other, each in both orders."""
    theirs = BLOCKS.c.person_id.in_(people), BLOCKS.c.blocked_id.in_(people)
    pairs = {(row.person_id, row.blocked_id) for row in conn.execute(select(BLOCKS).where(*theirs))}
    return pairs | {(other, one) for one, other in pairs}


def refuses(conn: Connection, address: str, by: int) -> bool:
    """Does the person with this mail address block ``by``?"""
    wanted = select(BLOCKS.c.since).join(PERSONS, PERSONS.c.id == BLOCKS.c.person_id)
    return conn.execute(wanted.where(PERSONS.c.email == address, BLOCKS.c.blocked_id == by)).first() is not None
