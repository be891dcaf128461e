"""Reports of talk: a reader quotes lines to the operators, who see these lines and nothing else of the talk."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from config.settings import Settings
from service.base.clock import DAY
from service.base.names import cleaned
from service.database.store import GAMES
from service.database.tables import ReportedLine, TalkReport, table_of
from service.database.work import Work
from service.games import talk_text
from service.games.rights import Asking, must_be, see
from service.games.saying import NoSuchLine, NotSaid
from service.games.talk import LINES, Room, readable
from service.people.accounts import PERSONS

REPORTS, REPORTED = table_of(TalkReport), table_of(ReportedLine)

LONGEST_WHY = 300
MOST_LINES = 20
"""The lines of one report."""
MOST_A_DAY = 10
"""The reports of one person."""
PAGE = 20


def report(work: Work, actor: Asking, game_id: str, room: Room, numbers: Collection[int], why: str, at: int) -> None:
    """Report lines of others that the actor can read.

    Raise `Forbidden`, `NoSuchGame`, `NoSuchLine`, `names.BadName` for the reason, and `NotSaid` for too many reports.
    """
    reporter = must_be(actor, "talk")
    seen = see(work, actor, game_id)
    if room not in readable(seen):
        raise NoSuchLine
    kept = cleaned(why, LONGEST_WHY)
    wanted = select(LINES).where(
        LINES.c.game_id == game_id, LINES.c.room == room, LINES.c.number.in_(numbers), LINES.c.deleted_at.is_(None),
        LINES.c.writer_id != reporter,
    )  # fmt: skip
    with work.writing() as conn:
        rows = conn.execute(wanted.order_by(LINES.c.number)).all()
        if len(rows) != len({*numbers}) or not 0 < len(rows) <= MOST_LINES:
            raise NoSuchLine
        lately = REPORTS.c.reporter_id == reporter, REPORTS.c.reported_at > at - DAY
        if conn.execute(select(func.count()).where(*lately)).scalar_one() >= MOST_A_DAY:
            raise NotSaid("too_many", at + DAY)
        its = {"game_id": game_id, "room": room, "reporter_id": reporter, "why": kept, "reported_at": at}
        (number,) = conn.execute(insert(REPORTS).values(**its).returning(REPORTS.c.id)).one()
        quoted = [
            {
                "report_id": number, "number": row.number, "writer_id": row.writer_id,
                "text": talk_text.without_marks(row.text), "said_at": row.said_at,
            }
            for row in rows
        ]  # fmt: skip
        conn.execute(insert(REPORTED), quoted)


class QuotedLine(msgspec.Struct, frozen=True):
    """A reported line. ``address``: its writer's, for email. ``silenced_until``: they may write nothing until then."""

    number: int
    writer_id: int
    writer: str
    address: str
    text: str
    said_at: int
    silenced_until: int | None


class ReportOfTalk(msgspec.Struct, frozen=True):
    """A report. ``reporter``: None after their erasure."""

    id: int
    game_id: str
    game: str
    room: Room
    reporter: str | None
    why: str
    reported_at: int
    settled_at: int | None
    lines: Sequence[QuotedLine]


def reports(conn: Connection, *which: Any, limit: int = PAGE) -> list[ReportOfTalk]:
    """Return reports under these conditions, those that are not settled first, then the newest."""
    wanted = (
        select(REPORTS, GAMES.c.name.label("game"), PERSONS.c.name.label("reporter"))
        .join(GAMES, GAMES.c.id == REPORTS.c.game_id)
        .join(PERSONS, PERSONS.c.id == REPORTS.c.reporter_id, isouter=True)
        .where(*which)
        .order_by(REPORTS.c.settled_at.is_not(None), REPORTS.c.id.desc())
        .limit(limit)
    )
    rows = conn.execute(wanted).all()
    lines = _quoted(conn, [row.id for row in rows])
    return [
        ReportOfTalk(
            row.id, row.game_id, row.game, row.room, row.reporter, row.why, row.reported_at, row.settled_at,
            lines.get(row.id, []),
        )
        for row in rows
    ]  # fmt: skip


def _quoted(conn: Connection, ids: Sequence[int]) -> Mapping[int, list[QuotedLine]]:
    wanted = (
        select(REPORTED, PERSONS.c.name, PERSONS.c.email, PERSONS.c.silenced_until)
        .join(PERSONS, PERSONS.c.id == REPORTED.c.writer_id)
        .where(REPORTED.c.report_id.in_(ids))
        .order_by(REPORTED.c.report_id, REPORTED.c.number)
    )
    found: dict[int, list[QuotedLine]] = {}
    for row in conn.execute(wanted):
        line = QuotedLine(row.number, row.writer_id, row.name, row.email, row.text, row.said_at, row.silenced_until)
        found.setdefault(row.report_id, []).append(line)
    return found


def forget_old(conn: Connection, settings: Settings, at: int) -> None:
    """Delete the reports that were settled long ago."""
    conn.execute(delete(REPORTS).where(REPORTS.c.settled_at < at - settings.talk_days * DAY))
