"""Letters about talk: who is owed one and when, and the lines that letters bring.

A letter never follows a single line. Unread lines ride in the next request to move. A mention, or any line for people
who wish so, makes one letter after a quiet time, and no second one until that was read or a day has passed.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, or_, select, update

from config.settings import Settings
from service.base.clock import DAY, MINUTE
from service.database.compiled import Compiled, upsert
from service.games import talk
from service.games.queries import Seen
from service.games.talk import MENTIONS, READS, ROOMS_OF, LineRead, Room
from service.notices import owing
from service.notices.hearers import Hearer
from service.notices.owing import OUTBOX
from service.people import recipients
from service.people.accounts import PERSONS

KIND = "talk"
QUIET = 15 * MINUTE
"""A letter waits until nobody has written for so long."""
SHOWN = 20
"""The most lines in a letter: the last ones."""


# ==== owing =======================================================================================
def owe(conn: Connection, settings: Settings, seen: Seen, room: Room, number: int, writer: int, at: int) -> None:
    """Owe the letters about a new line. Its readers' letters that already wait, wait for quiet anew."""
    readers = talk.hearers(conn, seen.stored, room, writer) - {writer}
    if not readers:
        return
    wait = OUTBOX.c.game_id == seen.game.id, OUTBOX.c.kind == KIND, OUTBOX.c.state == "pending"
    pending = {
        row.person_id: row
        for row in conn.execute(select(OUTBOX.c.id, OUTBOX.c.person_id, OUTBOX.c.due_at).where(*wait))
        if row.person_id in readers
    }
    wished = _wishing(conn, seen, room, number, readers)
    due = {person: max(it.due_at, at + QUIET) for person, it in pending.items()}
    due |= {person: _due(conn, seen, room, person, at) for person in wished}
    for person, it in pending.items():
        conn.execute(update(OUTBOX).where(OUTBOX.c.id == it.id).values(due_at=due[person]))
    recipients.settle(conn, [recipients.of_person(person) for person in pending], at)
    seats = {it.person_id: it.seat for it in seen.stored.seats}
    rows = []
    for person in sorted(wished - pending.keys()):
        hearer = Hearer(person, seats.get(person), 0, due[person] - at, f"{room}.{number}")
        row = owing.row_of(settings, seen.game.id, KIND, hearer, at)
        rows.append({**row, "message_id": row["message_id"].replace(".0.", f".0.{room}.{number}.", 1)})
    owing.owe(conn, rows, at)


def _wishing(conn: Connection, seen: Seen, room: Room, number: int, readers: Collection[int]) -> set[int]:
    """Return the readers who want a letter about this line: it mentions them, or they want to know all.

    People who see the table only by an invitation get none.
    """
    named = select(MENTIONS.c.person_id).where(
        MENTIONS.c.game_id == seen.game.id, MENTIONS.c.room == room, MENTIONS.c.number == number
    )
    wish = or_(PERSONS.c.talk == "all", PERSONS.c.id.in_(named))
    found = set(conn.scalars(select(PERSONS.c.id).where(PERSONS.c.id.in_(readers), wish)))
    if seen.row.public:
        return found
    return found & {seen.row.host_id, *(it.person_id for it in seen.stored.seats)}


def _due(conn: Connection, seen: Seen, room: Room, person: int, at: int) -> int:
    """Return when a letter may go: after the quiet time, or a day after an earlier one that was not read."""
    sent = conn.execute(
        select(func.max(OUTBOX.c.sent_at)).where(
            OUTBOX.c.person_id == person, OUTBOX.c.game_id == seen.game.id, OUTBOX.c.kind == KIND
        )
    ).scalar()
    if sent is None or _read_at(conn, seen, room, person) >= sent:
        return at + QUIET
    return max(at + QUIET, int(sent) + DAY)


def _read_at(conn: Connection, seen: Seen, room: Room, person: int) -> int:
    return conn.execute(select(READS.c.read_at).where(*_its(seen, room, person))).scalar() or 0


def _its(seen: Seen, room: Room, person: int | None) -> tuple[Any, ...]:
    return READS.c.game_id == seen.game.id, READS.c.room == room, READS.c.person_id == person


# ==== the lines of a letter =======================================================================
class TalkTold(NamedTuple):
    """The lines up to ``number`` that a letter brings to a person."""

    game_id: str
    room: Room
    person_id: int
    number: int


_TOLD = Compiled(
    select(PERSONS.c.talk, READS.c.number, READS.c.told, ROOMS_OF.c.last)
    .join_from(PERSONS, ROOMS_OF, and_(ROOMS_OF.c.game_id == bindparam("game"), ROOMS_OF.c.room == bindparam("room")))
    .join(
        READS,
        and_(READS.c.game_id == ROOMS_OF.c.game_id, READS.c.room == ROOMS_OF.c.room, READS.c.person_id == PERSONS.c.id),
        isouter=True,
    )
    .where(PERSONS.c.id == bindparam("person"))
)
"""The last line of a room and what a person knows of it; nothing while nobody has written there."""


def fresh(conn: Connection, settings: Settings, seen: Seen, room: Room, lang: str, at: int) -> list[LineRead]:
    """Return the lines of others that the viewer has neither read nor got in a letter."""
    if seen.viewer is None or room not in talk.readable(seen) or not talk.is_on(settings, seen, at):
        return []
    row = _TOLD.row(conn, game=seen.game.id, room=room, person=seen.viewer)
    if row is None or row.talk == "hidden":
        return []
    after = max(row.number or 0, row.told or 0)
    if after >= row.last:
        return []
    return [it for it in talk.lines(conn, seen, room, lang, after=after) if not it.mine][-SHOWN:]


def mentions(seen: Seen, line: LineRead) -> bool:
    """Does a line mention the viewer?"""
    return any(it.kind == "person" and it.to == str(seen.viewer) for it in line.pieces)


def wants_all(conn: Connection, person: int | None) -> bool:
    """Does this person want letters about all lines?"""
    return conn.execute(select(PERSONS.c.talk).where(PERSONS.c.id == person)).scalar() == "all"


def note_told(conn: Connection, told: TalkTold) -> None:
    """Note that a letter with these lines was sent."""
    row = {"game_id": told.game_id, "room": told.room, "person_id": told.person_id, "told": told.number}
    _NOTE_TOLD[conn.dialect.name].run(conn, **row, number=0, read_at=0, invites=None)


_NOTE_TOLD = upsert(READS, ("game_id", "room", "person_id"), lambda new: {"told": new.told})
