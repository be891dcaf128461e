"""The drawing of requested pages of games: claim one, draw it, keep it.

If the worker dies, the page is drawn again after the lease. After three deaths it is given up: it would kill the next
worker, too.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import Update, select, update

from service.database.store import Store, raise_if_away
from service.proof.drawn import PAGES, draw
from workers import ending
from workers.leases import claimable, hold, insist, lease, renewed

log = logging.getLogger(__name__)

TRIES = 3
BUDGET = 30.0
"""Seconds after which a task leaves the rest to the next, so that the nightly check continues, too."""


def draw_due(store: Store, now: Callable[[], int] | None = None) -> int:
    """Draw the requested pages, oldest request first. Return the number of pages."""
    now, done, end = now or store.time, 0, time.monotonic() + BUDGET
    while time.monotonic() < end and not ending.told.is_set():
        row = claim(store, now())
        if row is None:
            return done
        with renewed(store, partial(hold, _mine(row)), now):
            _work(store, row, now)
        done += 1
    return done


def claim(store: Store, at: int) -> Any | None:
    """Claim a requested page. Return None if there is none."""
    free = claimable(PAGES, at)
    with store.read() as conn:
        ids = list(conn.scalars(select(PAGES.c.id).where(free).order_by(PAGES.c.due_at).limit(TRIES)))
    taken = {"state": "leased", "lease_until": at + lease(store.settings), "attempts": PAGES.c.attempts + 1}
    for each in ids:
        with store.write() as conn:
            claimed = update(PAGES).where(PAGES.c.id == each, free).values(taken).returning(*_ASKED)
            if (row := conn.execute(claimed).one_or_none()) is not None:
                return row
    return None


_ASKED = (PAGES.c.id, PAGES.c.game_id, PAGES.c.seat, PAGES.c.lang, PAGES.c.attempts)


def _mine(row: Any) -> Update:
    """Return an UPDATE that reaches the row only while the claim holds."""
    return update(PAGES).where(PAGES.c.id == row.id, PAGES.c.state == "leased", PAGES.c.attempts == row.attempts)


def _work(store: Store, row: Any, now: Callable[[], int]) -> None:
    """Draw a claimed page and keep it."""
    if row.attempts > TRIES:
        log.error("the page of game %s was given up: its workers died of it", row.game_id)
        _mark(store, row, state="failed")
        return
    try:
        version, body = draw(store, row.game_id, row.seat, row.lang)
    except Exception as error:
        raise_if_away(error)  # not the page's fault: it is drawn again once the lease has expired
        log.exception("the page of game %s could not be drawn", row.game_id)
        _mark(store, row, state="failed")
    else:
        _mark(store, row, state="done", version=version, body=body, made_at=now())


def _mark(store: Store, row: Any, **values: Any) -> None:
    def write() -> None:
        with store.write() as conn:
            conn.execute(_mine(row).values(lease_until=None, **values))

    insist(store.settings, write)
