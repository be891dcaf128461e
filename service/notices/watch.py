"""The check whether the work gets done: how long the oldest due work has waited, and when the sweeps last ran.

Due work lies in rows, so a query finds it; a dead or hanging worker need not report itself.
"""

import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from config.celery import switched_off
from config.settings import Settings
from service.base.clock import DAY, MINUTE, SECOND, iso
from service.database.store import GAMES, Busy, Store
from service.database.tables import Heartbeat, IncomingMail, KeptSeat, Outage, table_of
from service.notices import failing
from service.notices.failing import MailboxState, MailServer
from service.notices.webhooks import CALLS
from service.people.recipients import RECIPIENTS

HEARTBEATS, OUTAGES, INCOMING = table_of(Heartbeat), table_of(Outage), table_of(IncomingMail)
KEPT = table_of(KeptSeat)

SWEEPS_LATE = 6
"""The number of sweeps after which due work is late."""


class Due(NamedTuple):
    """The due work of one kind. ``waited``: for how many milliseconds the oldest has waited."""

    number: int
    waited: int


def due(conn: Connection, settings: Settings, at: int) -> dict[str, Due]:
    """Return the due work by kind.

    mail: recipients with due mail, or whose worker has died. webhooks: calls. clocks, bots: games. incoming: mail to
    read, if the service takes answers. wishes: seats that are kept too long for somebody.
    """
    looks: Mapping[str, Sequence[Any]] = {
        "mail": (select(func.count(), func.min(RECIPIENTS.c.next_at)).where(RECIPIENTS.c.next_at <= at),),
        "webhooks": _owed_calls(at),
        "clocks": (select(func.count(), func.min(GAMES.c.due_at)).where(GAMES.c.due_at <= at),),
        "bots": (select(func.count(), func.min(_BOT_SINCE)).where(GAMES.c.bot_at <= at),),
        "incoming": _to_be_read(at) if settings.answerable else (),
        "wishes": (
            select(func.count(), func.min(KEPT.c.kept_until)).where(KEPT.c.state == "kept", KEPT.c.kept_until <= at),
        ),
    }
    found = {}
    for kind, statements in looks.items():
        rows = [conn.execute(each).one() for each in statements]
        oldest = min((row[1] for row in rows if row[1] is not None), default=at)
        found[kind] = Due(sum(row[0] for row in rows), max(0, at - oldest))
    return found


_BOT_SINCE = case((GAMES.c.bot_at > GAMES.c.moved_at, GAMES.c.bot_at), else_=GAMES.c.moved_at)
"""Since when a bot has been due that may move; a stand-in has waited for the player first."""


def _owed_calls(at: int) -> Sequence[Any]:
    """Return the unclaimed calls and the calls of dead workers, each found by an index."""
    return (
        select(func.count(), func.min(CALLS.c.due_at)).where(CALLS.c.state == "pending", CALLS.c.due_at <= at),
        select(func.count(), func.min(CALLS.c.lease_until)).where(CALLS.c.state == "leased", CALLS.c.lease_until <= at),
    )


def _to_be_read(at: int) -> Sequence[Any]:
    """Return the mail that waits to be read, and the mail of dead workers.

    Mail that waits for an earlier answer to the same letter is not included.
    """
    earlier = INCOMING.alias()
    waits = exists().where(
        earlier.c.token_hash == INCOMING.c.token_hash, earlier.c.id < INCOMING.c.id, earlier.c.state != "done"
    )
    untaken = INCOMING.c.state == "pending", INCOMING.c.due_at <= at, ~waits
    dropped = INCOMING.c.state == "leased", INCOMING.c.lease_until <= at
    return (
        select(func.count(), func.min(INCOMING.c.due_at)).where(*untaken),
        select(func.count(), func.min(INCOMING.c.lease_until)).where(*dropped),
    )


def patience(settings: Settings) -> int:
    """Return the milliseconds after which work is overdue."""
    return max(MINUTE, int(SWEEPS_LATE * settings.sweep_seconds * SECOND))


class Troubles(NamedTuple):
    """The problems with the work.

    ``late``: kinds of work that wait too long, with the seconds of the oldest; ``server``: the mail server takes no
    mail; ``mailbox``: no answers can be fetched.
    """

    late: dict[str, int]
    server: MailServer | None
    mailbox: MailboxState | None = None

    def __bool__(self) -> bool:
        return bool(self.late) or self.server is not None or self.mailbox is not None


def troubles(store: Store, at: int) -> Troubles:
    """Return the present problems."""
    late = overdue(store, at)
    with store.read() as conn:
        limit = patience(store.settings)
        server = failing.server_trouble(conn, at, limit)
        return Troubles(late, server, failing.mailbox_trouble(conn, store.settings, at, limit))


def overdue(store: Store, at: int) -> dict[str, int]:
    """Return the kinds of work that wait too long, with the seconds that the oldest has waited."""
    with store.read() as conn:
        found = due(conn, store.settings, at)
    limit = patience(store.settings)
    return {kind: it.waited // SECOND for kind, it in found.items() if it.number and it.waited > limit}


def jumps(conn: Connection, at: int) -> list[str]:
    """Return the irregularities of time within the last day, in words, newest first.

    They are periods without a sweep, and clocks that jumped or were set back.
    """
    lately = OUTAGES.c.until.between(at - DAY, at + MINUTE)
    rows = conn.execute(select(OUTAGES).where(lately).order_by(OUTAGES.c.id.desc()).limit(5))
    return [_in_words(row.until, (row.until - row.since) // SECOND) for row in rows]


def _in_words(at: int, seconds: int) -> str:
    if seconds < 0:
        return f"at {iso(at)} the clock was found set back by {-seconds} seconds"
    return f"until {iso(at)} nobody looked at the clocks for {seconds} seconds, or the clock jumped; it is given back"


# ==== heartbeats ==================================================================================
_noted: dict[tuple[str, str], float] = {}
LONGEST_NAME = 20


def note(store: Store, name: str, at: int) -> None:
    """Note the end of the sweep ``name``, not too often, and never in its way."""
    now, name = time.monotonic(), name[:LONGEST_NAME]
    here = (str(store.engine.url), name)
    if now - _noted.get(here, float("-inf")) < store.settings.sweep_seconds:
        return
    _noted[here] = now
    try:
        with store.write() as conn:
            if conn.execute(update(HEARTBEATS).where(HEARTBEATS.c.name == name).values(at=at)).rowcount == 0:
                conn.execute(insert(HEARTBEATS).values(name=name, at=at))
    except (IntegrityError, Busy, SQLAlchemyError):
        return  # another worker was first, or the next sweep notes it


def heartbeats(conn: Connection, settings: Settings) -> dict[str, int]:
    """Return the last end of each sweep, without sweeps that were switched off since."""
    idle = switched_off(settings)
    return {row.name: row.at for row in conn.execute(select(HEARTBEATS)) if row.name not in idle}


BACKED_UP, PROVED = "backup.made", "backup.check"
"""The heartbeats of backups: a copy was made; one was found good."""
WIPED = "wipe"
"""The heartbeat of rewriting the database, which happens once a day and after each erasure."""


# ==== the disk ====================================================================================
class Disk(NamedTuple):
    """A disk, in bytes."""

    free: int
    total: int


def disk(store: Store) -> Disk:
    """Return the disk with the database or, if it has a server of its own, with the data of this machine."""
    file = store.engine.url.database if store.on_sqlite else None
    folder = Path(file).absolute().parent if file else store.settings.data_dir.absolute()
    while not folder.exists():
        folder = folder.parent
    found = shutil.disk_usage(folder)
    return Disk(found.free, found.total)
