"""The fetching of answers from an ordinary mailbox: kept here first, and only then deleted there.

A fetcher holds a lease, so that two do not do the same work at the same time. If they do, or one is killed between any
two steps, each answer still acts once: the inbox knows a mail that it has kept (`inbox.content_of`).

A mail that cannot be kept stays in the mailbox, flagged, so that its owner sees it and nobody asks for it again.
"""

import logging
import threading
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from service.base import hints
from service.base.clock import HOUR, MINUTE, SECOND
from service.database.store import Store
from service.database.tables import Fetching, table_of
from service.post import inbox
from service.post.imap import Found, Mailbox, Unreachable
from service.post.limits import LARGEST

log = logging.getLogger(__name__)

FETCHING = table_of(Fetching)
LEASE = 20 * SECOND
"""The time after which another may begin. A round that outlasts it only does some work twice."""
MOST = 50
"""Mails of one round. The rest comes with the next."""
PAUSES = (30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR)
"""The waits after the first, second … failure in a row; the last one repeats."""


class Fetched(Struct, frozen=True):
    """The result of a round. ``kept``: mails kept and deleted; ``postponed``: mails left for later, since one letter
    got too many; ``left``: flagged mails that stay; ``trouble``: as in `imap.Trouble`, or "".
    """

    kept: int = 0
    postponed: int = 0
    left: int = 0
    trouble: str = ""


class Fetcher:
    """The fetcher of one process. Its connection is kept from round to round."""

    def __init__(self, store: Store) -> None:
        self.store, self.settings = store, store.settings
        self._mailbox: Mailbox | None = None
        self._last = Fetched()
        self._alone = threading.Lock()
        """A round that outlasts its lease must not share its connection."""

    def round(self, at: int, *, at_once: bool = False) -> Fetched | None:
        """Fetch what has arrived. Return None if another process does, or if it is not time yet.

        ``at_once``: do not wait after a failure.
        """
        with self._alone:
            name = self.settings.mailbox
            if not _claim(self.store, name, at, at_once=at_once):
                return None
            try:
                self._last = self._fetched()
            except Unreachable as error:
                self.hang_up()
                self._last = Fetched(trouble=error.trouble)
                log.warning("no answers can be fetched from %s: %s", self.settings.imap_host, error.trouble)
            except BaseException:
                self.hang_up()
                raise
            _release(self.store, name, self._last, at)
            return self._last

    def hang_up(self) -> None:
        """Close the connection."""
        if self._mailbox is not None:
            self._mailbox.close()
            self._mailbox = None

    def _fetched(self) -> Fetched:
        if not self._has_news():
            return msgspec.structs.replace(self._last, kept=0)
        if self._mailbox is None:
            self._mailbox = Mailbox(self.settings)
        box = self._mailbox
        kept = postponed = 0
        for number, it in enumerate(box.found()):
            if number == MOST:
                postponed += 1
                break
            if (taken := self._taken(box, it)) is None:
                postponed += 1
                continue
            kept += taken
            if not postponed:
                box.settle_below(it.uid + 1)
        if kept:
            hints.wake("incoming")
        return Fetched(kept, postponed, box.left(), "full" if box.is_full() else "")

    def _has_news(self) -> bool:
        """Is there anything to look at? A connection that the server has cut is made again."""
        if self._mailbox is None or self._last.postponed:
            return True
        try:
            return self._mailbox.has_news()
        except Unreachable:
            self.hang_up()
            return True

    def _taken(self, box: Mailbox, it: Found) -> bool | None:
        """Keep a mail and delete it there, or flag it. Return None if it has to wait."""
        try:
            raw = None if it.size > LARGEST else box.content(it.uid)
            if raw is not None and self._kept(it, raw):
                box.delete(it.uid)
                return True
        except inbox.TooManyMails:
            log.warning("more mails come for one letter than are kept in an hour")
            return None
        box.mark(it.uid)
        return False

    def _kept(self, it: Found, raw: bytes) -> bool:
        """Keep a mail under the first of its addresses that is known. Return False if none is, or it is too large."""
        with self.store.write() as conn:
            for address in it.addresses:
                try:
                    number = inbox.keep(conn, self.settings, address, it.sender, raw, self.store.time())
                except inbox.NobodysAddress:
                    continue
                except inbox.TooLarge:
                    return False
                log.info("mail %s is kept", number)
                return True
        return False


# ==== turns =======================================================================================
def _claim(store: Store, name: str, at: int, *, at_once: bool) -> bool:
    """Claim the next round if it is due and nobody has it."""
    free = FETCHING.c.lease_until.is_(None) | (FETCHING.c.lease_until <= at)
    due = () if at_once else (FETCHING.c.due_at <= at,)
    mine = update(FETCHING).where(FETCHING.c.mailbox == name, free, *due).values(lease_until=at + LEASE)
    try:
        with store.write() as conn:
            if conn.execute(mine).rowcount == 1:
                return True
            if conn.execute(select(FETCHING.c.mailbox).where(FETCHING.c.mailbox == name)).first() is None:
                fresh = {"mailbox": name, "due_at": at, "lease_until": at + LEASE, "fails": 0, "trouble": "", "left": 0}
                conn.execute(insert(FETCHING).values(**fresh))
                return True
    except IntegrityError:
        pass  # another worker was first
    return False


def _release(store: Store, name: str, done: Fetched, at: int) -> None:
    """Note the result, and end the lease."""
    with store.write() as conn:
        row = conn.execute(select(FETCHING).where(FETCHING.c.mailbox == name)).one()
        since = (row.failing_since or at) if done.trouble else None
        values: dict[str, Any] = {"lease_until": None, "trouble": done.trouble, "failing_since": since}
        if done.trouble in ("", "full"):
            values |= {"fails": 0, "due_at": at, "left": done.left, "fetched_at": at}
        else:
            pause = PAUSES[min(row.fails, len(PAUSES) - 1)]
            values |= {"fails": row.fails + 1, "due_at": at + pause}
        conn.execute(update(FETCHING).where(FETCHING.c.mailbox == name).values(**values))
