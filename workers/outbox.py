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
from service.notices import replies
from service.people import addresses, bounces
from workers import ending
from workers.claims import Claimed, claim, finish, lease_kept, put_back, still_ours
from workers.due import games_of, why_not_by_row
from workers.mail import several, telling
from workers.mail.smtp import Ask, Bounced, Deferred, Mail, NotOurs, ServerAway, deliver

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
    done, end = 0, time.monotonic() + BUDGET
    while _rest_until <= time.monotonic() < end and not ending.told.is_set():
        claimed = claim(store, now())
        if claimed is None:
            break
        try:
            with lease_kept(store, claimed, now):
                work(store, claimed, send, now)
        except ServerAway:
            _rest_until = time.monotonic() + REST
        done += 1
    return done


def work(store: Store, claimed: Claimed, send: Deliver, now: Callable[[], int]) -> None:
    """Deal with what was claimed. Raises `ServerAway` after putting it back."""
    rows = _still_due(store, claimed, now)
    if not rows:
        return
    try:
        with store.read() as conn:
            mail = _mail(store, conn, rows, claimed.message_id, now())
        _keep(store, rows[0].person_id, mail, now())
    except Exception as error:  # our own mistake: it must neither lose the mail nor stop the others
        raise_if_away(error)  # it is claimed again when the lease has run out
        log.exception("notice %s could not be written", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now())
        return
    _send(store, claimed, rows, mail, send, now)


def _keep(store: Store, person_id: int | None, mail: Mail, at: int) -> None:
    """What answers to the mail, and reports about it, are known by; before it can have any."""
    if mail.answers or mail.returns:
        with store.write() as conn:
            replies.keep(conn, mail.answers, mail.lines, at)
            if mail.returns:
                bounces.keep(conn, mail.returns, person_id, at)


def _send(
    store: Store, claimed: Claimed, rows: Sequence[Any], mail: Mail, send: Deliver, now: Callable[[], int]
) -> None:
    try:
        reply = send(store.settings, mail, lambda: still_ours(store, claimed, now()))
    except NotOurs:
        put_back(store, claimed, rows, "deferred", "the claim has run out", now())
    except Bounced as error:
        if error.of_address:
            addresses.flag(store, rows[0].person_id, mail.recipient, str(error), now())
        finish(store, claimed, rows, "dead", "refused", str(error), now())
    except (Deferred, ServerAway) as error:
        put_back(store, claimed, rows, "deferred", str(error), now(), taken=error.maybe_taken)
        if isinstance(error, ServerAway):
            raise
    except Exception as error:  # our own mistake again
        raise_if_away(error)
        log.exception("notice %s could not be sent", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now(), taken=True)
    else:
        finish(store, claimed, rows, "sent", "accepted", reply, now())


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
                    reason = telling.why_not(store, conn, row, now())
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
        return telling.mail(store, conn, rows[0], at, message_id)
    return several.mail(store, conn, rows, message_id, at)
