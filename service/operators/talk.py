"""Reports of talk for operators, and their actions on it: they see the lines that a report quotes, and no others."""

from sqlalchemy import Connection, func, select, update

from service.base.clock import HOUR
from service.base.ticks import Tick, send
from service.database.store import Store
from service.games import saying, talk_reports
from service.games.talk import LINES, hearers
from service.games.talk_reports import REPORTED, REPORTS, ReportOfTalk
from service.operators import acts
from service.operators.acts import NotDone, Who, acting, demand, enter
from service.people.accounts import PERSONS

LONGEST_SILENCE = 24 * 365
"""The most hours for which somebody can be silenced."""


def reports(conn: Connection, who: Who, at: int, *, limit: int = talk_reports.PAGE) -> list[ReportOfTalk]:
    """Return the reports, those that are not settled first."""
    demand(conn, who, at)
    return talk_reports.reports(conn, limit=limit)


def waiting(conn: Connection) -> int:
    """Return the number of reports that nobody has settled."""
    return conn.execute(select(func.count()).where(REPORTS.c.settled_at.is_(None))).scalar_one()


def remove_lines(store: Store, who: Who, report_id: int, why: str, at: int) -> None:
    """Delete the lines that a report quotes. Their writers can read the entry. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        its = _report(conn, report_id)
        quoted = conn.execute(select(REPORTED).where(REPORTED.c.report_id == report_id)).all()
        numbers = [row.number for row in quoted]
        there = LINES.c.game_id == its.game_id, LINES.c.room == its.room, LINES.c.number.in_(numbers)
        writers = sorted(set(conn.scalars(select(LINES.c.writer_id).where(*there, LINES.c.deleted_at.is_(None)))))
        if not saying.remove(conn, *there, at=at):
            raise NotDone("no_lines")
        for writer in writers:
            enter(conn, who, "remove_lines", why, at, person_id=writer, game_id=its.game_id)
        stored = store.load(conn, its.game_id)
        heard = set().union(*(hearers(conn, stored, its.room, writer) for writer in writers))
    send(store.settings, Tick(its.game_id, tuple(sorted(heard))))


def settle(store: Store, who: Who, report_id: int, why: str, at: int) -> None:
    """Mark a report as settled. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        its = _report(conn, report_id)
        if its.settled_at is not None:
            raise NotDone("settled")
        conn.execute(update(REPORTS).where(REPORTS.c.id == report_id).values(settled_at=at))
        enter(conn, who, "settle", why, at, game_id=its.game_id, detail=str(report_id))


def _report(conn: Connection, report_id: int) -> ReportOfTalk:
    found = talk_reports.reports(conn, REPORTS.c.id == report_id)
    if not found:
        raise NotDone("no_report")
    return found[0]


def silence(store: Store, who: Who, person_id: int, hours: int, why: str, at: int) -> None:
    """Let a person write no talk for some hours; 0 lets them write again. Raise `NotDone`, `names.BadName`."""
    if not 0 <= hours <= LONGEST_SILENCE:
        raise NotDone("hours")
    with acting(store, who, why, at) as (conn, why):
        acts.person(conn, person_id)
        until = at + hours * HOUR if hours else None
        conn.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(silenced_until=until))
        enter(conn, who, "silence" if hours else "unsilence", why, at, person_id=person_id, detail=str(hours or ""))
