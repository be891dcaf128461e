"""The check whether a mail is still due, repeated on the present game when its time has come.

A function for each kind returns the reason why it is out of date, in words for its recipient, or None if it is still
due; `by_kind` names them. `why_not_by_row` reads only the rows of games, for a digest of very many games.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, union

from domain.chain import Ply
from domain.clock import SeatOpened
from domain.lifecycle import SeatRetired
from domain.messages import Event
from domain.report import Description
from domain.words import Sentence
from service.database.compiled import Compiled
from service.database.store import GAMES, Store
from service.games import kept, queries, talk_mail
from service.games.clocks import is_paused, time_of
from service.games.deadlines import deadline
from service.games.queries import Seen
from service.games.talk import ROOMS, LineRead
from service.notices.kinds import kind_of
from service.notices.owing import OUTBOX, PEOPLE, SEATS, deadline_in
from service.people import addresses, strangers
from service.people.accounts import LINK_LIFE, link_address
from service.post import inbox
from service.words import ENGLISH

Reason = Sentence | None
"""The reason why a notice is no longer due; None if it is."""


class Case:
    """A notice whose time has come: its outbox row, or the matching facts of a webhook call.

    ``seen``: its game as its recipient sees it; raises `NoSuchGame` if they cannot. ``lang``: the recipient's.
    ``message_id``: of its mail.
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
        """The position in words, as its recipient sees it. The game must have begun."""
        return self.seen.title.face.report(queries.view(self.seen))

    @property
    def events(self) -> Sequence[Event]:
        """The events of the notice's ply."""
        return self.ply.events

    @property
    def ply(self) -> Ply:
        ((_, ply),) = self.store.plies(self.conn, self.row.game_id, self.seen.title, self.row.ply - 1, self.row.ply)
        return ply


# ==== reasons by kind =============================================================================
def never(it: Case) -> Reason:
    """Always due: it reports an event, which stays true."""
    return None


def receipt(it: Case) -> Reason:
    """Due if its recipient may still see the game. A refused answer has no stored text."""
    if "transcript" not in it.row.payload:
        return FORGOTTEN
    if it.row.game_id:
        _ = it.seen
    return None


FORGOTTEN = Sentence("its content is no longer available")


def link(it: Case) -> Reason:
    gone = it.at >= it.row.created_at + LINK_LIFE or link_address(it.store.settings, it.conn, it.row.payload) is None
    return LINK_GONE if gone else None


def address_link(it: Case) -> Reason:
    dead = addresses.link_address(it.store.settings, it.conn, it.row.payload, it.at) is None
    return LINK_GONE if dead else None


def draft(it: Case) -> Reason:
    mail = inbox.by_content(it.conn, it.row.key)
    if mail is None or mail.what != inbox.DRAFT:
        return Sentence("you have confirmed it")
    return LINK_GONE if it.at >= it.row.payload["expires"] else None


LINK_GONE = Sentence("the link has expired or was used")


def invitation(it: Case) -> Reason:
    if strangers.never_since(it.conn, it.row.address) is not None:
        return Sentence("you want no invitations")
    wanted = it.seen.game.status == "open" or queries.vacant(it.seen)
    return None if wanted else Sentence("the game has started or was called off")


def full(it: Case) -> Reason:
    if it.seen.game.status != "open":
        return Sentence("the game has started or was called off")
    table = it.seen.game.table
    return None if table is not None and table.full else Sentence("somebody has left since")


def left(it: Case) -> Reason:
    """Due before the start and in the running game."""
    game = it.seen.game
    if game.status not in ("open", "running"):
        return Sentence("the game is over")
    retired = any(isinstance(event, SeatRetired) for event in it.events)
    if game.status == "running":
        return None if retired else Sentence("the game has started or was called off")
    return Sentence("the seat is taken again") if game.table is not None and game.table.full else None


def seat_lost(it: Case) -> Reason:
    wanted = it.seen.seat is None and it.seen.game.status == "open"
    return None if wanted else Sentence("you have a seat again, or the game has begun")


def turn(it: Case) -> Reason:
    if it.row.seat not in it.seen.game.asked:
        return Sentence("the turn is over")
    if it.seen.game.last_of.get(it.row.seat, 0) > it.row.ply and _has_moved(it):
        return Sentence("you have moved since")
    return Sentence("a later email covers this turn") if _is_newer(it) else None


def _has_moved(it: Case) -> bool:
    """Has the seat moved since? Plies that change nothing for it, such as refusing a rewind, do not count."""
    later = it.store.plies(it.conn, it.row.game_id, it.seen.title, it.row.ply)
    return any(ply.seat == it.row.seat and not ply.quiet for _, ply in later)


def words(it: Case) -> Reason:
    if it.seen.game.status != "open" or it.row.seat not in it.seen.game.asked:
        return Sentence("you have already done it")
    return Sentence("a later email says the same") if _is_newer(it) else None


def rewind(it: Case) -> Reason:
    proposal = queries.rewind(it.seen, it.at)
    if proposal is None:
        return Sentence("the proposal no longer applies")
    if it.row.seat not in proposal.missing:
        return Sentence("you have already agreed")
    return Sentence("a later email covers the proposal") if _is_newer(it) else None


def reminder(it: Case) -> Reason:
    due = deadline(it.seen.game, it.row.seat)
    if due is None:
        return Sentence("the turn is over")
    if due != deadline_in(it.row.key):
        return Sentence("the deadline has changed")
    return Sentence("time is up") if due <= it.at else None


def sooner(it: Case) -> Reason:
    if deadline(it.seen.game, it.row.seat) is None:
        return Sentence("the turn is over")
    return Sentence("a later email says the same") if _is_newer(it) else _has_acted(it)


def seat_open(it: Case) -> Reason:
    time = time_of(it.seen.game)
    vacant = time.vacant if time else ()
    return None if opened(it) in vacant else Sentence("the seat is taken")


def opened(it: Case) -> int:
    """Return the seat that was opened by a notice's ply."""
    return next(event.seat for event in it.events if isinstance(event, SeatOpened))


def paused(it: Case) -> Reason:
    if not is_paused(it.seen.game):
        return Sentence("the game goes on")
    return Sentence("a later email says the same") if _is_newer(it) else None


def resumed(it: Case) -> Reason:
    if is_paused(it.seen.game):
        return Sentence("the game is paused again")
    return Sentence("a later email says the same") if _is_newer(it) else _has_acted(it) or running(it)


def timed_out(it: Case) -> Reason:
    if it.row.seat in (*queries.away(it.seen), *queries.vacant(it.seen)):
        return None  # a bot may have moved for them since
    return _has_acted(it)


def rewound(it: Case) -> Reason:
    return _has_acted(it) or running(it)


def talk(it: Case) -> Reason:
    """Due if there are lines that its reader does not know, and that mention them or that they wish to know."""
    found = unread_talk(it, ENGLISH)
    wanted = found and talk_mail.wants_all(it.conn, it.row.person_id)
    wanted = wanted or any(talk_mail.mentions(it.seen, line) for line in found)
    return None if wanted else Sentence("you have read it, or it is gone")


def unread_talk(it: Case, lang: str) -> list[LineRead]:
    """Return the lines of a notice's room that its reader does not know."""
    room = next(room for room in ROOMS if it.row.key.startswith(f"{room}."))
    return talk_mail.fresh(it.conn, it.store.settings, it.seen, room, lang, it.at)


def seat_kept(it: Case) -> Reason:
    state = kept.state_of(it.conn, it.row.game_id, it.row.person_id)
    if state in ("sat", "playing"):
        return Sentence("you have sat down")
    return None if state == "kept" else Sentence("the seat is no longer kept for you")


def running(it: Case) -> Reason:
    return None if it.seen.game.status == "running" else Sentence("the game is over")


def _has_acted(it: Case) -> Reason:
    return Sentence("you have acted since") if it.seen.game.last_of.get(it.row.seat, 0) > it.row.ply else None


def _is_newer(it: Case) -> bool:
    """Does the same person have a later mail of the same kind, owed or sent?"""
    row = it.row
    return bool(_NEWER.rows(it.conn, game=row.game_id, person=row.person_id, kind_of_it=row.kind, since=row.ply))


_NEWER = Compiled(
    select(OUTBOX.c.id)
    .where(
        OUTBOX.c.game_id == bindparam("game"),
        OUTBOX.c.person_id == bindparam("person"),
        OUTBOX.c.kind == bindparam("kind_of_it"),
        OUTBOX.c.ply > bindparam("since"),
    )
    .limit(1)
)


# ==== reasons for all kinds =======================================================================
def left_the_table(it: Case) -> Reason:
    """People without a seat there get no more notices, except about its loss."""
    if kind_of(it.row.kind).to != "seat":
        return None
    as_host = it.row.seat is None and it.seen.is_host  # a host may sit down meanwhile
    return None if it.seen.seat == it.row.seat or as_host else GONE


GONE = Sentence("you have left the table")


def gets_no_mail(conn: Connection, row: Any) -> Reason:
    """Return the reason if the recipient has stopped all mail, is shut out, or is erased. A stranger may be invited.

    A person who writes to us gets an answer even if they have stopped all mail.
    """
    if row.person_id is None:
        known = conn.execute(_STOPS.where(PEOPLE.c.email == row.address)).one_or_none()
    else:
        known = _STOPS_OF.row(conn, person=row.person_id)
    if known is None:
        return STOPPED if row.person_id is not None else None
    reason = _why_none(known)
    return None if reason == STOPPED and kind_of(row.kind).to == "writer" else reason


_STOPS = select(PEOPLE.c.mail_stopped_at, PEOPLE.c.blocked_at)
_STOPS_OF = Compiled(_STOPS.where(PEOPLE.c.id == bindparam("person")))
STOPPED = Sentence("you have stopped all email")


def _why_none(person: Any) -> Reason:
    if person.blocked_at is not None:
        return Sentence("you are blocked")
    return STOPPED if person.mail_stopped_at is not None else None


# ==== checks by rows ==============================================================================
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
    """Return the rows of all games that this person plays or hosts, in one read, with ``seat`` (or None)."""
    sits = (SEATS.c.game_id == GAMES.c.id) & (SEATS.c.person_id == person_id)
    theirs = union(  # each uses its own index
        select(SEATS.c.game_id).where(SEATS.c.person_id == person_id),
        select(GAMES.c.id).where(GAMES.c.host_id == person_id),
    )
    mine = _ROWS.add_columns(SEATS.c.seat, SEATS.c.left_at).outerjoin(SEATS, sits).where(GAMES.c.id.in_(theirs))
    rows = conn.execute(mine).all()
    # A player who has left a seat and sits at another seat of the same table is asked there.
    return {row.id: row for row in sorted(rows, key=lambda row: row.left_at is None)}


def why_not_by_row(conn: Connection, rows: Sequence[Any], games: dict[str, Any]) -> dict[int, Sentence]:
    """Return the reasons for those of one person's ``rows`` that are no longer due, by id, without a fold.

    So a player who has moved, but whose turn is not over, is still reminded: the reminder is true and may help.
    """
    person = _STOPS_OF.row(conn, person=rows[0].person_id)
    if person is not None and (reason := _why_none(person)):
        return {row.id: reason for row in rows}
    newest = {(row.game_id, row.kind): row.ply for row in sorted(rows, key=lambda row: row.ply)}
    reasons = ((row.id, _row_says(row, games.get(row.game_id), newest)) for row in rows)
    return {each: reason for each, reason in reasons if reason}


def _row_says(row: Any, game: Any, newest: dict[tuple[str, str], int]) -> Reason:
    if game is None or row.seat not in (game.seat, None):
        return GONE
    kind = kind_of(row.kind)
    if kind.to == "host":
        return _host_hears_by_row(row, game)
    if kind.running and game.status != "running":
        return Sentence("the game is over")
    if kind.asks and row.seat not in game.asked:
        return Sentence("the turn is over")
    if row.kind in ("paused", "resumed") and game.paused != (row.kind == "paused"):
        return Sentence("the game is paused again") if game.paused else Sentence("the game goes on")
    return Sentence("a later email covers this turn") if newest[row.game_id, row.kind] > row.ply else None


def _host_hears_by_row(row: Any, game: Any) -> Reason:
    if game.status not in ("open", "running"):
        return Sentence("the game is over")
    if row.kind == "full" and game.status == "running":
        return Sentence("the game has started or was called off")
    if row.kind == "full":
        return None if _is_full(game) else Sentence("somebody has left since")
    return Sentence("the seat is taken again") if game.status == "open" and _is_full(game) else None


def _is_full(game: Any) -> bool:
    return bool(game.taken == game.seats)
