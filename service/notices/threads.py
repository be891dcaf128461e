"""Threads: the letters of a game to one person are one conversation (RFC 5322, 3.6.4)."""

from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, select

from service.database.compiled import Compiled
from service.notices.owing import OUTBOX


def before(conn: Connection, row: Any) -> tuple[str, ...]:
    """Return the Message-IDs of the first and the latest letter to the person of an outbox row about its game.

    Letters about several games belong to no conversation.
    """
    if row.person_id is None or not row.game_id:
        return ()
    told = _TOLD.rows(conn, person=row.person_id, game=row.game_id, this=row.id)
    sent = [it.told_by for it in told if it.told_by]
    return tuple(dict.fromkeys((sent[0], sent[-1]))) if sent else ()


_OTHER = OUTBOX.alias()
_OF_OTHERS = exists().where(
    _OTHER.c.told_by == OUTBOX.c.told_by,
    _OTHER.c.game_id != bindparam("game"),
    _OTHER.c.person_id == bindparam("person"),
)
_TOLD = Compiled(
    select(OUTBOX.c.told_by)
    .where(
        OUTBOX.c.person_id == bindparam("person"),
        OUTBOX.c.game_id == bindparam("game"),
        OUTBOX.c.state == "sent",
        OUTBOX.c.id != bindparam("this"),
        ~_OF_OTHERS,
    )
    .group_by(OUTBOX.c.told_by)
    .order_by(func.min(OUTBOX.c.sent_at), func.min(OUTBOX.c.id))
)
