"""The standing wishes of a person: making them, withdrawing them, and what became of them.

Nobody but their owner sees them.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from domain.pace import PRESETS
from domain.title import Title
from service.base.described import MOMENT, doc
from service.database.store import GAMES, SEATS
from service.games import kept
from service.games.finding import SHARES
from service.games.kept import KEPT, WAITING, WISHES
from service.people.accounts import TooMany
from service.wishes.matching import Rated
from service.words import languages

PACES = (*PRESETS, "none")
SPREADS = (3, 5, 10)
"""The first widths of a range of ratings that people choose from."""
FINISHED = (0, *SHARES)
MOST_AT_ONCE = 5
MOST = 5
"""Wishes of a person."""


class BadWish(Exception):
    """No game fits a wish. ``field``: the name of the wrong field."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class WantedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that somebody looks for."""

    titles: Annotated[tuple[str, ...], doc("Ids of titles.")]
    paces: Annotated[tuple[str, ...], doc("Names of paces, as in `/paces`; `none` for no clock.")]
    seats: Annotated[tuple[int, ...], doc("Numbers of players.")]
    rated: Annotated[Rated, doc("Must the game be rated?")] = "either"
    spread: Annotated[
        int | None,
        doc("How far the ratings of the others may differ at first; the range grows with waiting. Null: no matter."),
    ] = None
    finished: Annotated[int, doc("The share of games that the others have finished, at least, in percent.")] = 0
    lang: Annotated[str, doc("Language of the table; empty for any.")] = ""
    at_once: Annotated[int, doc("The most games that the wish leads to at the same time.")] = 1


class SeatOffered(msgspec.Struct, frozen=True):
    """A seat at a table that has not begun."""

    game_id: str
    title: str
    seat: int
    until: Annotated[int, doc("Time until which it is kept.", MOMENT)]
    taken: Annotated[bool, doc("Has the person sat down? Then they wait for the others.")]


class MyWish(msgspec.Struct, frozen=True):
    """A wish and what became of it. ``games``: those that it has led to and that go on."""

    id: int
    wanted: WantedGame
    since: Annotated[int, doc("Time since when it waits; while it rests, the time from when it does.", MOMENT)]
    ended_at: Annotated[int | None, doc("Time when missed offers ended it.", MOMENT)]
    offered: SeatOffered | None
    games: tuple[str, ...]
    rests: Annotated[bool, doc("Does it look for nobody until `since`, because its person declined a seat?")]

    @property
    def searches(self) -> bool:
        """Does it look for people now?"""
        return not (self.ended_at or self.rests or self.offered) and len(self.games) < self.wanted.at_once


# ==== making one ==================================================================================
def add(conn: Connection, titles: Mapping[str, Title], person_id: int, wanted: WantedGame, at: int) -> int:
    """Add a wish, and return its number. Raises `BadWish` and `TooMany`. The same wish again is the one before."""
    wanted = _in_order(titles, wanted)
    mine = WISHES.c.person_id == person_id, WISHES.c.ended_at.is_(None)
    known = conn.execute(select(WISHES).where(*mine)).all()
    same = next((row.id for row in known if _wanted(row) == wanted), None)
    if same is not None:
        return int(same)
    if len(known) >= MOST:
        raise TooMany("wishes")
    values = msgspec.to_builtins(wanted) | {"person_id": person_id, "since": at, "missed": 0}
    return int(conn.execute(insert(WISHES).values(values)).inserted_primary_key[0])  # type: ignore[index]


def _in_order(titles: Mapping[str, Title], wanted: WantedGame) -> WantedGame:
    """Return the wish with its choices in order, each once. Raises `BadWish` for choices that there are not."""
    possible: dict[str, Any] = {
        "titles": tuple(titles), "paces": PACES, "seats": range(2, 21), "rated": ("yes", "no", "either"),
        "spread": (None, *SPREADS), "finished": FINISHED, "lang": ("", *languages()),
        "at_once": range(1, MOST_AT_ONCE + 1),
    }  # fmt: skip
    for field, among in possible.items():
        given = getattr(wanted, field)
        several = given if isinstance(given, tuple) else (given,)
        if not several or not set(several) <= set(among):
            raise BadWish(field)
    bounds = [titles[it].seating.seats for it in wanted.titles]
    if not any(fewest <= number <= most for fewest, most in bounds for number in wanted.seats):
        raise BadWish("seats")
    ordered = {it: tuple(each for each in possible[it] if each in getattr(wanted, it)) for it in LISTS}
    return msgspec.structs.replace(wanted, **ordered)


LISTS = ("titles", "paces", "seats")


def _wanted(row: Any) -> WantedGame:
    return msgspec.convert({it: getattr(row, it) for it in WantedGame.__struct_fields__}, WantedGame)


# ==== withdrawing one =============================================================================
def withdraw(conn: Connection, person_id: int, number: int) -> bool:
    """Delete a wish of this person. Return False if they have no such wish.

    A seat that is kept for them goes to somebody else. Where they sit already they stay.
    """
    mine = WISHES.c.person_id == person_id, WISHES.c.id == number
    if conn.execute(select(WISHES.c.id).where(*mine).with_for_update()).first() is None:
        return False
    for row in conn.execute(select(KEPT).where(KEPT.c.wish_id == number, KEPT.c.state == "kept")).all():
        kept.release(conn, row.game_id, [person_id])
    conn.execute(delete(WISHES).where(*mine))
    return True


# ==== reading =====================================================================================
def of_person(conn: Connection, person_id: int, at: int) -> list[MyWish]:
    """Return the wishes of a person, the newest first."""
    rows = conn.execute(select(WISHES).where(WISHES.c.person_id == person_id).order_by(WISHES.c.id.desc())).all()
    offered = {row.wish_id: _offered(row) for row in conn.execute(_offers().where(KEPT.c.person_id == person_id))}
    games: dict[int, list[str]] = {}
    for row in conn.execute(going_on().where(KEPT.c.person_id == person_id)):
        games.setdefault(row.wish_id, []).append(row.game_id)
    return [
        MyWish(
            row.id,
            _wanted(row),
            row.since,
            row.ended_at,
            offered.get(row.id),
            tuple(games.get(row.id, ())),
            rests=row.ended_at is None and row.since > at,
        )
        for row in rows
    ]


def offers_to(conn: Connection, person_id: int) -> list[SeatOffered]:
    """Return the seats that are kept for a person who has not sat down yet, the most urgent first."""
    theirs = _offers().where(KEPT.c.person_id == person_id, KEPT.c.state == "kept").order_by(KEPT.c.kept_until)
    return [_offered(row) for row in conn.execute(theirs)]


def _offers() -> Any:
    wanted = select(KEPT, GAMES.c.title).join(GAMES, GAMES.c.id == KEPT.c.game_id)
    return wanted.where(KEPT.c.state.in_(WAITING), GAMES.c.status == "open")


def _offered(row: Any) -> SeatOffered:
    return SeatOffered(row.game_id, row.title, row.seat, row.kept_until, row.state == "sat")


def going_on() -> Any:
    """Return the query of the running games that wishes have led to and that their owners still play."""
    theirs = (SEATS.c.game_id == KEPT.c.game_id) & (SEATS.c.seat == KEPT.c.seat)
    theirs &= (SEATS.c.person_id == KEPT.c.person_id) & SEATS.c.left_at.is_(None)
    games = select(KEPT.c.wish_id, KEPT.c.game_id).join(GAMES, GAMES.c.id == KEPT.c.game_id).join(SEATS, theirs)
    return games.where(KEPT.c.state == "playing", GAMES.c.status == "running")


def last_ends() -> Any:
    """Return the query of the wishes whose games have ended, with the time of the last end."""
    ended = select(KEPT.c.wish_id, func.max(GAMES.c.ended_at).label("at")).join(GAMES, GAMES.c.id == KEPT.c.game_id)
    return ended.where(KEPT.c.state == "playing", KEPT.c.wish_id.is_not(None)).group_by(KEPT.c.wish_id)
