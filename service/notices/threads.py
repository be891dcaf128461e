"""Threads: the letters of a game to one person are one conversation (RFC 5322, 3.6.4)."""

from typing import Any

from sqlalchemy import Connection, exists, func, select

from service.notices.owing import OUTBOX

_OTHER = OUTBOX.alias()


def before(conn: Connection, row: Any) -> tuple[str, ...]:
    """Return the Message-IDs of the first and the latest letter to the person of an outbox row about its game.

    Letters about several games belong to no conversation.
    """
    if row.person_id is None or not row.game_id:
        return ()
    of_others = (_OTHER.c.told_by == OUTBOX.c.told_by) & (_OTHER.c.game_id != row.game_id)
    told = (
        select(OUTBOX.c.told_by, func.min(OUTBOX.c.id))
        .where(
            OUTBOX.c.person_id == row.person_id,
            OUTBOX.c.game_id == row.game_id,
            OUTBOX.c.state == "sent",
            OUTBOX.c.id != row.id,
            ~exists().where(of_others, _OTHER.c.person_id == row.person_id),
        )
        .group_by(OUTBOX.c.told_by)
        .order_by(func.min(OUTBOX.c.sent_at), func.min(OUTBOX.c.id))
    )
    sent = [it.told_by for it in conn.execute(told) if it.told_by]
    return tuple(dict.fromkeys((sent[0], sent[-1]))) if sent else ()
