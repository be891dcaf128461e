"""The processes of the service: each reports once a minute what it is, what it does, and how much memory it has.

A report is a row, so that any web process or command can show all of them, on whichever machine they run. An ending
process removes its row; one that is killed or hangs falls silent.
"""

import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select
from sqlalchemy.pool import QueuePool

from config.celery import QUEUES, sweeps
from config.settings import Settings
from service.base import tally
from service.base.clock import DAY, MINUTE
from service.base.release import release_of_program
from service.database.compiled import upsert
from service.database.store import Store
from service.database.tables import Process, table_of
from service.notices import watch

PROCESSES = table_of(Process)

SILENT = 3 * MINUTE
"""A process that has not reported for this long has ended or hangs."""
WEB, LISTEN, MAILBOX, BEAT = "web", "listen", "mailbox", "beat"


class Me(NamedTuple):
    """This process. ``role``: `WEB`, `LISTEN`, `MAILBOX`, or the queues of a worker, separated by commas."""

    id: str
    role: str
    host: str
    pid: int
    started_at: int


class Running(NamedTuple):
    """A process as it last reported, at ``seen_at``.

    ``busy``: its tasks or requests at that time, the oldest being ``doing``, begun at ``since``. ``memory``: bytes.
    ``connections``: those to the database that were in use, of at most ``pool``.
    """

    role: str
    host: str
    pid: int
    release: str
    started_at: int
    seen_at: int
    memory: int
    connections: int
    pool: int
    busy: int
    doing: str
    since: int | None

    def is_silent(self, at: int) -> bool:
        return self.seen_at < at - SILENT

    @property
    def jobs(self) -> Sequence[str]:
        return self.role.split(",")


# ==== reporting ===================================================================================
_PUT = upsert(PROCESSES, ("id",), lambda new: {it.name: new[it.name] for it in PROCESSES.c if it.name != "id"})


def this_one(role: str, at: int) -> Me:
    """Return this process as it begins."""
    return Me(secrets.token_hex(16), role[:60], socket.gethostname()[:60], os.getpid(), at)


def report(store: Store, me: Me, at: int) -> None:
    """Write what this process does now."""
    doing, pool = tally.current(), store.engine.pool
    queue = pool if isinstance(pool, QueuePool) else None
    values: dict[str, Any] = {
        "release": release_of_program()[:40],
        "seen_at": at,
        "memory": memory(),
        "connections": queue.checkedout() if queue else 0,
        "pool": queue.size() + max(0, queue._max_overflow) if queue else 0,
        "busy": doing.number,
        "doing": doing.what[:80],
        "since": at - int(doing.seconds * 1000) if doing.number else None,
    }
    with store.write() as conn:
        _PUT[conn.dialect.name].run(conn, **me._asdict(), **values)


def leave(store: Store, me: Me) -> None:
    """Remove the row of a process that ends."""
    with store.write() as conn:
        conn.execute(delete(PROCESSES).where(PROCESSES.c.id == me.id))


def memory() -> int:
    """Return the resident memory of this process in bytes; 0 if the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def forget_old(conn: Connection, at: int) -> None:
    """Forget processes that fell silent a day ago."""
    conn.execute(delete(PROCESSES).where(PROCESSES.c.seen_at < at - DAY))


# ==== reading =====================================================================================
def all_of(conn: Connection) -> list[Running]:
    """Return all processes that have reported within a day, by role."""
    rows = conn.execute(select(PROCESSES).order_by(PROCESSES.c.role, PROCESSES.c.host, PROCESSES.c.pid))
    return [Running(*(getattr(row, name) for name in Running._fields)) for row in rows]


def expected(conn: Connection, settings: Settings, at: int) -> Mapping[str, int]:
    """Return each job that some process must do -> the number of processes that do it.

    The jobs are the web, each queue of the workers, and the beat, which reports by the sweeps that it starts; and
    `LISTEN` and `MAILBOX`, where the settings ask for them.
    """
    alive = [it for it in all_of(conn) if not it.is_silent(at)]
    jobs = [WEB, *QUEUES, *([LISTEN] if settings.listen else []), *([MAILBOX] if settings.has_local_mailbox else [])]
    found = {job: sum(job in it.jobs for it in alive) for job in jobs}
    beats = [when for name, when in watch.heartbeats(conn, settings).items() if name in sweeps(settings)]
    return found | {BEAT: int(max(beats, default=0) > at - watch.patience(settings))}
