"""The people who look at a game now, to the minute: mail about a table waits while its reader is there.

``present`` is a setting: the milliseconds for which a person counts as present after a view.
"""

import threading
from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.base.clock import MINUTE
from service.database.compiled import Compiled
from service.database.tables import Presence, table_of

PRESENCE = table_of(Presence)

STAYING = 15 * MINUTE
"""The longest wait for a person who stays: a page that is left open, or a program, refreshes for ever."""
KEPT_EVERY = MINUTE
KEPT_MOST = 10_000


class Attendance(NamedTuple):
    """The start of a visit and its last stored view, in milliseconds."""

    since: int
    seen_at: int


class RecentViews:
    """The views that this process has stored recently, so that each is written at most once a minute."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str, bool], int] = OrderedDict()
        self._lock = threading.Lock()

    def is_news(self, person_id: int, game_id: str, at: int, *, begins: bool = True) -> bool:
        """Should this view be stored? After True the caller must store it. ``begins``: as in `note`."""
        key = (person_id, game_id, begins)
        with self._lock:
            if not 0 <= at - self._kept.get(key, -KEPT_EVERY) < KEPT_EVERY:
                self._kept[key] = at
                self._kept.move_to_end(key)
                while len(self._kept) > KEPT_MOST:
                    self._kept.popitem(last=False)
                return True
        return False


def note(conn: Connection, person_id: int, game_id: str, at: int, present: int, *, begins: bool = True) -> None:
    """Store a person's view of a game. A view soon after the last one continues the visit.

    ``begins``: this view may start a visit. Machines that read mail follow its links, so theirs may not.
    """
    away = PRESENCE.c.seen_at < at - present
    seen = (
        update(PRESENCE)
        .where(PRESENCE.c.person_id == person_id, PRESENCE.c.game_id == game_id)
        .values(seen_at=at, since=case((away, at), else_=PRESENCE.c.since))
    )
    if not begins:
        conn.execute(seen.where(~away))
        return
    if conn.execute(seen).rowcount:
        return
    with suppress(IntegrityError), conn.begin_nested():  # another process may be first
        conn.execute(insert(PRESENCE), {"person_id": person_id, "game_id": game_id, "since": at, "seen_at": at})


def visits(conn: Connection, person_id: int, at: int, present: int) -> dict[str, Attendance]:
    """Return the games that this person is looking at now."""
    found = _NOW.rows(conn, person=person_id, after=at - present)
    return {row.game_id: Attendance(row.since, row.seen_at) for row in found}


_NOW = Compiled(
    select(PRESENCE.c.game_id, PRESENCE.c.since, PRESENCE.c.seen_at).where(
        PRESENCE.c.person_id == bindparam("person"), PRESENCE.c.seen_at > bindparam("after")
    )
)
