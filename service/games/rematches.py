"""Rematches: a new table for the players of a finished game, with the same options, pace, offer and bots.

A finished game has one such table: the player who asks first opens it and becomes its host, the others find it. It
admits people with its invitation, which the other players get by email and on the page of the finished game. All
players move on by one seat, so that another player begins, and everybody has the same neighbours. The game starts by
itself when all have sat down.
"""

import logging
import re
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from domain.refusal import Refused
from service.base import hints, links
from service.base.clock import DAY
from service.base.names import LONGEST_OF_TABLE
from service.database.compiled import Compiled
from service.database.store import GAMES, PERSONS, SEATS, Store
from service.database.work import Work
from service.games import lobby, offers, opening, rights
from service.games.lobby import REMATCHES, seat_after
from service.games.queries import Seen
from service.games.rights import Asking, ByPerson, ByService, must_be
from service.notices import owing
from service.people import acquaintances
from service.people.strangers import NotInvited

log = logging.getLogger(__name__)

LASTS = 14 * DAY
"""The time after which a table that has not begun is closed."""


class RematchTable(msgspec.Struct, frozen=True):
    """The table of a rematch. ``invite``: its invitation. ``seat``: the caller's; None: seal words first."""

    game_id: str
    invite: str
    seat: int | None


# ==== asking ======================================================================================
def ask(work: Work, actor: Asking, game_id: str, *, at: int | None = None) -> RematchTable:
    """Open the table of a rematch, or find it, and sit down there. Raises `Refused`, `Forbidden`, `NoSuchGame`."""
    seen, _seat = rights.see_own(work, actor, game_id)
    person_id = must_be(actor, "host")
    assert isinstance(actor, ByPerson)  # the bearer of a link may not
    if seen.game.status != "over":
        raise Refused("ST 1", "A rematch is possible when the game is over.")
    at = work.store.now() if at is None else at
    next_id = _open_id(work, game_id) or _opened(work, actor, seen, person_id, at)
    stored = work.game(next_id)
    invite = links.invitation(work.store.settings, next_id, stored.row.invites)
    comes = msgspec.structs.replace(actor, invite=invite)
    if stored.row.host_id == person_id:
        _seat_bots(work, comes, seen, next_id, at)
    seat = _seated(work, comes, next_id, at)
    lobby.begin(work, next_id, at=at)  # a process may have died before the start
    return RematchTable(next_id, invite, seat)


def _open_id(work: Work, game_id: str) -> str | None:
    """Return the table of the rematch, unless it was closed."""
    with work.store.read() as conn:
        known = following(conn, game_id)
    return None if known is None or known.status == "cancelled" else str(known.id)


def _opened(work: Work, actor: ByPerson, seen: Seen, person_id: int, at: int) -> str:
    """Open the table, unless another player is faster. Return its id."""
    table, row = seen.table, seen.row
    with work.reading() as conn:
        offer = offers.of(conn, row.id)

    def also(conn: Connection, next_id: str) -> None:
        closed = select(GAMES.c.id).where(GAMES.c.status == "cancelled")
        conn.execute(delete(REMATCHES).where(REMATCHES.c.game_id == row.id, REMATCHES.c.next_id.in_(closed)))
        conn.execute(insert(REMATCHES), {"game_id": row.id, "next_id": next_id})
        _invite(conn, work, row.id, next_id, person_id, at)

    try:
        opened = opening.open_table(
            work,
            actor,
            title=row.title,
            options=msgspec.json.decode(table.options),
            seats=table.seats,
            name=next_name(row.name),
            public=row.public,
            settle_ms=table.settle,
            pace=table.pace,
            sealed=table.sealed is not None,
            rated=row.rated,
            offer=offer,
            by_invitation=True,
            also=also,
            at=at,
        )
    except IntegrityError:
        if (faster := _open_id(work, row.id)) is None:
            raise
        return faster
    hints.wake("outbox")
    return opened.game_id


def _invite(conn: Connection, work: Work, game_id: str, next_id: str, by: int, at: int) -> None:
    """Owe each other player of a finished game an invitation, unless one of the two blocks the other."""
    people = select(PERSONS.c.id, PERSONS.c.email, PERSONS.c.lang).join(SEATS, SEATS.c.person_id == PERSONS.c.id)
    for it in conn.execute(people.where(SEATS.c.game_id == game_id, PERSONS.c.id != by).order_by(SEATS.c.seat)).all():
        if acquaintances.keep_apart(conn, by, [it.id]):
            continue
        given = {"number": 0, "address": it.email, "by": by, "lang": it.lang, "at": at, "again": game_id}
        try:
            owing.invite(conn, work.store.settings, game_id=next_id, **given)
        except NotInvited:
            log.info("not invited to a rematch", extra={"game": next_id})


def _seat_bots(work: Work, host: ByPerson, seen: Seen, next_id: str, at: int) -> None:
    """Seat the bots of the finished game that do not sit yet, if their seats are free."""
    for it in seen.stored.seats:
        chairs = work.game(next_id).game.table
        assert chairs is not None
        seat = seat_after(it.seat, chairs.seats)
        if it.bot is not None and it.person_id is None and it.erased_at is None and seat not in chairs.chairs:
            lobby.seat_bot(work, host, next_id, it.bot, seat=seat, at=at)


def _seated(work: Work, comes: ByPerson, next_id: str, at: int) -> int | None:
    """Seat the caller, if they do not sit yet and bring no sealed words. Return their seat."""
    seen = rights.see(work, comes, next_id)
    if seen.seat is not None or seen.game.status != "open":
        return seen.seat
    if seen.table.sealed is not None:
        with work.reading() as conn:
            lobby.must_be_welcome(conn, seen)
        return None
    try:
        return lobby.join(work, comes, next_id, choice={}, at=at)[1]
    except Refused:
        work.forget(next_id)
        if (seat := rights.see(work, comes, next_id).seat) is None:
            raise
        return seat  # the button was pressed twice


def next_name(name: str) -> str:
    """Return the name of a rematch: "Monday trains" is followed by "Monday trains (2)", "(3)" and so on."""
    numbered = re.fullmatch(r"(.*) \((\d{1,3})\)", name)
    bare, number = (numbered[1], int(numbered[2]) + 1) if numbered else (name, 2)
    behind = f" ({number})"
    return bare[: LONGEST_OF_TABLE - len(behind)].rstrip() + behind


# ==== reading =====================================================================================
_FOLLOWING = Compiled(
    select(GAMES).join(REMATCHES, REMATCHES.c.next_id == GAMES.c.id).where(REMATCHES.c.game_id == bindparam("game"))
)


def following(conn: Connection, game_id: str) -> Any:
    """Return the row of the table on which the players of a game play again, or None."""
    return _FOLLOWING.row(conn, game=game_id)


def before(conn: Connection, game_id: str) -> str | None:
    """Return the id of the finished game whose players play again at a table, or None."""
    return conn.execute(select(REMATCHES.c.game_id).where(REMATCHES.c.next_id == game_id)).scalar_one_or_none()


class RematchOffer(msgspec.Struct, frozen=True):
    """The way from a finished game to its rematch. ``table``: its row, if it is open; None: the reader may ask for one.

    ``sits``: the reader has a seat there. ``invite``: the invitation to it, for other players of the finished game.
    """

    table: Any = None
    sits: bool = False
    invite: str = ""


def offer(work: Work, seen: Seen) -> RematchOffer | None:
    """Return the way to a rematch for the reader of a finished game; None if there is none for them.

    A player who blocks somebody there, or is blocked, sees a table only if everybody may see it.
    """
    if seen.game.status != "over":
        return None
    plays = seen.seat is not None and not seen.by_link
    with work.store.read_autocommit() as conn:
        table = following(conn, seen.game.id)
    if table is None or table.status == "cancelled":
        return RematchOffer() if plays else None
    with work.reading() as conn:
        return _to(work, conn, seen, table, plays)


def _to(work: Work, conn: Connection, seen: Seen, table: Any, plays: bool) -> RematchOffer | None:
    """Return the way to the table of a rematch. ``plays``: the reader has played the finished game."""
    people = set(conn.scalars(select(SEATS.c.person_id).where(SEATS.c.game_id == table.id))) | {table.host_id}
    if plays and seen.viewer in people:
        return RematchOffer(table, sits=True)
    apart = plays and acquaintances.keep_apart(conn, seen.viewer or 0, people - {None})
    if plays and not apart and table.status == "open":
        return RematchOffer(table, invite=links.invitation(work.store.settings, table.id, table.invites))
    return RematchOffer(table) if table.public else None


# ==== the end =====================================================================================
def close_old(store: Store, at: int) -> int:
    """Close the tables of rematches that have not begun in time. Return their number."""
    old = select(GAMES.c.id).join(REMATCHES, REMATCHES.c.next_id == GAMES.c.id)
    with store.read() as conn:
        ids = list(conn.scalars(old.where(GAMES.c.status == "open", GAMES.c.created_at <= at - LASTS)))
    for game_id in ids:
        try:
            lobby.cancel(Work(store), ByService(), game_id, at=at)
        except Refused:  # it has just begun, or was closed
            log.debug("the table %s is not open any more", game_id)
    return len(ids)
