"""Each kind of notice as the workers tell of it: when it is news no longer, and its letter.

The second half of `service.notices.kinds`, by the same tags; a test holds the two together.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

from service.database.store import NoSuchGame, Store
from service.games.queries import Seen
from service.notices.kinds import kind_of
from workers import due
from workers.due import Case
from workers.mail import compose, of_address, of_answer, of_draft, of_time
from workers.mail.letter import Letter, write
from workers.mail.reader import MailReader
from workers.mail.smtp import Mail


class Telling(NamedTuple):
    """How a kind of notice is told. ``passed``: why it is news no longer, "" when it is."""

    letter: Callable[[Case, MailReader], Letter]
    passed: Callable[[Case], str] = due.never


TELLINGS: Mapping[str, Telling] = {
    "turn": Telling(compose.turn, due.turn),
    "reminder": Telling(of_time.reminder, due.reminder),
    "timed_out": Telling(of_time.timed_out, due.timed_out),
    "seat_open": Telling(of_time.seat_open, due.seat_open),
    "paused": Telling(of_time.paused, due.paused),
    "resumed": Telling(of_time.resumed, due.resumed),
    "started": Telling(compose.started, due.running),
    "over": Telling(compose.over),
    "cancelled": Telling(compose.cancelled),
    "rewind": Telling(compose.rewind, due.rewind),
    "rewound": Telling(compose.rewound, due.rewound),
    "words": Telling(compose.words, due.words),
    "seat_lost": Telling(compose.seat_lost, due.seat_lost),
    "full": Telling(compose.full, due.full),
    "left": Telling(compose.left, due.left),
    "sooner": Telling(of_time.sooner, due.sooner),
    "receipt": Telling(of_answer.receipt, due.receipt),
    "draft": Telling(of_draft.draft, due.draft),
    "sign_in": Telling(compose.sign_in, due.link),
    "invitation": Telling(compose.invitation, due.invitation),
    "address": Telling(of_address.address, due.address_link),
    "confirm": Telling(of_address.confirm, due.address_link),
    "moved": Telling(of_address.moved),
}


# ==== is it still due? ============================================================================
def why_not(store: Store, conn: Connection, row: Any, at: int) -> str:
    """Why the mail of an outbox row is not due any more ("" when it is), in words for its recipient."""
    if kind_of(row.kind).to != "address" and (reason := due.gets_no_mail(conn, row)):
        return reason
    try:
        return _passed(Case(store, conn, row, at))
    except NoSuchGame:
        return "the game cannot be seen any more"


def passed(store: Store, conn: Connection, row: Any, seen: Seen, at: int) -> str:
    """Why what a notice of a game tells is news no longer ("" when it is), whichever way it goes to its recipient."""
    return _passed(Case(store, conn, row, at, seen=seen))


def _passed(it: Case) -> str:
    return due.left_the_table(it) or TELLINGS[it.row.kind].passed(it)


# ==== its letter ==================================================================================
def mail(store: Store, conn: Connection, row: Any, at: int, message_id: str | None = None) -> Mail:
    """The mail of an outbox row as things stand now, which `why_not` has found still due."""
    say = compose.reader_of(conn, row)
    message_id = message_id or str(row.message_id)
    letter = letter_of(store, conn, row, say, at, message_id)
    return write(store.settings, letter, say.address, message_id, at)


def letter_of(store: Store, conn: Connection, row: Any, say: MailReader, at: int, message_id: str) -> Letter:
    """What the mail of an outbox row says, in a letter with this Message-ID."""
    return TELLINGS[row.kind].letter(Case(store, conn, row, at, lang=say.lang, message_id=message_id), say)
