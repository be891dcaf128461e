"""Mail that has come: claim one, read it in a child, do what it says, owe the receipt, mark it.

A mail is claimed by an UPDATE under a lease. What it does to games are submissions whose ids follow from it, and its
receipt is owed in the transaction that marks it; so a worker may die anywhere, and the next one finds done what was
done: each mail acts once and is answered once. Of one letter the answers are worked on in the order in which they came.

What came from outside acts only if whose letter it answers is known to have written it (`service.post.trust`): the
token of its address proves nobody, since a letter may be passed on. Answers go to the address of whose letter it was,
never to where a mail says that it is from.

A person's mail is left without an answer only where that is not known, or there is nobody to answer: the letter is
forgotten (also with who was erased), or its reader is shut out, who reads why where they sign in. (And
`RECEIPTS_AN_HOUR`.)
"""

import logging
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, Update, exists, func, select, update

from config.settings import Settings
from service.base import hints
from service.base.clock import DAY, HOUR
from service.base.links import pseudonym
from service.database.store import NoSuchGame, Store, raise_if_away
from service.database.work import Work
from service.games import by_mail
from service.games.by_mail import GivenAnswer, Transcript
from service.games.play import answered
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
from workers.leases import backoff, claimable, insist, lease, renewed

log = logging.getLogger(__name__)

BATCH = 20
GIVE_UP = 5
"""Tries after which a mail that breaks us is left alone."""
RECEIPTS_AN_HOUR, RECEIPTS_OF_A_GAME = 240, 120
"""Of one person, and of one of their games; more are not sent, so that two machines that answer each other fall silent.
The last one says so. Mails beyond it are dealt with all the same.
"""
DRAFTS_OF_A_LETTER, DRAFTS_OF_A_PERSON = 3, 10
"""Mails within a day about which somebody is asked whether they wrote them; of others nobody hears."""
DRAFT_LASTS = 7 * DAY
"""How long one may say that one did."""
OWN_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,150}@[A-Za-z0-9.-]{1,100}>")

Read = Callable[[Question], Incoming]


# ==== claiming ====================================================================================
def claim(store: Store, at: int) -> Any | None:
    """One mail that waits, ours until the lease runs out; None when there is none."""
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
    """An UPDATE that reaches the row only while the claim holds."""
    return update(INCOMING).where(
        INCOMING.c.id == row.id, INCOMING.c.state == "leased", INCOMING.c.attempts == row.attempts
    )


def _held_until(row: Any, until: int) -> Update:
    return _mine(row).values(lease_until=until)


# ==== the round ===================================================================================
def work_off(store: Store, read: Read, *, now: Callable[[], int] | None = None) -> int:
    """Deal with what has come until nothing is left; how many mails."""
    now, done = now or store.time, 0
    while not ending.told.is_set() and (row := claim(store, now())) is not None:
        with renewed(store, partial(_held_until, row), now):
            work(store, row, read, now)
        done += 1
    return done


def work(store: Store, row: Any, read: Read, now: Callable[[], int]) -> None:
    """Deal with one claimed mail."""
    try:
        _dealt_with(store, row, read, now)
    except Exception as error:  # our own mistake: it must neither lose the mail nor stop the others
        raise_if_away(error)  # it is claimed again when the lease has run out
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
    keys_for = reader.address if settings.check_dkim and row.via == "mail" else ""
    return read(
        Question(bytes(row.raw), letter.lines, row.sender, _ours(settings), settings.authserv_id.lower(), keys_for)
    )


def _doubt(settings: Settings, row: Any, found: Incoming, address: str) -> Doubt:
    """Why it is not known that whose letter a mail answers wrote it; "" if it is.

    What nobody can read has no author to be proved. It does nothing, and its answer goes to where the letter went.
    """
    if row.via != "mail" or (found.kind == "unreadable" and (row.sender or "").lower() == address):
        return ""

    def is_ours(recipient: str) -> bool:
        token = replies.token_of(settings, recipient)
        return token is not None and replies.hash_of(token) == row.token_hash

    return found.author.doubted(address, is_ours)


def _reported(store: Store, row: Any, read: Read, now: Callable[[], int]) -> None:
    """What has come to where a mail comes back to is read for reports alone, whoever wrote it, and never answered."""
    found = read(Question(bytes(row.raw), (), row.sender, _ours(store.settings)))
    outcome: str = "nothing"
    if found.report is not None:
        with store.write() as conn:
            outcome = returned.take(conn, found.report, row.token_hash, now())
    _finish(store, row, "report" if found.report else "ignored", outcome, now())


def _apology(store: Store, row: Any, read: Read, at: int) -> outbox.Row | None:
    """What is owed to who wrote a mail with which we cannot deal; None where they are not known, or that fails, too."""
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
    """Whose letter is answered: the ``address`` they have, and whether the letter went to another that they had."""

    address: str
    has_moved: bool = False


def _reader(conn: Connection, letter: Answered) -> _LetterReader | None:
    """Whose letter it is; None where they are gone, or shut out."""
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


# ==== what it says ================================================================================
def _answer(store: Store, row: Any, letter: Answered, found: Incoming, transcript: Transcript | None, at: int) -> None:
    """Do what a person's mail says, and owe the receipt."""
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
            addresses.unflag(conn, who.person_id, at)  # the letter that is answered has arrived


def _given(store: Store, row: Any, letter: Answered, found: Incoming) -> GivenAnswer:
    """What is to be done, of the letter that is meant."""
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
    """Who has written: a person, or somebody at an address that was invited."""

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
    """Who was invited: the person who has the address; else the address."""
    with store.read() as conn:
        invited = conn.execute(select(OUTBOX).where(OUTBOX.c.message_id == letter.message_id)).one_or_none()
        if invited is None or invited.address is None:
            return None
        person = conn.execute(select(PEOPLE).where(PEOPLE.c.email == invited.address)).one_or_none()
    if person is not None:
        return None if person.blocked_at is not None else _Who(person.id, None, person.lang)
    return _Who(None, invited.address, letter.lang or ENGLISH)


def _joining(store: Store, row: Any, given: GivenAnswer, who: _Who, at: int) -> _Who:
    """Who was invited, as a person if they want to join; and the mail is theirs."""
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
    """Of a letter about several games that one which waits for its reader; the letter itself if that is not one.

    Where the answer ``id_`` has moved, before its worker died, it is the game that it moved in; and where it was shown
    to its reader what it would do, the game in which.
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


# ==== what nobody vouches for =====================================================================
def _ask(store: Store, row: Any, letter: Answered, found: Incoming, doubt: Doubt, at: int) -> None:
    """Keep what a mail says as a draft, and owe the letter that asks whose letter it answers whether they wrote it.

    Nobody is asked again and again, since who has got hold of a letter could write no end; nor about what holds no
    order and does not even say that it is from them.
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
    """The letter that asks, as it is owed."""
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
    """The receipt as it is owed: what became of each line as data; its words are made when it goes."""
    answers = found.message_id if OWN_ID.fullmatch(found.message_id) else ""
    game_id, seat = letter.game_id, letter.seat
    if transcript.outcome in by_mail.ABOUT_NO_GAME:
        game_id, seat = "", None
    failed = transcript.outcome == "failed"  # an operator may have it read again, and then it has another receipt
    # After going back to a copy the same mail may come another time, and what was answered then is not this.
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
    """The receipt, if there is room for one more within the hour; the last of them says when the next may come.

    Two at one moment may both be the last, or one too many. Letters that ask have a limit of their own.
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


# ==== what became of it ===========================================================================
def _finish(
    store: Store,
    row: Any,
    what: str,
    detail: str,
    at: int,
    receipt: outbox.Row | None = None,
    draft: Draft | None = None,
) -> None:
    """The mail is dealt with for good, and answered; or waits as a draft."""
    log.info("mail %s: %s", row.id, what)
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
