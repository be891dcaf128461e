"""Deleted for good. In a file of SQLite a little is left of what was deleted until the file is written anew.

That is done when somebody was erased, and once a day for what was forgotten by and by. (What PostgreSQL leaves, and
for how long, is for its operator to say: see docs/host/privacy.md.)
"""

import logging

from sqlalchemy import func, insert, select, update

from service.base.clock import DAY
from service.database.store import Busy, Store
from service.database.tables import Heartbeat, table_of
from service.people.accounts import ERASED

log = logging.getLogger(__name__)

HEARTBEATS = table_of(Heartbeat)
NAME = "wipe"


def wipe(store: Store, at: int) -> bool:
    """Write the database anew; False when others kept it busy: then `wipe_if_due` will."""
    try:
        store.wipe()
        with store.write() as conn:
            if conn.execute(update(HEARTBEATS).where(HEARTBEATS.c.name == NAME).values(at=at)).rowcount == 0:
                conn.execute(insert(HEARTBEATS).values(name=NAME, at=at))
    except Busy as error:
        log.warning("the database could not be written anew: %s", error)
        return False
    return True


def wipe_if_due(store: Store, at: int) -> None:
    """Write the database anew when somebody was erased since the last time, or it was a day ago."""
    if not store.on_sqlite:
        return
    with store.read() as conn:
        last = conn.execute(select(HEARTBEATS.c.at).where(HEARTBEATS.c.name == NAME)).scalar()
        erased = conn.execute(select(func.max(ERASED.c.at))).scalar()
    if last is None or at - last >= DAY or (erased is not None and erased > last):
        wipe(store, at)
