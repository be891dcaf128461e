"""A person's mail settings: all mail or none, switches for kinds and games, quiet hours, the daily digest.

A switch that is off drops a mail. Everything else only delays it.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, union, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from domain.pace import instant
from service.base.clock import DAY
from service.database.compiled import Compiled
from service.database.tables import GameRow, MailSwitch, Notice, Person, Seat, table_of
from service.people import recipients
from service.people.presence import STAYING, Attendance

PEOPLE, SWITCHES, OUTBOX, SEATS, GAMES = (table_of(model) for model in (Person, MailSwitch, Notice, Seat, GameRow))

FLAG_LOOK = DAY
"""The time for which mail to a failing address is held, again and again."""

Why = Literal["flagged", "digest", "quiet", "present"]


class Hold(NamedTuple):
    """The reason and the time (milliseconds) until which a mail waits."""

    why: Why
    until: int


class MailSettings(msgspec.Struct, frozen=True):
    """A person's choices. Times of day are minutes after midnight in ``zone``.

    ``digest_at``: None if each mail goes by itself. ``off``: unwanted pairs (game or "", kind or ""). ``blocked``: an
    operator has shut them out. ``pictures``: letters have pictures; ``short_receipts``: receipts contain only the
    result of each line.
    """

    zone: str
    stopped_at: int | None
    flagged_at: int | None
    flag: str
    quiet: bool
    wakes_at: int
    sleeps_at: int
    digest_at: int | None
    off: frozenset[tuple[str, str]]
    blocked: bool = False
    pictures: bool = True
    short_receipts: bool = False

    def is_off(self, game_id: str, kind: str) -> bool:
        """Does a switch exclude mails of this kind about this game?"""
        return not self.off.isdisjoint({(game_id, ""), ("", kind), (game_id, kind)})

    def hold(self, urgent: bool, created_at: int, visit: Attendance | None, present: int, at: int) -> Hold | None:
        """Return the reason why a mail owed since ``created_at`` must wait, or None.

        ``urgent``: no daily mail holds it.

        ``visit``: the person's visit to its game, which counts for ``present`` milliseconds after the last view.
        """
        if self.flagged_at is not None:
            return Hold("flagged", at + FLAG_LOOK)
        if self.digest_at is not None and not urgent:
            digest = next_time(self.digest_at, self.zone, created_at)
            if at < digest:
                return Hold("digest", digest)
        if self.quiet and not self.awake(at):
            return Hold("quiet", next_time(self.wakes_at, self.zone, at))
        if visit is not None and at < visit.seen_at + present and at < max(visit.since, created_at) + STAYING:
            return Hold("present", visit.seen_at + present)
        return None

    def awake(self, at: int) -> bool:
        """Is ``at`` in the person's waking hours?"""
        there = datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone))
        minute = there.hour * 60 + there.minute
        if self.wakes_at <= self.sleeps_at:
            return self.wakes_at <= minute < self.sleeps_at or self.wakes_at == self.sleeps_at
        return minute >= self.wakes_at or minute < self.sleeps_at


def next_time(minutes: int, zone: str, after: int) -> int:
    """Return the first moment after ``after`` at which clocks in ``zone`` show this time of day.

    If they skip it, it is the moment of the jump; if they show it twice, the first one (`domain.pace.instant`).
    """
    there = ZoneInfo(zone)
    today = datetime.fromtimestamp(after / 1000, there).toordinal()
    moments = (instant(there, day, minutes) for day in range(today, today + 3))
    return next(moment for moment in moments if moment > after)


# ==== reading =====================================================================================
_OF = Compiled(
    select(
        PEOPLE.c.zone,
        PEOPLE.c.mail_stopped_at,
        PEOPLE.c.mail_flagged_at,
        PEOPLE.c.mail_flag,
        PEOPLE.c.quiet,
        PEOPLE.c.wakes_at,
        PEOPLE.c.sleeps_at,
        PEOPLE.c.digest_at,
        PEOPLE.c.blocked_at,
        PEOPLE.c.pictures,
        PEOPLE.c.short_receipts,
    ).where(PEOPLE.c.id == bindparam("person"))
)
_OFF = Compiled(select(SWITCHES.c.game_id, SWITCHES.c.kind).where(SWITCHES.c.person_id == bindparam("person")))


def of(conn: Connection, person_id: int) -> MailSettings:
    """Return this person's settings. Raise ``NoResultFound`` if there is no such person."""
    row = _OF.row(conn, person=person_id)
    if row is None:
        raise NoResultFound
    return MailSettings(
        row.zone,
        row.mail_stopped_at,
        row.mail_flagged_at,
        row.mail_flag,
        row.quiet,
        row.wakes_at,
        row.sleeps_at,
        row.digest_at,
        frozenset((game_id, kind) for game_id, kind in _OFF.tuples(conn, person=person_id)),
        row.blocked_at is not None,
        row.pictures,
        row.short_receipts,
    )


# ==== changing ====================================================================================
CHANGEABLE = ("quiet", "digest_at", "pictures", "short_receipts")


def stop_mail(conn: Connection, person_id: int, at: int) -> None:
    """Stop all mail to this person, except links that they request. A second call changes nothing."""
    stopped = update(PEOPLE).where(PEOPLE.c.id == person_id, PEOPLE.c.mail_stopped_at.is_(None))
    conn.execute(stopped.values(mail_stopped_at=at))


def resume_mail(conn: Connection, person_id: int) -> None:
    """Resume mail to this person."""
    conn.execute(update(PEOPLE).where(PEOPLE.c.id == person_id).values(mail_stopped_at=None))


def switch(conn: Connection, person_id: int, *, game_id: str = "", kind: str = "", wanted: bool) -> None:
    """Switch mails off or on: of a game, a kind, or a kind in a game. A second call changes nothing."""
    which = {"person_id": person_id, "game_id": game_id, "kind": kind}
    if wanted:
        conn.execute(delete(SWITCHES).filter_by(**which))
        return
    with suppress(IntegrityError), conn.begin_nested():  # it may be off already
        conn.execute(insert(SWITCHES), which)


def set_off(conn: Connection, person_id: int, off: Iterable[tuple[str, str]]) -> None:
    """Replace all switches with these pairs (game or "", kind or ""), which are off."""
    conn.execute(delete(SWITCHES).where(SWITCHES.c.person_id == person_id))
    for game_id, kind in set(off):
        switch(conn, person_id, game_id=game_id, kind=kind, wanted=False)


def games_of(conn: Connection, person_id: int) -> set[str]:
    """Return the games whose mail this person may switch off: those that they host, play or played."""
    sits = select(SEATS.c.game_id).where(SEATS.c.person_id == person_id)
    return set(conn.scalars(union(sits, select(GAMES.c.id).where(GAMES.c.host_id == person_id))))


def change(conn: Connection, person_id: int, at: int, changes: Mapping[str, Any]) -> None:
    """Change some of `CHANGEABLE`, checked by the caller. Held mail may become due."""
    assert changes.keys() <= {*CHANGEABLE}
    if changes:
        conn.execute(update(PEOPLE).where(PEOPLE.c.id == person_id).values(**changes))
        release(conn, person_id, at)


def release(conn: Connection, person_id: int, at: int) -> None:
    """Make this person's held mail due. The worker holds it again if it must still wait."""
    recipients.lock(conn, recipients.of_person(person_id))
    held = OUTBOX.c.person_id == person_id, OUTBOX.c.state == "pending", OUTBOX.c.held.is_not(None)
    conn.execute(update(OUTBOX).where(*held).values(due_at=at))
    recipients.settle(conn, [recipients.of_person(person_id)], at)
