"""The effects of a report about our mail: a step in the ledger for its reader.

Certain reports stop mail to the address.

A complaint stops the kind of mail that it is about.

A report counts if it comes to the return address of one mail, within days, and names that mail, if any. This address
stands only in the envelope: an opponent who sees a letter still cannot forge a report.
"""

import logging
import re
from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection

from service.notices.kinds import KINDS
from service.people import addresses, bounces, mail_settings, strangers
from service.people.bounces import SAYS_MORE, Said

from .reports import Bounce, DeliveryReport

log = logging.getLogger(__name__)

Outcome = Literal["foreign", "late", "nothing", "known", "noted", "held", "stopped"]
"""About no mail of ours; about an old one, and only noted; without a recipient; without news; noted in the ledger; and
mail to the address is now held; and mail of that kind is now stopped.
"""

_NO_SUCH_ADDRESS = re.compile(r"5\.(1\.([0-6]|10)|2\.1)")
_ABOUT_US = re.compile(r"5\.(1\.[789]|7\.\d+)")
"""RFC 3463, 3.2 and 3.8: the sender's address, security and policy."""


def take(conn: Connection, told: DeliveryReport, token_hash: str, at: int) -> Outcome:
    """Apply a report that came to the address with this token. A repeated report changes nothing."""
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
    """Return the part of a report about the mail's address; all of it if the address is not named, after forwarding."""
    mine = [it for it in told.bounces if strangers.hash_of(it.address) == row.mailbox_hash]
    return mine or told.bounces


def _said(bounce: Bounce) -> Said:
    """Return the meaning of a bounce. Its action comes first; the status counts only if the mail was given up."""
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
    """Stop the kind of mail that its reader calls spam.

    Mail that they, or others with their address, ask for continues.
    """
    stopped = False
    for notice in bounces.told_by(conn, row):
        kind = KINDS.get(notice.kind)
        if notice.kind == "invitation":
            strangers.want_invitations(conn, strangers.hash_of(notice.address), False, at)
            stopped = True
        elif kind is not None and kind.switched and notice.person_id is not None:
            mail_settings.switch(conn, notice.person_id, kind=notice.kind, wanted=False)
            stopped = True
    return "stopped" if stopped else "noted"
