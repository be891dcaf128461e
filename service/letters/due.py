"""Is it still due? What is asked again when a mail's time has come, of the game as it is then.

A function for each kind says why it is news no longer ("" when it is), in words for its recipient; `by_kind` names
them. `why_not_by_row` reads the games' rows alone, for a digest of very many games.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, exists, func, select, union

from domain.chain import Ply
from domain.clock import SeatOpened
from domain.lifecycle import SeatRetired
from domain.messages import Event
from domain.report import Description
from service.database.store import GAMES, Store
from service.games import queries
from service.games.clocks import is_paused, time_of
from service.games.deadlines import deadline
from service.games.queries import Seen
from service.notices.kinds import kind_of
from service.notices.owing import OUTBOX, PEOPLE, SEATS, deadline_in
from service.people import addresses, strangers
from service.people.accounts import LINK_LIFE, link_address
from service.post import inbox
from service.words import ENGLISH


class Case:
    """A notice whose time has come: its row of the outbox, or what a call to a webhook tells of it.

    ``seen``: its game as its recipient sees it; raises `NoSuchGame` where they cannot. ``lang``: the recipient's.
    ``message_id``: of the mail that tells of it.
    """

    def __init__(
        self,
        store: Store,
        conn: Connection,
        row: Any,
        at: int,
        *,
        lang: str = ENGLISH,
        seen: Seen | None = None,
        message_id: str | None = None,
    ) -> None:
        self.store, self.conn, self.row, self.at = store, conn, row, at
        self._lang, self._seen, self._message_id = lang, seen, message_id

    @property
    def message_id(self) -> str:
        return self._message_id or str(self.row.message_id)

    @property
    def seen(self) -> Seen:
        if self._seen is None:
            answered = self.row.payload.get("transcript", {}) if self.row.kind == "receipt" else {}
            invited = kind_of(self.row.kind).to == "guest" or self.row.person_id is None or answered.get("guest", False)
            stored = self.store.load(self.conn, self.row.game_id)
            self._seen = queries.seen_by(stored, self.row.person_id, invited=invited, lang=self._lang)
        return self._seen

    @cached_property
    def described(self) -> Description:
        """The position as its recipient sees it, in words. (The game has begun.)"""
        return self.seen.title.face.report(queries.view(self.seen))

    @property
    def events(self) -> Sequence[Event]:
        """What happened with the ply of the notice."""
        return self.ply.events

    @property
    def ply(self) -> Ply:
        ((_, ply),) = self.store.plies(self.conn, self.row.game_id, self.seen.title, self.row.ply - 1, self.row.ply)
        return ply


# ==== what is news no longer, kind by kind ========================================================
def never(it: Case) -> str:
    """It tells what has happened, and stays true."""
    return ""


def receipt(it: Case) -> str:
    """True for ever, but for who may not see its game any more. What was refused has forgotten what it had to say."""
    if "transcript" not in it.row.payload:
        return FORGOTTEN
    if it.row.game_id:
        _ = it.seen
    return ""


FORGOTTEN = "what it had to say is forgotten"


def link(it: Case) -> str:
    gone = it.at >= it.row.created_at + LINK_LIFE or link_address(it.store.settings, it.conn, it.row.payload) is None
    return LINK_GONE if gone else ""


def address_link(it: Case) -> str:
    dead = addresses.link_address(it.store.settings, it.conn, it.row.payload, it.at) is None
    return LINK_GONE if dead else ""


def draft(it: Case) -> str:
    mail = inbox.by_content(it.conn, it.row.key)
    if mail is None or mail.what != inbox.DRAFT:
        return "you have confirmed it"
    return LINK_GONE if it.at >= it.row.payload["expires"] else ""


LINK_GONE = "the link has expired or was used"


def invitation(it: Case) -> str:
    if strangers.never_since(it.conn, it.row.address) is not None:
        return "you want no invitations"
    wanted = it.seen.game.status == "open" or queries.vacant(it.seen)
    return "" if wanted else "the game has started or was called off"


def full(it: Case) -> str:
    if it.seen.game.status != "open":
        return "the game has started or was called off"
    table = it.seen.game.table
    return "" if table is not None and table.full else "somebody has left since"


def left(it: Case) -> str:
    """Before the start, or in the running game."""
    game = it.seen.game
    if game.status not in ("open", "running"):
        return "the game is over"
    retired = any(isinstance(event, SeatRetired) for event in it.events)
    if game.status == "running":
        return "" if retired else "the game has started or was called off"
    return "the seat is taken again" if game.table is not None and game.table.full else ""


def seat_lost(it: Case) -> str:
    return "" if it.seen.seat is None and it.seen.game.status == "open" else "you have a seat again, or it has begun"


def turn(it: Case) -> str:
    if it.row.seat not in it.seen.game.asked:
        return "the turn is over"
    if it.seen.game.last_of.get(it.row.seat, 0) > it.row.ply and _has_moved(it):
        return "you have moved since"
    return "a later mail tells of this turn" if _is_newer(it) else ""


def _has_moved(it: Case) -> bool:
    """Whether the seat has done more since than what changes nothing for it: refusing to go back is no move."""
    later = it.store.plies(it.conn, it.row.game_id, it.seen.title, it.row.ply)
    return any(ply.seat == it.row.seat and not ply.quiet for _, ply in later)


def words(it: Case) -> str:
    if it.seen.game.status != "open" or it.row.seat not in it.seen.game.asked:
        return "you have done it"
    return "a later mail tells of it" if _is_newer(it) else ""


def rewind(it: Case) -> str:
    proposal = queries.rewind(it.seen, it.at)
    if proposal is None:
        return "the proposal no longer stands"
    if it.row.seat not in proposal.missing:
        return "you have agreed already"
    return "a later mail tells of the proposal" if _is_newer(it) else ""


def reminder(it: Case) -> str:
    due = deadline(it.seen.game, it.row.seat)
    if due is None:
        return "the turn is over"
    if due != deadline_in(it.row.key):
        return "the deadline has moved"
    return "the time is over" if due <= it.at else ""


def sooner(it: Case) -> str:
    if deadline(it.seen.game, it.row.seat) is None:
        return "the turn is over"
    return "a later mail tells of it" if _is_newer(it) else _has_acted(it)


def seat_open(it: Case) -> str:
    time = time_of(it.seen.game)
    vacant = time.vacant if time else ()
    return "" if opened(it) in vacant else "the seat is taken"


def opened(it: Case) -> int:
    """The seat that opened with the ply of a notice."""
    return next(event.seat for event in it.events if isinstance(event, SeatOpened))


def paused(it: Case) -> str:
    if not is_paused(it.seen.game):
        return "the game goes on"
    return "a later mail tells of it" if _is_newer(it) else ""


def resumed(it: Case) -> str:
    if is_paused(it.seen.game):
        return "the game is paused again"
    return "a later mail tells of it" if _is_newer(it) else _has_acted(it) or running(it)


def timed_out(it: Case) -> str:
    if it.row.seat in (*queries.away(it.seen), *queries.vacant(it.seen)):
        return ""  # a bot may have moved for them since
    return _has_acted(it)


def rewound(it: Case) -> str:
    return _has_acted(it) or running(it)


def running(it: Case) -> str:
    return "" if it.seen.game.status == "running" else "the game is over"


def _has_acted(it: Case) -> str:
    return "you have acted since" if it.seen.game.last_of.get(it.row.seat, 0) > it.row.ply else ""


def _is_newer(it: Case) -> bool:
    """Whether a later mail of the same kind is owed to the same person, or was."""
    newer = select(
        exists().where(
            OUTBOX.c.game_id == it.row.game_id,
            OUTBOX.c.person_id == it.row.person_id,
            OUTBOX.c.kind == it.row.kind,
            OUTBOX.c.ply > it.row.ply,
        )
    )
    return bool(it.conn.execute(newer).scalar_one())


# ==== what ends any notice ========================================================================
def left_the_table(it: Case) -> str:
    """Whoever has no seat there any more hears nothing more of it, but that they lost it."""
    if kind_of(it.row.kind).to != "seat":
        return ""
    as_host = it.row.seat is None and it.seen.is_host  # a host may sit down meanwhile
    return "" if it.seen.seat == it.row.seat or as_host else GONE


GONE = "you have left the table"


def gets_no_mail(conn: Connection, row: Any) -> str:
    """Whether the recipient has stopped all mail, is shut out, or is gone. A stranger may be invited.

    Who writes to us is answered, whatever they have stopped.
    """
    recipient = PEOPLE.c.email == row.address if row.person_id is None else PEOPLE.c.id == row.person_id
    known = conn.execute(select(PEOPLE.c.mail_stopped_at, PEOPLE.c.blocked_at).where(recipient)).one_or_none()
    if known is None:
        return STOPPED if row.person_id is not None else ""
    reason = _why_none(known)
    return "" if reason == STOPPED and kind_of(row.kind).to == "writer" else reason


STOPPED = "you have stopped all mail"


def _why_none(person: Any) -> str:
    if person.blocked_at is not None:
        return "you are blocked"
    return STOPPED if person.mail_stopped_at is not None else ""


# ==== by the games' rows ==========================================================================
_THERE = SEATS.alias()
_TAKEN = select(func.count()).select_from(_THERE).where(_THERE.c.game_id == GAMES.c.id).scalar_subquery()
_ROWS = select(
    GAMES.c.id,
    GAMES.c.title,
    GAMES.c.name,
    GAMES.c.status,
    GAMES.c.asked,
    GAMES.c.version,
    GAMES.c.head,
    GAMES.c.moved_at,
    GAMES.c.paused,
    GAMES.c.seats,
    _TAKEN.label("taken"),
)


def games_of(conn: Connection, person_id: int) -> dict[str, Any]:
    """The rows of all games that this person plays or hosts, in one read; beside the columns, ``seat`` (or None)."""
    sits = (SEATS.c.game_id == GAMES.c.id) & (SEATS.c.person_id == person_id)
    theirs = union(  # each by its own index
        select(SEATS.c.game_id).where(SEATS.c.person_id == person_id),
        select(GAMES.c.id).where(GAMES.c.host_id == person_id),
    )
    mine = _ROWS.add_columns(SEATS.c.seat, SEATS.c.left_at).outerjoin(SEATS, sits).where(GAMES.c.id.in_(theirs))
    rows = conn.execute(mine).all()
    # A player who has left a seat and sits at another of the same table is asked there.
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
        return GONE
    kind = kind_of(row.kind)
    if kind.to == "host":
        return _host_hears_by_row(row, game)
    if kind.running and game.status != "running":
        return "the game is over"
    if kind.asks and row.seat not in game.asked:
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
