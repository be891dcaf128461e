"""Writing talk: a line is said once, within limits, and its writer may delete it."""

import hashlib
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from config.settings import Settings
from service.base.clock import DAY, HOUR, MINUTE
from service.base.names import BadName
from service.database.compiled import upsert
from service.database.work import Work
from service.games import talk_mail
from service.games.queries import Seen
from service.games.rights import Asking, must_be, see
from service.games.talk import (
    LINES,
    MENTIONS,
    ROOMS_OF,
    Room,
    hearers,
    is_off,
    is_on,
    last_number,
    own_room,
    tell,
)
from service.games.talk_text import Named, cleaned, marked
from service.people.accounts import PERSONS

NEWCOMER = 7 * DAY
"""For so long after the account was made, less may be written."""
MOST = ((MINUTE, 12), (HOUR, 60), (DAY, 300))
MOST_OF_NEWCOMERS = ((MINUTE, 4), (HOUR, 15), (DAY, 40))
"""The lines of a person within a time, in all games. Deleted lines count."""

Why = Literal["off", "closed", "room", "silenced", "too_many", "length", "unseen"]


class NotSaid(Exception):
    """The line was not written. ``until``: the time until which nothing can be written, if it is known.

    "off": there is no talk at this table. "closed": the lines are about to be deleted. "room": another room than the
    writer's. "silenced": by an operator. "too_many": lines in a short time. Otherwise the text is at fault.
    """

    def __init__(self, why: Why, until: int | None = None) -> None:
        super().__init__(why)
        self.why, self.until = why, until


class NoSuchLine(Exception):
    """The line does not exist, or is another person's."""


def say(work: Work, actor: Asking, game_id: str, text: str, at: int, *, room: Room | None = None, key: str = "") -> int:
    """Write a line in the actor's room. Return its number. ``key``: a repeated line is written once.

    ``room``: where they believe to write. Raise `Forbidden`, `NoSuchGame` and `NotSaid`.
    """
    writer, seen, own, kept = _checked(work, actor, game_id, text, at, room)
    kept_key = hashlib.sha256(f"{writer} {key}".encode()).hexdigest() if key else None
    with work.writing() as conn:
        if kept_key is not None and (known := _with_key(conn, kept_key)) is not None:
            return known
        _must_be_free(conn, work.store.settings, writer, at)
        number = _written(conn, seen, own, writer, kept, kept_key, at)
        talk_mail.owe(conn, work.store.settings, seen, own, number, writer, at)
        heard = hearers(conn, seen.stored, own, writer)
    tell(work.store.settings, game_id, heard)
    return number


def check(work: Work, actor: Asking, game_id: str, text: str, at: int, *, room: Room | None = None) -> None:
    """Check that a line could be written. Raise as `say`."""
    writer, *_rest = _checked(work, actor, game_id, text, at, room)
    with work.reading() as conn:
        _must_be_free(conn, work.store.settings, writer, at)


def _checked(
    work: Work, actor: Asking, game_id: str, text: str, at: int, room: Room | None
) -> tuple[int, Seen, Room, str]:
    """Return the writer of a line, the game as they see it, their room, and the text as it is stored."""
    writer = must_be(actor, "talk")
    seen = see(work, actor, game_id)
    own = own_room(seen)
    assert own is not None
    if room not in (None, own):
        raise NotSaid("room")
    if not is_on(work.store.settings, seen, at):
        raise NotSaid("off" if is_off(work.store.settings, seen) else "closed")
    try:
        return writer, seen, own, cleaned(text)
    except BadName as bad:
        raise NotSaid("unseen" if bad.why == "unseen" else "length") from None


def _with_key(conn: Connection, key: str) -> int | None:
    return conn.execute(select(LINES.c.number).where(LINES.c.key == key)).scalar()


def _must_be_free(conn: Connection, settings: Settings, writer: int, at: int) -> None:
    """Check that the writer is not silenced, and has not written too much. Raise `NotSaid`."""
    person = conn.execute(select(PERSONS.c.created_at, PERSONS.c.silenced_until).where(PERSONS.c.id == writer)).one()
    if person.silenced_until is not None and at < person.silenced_until:
        raise NotSaid("silenced", person.silenced_until)
    if not settings.rate_limits:
        return
    for span, most in MOST_OF_NEWCOMERS if at - person.created_at < NEWCOMER else MOST:
        lately = LINES.c.writer_id == writer, LINES.c.said_at > at - span
        newest = select(LINES.c.said_at).where(*lately).order_by(LINES.c.said_at.desc()).offset(most - 1).limit(1)
        if (oldest := conn.execute(newest).scalar()) is not None:
            raise NotSaid("too_many", oldest + span)


def _written(conn: Connection, seen: Seen, room: Room, writer: int, text: str, key: str | None, at: int) -> int:
    """Write a line with its mentions. Return its number."""
    its = {"game_id": seen.game.id, "room": room}
    _NEXT[conn.dialect.name].run(conn, **its, last=1)
    number = last_number(conn, seen, room)
    stored, named = marked(text, _people(conn, seen, room))
    conn.execute(
        insert(LINES), {**its, "number": number, "writer_id": writer, "text": stored, "key": key, "said_at": at}
    )
    for place, it in enumerate(named):
        row = {**its, "number": number, "place": place, "person_id": it.person_id, "seat": it.seat}
        conn.execute(insert(MENTIONS), row)
    return number


_NEXT = upsert(ROOMS_OF, ("game_id", "room"), lambda new: {"last": ROOMS_OF.c.last + 1})


def _people(conn: Connection, seen: Seen, room: Room) -> list[Named]:
    """Return everybody who can be mentioned in a room: those at the table, and spectators who have talked."""
    found = [
        Named(seen.player(it.seat), it.person_id, it.seat if it.person_id is None else None) for it in seen.stored.seats
    ]
    if room == "spectators":
        wrote = select(LINES.c.writer_id).where(LINES.c.game_id == seen.game.id, LINES.c.room == room)
        spoke = select(PERSONS.c.id, PERSONS.c.name).where(PERSONS.c.id.in_(wrote)).order_by(PERSONS.c.id)
        found += [Named(row.name, row.id) for row in conn.execute(spoke)]
    return found


def delete_line(work: Work, actor: Asking, game_id: str, room: Room, number: int, at: int) -> None:
    """Delete a line of the actor's own. Raise `Forbidden`, `NoSuchGame` and `NoSuchLine`."""
    writer = must_be(actor, "talk")
    stored = see(work, actor, game_id).stored
    its = LINES.c.game_id == game_id, LINES.c.room == room, LINES.c.number == number
    with work.writing() as conn:
        if not remove(conn, *its, LINES.c.writer_id == writer, at=at):
            raise NoSuchLine
        heard = hearers(conn, stored, room, writer)
    tell(work.store.settings, game_id, heard)


def remove(conn: Connection, *which: Any, at: int) -> int:
    """Empty the lines under these conditions. Return their number."""
    gone = conn.execute(
        select(LINES.c.game_id, LINES.c.room, LINES.c.number).where(*which, LINES.c.deleted_at.is_(None))
    )
    keys = [tuple(row) for row in gone]
    for game_id, room, number in keys:
        for table in (MENTIONS, LINES):
            its = table.c.game_id == game_id, table.c.room == room, table.c.number == number
            emptied = update(LINES).values(text="", deleted_at=at) if table is LINES else delete(MENTIONS)
            conn.execute(emptied.where(*its))
    return len(keys)
