"""Bringing the people together whose wishes fit: a sweep that opens tables, keeps seats and gives free seats to others.

Each step is one transaction, and the sweep finds out from the rows what is left to do. So it may break off anywhere,
run twice or run in two processes at once: a seat belongs to one person, and a wish waits for one table, by constraints
of the tables.
"""

import logging
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from domain.pace import PRESETS, Calendar
from domain.refusal import Refused
from domain.title import Title
from service.base import hints, ticks
from service.base.ticks import Tick
from service.database.store import GAMES, PERSONS, Store
from service.database.work import Work
from service.games import kept, lobby, opening
from service.games.kept import KEPT, TABLES, TAKEN, WAITING, WISHES
from service.games.offers import OFFERS, Offer
from service.games.play import SubmissionContext
from service.games.rights import ByService
from service.notices import owing
from service.notices.hearers import Hearer
from service.people import acquaintances, calendars, standing
from service.wishes import matching
from service.wishes.matching import Known, MatchedGroup, Seeker, TableKind
from service.wishes.wishes import PACES, going_on, last_ends
from service.words import ENGLISH, called

log = logging.getLogger(__name__)


class Overtaken(Exception):
    """Another process was faster. The next sweep decides anew."""


def sweep(store: Store, at: int) -> None:
    """Start tables at which all sit, give free seats to others, close tables, and open new ones for groups that fit."""
    with store.read() as conn:
        its = select(TABLES.c.game_id).join(GAMES, GAMES.c.id == TABLES.c.game_id).where(GAMES.c.status == "open")
        tables = list(conn.scalars(its.order_by(GAMES.c.created_at, GAMES.c.id)))
    for game_id in tables:
        settle(store, game_id, at)
    gather(store, at)


# ==== new tables ==================================================================================
def gather(store: Store, at: int) -> int:
    """Open a table for each group that fits. Return the number of tables."""
    with store.read() as conn:
        seekers = waiting(conn, at)
        if len(seekers) < 2:
            return 0
        facts = _known(conn, seekers)
    groups = matching.match(seekers, _kinds(store.titles), facts)
    return sum(_opened(store, group, at) for group in groups)


def _kinds(titles: Mapping[str, Title]) -> list[TableKind]:
    """Return all kinds of tables: the largest first, since small groups are found easily; then the fastest.

    Nobody plays a rated game without having asked for one, if there is another way.
    """
    most = max(it.seating.seats[1] for it in titles.values())
    paces = sorted(PACES, key=lambda pace: PRESETS[pace].turn if pace in PRESETS else _SLOWEST)
    return [
        TableKind(title.id, pace, seats, rated, kept.is_live(pace))
        for seats in range(most, 1, -1)
        for pace in paces
        for title in titles.values()
        for rated in (False, True)
        if title.seating.seats[0] <= seats <= title.seating.seats[1]
    ]


_SLOWEST = 1 << 62


def _opened(store: Store, group: MatchedGroup, at: int) -> bool:
    """Open the table of a group. Return False if one of its wishes waits no more."""
    kind, people = group.kind, [it.person for it in group.seekers]
    lang = next((it.lang for it in group.seekers if it.lang), "")
    numbers = list(range(1, kind.seats + 1))
    secrets.SystemRandom().shuffle(numbers)

    def also(conn: Connection, game_id: str) -> None:
        conn.execute(insert(TABLES).values(game_id=game_id, pace=kind.pace))
        _offer(conn, store, game_id, kind.pace, dict(zip(numbers, group.seekers, strict=True)), 1, at)

    try:
        opened = opening.open_table(
            Work(store),
            ByService(),
            title=kind.title,
            options={},
            seats=kind.seats,
            name=called(store.titles[kind.title], lang or ENGLISH),
            public=True,
            settle_ms=int(store.settings.settle_seconds * 1000),
            pace=PRESETS.get(kind.pace),
            rated=kind.rated,
            offer=Offer(lang=lang),
            by_invitation=True,
            also=also,
            at=at,
        )
    except (IntegrityError, Overtaken):
        log.info("another process brought these people together")
        return False
    log.info("brought together", extra={"game": opened.game_id})
    _tell(store, opened.game_id, people)
    return True


def _offer(
    conn: Connection, store: Store, game_id: str, pace: str, seats: Mapping[int, Seeker], version: int, at: int
) -> None:
    """Keep seats for people, and owe each the letter about it. Raises `Overtaken`, and ``IntegrityError``."""
    if not _want_one_more(conn, [it.wish for it in seats.values()], at):
        raise Overtaken
    until = at + kept.time_to_sit_down(pace)
    for seat, it in sorted(seats.items()):
        row = {"game_id": game_id, "person_id": it.person, "seat": seat, "wish_id": it.wish, "state": "kept"}
        conn.execute(insert(KEPT).values(row | {"offered_at": at, "kept_until": until}))
    hearers = [Hearer(it.person, None, version) for it in seats.values()]
    owing.owe(conn, [owing.row_of(store.settings, game_id, "seat_kept", it, at) for it in hearers], at)


def _want_one_more(conn: Connection, numbers: Sequence[int], at: int) -> bool:
    """Do all these wishes still ask for one more game? They stay as they are until the end of the transaction.

    Since the search read them, a game of theirs may have begun, or their owner may have declined another seat. The
    constraints of the tables know nothing of that.
    """
    locked = select(WISHES).where(WISHES.c.id.in_(numbers), WISHES.c.ended_at.is_(None), WISHES.c.since <= at)
    rows = conn.execute(locked.order_by(WISHES.c.id).with_for_update()).all()
    games = Counter(row.wish_id for row in conn.execute(going_on().where(KEPT.c.wish_id.in_(numbers))))
    return len(rows) == len(numbers) and all(games[row.id] < row.at_once for row in rows)


def _tell(store: Store, game_id: str, people: Sequence[int]) -> None:
    """Send the letters soon, and let the pages of these people look."""
    hints.wake("outbox")
    ticks.send(store.settings, Tick(game_id, tuple(sorted(people))))


# ==== tables that have not begun ==================================================================
def settle(store: Store, game_id: str, at: int) -> None:
    """Start a table, give its free seats to others, or close it."""
    if lobby.begin(Work(store), game_id, at=at):
        return
    given: list[int] = []
    try:
        with store.write() as conn:
            its = _locked(conn, game_id)
            if its is None:
                return
            _take_away(conn, store, its, at)
            free = _free(conn, its)
            given = _given_away(conn, store, its, free, at) if free else []
    except (IntegrityError, Overtaken):
        log.info("another process gave the free seats away", extra={"game": game_id})
        return
    if given:
        _tell(store, game_id, given)
    elif free:
        _close(store, game_id, at)


def _locked(conn: Connection, game_id: str) -> Any:
    """Return the facts of a table that has not begun, for this transaction alone; None if there is none."""
    wanted = select(GAMES, TABLES.c.pace, OFFERS.c.lang).join(TABLES, TABLES.c.game_id == GAMES.c.id)
    wanted = wanted.join(OFFERS, OFFERS.c.game_id == GAMES.c.id)
    its = wanted.where(GAMES.c.id == game_id, GAMES.c.status == "open")
    return conn.execute(its.with_for_update(of=TABLES)).one_or_none()


def _take_away(conn: Connection, store: Store, its: Any, at: int) -> None:
    """Take seats away: whose time to sit down is over, and those of people who are kept apart from others there."""
    rows = _there(conn, its.id)
    for row in rows:
        if row.state == "kept" and row.kept_until <= at:
            kept.miss(conn, store.settings, row, "missed", its.version, at)
    rows = _there(conn, its.id)
    apart = acquaintances.apart(conn, [row.person_id for row in rows])
    for row in sorted(rows, key=lambda row: (-row.offered_at, -row.person_id)):
        others = [it.person_id for it in rows if it is not row]
        if row.state == "kept" and any((row.person_id, it) in apart for it in others):
            kept.release(conn, its.id, [row.person_id])
            rows.remove(row)


def _there(conn: Connection, game_id: str) -> list[Any]:
    """Return the people with a taken or kept seat at a table, with their wishes."""
    asks = (column for column in WISHES.c if column.name not in ("id", "person_id"))
    wanted = select(KEPT, KEPT.c.wish_id.label("wish"), *asks).join(WISHES, WISHES.c.id == KEPT.c.wish_id, isouter=True)
    return list(conn.execute(wanted.where(KEPT.c.game_id == game_id, KEPT.c.state.in_(TAKEN))))


def _free(conn: Connection, its: Any) -> list[int]:
    taken = set(conn.scalars(select(KEPT.c.seat).where(KEPT.c.game_id == its.id, KEPT.c.state.in_(TAKEN))))
    return [seat for seat in range(1, its.seats + 1) if seat not in taken]


def _given_away(conn: Connection, store: Store, its: Any, free: Sequence[int], at: int) -> list[int]:
    """Give the free seats to the next wishes that fit. Return their people; nobody if not all seats can be given."""
    there = [_seeker(row, row.since or at, at) for row in _there(conn, its.id)]
    if not there:
        return []
    before = set(conn.scalars(select(KEPT.c.person_id).where(KEPT.c.game_id == its.id)))
    seekers = [it for it in waiting(conn, at) if it.person not in before and it.lang in ("", its.lang or it.lang)]
    kind = TableKind(its.title, its.pace, its.seats, bool(its.rated), kept.is_live(its.pace))
    found = matching.fill(there, kind, len(free), seekers, _known(conn, [*there, *seekers]))
    if found:
        _offer(conn, store, its.id, its.pace, dict(zip(free, found, strict=True)), its.version, at)
    return [it.person for it in found]


def _close(store: Store, game_id: str, at: int) -> None:
    """Close a table for which nobody else was found. The wishes of those who stayed keep their places."""

    def also(conn: Connection, here: SubmissionContext) -> None:
        its = _locked(conn, game_id)
        if its is None or not _free(conn, its):
            raise Overtaken

    try:
        lobby.cancel(Work(store), ByService(), game_id, at=at, also=also)
    except (Refused, Overtaken):
        log.info("the table was not closed", extra={"game": game_id})


# ==== the people who wait =========================================================================
def waiting(conn: Connection, at: int) -> list[Seeker]:
    """Return the wishes that look for people now, the oldest first.

    A wish rests while a table of its own waits to begin, while it has enough games, while its owner is away, and for
    some time after they declined a seat.
    """
    busy = select(KEPT.c.wish_id).where(KEPT.c.wish_id.is_not(None), KEPT.c.state.in_(WAITING))
    wanted = select(WISHES, WISHES.c.id.label("wish")).join(PERSONS, PERSONS.c.id == WISHES.c.person_id)
    free = WISHES.c.ended_at.is_(None), PERSONS.c.blocked_at.is_(None), WISHES.c.id.not_in(busy), WISHES.c.since <= at
    rows = conn.execute(wanted.where(*free)).all()
    if not rows:
        return []
    games = Counter(row.wish_id for row in conn.execute(going_on()))
    ends = {row.wish_id: row.at or 0 for row in conn.execute(last_ends())}
    times = calendars.of_people(conn, {row.person_id for row in rows})
    here = [
        (max(row.since, ends.get(row.id, 0)), row.id, row)
        for row in rows
        if games[row.id] < row.at_once and not _is_away(times[row.person_id], at)
    ]
    return [_seeker(row, since, at) for since, _number, row in sorted(here, key=lambda it: it[:2])]


def _is_away(calendar: Calendar, at: int) -> bool:
    today = datetime.fromtimestamp(at / 1000, ZoneInfo(calendar.zone)).toordinal()
    return any(first <= today <= last for first, last in calendar.away)


def _seeker(row: Any, since: int, at: int) -> Seeker:
    """Return the seeker of a wish; of a row without one, somebody at a table who asks for nothing more."""
    if row.titles is None:
        return Seeker(0, row.person_id)
    fields = {name: getattr(row, name) for name in ("titles", "paces", "seats", "rated", "spread", "finished", "lang")}
    wish = {"wish": row.wish, "person": row.person_id, "waited": max(0, at - since)}
    return msgspec.convert(fields | wish, Seeker)


def _known(conn: Connection, seekers: Sequence[Seeker]) -> Known:
    """Return the facts about people that the search needs."""
    people = {it.person for it in seekers}
    ratings = standing.ratings(conn, people) if any(it.spread is not None for it in seekers) else {}
    shares = standing.shares(conn, people) if any(it.finished for it in seekers) else {}
    return Known(ratings, shares, frozenset(acquaintances.apart(conn, people)))
