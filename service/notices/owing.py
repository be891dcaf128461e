"""Owing notices: rows of the outbox and webhook calls, in the transaction that makes them due.

A notice belongs to a person, a game, the ply that asked the seat, and a kind (`kinds`). Its Message-ID says just that,
and when it was owed. The Message-ID is unique, so there cannot be two. When its time has come, the worker checks again
whether it is due.
"""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from service.base.links import pseudonym
from service.database.tables import Notice, NoticeHistory, Person, Seat, table_of
from service.notices import webhooks
from service.notices.hearers import Hearer, Step
from service.notices.kinds import KINDS
from service.people import acquaintances, outbox, strangers
from service.people.outbox import Row

OUTBOX, HISTORY, SEATS, PEOPLE = table_of(Notice), table_of(NoticeHistory), table_of(Seat), table_of(Person)


_HEARD = tuple((tag, kind.hears) for tag, kind in KINDS.items() if kind.hears is not None)


def queue(conn: Connection, settings: Settings, step: Step) -> list[Row]:
    """Owe all notices of a submission. Return the rows."""
    heard = ((tag, hearer) for tag, hears in _HEARD for hearer in hears(step))
    rows = [row_of(settings, step.after.id, tag, hearer, step.at) for tag, hearer in heard]
    owe(conn, rows, step.at)
    return rows


def owe(conn: Connection, rows: Sequence[Row], at: int) -> None:
    """Owe notices: each to a person's mailbox, and to their webhooks for its kind."""
    if rows:
        outbox.owe(conn, rows)
        webhooks.queue(conn, rows, at)


def tells_of(person_id: int) -> Any:
    """Return the condition for rows that tell other people about this person."""
    return (OUTBOX.c.kind == "left") & OUTBOX.c.key.contains(f".{person_id}.", autoescape=True)


def row_of(settings: Settings, game_id: str, kind: str, hearer: Hearer, at: int) -> Row:
    """Return the row of a notice about a game."""
    person_id, seat, ply, later, key = hearer
    # After a restore of a copy the same ply may come again, and then its notices differ.
    who = pseudonym(settings, "person", game_id, person_id, seat, at)
    message_id = f"<{kind}.{game_id}.{ply}.{who}@{settings.mail_domain}>"
    return outbox.mail(
        kind, message_id, at, person_id=person_id, game_id=game_id, seat=seat, ply=ply, key=key, due_at=at + later
    )


# ==== reminders ===================================================================================
class Reminder(NamedTuple):
    """A deadline that comes near. ``ply``: the one that asked the seat; ``before``: the time left at the reminder."""

    game_id: str
    seat: int
    person_id: int
    ply: int
    due: int
    before: int


def remind(conn: Connection, settings: Settings, reminders: Sequence[Reminder], at: int) -> list[Row]:
    """Owe reminders. Return the rows. Each key contains its deadline, so a new deadline gets a new reminder."""
    rows = []
    for it in reminders:
        key = f"{it.due}.{it.before}"
        row = row_of(settings, it.game_id, "reminder", Hearer(it.person_id, it.seat, it.ply, 0, key), at)
        message_id = row["message_id"].replace(f".{it.ply}.", f".{it.ply}.{key}.", 1)
        rows.append({**row, "message_id": message_id})
    outbox.owe_once(conn, rows)
    webhooks.queue(conn, rows, at)
    return rows


def deadline_in(key: str) -> int:
    """Return the deadline in the key of a reminder, in milliseconds."""
    return int(key.partition(".")[0])


# ==== invitations =================================================================================
def invite(
    conn: Connection,
    settings: Settings,
    *,
    game_id: str,
    number: int,
    address: str,
    by: int,
    lang: str,
    at: int,
    again: str = "",
) -> bool:
    """Owe ``address`` an invitation from person ``by``. Return False if it has this invitation already.

    ``number``: how often the invitation was renewed. People with an earlier one can be invited again, since theirs
    opens nothing. ``again``: the finished game of which this is a rematch. Raise `strangers.NotInvited`.
    """
    who = pseudonym(settings, "invited", game_id, address, *([number] if number else []))
    message_id = f"<invitation.{game_id}.{who}@{settings.mail_domain}>"
    if conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.message_id == message_id)).first():
        return False
    if acquaintances.refuses(conn, address, by):
        raise strangers.NotInvited
    strangers.count_invitation(conn, address, at)
    row = outbox.mail(
        "invitation",
        message_id,
        at,
        address=address,
        game_id=game_id,
        key=secrets.token_hex(8),
        payload={"by": by, "lang": lang, **({"again": again} if again else {})},
    )
    try:
        with conn.begin_nested():
            outbox.owe(conn, [row])
    except IntegrityError:  # a double click
        return False
    return True
