"""Owed mail: claim it, check again whether it is due, render it, send it, mark it.

A notice is claimed by an UPDATE, for a lease that its worker renews (`claims`). If a worker dies, the lease ends, and
the next worker sends the same mail with the same Message-ID: at most one repetition, never a loss. The ledger tells
every step.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from config.settings import Settings
from domain.words import Sentence
from service.base import tally
from service.base.clock import SECOND
from service.database.store import Store, raise_if_away
from service.games import talk_mail
from service.letters import by_kind, several
from service.letters.due import games_of, why_not_by_row
from service.letters.letter import Mail
from service.notices import failing, replies
from service.notices.details import in_english
from service.people import addresses, bounces
from workers import ending
from workers.claims import Claimed, claim, finish, lease_kept, put_back, still_ours
from workers.smtp import Ask, Bounced, Deferred, NotOurs, ServerAway, deliver

log = logging.getLogger(__name__)

BUDGET = 30.0
"""Seconds after which a task ends and leaves the rest to the next."""
REST = 10.0
"""Seconds without a try after the mail server was away, so that workers do not all wait for it."""

Deliver = Callable[[Settings, Mail, Ask], str]

_rest_until = 0.0


# ==== processing ==================================================================================
def send_due(store: Store, *, send: Deliver = deliver, now: Callable[[], int] | None = None) -> int:
    """Send all due mails. Return the number of mails that were processed."""
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
    """Claim, now and then, a mail that failed because of the server: does the server work again?"""
    with store.read_autocommit() as conn:
        if not failing.any_for_server(conn):
            return None
    with store.write() as conn:
        probed = failing.probe(conn, at)
    return claim(store, at) if probed else None


def _free_what_failed(store: Store, at: int) -> None:
    """Make mails due that failed because of the server, which works again."""
    with store.read_autocommit() as conn:
        if not failing.any_for_server(conn):
            return
    with store.read() as conn:
        if not failing.was_down(conn, at, just_taken=1):
            return
    freed = 0
    while more := _freed(store, at):
        freed += more
    log.warning("the mail server works again: %s mails that failed for its sake go now", freed)


def _freed(store: Store, at: int) -> int:
    """Free the mails to some recipients, in small transactions. Return the number of mails."""
    with store.write() as conn:
        return failing.free(conn, at)


def work(store: Store, claimed: Claimed, send: Deliver, now: Callable[[], int]) -> bool:
    """Process a claim. Return True if the server took a mail. Raise `ServerAway` after putting it back."""
    rows = _still_due(store, claimed, now)
    if not rows:
        return False
    try:
        with store.read() as conn:
            mail = _mail(store, conn, rows, claimed.message_id, now())
        _keep(store, rows[0].person_id, mail, now())
    except Exception as error:  # a bug must neither lose the mail nor stop the others
        raise_if_away(error)  # it is claimed again after the lease
        log.exception("notice %s could not be written", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now())
        return False
    return _send(store, claimed, rows, mail, send, now)


def _keep(store: Store, person_id: int | None, mail: Mail, at: int) -> None:
    """Store how answers and reports refer to the mail, before any can arrive."""
    if mail.answers or mail.returns:
        with store.write() as conn:
            replies.keep(conn, mail.answers, mail.lines, at)
            if mail.returns:
                bounces.keep(conn, mail.returns, person_id, at)


def _send(
    store: Store, claimed: Claimed, rows: Sequence[Any], mail: Mail, send: Deliver, now: Callable[[], int]
) -> bool:
    """Send a mail. Return True if the server took it."""
    due_at = min(row.failing_since or row.due_at for row in rows)
    try:
        reply = send(store.settings, mail, lambda: still_ours(store, claimed, now()))
    except NotOurs:
        put_back(store, claimed, rows, "deferred", Sentence("the attempt took too long"), now())
    except Bounced as error:
        tally.count(tally.FAILED_LETTERS)
        if error.of_address:
            addresses.flag(store, rows[0].person_id, mail.recipient, str(error), now())
        finish(store, claimed, rows, "dead", "refused", error.detail, now(), reason=error.sake, talk=error.sake)
    except Deferred as error:
        tally.count(tally.FAILED_LETTERS)
        sake, taken = error.sake, error.maybe_taken
        talk = None if sake == "ours" else sake
        put_back(store, claimed, rows, "deferred", error.detail, now(), reason=sake, talk=talk, taken=taken)
        if isinstance(error, ServerAway):
            raise
    except Exception as error:  # a bug, as above
        raise_if_away(error)
        log.exception("notice %s could not be sent", rows[0].id)
        put_back(store, claimed, rows, "failed", type(error).__name__, now(), taken=True)
    else:
        finish(store, claimed, rows, "sent", "accepted", reply, now(), talk=failing.TAKEN)
        tally.took(tally.LETTERS, max(0, now() - due_at) / SECOND)
        _note_talk(store, mail)
        return True
    return False


def _note_talk(store: Store, mail: Mail) -> None:
    """Note the lines of talk that a sent mail has brought. If that is lost, the next mail brings them once more."""
    if mail.talk:
        with store.write() as conn:
            for told in mail.talk:
                talk_mail.note_told(conn, told)


# ==== the second look =============================================================================
def _still_due(store: Store, claimed: Claimed, now: Callable[[], int]) -> list[Any]:
    """Return the rows that are still due, and mark the others. A row that fails the check holds up no other."""
    due: list[Any] = []
    over: dict[str, tuple[Sentence, list[Any]]] = {}
    with store.read() as conn:
        if len(claimed.rows) > several.TOLD_IN_FULL:
            by_row = why_not_by_row(conn, claimed.rows, games_of(conn, claimed.rows[0].person_id))
        for row in claimed.rows:
            try:
                if len(claimed.rows) > several.TOLD_IN_FULL:
                    reason = by_row.get(row.id)
                else:
                    reason = by_kind.why_not(store, conn, row, now())
            except Exception as error:  # a bug, as above
                raise_if_away(error)
                log.exception("notice %s could not be looked at", row.id)
                put_back(store, claimed, [row], "failed", type(error).__name__, now())
                continue
            if reason:
                over.setdefault(in_english(reason), (reason, []))[1].append(row)
            else:
                due.append(row)
    for reason, rows in over.values():
        finish(store, claimed, rows, "superseded", "superseded", reason, now())
    return due


def _mail(store: Store, conn: Connection, rows: Sequence[Any], message_id: str, at: int) -> Mail:
    """Return one notice as its own kind of mail, several as one mail."""
    if len(rows) == 1:
        return by_kind.mail(store, conn, rows[0], at, message_id)
    return several.mail(store, conn, rows, message_id, at)
