"""Reminders that are due: moved from the rows of clocks to the outbox, in batches, without loading a game.

A batch is one transaction, so a sweep that dies loses nothing; another one at the same time takes other rows.
"""

import time
from typing import Any

from sqlalchemy import bindparam, select, update

from service.base import hints
from service.database.store import SEATS, Store
from service.games.clocks import CLOCKS
from service.notices import owing
from service.notices.owing import Reminder

BATCH = 1000
_TO_REMIND = (
    select(CLOCKS, SEATS.c.person_id)
    .join(SEATS, (SEATS.c.game_id == CLOCKS.c.game_id) & (SEATS.c.seat == CLOCKS.c.seat))
    .where(CLOCKS.c.remind_at <= bindparam("at"))
    .order_by(CLOCKS.c.remind_at)
    .limit(BATCH)
    .with_for_update(skip_locked=True, of=CLOCKS)
)
_REMINDED = (
    update(CLOCKS)
    .where(CLOCKS.c.game_id == bindparam("game"), CLOCKS.c.seat == bindparam("at_seat"))
    .values(remind_at=bindparam("next"), reminders=bindparam("later"))
)


def sweep(store: Store, at: int, end: float = float("inf")) -> int:
    """Owe the reminders that are due, and return their number. Of several for one deadline, only the last is owed."""
    reminded = 0
    while time.monotonic() < end:
        with store.write() as conn:
            rows = conn.execute(_TO_REMIND, {"at": at}).all()
            due = [reminder for row in rows if (reminder := _reminder(row, at)) is not None]
            owing.remind(conn, store.settings, due, at)
            if rows:
                conn.execute(_REMINDED, [_next(row, at) for row in rows])
        reminded += len(due)
        if len(rows) < BATCH:
            break
    if reminded:
        hints.wake("outbox")
    return reminded


def _reminder(row: Any, at: int) -> Reminder | None:
    if row.due_at <= at or row.person_id is None:
        return None
    last = [moment for moment in row.reminders if moment <= at][-1]
    return Reminder(row.game_id, row.seat, row.person_id, row.ply, row.due_at, row.due_at - last)


def _next(row: Any, at: int) -> dict[str, Any]:
    later = [moment for moment in row.reminders if moment > at]
    return {"game": row.game_id, "at_seat": row.seat, "next": later[0] if later else None, "later": later}
