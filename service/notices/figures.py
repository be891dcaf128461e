"""Figures over time, of all processes together: written once a minute, and read for an hour, a day or a month.

Each process counts in memory (`service.base.tally`), and a thread of it adds the counts to the rows of the present
minute, hour and day. So nothing is ever added up later, and old rows only need to be deleted. Their number is bounded,
and they name no person, no address and no game.
"""

import atexit
import logging
import os
import random
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from sqlalchemy import Connection, case, delete, select
from sqlalchemy.exc import SQLAlchemyError

from service.base import tally
from service.base.clock import DAY, HOUR, MINUTE, SECOND, now
from service.database.compiled import upsert
from service.database.store import Away, Busy, Store
from service.database.tables import Figure, table_of
from service.notices import processes, watch

log = logging.getLogger(__name__)

FIGURES = table_of(Figure)

EVER = 0
"""The span of the sums since the installation began."""
KEPT = {MINUTE: 2 * HOUR, HOUR: 2 * DAY, DAY: 62 * DAY}
"""Span -> the time for which its rows are kept."""
AGE = "age_"
"""Begins the names of the ages of due work, by the kinds of `watch.due`."""

DATABASE = "database"
"""The size of the database in bytes."""

Period = Literal["hour", "day", "month"]
PERIODS: Mapping[Period, tuple[int, int]] = {"hour": (MINUTE, 60), "day": (HOUR, 24), "month": (DAY, 31)}
"""Period -> the span of its rows, and their number."""


# ==== writing =====================================================================================
_ADD = upsert(FIGURES, ("span", "at", "what", "bound"), lambda new: {"number": FIGURES.c.number + new.number})
_RAISE = upsert(
    FIGURES,
    ("span", "at", "what", "bound"),
    lambda new: {"number": case((new.number > FIGURES.c.number, new.number), else_=FIGURES.c.number)},
)


def write(store: Store, at: int) -> None:
    """Add this process's counts to the rows of the minute, hour and day of ``at``. If that fails, keep the counts."""
    sums, highest = tally.taken()
    if not sums and not highest:
        return
    try:
        with store.write() as conn:
            # In one order everywhere, so that two processes never wait for each other.
            for span in (EVER, *KEPT):
                begin = at - at % span if span else 0
                for (what, bound), number in sorted(sums.items()):
                    _ADD[conn.dialect.name].run(conn, span=span, at=begin, what=what, bound=bound, number=number)
                for what, value in sorted(highest.items()) if span else ():
                    _RAISE[conn.dialect.name].run(conn, span=span, at=begin, what=what, bound=0, number=value)
    except (Away, Busy, SQLAlchemyError) as error:
        tally.give_back(sums, highest)
        log.warning("figures are written later: %s", type(error).__name__)


def forget_old(conn: Connection, at: int) -> None:
    """Delete rows that no period shows any more."""
    for span, kept in KEPT.items():
        conn.execute(delete(FIGURES).where(FIGURES.c.span == span, FIGURES.c.at < at - kept))


# ==== each minute =================================================================================
LATEST = 3.0
"""Seconds over which the processes spread their writing."""


def begin(store: Store, role: str) -> None:
    """Let a thread write this process's counts at the end of each minute, and report what the process does.

    ``role``: as in `processes.Me`.
    """
    logging.getLogger().addHandler(_Errors(logging.ERROR))
    threading.Thread(target=_go_on, args=(store, role), name="figures", daemon=True).start()


def _go_on(store: Store, role: str) -> None:
    me = processes.this_one(role, _time_of(store))
    atexit.register(_end, store, me)
    while True:
        with suppress(Away, Busy, SQLAlchemyError):
            processes.report(store, me, store.time())
        time.sleep(_until_the_minute_ends(store) + random.uniform(0, LATEST))
        with suppress(Away, Busy, SQLAlchemyError):
            at = store.time() - MINUTE // 2  # the minute that has just ended
            if role == processes.WEB:  # not the workers, since they may have stopped
                look(store, at)
            write(store, at)


def _time_of(store: Store) -> int:
    try:
        return store.time()
    except (Away, Busy, SQLAlchemyError):
        return now()


def _until_the_minute_ends(store: Store) -> float:
    try:
        return (MINUTE - store.time() % MINUTE) / SECOND
    except (Away, Busy, SQLAlchemyError):
        return MINUTE / SECOND


def _end(store: Store, me: processes.Me) -> None:
    if os.getpid() != me.pid:
        return  # a fork of this process ends
    with suppress(Away, Busy, SQLAlchemyError):
        write(store, store.time())
        processes.leave(store, me)


def look(store: Store, at: int) -> None:
    """Note for how long the oldest due work has waited, and the size of the database."""
    tally.reached(DATABASE, store.size())
    with store.read() as conn:
        for kind, it in watch.due(conn, store.settings, at).items():
            tally.reached(f"{AGE}{kind}", it.waited if it.number else 0)


class _Errors(logging.Handler):
    """Counts the errors in the log of this process."""

    def emit(self, record: logging.LogRecord) -> None:
        tally.count(tally.ERRORS)


# ==== reading =====================================================================================
class Course(NamedTuple):
    """The figures of a period. ``begins``: the starts of its spans, oldest first; the last one goes on.

    ``found``: what -> start -> bound -> number.
    """

    span: int
    begins: Sequence[int]
    found: Mapping[str, Mapping[int, Mapping[int, int]]]

    def sums(self, what: str) -> list[int]:
        """Return a number for each span."""
        return [sum(self.found.get(what, {}).get(begin, {}).values()) for begin in self.begins]

    def lately(self, what: str, spans: int) -> list[tuple[int, int]]:
        """Return (bound, number) of the last spans."""
        its = self.found.get(what, {})
        return [item for begin in self.begins[-spans:] for item in its.get(begin, {}).items()]

    def highest(self, what: str) -> list[int | None]:
        """Return the highest value of each span; None where nobody looked."""
        return [self.found.get(what, {}).get(begin, {}).get(0) for begin in self.begins]

    def below(self, what: str, share: float) -> list[int | None]:
        """Return the time in milliseconds that this share of each span did not exceed; None without any."""
        its = self.found.get(what, {})
        return [tally.share_at_most(what, its.get(begin, {}).items(), share) for begin in self.begins]


def course(conn: Connection, period: Period, at: int) -> Course:
    """Return the figures of the last hour, day or month. Its spans begin in UTC."""
    span, number = PERIODS[period]
    last = at - at % span
    begins = range(last - (number - 1) * span, last + 1, span)
    rows = conn.execute(select(FIGURES).where(FIGURES.c.span == span, FIGURES.c.at >= begins[0]))
    found: dict[str, dict[int, dict[int, int]]] = {}
    for row in rows:
        found.setdefault(row.what, {}).setdefault(row.at, {})[row.bound] = row.number
    return Course(span, begins, found)


def size_before(conn: Connection, at: int, ago: int) -> int | None:
    """Return the size of the database on the last day that ended before ``at - ago``; None if nobody looked."""
    its = FIGURES.c.span == DAY, FIGURES.c.what == DATABASE, FIGURES.c.at <= at - ago - DAY
    found = select(FIGURES.c.number).where(*its, FIGURES.c.at > at - ago - 7 * DAY).order_by(FIGURES.c.at.desc())
    return conn.execute(found.limit(1)).scalar()


def ever(conn: Connection, what: str) -> dict[int, int]:
    """Return the sums since the installation began, by bound."""
    rows = conn.execute(select(FIGURES).where(FIGURES.c.span == EVER, FIGURES.c.at == 0, FIGURES.c.what == what))
    return {row.bound: row.number for row in rows}
