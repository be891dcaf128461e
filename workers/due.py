"""Is it still due? Asked again when a mail's time has come, of the game as it is then.

`why_not` looks into the game; `why_not_by_row` reads the games' rows alone, for a digest of very many games.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, exists, func, select, union

from domain.clock import SeatOpened
from domain.lifecycle import SeatRetired
from domain.messages import Event
from service.database.store import GAMES, NoSuchGame, Store
from service.games import queries
from service.games.clocks import is_paused, time_of
from service.games.deadlines import deadline
from service.games.queries import Seen
from service.notices.owing import OUTBOX, PEOPLE, SEATS, deadline_in
from service.people import addresses, strangers
from service.people.accounts import LINK_LIFE, link_address


def why_not(store: Store, conn: Connection, row: Any, at: int) -> str:
    """Why the mail is not due any more ("" when it is), in words for its recipient."""
    if row.kind in ("address", "confirm"):
        dead = addresses.link_address(store.settings, conn, row.payload, at) is None
        return "the link has expired or was used" if dead else ""
    if row.kind == "moved":
        return ""
    if row.kind == "sign_in":
        gone = at >= row.created_at + LINK_LIFE or link_address(store.settings, conn, row.payload) is None
        return "the link has expired or was used" if gone else ""
    if reason := _gets_no_mail(conn, row):
        return reason
    if row.kind == "invitation" and strangers.never_since(conn, row.address) is not None:
        return "you want no invitations"
    try:
        seen = queries.seen_by(store.load(conn, row.game_id), row.person_id, invited=row.kind == "invitation")
    except NoSuchGame:
        return "the game cannot be seen any more"
    if row.kind == "invitation":
        wanted = seen.game.status == "open" or queries.vacant(seen)
        return "" if wanted else "the game has started or was called off"
    return passed(store, conn, row, seen, at)


def passed(store: Store, conn: Connection, row: Any, seen: queries.Seen, at: int) -> str:
    """Why what a notice of a game tells is news no longer ("" when it is), whichever way it goes to its recipient."""
    if row.kind == "full":
        return _seats_are_filled(seen)
    if row.kind == "left":
        return _seat_is_filled(store, conn, row, seen)
    if row.kind == "seat_lost":
        return "" if seen.seat is None and seen.game.status == "open" else "you have a seat again, or it has begun"
    if seen.seat != row.seat and not (row.seat is None and seen.is_host):  # a host may sit down meanwhile
        return "you have left the table"
    if row.kind == "words":
        return _words_are_there(conn, row, seen)
    if row.kind == "turn":
        return _turn_has_passed(store, conn, row, seen)
    if row.kind == "rewind":
        return _proposal_has_passed(conn, row, seen, at)
    if row.kind == "reminder":
        return _deadline_has_passed(row, seen, at)
    if row.kind == "seat_open":
        return _seat_is_taken(store, conn, row, seen)
    if row.kind in ("paused", "resumed") and is_paused(seen.game) != (row.kind == "paused"):
        return "the game is paused again" if is_paused(seen.game) else "the game goes on"
    if row.kind in ("paused", "resumed") and _is_newer(conn, row):
        return "a later mail tells of it"
    if row.kind == "timed_out" and row.seat in (*queries.away(seen), *queries.vacant(seen)):
        return ""  # a bot may have moved for them since
    if row.kind in ("rewound", "timed_out", "resumed") and seen.game.own.get(row.seat, 0) > row.ply:
        return "you have acted since"
    if row.kind in ("started", "rewound", "resumed"):
        return "" if seen.game.status == "running" else "the game is over"
    return ""


def _seats_are_filled(seen: queries.Seen) -> str:
    """Why a full table is no news for its host any more."""
    if seen.game.status != "open":
        return "the game has started or was called off"
    full = seen.game.table is not None and seen.game.table.full
    return "" if full else "somebody has left since"


def _seat_is_filled(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> str:
    """Why it is no news for the host any more that somebody has left: before the start, or the running game."""
    if seen.game.status not in ("open", "running"):
        return "the game is over"
    retired = any(isinstance(event, SeatRetired) for event in events_of(store, conn, row, seen))
    if seen.game.status == "running":
        return "" if retired else "the game has started or was called off"
    full = seen.game.table is not None and seen.game.table.full
    return "the seat is taken again" if full else ""


def events_of(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> Sequence[Event]:
    """What happened with the ply of a notice."""
    ((_, ply),) = store.plies(conn, row.game_id, seen.title, row.ply - 1, row.ply)
    return ply.events


def _gets_no_mail(conn: Connection, row: Any) -> str:
    """Whether the recipient has stopped all mail, is shut out, or is gone. Who was never here may be invited."""
    recipient = PEOPLE.c.email == row.address if row.person_id is None else PEOPLE.c.id == row.person_id
    known = conn.execute(select(PEOPLE.c.mail_stopped_at, PEOPLE.c.blocked_at).where(recipient)).one_or_none()
    if known is None:
        return STOPPED if row.person_id is not None else ""
    return _why_none(known)


STOPPED = "you have stopped all mail"


def _why_none(person: Any) -> str:
    if person.blocked_at is not None:
        return "you are blocked"
    return STOPPED if person.mail_stopped_at is not None else ""


def _turn_has_passed(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> str:
    if row.seat not in seen.game.asked:
        return "the turn is over"
    if seen.game.own.get(row.seat, 0) > row.ply and _has_moved(store, conn, row, seen):
        return "you have moved since"
    return "a later mail tells of this turn" if _is_newer(conn, row) else ""


def _has_moved(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> bool:
    """Whether the seat has done more since than what changes nothing for it: refusing to go back is no move."""
    later = store.plies(conn, row.game_id, seen.title, row.ply)
    return any(ply.seat == row.seat and not ply.quiet for _, ply in later)


def _words_are_there(conn: Connection, row: Any, seen: queries.Seen) -> str:
    if seen.game.status != "open" or row.seat not in seen.game.asked:
        return "you have done it"
    return "a later mail tells of it" if _is_newer(conn, row) else ""


def _proposal_has_passed(conn: Connection, row: Any, seen: queries.Seen, at: int) -> str:
    proposal = queries.rewind(seen, at)
    if proposal is None:
        return "the proposal no longer stands"
    if row.seat not in proposal.missing:
        return "you have agreed already"
    return "a later mail tells of the proposal" if _is_newer(conn, row) else ""


def _deadline_has_passed(row: Any, seen: queries.Seen, at: int) -> str:
    due = deadline(seen.game, row.seat)
    if due is None:
        return "the turn is over"
    if due != deadline_in(row.key):
        return "the deadline has moved"
    return "the time is over" if due <= at else ""


def _seat_is_taken(store: Store, conn: Connection, row: Any, seen: queries.Seen) -> str:
    time = time_of(seen.game)
    vacant = time.vacant if time else ()
    return "" if opened(store, conn, row, seen) in vacant else "the seat is taken"


def _is_newer(conn: Connection, row: Any) -> bool:
    """Whether a later mail of the same kind is owed to the same person, or was."""
    newer = select(exists().where(
        OUTBOX.c.game_id == row.game_id, OUTBOX.c.person_id == row.person_id, OUTBOX.c.kind == row.kind,
        OUTBOX.c.ply > row.ply,
    ))  # fmt: skip
    return bool(conn.execute(newer).scalar_one())


# ==== by the games' rows ==========================================================================
_THERE = SEATS.alias()
_TAKEN = select(func.count()).select_from(_THERE).where(_THERE.c.game_id == GAMES.c.id).scalar_subquery()
_ROWS = select(
    GAMES.c.id, GAMES.c.title, GAMES.c.name, GAMES.c.status, GAMES.c.asked, GAMES.c.version, GAMES.c.head,
    GAMES.c.moved_at, GAMES.c.paused, GAMES.c.seats, _TAKEN.label("taken"),
)  # fmt: skip


def games_of(conn: Connection, person_id: int) -> dict[str, Any]:
    """The rows of all games that this person plays or hosts, in one read; beside the columns, ``seat`` (or None)."""
    sits = (SEATS.c.game_id == GAMES.c.id) & (SEATS.c.person_id == person_id)
    theirs = union(  # each by its own index
        select(SEATS.c.game_id).where(SEATS.c.person_id == person_id),
        select(GAMES.c.id).where(GAMES.c.host_id == person_id),
    )
    mine = _ROWS.add_columns(SEATS.c.seat, SEATS.c.left_at).outerjoin(SEATS, sits).where(GAMES.c.id.in_(theirs))
    rows = conn.execute(mine).all()
    # Who has left a seat and sits at another of the same table is asked there.
    return {row.id: row for row in sorted(rows, key=lambda row: row.left_at is None)}


def why_not_by_row(conn: Connection, rows: Sequence[Any], games: dict[str, Any]) -> dict[int, str]:
    """Why those of one person's ``rows`` that are not due any more are not, by id; what only a fold knows is not asked.

    So who has moved in a turn that is still theirs is told that it is: it is true, and they may have forgotten.
    """
    theirs = select(PEOPLE.c.mail_stopped_at, PEOPLE.c.blocked_at).where(PEOPLE.c.id == rows[0].person_id)
    person = conn.execute(theirs).one_or_none()
    if person is not None and (reason := _why_none(person)):
        return {row.id: reason for row in rows}
    newest = {(row.game_id, row.kind): row.ply for row in sorted(rows, key=lambda row: row.ply)}
    reasons = ((row.id, _row_says(row, games.get(row.game_id), newest)) for row in rows)
    return {each: reason for each, reason in reasons if reason}


def _row_says(row: Any, game: Any, newest: dict[tuple[str, str], int]) -> str:
    if game is None or row.seat not in (game.seat, None):
        return "you have left the table"
    if row.kind in ("full", "left"):
        return _host_hears_by_row(row, game)
    if row.kind in ONLY_WHILE_RUNNING and game.status != "running":
        return "the game is over"
    if row.kind in ("turn", "reminder", "words") and row.seat not in game.asked:
        return "the turn is over"
    if row.kind in ("paused", "resumed") and game.paused != (row.kind == "paused"):
        return "the game is paused again" if game.paused else "the game goes on"
    return "a later mail tells of this turn" if newest[row.game_id, row.kind] > row.ply else ""


def _host_hears_by_row(row: Any, game: Any) -> str:
    if game.status not in ("open", "running"):
        return "the game is over"
    if row.kind == "full" and game.status == "running":
        return "the game has started or was called off"
    if row.kind == "full":
        return "" if _is_full(game) else "somebody has left since"
    return "the seat is taken again" if game.status == "open" and _is_full(game) else ""


def _is_full(game: Any) -> bool:
    return bool(game.taken == game.seats)


ONLY_WHILE_RUNNING = ("turn", "started", "rewind", "rewound", "seat_open", "paused", "resumed")


def opened(store: Store, conn: Connection, row: Any, seen: Seen) -> int:
    """The seat that opened with the ply of a notice."""
    ((_, ply),) = store.plies(conn, row.game_id, seen.title, row.ply - 1, row.ply)
    return next(event.seat for event in ply.events if isinstance(event, SeatOpened))
