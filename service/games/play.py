"""Submissions: `submit` is the only way to write plies of a game, for web, API, mail, bots and clocks alike.

A submission is written whole or not at all (but see GTJ 19.3): its plies, sealed parts, the game's row, the notices
that become due and the result stand in one transaction. The modules beside this one name the possible submissions:
`opening` and `lobby` before a game begins, `moves` and `seats` while it runs, `house` for the service itself.
"""

import hashlib
import logging
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple, TypedDict

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain.game import Game
from domain.lifecycle import ENDED, SeatRetired
from domain.messages import Command
from domain.play import NOBODYS_TIME, Decided, decide_all
from domain.refusal import Refused
from domain.sealed import SeatLost
from service.base import hints, tally, ticks
from service.database.compiled import Compiled, together
from service.database.store import GAMES, RESULTS, SEATS, SUBMISSIONS, Stored, seats_of
from service.database.work import Work
from service.games import clocks, daily, marks
from service.games.queries import Seen
from service.games.rights import Actor, SeatChanged, What, must_be_offered, must_have
from service.notices import owing
from service.notices.hearers import Step

log = logging.getLogger(__name__)


class Stale(Exception):
    """The game has gone on since the submission's position. ``version``: the one now shown to the seat."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game has gone on to version {version}")
        self.version = version


class SubmissionReused(Exception):
    """The id of an earlier submission was sent with different content."""


class Answer(msgspec.Struct, frozen=True):
    """The outcome of a submission. ``version``: the one now shown to the seat. ``plies``: the numbers of those written.

    ``refusal``: the refusal that cut the submission short. ``refused_at``: the index of the refused command (from 0);
    the commands before it stand (GTJ 19.3). ``replayed``: the same submission was answered before; nothing was changed.
    """

    version: int
    plies: list[int]
    refusal: Refused | None = None
    refused_at: int | None = None
    replayed: bool = False


class SubmissionContext(NamedTuple):
    """The circumstances in which a submission is decided: the stored game, the seat it is for, and the time.

    ``at``: the time of its plies. ``seen``: the game as its sender sees it; None if that is a bot or the service.
    """

    work: Work
    stored: Stored
    seat: int | None
    seen: Seen | None
    at: int


ExtraWrites = Callable[[Connection, SubmissionContext], None]
"""Writes more rows in the transaction of a submission. It may refuse the submission."""


class SubmitOptions(TypedDict, total=False):
    """The version and the id that a caller may send with a submission; see `Submission`."""

    expected_version: int | None
    submission_id: str | None


class Submission(msgspec.Struct, frozen=True):
    """A request to do something in a game. ``what``: the right that it needs (`rights.RIGHTS`).

    ``commands``: at least one. Or a function that makes them when they are decided, since some depend on the players of
    seats or hold a deadline. ``expected_version``: the version shown to the seat when it chose (None: the present one).
    ``submission_id``: repeated with the same content, it is answered as the first time. ``at``: the time, in
    milliseconds since 1970; None: now, by the database's clock, not that of this process. No ply is earlier than the
    one before it. ``seat``: the seat it is about, if not the sender's own. ``content``: the content asked for the seat,
    where seat and commands do not say it all; a submission without an id needs none. ``also``: further rows to write.
    ``sitter``: seat and person, if a person takes a seat over.
    """

    game_id: str
    what: What
    commands: Sequence[Command] | Callable[[SubmissionContext], Sequence[Command]]
    expected_version: int | None = None
    submission_id: str | None = None
    at: int | None = None
    seat: int | None = None
    content: Callable[[int | None], Sequence[Any]] | None = None
    also: ExtraWrites | None = None
    sitter: tuple[int, int] | None = None


# ==== one submission ==============================================================================
def submit(work: Work, actor: Actor, given: Submission) -> Answer:
    """Decide a submission of ``actor``, and write its plies and their consequences.

    Raises `Refused`, `Stale`, `SubmissionReused`, `Forbidden`, `SeatChanged`, `NoSuchGame`, `Busy`; then nothing was
    written.
    """
    began = perf_counter()
    # Nearly always the submission is new and no other writer was faster. Then nothing need be read again, and the store
    # is locked only while we write. (23 % of a move on PostgreSQL: `python -m tests.bench.gains known`)
    try:
        return _done(work, attempt(work, actor, given, work.game(given.game_id)), given, began)
    except (Refused, Stale, SeatChanged, IntegrityError):
        pass  # answered before, overtaken, or truly refused: one transaction tells which
    lost: IntegrityError | None = None
    lost_at = -1
    while True:
        try:
            with work.locked(given.game_id, given.submission_id) as stored:
                if lost is not None and lost_at == stored.game.version and stored.answered is None:
                    raise lost  # no other writer was faster: the error is ours
                written = attempt(work, actor, given, stored)
            return _done(work, written, given, began)
        except IntegrityError as conflict:  # another writer had the same ply first: decide again after it
            if conflict is lost:
                raise
            lost, lost_at = conflict, stored.game.version


def attempt(work: Work, actor: Actor, given: Submission, stored: Stored) -> "Written":
    """Decide a submission for the stored game, and write it, unless it was answered before."""
    game = stored.game
    cause, seat, seen = must_have(work, actor, stored, given.what, given.seat)
    if stored.answered is not None:
        return Written(_replayed(stored.answered, _content(given, seat)))
    shown = game.version_for(seat)
    if given.expected_version is not None and given.expected_version != shown:
        raise Stale(shown)
    here = SubmissionContext(work, stored, seat, seen, time_of_plies(stored, given.at))
    commands = given.commands(here) if callable(given.commands) else given.commands
    must_be_offered(actor, commands)
    if not commands:
        raise ValueError("a submission has at least one command")
    counted = _counted(here)
    if counted is not None and given.what not in daily.WAYS_OUT and game.version + len(commands) > daily.MOST:
        daily.must_have_room(work, game.id, counted, len(commands), here.at)

    def past(version: int) -> Game:
        with work.reading() as conn:
            return work.store.position(conn, game.id, version)

    time = NOBODYS_TIME
    if game.table is not None and game.table.time is not None:
        with work.reading() as conn:
            time = clocks.timekeeper(conn, stored, given.sitter)
    decided = decide_all(game, seat, commands, here.at, cause, stored.secret, past, time)
    with work.writing(append_only=_is_plain(stored, decided, given)) as writing:
        return _write(writing, here, decided, given)


def _counted(here: SubmissionContext) -> int | None:
    """The number of the person whose moves are counted; None for bots and the service."""
    return here.seen.viewer if here.seen is not None and here.work.store.settings.rate_limits else None


def time_of_plies(stored: Stored, at: int | None) -> int:
    """The time of plies written now. Never before that of the last ply, even if a machine's clock was put back."""
    return max(stored.now() if at is None else at, stored.game.at)


def _is_plain(stored: Stored, decided: Decided, given: Submission) -> bool:
    """Does the game merely go on? Nobody sits down, leaves or gets a stand-in, and the game does not end."""
    return (
        given.also is None
        and decided.game.status == stored.game.status
        and not any(
            isinstance(event, (*clocks.WHO_PLAYS_CHANGES, SeatLost)) for ply in decided.plies for event in ply.events
        )
    )


# ==== writing =====================================================================================
class Written(NamedTuple):
    """The answer and, where something was written, the decision, the new head, and the work that is now due.

    ``before``: the game as it was; ``seats``: its rows after the decision.
    """

    answer: Answer
    decided: Decided | None = None
    head: bytes = b""
    due: tuple[str, ...] = ()
    before: Stored | None = None
    seats: Sequence[Any] = ()


def _write(conn: Connection, here: SubmissionContext, decided: Decided, given: Submission) -> Written:
    """Write all rows of a submission."""
    store, stored, at = here.work.store, here.stored, here.at
    before, after = stored.game, decided.game
    answer = Answer(
        after.version_for(here.seat), [ply.number for ply in decided.plies], decided.refusal, decided.refused_at
    )
    if given.also is not None:
        given.also(conn, here)  # such a submission uses SQLAlchemy Core without the prepared shortcut
    left = _write_leavers(conn, decided, at)
    lost = _write_lost(conn, stored, decided)
    others_play = clocks.keep(conn, before, after, decided.plies, at)
    seats = seats_of(conn, after.id) if given.also is not None or left or lost or others_play else stored.seats
    if after.status == "over" and before.status != "over":
        _write_result(conn, after)
    with together(conn):
        head = store.append(conn, before, stored.head, stored.secret, decided.plies, given.submission_id)
        bot_at = update_row(conn, decided, head, seats, stored.row.moved_at, at)
        if (counted := _counted(here)) is not None:
            daily.count(conn, after.id, counted, len(decided.plies), at)
        if given.submission_id is not None:
            remember(conn, after.id, given.submission_id, _content(given, here.seat), answer, at)
        now = stored.now() if given.at is None else given.at  # a log with future times holds up no mail
        step = Step(before, after, decided.plies, stored.row.host_id, stored.seats, seats, lost, now)
        owed = owing.queue(conn, store.settings, step)
    news = bool(owed) or before.asked != after.asked or before.status != after.status
    bots_now = bot_at is not None and bot_at <= at
    return Written(answer, decided, head, ("outbox",) * news + ("bots",) * bots_now, stored, seats)


def _done(work: Work, written: Written, given: Submission, began: float) -> Answer:
    """Hand out the work after the commit. If a hint gets lost, the sweep finds the work.

    ``began``: the time of the monotonic clock at which the submission came, in seconds.
    """
    decided, before = written.decided, written.before
    if decided is None or before is None:
        return written.answer
    game_id, last = decided.game.id, decided.plies[-1]
    work.store.folds.keep(decided.game, written.head)
    work.forget(game_id)
    log.info(
        "played",
        extra={
            "game": game_id,
            "ply": last.number,
            "plies": len(decided.plies),
            "seat": last.seat,
            "cause": last.cause,
        },
    )
    for kind in written.due:
        hints.wake(kind, game_id)
    if (tick := marks.tick(before, decided.game, written.seats, last.at)) is not None:
        ticks.send(work.store.settings, tick)
    if given.what == "move":
        tally.took(tally.MOVES, perf_counter() - began)
    return written.answer


_INSERT_RESULT, _INSERT_SUBMISSION = Compiled(insert(RESULTS)), Compiled(insert(SUBMISSIONS))
_NOTE_LEFT = Compiled(
    update(SEATS)
    .where(SEATS.c.game_id == bindparam("game"), SEATS.c.seat == bindparam("at_seat"))
    .values(left_at=bindparam("at"))
)
_FREE = Compiled(delete(SEATS).where(SEATS.c.game_id == bindparam("game"), SEATS.c.seat == bindparam("at_seat")))
_UPDATE_ROW = Compiled(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"))
    .values(
        {
            name: bindparam(f"new_{name}")
            for name in ("version", "head", "status", "asked", "bot_at", "due_at", "paused", "moved_at", "ended_at")
        }
    )
)


def update_row(
    conn: Connection, decided: Decided, head: bytes, seats: Sequence[Any], moved_at: int, at: int
) -> int | None:
    """Update the game's row to the version after. Return the time for a bot to move there; None if no bot is asked."""
    game = decided.game
    bot_at = min(clocks.bots_asked(game, seats).values(), default=None)
    _UPDATE_ROW.run(
        conn,
        game=game.id,
        new_version=game.version,
        new_head=head,
        new_status=game.status,
        new_asked=list(game.asked),
        new_bot_at=bot_at,
        new_due_at=clocks.due(game),
        new_paused=clocks.is_paused(game),
        new_moved_at=moved_at if all(ply.hidden for ply in decided.plies) else at,
        new_ended_at=at if game.status in ENDED else None,
    )
    return bot_at


def _write_leavers(conn: Connection, decided: Decided, at: int) -> bool:
    """Note the players who have left. Return False if nobody has."""
    left = [event.seat for ply in decided.plies for event in ply.events if isinstance(event, SeatRetired)]
    for seat in left:
        _NOTE_LEFT.run(conn, game=decided.game.id, at_seat=seat, at=at)
    return bool(left)


def _write_lost(conn: Connection, stored: Stored, decided: Decided) -> list[int]:
    """Free the seats that were lost before the start (ST 20). Return the people who sat there."""
    lost = {event.seat for ply in decided.plies for event in ply.events if isinstance(event, SeatLost)}
    for seat in sorted(lost):
        _FREE.run(conn, game=decided.game.id, at_seat=seat)
    return [it.person_id for it in stored.seats if it.seat in lost and it.person_id is not None]


def _write_result(conn: Connection, game: Game) -> None:
    assert game.result is not None
    for line in game.result.standings:
        _INSERT_RESULT.run(conn, game_id=game.id, seat=line.seat, place=line.place, total=line.total)


def remember(conn: Connection, game_id: str, submission_id: str, content: str, answer: Answer, at: int) -> None:
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
    """Give the first answer to a submission again. Raises `SubmissionReused` if its content differs."""
    known, plain = answered
    if known != content:
        raise SubmissionReused
    refusal = plain["refusal"] and _refused_again(**plain["refusal"])
    return Answer(plain["version"], plain["plies"], refusal, plain["refused_at"], replayed=True)


def answered(conn: Connection, game_id: str, submission_id: str) -> Answer | None:
    """The answer to an earlier submission with this id, whatever its content; None if there was none."""
    mine = SUBMISSIONS.c.game_id == game_id, SUBMISSIONS.c.submission_id == submission_id
    found = conn.execute(select(SUBMISSIONS.c.content_hash, SUBMISSIONS.c.answer).where(*mine)).one_or_none()
    return found and _replayed((found.content_hash, found.answer), found.content_hash)


def _refused_again(rule: str, template: str, facts: dict[str, Any]) -> Refused:
    return Refused(rule, template, **facts)


def _content(given: Submission, seat: int | None) -> str:
    """The hash of a submission's content."""
    return hash_of([seat, given.commands] if given.content is None else given.content(seat))


def hash_of(content: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()
