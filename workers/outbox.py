"""Mail that is owed: claim it, look again whether it is still due, render it, send it, mark it.

A notice is claimed by an UPDATE that must change exactly one row, for a lease that is renewed while its worker lives.
A worker that dies leaves the lease to run out, and the next one sends the same mail with the same Message-ID: at most
one repetition, never a loss. Every step stands in the ledger.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, exists, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from service import clock, queries
from service.clock import HOUR, MINUTE, SECOND
from service.notices import HISTORY, OUTBOX, PEOPLE
from service.people import LINK_LIFE, link_address
from service.store import Busy, NoSuchGame, Store
from workers.mail import compose
from workers.mail.smtp import Bounced, Deferred, Mail, ServerAway, deliver

log = logging.getLogger(__name__)

BACKOFF = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * HOUR)
"""How long to wait after the first, second ... failure; the last one again and again, each a little off."""
GIVE_UP = 48 * HOUR
BATCH = 20
BUDGET = 30.0
"""Seconds after which a task ends and leaves the rest to the next."""
REST = 10.0
"""Seconds without a try after the mail server could not be reached, so that workers do not all wait for it."""

Deliver = Callable[[Settings, Mail], str]

_rest_until = 0.0


class Claimed(msgspec.Struct, frozen=True):
    """A row of the outbox that is ours until the lease runs out. ``attempts`` tells our claim from a later one."""

    row: Any
    attempts: int

    @property
    def id(self) -> int:
        return int(self.row.id)


# ==== the round ===================================================================================
def send_due(store: Store, *, send: Deliver = deliver, now: Callable[[], int] = clock.now) -> int:
    """Send what is due until nothing is left; how many notices were dealt with."""
    global _rest_until
    done, end = 0, time.monotonic() + BUDGET
    while time.monotonic() < end and time.monotonic() >= _rest_until:
        claimed = claim(store, now())
        if claimed is None:
            break
        try:
            with _lease_kept(store, claimed, now):
                work(store, claimed, send, now)
        except ServerAway:
            _rest_until = time.monotonic() + REST
        done += 1
    return done


def work(store: Store, claimed: Claimed, send: Deliver, now: Callable[[], int]) -> None:
    """Deal with one claimed notice. Raises `ServerAway` after putting the notice back."""
    try:
        with store.read() as conn:
            reason = why_not(store, conn, claimed.row, now())
            mail = None if reason else compose.mail(store, conn, claimed.row, now())
    except Exception as error:  # our own mistake: it must neither lose the mail nor stop the others
        log.exception("notice %s could not be written", claimed.id)
        put_back(store, claimed, "failed", type(error).__name__, now())
        return
    if mail is None:
        finish(store, claimed, "superseded", "superseded", reason, now())
        return
    try:
        reply = send(store.settings, mail)
    except Bounced as error:
        finish(store, claimed, "dead", "refused", str(error), now())
    except (Deferred, ServerAway) as error:
        put_back(store, claimed, "deferred", str(error), now())
        if isinstance(error, ServerAway):
            raise
    except Exception as error:  # our own mistake again
        log.exception("notice %s could not be sent", claimed.id)
        put_back(store, claimed, "failed", type(error).__name__, now())
    else:
        finish(store, claimed, "sent", "accepted", reply, now())


# ==== claiming ====================================================================================
def lease(settings: Settings) -> int:
    """Milliseconds for which a claim holds unless it is renewed: two sweeps, so that a death costs little time."""
    return int(2 * settings.sweep_seconds * SECOND)


def _due(at: int) -> Any:
    return or_(
        and_(OUTBOX.c.state == "pending", OUTBOX.c.due_at <= at),
        and_(OUTBOX.c.state == "leased", OUTBOX.c.lease_until <= at),
    )


def claim(store: Store, at: int) -> Claimed | None:
    """One due notice, ours alone; None when nothing is due."""
    with store.read() as conn:
        ids = list(conn.scalars(select(OUTBOX.c.id).where(_due(at)).order_by(OUTBOX.c.due_at).limit(BATCH)))
    random.shuffle(ids)  # so that many workers do not all reach for the same one
    for each in ids:
        with store.write() as conn:
            ours = (
                update(OUTBOX)
                .where(OUTBOX.c.id == each, _due(at))
                .values(state="leased", lease_until=at + lease(store.settings), attempts=OUTBOX.c.attempts + 1)
            )
            if conn.execute(ours).rowcount != 1:
                continue  # another worker was first
            row = conn.execute(select(OUTBOX).where(OUTBOX.c.id == each)).one()
            _note(conn, each, "sending", f"attempt {row.attempts}", at)
            return Claimed(row, row.attempts)
    return None


@contextmanager
def _lease_kept(store: Store, claimed: Claimed, now: Callable[[], int]) -> Iterator[None]:
    """Renew the lease for as long as this process lives: a mail server may take ten minutes to answer."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(lease(store.settings) / SECOND / 3):
            try:
                with store.write() as conn:
                    conn.execute(_mine(claimed).values(lease_until=now() + lease(store.settings)))
            except (SQLAlchemyError, Busy):
                log.warning("the lease of notice %s could not be renewed", claimed.id)

    keeper = threading.Thread(target=renew, name=f"lease-{claimed.id}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def _mine(claimed: Claimed) -> Any:
    """An UPDATE that reaches the row only while the claim holds."""
    return update(OUTBOX).where(
        OUTBOX.c.id == claimed.id, OUTBOX.c.state == "leased", OUTBOX.c.attempts == claimed.attempts
    )


# ==== is it still due? ============================================================================
def why_not(store: Store, conn: Connection, row: Any, at: int) -> str:
    """Why the mail is not due any more ("" when it is), in words for its recipient."""
    if row.kind == "sign_in":
        gone = at >= row.created_at + LINK_LIFE or link_address(store.settings, conn, row.payload) is None
        return "the link has expired or was used" if gone else ""
    if _wants_no_mail(conn, row):
        return "you have stopped all mail"
    try:
        seen = queries.game_for(store, conn, row.person_id, row.game_id, invite=row.payload.get("token", ""))
    except NoSuchGame:
        return "the game cannot be seen any more"
    if row.kind == "invitation":
        return "" if seen.game.status == "open" else "the game has started or was called off"
    if seen.seat != row.seat:
        return "you have left the table"
    if row.kind == "turn":
        return _turn_has_passed(store, conn, row, seen)
    if row.kind == "rewind":
        return _proposal_has_passed(conn, row, seen, at)
    if row.kind == "rewound" and seen.game.own.get(row.seat, 0) > row.ply:
        return "you have acted since"
    if row.kind in ("started", "rewound"):
        return "" if seen.game.status == "running" else "the game is over"
    return ""


def _wants_no_mail(conn: Connection, row: Any) -> bool:
    """Whether the recipient has stopped all mail, or is gone. Who was never here may be invited."""
    recipient = PEOPLE.c.email == row.address if row.person_id is None else PEOPLE.c.id == row.person_id
    known = conn.execute(select(PEOPLE.c.mail_stopped_at).where(recipient)).one_or_none()
    return row.person_id is not None if known is None else known.mail_stopped_at is not None


def _turn_has_passed(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> str:
    if row.seat not in seen.game.asked:
        return "the turn is over"
    if seen.game.own.get(row.seat, 0) > row.ply and _has_moved(store, conn, row, seen):
        return "you have moved since"
    return "a later mail tells of this turn" if _is_newer(conn, row) else ""


def _has_moved(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> bool:
    """Whether the seat has done more since than what changes nothing for it: refusing to go back is no move."""
    later = store.plies(conn, row.game_id, seen.title, row.ply)
    return any(ply.seat == row.seat and not ply.quiet for _, ply in later)


def _proposal_has_passed(conn: Connection, row: Any, seen: queries.Seen, at: int) -> str:
    proposal = queries.rewind(seen, at)
    if proposal is None:
        return "the proposal no longer stands"
    if row.seat not in proposal.missing:
        return "you have agreed already"
    return "a later mail tells of the proposal" if _is_newer(conn, row) else ""


def _is_newer(conn: Connection, row: Any) -> bool:
    """Whether a later mail of the same kind is owed to the same person, or was."""
    newer = select(exists().where(
        OUTBOX.c.game_id == row.game_id, OUTBOX.c.person_id == row.person_id, OUTBOX.c.kind == row.kind,
        OUTBOX.c.ply > row.ply,
    ))  # fmt: skip
    return bool(conn.execute(newer).scalar_one())


# ==== what became of it ===========================================================================
def finish(store: Store, claimed: Claimed, state: str, what: str, detail: str, at: int) -> None:
    """The notice is dealt with for good. It forgets what it carried."""
    _mark(store, claimed, what, detail, at, state=state, lease_until=None, payload={},
          sent_at=at if state == "sent" else None)  # fmt: skip


def put_back(store: Store, claimed: Claimed, what: str, detail: str, at: int) -> None:
    """Try again later, or give up after two days of trying: what nobody could try for long is not given up at once."""
    if at - claimed.row.created_at >= GIVE_UP and claimed.attempts > len(BACKOFF):
        finish(store, claimed, "dead", "given_up", detail, at)
    else:
        again = at + backoff(claimed.attempts)
        _mark(store, claimed, what, detail, at, state="pending", lease_until=None, due_at=again)


def backoff(attempts: int) -> int:
    """Milliseconds to wait after this many attempts, up to a fifth more or less so that mails do not come in waves."""
    return int(BACKOFF[min(attempts, len(BACKOFF)) - 1] * random.uniform(0.8, 1.2))


def _mark(store: Store, claimed: Claimed, what: str, detail: str, at: int, **values: Any) -> None:
    """Write down what became of the notice. A busy database is asked again: an unmarked mail would go twice."""
    for pause in (0.1, 0.5, 2.0, None):
        try:
            with store.write() as conn:
                if conn.execute(_mine(claimed).values(**values)).rowcount == 1:
                    _note(conn, claimed.id, what, detail, at)
                elif conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.id == claimed.id)).first():
                    _note(conn, claimed.id, "late", f"{what}: {detail}", at)
            return
        except (SQLAlchemyError, Busy):
            if pause is None:
                raise
            time.sleep(pause)


def _note(conn: Connection, notice: int, what: str, detail: str, at: int) -> None:
    plain = "".join(letter if letter.isprintable() else " " for letter in detail)
    conn.execute(insert(HISTORY).values(notice_id=notice, at=at, what=what, detail=plain[:500]))
