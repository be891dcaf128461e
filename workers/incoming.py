"""Incoming mail: claim one, parse it in a child process, execute it, owe its receipt, mark it.

A mail is claimed by an UPDATE under a lease. Its submissions have ids that follow from the mail, and the transaction
that marks it also owes its receipt. So a worker may die anywhere, and the next one finds its work done: each mail acts
once and gets one answer. Answers to one letter are processed in the order of their arrival.

External mail acts only if proved to come from the letter's recipient (`service.post.trust`): the token in its address
proves nothing, since a letter may be forwarded. Receipts go to the letter's recipient, never to the mail's ``From:``.

A person's mail gets no answer only if there is no recipient: the letter is forgotten (also after an erasure), or its
reader is shut out and reads the reason on the sign-in page. (And see `RECEIPTS_AN_HOUR`.)
"""

import logging
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, Update, exists, func, select, update

from config.settings import Settings
from service.base import hints, tally
from service.base.clock import DAY, HOUR
from service.base.links import pseudonym
from service.database.store import NoSuchGame, Store, raise_if_away
from service.database.work import Work
from service.games import by_mail
from service.games.by_mail import GivenAnswer
from service.games.play import answered
from service.games.transcripts import ABOUT_NO_GAME, Transcript
from service.notices import replies
from service.notices.details import in_one_line
from service.notices.owing import OUTBOX, PEOPLE
from service.notices.replies import Answered
from service.people import accounts, addresses, bounces, outbox
from service.post import inbox, message, returned
from service.post.inbox import INCOMING, Draft
from service.post.incoming import Incoming, Question
from service.post.trust import Doubt
from service.words import ENGLISH
from workers import ending
from workers.leases import backoff, claimable, hold, insist, lease, renewed

log = logging.getLogger(__name__)

BATCH = 20
GIVE_UP = 5
"""The number of crashes after which a mail is given up."""
RECEIPTS_AN_HOUR, RECEIPTS_OF_A_GAME = 240, 120
"""The limits for one person, and for one of their games. They stop two machines that answer each other. The last
receipt says so; later mails act without a receipt.
"""
DRAFTS_OF_A_LETTER, DRAFTS_OF_A_PERSON = 3, 10
"""The most mails in a day about which a letter asks for their author; later ones are ignored."""
DRAFT_LASTS = 7 * DAY
"""The time in which a person can confirm a draft."""
OWN_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,150}@[A-Za-z0-9.-]{1,100}>")

Read = Callable[[Question], Incoming]


# ==== claiming ====================================================================================
def claim(store: Store, at: int) -> Any | None:
    """Claim one waiting mail until the lease ends. Return None if there is none."""
    earlier = INCOMING.alias()
    waits = exists().where(
        earlier.c.token_hash == INCOMING.c.token_hash, earlier.c.id < INCOMING.c.id, earlier.c.state != "done"
    )
    free = claimable(INCOMING, at)
    with store.read() as conn:
        ids = list(conn.scalars(select(INCOMING.c.id).where(free, ~waits).order_by(INCOMING.c.id).limit(BATCH)))
    for each in ids:
        with store.write() as conn:
            taken = {"state": "leased", "lease_until": at + lease(store.settings), "attempts": INCOMING.c.attempts + 1}
            if conn.execute(update(INCOMING).where(INCOMING.c.id == each, free).values(taken)).rowcount == 1:
                return conn.execute(select(INCOMING).where(INCOMING.c.id == each)).one()
    return None


def _mine(row: Any) -> Update:
    """Return an UPDATE that reaches the row only while the claim holds."""
    return update(INCOMING).where(
        INCOMING.c.id == row.id, INCOMING.c.state == "leased", INCOMING.c.attempts == row.attempts
    )


# ==== processing ==================================================================================
def work_off(store: Store, read: Read, *, now: Callable[[], int] | None = None) -> int:
    """Process incoming mails until none is left. Return their number."""
    now, done = now or store.time, 0
    while not ending.told.is_set() and (row := claim(store, now())) is not None:
        with renewed(store, partial(hold, _mine(row)), now):
            work(store, row, read, now)
        done += 1
    return done


def work(store: Store, row: Any, read: Read, now: Callable[[], int]) -> None:
    """Process one claimed mail."""
    try:
        _dealt_with(store, row, read, now)
    except Exception as error:  # a bug must neither lose the mail nor stop the others
        raise_if_away(error)  # the mail is claimed again after the lease
        log.exception("incoming mail %s could not be dealt with", row.id)
        if row.attempts >= GIVE_UP:
            _finish(store, row, "failed", type(error).__name__, now(), _apology(store, row, read, now()))
        else:
            again = {"state": "pending", "lease_until": None, "due_at": now() + backoff(row.attempts)}
            _mark(store, row, again)


def _dealt_with(store: Store, row: Any, read: Read, now: Callable[[], int]) -> None:
    with store.read() as conn:
        came_back = bounces.of_hash(conn, row.token_hash) is not None
    if came_back:
        _reported(store, row, read, now)
        return
    with store.read() as conn:
        letter = replies.of_hash(conn, row.token_hash, now())
        reader = None if letter is None else _reader(conn, letter)
    if letter is None or reader is None:
        _finish(store, row, "unknown", "the letter is forgotten, or its reader is shut out", now())
        return
    settings = store.settings
    found = _found(settings, row, letter, reader, read)
    if found.kind in ("automatic", "report"):
        _finish(store, row, found.kind, found.why, now())
    elif doubt := _doubt(settings, row, found, reader.address):
        if reader.has_moved:
            _finish(store, row, "unproved", doubt, now())
        else:
            _ask(store, row, letter, found, doubt, now())
    elif reader.has_moved:
        _answer(store, row, letter, found, Transcript("elsewhere"), now())
    elif found.kind == "unreadable":
        _answer(store, row, letter, found, Transcript("unreadable"), now())
    else:
        _answer(store, row, letter, found, None, now())


def _found(settings: Settings, row: Any, letter: Answered, reader: "_LetterReader", read: Read) -> Incoming:
    keys_for = reader.address if settings.checks_dkim and row.via == "mail" else ""
    return read(
        Question(bytes(row.raw), letter.lines, row.sender, _ours(settings), settings.authserv_id.lower(), keys_for)
    )


def _doubt(settings: Settings, row: Any, found: Incoming, address: str) -> Doubt:
    """Return the reason why a mail's author is not proved to be the letter's recipient, or "" if it is proved.

    A mail that cannot be parsed has no author to prove. It does nothing, and its answer goes to the letter's address.
    """
    if row.via != "mail" or (found.kind == "unreadable" and (row.sender or "").lower() == address):
        return ""

    def is_ours(recipient: str) -> bool:
        token = replies.token_of(settings, recipient)
        return token is not None and replies.hash_of(token) == row.token_hash

    return found.author.doubted(address, is_ours)


def _reported(store: Store, row: Any, read: Read, now: Callable[[], int]) -> None:
    """Read a mail to a return address only as a report, whoever wrote it, and never answer it."""
    found = read(Question(bytes(row.raw), (), row.sender, _ours(store.settings)))
    outcome: str = "nothing"
    if found.report is not None:
        with store.write() as conn:
            outcome = returned.take(conn, found.report, row.token_hash, now())
    _finish(store, row, "report" if found.report else "ignored", outcome, now())


def _apology(store: Store, row: Any, read: Read, at: int) -> outbox.Row | None:
    """Return an apology for a mail that crashed us, or None if its writer is unknown or the apology fails, too."""
    try:
        with store.read() as conn:
            letter = replies.of_hash(conn, row.token_hash, at)
            reader = None if letter is None else _reader(conn, letter)
        if letter is None or reader is None:
            return None
        found = _found(store.settings, row, letter, reader, read)
        if found.kind in ("automatic", "report") or _doubt(store.settings, row, found, reader.address):
            return None
        who = _who(store, letter)
        if who is None:
            return None
        return _receipt(store.settings, row, letter, found, Transcript("failed"), who, at)
    except Exception as error:
        raise_if_away(error)
        log.exception("nor can incoming mail %s be answered", row.id)
        return None


class _LetterReader(msgspec.Struct, frozen=True):
    """The reader of a letter: their present ``address``, and whether they had another one when it was sent."""

    address: str
    has_moved: bool = False


def _reader(conn: Connection, letter: Answered) -> _LetterReader | None:
    """Return the reader of a letter, or None if they are erased or shut out."""
    if letter.person_id is None:
        address = conn.execute(select(OUTBOX.c.address).where(OUTBOX.c.message_id == letter.message_id)).scalar()
        return _LetterReader(address) if address else None
    here = PEOPLE.c.id == letter.person_id, PEOPLE.c.blocked_at.is_(None)
    address = conn.execute(select(PEOPLE.c.email).where(*here)).scalar()
    if address is None:
        return None
    return _LetterReader(address, not addresses.is_still_theirs(conn, _Sent(letter.person_id, letter.since)))


class _Sent(msgspec.Struct, frozen=True):
    person_id: int
    since: int


def _ours(settings: Settings) -> tuple[str, ...]:
    return tuple(address.lower() for address in message.addresses(settings.mail_from))


# ==== answers =====================================================================================
def _answer(store: Store, row: Any, letter: Answered, found: Incoming, transcript: Transcript | None, at: int) -> None:
    """Execute a person's mail, and owe the receipt."""
    given = _given(store, row, letter, found)
    who = _who(store, given.letter)
    if who is None:
        _finish(store, row, "unknown", "nobody is known by it", at)
        return
    if found.kind == "unreadable" and row.via == "mail" and _asked_enough(store, row, who, at):
        _finish(store, row, "unproved", "", at)
        return
    letter = given.letter
    if letter.person_id is None:
        who = _joining(store, row, given, who, at)
    if transcript is None:
        transcript = _transcript(store, given, who, at)
    receipt = _receipt(store.settings, row, letter, found, transcript, who, at)
    _finish(store, row, transcript.outcome, "", at, receipt)
    if who.person_id is not None and transcript.outcome != "elsewhere":
        with store.write() as conn:
            addresses.unflag(conn, who.person_id, at)  # their answer proves that the letter arrived


def _given(store: Store, row: Any, letter: Answered, found: Incoming) -> GivenAnswer:
    """Return the orders of a mail, with the letter that they answer."""
    id_ = f"mail.{row.content[:48]}"
    if letter.game_id == "":
        letter = _meant(store, letter, id_, inbox.draft_in(row))
    lines, alone, below = (tuple(line.text for line in each) for each in (found.lines, found.alone, found.below))
    return GivenAnswer(letter, lines, frozenset(alone), id_, below)


def _transcript(store: Store, given: GivenAnswer, who: "_Who", at: int) -> Transcript:
    if given.letter.game_id == "":
        return Transcript("which")
    try:
        if who.person_id is not None:
            return by_mail.carry_out(Work(store), who.person_id, given, at, who.lang)
        if not by_mail.still_invites(Work(store), given.letter):
            return Transcript("gone")
    except NoSuchGame:
        return Transcript("gone")
    return by_mail.told_to_a_guest(Work(store), given, who.lang)


class _Who(msgspec.Struct, frozen=True):
    """The writer of a mail: a person, or an invited address."""

    person_id: int | None
    address: str | None
    lang: str


def _who(store: Store, letter: Answered) -> _Who | None:
    if letter.person_id is None:
        return _invited(store, letter)
    with store.read() as conn:
        lang = conn.execute(select(PEOPLE.c.lang).where(PEOPLE.c.id == letter.person_id)).scalar_one_or_none()
    return None if lang is None else _Who(letter.person_id, None, lang)


def _invited(store: Store, letter: Answered) -> _Who | None:
    """Return the invited writer: the person with this address, else the address alone."""
    with store.read() as conn:
        invited = conn.execute(select(OUTBOX).where(OUTBOX.c.message_id == letter.message_id)).one_or_none()
        if invited is None or invited.address is None:
            return None
        person = conn.execute(select(PEOPLE).where(PEOPLE.c.email == invited.address)).one_or_none()
    if person is not None:
        return None if person.blocked_at is not None else _Who(person.id, None, person.lang)
    return _Who(None, invited.address, letter.lang or ENGLISH)


def _joining(store: Store, row: Any, given: GivenAnswer, who: _Who, at: int) -> _Who:
    """Return the invited writer, with an account if they want to join. The mail then belongs to that account."""
    person_id = who.person_id
    if who.address is not None and by_mail.wants_to_join(Work(store), given.letter, given.lines):
        with store.write() as conn:
            person_id = accounts.person_at(conn, who.address, who.lang, at)[0]
    if person_id is None:
        return who
    with store.write() as conn:
        inbox.belongs_to(conn, row.id, person_id)
    return _Who(person_id, None, who.lang)


def _meant(store: Store, letter: Answered, id_: str, draft: Draft | None) -> Answered:
    """For a digest, return the letter of the one game that waits for its reader. Return any other letter itself.

    If the answer ``id_`` has moved in a game before its worker died, it is that game. If its reader has seen a preview
    of the answer, it is the game of the preview.
    """
    with store.read() as conn:
        parts = replies.parts(conn, letter)
        if draft is not None:
            return next((it for it in parts if it.game_id == draft.game_id), letter)
        moved = [it for it in parts if answered(conn, it.game_id, f"{id_}.0") is not None]
        waiting = moved or [it for it in parts if _waits(store, conn, it)]
    return waiting[0] if len(waiting) == 1 else letter


def _waits(store: Store, conn: Connection, part: Answered) -> bool:
    try:
        return part.seat in store.load(conn, part.game_id).game.asked
    except NoSuchGame:
        return False


# ==== unproved mail ===============================================================================
def _ask(store: Store, row: Any, letter: Answered, found: Incoming, doubt: Doubt, at: int) -> None:
    """Keep a mail as a draft, and owe a letter that asks the letter's recipient whether they wrote it.

    Limits stop a thief of a letter from causing questions without end. A mail without an order that does not even claim
    to be from the recipient causes none.
    """
    given = _given(store, row, letter, found)
    who = _who(store, given.letter)
    transcript = None if who is None or _asked_enough(store, row, who, at) else _foreseen(store, given, who, at)
    if who is None or transcript is None or (not transcript.holds_orders and doubt in ("from", "foreign")):
        _finish(store, row, "unproved", doubt, at)
        return
    draft = inbox.Draft(given.lines, (*given.alone,), given.letter.game_id, found.author.address, doubt, given.below)
    question = _question(store.settings, row, draft, given.letter.seat, transcript, who, at)
    _finish(store, row, inbox.DRAFT, doubt, at, question, draft)


def _foreseen(store: Store, given: GivenAnswer, who: _Who, at: int) -> Transcript | None:
    try:
        return by_mail.would_do(Work(store), who.person_id, given, at, who.lang)
    except NoSuchGame:
        return None


def _asked_enough(store: Store, row: Any, who: _Who, at: int) -> bool:
    with store.read() as conn:
        of_letter, of_person = inbox.unproved(conn, row.token_hash, who.person_id, at - DAY)
    return of_letter >= DRAFTS_OF_A_LETTER or of_person >= DRAFTS_OF_A_PERSON


def _question(
    settings: Settings, row: Any, draft: Draft, seat: int | None, transcript: Transcript, who: _Who, at: int
) -> outbox.Row:
    """Return the letter that asks, as a row to owe."""
    payload = {
        "transcript": msgspec.to_builtins(transcript),
        "author": draft.author,
        "doubt": draft.doubt,
        "expires": at + DRAFT_LASTS,
        "lang": who.lang,
    }
    return outbox.mail(
        "draft",
        f"<draft.{draft.game_id}.{row.content[:32]}@{settings.mail_domain}>",
        at,
        person_id=who.person_id,
        address=who.address,
        game_id=draft.game_id,
        seat=seat,
        key=row.content,
        payload=payload,
    )


# ==== the receipt =================================================================================
def _receipt(
    settings: Settings, row: Any, letter: Answered, found: Incoming, transcript: Transcript, who: _Who, at: int
) -> outbox.Row:
    """Return the receipt as a row to owe: the result of each line as data. Its words are made when it is sent."""
    answers = found.message_id if OWN_ID.fullmatch(found.message_id) else ""
    game_id, seat = letter.game_id, letter.seat
    if transcript.outcome in ABOUT_NO_GAME:
        game_id, seat = "", None
    failed = transcript.outcome == "failed"  # an operator may have it read again, and then it gets another receipt
    # After a restore of a copy the same mail may come again, and then its receipt differs.
    name = pseudonym(settings, "receipt", row.content, failed, at)
    payload = {
        "transcript": msgspec.to_builtins(transcript),
        "answers": answers,
        "letter": letter.message_id,
        "lang": who.lang,
    }
    return outbox.mail(
        "receipt",
        f"<receipt.{game_id or 'games'}.{name}@{settings.mail_domain}>",
        at,
        person_id=who.person_id,
        address=who.address,
        game_id=game_id,
        seat=seat,
        key=accounts.hashed(row.content) if failed else row.content,
        payload=payload,
    )


def _with_room(conn: Connection, receipt: outbox.Row, at: int) -> outbox.Row | None:
    """Return the receipt if the limit of the hour allows it. The last one says when the next may come.

    Two at the same moment may both be the last, or one too many. Letters that ask have a limit of their own.
    """
    if receipt["kind"] != "receipt":
        return receipt
    mine = OUTBOX.c.address == receipt["address"]
    if receipt["address"] is None:
        mine = OUTBOX.c.person_id == receipt["person_id"]
    lately = select(func.count().label("many"), func.min(OUTBOX.c.created_at).label("first")).where(
        mine, OUTBOX.c.kind == "receipt", OUTBOX.c.created_at > at - HOUR
    )
    of_game = lately.where(OUTBOX.c.game_id == receipt["game_id"])
    again: list[int] = []
    for counted, most in ((lately, RECEIPTS_AN_HOUR), (of_game, RECEIPTS_OF_A_GAME)):
        found = conn.execute(counted).one()
        if found.many >= most:
            return None
        if found.many == most - 1:
            again.append((at if found.first is None else found.first) + HOUR)
    return {**receipt, "payload": {**receipt["payload"], "again_at": max(again)}} if again else receipt


# ==== results =====================================================================================
def _finish(
    store: Store,
    row: Any,
    what: str,
    detail: str,
    at: int,
    receipt: outbox.Row | None = None,
    draft: Draft | None = None,
) -> None:
    """Mark the mail as done for good and owe its answer, or keep it as a draft."""
    log.info("mail %s: %s", row.id, what)
    if receipt is not None:
        tally.count(tally.ANSWERS)
    values: dict[str, Any] = {"state": "done", "lease_until": None, "done_at": at}
    values |= {"what": what, "detail": in_one_line(detail, 300)}
    if draft is not None:
        values["draft"] = inbox.packed(draft)
    _mark(store, row, values, receipt, at)
    if receipt is not None:
        hints.wake("outbox")


def _mark(store: Store, row: Any, values: dict[str, Any], receipt: outbox.Row | None = None, at: int = 0) -> None:
    def write() -> None:
        with store.write() as conn:
            ours = conn.execute(_mine(row).values(**values)).rowcount == 1
            owed = _with_room(conn, receipt, at) if ours and receipt is not None else None
            if owed is not None:
                outbox.owe_once(conn, [owed])

    insist(store.settings, write)
