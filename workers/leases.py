"""Work that many workers share: rows that are owed, each claimed by one worker for a lease.

A row is claimed by an UPDATE that must change exactly one, for a lease that is renewed while its worker lives. When a
worker dies the lease runs out and another one has the row.
"""

import logging
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Table, and_, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from service.clock import SECOND
from service.store import Busy, Store

log = logging.getLogger(__name__)

BATCH = 20


class Claimed(msgspec.Struct, frozen=True):
    """A row that is ours until the lease runs out. ``attempts`` tells our claim from a later one."""

    row: Any
    attempts: int

    @property
    def id(self) -> int:
        return int(self.row.id)


def lease(store: Store) -> int:
    """Milliseconds for which a claim holds unless it is renewed: two sweeps, so that a death costs little time."""
    return int(2 * store.settings.sweep_seconds * SECOND)


def due(table: Table, at: int) -> Any:
    """What of ``table`` (with columns state, due_at, lease_until) may be claimed."""
    return or_(
        and_(table.c.state == "pending", table.c.due_at <= at),
        and_(table.c.state == "leased", table.c.lease_until <= at),
    )


def claim(store: Store, table: Table, at: int) -> Claimed | None:
    """One due row, ours alone; None when nothing is due."""
    with store.read() as conn:
        ids = list(conn.scalars(select(table.c.id).where(due(table, at)).order_by(table.c.due_at).limit(BATCH)))
    random.shuffle(ids)  # so that many workers do not all reach for the same one
    for each in ids:
        with store.write() as conn:
            ours = (
                update(table)
                .where(table.c.id == each, due(table, at))
                .values(state="leased", lease_until=at + lease(store), attempts=table.c.attempts + 1)
            )
            if conn.execute(ours).rowcount == 1:
                row = conn.execute(select(table).where(table.c.id == each)).one()
                return Claimed(row, row.attempts)
    return None


def mine(table: Table, claimed: Claimed) -> Any:
    """An UPDATE that reaches the row only while the claim holds."""
    return update(table).where(
        table.c.id == claimed.id, table.c.state == "leased", table.c.attempts == claimed.attempts
    )


@contextmanager
def kept(store: Store, table: Table, claimed: Claimed, now: Callable[[], int]) -> Iterator[None]:
    """Renew the lease for as long as this process lives."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(lease(store) / SECOND / 3):
            try:
                with store.write() as conn:
                    conn.execute(mine(table, claimed).values(lease_until=now() + lease(store)))
            except (SQLAlchemyError, Busy):
                log.warning("the lease of %s %s could not be renewed", table.name, claimed.id)

    keeper = threading.Thread(target=renew, name=f"lease-{claimed.id}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()
