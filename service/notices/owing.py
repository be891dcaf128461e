"""What is owed to whom: rows of the outbox and calls to webhooks, in the transaction that makes them due.

A notice belongs to a person, a game, the ply that made the seat asked, and a kind (`kinds`); its Message-ID says just
that, and when it was owed. It is unique, so there cannot be two. Whether a mail is still due when its time has come is
asked again by the worker.
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
from service.people import outbox, strangers
from service.people.outbox import Row

OUTBOX, HISTORY, SEATS, PEOPLE = table_of(Notice), table_of(NoticeHistory), table_of(Seat), table_of(Person)


_HEARD = tuple((tag, kind.hears) for tag, kind in KINDS.items() if kind.hears is not None)


def queue(conn: Connection, settings: Settings, step: Step) -> list[Row]:
    """Owe what a submission makes due, of every kind; the rows."""
    heard = ((tag, hearer) for tag, hears in _HEARD for hearer in hears(step))
    rows = [_row(settings, step.after.id, tag, hearer, step.at) for tag, hearer in heard]
    owe(conn, rows, step.at)
    return rows


def owe(conn: Connection, rows: Sequence[Row], at: int) -> None:
    """Owe notices: each to a person's mailbox, and to those of their webhooks that hear of its kind."""
    if rows:
        outbox.owe(conn, rows)
        webhooks.queue(conn, rows, at)


def tells_of(person_id: int) -> Any:
    """The condition for rows that tell somebody else of this person."""
    return (OUTBOX.c.kind == "left") & OUTBOX.c.key.contains(f".{person_id}.", autoescape=True)


def _row(settings: Settings, game_id: str, kind: str, hearer: Hearer, at: int) -> Row:
    person_id, seat, ply, later, key = hearer
    # After going back to a copy the same ply comes another time, and what was sent of it then is not this.
    who = pseudonym(settings, "person", game_id, person_id, seat, at)
    message_id = f"<{kind}.{game_id}.{ply}.{who}@{settings.mail_domain}>"
    return outbox.mail(
        kind, message_id, at, person_id=person_id, game_id=game_id, seat=seat, ply=ply, key=key, due_at=at + later
    )


# ==== reminders ===================================================================================
class Reminder(NamedTuple):
    """A deadline that comes near. ``ply``: that made the seat asked; ``before``: how long before it is reminded."""

    game_id: str
    seat: int
    person_id: int
    ply: int
    due: int
    before: int


def remind(conn: Connection, settings: Settings, reminders: Sequence[Reminder], at: int) -> list[Row]:
    """Owe reminders; the rows. One carries the deadline it warns of, so that one for another deadline is another."""
    rows = []
    for it in reminders:
        key = f"{it.due}.{it.before}"
        row = _row(settings, it.game_id, "reminder", Hearer(it.person_id, it.seat, it.ply, 0, key), at)
        message_id = row["message_id"].replace(f".{it.ply}.", f".{it.ply}.{key}.", 1)
        rows.append({**row, "message_id": message_id})
    outbox.owe_once(conn, rows)
    webhooks.queue(conn, rows, at)
    return rows


def deadline_in(key: str) -> int:
    """The deadline that the key of a reminder names, in milliseconds."""
    return int(key.partition(".")[0])


# ==== invitations =================================================================================
def invite(
    conn: Connection, settings: Settings, *, game_id: str, number: int, address: str, by: int, lang: str, at: int
) -> bool:
    """Owe ``address`` an invitation from person ``by``; False when it was invited to this game already.

    ``number``: how often the invitation was renewed. A person who had an earlier one can be invited again: it opens
    nothing. Raises `strangers.NotInvited`.
    """
    who = pseudonym(settings, "invited", game_id, address, *([number] if number else []))
    message_id = f"<invitation.{game_id}.{who}@{settings.mail_domain}>"
    if conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.message_id == message_id)).first():
        return False
    strangers.count_invitation(conn, address, at)
    row = outbox.mail(
        "invitation",
        message_id,
        at,
        address=address,
        game_id=game_id,
        key=secrets.token_hex(8),
        payload={"by": by, "lang": lang},
    )
    try:
        with conn.begin_nested():
            outbox.owe(conn, [row])
    except IntegrityError:  # the button was pressed twice at one moment
        return False
    return True
