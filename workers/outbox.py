"""Mail that is owed: claim it, look again whether it is still due, render it, send it, mark it.

A notice is claimed by an UPDATE, for a lease that is renewed while its worker lives (`claims`). A worker that dies
leaves the lease to run out, and the next one sends the same mail with the same Message-ID: at most one repetition,
never a loss. Every step stands in the ledger.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from config.settings import Settings
from service.database.store import Store, raise_if_away
from service.letters import by_kind, several
from service.letters.due import games_of, why_not_by_row
from service.letters.letter import Mail
from service.notices import failing, replies
from service.people import addresses, bounces
from workers import ending
from workers.claims import Claimed, claim, finish, lease_kept, put_back, still_ours
from workers.smtp import Ask, Bounced, Deferred, NotOurs, ServerAway, deliver

log = logging.getLogger(__name__)

BUDGET = 30.0
"""Seconds after which a task ends and leaves the rest to the next."""
REST = 10.0
"""Seconds without a try after the mail server could not be reached, so that workers do not all wait for it."""

Deliver = Callable[[Settings, Mail, Ask], str]

_rest_until = 0.0


# ==== the round ===================================================================================
def send_due(store: Store, *, send: Deliver = deliver, now: Callable[[], int] | None = None) -> int:
    """Send what is due until nothing is left; how many mails were dealt with."""
    global _rest_until
    now = now or store.time
    done, works, end = 0, False, time.monotonic() + BUDGET
    while _rest_until <= time.monotonic() < end and not ending.told.is_set():
        claimed = claim(store, now()) or _claim_to_probe(store, now())
        if claimed is None:
            break
        try:
            with lease_kept(store, claimed, now):
                taken = work(store, claimed, send, now)
        except ServerAway:
            _rest_until = time.monotonic() + REST
        else:
            if taken and not works:
                works = True
                _free_what_failed(store, now())
        done += 1
    return done


def _claim_to_probe(store: Store, at: int) -> Claimed | None:
    """A mail that failed for the server's sake, now and then: to see whether the server works again."""
    with store.look() as conn:
        if not failing.any_for_server(conn):
            return None
    with store.write() as conn:
        probed = failing.probe(conn, at)
    return claim(store, at) if probed else None


def _free_what_failed(store: Store, at: int) -> None:
    """The server works again, so what failed for its sake need not wait for its next try."""
    with store.look() as conn:
        if not failing.any_for_server(conn):
            return
    with store.read() as conn:
        if not failing.was_down(conn, at):
            return
    freed = 0
    while more := _freed(store, at):
        freed += more
    log.warning("the mail server works again: %s mails that failed for its sake go now", freed)


def _freed(store: Store, at: int) -> int:
    """Free the mail to some recipients, so that nobody waits long for the database; how many mails."""
    with store.write() as conn:
        return failing.free(conn, at)


def work(store: Store, claimed: Claimed, send: Deliver, now: Callable[[], int]) -> bool:
    """Deal with what was claimed; whether the server took a mail. Raises `ServerAway` after putting it back."""
    rows = _still_due(store, claimed, now)
    if not rows:
        return False
    try:
        with store.read() as conn:
            mail = _mail(store, conn, rows, claimed.message_id, now())
        _keep(store, rows[0].person_id, mail, now())
    except Exception as error:  # our own mistake: it must neither lose the mail nor stop the others
        raise_if_away(error)  # it is claimed again when the lease has run out
        log.exception("notice %s could not be written", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now())
        return False
    return _send(store, claimed, rows, mail, send, now)


def _keep(store: Store, person_id: int | None, mail: Mail, at: int) -> None:
    """What answers to the mail, and reports about it, are known by; before it can have any."""
    if mail.answers or mail.returns:
        with store.write() as conn:
            replies.keep(conn, mail.answers, mail.lines, at)
            if mail.returns:
                bounces.keep(conn, mail.returns, person_id, at)


def _send(
    store: Store, claimed: Claimed, rows: Sequence[Any], mail: Mail, send: Deliver, now: Callable[[], int]
) -> bool:
    """Whether the server took the mail."""
    try:
        reply = send(store.settings, mail, lambda: still_ours(store, claimed, now()))
    except NotOurs:
        put_back(store, claimed, rows, "deferred", "the claim has run out", now())
    except Bounced as error:
        if error.of_address:
            addresses.flag(store, rows[0].person_id, mail.recipient, str(error), now())
        finish(store, claimed, rows, "dead", "refused", str(error), now(), reason=error.sake, talk=error.sake)
    except Deferred as error:
        sake, taken = error.sake, error.maybe_taken
        talk = None if sake == "ours" else sake
        put_back(store, claimed, rows, "deferred", str(error), now(), reason=sake, talk=talk, taken=taken)
        if isinstance(error, ServerAway):
            raise
    except Exception as error:  # our own mistake again
        raise_if_away(error)
        log.exception("notice %s could not be sent", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now(), taken=True)
    else:
        finish(store, claimed, rows, "sent", "accepted", reply, now(), talk=failing.TAKEN)
        return True
    return False


# ==== the second look =============================================================================
def _still_due(store: Store, claimed: Claimed, now: Callable[[], int]) -> list[Any]:
    """The rows that are still due; the others are marked. One that cannot be looked at holds up no other."""
    due: list[Any] = []
    over: dict[str, list[Any]] = {}
    with store.read() as conn:
        if len(claimed.rows) > several.TOLD_IN_FULL:
            by_row = why_not_by_row(conn, claimed.rows, games_of(conn, claimed.rows[0].person_id))
        for row in claimed.rows:
            try:
                if len(claimed.rows) > several.TOLD_IN_FULL:
                    reason = by_row.get(row.id, "")
                else:
                    reason = by_kind.why_not(store, conn, row, now())
            except Exception as error:  # our own mistake
                raise_if_away(error)
                log.exception("notice %s could not be looked at", row.id)
                put_back(store, claimed, [row], "failed", type(error).__name__, now())
                continue
            if reason:
                over.setdefault(reason, []).append(row)
            else:
                due.append(row)
    for reason, rows in over.items():
        finish(store, claimed, rows, "superseded", "superseded", reason, now())
    return due


def _mail(store: Store, conn: Connection, rows: Sequence[Any], message_id: str, at: int) -> Mail:
    """One notice as its own kind of mail, several as one."""
    if len(rows) == 1:
        return by_kind.mail(store, conn, rows[0], at, message_id)
    return several.mail(store, conn, rows, message_id, at)
