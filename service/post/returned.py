"""What comes of a report about a mail of ours: a step in the ledger that its reader sees, and, once it is certain, no
more mail to an address that takes none, or of a kind that is called spam.

A report is believed where it comes to the address that one mail comes back to, within days, and speaks of that mail, if
of any. That address stands in the envelope alone: what an opponent sees of a letter does not help them to forge one.
"""

import logging
import re
from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection

from service.notices.kinds import KINDS
from service.people import addresses, bounces, preferences, strangers
from service.people.bounces import SAYS_MORE, Said

from .reports import Bounce, DeliveryReport

log = logging.getLogger(__name__)

Outcome = Literal["foreign", "late", "nothing", "known", "noted", "held", "stopped"]
"""It is about no mail of ours; about one of long ago, and only noted; says nothing of a recipient; says nothing new;
stands in the ledger; and now mail to the address is held; and now mail of that kind is stopped.
"""

_NO_SUCH_ADDRESS = re.compile(r"5\.(1\.([0-6]|10)|2\.1)")
_ABOUT_US = re.compile(r"5\.(1\.[789]|7\.\d+)")
"""RFC 3463, 3.2 and 3.8: the sender's address, security and policy."""


def take(conn: Connection, told: DeliveryReport, token_hash: str, at: int) -> Outcome:
    """Do what follows from a report that came to the address with this token. The same report again changes nothing."""
    row = bounces.locked(conn, token_hash)
    if row is None or (told.original and told.original != row.message_id):
        return "foreign"
    if not told.bounces:
        return "nothing"
    bounce = max(_of_its_recipient(told, row), key=lambda it: SAYS_MORE.index(_said(it)))
    said = _said(bounce)
    if not bounces.note(conn, row, said, bounce.status, at):
        return "known"
    if said == "unwanted":
        log.warning("mail is refused for what it is, or where it is from: %s", bounce.status)
    if at - row.sent_at > bounces.FRESH:
        return "late"
    if said == "complained":
        return _stop(conn, row, at)
    if said in bounces.CAME_BACK and bounces.is_confirmed(conn, row, at):
        email = bounces.address_of(conn, row)
        if email is not None and addresses.hold(conn, row.person_id, email, bounce.status or said, at):
            return "held"
    return "noted"


def _of_its_recipient(told: DeliveryReport, row: Any) -> Sequence[Bounce]:
    """The part of a report about the address the mail went to; all of it where that is not named: mail is passed on."""
    mine = [it for it in told.bounces if strangers.hash_of(it.address) == row.mailbox_hash]
    return mine or told.bounces


def _said(bounce: Bounce) -> Said:
    """What is made of it. A status counts for what was given up alone: the action stands before it."""
    match bounce.kind:
        case "complaint":
            return "complained"
        case "delayed":
            return "delayed"
        case "transient":
            return "undelivered"
    if _ABOUT_US.match(bounce.status):
        return "unwanted"
    there_is_none = not bounce.status or bounce.status == "5.0.0" or _NO_SUCH_ADDRESS.fullmatch(bounce.status)
    return "bounced" if there_is_none else "undelivered"


def _stop(conn: Connection, row: object, at: int) -> Outcome:
    """No more of what its reader calls spam. What is asked for, by them or with their address, goes on."""
    stopped = False
    for notice in bounces.told_by(conn, row):
        kind = KINDS.get(notice.kind)
        if notice.kind == "invitation":
            strangers.want_invitations(conn, strangers.hash_of(notice.address), False, at)
            stopped = True
        elif kind is not None and kind.switched and notice.person_id is not None:
            preferences.switch(conn, notice.person_id, kind=notice.kind, wanted=False)
            stopped = True
    return "stopped" if stopped else "noted"
