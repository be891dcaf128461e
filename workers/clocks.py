"""The sweep of the clocks: wait for absent players, return lost time, remind, and call deadlines, in this order.

Each step works in bounded batches and checks again inside its transaction. So a sweep may run twice, run late or be cut
short, and the next one continues.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, String, bindparam, cast, exists, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from domain.clock import MoveClocks
from domain.game import Game
from domain.pace import Calendar, after, counted
from domain.refusal import Refused
from service.base.clock import MINUTE, SECOND
from service.database.store import GAMES, SUBMISSIONS, Away, Busy, NoSuchGame, Outdated, Store
from service.database.tables import Heartbeat, Outage, table_of
from service.database.work import Work
from service.games import absences, house, reminders
from service.games.absences import TO_MOVE, same_clock
from service.games.clocks import CLOCKS, WORDS, time_of
from service.games.play import ExtraWrites, Stale, SubmissionContext, SubmissionReused
from service.people import calendars
from workers import future_times

log = logging.getLogger(__name__)

HEARTBEATS, OUTAGES = table_of(Heartbeat), table_of(Outage)

NAME = "clocks"
LATE = 3 * MINUTE
"""A sweep that is later than its period by this much finds an outage."""
JUMP = 10 * SECOND
"""A difference between the clock and the monotonic time from which on the clock has jumped."""
GAMES_AT_ONCE = 100
BUDGET = 20.0
"""Seconds after which a step leaves the rest to the next sweep."""


def sweep(store: Store, at: int | None = None) -> None:
    """Look at all clocks. ``at``: now, in milliseconds; None takes the database's clock, which stamps all plies."""
    jumped = 0
    if at is None:
        at = store.now()
        jumped = _jumped(store, at, time.monotonic())
    end = time.monotonic() + BUDGET
    beat(store, at, jumped)
    absences.settle(store, at, end)  # games that the page for days off has left
    if give_back(store, at, end):
        reminders.sweep(store, at, end)
        call(store, at, end)


# ==== the outage guard ============================================================================
_looked: WeakKeyDictionary[Store, tuple[int, float]] = WeakKeyDictionary()
"""The last look of each store: the database's clock and this process's monotonic time."""


def _jumped(store: Store, at: int, passing: float) -> int:
    """Return the jump of the database clock since this process last looked, in milliseconds; negative: back."""
    then, since = _looked.get(store, (at, passing))
    _looked[store] = at, passing
    return at - then - int((passing - since) * SECOND)


def beat(store: Store, at: int, jumped: int = 0) -> None:
    """Write the heartbeat. After a long gap or a jump of the clock, note an outage.

    It also notes one before the first heartbeat of all. Of two processes at once, one notes it. ``jumped``: the jump
    that this process has seen.
    """
    with store.write() as conn:
        last = conn.execute(select(HEARTBEATS.c.at).where(HEARTBEATS.c.name == NAME)).scalar()
        if last is None:
            try:
                with conn.begin_nested():
                    conn.execute(insert(HEARTBEATS), {"name": NAME, "at": at})
            except IntegrityError:
                log.debug("another sweep was the first")
            else:
                _note(store, conn, _never_looked_since(conn, at), at, jumped)
            return
        set_back = last - at > JUMP
        ours = update(HEARTBEATS).where(HEARTBEATS.c.name == NAME, HEARTBEATS.c.at == last)
        if conn.execute(ours.values(at=at if set_back else max(at, last))).rowcount == 1:
            _note(store, conn, last, at, jumped)


def _never_looked_since(conn: Connection, at: int) -> int:
    """Return the start of the outage before the first look: the oldest table with a clock, if a clock has run out."""
    late = conn.execute(select(exists().where(GAMES.c.due_at <= at))).scalar()
    oldest = conn.execute(select(func.min(GAMES.c.created_at)).where(GAMES.c.due_at.is_not(None))).scalar()
    return int(oldest) if late and oldest is not None else at


def _note(store: Store, conn: Connection, last: int, at: int, jumped: int) -> None:
    """Note the time lost between two looks. Skip a jump longer than this time: another process has noted it."""
    lost = at - last
    if lost > LATE + store.settings.sweep_seconds * SECOND:
        conn.execute(insert(OUTAGES), {"since": last, "until": at})
        why = f"the clock has jumped by {jumped // SECOND} s" if jumped > JUMP else "nobody looked at the clocks"
        log.warning("%s; %s minutes are given back", why, lost // MINUTE)
    elif JUMP < jumped <= lost + SECOND:
        conn.execute(insert(OUTAGES), {"since": at - jumped, "until": at})
        log.warning("the clock has jumped by %s s: they are given back", jumped // SECOND)
    elif -lost > JUMP:
        conn.execute(insert(OUTAGES), {"since": last, "until": at})
        log.warning("the clock was set back by %s s: all goes on by what it says now", -lost // SECOND)


def give_back(store: Store, at: int, end: float) -> bool:
    """Return the time of outages to every clock that ran in them (ST 13). Return True when all of it is returned.

    If the clock was set back, withdraw the time that it gave while it was ahead, and clamp future timestamps.
    """
    with store.read() as conn:
        outages = conn.execute(select(OUTAGES).where(OUTAGES.c.settled_at.is_(None)).order_by(OUTAGES.c.id)).all()
    for outage in outages:
        if outage.until < outage.since:
            future_times.clamp(store, at)
        if not _each(store, outage, at, end):
            return False
        with store.write() as conn:
            conn.execute(update(OUTAGES).where(OUTAGES.c.id == outage.id).values(settled_at=at))
    return True


def _each(store: Store, outage: Any, at: int, end: float) -> bool:
    """Correct the clocks of every game of an outage. Return True when all are correct."""
    wanted = _lengthened if outage.until < outage.since else _not_yet_given
    games: Sequence[str] = ("",)
    while outage.since != outage.until and (games := wanted(store, outage, games[-1])):
        for game_id in games:
            if time.monotonic() > end:
                return False
            try:
                if not _move(store, game_id, outage, at):
                    return False
            except (Refused, NoSuchGame):  # a bug in one game must not hold up the others
                log.exception("the clocks of game %s stay as they are", game_id)
    return True


def _mark(outage: Any) -> str:
    """Return the id of the submission that returns the time of an outage. A second one changes nothing."""
    return f"outage-{outage.id}"


def _not_yet_given(store: Store, outage: Any, behind: str) -> Sequence[str]:
    """Return the next games, by id, whose clocks ran in the outage and have not got their time back."""
    given = exists().where(SUBMISSIONS.c.game_id == GAMES.c.id, SUBMISSIONS.c.submission_id == _mark(outage))
    ran = exists().where(CLOCKS.c.game_id == GAMES.c.id, CLOCKS.c.started_at < outage.until)
    running = GAMES.c.status == "running", GAMES.c.due_at.is_not(None)  # for sealed words see `_words_wait`
    return _next(store, *running, ran, ~given, GAMES.c.id > behind)


def _next(store: Store, *where: Any) -> Sequence[str]:
    with store.read() as conn:
        return conn.execute(select(GAMES.c.id).where(*where).order_by(GAMES.c.id).limit(GAMES_AT_ONCE)).scalars().all()


_RUNNING = select(CLOCKS).where(CLOCKS.c.game_id == bindparam("game")).order_by(CLOCKS.c.seat)


def _move(store: Store, game_id: str, outage: Any, at: int) -> bool:
    """Move the clocks of one game. Return True if they are correct now. Raise `Refused`, `NoSuchGame`."""
    for _ in range(3):
        try:
            with store.read() as conn:
                stored = store.load(conn, game_id)
                people = calendars.of_seats(conn, stored.seats)
                rows = conn.execute(_RUNNING, {"game": game_id}).all()
            if outage.until < outage.since:
                command = _back(stored.game, people, outage.since - outage.until, at)
            else:
                moved = tuple((row.seat, _later(stored.game, people.get(row.seat), row, outage)) for row in rows)
                command = MoveClocks(moved, "outage", outage.until - outage.since)
            also = _same_clocks(rows)
            if command is not None:
                house.move_clocks(Work(store), game_id, command, at, submission_id=_mark(outage), also=also)
        except (Stale, Busy, Outdated):
            continue  # a move came between, or the game needs a later release: load it again
        except SubmissionReused:
            log.debug("another sweep has moved the clocks of game %s", game_id)
        return True
    return False


def _later(game: Game, calendar: Calendar | None, row: Any, outage: Any) -> int:
    """Return the deadline, extended by the time counted during the outage, at least by the outage's length (ST 13)."""
    running = time_of(game)
    if running is None:
        return int(row.due_at)
    pace, calendar = running.pace, calendar or Calendar()
    lost = counted(pace, calendar, max(row.started_at, outage.since), outage.until)
    least = int(row.due_at + outage.until - outage.since)
    return max(after(pace, calendar, row.due_at, lost), least, int(outage.until) + MINUTE)


def _lengthened(store: Store, outage: Any, behind: str) -> Sequence[str]:
    """Return the next games whose clock got time and still runs, and has not been set back."""
    of_game = SUBMISSIONS.c.game_id == GAMES.c.id
    right = exists().where(of_game, SUBMISSIONS.c.submission_id == _mark(outage))
    got = SUBMISSIONS.c.submission_id == literal("outage-") + cast(OUTAGES.c.id, String)
    ran = CLOCKS.c.game_id == GAMES.c.id, CLOCKS.c.started_at < OUTAGES.c.until, OUTAGES.c.since < OUTAGES.c.until
    return _next(store, GAMES.c.status == "running", exists().where(of_game, got, *ran), ~right, GAMES.c.id > behind)


def _back(game: Game, people: Mapping[int, Calendar], most: int, at: int) -> MoveClocks | None:
    """Withdraw up to ``most`` of the time that each clock got, but leave a quarter of a turn from ``at`` on.

    Return None if no deadline would change.
    """
    running = time_of(game)
    if running is None:
        return None
    moved = []
    for seat in sorted(running.clocks):
        clock, pace = running.running[seat], running.pace
        least = after(pace, people.get(seat, Calendar()), at, pace.turn // 4)
        due = max(clock.due - min(clock.given, most), least)
        if due < clock.due:
            moved.append((seat, due))
    return MoveClocks(tuple(moved), "set_right", max(0, game.at - at)) if moved else None


def _same_clocks(rows: Sequence[Any]) -> ExtraWrites:
    looks = [same_clock(row.game_id, row.seat, row.due_at) for row in rows]

    def look(conn: Connection, here: SubmissionContext) -> None:
        for each in looks:
            each(conn, here)

    return look


# ==== deadlines ===================================================================================
def call(store: Store, at: int, end: float = float("inf")) -> int:
    """Call every clock that has run out (ST 14). Return their number."""
    called, tried = 0, set[str]()
    while time.monotonic() < end:
        waits = exists().where(TO_MOVE.c.game_id == GAMES.c.id)  # one of its clocks must be moved first
        late = select(GAMES.c.id).where(GAMES.c.due_at <= at, GAMES.c.id.not_in(tried), ~waits).order_by(GAMES.c.due_at)
        with store.read() as conn:
            games = conn.execute(late.limit(GAMES_AT_ONCE)).scalars().all()
        for game_id in games:
            tried.add(game_id)
            try:
                called += _call(store, game_id, at)
            except Away:
                raise  # the database is away for all games
            except Exception:  # a game that fails must not hold up the others
                log.exception("the clocks of game %s cannot be called", game_id)
        if len(games) < GAMES_AT_ONCE:
            break
    return called


def _call(store: Store, game_id: str, at: int) -> int:
    with store.read() as conn:
        game = store.load(conn, game_id).game
    if game.status == "open":
        return _call_words(store, game, at)
    running = time_of(game)
    late = sorted((due, seat) for seat, due in running.clocks.items() if due <= at) if running else []
    called = 0
    for _, seat in late:
        try:
            house.call_time(Work(store), game_id, seat, at)
            called += 1
        except (Refused, Busy) as error:  # the seat has just moved, or another sweep has called its clock
            log.info("seat %s of game %s is not called: %s", seat, game_id, error)
    return called


def _call_words(store: Store, game: Game, at: int) -> int:
    """Call the sealed words of a table (ST 20), unless an outage took time from it: that time is returned first."""
    try:
        if not _words_wait(store, game, at):
            house.call_words(Work(store), game.id, at)
    except (Refused, Busy) as error:
        log.info("the words of game %s are not called: %s", game.id, error)
        return 0
    return 1


def _words_wait(store: Store, game: Game, at: int) -> bool:
    """Return the time that outages took from the last turn. Return True if the deadline has moved."""
    table = game.table
    due = table.sealed.due if table is not None and table.sealed is not None else None
    if table is None or due is None:
        return False
    since = due - (table.pace or WORDS).turn
    lost = OUTAGES.c.until > OUTAGES.c.since, OUTAGES.c.until > since, OUTAGES.c.since < due
    mine = select(OUTAGES).where(*lost).order_by(OUTAGES.c.id)
    with store.read() as conn:
        outages = conn.execute(mine).all()
    for outage in outages:
        later = max(at + MINUTE, due + min(outage.until, due) - max(outage.since, since))
        try:
            house.wait_for_words(Work(store), game.id, later, f"words-{_mark(outage)}", at)
        except SubmissionReused:
            continue  # it was returned before
        return True
    return False
