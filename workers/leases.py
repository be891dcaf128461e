"""What all rows that are owed have in common, mail and calls alike: when they are due, the lease, tries and patience.

A row is claimed for a lease that is renewed while its worker lives; when that dies the lease runs out, and another
worker has the row.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat

from sqlalchemy import ColumnElement, Table, Update, and_, or_
from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from service.base.clock import HOUR, MINUTE, SECOND
from service.database.store import Busy, Store

log = logging.getLogger(__name__)

BACKOFF = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * HOUR)
"""How long to wait after the first, second ... failure; the last one again and again, each a little off."""
GIVE_UP = 48 * HOUR
"""After how long a time of failures something is given up."""


def claimable(table: Table, at: int) -> ColumnElement[bool]:
    """What of ``table`` (with columns state, due_at, lease_until) may be claimed."""
    return or_(
        and_(table.c.state == "pending", table.c.due_at <= at),
        and_(table.c.state == "leased", table.c.lease_until <= at),
    )


def lease(settings: Settings) -> int:
    """Milliseconds for which a claim holds unless it is renewed: two sweeps, so that a death costs little time."""
    return int(2 * settings.sweep_seconds * SECOND)


@contextmanager
def renewed(store: Store, until: Callable[[int], Update], now: Callable[[], int]) -> Iterator[None]:
    """Renew the lease for as long as this process lives. ``until``: lets it hold until then, if it is ours still."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(lease(store.settings) / SECOND / 3):
            try:
                with store.write() as conn:
                    conn.execute(until(now() + lease(store.settings)))
            except (SQLAlchemyError, Busy):
                log.warning("a lease could not be renewed")

    keeper = threading.Thread(target=renew, name="lease", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def backoff(attempts: int) -> int:
    """Milliseconds to wait after this many attempts, up to a fifth more or less so that tries do not come in waves."""
    return int(BACKOFF[min(attempts, len(BACKOFF)) - 1] * random.uniform(0.8, 1.2))


def insist(settings: Settings, write: Callable[[], None]) -> None:
    """Write down what became of something. What is not marked would be done twice, so a database that is busy or away
    is asked until the lease must have run out.
    """
    end = time.monotonic() + lease(settings) / SECOND
    for pause in chain((0.1, 0.5), repeat(2.0)):
        try:
            write()
            return
        except (SQLAlchemyError, Busy):
            if time.monotonic() + pause > end:
                raise
            time.sleep(pause)
