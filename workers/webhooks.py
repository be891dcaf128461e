"""Owed webhook calls: claim one, check again whether it is due, sign it, make it, mark it.

As with mail: if a worker dies, the lease ends, and the same call is made again under the same key.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Update, select, update

from config.settings import Settings
from domain.words import Sentence
from service.base import links
from service.base.clock import SECOND, iso
from service.database.store import NoSuchGame, Store, raise_if_away
from service.games import queries
from service.games.deadlines import deadline
from service.games.queries import Seen
from service.letters import by_kind
from service.notices import push, webhooks
from service.notices.details import Detail, columns, in_one_line
from service.notices.kinds import KINDS
from service.notices.owing import PEOPLE
from service.notices.webhooks import CALLS, PING, TRIAL, WEBHOOKS
from service.words import called, said
from workers import ending, outbound
from workers.leases import GIVE_UP, backoff, claimable, insist, lease, renewed
from workers.outbound import Failed

log = logging.getLogger(__name__)

LASTING_MOST = 10
"""The number of consecutive lasting failures after which a webhook is switched off."""
GONE = ("answered 404", "answered 410")
"""The answers of a push service for a device that has ended its subscription (RFC 8030, 7.3)."""
BATCH = 20
AT_ONCE = 8
BUDGET = 30.0
"""Seconds after which a task ends and leaves the rest to the next."""
ROOM = 300
"""Characters kept of a receiver's answer."""

Post = Callable[[Settings, str, Mapping[str, str], bytes], int]


# ==== claiming ====================================================================================
class ClaimedCall(msgspec.Struct, frozen=True):
    """A call that this worker holds until the lease ends. ``attempts`` tells this claim from a later one."""

    row: Any
    attempts: int

    @property
    def id(self) -> int:
        return int(self.row.id)


def claim(store: Store, at: int) -> ClaimedCall | None:
    """Claim one due call. Return None if nothing is due."""
    free = claimable(CALLS, at)
    with store.read() as conn:
        ids = list(conn.scalars(select(CALLS.c.id).where(free).order_by(CALLS.c.due_at).limit(BATCH)))
    random.shuffle(ids)  # so that many workers do not compete for the same call
    for each in ids:
        with store.write() as conn:
            taken = {"state": "leased", "lease_until": at + lease(store.settings), "attempts": CALLS.c.attempts + 1}
            if conn.execute(update(CALLS).where(CALLS.c.id == each, free).values(taken)).rowcount == 1:
                row = conn.execute(select(CALLS).where(CALLS.c.id == each)).one()
                return ClaimedCall(row, row.attempts)
    return None


def mine(claimed: ClaimedCall) -> Update:
    """Return an UPDATE that reaches the row only while the claim holds."""
    return update(CALLS).where(
        CALLS.c.id == claimed.id, CALLS.c.state == "leased", CALLS.c.attempts == claimed.attempts
    )


def _held_until(claimed: ClaimedCall, until: int) -> Update:
    return mine(claimed).values(lease_until=until)


# ==== processing ==================================================================================
_busy = threading.Lock()


def send_due(store: Store, *, post: Post = outbound.post, now: Callable[[], int] | None = None) -> int:
    """Make the due calls. Return their number.

    A process makes one round at a time, and a round several calls at a time: a receiver that never answers must hold up
    neither mail nor other calls.
    """
    if not _busy.acquire(blocking=False):
        return 0
    try:
        now = now or store.time
        first = claim(store, now())
        if first is None:
            return 0
        end = time.monotonic() + BUDGET
        with ThreadPoolExecutor(AT_ONCE) as pool:
            rounds = [pool.submit(_round, store, post, now, end, each) for each in (first, *[None] * (AT_ONCE - 1))]
            return sum(each.result() for each in rounds)
    finally:
        _busy.release()


def _round(store: Store, post: Post, now: Callable[[], int], end: float, claimed: ClaimedCall | None) -> int:
    """Make one call after another until none is left or time is up. Return their number."""
    done = 0
    while claimed is not None or (time.monotonic() < end and not ending.told.is_set()):
        claimed = claimed or claim(store, now())
        if claimed is None:
            break
        with renewed(store, partial(_held_until, claimed), now):
            work(store, claimed, post, now)
        claimed, done = None, done + 1
    return done


# ==== one call ====================================================================================
def work(store: Store, claimed: ClaimedCall, post: Post, now: Callable[[], int]) -> None:
    """Process one claimed call."""
    hook = None
    try:
        with store.read() as conn:
            hook = conn.execute(_HOOK.where(WEBHOOKS.c.id == claimed.row.webhook_id)).one_or_none()
            if hook is None:
                return  # the webhook was removed, with its calls
            seen, reason = _look(store, conn, hook, claimed.row, now())
        if reason:
            _finish(store, claimed, "superseded", reason, now())
            return
        form = _signed if hook.push is None else _pushed
        status = post(store.settings, hook.url, *form(store.settings, hook, claimed.row, seen, now()))
    except Failed as error:
        if hook is not None and hook.push is not None and error.cause in GONE:
            _end_device(store, hook)  # the browser has ended it
            return
        _failed(store, claimed, error, now())
    except Exception as error:  # a bug must neither lose the call nor stop the others
        raise_if_away(error)  # it is claimed again after the lease
        log.exception("call %s to a webhook could not be made", claimed.id)
        _failed(store, claimed, Failed(f"broken {type(error).__name__}"), now())
    else:
        _finish(store, claimed, "sent", f"answered {status}", now(), accepted_at=now(), failures=0)


_HOOK = select(WEBHOOKS, PEOPLE.c.lang).join_from(WEBHOOKS, PEOPLE, PEOPLE.c.id == WEBHOOKS.c.person_id)


# ==== is it still due? ============================================================================
def _look(store: Store, conn: Connection, hook: Any, row: Any, at: int) -> tuple[Seen | None, Detail | None]:
    """Return the game as the webhook's owner sees it, and the reason why the call is no longer due (None: it is)."""
    if row.kind == PING:
        return None, None
    if not hook.enabled:
        return None, "switched off"
    try:
        seen = queries.game_for(store, conn, hook.person_id, row.game_id, lang=hook.lang)
    except NoSuchGame:
        return None, Sentence("you can no longer see the game")
    notice = Noticed(hook.person_id, row.game_id, row.seat, row.ply, row.kind, row.notice_key)
    return seen, by_kind.passed(store, conn, notice, seen, at)


class Noticed(NamedTuple):
    """The subject of a call, in the shape that `due` needs."""

    person_id: int
    game_id: str
    seat: int
    ply: int
    kind: str
    key: str


# ==== the form ====================================================================================
def _signed(settings: Settings, hook: Any, row: Any, seen: Seen | None, at: int) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a call to a webhook."""
    secret = webhooks.secret_of(settings, hook)
    if secret is None:
        raise Failed("secret", lasting=True)
    body = _body(settings, hook, row, seen)
    return _headers(secret, row, body, at), body


def _pushed(settings: Settings, hook: Any, row: Any, seen: Seen | None, at: int) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a notice for a device: the game's name and its address, and no more."""
    its = push.headers(settings, hook, at) if push.is_there() else None
    if its is None:
        raise Failed("secret", lasting=True)
    told = {"name": "Slow Train", "link": settings.site}
    if seen is not None:
        told = {"name": seen.row.name, "link": links.game_address(settings, row.game_id)}
    return its, push.sealed(hook, msgspec.json.encode(told))


# ==== the content =================================================================================
def _body(settings: Settings, hook: Any, row: Any, seen: Seen | None) -> bytes:
    """Return the call as JSON: the event and its game, and nothing hidden.

    ``text`` is for people. ``content`` repeats it, since each chat service knows one of the two names.
    """
    text = said(TRIAL if row.kind == PING else KINDS[row.kind].call, hook.lang)
    told: dict[str, Any] = {"id": row.key, "kind": row.kind, "at": iso(row.created_at)}
    if seen is not None:
        until = deadline(seen.game, seen.seat)
        link = links.game_address(settings, row.game_id)
        text = f"{called(seen.title, hook.lang)}: {seen.row.name}. {text} {link}"
        told |= {
            "game": row.game_id, "title": seen.title.id, "name": seen.row.name, "seat": row.seat,
            "version": seen.version, "deadline": None if until is None else iso(until), "link": link,
        }  # fmt: skip
    return msgspec.json.encode(told | {"text": text, "content": text})


def _headers(secret: str, row: Any, body: bytes, at: int) -> dict[str, str]:
    timestamp = at // SECOND
    return {
        "Content-Type": "application/json",
        "User-Agent": "SlowTrain",
        "Slow-Train-Delivery": row.key,
        "Slow-Train-Timestamp": str(timestamp),
        "Slow-Train-Signature": webhooks.signature(secret, timestamp, body),
    }


# ==== results =====================================================================================
def _failed(store: Store, claimed: ClaimedCall, error: Failed, at: int) -> None:
    """Try again later, give up after two days, or switch the webhook off if another try is unlikely to help."""
    hook: dict[str, Any] = {"failed_at": at, "error": in_one_line(error.cause, ROOM)}
    if claimed.row.kind == PING:
        _finish(store, claimed, "dead", error.cause, at, **hook)
        return
    gave_up, gone = at - claimed.row.created_at >= GIVE_UP, error.cause == "answered 410"
    if error.lasting or gave_up:
        hook["failures"] = WEBHOOKS.c.failures + (LASTING_MOST if gone else 1)
    if gave_up or gone:
        _finish(store, claimed, "dead", error.cause, at, **hook)
    else:
        again = {"state": "pending", "due_at": at + backoff(claimed.attempts), "lease_until": None}
        _mark(store, claimed, again | columns(error.cause, ROOM), hook)


def _finish(store: Store, claimed: ClaimedCall, state: str, detail: Detail, at: int, **hook: Any) -> None:
    """Mark the call as done for good."""
    _mark(store, claimed, {"state": state, "lease_until": None, "done_at": at} | columns(detail, ROOM), hook)


def _mark(store: Store, claimed: ClaimedCall, call: Mapping[str, Any], hook: Mapping[str, Any]) -> None:
    """Record the result of the call and, while the claim holds, of its webhook."""

    def write() -> None:
        with store.write() as conn:
            if conn.execute(mine(claimed).values(**call)).rowcount == 1 and hook:
                _mark_hook(conn, claimed.row.webhook_id, hook)

    insist(store.settings, write)


def _end_device(store: Store, hook: Any) -> None:
    """Remove a device, with the notices that it is owed."""

    def write() -> None:
        with store.write() as conn:
            webhooks.remove(conn, hook.person_id, hook.id)

    insist(store.settings, write)


def _mark_hook(conn: Connection, number: int, values: Mapping[str, Any]) -> None:
    this = update(WEBHOOKS).where(WEBHOOKS.c.id == number)
    conn.execute(this.values(**values))
    if "error" in values:
        hopeless = this.where(WEBHOOKS.c.failures >= LASTING_MOST, WEBHOOKS.c.enabled)
        if conn.execute(hopeless.values(enabled=False, disabled_for=values["error"])).rowcount:
            log.warning("webhook %s was switched off: %s", number, values["error"])
