"""The rules common to all owed rows, mail and calls alike: when they are due, leases, retries and giving up.

A row is claimed for a lease, which its worker renews. If the worker dies, the lease ends and another worker claims the
row.
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
"""The waits after the first, second … failure, each slightly randomised. The last one repeats."""
GIVE_UP = 48 * HOUR
"""The time of failures after which a row is given up."""


def claimable(table: Table, at: int) -> ColumnElement[bool]:
    """Return the condition for claimable rows of ``table`` (with columns state, due_at, lease_until)."""
    return or_(
        and_(table.c.state == "pending", table.c.due_at <= at),
        and_(table.c.state == "leased", table.c.lease_until <= at),
    )


def lease(settings: Settings) -> int:
    """Return the milliseconds of a lease: two sweeps, so that a worker's death costs little time."""
    return int(2 * settings.sweep_seconds * SECOND)


@contextmanager
def renewed(store: Store, until: Callable[[int], Update], now: Callable[[], int]) -> Iterator[None]:
    """Renew the lease while this process lives. ``until``: makes the UPDATE that extends it if we still hold it."""
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


def hold(mine: Update, until: int) -> Update:
    """Extend the lease of the row of ``mine``, for `renewed`."""
    return mine.values(lease_until=until)


def backoff(attempts: int) -> int:
    """Return the wait in milliseconds after this many attempts, 20 % more or less, so that retries spread."""
    return int(BACKOFF[min(attempts, len(BACKOFF)) - 1] * random.uniform(0.8, 1.2))


def insist(settings: Settings, write: Callable[[], None]) -> None:
    """Write a result, and retry until the lease must have ended if the database is busy or away.

    Without the result the work would be done twice.
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
