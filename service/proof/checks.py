"""The nightly check of every game, in steps that any worker may take and that may break off.

A run is a row with a cursor. A step claims it by an UPDATE that must change one row, proves games for some seconds, and
stores the cursor; the next step continues there. Findings are kept in `check_difference`.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from domain.words import Sentence
from service.base.clock import DAY, HOUR, MINUTE, now
from service.base.release import release_of_program
from service.database.store import GAMES, SEATS, Store, raise_if_away
from service.database.tables import CheckDifference, CheckRun, table_of
from service.proof.audit import Report, verify_game
from service.proof.verdicts import Fault, say
from service.words import ENGLISH

log = logging.getLogger(__name__)

RUNS, DIFFERENCES = table_of(CheckRun), table_of(CheckDifference)
STEP = 5.0
"""Seconds of a step: a worker has other tasks too."""
BATCH = 10
"""Games after which a step stores its cursor."""
LEASE = 2 * MINUTE
WRONG = HOUR
"""Longest plausible lease from now. A lease beyond it was taken while a clock was wrong."""
KEPT = 60
"""Runs that are kept."""
FAULTS = 20
"""Differences of one game that are kept."""


# ==== running =====================================================================================
def step(store: Store, *, clock: Callable[[], int] = now, seconds: float = STEP) -> bool:
    """Begin tonight's run if it is due, or go on with it. Return True if there is more to do."""
    begin_if_due(store, clock())
    run = _claim(store, clock())
    if run is None:
        return False
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        games = _next(store, run)
        reports = [_prove(store, it.id) for it in games]
        spent = int((time.monotonic() - began) * 1000)
        done = len(games) < BATCH
        if (run := _write(store, run, games, reports, spent, done, clock())) is None or done:
            return False
    _release(store, run)
    return True


def night(store: Store, at: int) -> int:
    """The beginning of the night of ``at``: the last time the clock struck the hour of the settings (UTC)."""
    day = datetime.fromtimestamp(at / 1000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    began = int(day.timestamp() * 1000) + store.settings.check_hour * HOUR
    return began if began <= at else began - DAY


def begin_if_due(store: Store, at: int) -> None:
    """Begin tonight's run, unless it has begun already or the one before is still under way."""
    tonight = night(store, at)
    with store.read() as conn:
        # A run of a future night was made while a clock was wrong, and does not count for tonight.
        done = select(RUNS.c.id).where(or_(RUNS.c.ended_at.is_(None), RUNS.c.night.between(tonight, at))).limit(1)
        if conn.execute(done).one_or_none() is not None:
            return
    empty = {"games": 0, "plies": 0, "wrong": 0, "spent": 0, "titles": {}, "done_created_at": -1, "done_id": ""}
    try:
        with store.write() as conn:
            row = {"night": tonight, "started_at": at, "program": release_of_program(), "lease_until": 0, **empty}
            conn.execute(insert(RUNS).values(**row))
            old = select(RUNS.c.id).order_by(RUNS.c.night.desc()).offset(KEPT)
            conn.execute(delete(RUNS).where(RUNS.c.id.in_(list(conn.scalars(old)))))
    except IntegrityError:
        return  # another worker began it at the same moment


def _claim(store: Store, at: int) -> Any:
    """Claim the run under way for this worker; None if there is none, or another worker has it."""
    with store.write() as conn:
        run = conn.execute(select(RUNS).where(RUNS.c.ended_at.is_(None)).order_by(RUNS.c.night).limit(1)).one_or_none()
        if run is None:
            return None
        over = or_(RUNS.c.lease_until <= at, RUNS.c.lease_until > at + WRONG)
        free = update(RUNS).where(RUNS.c.id == run.id, over, RUNS.c.ended_at.is_(None))
        claimed = free.values(lease_until=at + LEASE).returning(RUNS)
        return conn.execute(claimed).one_or_none()


def _next(store: Store, run: Any) -> Sequence[Any]:
    """The next games by age, of those that existed when the run began."""
    after = tuple_(GAMES.c.created_at, GAMES.c.id) > tuple_(run.done_created_at, run.done_id)
    games = select(GAMES.c.id, GAMES.c.title, GAMES.c.created_at).where(after, GAMES.c.created_at <= run.started_at)
    with store.read() as conn:
        return conn.execute(games.order_by(GAMES.c.created_at, GAMES.c.id).limit(BATCH)).all()


def _prove(store: Store, game_id: str) -> Report:
    """Prove one game. A fault is checked a second time, since the game may have gone on while it was read."""
    try:
        report = verify_game(store, game_id)
        return verify_game(store, game_id) if report.faults else report
    except Exception as error:  # the check itself failed: a difference too, but other games go on
        raise_if_away(error)  # not about the game: the run resumes there after its lease
        log.exception("game %s could not be checked", game_id)
        return Report(
            game_id,
            faults=(
                Fault(
                    Sentence(
                        "The game could not be checked: {error}.",
                        {"error": type(error).__name__},
                    )
                ),
            ),
        )


def _write(
    store: Store, run: Any, games: Sequence[Any], reports: Sequence[Report], spent: int, done: bool, at: int
) -> Any:
    """Store the cursor of the run. Return its new row, or None if another worker has taken the run over."""
    titles = {title: dict(counts) for title, counts in run.titles.items()}
    for game, report in zip(games, reports, strict=True):
        counts = titles.setdefault(game.title, {"games": 0, "plies": 0, "wrong": 0, "not_proved": 0})
        kind = report.verdict.kind
        counts["games"] += 1
        counts["plies"] += report.links
        counts["wrong"] += kind == "wrong"
        counts["not_proved"] = counts.get("not_proved", 0) + (kind == "replayed")
    values: dict[str, Any] = {
        "games": run.games + len(games), "plies": run.plies + sum(it.links for it in reports), "titles": titles,
        "wrong": run.wrong + sum(bool(it.faults) for it in reports), "spent": run.spent + spent,
        "lease_until": 0 if done else at + LEASE, "ended_at": at if done else None,
    }  # fmt: skip
    if games:
        values |= {"done_created_at": games[-1].created_at, "done_id": games[-1].id}
    found = [
        {"run_id": run.id, "game_id": it.game_id, "ply": fault.ply, **_kept(fault.sentence)}
        for it in reports
        for fault in it.faults[:FAULTS]
    ]
    mine = update(RUNS).where(RUNS.c.id == run.id, RUNS.c.lease_until == run.lease_until, RUNS.c.ended_at.is_(None))
    with store.write() as conn:
        row = conn.execute(mine.values(**values).returning(RUNS)).one_or_none()
        if row is not None and found:
            conn.execute(insert(DIFFERENCES), found)
    for it in reports if row is not None else ():
        for fault in it.faults[:FAULTS]:
            log.error("game %s is not what it should be, ply %s: %s", it.game_id, fault.ply, fault.what)
    return row


def _release(store: Store, run: Any) -> None:
    with store.write() as conn:
        mine = update(RUNS).where(RUNS.c.id == run.id, RUNS.c.lease_until == run.lease_until)
        conn.execute(mine.values(lease_until=0))


# ==== findings ====================================================================================
class Difference(msgspec.Struct, frozen=True):
    """A finding of a run in a game. ``ply``: its place; None if it is not in the log itself.

    ``sentence``: in plain words; None if it might reveal something hidden.
    """

    game_id: str
    ply: int | None
    sentence: Sentence | None

    def what(self, lang: str = ENGLISH) -> str:
        return "" if self.sentence is None else say(self.sentence, lang)


LONGEST = 300
"""Characters of a fact: the error of a broken log can be very long."""


def _kept(sentence: Sentence) -> dict[str, Any]:
    """A sentence as its row keeps it: the template, and its facts as plain data."""
    facts = {name: _kept(it) if isinstance(it, Sentence) else it for name, it in sentence.facts.items()}
    facts = {name: it[:LONGEST] if isinstance(it, str) else it for name, it in facts.items()}
    return {"what": sentence.template, "facts": facts}


def _sentence(what: str, facts: Mapping[str, Any]) -> Sentence:
    """The sentence of a row. One without facts may be whole, from a process of an older release."""
    if not facts and not set("{}").isdisjoint(what):
        return Sentence("{fault}", {"fault": what})
    inside = {name: _sentence(**it) if isinstance(it, dict) else it for name, it in facts.items()}
    return msgspec.convert({"template": what, "facts": inside}, Sentence)


class Run(msgspec.Struct, frozen=True):
    """A run, under way or over. ``titles``: title -> {"games", "plies", "wrong", "not_proved"} (early runs have no
    "not_proved"). ``spent``: milliseconds of work."""

    id: int
    started_at: int
    ended_at: int | None
    program: str
    games: int
    plies: int
    wrong: int
    spent: int
    titles: dict[str, dict[str, int]]

    @property
    def not_proved(self) -> int:
        """The number of unchanged games with plies that were only replayed (`service.proof.verdicts`)."""
        return sum(counts.get("not_proved", 0) for counts in self.titles.values())


def runs(conn: Connection, limit: int = 14) -> list[Run]:
    """The last runs, the newest first."""
    rows = conn.execute(select(RUNS).order_by(RUNS.c.night.desc()).limit(limit))
    return [Run(*(getattr(row, name) for name in Run.__struct_fields__)) for row in rows]


def differences(conn: Connection, run_id: int) -> list[Difference]:
    """All findings of a run, for the operator."""
    rows = conn.execute(select(DIFFERENCES).where(DIFFERENCES.c.run_id == run_id).order_by(DIFFERENCES.c.id))
    return [Difference(row.game_id, row.ply, _sentence(row.what, row.facts)) for row in rows]


def differences_for(conn: Connection, viewer: int | None, run_id: int) -> list[Difference]:
    """The findings of a run in games that ``viewer`` may see. A fault of a running game may reveal something hidden, so
    only its ply is told.

    This reads rows alone, since a game with a broken log may not load.
    """
    found = differences(conn, run_id)
    mine = select(SEATS.c.game_id).where(SEATS.c.person_id == viewer)
    may_see = or_(GAMES.c.public, GAMES.c.host_id == viewer, GAMES.c.id.in_(mine)) if viewer else GAMES.c.public
    games = select(GAMES.c.id, GAMES.c.status).where(GAMES.c.id.in_({it.game_id for it in found}), may_see)
    status = {row.id: row.status for row in conn.execute(games)}
    return [
        it if status[it.game_id] == "over" else Difference(it.game_id, it.ply, None)
        for it in found
        if it.game_id in status
    ]
