"""The letter of each kind of notice, and when the notice is out of date.

The second half of `service.notices.kinds`, by the same tags; a test holds the two together.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

from domain.words import Sentence
from service.database.store import NoSuchGame, Store
from service.games.queries import Seen
from service.letters import compose, due, of_address, of_answer, of_draft, of_talk, of_time, of_wish
from service.letters.due import Case, Reason
from service.letters.letter import Letter, Mail, write
from service.letters.reader import MailReader
from service.notices.kinds import kind_of


class KindOfLetter(NamedTuple):
    """The letter of a kind of notice. ``passed``: the reason why it is out of date."""

    letter: Callable[[Case, MailReader], Letter]
    passed: Callable[[Case], Reason] = due.never


LETTERS: Mapping[str, KindOfLetter] = {
    "turn": KindOfLetter(compose.turn, due.turn),
    "reminder": KindOfLetter(of_time.reminder, due.reminder),
    "timed_out": KindOfLetter(of_time.timed_out, due.timed_out),
    "seat_open": KindOfLetter(of_time.seat_open, due.seat_open),
    "paused": KindOfLetter(of_time.paused, due.paused),
    "resumed": KindOfLetter(of_time.resumed, due.resumed),
    "started": KindOfLetter(compose.started, due.running),
    "over": KindOfLetter(compose.over),
    "cancelled": KindOfLetter(compose.cancelled),
    "rewind": KindOfLetter(compose.rewind, due.rewind),
    "rewound": KindOfLetter(compose.rewound, due.rewound),
    "words": KindOfLetter(compose.words, due.words),
    "seat_lost": KindOfLetter(compose.seat_lost, due.seat_lost),
    "full": KindOfLetter(compose.full, due.full),
    "left": KindOfLetter(compose.left, due.left),
    "sooner": KindOfLetter(of_time.sooner, due.sooner),
    "talk": KindOfLetter(of_talk.talk, due.talk),
    "seat_kept": KindOfLetter(of_wish.seat_kept, due.seat_kept),
    "wish_ended": KindOfLetter(of_wish.wish_ended),
    "receipt": KindOfLetter(of_answer.receipt, due.receipt),
    "draft": KindOfLetter(of_draft.draft, due.draft),
    "sign_in": KindOfLetter(compose.sign_in, due.link),
    "invitation": KindOfLetter(compose.invitation, due.invitation),
    "address": KindOfLetter(of_address.address, due.address_link),
    "confirm": KindOfLetter(of_address.confirm, due.address_link),
    "moved": KindOfLetter(of_address.moved),
}


# ==== is it still due? ============================================================================
def why_not(store: Store, conn: Connection, row: Any, at: int) -> Reason:
    """Return the reason why an outbox row's mail is no longer due, in words for its recipient."""
    if kind_of(row.kind).to != "address" and (reason := due.gets_no_mail(conn, row)):
        return reason
    try:
        return _passed(Case(store, conn, row, at))
    except NoSuchGame:
        return Sentence("you can no longer see the game")


def passed(store: Store, conn: Connection, row: Any, seen: Seen, at: int) -> Reason:
    """Return the reason why a game's notice is out of date, in a letter or elsewhere."""
    return _passed(Case(store, conn, row, at, seen=seen))


def _passed(it: Case) -> Reason:
    return due.left_the_table(it) or LETTERS[it.row.kind].passed(it)


# ==== its letter ==================================================================================
def mail(store: Store, conn: Connection, row: Any, at: int, message_id: str | None = None) -> Mail:
    """Return the mail of an outbox row at the present position; `why_not` has found it still due."""
    say = compose.reader_of(conn, row)
    message_id = message_id or str(row.message_id)
    letter = letter_of(store, conn, row, say, at, message_id)
    return write(store.settings, letter, say.address, message_id, at)


def letter_of(store: Store, conn: Connection, row: Any, say: MailReader, at: int, message_id: str) -> Letter:
    """Return the content of an outbox row's mail, as a letter with this Message-ID."""
    return LETTERS[row.kind].letter(Case(store, conn, row, at, lang=say.lang, message_id=message_id), say)
