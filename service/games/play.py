"""The one road into a game: `submit`. Web, API, mail, bots and the clock all come along here; nobody else writes plies.

What a submission decides is kept whole, or not at all (but see GTJ 19.3): plies, sealed parts, the game's row, the
notices it makes due and the result stand in one transaction.
"""

import hashlib
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, NamedTuple, cast

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain import luck
from domain import play as domain_play
from domain.chain import first_link, secret_commitment
from domain.clock import SetPace
from domain.game import Game, fold
from domain.lifecycle import ENDED, GiveUpSeat, OpenTable2, ProposeRewind, SeatRetired, TakeSeat, TakeSeat2
from domain.messages import Command, Event
from domain.pace import Pace
from domain.play import NOBODYS_TIME, Decided, decide_all
from domain.refusal import Refused
from domain.sealed import SealWords, SeatLost
from domain.title import Title
from service.base import hints, links
from service.database.statements import Look, Quick, together
from service.database.store import (
    GAMES,
    PERSONS,
    RESULTS,
    SEATS,
    SECRETS,
    SUBMISSIONS,
    NoSuchGame,
    Store,
    Stored,
    seats_of,
)
from service.games import clocks
from service.notices import owing
from service.notices.hearers import Step

log = logging.getLogger(__name__)

Cause = Literal["player", "bot", "clock", "service"]
Holder = int | str
"""Who sits at a seat: a person's number, or a bot's name."""
Also = Callable[[Connection, int], None]
"""What belongs in the transaction of a submission beside its plies; it is told their time."""


class Stale(Exception):
    """The game has gone on since the position the submission was made for. ``version``: now shown to the seat."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game has gone on to version {version}")
        self.version = version


class SubmissionReused(Exception):
    """The id of an earlier submission came with another content."""


class SeatChanged(Exception):
    """Somebody else sits there, or nobody, than who the submission is from or about."""


class SecretGone(Exception):
    """The secret whose hash the host was shown has been used, or is another one by now."""


class Answer(msgspec.Struct, frozen=True):
    """What became of a submission. ``version``: now shown to the seat. ``plies``: the numbers of those that stand.

    ``refusal``: what cut the submission short, and ``refused_at`` the place of the refused command (from 0); what
    stands before it stays (GTJ 19.3). ``replayed``: the same submission was answered before; nothing was changed.
    """

    version: int
    plies: list[int]
    refusal: Refused | None = None
    refused_at: int | None = None
    replayed: bool = False


class Opened(msgspec.Struct, frozen=True):
    """A table that was opened. ``invite_token``: whoever has it may see and join the game (`links.invitation`).

    ``commitment``: to its secret.
    """

    game_id: str
    invite_token: str
    commitment: str


# ==== playing =====================================================================================
def submit(
    store: Store,
    game_id: str,
    seat: int | None,
    commands: Sequence[Command],
    expected_version: int | None,
    submission_id: str | None,
    at: int | None = None,
    cause: Cause = "player",
    *,
    also: Also | None = None,
    sitter: tuple[int, int] | None = None,
    known: Stored | None = None,
    holder: Holder | None = None,
) -> Answer:
    """Decide ``commands`` of ``seat`` (None: the table itself) and write what they cause.

    ``expected_version``: the version shown to the seat when it chose (None: whatever it is now). ``submission_id``:
    the same one with the same content is answered as the first time. ``at``: when, in milliseconds since 1970; None:
    now, by the database's clock, whatever that of this process says. No ply is earlier than the one before it.
    ``also``: what else belongs in the transaction (it may refuse). ``sitter``: seat and person of who sits down.
    ``known``: the game, if the caller has just loaded it; when nobody was faster it is not loaded again.
    ``holder``: who is to hold ``seat``.

    Raises `Refused`, `Stale`, `SubmissionReused`, `SeatChanged`, `NoSuchGame`, `Busy`; then nothing was written.
    """
    given = Submission(seat, _always(commands), expected_version, submission_id, _hash([seat, commands]), at, cause,
                       also=also, sitter=sitter, holder=holder)  # fmt: skip
    return _submit(store, game_id, given, known)


def preview(
    store: Store, game_id: str, seat: int, commands: Sequence[Command]
) -> tuple[Game, list[Sequence[Event]], bool]:
    """What ``commands`` would do, without doing it: see `domain.play.preview`. Raises `Refused`, `NoSuchGame`."""
    with store.read() as conn:
        stored = store.load(conn, game_id)
    return domain_play.preview(stored.game, seat, commands, _when(stored, None))


# ==== the table ===================================================================================
def open_game(
    store: Store,
    *,
    title: str,
    options: Mapping[str, Any],
    seats: int,
    name: str,
    host_id: int | None,
    public: bool,
    settle_ms: int,
    at: int | None = None,
    pace: Pace | None = None,
    game_id: str | None = None,
    submission_id: str | None = None,
    commitment: str | None = None,
    sealed: bool = False,
) -> Opened:
    """Open a table (ST 1), with a pace or without clocks (ST 11). Raises `Refused`, `SubmissionReused`, `SecretGone`.

    With a ``submission_id`` the game's id follows from it and the host, so the same submission finds the same game.
    ``at``: as in `submit`.
    ``commitment``: what `next_table` told the host, where words are brought together with the wish to open the table.
    ``sealed``: its words are sealed (ST 20).
    """
    box = _title(store, title)
    raw = msgspec.Raw(_options(box, options))
    content = _hash([title, raw, seats, name, host_id, public, settle_ms, *([pace] if pace else []),
                     *(["sealed"] if sealed else [])])  # fmt: skip
    game_id = game_id or new_id("open", host_id, submission_id)
    if submission_id is not None and (before := _opened_before(store, game_id, submission_id, content)):
        return before
    secret = secrets.token_bytes(32) if commitment is None else _secret_behind(store, host_id, commitment)
    at = store.now() if at is None else at
    empty = fold(game_id, box, ())
    commands: list[Command] = [OpenTable2(title, seats, raw, secret_commitment(secret), settle_ms, sealed)]
    if pace is not None:
        commands.append(SetPace(pace))
    decided = decide_all(empty, None, commands, at, "player", secret)
    if decided.refusal is not None:  # nothing is written yet: no table is opened with another pace than was wished
        raise decided.refusal
    try:
        with store.write() as conn:
            row = {
                "id": game_id, "title": title, "name": name, "seats": seats, "host_id": host_id, "public": public,
                "invite_hash": None, "invites": 0, "version": 0, "head": b"", "status": "open", "asked": [],
                "bot_at": None, "due_at": None, "paused": False, "created_at": at, "moved_at": at, "ended_at": None,
            }  # fmt: skip
            conn.execute(insert(GAMES), row)
            conn.execute(insert(SECRETS), {"game_id": game_id, "secret": secret})
            if commitment is not None and conn.execute(_USED, {"who": host_id, "its": secret}).rowcount != 1:
                raise SecretGone
            head = store.append(conn, empty, first_link(game_id), secret, decided.plies, submission_id)
            _update_row(conn, decided, head, (), at, at)
            if submission_id is not None:
                _remember(conn, game_id, submission_id, content, Answer(1, [ply.number for ply in decided.plies]), at)
    except IntegrityError:
        if submission_id is not None and (before := _opened_before(store, game_id, submission_id, content)):
            return before
        raise
    store.folds.keep(decided.game, head)
    log.info("opened", extra={"game": game_id, "ply": 1, "title": title})
    return _opened(store, game_id, 0, secret)


def next_table(store: Store, person_id: int) -> str:
    """The hash of the secret of the next table that a person opens.

    A person who opens a table and brings words for a seat of it in one go is shown the hash before: no secret can be
    looked for that suits the words.
    """
    if (secret := _next_secret(store, person_id)) is None:
        with store.write() as conn:  # of two forms opened at once, the first draws it for both
            conn.execute(_DRAWN, {"who": person_id, "its": secrets.token_bytes(32)})
        secret = _next_secret(store, person_id)
        assert secret is not None
    return secret_commitment(secret)


def _next_secret(store: Store, person_id: int | None) -> bytes | None:
    with store.read() as conn:
        return conn.execute(select(PERSONS.c.next_secret).where(PERSONS.c.id == person_id)).scalar()


def _secret_behind(store: Store, person_id: int | None, commitment: str) -> bytes:
    secret = _next_secret(store, person_id)
    if secret is None or secret_commitment(secret) != commitment:
        raise SecretGone
    return secret


_DRAWN = (
    update(PERSONS)
    .where(PERSONS.c.id == bindparam("who"), PERSONS.c.next_secret.is_(None))
    .values(next_secret=bindparam("its"))
)
_USED = (
    update(PERSONS)
    .where(PERSONS.c.id == bindparam("who"), PERSONS.c.next_secret == bindparam("its"))
    .values(next_secret=None)
)


def take_seat(
    store: Store,
    game_id: str,
    seat: int,
    *,
    choice: Mapping[str, Any],
    at: int | None = None,
    person_id: int | None = None,
    bot: str | None = None,
    words: str = "",
    salt: str = "",
    seal: str = "",
    invitation: int | None = None,
    expected_version: int | None = None,
    submission_id: str | None = None,
) -> Answer:
    """Sit a person or a bot (by its name) down at ``seat`` (ST 2), in one transaction with the row that says who it is.

    ``invitation``: the number of the one by which alone they may; when it was renewed meanwhile nobody sits down, and
    `NoSuchGame` is raised.

    ``words``: any text of the player's own, which enters every draw of the game, and the ``salt`` in front of it (64
    hexadecimal digits, or none): both from the player, for if we added any of it we could choose it (`domain.luck`).
    Blanks around the words do not count. ``seal``: in place of both, where words are sealed: the hash of 64 hexadecimal
    digits that stay with the player. Raises what `submit` raises.
    """
    with store.read() as conn:
        stored = store.load(conn, game_id)
        at = _when(stored, at)
        due = clocks.words_due(conn, stored, at, person_id)
    game = stored.game
    box, words = game.title, words.strip()
    if bot is not None and bot not in box.bots:
        raise Refused("ST 2", "There is no such bot.")
    raw = msgspec.Raw(_choice(box, choice))
    kept = {"salt": salt, "words": words} if words and bot is None else {}
    command: Command = TakeSeat2(seat, raw, luck.brought(**kept) if kept else None, bot is not None)
    if game.table is not None and game.table.sealed:
        command, kept = TakeSeat2(seat, raw, (seal or None) if bot is None else None, bot is not None, due), {}
    if game.table is not None and game.table.older:
        command, kept = TakeSeat(seat, raw, hashlib.sha256(secrets.token_bytes(32) + words.encode()).hexdigest()), {}

    def sit_down(conn: Connection, at: int) -> None:
        if person_id is not None:
            demand_invitation(conn, game_id, invitation)
            demand_no_seat(conn, game_id, person_id)
        row = {"game_id": game_id, "seat": seat, "person_id": person_id, "bot": bot, "joined_at": at, "left_at": None}
        conn.execute(insert(SEATS), row | kept)

    brought = [each for each in (salt, seal) if each]
    content = _hash(["take seat", seat, raw, person_id, bot, words, *brought])
    given = Submission(seat, _always([command]), expected_version, submission_id, content, at, also=sit_down)
    return _submit(store, game_id, given)


def seal_words(
    store: Store, game_id: str, seat: int, seal: str, *, at: int | None = None, holder: Holder | None = None,
    submission_id: str | None = None,
) -> Answer:  # fmt: skip
    """Commit ``seat`` anew, after an attempt that came to nothing (ST 20). Raises what `submit` raises."""
    def anew(stored: Stored, at: int) -> list[Command]:
        with store.read() as conn:
            return [SealWords(seal, clocks.words_due(conn, stored, at))]

    content = _hash(["seal words", seat, seal])
    return _submit(store, game_id, Submission(seat, anew, None, submission_id, content, at, holder=holder))


def demand_no_seat(conn: Connection, game_id: str, person_id: int) -> None:
    """ST 2 A person has one seat at a table."""
    sitting = select(SEATS.c.seat).where(SEATS.c.game_id == game_id, SEATS.c.person_id == person_id)
    if conn.execute(sitting).first():
        raise Refused("ST 2", "You have a seat at this table already.")


def demand_invitation(conn: Connection, game_id: str, number: int | None) -> None:
    """That this invitation (None: none is needed) still is the game's. Raises `NoSuchGame`, as for any stranger."""
    wanted = select(GAMES.c.invites).where(GAMES.c.id == game_id).with_for_update()  # renewing waits, or was first
    if number is not None and conn.execute(wanted).scalar() != number:
        raise NoSuchGame(game_id)


def give_up_seat(
    store: Store,
    game_id: str,
    seat: int,
    *,
    at: int | None = None,
    also: Also | None = None,
    holder: Holder | None = None,
    expected_version: int | None = None,
    submission_id: str | None = None,
) -> Answer:
    """Free ``seat`` before the game starts (ST 3), and forget who sat there. Raises what `submit` raises.

    ``holder``: who is to be gone; somebody else, who has sat down meanwhile, stays. ``also``: as in `submit`.
    """

    def stand_up(conn: Connection, at: int) -> None:
        if also is not None:
            also(conn, at)
        conn.execute(delete(SEATS).where(SEATS.c.game_id == game_id, SEATS.c.seat == seat))

    content = _hash([seat, [GiveUpSeat()]])
    given = Submission(seat, _always([GiveUpSeat()]), expected_version, submission_id, content, at, also=stand_up,
                       holder=holder)  # fmt: skip
    return _submit(store, game_id, given)


def give_time_back(store: Store, game_id: str, lost: int, *, also: Also | None = None, at: int | None = None) -> Answer:
    """Give every running clock of a game ``lost`` milliseconds more (ST 13), or sealed words that are waited for.

    Raises what `submit` raises.
    """
    def later(stored: Stored, at: int) -> list[Command]:
        with store.read() as conn:
            return [clocks.later(conn, stored, lost, at)]

    content = _hash(["give time back", lost])
    return _submit(store, game_id, Submission(None, later, None, None, content, at, "service", also=also))


REWIND_LIFE = 3 * 24 * 60 * 60 * 1000
"""How long the others may think about a rewind, in milliseconds."""


def propose_rewind(
    store: Store,
    game_id: str,
    seat: int,
    to: int,
    *,
    at: int | None = None,
    holder: Holder | None = None,
    expected_version: int | None = None,
    submission_id: str | None = None,
) -> Answer:
    """Propose to go back to the position after ply ``to`` (ST 9). All other people at the table are asked.

    With bots alone the game goes back at once. Raises what `submit` raises.
    """
    def propose(stored: Stored, at: int) -> list[Command]:
        return [ProposeRewind(to, people_to_ask(stored, seat), at + REWIND_LIFE)]

    content = _hash(["propose rewind", seat, to])
    given = Submission(seat, propose, expected_version, submission_id, content, at, holder=holder)
    return _submit(store, game_id, given)


def people_to_ask(stored: Stored, seat: int) -> tuple[int, ...]:
    """The other seats that people play, who must all agree to a rewind that ``seat`` proposes."""
    there = [it for it in stored.seats if it.bot is None and it.vacant_since is None]  # nobody away is asked
    held = {it.seat for it in there if it.person_id is not None}
    playing = stored.game.table.playing if stored.game.table else ()
    return tuple(sorted(held & {*playing} - {seat}))


def renew_invitation(store: Store, game_id: str) -> int:
    """End the invitation to a game, with all that came by it but the seats that were taken; the new one's number."""
    renewed = (
        update(GAMES).where(GAMES.c.id == game_id)
        .values(invites=GAMES.c.invites + 1, invite_hash=None).returning(GAMES.c.invites)
    )  # fmt: skip
    with store.write() as conn:
        return int(conn.execute(renewed).scalar_one())


# ==== one submission ==============================================================================
class Submission(msgspec.Struct, frozen=True):
    """What is submitted to a game. ``seat`` to ``at``, ``cause``, ``also`` to ``holder``: as in `submit`.

    ``commands``: made from the game as it lies in the store and the time, since some depend on who sits there or say
    until when something can be done. ``content``: the hash of who asked for what.
    """

    seat: int | None
    commands: Callable[[Stored, int], Sequence[Command]]
    expected_version: int | None
    id: str | None
    content: str
    at: int | None = None
    cause: Cause = "player"
    also: Also | None = None
    sitter: tuple[int, int] | None = None
    holder: Holder | None = None


def _always(commands: Sequence[Command]) -> Callable[[Stored, int], Sequence[Command]]:
    if not commands:
        raise ValueError("a submission has at least one command")
    return lambda stored, at: commands


def _when(stored: Stored, at: int | None) -> int:
    """The time of plies that follow now: never before that of the last, as when a machine's clock was put back."""
    return max(stored.now() if at is None else at, stored.game.at)


def _submit(store: Store, game_id: str, given: Submission, known: Stored | None = None) -> Answer:
    if known is not None:
        # Nearly always nobody was faster, and the submission is new: then nothing need be read again, and the store
        # is locked for no longer than it takes to write.
        try:
            at = _when(known, given.at)
            decided = _decide(known, given, at, store, store.read)
            with store.append_only() if _is_plain(known, decided, given) else store.write() as conn:
                written = _write(conn, store, known, decided, given, at)
            return _done(store, decided, written)
        except (Refused, Stale, SeatChanged, IntegrityError):
            pass  # it was answered before, or somebody was faster, or so it is: that shows in one transaction
    lost: IntegrityError | None = None
    lost_at = -1
    while True:
        try:
            with store.write() as conn:
                stored = store.load(conn, game_id, given.id)
                if stored.answered is not None:
                    return _replayed(stored.answered, given.content)
                if lost is not None and lost_at == stored.game.version:
                    raise lost  # nobody was faster: the mistake is ours
                at = _when(stored, given.at)
                decided = _decide(stored, given, at, store, lambda: nullcontext(conn))
                written = _write(conn, store, stored, decided, given, at)
            return _done(store, decided, written)
        except IntegrityError as conflict:  # another writer had the same ply first: decide again on what it made
            if conflict is lost:
                raise
            lost, lost_at = conflict, stored.game.version


def _decide(
    stored: Stored, given: Submission, at: int, store: Store, read: Callable[[], AbstractContextManager[Connection]]
) -> Decided:
    """What comes of a submission to the game as it is stored. ``read``: a connection for what lies further back."""
    game = stored.game
    if given.holder is not None and given.holder not in _holders(stored, given.seat):
        raise SeatChanged
    shown = game.version_for(given.seat)
    if given.expected_version is not None and given.expected_version != shown:
        raise Stale(shown)

    def past(version: int) -> Game:
        with read() as conn:
            return store.position(conn, game.id, version)

    time = NOBODYS_TIME
    if game.table is not None and game.table.time is not None:
        with read() as conn:
            time = clocks.timekeeper(conn, stored, given.sitter)
    return decide_all(game, given.seat, given.commands(stored, at), at, given.cause, stored.secret, past, time)


def _holders(stored: Stored, seat: int | None) -> tuple[Holder | None, ...]:
    return next(((it.person_id, it.bot) for it in stored.seats if it.seat == seat), ())


def _is_plain(stored: Stored, decided: Decided, given: Submission) -> bool:
    """Whether it only makes the game go on: nobody sits down, leaves or is played for, and it does not end."""
    return given.also is None and decided.game.status == stored.game.status and not any(
        isinstance(event, (*clocks.WHO_PLAYS_CHANGES, SeatLost)) for ply in decided.plies for event in ply.events
    )


class _Written(NamedTuple):
    """The answer, the new head, and the kinds of work that are now due."""

    answer: Answer
    head: bytes
    due: list[str]


def _write(
    conn: Connection | Look, store: Store, stored: Stored, decided: Decided, given: Submission, at: int
) -> _Written:
    """All rows of a submission."""
    before, after = stored.game, decided.game
    answer = Answer(
        after.version_for(given.seat), [ply.number for ply in decided.plies], decided.refusal, decided.refused_at
    )
    if given.also is not None:
        given.also(cast(Connection, conn), at)  # such a submission is written with all that Core can do
    left = _write_leavers(conn, decided, at)
    lost = _write_lost(conn, stored, decided)
    others_play = clocks.keep(conn, before, after, decided.plies, at)
    seats = seats_of(conn, after.id) if given.also is not None or left or lost or others_play else stored.seats
    if after.status == "over" and before.status != "over":
        _write_result(conn, after)
    with together(conn):
        head = store.append(conn, before, stored.head, stored.secret, decided.plies, given.id)
        bot_at = _update_row(conn, decided, head, seats, stored.row.moved_at, at)
        if given.id is not None:
            _remember(conn, after.id, given.id, given.content, answer, at)
        now = stored.now() if given.at is None else given.at  # a log of a time to come holds up no mail
        step = Step(before, after, decided.plies, stored.row.host_id, stored.seats, seats, lost, now)
        owed = owing.queue(conn, store.settings, step)
    news = bool(owed) or before.asked != after.asked or before.status != after.status
    bots_now = bot_at is not None and bot_at <= at
    return _Written(answer, head, ["outbox"] * news + ["bots"] * bots_now)


def _done(store: Store, decided: Decided, written: _Written) -> Answer:
    """What is done after the commit; a hint that is lost is found by the sweep."""
    store.folds.keep(decided.game, written.head)
    last = decided.plies[-1]
    log.info("played", extra={
        "game": decided.game.id, "ply": last.number, "plies": len(decided.plies), "seat": last.seat,
        "cause": last.cause,
    })  # fmt: skip
    for kind in written.due:
        hints.wake(kind, decided.game.id)
    return written.answer


_INSERT_RESULT, _INSERT_SUBMISSION = Quick(insert(RESULTS)), Quick(insert(SUBMISSIONS))
_NOTE_LEFT = Quick(
    update(SEATS)
    .where(SEATS.c.game_id == bindparam("game"), SEATS.c.seat == bindparam("at_seat"))
    .values(left_at=bindparam("at"))
)
_FREE = Quick(delete(SEATS).where(SEATS.c.game_id == bindparam("game"), SEATS.c.seat == bindparam("at_seat")))
_UPDATE_ROW = Quick(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"))
    .values({
        name: bindparam(f"new_{name}")
        for name in ("version", "head", "status", "asked", "bot_at", "due_at", "paused", "moved_at", "ended_at")
    })
)  # fmt: skip


def _update_row(
    conn: Connection | Look, decided: Decided, head: bytes, seats: Sequence[Any], moved_at: int, at: int
) -> int | None:
    """Bring the game's row to the version after; from when a bot may move there, None where none is asked."""
    game = decided.game
    bot_at = min(clocks.bots_asked(game, seats).values(), default=None)
    _UPDATE_ROW.run(
        conn, game=game.id, new_version=game.version, new_head=head, new_status=game.status,
        new_asked=list(game.asked), new_bot_at=bot_at, new_due_at=clocks.due(game), new_paused=clocks.is_paused(game),
        new_moved_at=moved_at if all(ply.hidden for ply in decided.plies) else at,
        new_ended_at=at if game.status in ENDED else None,
    )  # fmt: skip
    return bot_at


def _write_leavers(conn: Connection | Look, decided: Decided, at: int) -> bool:
    """Note who has left; whether anybody has."""
    left = [event.seat for ply in decided.plies for event in ply.events if isinstance(event, SeatRetired)]
    for seat in left:
        _NOTE_LEFT.run(conn, game=decided.game.id, at_seat=seat, at=at)
    return bool(left)


def _write_lost(conn: Connection | Look, stored: Stored, decided: Decided) -> list[int]:
    """Free the seats that were lost before the start (ST 20); the people who sat there."""
    lost = {event.seat for ply in decided.plies for event in ply.events if isinstance(event, SeatLost)}
    for seat in sorted(lost):
        _FREE.run(conn, game=decided.game.id, at_seat=seat)
    return [it.person_id for it in stored.seats if it.seat in lost and it.person_id is not None]


def _write_result(conn: Connection | Look, game: Game) -> None:
    assert game.result is not None
    for line in game.result.standings:
        _INSERT_RESULT.run(conn, game_id=game.id, seat=line.seat, place=line.place, total=line.total)


def _remember(
    conn: Connection | Look, game_id: str, submission_id: str, content: str, answer: Answer, at: int
) -> None:
    said = answer.refusal
    plain = {
        "version": answer.version,
        "plies": answer.plies,
        "refused_at": answer.refused_at,
        "refusal": said and {"rule": said.rule, "template": said.sentence.template, "facts": said.sentence.facts},
    }
    _INSERT_SUBMISSION.run(
        conn, game_id=game_id, submission_id=submission_id, content_hash=content, answer=plain, created_at=at
    )


def _replayed(answered: tuple[str, dict[str, Any]], content: str) -> Answer:
    """The first answer to a submission, given again."""
    known, plain = answered
    if known != content:
        raise SubmissionReused
    refusal = plain["refusal"] and _refused_again(**plain["refusal"])
    return Answer(plain["version"], plain["plies"], refusal, plain["refused_at"], replayed=True)


def _refused_again(rule: str, template: str, facts: dict[str, Any]) -> Refused:
    return Refused(rule, template, **facts)


# ==== opening =====================================================================================
def _title(store: Store, title: str) -> Title:
    if title not in store.titles:
        raise Refused("ST 1", "There is no title {title} here.", title=title)
    return store.titles[title]


def _options(box: Title, options: Mapping[str, Any]) -> bytes:
    return _chosen(box.options, options, "ST 1")


def _choice(box: Title, choice: Mapping[str, Any]) -> bytes:
    return _chosen(box.choice, choice, "ST 2")


def _chosen(kind: type[msgspec.Struct], given: Mapping[str, Any], rule: str) -> bytes:
    """What was chosen as JSON with all fields, in their order, as it goes into the log."""
    for name in given:
        if name not in kind.__struct_fields__:
            raise Refused(rule, "There is no option {option}.", option=str(name)[:40])
    for name, value in given.items():
        try:
            msgspec.convert({name: value}, kind)
        except msgspec.ValidationError:
            raise Refused(rule, "{value} cannot be chosen for {option}.", value=str(value)[:40], option=name) from None
    return msgspec.json.encode(msgspec.structs.replace(msgspec.convert(given, kind)))


def _opened_before(store: Store, game_id: str, submission_id: str, content: str) -> Opened | None:
    with store.read() as conn:
        try:
            stored = store.load(conn, game_id, submission_id)
        except NoSuchGame:
            return None
    if stored.answered is None or stored.answered[0] != content:
        raise SubmissionReused
    return _opened(store, game_id, stored.row.invites, stored.secret)


def _opened(store: Store, game_id: str, number: int, secret: bytes) -> Opened:
    return Opened(game_id, links.invitation(store.settings, game_id, number), secret_commitment(secret))


_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Digits and letters that are not mistaken for one another: five bits each."""


def new_id(what: str, who: int | None, submission_id: str | None) -> str:
    """Sixteen letters: by chance or, when the submission may come twice, by who submitted what."""
    bits = secrets.randbits(80) if submission_id is None else int(_hash([what, who, submission_id])[:20], 16)
    return "".join(_LETTERS[bits >> shift & 31] for shift in range(75, -1, -5))


def _hash(content: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()
