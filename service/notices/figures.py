"""Figures over time, of all processes together: written once a minute, and read for an hour, a day or a month.

Each process counts in memory (`service.base.tally`), and a thread of it adds the counts to the rows of the present
minute, hour and day. So nothing is ever added up later, and old rows only need to be deleted. Their number is bounded,
and they name no person, no address and no game.
"""

import atexit
import logging
import random
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from sqlalchemy import Connection, case, delete, select
from sqlalchemy.exc import SQLAlchemyError

from service.base import tally
from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.database.compiled import upsert
from service.database.store import Away, Busy, Store
from service.database.tables import Figure, table_of
from service.notices import watch

log = logging.getLogger(__name__)

FIGURES = table_of(Figure)

EVER = 0
"""The span of the sums since the installation began."""
KEPT = {MINUTE: 2 * HOUR, HOUR: 2 * DAY, DAY: 62 * DAY}
"""Span -> the time for which its rows are kept."""
AGE = "age_"
"""Begins the names of the ages of due work, by the kinds of `watch.due`."""

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


def begin(store: Store, *, watches: bool = False) -> None:
    """Let a thread write this process's counts at the end of each minute, and at the end of the process.

    ``watches``: it also looks at the ages of due work. Web processes do, since workers may have stopped.
    """
    logging.getLogger().addHandler(_Errors(logging.ERROR))
    threading.Thread(target=_go_on, args=(store, watches), name="figures", daemon=True).start()
    atexit.register(_write_last, store)


def _go_on(store: Store, watches: bool) -> None:
    while True:
        time.sleep(_until_the_minute_ends(store) + random.uniform(0, LATEST))
        with suppress(Away, Busy, SQLAlchemyError):
            at = store.time() - MINUTE // 2  # the minute that has just ended
            if watches:
                look(store, at)
            write(store, at)


def _until_the_minute_ends(store: Store) -> float:
    try:
        return (MINUTE - store.time() % MINUTE) / SECOND
    except (Away, Busy, SQLAlchemyError):
        return MINUTE / SECOND


def _write_last(store: Store) -> None:
    with suppress(Away, Busy, SQLAlchemyError):
        write(store, store.time())


def look(store: Store, at: int) -> None:
    """Note for how long the oldest due work has waited."""
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


def ever(conn: Connection, what: str) -> dict[int, int]:
    """Return the sums since the installation began, by bound."""
    rows = conn.execute(select(FIGURES).where(FIGURES.c.span == EVER, FIGURES.c.at == 0, FIGURES.c.what == what))
    return {row.bound: row.number for row in rows}
