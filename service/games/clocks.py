"""The rows about time: the current player of each seat, its running clock, and the reminders to come.

They follow from the log and are written in the transaction of the plies (`keep`). Players' calendars go the other way:
into the deadlines that a ply records (`timekeeper`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, update

from domain import clock, lifecycle
from domain.chain import Ply
from domain.clock import Clock, Time
from domain.game import Game
from domain.pace import MINUTE, Calendar, Pace, after, deadline
from domain.play import NOBODYS_TIME
from domain.sealed import WAIT, MoveWords, WordsCalled
from domain.timekeeping import Timekeeper, by_calendars
from service.database.compiled import Compiled, upsert
from service.database.store import SEATS, Stored
from service.database.tables import SeatClock, table_of
from service.people import calendars

CLOCKS = table_of(SeatClock)

STAND_IN = "sensible"
"""The bot that plays for an absent player; every title has it."""


def timekeeper(conn: Connection, stored: Stored, sitter: tuple[int, int] | None = None) -> Timekeeper:
    """Return the timekeeper that computes the deadlines of a game. A game without a pace has none.

    ``sitter``: seat and number of the person who sits down with this very submission.
    """
    game = stored.game
    if game.table is None or game.table.time is None:
        return NOBODYS_TIME
    people = calendars.of_seats(conn, stored.seats)
    if sitter is not None:
        seat, person = sitter
        people[seat] = calendars.of_person(conn, person)
    return by_calendars(people)


def time_of(game: Game) -> Time | None:
    """Return the time at the table of a running game; None if it has no clock now."""
    return game.table.time if game.table is not None and game.status == "running" else None


def due(game: Game) -> int | None:
    """When the next clock of the game runs out."""
    time, table = time_of(game), game.table
    if table is not None and table.sealed is not None and table.owing:
        return table.sealed.due
    return time.due if time is not None else None


def is_paused(game: Game) -> bool:
    """Does the game wait because all its people are away?"""
    time = time_of(game)
    return time is not None and bool(time.paused)


def bots_asked(game: Game, seats: Sequence[Any]) -> Mapping[int, int]:
    """The seats of bots for which the game waits, with the time from which each may move: 0 is at once.

    ``seats``: the taken seats of the game, as in `service.database.store.Stored`.
    """
    time = time_of(game)
    if time is not None and time.paused:
        return {}
    waits = time.waits if time is not None else {}
    return {it.seat: waits.get(it.seat, 0) for it in seats if it.bot is not None and it.seat in game.asked}


def later(conn: Connection, stored: Stored, lost: int, at: int) -> clock.MoveClocks | MoveWords:
    """Make the command that gives each running clock, or the sealed words, ``lost`` more milliseconds."""
    table, time = stored.game.table, time_of(stored.game)
    if time is None and table is not None and table.sealed is not None and table.sealed.due is not None:
        return MoveWords(table.sealed.due + lost)
    running = time.clocks if time is not None else {}
    people = calendars.of_seats(conn, stored.seats)
    moved = (
        (seat, max(after(time.pace, people.get(seat, Calendar()), due, lost), at + MINUTE))
        for seat, due in sorted(running.items())
        if time is not None
    )
    return clock.MoveClocks(tuple(moved), "outage", lost)


WORDS = Pace(WAIT)
"""The pace of sealed words at a table without one."""


def words_due(conn: Connection, stored: Stored, at: int, sitter: int | None = None) -> int:
    """Return the deadline of sealed words requested at ``at`` (ST 20). It leaves each player the time of a turn.

    ``sitter``: the person who sits down now.
    """
    table = stored.game.table
    pace = (table.pace if table else None) or WORDS
    people = list(calendars.of_seats(conn, stored.seats).values())
    if sitter is not None:
        people.append(calendars.of_person(conn, sitter))
    return max((deadline(pace, calendar, at, 0) for calendar in people), default=at + pace.turn)


# ==== the rows ====================================================================================
_A_PERSONS = (
    (SEATS.c.game_id == bindparam("game"))
    & (SEATS.c.seat == bindparam("at_seat"))
    & (SEATS.c.person_id.is_not(None) | SEATS.c.erased_at.is_not(None))
)  # a seat that a bot holds for itself stays its own
_WHO_PLAYS = Compiled(update(SEATS).where(_A_PERSONS).values(bot=bindparam("new_bot"), vacant_since=bindparam("since")))
_ONE = CLOCKS.c.game_id == bindparam("game"), CLOCKS.c.seat == bindparam("at_seat")
_STOPPED = Compiled(delete(CLOCKS).where(*_ONE))
_MOVED = Compiled(
    update(CLOCKS)
    .where(*_ONE)
    .values(due_at=bindparam("new_due"), remind_at=bindparam("new_remind"), reminders=bindparam("new_reminders"))
)


_STARTED = upsert(
    CLOCKS,
    ["game_id", "seat"],
    lambda fresh: {name: fresh[name] for name in ("ply", "started_at", "due_at", "remind_at", "reminders")},
)
"""A clock that starts, in place of an earlier one of the same seat."""


def keep(conn: Connection, before: Game, after: Game, plies: Sequence[Ply], at: int) -> bool:
    """Update the rows of seats and clocks to ``plies``. Return True if the player of a seat changed."""
    if after.table is None or (after.table.time is None and after.table.sealed is None):
        return False
    others_play = _write_who_plays(conn, after.id, plies, at)
    was, now = _clocks(before), _clocks(after)
    started = {it.seat: ply.number for ply in plies for it in ply.events if isinstance(it, clock.ClockStarted)}
    started |= {seat: ply.number for ply in plies for it in ply.events if isinstance(it, WordsCalled) for seat in now}
    changed = {seat for seat in was.keys() | now.keys() if was.get(seat) != now.get(seat) or seat in started}
    fresh = sorted(seat for seat in changed & now.keys() if seat in started or seat not in was)
    moved = sorted(changed & now.keys() - set(fresh))
    pace = _reminding(after)
    for seat in sorted(changed - now.keys()):
        _STOPPED.run(conn, game=after.id, at_seat=seat)
    for seat in fresh:
        _STARTED[conn.dialect.name].run(conn, **_row(after.id, seat, started.get(seat, 0), now[seat], pace, at))
    for seat in moved:
        later = reminders(pace, at - now[seat].ahead, now[seat].due)
        _MOVED.run(
            conn,
            game=after.id,
            at_seat=seat,
            new_due=now[seat].due,
            new_reminders=later,
            new_remind=later[0] if later else None,
        )
    return others_play


def _clocks(game: Game) -> Mapping[int, Clock]:
    """The clocks that can still run out; before the start, those of the seats that owe sealed words."""
    table, time = game.table, time_of(game)
    if table is not None and table.sealed is not None and table.sealed.due is not None and table.owing:
        return {seat: Clock(table.sealed.due, 0) for seat in table.owing}
    return {} if time is None else {seat: it for seat, it in time.running.items() if seat not in time.overdue}


def _reminding(game: Game) -> Pace:
    """The pace for reminders. Sealed words always have one, since a player who forgets them loses the seat."""
    pace = (game.table.pace if game.table else None) or WORDS
    if game.status == "open" and not pace.reminders:
        return msgspec.structs.replace(pace, reminders=(pace.turn // 4,))
    return pace


def _row(game_id: str, seat: int, ply: int, running: Clock, pace: Pace, at: int) -> dict[str, Any]:
    later = reminders(pace, at, running.due)
    return {
        "game_id": game_id, "seat": seat, "ply": ply, "started_at": at, "due_at": running.due,
        "remind_at": later[0] if later else None, "reminders": later,
    }  # fmt: skip


def reminders(pace: Pace, at: int, due: int) -> list[int]:
    """The times to remind of a deadline, in order. The first tenth of the turn has none, so soon after its mail."""
    first = at + (due - at) // 10
    return [due - before for before in pace.reminders if due - before >= first]


def _write_who_plays(conn: Connection, game_id: str, plies: Sequence[Ply], at: int) -> bool:
    changes = [event for ply in plies for event in ply.events if isinstance(event, WHO_PLAYS_CHANGES)]
    for event in changes:
        bot = STAND_IN if isinstance(event, clock.BotPlaysOn) else None
        since = at if isinstance(event, clock.SeatOpened) else None
        _WHO_PLAYS.run(conn, game=game_id, at_seat=event.seat, new_bot=bot, since=since)
    return bool(changes)


WHO_PLAYS_CHANGES = (clock.BotPlaysOn, clock.SeatOpened, clock.SeatReturned, clock.SeatTakenOver, lifecycle.SeatRetired)
