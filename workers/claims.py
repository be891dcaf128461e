"""Rows of the outbox that are due: taken by one worker, held for their recipient, or switched off; then marked.

All that is due to one person at one moment is taken together and becomes one mail. Its Message-ID is fixed in the
transaction that takes the rows, so that after a crash the same rows make the same mail again.
"""

import hashlib
import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Any

import msgspec
from sqlalchemy import Connection, exists, insert, select, update
from sqlalchemy.exc import NoResultFound

from config.settings import Settings
from service import preferences, presence
from service.clock import HOUR, SECOND
from service.notices import HISTORY, OUTBOX
from service.preferences import Hold
from service.store import Store
from workers.leases import BACKOFF, GIVE_UP, backoff, claimable, in_one_line, insist, lease, renewed

GIVE_UP_FLAGGED = 30 * 24 * HOUR
BATCH = 20


class Claimed(msgspec.Struct, frozen=True):
    """Rows that are ours until the lease runs out, and the Message-ID of the mail that is to tell of them.

    ``attempts`` is the same for all of them and tells our claim from a later one.
    """

    rows: tuple[Any, ...]
    message_id: str
    attempts: int

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self.rows]

    @property
    def tried(self) -> bool:
        """Whether the server may have this very mail already: a worker died with it, or the line was cut."""
        return any(row.told_by is not None for row in self.rows)


# ==== taking ======================================================================================
def claim(store: Store, at: int) -> Claimed | None:
    """What is due to somebody, ours alone; None when nothing is due."""
    due = select(OUTBOX.c.id, OUTBOX.c.person_id, OUTBOX.c.address, OUTBOX.c.told_by).where(claimable(OUTBOX, at))
    tried: set[tuple[Any, ...]] = set()  # another worker has them, or they are held now
    for size in count(BATCH, BATCH):
        with store.read() as conn:
            waiting = conn.execute(due.order_by(OUTBOX.c.due_at).limit(size)).all()
        groups = [row for group, row in {_group(row): row for row in waiting}.items() if group not in tried]
        if not groups:
            return None
        random.shuffle(groups)  # so that many workers do not all reach for the same one
        for one in groups:
            tried.add(_group(one))
            with store.write() as conn:
                if claimed := _take(conn, store.settings, one, at):
                    return claimed
    raise AssertionError  # a count has no end


def _group(row: Any) -> tuple[Any, ...]:
    """What goes in one mail: what a mail tried to tell already; what is due to one person; a link or an invitation."""
    if row.person_id is None or row.address is not None:
        return (row.id,)
    return (row.person_id, row.told_by)


def _take(conn: Connection, settings: Settings, one: Any, at: int) -> Claimed | None:
    """Claim what goes in one mail with ``one``, as far as it need not wait. Another worker may have been first."""
    alone = one.person_id is None or one.address is not None
    if alone:
        group: tuple[Any, ...] = (OUTBOX.c.id == one.id,)
    else:
        tried = OUTBOX.c.told_by.is_(None) if one.told_by is None else OUTBOX.c.told_by == one.told_by
        group = (OUTBOX.c.person_id == one.person_id, OUTBOX.c.address.is_(None), tried)
    theirs = select(OUTBOX).where(claimable(OUTBOX, at), *group)
    rows = conn.execute(theirs.order_by(OUTBOX.c.id).with_for_update()).all()
    if not alone:
        if rows and _is_written_to(conn, one.person_id, at):
            return None  # what comes due while a mail to them is on its way goes with the next
        rows = _unheld(conn, settings, rows, at)
    if not rows:
        return None
    message_id = one.told_by or _message_id(settings, rows)
    attempts = max(row.attempts for row in rows) + 1
    conn.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id.in_([row.id for row in rows]))
        .values(state="leased", lease_until=at + lease(settings), attempts=attempts, held=None, told_by=message_id)
    )
    note(conn, [row.id for row in rows], "sending", f"attempt {attempts}", at)
    return Claimed(tuple(rows), message_id, attempts)


def _is_written_to(conn: Connection, person_id: int, at: int) -> bool:
    on_its_way = select(exists().where(
        OUTBOX.c.person_id == person_id, OUTBOX.c.address.is_(None), OUTBOX.c.state == "leased",
        OUTBOX.c.lease_until > at,
    ))  # fmt: skip
    return bool(conn.execute(on_its_way).scalar_one())


def _message_id(settings: Settings, rows: Sequence[Any]) -> str:
    """A notice that is told alone has its own; several have one that says which they are."""
    own = [_own_message_id(row) for row in rows]
    if len(own) == 1:
        return own[0]
    return f"<together.{hashlib.sha256(' '.join(own).encode()).hexdigest()[:32]}@{settings.mail_domain}>"


def _own_message_id(row: Any) -> str:
    """What is sent again after a server took it is another mail of the same notice."""
    if not row.resent:
        return str(row.message_id)
    local, _, domain = row.message_id.rpartition("@")
    return f"{local}.again{row.resent}@{domain}"


# ==== holding =====================================================================================
def _unheld(conn: Connection, settings: Settings, rows: Sequence[Any], at: int) -> list[Any]:
    """Those of one person's due ``rows`` that go now. The others are put off, or are not wanted."""
    if not rows:
        return []
    try:
        chosen = preferences.of(conn, rows[0].person_id)
    except NoResultFound:
        return list(rows)  # the person is gone; it will be found so
    present = int(settings.presence_seconds * SECOND)
    visits = presence.visits(conn, rows[0].person_id, at, present) if present else {}
    holds: dict[int, Hold] = {}
    unwanted = []
    for row in rows:
        if "asked_again" in row.payload or chosen.stopped_at is not None:
            continue  # who asks for a mail wants it now; who has stopped all mail is told so by the second look
        if chosen.is_off(row.game_id, row.kind):
            unwanted.append(row.id)
        elif hold := chosen.hold(row.kind, row.created_at, visits.get(row.game_id), present, at):
            holds[row.id] = hold
    if unwanted:
        _end(conn, unwanted, "switched_off", "", at)
    if holds and rows[0].told_by is not None:  # a mail that was tried stays as it was: all of it waits
        last = max(holds.values(), key=lambda hold: hold.until)
        holds = {row.id: last for row in rows if row.id not in unwanted}
    for row in rows:
        if row.id in holds:
            _hold(conn, row, holds[row.id], at)
    return [row for row in rows if row.id not in holds and row.id not in unwanted]


def _hold(conn: Connection, row: Any, hold: Hold, at: int) -> None:
    """It is tried again when what it waits for is over; the ledger says so once."""
    if hold.why == "flagged" and at - row.created_at >= GIVE_UP_FLAGGED:
        _end(conn, [row.id], "given_up", "mail to your address comes back", at, state="dead")
        return
    waits = {"state": "pending", "lease_until": None, "due_at": hold.until, "held": hold.why}
    conn.execute(update(OUTBOX).where(OUTBOX.c.id == row.id).values(**waits))
    if row.held != hold.why:
        note(conn, [row.id], f"held_{hold.why}", str(hold.until), at)


def _end(conn: Connection, ids: list[int], what: str, detail: str, at: int, state: str = "superseded") -> None:
    ended: dict[str, Any] = {"state": state, "lease_until": None, "held": None, "payload": {}}
    conn.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ids)).values(**ended))
    note(conn, ids, what, detail, at)


# ==== while it is ours ============================================================================
def lease_kept(store: Store, claimed: Claimed, now: Callable[[], int]) -> AbstractContextManager[None]:
    """Renew the lease: a mail server may take ten minutes to answer."""
    return renewed(store, update(OUTBOX).where(*_ours(claimed, claimed.ids)), now)


def _ours(claimed: Claimed, ids: Sequence[int]) -> tuple[Any, ...]:
    """Which of these rows are still ours: the claim may have run out, and another worker may have them."""
    return OUTBOX.c.id.in_(ids), OUTBOX.c.state == "leased", OUTBOX.c.attempts == claimed.attempts


# ==== what became of it ===========================================================================
def finish(
    store: Store, claimed: Claimed, rows: Sequence[Any], state: str, what: str, detail: str, at: int
) -> None:
    """These rows are dealt with for good. They forget what they carried."""
    told_by = claimed.message_id if state == "sent" or (state == "dead" and claimed.tried) else None
    mark(store, claimed, rows, what, detail, at, state=state, lease_until=None, payload={}, told_by=told_by,
         failing_since=None, sent_at=at if state == "sent" else None)  # fmt: skip


def put_back(
    store: Store, claimed: Claimed, rows: Sequence[Any], what: str, detail: str, at: int, *, taken: bool = False
) -> None:
    """Try again later, or give up after two days of trying: what nobody could try for long is not given up at once.

    ``taken``: the server may have the mail all the same, so the next try must be the very same mail.
    """
    since = min((row.failing_since for row in rows if row.failing_since is not None), default=at)
    if at - since >= GIVE_UP and claimed.attempts > len(BACKOFF):
        finish(store, claimed, rows, "dead", "given_up", detail, at)
        return
    again = {"due_at": at + backoff(claimed.attempts), "failing_since": since}
    told_by = claimed.message_id if taken or claimed.tried else None
    mark(store, claimed, rows, what, detail, at, state="pending", lease_until=None, told_by=told_by, **again)


def mark(
    store: Store, claimed: Claimed, rows: Sequence[Any], what: str, detail: str, at: int, **values: Any
) -> None:
    """Write down what became of the rows."""
    ids = [row.id for row in rows]

    def write() -> None:
        with store.write() as conn:
            there = select(OUTBOX.c.id, OUTBOX.c.state, OUTBOX.c.attempts).where(OUTBOX.c.id.in_(ids))
            found = conn.execute(there.with_for_update()).all()  # somebody may have been erased meanwhile
            ours = [it.id for it in found if (it.state, it.attempts) == ("leased", claimed.attempts)]
            if ours:
                conn.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ours)).values(**values))
            note(conn, ours, what, detail, at)
            note(conn, [it.id for it in found if it.id not in ours], "late", f"{what}: {detail}", at)

    insist(store.settings, write)


def note(conn: Connection, ids: Sequence[int], what: str, detail: str, at: int) -> None:
    """A step in the ledger of each of these notices."""
    plain = in_one_line(detail, 500)
    if ids:
        conn.execute(insert(HISTORY), [{"notice_id": each, "at": at, "what": what, "detail": plain} for each in ids])
