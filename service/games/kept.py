"""Kept seats: at tables that the service opens for people who look for a game (`service.wishes`).

Each seat is kept for one of them, until they sit down or their time is over. Such a table has no host, and starts by
itself when all have sat down.
"""

from collections.abc import Collection
from typing import Any, Literal

from sqlalchemy import Connection, delete, select, update

from config.settings import Settings
from domain.pace import HOUR, MINUTE, PRESETS
from domain.refusal import Refused
from service.base.clock import DAY
from service.database.store import GAMES
from service.database.tables import KeptSeat, KeptTable, Wish, table_of
from service.games.finding import LIVE
from service.games.queries import KeptFor
from service.notices import owing
from service.notices.hearers import Hearer

TABLES, KEPT, WISHES = table_of(KeptTable), table_of(KeptSeat), table_of(Wish)

State = Literal["kept", "sat", "playing", "missed", "left", "declined", "released"]
"""kept: its person has not sat down yet. sat: they wait for the others. playing: the game has begun. missed: they did
not sit down in time. left: they stood up again. declined: they said no. released: the table closed, or they could not
play there.
"""
WAITING: tuple[State, ...] = ("kept", "sat")
TAKEN: tuple[State, ...] = (*WAITING, "playing")
LIVE_OFFER, OFFER = 2 * MINUTE, 48 * HOUR
"""The time to sit down, at a live pace and at any other."""
MOST_MISSED = 2
"""Missed offers that end a wish."""
REST = DAY
"""The time for which a wish rests after a declined offer. Otherwise the same people would meet again at once."""
FORGOTTEN_AFTER = 30 * DAY
"""The time after which ended wishes, and the kept seats of ended games, are deleted."""


def is_live(pace: str) -> bool:
    """Is the pace with this name a live one?"""
    return pace in PRESETS and PRESETS[pace].turn <= LIVE


def time_to_sit_down(pace: str) -> int:
    """Return the milliseconds for which a seat is kept at a pace with this name."""
    return LIVE_OFFER if is_live(pace) else OFFER


# ==== reading =====================================================================================
def has_kept_seats(conn: Connection, row: Any) -> bool:
    """Did the service open the table of this row for people who looked for a game?"""
    if row.host_id is not None or not row.by_invitation:
        return False
    return conn.execute(select(TABLES.c.game_id).where(TABLES.c.game_id == row.id)).first() is not None


def of_person(conn: Connection, game_id: str, person_id: int) -> KeptFor | None:
    """Return the seat that is kept for a person at a table."""
    mine = KEPT.c.game_id == game_id, KEPT.c.person_id == person_id, KEPT.c.state == "kept"
    row = conn.execute(select(KEPT.c.seat, KEPT.c.kept_until).where(*mine)).one_or_none()
    return None if row is None else KeptFor(row.seat, row.kept_until)


def state_of(conn: Connection, game_id: str, person_id: int) -> State | None:
    """Return the state of a person's seat at a table; None if they were offered none."""
    its = select(KEPT.c.state).where(KEPT.c.game_id == game_id, KEPT.c.person_id == person_id)
    state: State | None = conn.execute(its).scalar_one_or_none()
    return state


# ==== sitting down and standing up ================================================================
def sit(conn: Connection, game_id: str, seat: int, person_id: int | None) -> None:
    """Note that a person sits down at the seat that is kept for them. Raises `Refused` if it is not, or no longer.

    They may come late as long as the seat was given to nobody else.
    """
    mine = KEPT.c.game_id == game_id, KEPT.c.person_id == person_id, KEPT.c.seat == seat, KEPT.c.state == "kept"
    if conn.execute(update(KEPT).where(*mine).values(state="sat")).rowcount != 1:
        raise Refused("ST 21", "This seat is not kept for you, or no longer.")


def stand_up(conn: Connection, settings: Settings, game_id: str, seat: int, version: int, at: int) -> None:
    """Note that the person of a seat has given it up before the start."""
    its = KEPT.c.game_id == game_id, KEPT.c.seat == seat, KEPT.c.state == "sat"
    if (row := conn.execute(select(KEPT).where(*its)).one_or_none()) is not None:
        miss(conn, settings, row, "left", version, at)


def miss(conn: Connection, settings: Settings, row: Any, state: State, version: int, at: int) -> bool:
    """Take a seat from its person, whose wish goes to the end of the queue, or ends. Return False if it was too late.

    ``version``: of the game, for the letter about the end.
    """
    its = KEPT.c.game_id == row.game_id, KEPT.c.person_id == row.person_id, KEPT.c.state == row.state
    if conn.execute(update(KEPT).where(*its).values(state=state)).rowcount != 1:
        return False
    its_wish = update(WISHES).where(WISHES.c.id == row.wish_id, WISHES.c.ended_at.is_(None))
    conn.execute(its_wish.values(missed=WISHES.c.missed + 1, since=at))
    if conn.execute(its_wish.where(WISHES.c.missed >= MOST_MISSED).values(ended_at=at)).rowcount == 1:
        hearer = Hearer(row.person_id, None, version, 0, str(row.wish_id))
        owing.owe(conn, [owing.row_of(settings, row.game_id, "wish_ended", hearer, at)], at)
    return True


def decline(conn: Connection, game_id: str, person_id: int, at: int) -> None:
    """Let a person give up the seat that is kept for them. Raises `Refused` if none is; a second time changes nothing.

    It counts as no missed offer. Their wish rests for a while, and then waits anew.
    """
    if state_of(conn, game_id, person_id) == "declined":
        return
    mine = KEPT.c.game_id == game_id, KEPT.c.person_id == person_id, KEPT.c.state == "kept"
    if conn.execute(update(KEPT).where(*mine).values(state="declined")).rowcount != 1:
        raise Refused("ST 21", "This seat is not kept for you, or no longer.")
    its = select(KEPT.c.wish_id).where(KEPT.c.game_id == game_id, KEPT.c.person_id == person_id).scalar_subquery()
    conn.execute(update(WISHES).where(WISHES.c.id == its, WISHES.c.ended_at.is_(None)).values(since=at + REST))


def release(conn: Connection, game_id: str, people: Collection[int] | None = None) -> None:
    """Let people go from a table, or all of them. Their wishes keep their places in the queue."""
    theirs = update(KEPT).where(KEPT.c.game_id == game_id, KEPT.c.state.in_(WAITING))
    if people is not None:
        theirs = theirs.where(KEPT.c.person_id.in_(people))
    conn.execute(theirs.values(state="released"))


# ==== the start and the end =======================================================================
def begun(conn: Connection, game_id: str, at: int) -> None:
    """Note that the seats are played. Their wishes have come true, and begin to wait anew."""
    its = KEPT.c.game_id == game_id, KEPT.c.state == "sat"
    wishes = select(KEPT.c.wish_id).where(*its)
    conn.execute(update(WISHES).where(WISHES.c.id.in_(wishes)).values(since=at, missed=0))
    conn.execute(update(KEPT).where(*its).values(state="playing"))


def forget_old(conn: Connection, at: int) -> None:
    """Forget wishes that ended, and seats of tables that closed or games that ended, some time ago."""
    conn.execute(delete(WISHES).where(WISHES.c.ended_at <= at - FORGOTTEN_AFTER))
    over = select(GAMES.c.id).where(GAMES.c.ended_at <= at - FORGOTTEN_AFTER)
    conn.execute(delete(KEPT).where(KEPT.c.game_id.in_(over)))
