"""Talk at a table, outside its log: the rooms, who reads and writes there, and the lines.

The players have a room, and so have spectators who are signed in; players read the spectators' room once the game is
over. Nobody sees the lines of people whom they block or mute. Lines are kept for a while after the end of the game, and
are in no export of it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from sqlalchemy import Connection, and_, bindparam, case, delete, func, or_, select, union_all, update

from config.settings import Settings
from service.base import ticks
from service.base.clock import DAY
from service.base.ticks import Tick
from service.database.compiled import Compiled, upsert
from service.database.store import GAMES, Stored
from service.database.tables import Block, Mute, TalkLine, TalkMention, TalkRead, TalkRoom, table_of
from service.database.work import Work
from service.games import talk_text
from service.games.queries import Seen
from service.games.rights import Actor, must_have
from service.games.talk_text import Named, TalkPiece, pieces
from service.people.accounts import PERSONS
from service.words import N_, said

ROOMS_OF, LINES, MENTIONS, READS = (table_of(it) for it in (TalkRoom, TalkLine, TalkMention, TalkRead))
BLOCKS, MUTES = table_of(Block), table_of(Mute)

Room = Literal["players", "spectators"]
ROOMS: tuple[Room, ...] = get_args(Room)
PAGE = 50
LONGEST = talk_text.LONGEST


# ==== rooms =======================================================================================
def own_room(seen: Seen) -> Room | None:
    """Return the room in which the viewer may write; None if they are not signed in."""
    if seen.viewer is None:
        return None
    return "players" if seen.seat is not None else "spectators"


def readable(seen: Seen) -> tuple[Room, ...]:
    """Return the rooms that the viewer may read, their own first."""
    own = own_room(seen)
    if own is None:
        return ()
    return ROOMS if own == "players" and seen.reveals else (own,)


def is_on(settings: Settings, seen: Seen, at: int) -> bool:
    """Is there talk at this table?"""
    until = kept_until(settings, seen)
    return not is_off(settings, seen) and (until is None or at < until)


def is_off(settings: Settings, seen: Seen) -> bool:
    """Has the host or the installation switched talk off?"""
    return not (settings.talk and seen.row.talk)


def kept_until(settings: Settings, seen: Seen) -> int | None:
    """Return the time at which the lines are deleted; None while the game goes on."""
    ended = seen.row.ended_at
    return None if ended is None else ended + settings.talk_days * DAY


def switch(work: Work, actor: Actor, game_id: str, *, on: bool) -> None:
    """Let people talk at a table, or stop that. Raise `Forbidden`."""
    stored = work.game(game_id)
    must_have(work, actor, stored, "talk")
    with work.writing() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(talk=on))
        heard = set().union(*(hearers(conn, stored, room) for room in ROOMS))
    work.forget(game_id)
    tell(work.store.settings, game_id, heard)


# ==== what is new =================================================================================
class Glance(NamedTuple):
    """The talk at a table at a glance. ``mark``: changes with the lines that its reader may see; "" without talk.

    ``unread``: the number of new lines of others in each room.
    """

    mark: str = ""
    unread: Mapping[Room, int] = {}

    @property
    def new(self) -> int:
        return sum(self.unread.values())


NOTHING = Glance()


def _hidden_from(reader: Any) -> Any:
    """Select the people whose lines a reader does not see."""
    return union_all(
        select(BLOCKS.c.blocked_id).where(BLOCKS.c.person_id == reader),
        select(MUTES.c.muted_id).where(MUTES.c.person_id == reader),
    )


_SHOWN = and_(LINES.c.deleted_at.is_(None), LINES.c.writer_id.not_in(_hidden_from(bindparam("reader"))))
_READ = and_(READS.c.game_id == LINES.c.game_id, READS.c.room == LINES.c.room, READS.c.person_id == bindparam("reader"))
_IS_NEW = and_(LINES.c.number > func.coalesce(READS.c.number, 0), LINES.c.writer_id != bindparam("reader"))
_COUNTED = Compiled(
    select(
        LINES.c.room,
        func.max(LINES.c.number).label("last"),
        func.count().label("lines"),
        func.sum(case((_IS_NEW, 1), else_=0)).label("unread"),
    )
    .join_from(LINES, READS, _READ, isouter=True)
    .where(LINES.c.game_id == bindparam("game"), _SHOWN)
    .group_by(LINES.c.room)
)
_READER = Compiled(
    select(PERSONS.c.talk, READS.c.number)
    .join_from(
        PERSONS,
        READS,
        and_(READS.c.person_id == PERSONS.c.id, READS.c.game_id == bindparam("game"), READS.c.room == "spectators"),
        isouter=True,
    )
    .where(PERSONS.c.id == bindparam("reader"))
)


def glance(conn: Connection, settings: Settings, seen: Seen, at: int) -> Glance:
    """Return what is new for the viewer. Spectators hear of talk once they have looked at it."""
    if seen.viewer is None or not is_on(settings, seen, at):
        return NOTHING
    reader = _READER.row(conn, reader=seen.viewer, game=seen.game.id)
    if reader is None or reader.talk == "hidden":
        return NOTHING
    heard = [room for room in readable(seen) if seen.seat is not None or reader.number is not None]
    if not heard:
        return NOTHING
    found = {row.room: row for row in _COUNTED.rows(conn, reader=seen.viewer, game=seen.game.id)}
    marks = [f"{found[room].last}.{found[room].lines}" if room in found else "0" for room in heard]
    return Glance("-".join(marks), {room: int(found[room].unread) if room in found else 0 for room in heard})


def hearers(conn: Connection, stored: Stored, room: Room, writer: int | None = None) -> set[int]:
    """Return the people whose `Glance` changes with a line of this room. ``writer``: of the line, if it is one's."""
    everybody = Seen(stored, None, None, False, {})
    players = {it.person_id for it in stored.seats if it.person_id is not None}
    heard = set(players) if room == "players" or everybody.reveals else set()
    if room == "spectators":
        heard |= _watching(conn, stored) - players
    if not heard:
        return set()
    unwilling = select(PERSONS.c.id).where(PERSONS.c.id.in_(heard), PERSONS.c.talk == "hidden")
    heard -= set(conn.scalars(unwilling))
    if writer is not None:
        for table, other in ((BLOCKS, BLOCKS.c.blocked_id), (MUTES, MUTES.c.muted_id)):
            heard -= set(conn.scalars(select(table.c.person_id).where(other == writer)))
    return heard


def _watching(conn: Connection, stored: Stored) -> set[int]:
    """Return the people who have looked at the spectators' room, as far as they may still see the table."""
    looked = READS.c.game_id == stored.game.id, READS.c.room == "spectators"
    wanted = select(READS.c.person_id).where(*looked)
    if not stored.row.public:
        wanted = wanted.where(or_(READS.c.person_id == stored.row.host_id, READS.c.invites == stored.row.invites))
    return set(conn.scalars(wanted))


def tell(settings: Settings, game_id: str, people: Collection[int]) -> None:
    """Send a tick to these people, after the commit."""
    if people:
        ticks.send(settings, Tick(game_id, tuple(sorted(people))))


# ==== reading =====================================================================================
class LineRead(msgspec.Struct, frozen=True):
    """A line as its reader may see it. ``seat``: of its writer, if they have one now. ``new``: not read before."""

    number: int
    writer_id: int
    writer: str
    profile: str | None
    seat: int | None
    mine: bool
    new: bool
    pieces: tuple[TalkPiece, ...]
    said_at: int


def lines(
    conn: Connection,
    seen: Seen,
    room: Room,
    lang: str,
    *,
    before: int | None = None,
    after: int = 0,
    limit: int = PAGE,
) -> list[LineRead]:
    """Return the last lines of a room that the viewer may read, the oldest first, between two numbers."""
    assert room in readable(seen)
    wanted = (
        select(LINES, PERSONS.c.name, PERSONS.c.profile, case((_IS_NEW, 1), else_=0).label("new"))
        .join_from(LINES, PERSONS, PERSONS.c.id == LINES.c.writer_id)
        .join(READS, _READ, isouter=True)
        .where(LINES.c.game_id == seen.game.id, LINES.c.room == room, LINES.c.number > after, _SHOWN)
        .order_by(LINES.c.number.desc())
        .limit(limit)
    )
    if before is not None:
        wanted = wanted.where(LINES.c.number < before)
    rows = conn.execute(wanted, {"reader": seen.viewer}).all()[::-1]
    named = _named(conn, seen, room, [row.number for row in rows], lang)
    seats = {it.person_id: it.seat for it in seen.stored.seats if it.person_id is not None}
    return [
        LineRead(
            row.number,
            row.writer_id,
            row.name,
            row.profile,
            seats.get(row.writer_id),
            row.writer_id == seen.viewer,
            bool(row.new),
            pieces(row.text, named.get(row.number, {}), seen.version),
            row.said_at,
        )
        for row in rows
    ]


def _named(conn: Connection, seen: Seen, room: Room, numbers: Sequence[int], lang: str) -> dict[int, dict[int, Named]]:
    """Return the people named in lines: number of the line -> place -> name."""
    wanted = (
        select(MENTIONS, PERSONS.c.name)
        .join(PERSONS, PERSONS.c.id == MENTIONS.c.person_id, isouter=True)
        .where(MENTIONS.c.game_id == seen.game.id, MENTIONS.c.room == room, MENTIONS.c.number.in_(numbers))
    )
    found: dict[int, dict[int, Named]] = {}
    for row in conn.execute(wanted) if numbers else ():
        name = row.name or (said(N_("(erased)"), lang) if row.seat is None else seen.player(row.seat))
        found.setdefault(row.number, {})[row.place] = Named(name, row.person_id, row.seat)
    return found


def last_number(conn: Connection, seen: Seen, room: Room) -> int:
    """Return the number of a room's last line, also of one that the viewer does not see."""
    wanted = select(ROOMS_OF.c.last).where(ROOMS_OF.c.game_id == seen.game.id, ROOMS_OF.c.room == room)
    return conn.execute(wanted).scalar() or 0


def read(work: Work, seen: Seen, room: Room, at: int) -> None:
    """Note that the viewer has read a room to its end. A reader by the link of a letter leaves no trace."""
    if seen.viewer is None or seen.by_link or room not in readable(seen):
        return
    with work.reading() as conn:
        last = last_number(conn, seen, room)
        its = READS.c.game_id == seen.game.id, READS.c.room == room, READS.c.person_id == seen.viewer
        known = conn.execute(select(READS.c.number, READS.c.invites).where(*its)).one_or_none()
    if known is not None and (known.number, known.invites) == (last, seen.only_by):
        return
    if known is None and last == 0 and room == "players":
        return
    row = {"game_id": seen.game.id, "room": room, "person_id": seen.viewer, "number": last, "told": 0, "read_at": at}
    with work.writing() as conn:
        _NOTE_READ[conn.dialect.name].run(conn, **row, invites=seen.only_by)
    if known is None and room == "spectators":
        tell(work.store.settings, seen.game.id, {seen.viewer})  # from now on they hear of it


_NOTE_READ = upsert(
    READS,
    ("game_id", "room", "person_id"),
    lambda new: {"number": new.number, "read_at": new.read_at, "invites": new.invites},
)


# ==== keeping =====================================================================================
GAMES_AT_ONCE = 200


def forget_old(conn: Connection, settings: Settings, at: int) -> None:
    """Delete the talk of games that ended long ago."""
    long_over = GAMES.c.ended_at < at - settings.talk_days * DAY
    rooms = select(READS.c.game_id.label("game_id")).union(select(ROOMS_OF.c.game_id)).subquery()
    wanted = select(rooms.c.game_id).join(GAMES, GAMES.c.id == rooms.c.game_id).where(long_over).limit(GAMES_AT_ONCE)
    games = list(conn.scalars(wanted))
    for table in (MENTIONS, LINES, READS, ROOMS_OF):
        conn.execute(delete(table).where(table.c.game_id.in_(games)))
