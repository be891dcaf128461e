"""Wiping deleted data: a file of SQLite keeps traces of it until the file is rewritten (VACUUM).

We rewrite it after each erasure, and once a day for expired data. (Operators decide about the traces in PostgreSQL: see
docs/host/privacy.md.)
"""

import logging

from sqlalchemy import func, insert, select, update

from service.base.clock import DAY
from service.database.store import Busy, Store
from service.database.tables import Heartbeat, table_of
from service.notices.watch import WIPED
from service.people.accounts import ERASED

log = logging.getLogger(__name__)

HEARTBEATS = table_of(Heartbeat)


def wipe(store: Store, at: int) -> bool:
    """Rewrite the database. Return False if it was busy: then `wipe_if_due` will."""
    try:
        store.wipe()
        with store.write() as conn:
            if conn.execute(update(HEARTBEATS).where(HEARTBEATS.c.name == WIPED).values(at=at)).rowcount == 0:
                conn.execute(insert(HEARTBEATS).values(name=WIPED, at=at))
    except Busy as error:
        log.warning("the database could not be written anew: %s", error)
        return False
    return True


def wipe_if_due(store: Store, at: int) -> None:
    """Rewrite the database if somebody was erased since the last time, or that was a day ago."""
    if not store.on_sqlite:
        return
    with store.read() as conn:
        last = conn.execute(select(HEARTBEATS.c.at).where(HEARTBEATS.c.name == WIPED)).scalar()
        erased = conn.execute(select(func.max(ERASED.c.at))).scalar()
    if last is None or at - last >= DAY or (erased is not None and erased > last):
        wipe(store, at)
