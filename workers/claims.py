"""Due rows of the outbox: claim them for one worker, hold them for their recipient, or drop them; then mark them.

Recipients take turns: the one who waited longest is next, however many rows lie ahead, and no two workers write to one
recipient at once. All rows that are due to one person become one mail. The transaction that claims the rows fixes its
Message-ID, so that after a crash the same rows make the same mail again.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from sqlalchemy import Connection, String, Update, and_, bindparam, insert, null, or_, select, update
from sqlalchemy.exc import NoResultFound

from config.settings import Settings
from domain.words import Sentence
from service.base.clock import HOUR, SECOND
from service.database.compiled import Among, Compiled, together
from service.database.store import Store
from service.notices import failing
from service.notices.details import Detail, columns, in_english
from service.notices.failing import FailedFor
from service.notices.kinds import kind_of
from service.notices.owing import HISTORY, OUTBOX
from service.people import mail_settings, presence, recipients
from service.people.mail_settings import Hold
from service.people.recipients import RECIPIENTS, theirs
from workers.leases import BACKOFF, GIVE_UP, backoff, insist, lease, renewed

GIVE_UP_FLAGGED = 30 * 24 * HOUR
MOST = 1000
"""The most notices in one mail; the rest goes with the next one."""


class Claimed(msgspec.Struct, frozen=True):
    """Rows that this worker holds until the lease ends, and the Message-ID of their mail.

    ``who``: the recipient. ``claim``: the token of this claim, which tells it from a later one.
    """

    rows: tuple[Any, ...]
    message_id: str
    attempts: int
    who: str
    claim: str

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self.rows]

    @property
    def tried(self) -> bool:
        """Could the server have this very mail already, because a worker died or the connection broke?"""
        return any(row.told_by is not None for row in self.rows)


# ==== claiming ====================================================================================
_DUE = select(RECIPIENTS).where(RECIPIENTS.c.next_at <= bindparam("at")).order_by(RECIPIENTS.c.next_at).limit(1)
_ANYBODY, _NEXT = Compiled(_DUE), Compiled(_DUE.with_for_update(skip_locked=True))


def claim(store: Store, at: int) -> Claimed | None:
    """Claim the due rows of the next recipient. Return None if nothing is due."""
    while True:
        with store.read_autocommit() as conn:
            if _ANYBODY.row(conn, at=at) is None:
                return None  # without waiting for a writer's lock
        with store.write() as conn:
            recipient = _NEXT.row(conn, at=at)
            if recipient is None:
                return None
            if claimed := _take(conn, store.settings, recipient, at):
                return claimed


def _take(conn: Connection, settings: Settings, recipient: Any, at: int) -> Claimed | None:
    """Claim the rows of one mail, without those that must wait."""
    rows = _group(conn, recipient, at)
    told_by = rows[0].told_by if rows else None
    if rows and recipient.person_id is not None:
        rows = _unheld(conn, settings, rows, at)
    if not rows:
        recipients.settle(conn, [recipient.who], at)
        return None
    message_id = told_by or _message_id(settings, rows)
    attempts = max(row.attempts for row in rows) + 1
    ids, until = [row.id for row in rows], at + lease(settings)
    ours = secrets.token_hex(16)
    with together(conn):
        _LEASE.run(conn, these=ids, until=until, tries=attempts, mail=message_id)
        note(conn, ids, "sending", f"attempt {attempts}", at)
        recipients.keep(conn, recipient.who, until, ours)
    return Claimed(tuple(rows), message_id, attempts, recipient.who, ours)


_LEASE = Compiled(
    update(OUTBOX)
    .where(Among(OUTBOX.c.id, "these"))
    .values(
        state="leased",
        lease_until=bindparam("until"),
        attempts=bindparam("tries"),
        held=null(),
        told_by=bindparam("mail"),
    )
)


def _group(conn: Connection, recipient: Any, at: int) -> list[Any]:
    """Return the rows of one mail.

    These are the rows that a dead worker or an earlier mail left; else everything due to one person; else one link or
    invitation.
    """
    of_address = recipient.person_id is None
    given = {"address": recipient.who} if of_address else {"person": recipient.person_id}
    pending, leased, same = _ROWS[of_address]
    rows = leased.rows(conn, **given) if recipient.claim is not None else []
    rows = rows or pending.rows(conn, at=at, **given)
    if rows and of_address:
        rows = rows[:1]
    elif rows and rows[0].told_by is not None:
        rows = same.rows(conn, at=at, mail=rows[0].told_by, **given)
    else:
        rows = _first_at_once([row for row in rows if row.told_by is None])
    return sorted(rows, key=lambda row: row.id)


def _first_at_once(rows: list[Any]) -> list[Any]:
    """Return the first notice that goes by itself, with its game's request for a move; without one, all rows.

    A notice to somebody without a seat goes by itself, too: mails about several games are for players and hosts.
    """
    first = next((row for row in rows if kind_of(row.kind).at_once), None)
    if first is None:
        at_tables = [row for row in rows if not _has_no_seat(row)]
        return at_tables or rows[:1]
    return [row for row in rows if row is first or (row.game_id == first.game_id and kind_of(row.kind).asks)]


def _has_no_seat(row: Any) -> bool:
    return kind_of(row.kind).to in ("reader", "seeker") and row.seat is None


def _rows(of_address: bool) -> tuple[Compiled, Compiled, Compiled]:
    """Return three statements: due rows, oldest first; claimed rows; and the rows of both kinds in one earlier mail."""
    mine = select(OUTBOX).where(*theirs(of_address))
    due = OUTBOX.c.state == "pending", OUTBOX.c.due_at <= bindparam("at")
    taken = OUTBOX.c.state == "leased"
    return (
        Compiled(mine.where(*due).order_by(OUTBOX.c.due_at).limit(MOST)),
        Compiled(mine.where(taken).limit(MOST)),
        Compiled(mine.where(or_(taken, and_(*due)), OUTBOX.c.told_by == bindparam("mail"))),
    )


_ROWS = {of_address: _rows(of_address) for of_address in (True, False)}


def _message_id(settings: Settings, rows: Sequence[Any]) -> str:
    """Return the Message-ID of a mail: its notice's own, or a hash over all of its notices."""
    own = [_own_message_id(row) for row in rows]
    if len(own) == 1:
        return own[0]
    return f"<together.{hashlib.sha256(' '.join(own).encode()).hexdigest()[:32]}@{settings.mail_domain}>"


def _own_message_id(row: Any) -> str:
    """Return a notice's Message-ID. A resend after acceptance gets a new one."""
    if not row.resent:
        return str(row.message_id)
    local, _, domain = row.message_id.rpartition("@")
    return f"{local}.again{row.resent}@{domain}"


# ==== holding =====================================================================================
def _unheld(conn: Connection, settings: Settings, rows: Sequence[Any], at: int) -> list[Any]:
    """Return the due ``rows`` of one person that go now. Put the others off, or drop them."""
    if not rows:
        return []
    try:
        chosen = mail_settings.of(conn, rows[0].person_id)
    except NoResultFound:
        return list(rows)  # the person was erased; the second look finds it
    present = int(settings.presence_seconds * SECOND)
    visits = presence.visits(conn, rows[0].person_id, at, present) if present else {}
    holds: dict[int, Hold] = {}
    unwanted = []
    for row in rows:
        if kind_of(row.kind).at_once or "asked_again" in row.payload or chosen.stopped_at is not None or chosen.blocked:
            continue  # a requested mail is never held; the second look tells a person who gets none
        if chosen.is_off(row.game_id, row.kind):
            unwanted.append(row.id)
        elif hold := chosen.hold(kind_of(row.kind).urgent, row.created_at, visits.get(row.game_id), present, at):
            holds[row.id] = hold
    if unwanted:
        _end(conn, unwanted, "switched_off", "", at)
    if holds and rows[0].told_by is not None:  # a mail that was tried must stay the same, so all of it waits
        last = max(holds.values(), key=lambda hold: hold.until)
        holds = {row.id: last for row in rows if row.id not in unwanted}
    _hold(conn, [row for row in rows if row.id in holds], holds, at)
    return [row for row in rows if row.id not in holds and row.id not in unwanted]


def _hold(conn: Connection, rows: Sequence[Any], holds: dict[int, Hold], at: int) -> None:
    """Put rows off until the reason for their wait is over. The ledger tells it once."""
    alike: dict[Hold, list[Any]] = defaultdict(list)
    lost = [row.id for row in rows if holds[row.id].why == "flagged" and at - row.created_at >= GIVE_UP_FLAGGED]
    if lost:
        _end(conn, lost, "given_up", Sentence("email to your address bounces"), at, state="dead")
    for row in rows:
        if row.id not in lost:
            alike[holds[row.id]].append(row)
    for hold, some in alike.items():
        waits = {"state": "pending", "lease_until": None, "due_at": hold.until, "held": hold.why}
        conn.execute(update(OUTBOX).where(OUTBOX.c.id.in_([row.id for row in some])).values(**waits))
        note(conn, [row.id for row in some if row.held != hold.why], f"held_{hold.why}", str(hold.until), at)


def _end(conn: Connection, ids: list[int], what: str, detail: Detail, at: int, state: str = "superseded") -> None:
    ended: dict[str, Any] = {"state": state, "lease_until": None, "held": None, "payload": {}}
    conn.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ids)).values(**ended))
    note(conn, ids, what, detail, at)


# ==== keeping the claim ===========================================================================
def lease_kept(store: Store, claimed: Claimed, now: Callable[[], int]) -> AbstractContextManager[None]:
    """Renew the lease meanwhile: a mail server may take ten minutes to answer."""
    return renewed(store, lambda until: _ours(claimed).values(next_at=until), now)


def _ours(claimed: Claimed) -> Update:
    """Return an UPDATE that reaches the recipient only while the claim holds."""
    return update(RECIPIENTS).where(RECIPIENTS.c.who == claimed.who, RECIPIENTS.c.claim == claimed.claim)


def still_ours(store: Store, claimed: Claimed, at: int) -> bool:
    """Does the claim hold, and long enough? A worker that was suspended may have outlived its lease."""
    with store.read_autocommit() as conn:
        recipient = _RECIPIENT.row(conn, its=claimed.who)
    if recipient is None or recipient.claim != claimed.claim:
        return False
    if recipient.next_at - at >= lease(store.settings) // 2:
        return True
    with store.write() as conn:
        return conn.execute(_ours(claimed).values(next_at=at + lease(store.settings))).rowcount == 1


_RECIPIENT = Compiled(select(RECIPIENTS).where(RECIPIENTS.c.who == bindparam("its")))


# ==== results =====================================================================================
def finish(
    store: Store,
    claimed: Claimed,
    rows: Sequence[Any],
    state: str,
    what: str,
    detail: Detail,
    at: int,
    *,
    reason: FailedFor | None = None,
    talk: str | None = None,
) -> None:
    """Mark rows as done for good, and delete their payload.

    ``reason``: why they were given up. ``talk``: the end of the conversation with the server, if there was one.
    """
    told_by = claimed.message_id if state == "sent" or (state == "dead" and claimed.tried) else None
    mark(
        store,
        claimed,
        rows,
        what,
        detail,
        at,
        state=state,
        lease_until=None,
        talk=talk,
        payload={},
        told_by=told_by,
        failing_since=None,
        failing_for=reason,
        sent_at=at if state == "sent" else None,
    )


def put_back(
    store: Store,
    claimed: Claimed,
    rows: Sequence[Any],
    what: str,
    detail: Detail,
    at: int,
    *,
    reason: FailedFor = "ours",
    talk: str | None = None,
    taken: bool = False,
) -> None:
    """Try again later, or give up if tries failed for two days. A first failure never gives up.

    ``reason``, ``talk``: as for `finish`. ``taken``: the server may have accepted the mail despite the error, so the
    next try must send the very same mail.
    """
    since = min((row.failing_since for row in rows if row.failing_since is not None), default=at)
    if at - since >= GIVE_UP and claimed.attempts > len(BACKOFF):
        finish(store, claimed, rows, "dead", "given_up", detail, at, reason=reason, talk=talk)
        return
    again = {"due_at": at + backoff(claimed.attempts), "failing_since": since, "failing_for": reason}
    told_by = claimed.message_id if taken or claimed.tried else None
    mark(store, claimed, rows, what, detail, at, talk=talk, state="pending", lease_until=None, told_by=told_by, **again)


def mark(
    store: Store,
    claimed: Claimed,
    rows: Sequence[Any],
    what: str,
    detail: Detail,
    at: int,
    *,
    talk: str | None = None,
    **values: Any,
) -> None:
    """Record the result for these rows, and the end of the conversation with the server."""
    ids = [row.id for row in rows]

    def write() -> None:
        with store.write() as conn:
            recipient = recipients.lock(conn, claimed.who)
            found = _STATES.rows(conn, these=ids)  # a person may have been erased meanwhile
            holds = recipient is not None and recipient.claim == claimed.claim
            ours = [it.id for it in found if holds and it.state == "leased"]
            if ours:
                conn.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ours)).values(**values))
                recipients.settle(conn, [claimed.who], at)
            note(conn, ours, what, detail, at)
            others = {it.id for it in found} - set(ours)
            note(conn, sorted(others - _noted(conn, others, what, at)), "late", f"{what}: {in_english(detail)}", at)
            if talk is not None:
                failing.note(conn, talk, at)

    insist(store.settings, write)


_STATES = Compiled(select(OUTBOX.c.id, OUTBOX.c.state).where(Among(OUTBOX.c.id, "these")))


def _noted(conn: Connection, ids: Collection[int], what: str, at: int) -> set[int]:
    """Return the notices whose ledger has this step already: a connection may break after a commit."""
    if not ids:
        return set()
    step = HISTORY.c.notice_id.in_(ids), HISTORY.c.at == at, HISTORY.c.what == what
    return set(conn.scalars(select(HISTORY.c.notice_id).where(*step)))


def note(conn: Connection, ids: Sequence[int], what: str, detail: Detail, at: int) -> None:
    """A step in the ledger of each of these notices."""
    if ids:
        _NOTE.run(conn, these=list(ids), when=at, step=what, **columns(detail, 500))


_STEP = [
    bindparam("when", type_=HISTORY.c.at.type),
    bindparam("step", type_=String),
    bindparam("detail", type_=String),
    bindparam("facts", type_=HISTORY.c.facts.type),
]
_NOTE = Compiled(
    insert(HISTORY).from_select(
        ["notice_id", "at", "what", "detail", "facts"],
        select(OUTBOX.c.id, *_STEP).where(Among(OUTBOX.c.id, "these")).order_by(OUTBOX.c.id),
    )
)
