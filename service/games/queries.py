"""Reading games as a person may see them: views, actions, plies, the story, results. Pages and API both read here.

There is one loader, `game_for`. A game that the viewer may not see looks the same as one that does not exist. All that
a game shows comes through `Title.view` and `domain.messages.redact`, so no caller has to hide anything.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Connection, bindparam, or_, select, tuple_
from sqlalchemy.sql.elements import ColumnElement

from config.settings import Settings
from domain import clock, house_words, lifecycle, luck
from domain import game as domain_game
from domain.chain import Ply, StoredPly, fingerprint
from domain.game import Game, can_take_back
from domain.lifecycle import Proposal
from domain.messages import Command, Event, owner_of, redact
from domain.orders import Option
from domain.refusal import Refused
from domain.rules import Action, Result
from domain.title import Title
from domain.words import Language, Sentence, say
from service.base import links
from service.base.described import MOMENT, doc
from service.base.lately import Lately
from service.database.compiled import Compiled
from service.database.store import GAMES, SEAT, SEATS, NoSuchGame, Outdated, Store, Stored, seats_of
from service.games.clocks import CLOCKS, time_of
from service.games.offers import UNKNOWN, KeptOffer, Offer, kept
from service.people.accounts import PERSONS, hashed
from service.words import ENGLISH, N_, name_of_bot, said, spoken

WATCHED = ("running", "over")
PAGE = 20


class Occupant(msgspec.Struct, frozen=True):
    """The occupant of a seat, as everybody may know it. ``bot``: the bot that plays, for itself or for ``name``."""

    seat: int
    name: str
    bot: str | None = None
    left: bool = False


class KeptFor(msgspec.Struct, frozen=True):
    """A seat that is kept for the viewer (`service.games.kept`), until a time."""

    seat: int
    until: int


class Seen(msgspec.Struct, frozen=True):
    """A game as one viewer sees it. ``seat``: the viewer's own, None for a spectator.

    ``invited``: the viewer came by the game's invitation. ``places``: seat number -> its occupant. ``by_link``: the
    viewer came by the link of a mail. ``still_that_turn``: the turn of that mail is not over. ``unfit``: the demand
    of the table that the viewer does not meet. ``kept``: the seat that is kept for them.
    """

    stored: Stored
    viewer: int | None
    seat: int | None
    invited: bool
    places: dict[int, Occupant]
    by_link: bool = False
    still_that_turn: bool = True
    unfit: Refused | None = None
    kept: KeptFor | None = None

    @property
    def row(self) -> Any:
        return self.stored.row

    @property
    def game(self) -> Game:
        return self.stored.game

    @property
    def title(self) -> Title:
        return self.stored.game.title

    @property
    def table(self) -> lifecycle.Table:
        """Every game in a store has a table: it was opened with its first ply."""
        assert self.game.table is not None
        return self.game.table

    @property
    def is_host(self) -> bool:
        return self.viewer is not None and self.viewer == self.row.host_id

    @property
    def hosts(self) -> bool:
        """Has the viewer the rights of a host? Without a host, all players have them once the game has begun."""
        shared = self.row.host_id is None and self.seat is not None and self.game.begun
        return self.is_host or (shared and self.table.plays(self.seat or 0))

    @property
    def only_by(self) -> int | None:
        """The number of the invitation that the viewer's access needs; None if access needs no invitation."""
        freely = self.row.public and not self.row.by_invitation
        anyway = freely or self.is_host or self.seat is not None or not self.invited
        return None if anyway else self.row.invites

    @property
    def version(self) -> int:
        """The version shown to the viewer; `play.submit` expects it."""
        return self.game.version_for(self.seat)

    @property
    def reveals(self) -> bool:
        """Is nothing hidden any more?"""
        return self.game.status == "over" or (self.game.status == "cancelled" and self.game.begun)

    def player(self, seat: int) -> str:
        """The name to say for a seat."""
        place = self.places.get(seat)
        return place.name if place else f"Seat {seat}"

    def say(self, sentence: Sentence, lang: str) -> str:
        return say(sentence, self.language(lang), self.player)

    def language(self, lang: str) -> Language:
        """The language as the title speaks it."""
        return spoken(self.title.face.words, lang)


# ==== the one loader ==============================================================================
_HOST_NAME = select(PERSONS.c.name).where(PERSONS.c.id == GAMES.c.host_id).scalar_subquery()
_SEATS = select(*SEAT).join_from(SEATS, PERSONS, PERSONS.c.id == SEATS.c.person_id, isouter=True).order_by(SEATS.c.seat)


def game_for(
    store: Store, conn: Connection, viewer: int | None, game_id: str, *, invite: str = "", lang: str = ENGLISH
) -> Seen:
    """Load the game as the person ``viewer`` (None: unknown) sees it. Raises `NoSuchGame`, also if they may not see it.

    Everybody sees a public game. Any other is for its players, its host, and the bearers of its invitation
    (``invite``: the invitation, or a guest's pass).
    """
    stored = store.load(conn, game_id)
    return seen_by(stored, viewer, invited=invites(store.settings, stored, invite), lang=lang)


def seen_by(stored: Stored, viewer: int | None, *, invited: bool = False, lang: str = ENGLISH) -> Seen:
    """The same for a game that is loaded already. ``invited``: the viewer needs no other right to see it."""
    row = stored.row
    mine = next((it.seat for it in stored.seats if viewer is not None and it.person_id == viewer), None)
    if not (row.public or mine is not None or invited or (viewer is not None and viewer == row.host_id)):
        raise NoSuchGame(row.id)
    return Seen(stored, viewer, mine, invited, {it.seat: _place(it, lang) for it in stored.seats})


def places(conn: Connection, game_id: str, lang: str = ENGLISH) -> dict[int, Occupant]:
    """Seat number -> its occupant, for a viewer who may see the game or could when they began a sandbox of it."""
    return {it.seat: _place(it, lang) for it in seats_of(conn, game_id)}


def through_eyes_of(seen: Seen, seat: int | None) -> Seen:
    """Return a finished game, without secrets, as another of its seats saw it. Raises `NoSuchGame` before the end.

    ``seat``: None and the viewer's own change nothing.
    """
    if seat is None or seat == seen.seat:
        return seen
    if not seen.reveals or seen.game.table is None or seat not in seen.game.table.chairs:
        raise NoSuchGame(seen.game.id)
    return msgspec.structs.replace(seen, seat=seat)


def game_by_invite(store: Store, conn: Connection, viewer: int | None, invite: str, *, lang: str = ENGLISH) -> Seen:
    """The game an invitation is for. Raises `NoSuchGame`."""
    try:
        found = links.open_invitation(store.settings, invite).game_id
    except links.BadLink:
        found = conn.execute(select(GAMES.c.id).where(GAMES.c.invite_hash == hashed(invite))).scalar_one_or_none() or ""
    return game_for(store, conn, viewer, found, invite=invite, lang=lang)


def invites(settings: Settings, stored: Stored, token: str) -> bool:
    """Does a token let its bearer see a game now? An invitation while a seat can be taken, a guest's pass always.

    An invitation from before 0.2 was derived from the game's secret, which is published: it is valid until the start.
    """
    if not token:
        return False
    row = stored.row
    present = links.Invitation(row.id, row.invites)
    with suppress(links.BadLink):
        return links.open_invitation(settings, token) == present and looks_for_players(stored.game)
    with suppress(links.BadLink):
        return links.open_guest_pass(settings, token) == present
    return row.status == "open" and row.invite_hash is not None and hmac.compare_digest(hashed(token), row.invite_hash)


def looks_for_players(game: Game) -> bool:
    return game.status == "open" or bool(_vacant(game))


def host_name(conn: Connection, seen: Seen) -> str | None:
    """The name of the host; None if that account is gone."""
    return conn.execute(select(_HOST_NAME).where(GAMES.c.id == seen.game.id)).scalar_one_or_none()


def invitation(settings: Settings, seen: Seen) -> str | None:
    """The game's invitation, for the people who may hand it on: its host, its bearers and, later, the game's players.

    It is valid as long as a seat can be taken.
    """
    may = (seen.is_host or seen.invited) and seen.game.status == "open"
    may = may or ((seen.is_host or seen.seat is not None) and bool(vacant(seen)))
    return links.invitation(settings, seen.game.id, seen.row.invites) if may else None


def guest_pass(settings: Settings, seen: Seen) -> str | None:
    """The pass by which a guest goes on watching after the start; None if the viewer needs none.

    It ends with the guest's invitation, when the host renews that.
    """
    came = seen.invited and seen.game.status == "open"
    return links.guest_pass(settings, seen.game.id, seen.row.invites) if came else None


def vacant(seen: Seen) -> tuple[int, ...]:
    """The seats that look for a substitute."""
    return _vacant(seen.game)


def _vacant(game: Game) -> tuple[int, ...]:
    table, time = game.table, time_of(game)
    return tuple(seat for seat in sorted(time.vacant) if seat in table.playing) if time and table else ()


def _place(row: Any, lang: str) -> Occupant:
    if row.bot is not None and row.person_id is None and row.erased_at is None:
        return Occupant(row.seat, name_of_bot(row.bot, row.seat, lang), row.bot, row.left_at is not None)
    return Occupant(row.seat, row.person or _nobody(row, lang), row.bot, row.left_at is not None)


def _nobody(row: Any, lang: str) -> str:
    """The label of a seat without a known name."""
    if row.erased_at is not None and row.person_id is None:
        return said(N_("(erased)"), lang)
    return said(N_("Seat {seat}"), lang).format(seat=row.seat)


# ==== time ========================================================================================
class RunningClock(msgspec.Struct, frozen=True):
    """A running clock."""

    seat: int
    due: Annotated[int, doc("Time at which it runs out.", MOMENT)]
    bank: Annotated[int, doc("Reserve time at its start, included in `due`; ms.")]
    overdue: Annotated[bool, doc("Has it run out while the game keeps waiting?")]


def clocks(seen: Seen) -> tuple[RunningClock, ...]:
    """The running clocks, by seat. Everybody may know them."""
    time = time_of(seen.game)
    if time is None:
        return ()
    return tuple(RunningClock(seat, it.due, it.bank, seat in time.overdue) for seat, it in sorted(time.running.items()))


def away(seen: Seen) -> tuple[int, ...]:
    """The seats that a bot plays for their absent player."""
    table = seen.game.table
    return tuple(sorted(set(table.time.bots) & set(table.playing))) if table is not None and table.time else ()


def barred(seen: Seen) -> bool:
    """Must the viewer take their seat back before they can move? A bot plays it, or it stands open."""
    table, time = seen.game.table, time_of(seen.game)
    return time is not None and table is not None and seen.seat in table.playing and seen.seat in time.absent


class WaitingStandIn(msgspec.Struct, frozen=True):
    """A seat that the game waits for, and that a bot plays for its absent player."""

    seat: int
    until: Annotated[int, doc("Time of its move.", MOMENT)]


def stand_ins(seen: Seen) -> tuple[WaitingStandIn, ...]:
    """The stand-ins that still wait for their players to come back, by seat."""
    time = time_of(seen.game)
    if time is None or time.paused:
        return ()
    asked = (seat for seat in sorted(seen.game.asked) if seat in time.bots)
    return tuple(WaitingStandIn(seat, time.waits[seat]) for seat in asked if seat in time.waits)


def waited_for(seen: Seen) -> tuple[int, ...]:
    """The seats of a paused game: one of their players must come back before it goes on. Empty if it is not paused."""
    table, time = seen.game.table, time_of(seen.game)
    return tuple(seat for seat in time.paused if seat in table.playing) if time and table else ()


# ==== lists of games ==============================================================================
Which = Literal["mine", "open", "substitute", "watchable"]


class Listed(msgspec.Struct, frozen=True):
    """A line of a list of games. ``my_turn``: the game waits for the viewer."""

    id: str
    title: str
    name: str
    status: Annotated[str, doc("open, running, over or cancelled")]
    public: bool
    rated: Annotated[bool, doc("Does its result change the ratings of its players?")]
    seats: int
    host: str | None
    places: tuple[Occupant, ...]
    seat: Annotated[int | None, doc("The caller's own seat.")]
    my_turn: bool
    my_due: Annotated[int | None, doc("Time at which the caller's own clock runs out.", MOMENT)]
    vacant: Annotated[tuple[int, ...], doc("Seats open to a substitute.")]
    paused: Annotated[bool, doc("Is the game paused because no player is there?")]
    created_at: Annotated[int, doc("Time at which the table was opened.", MOMENT)]
    moved_at: Annotated[int, doc("Time of the last event.", MOMENT)]
    by_invitation: Annotated[bool, doc("Are its seats for invited people only?")]
    offer: Annotated[Offer | None, doc("Its language, and whom seats are for; null once the game has begun.")]
    turn: Annotated[int | None, doc("At an open table, the milliseconds of a turn; 0 without a clock.")]


def games(
    conn: Connection,
    viewer: int | None,
    which: Which,
    *,
    title: str | None = None,
    status: str | None = None,
    after: tuple[int, str] | None = None,
    limit: int = PAGE,
    also: Sequence[ColumnElement[bool]] = (),
    lang: str = ENGLISH,
) -> tuple[list[Listed], tuple[int, str] | None]:
    """Games, the newest first, and the start of the next page (None: this is the last).

    ``also``: further conditions. "mine": the viewer plays or hosts it. "open": public, not started, seats for
    everybody. "substitute": public, with a seat that looks for a substitute. "watchable": public, running or over.
    """
    wanted = select(GAMES, _HOST_NAME.label("host_name")).where(*_which(which, viewer), *also)
    if title is not None:
        wanted = wanted.where(GAMES.c.title == title)
    if status is not None:
        wanted = wanted.where(GAMES.c.status == status)
    if after is not None:
        wanted = wanted.where(tuple_(GAMES.c.created_at, GAMES.c.id) < tuple_(*after))
    rows = conn.execute(wanted.order_by(GAMES.c.created_at.desc(), GAMES.c.id.desc()).limit(limit + 1)).all()
    more = rows[limit - 1] if len(rows) > limit else None
    rows = rows[:limit]
    return _lines(conn, viewer, rows, lang), more and (more.created_at, more.id)


def lines(
    conn: Connection, viewer: int | None, which: Sequence[Any], order: Sequence[Any], limit: int, offset: int, *,
    lang: str = ENGLISH,
) -> list[Listed]:  # fmt: skip
    """Return the games that meet some conditions, in an order."""
    wanted = select(GAMES, _HOST_NAME.label("host_name")).where(*which).order_by(*order)
    return _lines(conn, viewer, conn.execute(wanted.limit(limit).offset(offset)).all(), lang)


def _lines(conn: Connection, viewer: int | None, rows: Sequence[Any], lang: str) -> list[Listed]:
    seats: dict[str, list[Any]] = {row.id: [] for row in rows}
    for it in conn.execute(_SEATS.add_columns(SEATS.c.game_id).where(SEATS.c.game_id.in_(seats))):
        seats[it.game_id].append(it)
    running = select(CLOCKS.c.game_id, CLOCKS.c.seat, CLOCKS.c.due_at).where(CLOCKS.c.game_id.in_(seats))
    dues = {(it.game_id, it.seat): it.due_at for it in conn.execute(running)} if viewer is not None else {}
    offered = kept(conn, [row.id for row in rows if row.status == "open"])
    return [_listed(row, seats[row.id], viewer, lang, dues, offered.get(row.id, UNKNOWN)) for row in rows]


def _which(which: Which, viewer: int | None) -> tuple[ColumnElement[bool], ...]:
    if which == "open":
        return GAMES.c.public, GAMES.c.status == "open", ~GAMES.c.by_invitation
    if which == "substitute":
        wanted = select(SEATS.c.game_id).where(SEATS.c.vacant_since.is_not(None))
        return GAMES.c.public, GAMES.c.status == "running", GAMES.c.id.in_(wanted)
    if which == "watchable":
        return GAMES.c.public, GAMES.c.status.in_(WATCHED)
    mine = select(SEATS.c.game_id).where(SEATS.c.person_id == viewer)
    return (or_(GAMES.c.id.in_(mine), GAMES.c.host_id == viewer),)


def _listed(
    row: Any,
    seats: Sequence[Any],
    viewer: int | None,
    lang: str,
    dues: Mapping[tuple[str, int], int],
    offered: KeptOffer,
) -> Listed:
    seat = next((it.seat for it in seats if viewer is not None and it.person_id == viewer), None)
    return Listed(
        row.id,
        row.title,
        row.name,
        row.status,
        row.public,
        row.rated,
        row.seats,
        row.host_name,
        tuple(_place(it, lang) for it in seats),
        seat,
        seat in row.asked,
        None if seat is None else dues.get((row.id, seat)),
        tuple(it.seat for it in seats if it.vacant_since is not None) if row.status == "running" else (),
        row.paused and row.status == "running",
        row.created_at,
        row.moved_at,
        row.by_invitation,
        offered.offer if row.status == "open" else None,
        offered.turn,
    )


def waiting(conn: Connection, viewer: int) -> int:
    """The number of running games that wait for this person."""
    return sum(row.seat in row.asked for row in _ASKED_IN.rows(conn, person=viewer))


class NextGame(msgspec.Struct, frozen=True):
    """A game that waits for a person."""

    id: str
    name: str


def next_game(conn: Connection, viewer: int, besides: str) -> NextGame | None:
    """The most urgent of a person's other games that wait for them: the earliest deadline, then the longest wait.

    None if there is none, or if they do not want to be told.
    """
    rows = _NEXT.rows(conn, person=viewer, besides=besides)
    waiting = [row for row in rows if row.seat in row.asked]
    first = min(waiting, key=lambda row: (row.due_at or _NEVER, row.moved_at, row.id), default=None)
    return None if first is None else NextGame(first.id, first.name)


_NEVER = 1 << 62
_NEXT = Compiled(
    select(GAMES.c.id, GAMES.c.name, GAMES.c.asked, GAMES.c.moved_at, SEATS.c.seat, CLOCKS.c.due_at)
    .select_from(
        SEATS.join(GAMES, GAMES.c.id == SEATS.c.game_id)
        .join(PERSONS, PERSONS.c.id == SEATS.c.person_id)
        .outerjoin(CLOCKS, (CLOCKS.c.game_id == SEATS.c.game_id) & (CLOCKS.c.seat == SEATS.c.seat))
    )
    .where(
        SEATS.c.person_id == bindparam("person"),
        GAMES.c.status == "running",
        GAMES.c.id != bindparam("besides"),
        PERSONS.c.next_game,
    )
)


MOST_ASKED = 20
"""Games of a list that say what they ask: each is loaded for it."""


def asks(store: Store, conn: Connection, viewer: int, games: Sequence[Listed], lang: str) -> dict[str, str]:
    """Game id -> what it asks of the viewer, in words; for the first of ``games`` that wait for them."""
    waiting = [it.id for it in games if it.my_turn and it.status == "running" and not it.paused][:MOST_ASKED]
    said: dict[str, str] = {}
    for game_id in waiting:
        try:
            seen = seen_by(store.load(conn, game_id), viewer, lang=lang)
        except Outdated:  # a list has games that this program cannot read
            continue
        if seen.seat in seen.game.asked and not barred(seen):  # it may have moved on since
            said[game_id] = seen.say(seen.title.face.asks(_view(seen, seen.game)), lang)
    return said


_ASKED_IN = Compiled(
    select(SEATS.c.seat, GAMES.c.asked)
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .where(SEATS.c.person_id == bindparam("person"), GAMES.c.status == "running")
)


# ==== a position ==================================================================================
class Shown(msgspec.Struct, frozen=True):
    """A position as one seat sees it. ``view``: the title's; None before the game starts. Sentences are in words."""

    version: int
    status: str
    asked: Annotated[tuple[int, ...], doc("The seats for which the game waits.")]
    view: Annotated[Any, doc("The seat's view, in the form of the title; null before the start.")]
    hand: Annotated[tuple[str, ...], doc("Text that only this seat may see.")]
    standing: Annotated[tuple[str, ...], doc("Score and place so far, in words.")]


def shown(seen: Seen, lang: str, game: Game | None = None) -> Shown:
    """The game as its viewer sees it now, or another position of it (a past or a previewed one)."""
    at = game or seen.game
    if not at.begun:
        return Shown(at.version_for(seen.seat), at.status, (), None, (), ())
    view = _view(seen, at)
    hand = () if seen.seat is None else tuple(seen.say(it, lang) for it in seen.title.face.hand(view))
    standing = tuple(seen.say(it, lang) for it in seen.title.face.standing(view))
    return Shown(at.version_for(seen.seat), at.status, at.asked, view, hand, standing)


def why_asked(seen: Seen, lang: str, game: Game | None = None) -> str | None:
    """The title's reason for the wait, in a few words that continue "It is your turn:"."""
    at = game or seen.game
    why = seen.title.face.why_asked(_view(seen, at)) if at.begun else None
    return None if why is None else seen.say(why, lang)


def view(seen: Seen, game: Game | None = None) -> Any:
    """The viewer's view of the present or another position; None before the game starts."""
    at = game or seen.game
    return _view(seen, at) if at.begun else None


_views: Lately[Any] = Lately(32)
"""Views used last: a page asks for that of its position again and again."""


def _view(seen: Seen, at: Game) -> Any:
    return _views.of(at, lambda: seen.title.rules.view(at.state, seen.seat), seen.seat)


def position(store: Store, conn: Connection, seen: Seen, version: int) -> Game:
    """The game at a past version; show it with `shown` or `view`. Raises `NoSuchVersion`."""
    return store.earlier(conn, seen.stored, version)


# ==== words for the draws =========================================================================
class Brought(msgspec.Struct, frozen=True):
    """The words that the viewer brought to the table."""

    seat: int
    salt: str
    words: str
    hash: Annotated[str, doc("SHA-256 of the salt followed directly by the words, in UTF-8.")]
    ply: Annotated[int | None, doc("The ply that holds the hash; null if they were not recorded.")]


_WORDS = select(SEATS.c.seat, SEATS.c.salt, SEATS.c.words).where(
    SEATS.c.game_id == bindparam("game"), SEATS.c.person_id == bindparam("viewer"), SEATS.c.words != ""
)


def brought(store: Store, conn: Connection, seen: Seen) -> Brought | None:
    """The words that the viewer brought; None if they brought none. Nobody else is shown them."""
    row = conn.execute(_WORDS, {"game": seen.game.id, "viewer": seen.viewer}).one_or_none()
    if row is None:
        return None
    mine, until = luck.brought(row.salt, row.words), seen.game.table.floor if seen.game.table else 0
    before_the_start = store.plies(conn, seen.game.id, seen.title, 0, until or seen.game.version)
    taken = ((ply.number, event) for _, ply in before_the_start for event in ply.events)
    into = [
        at
        for at, event in taken
        if isinstance(event, lifecycle.SeatTaken) and event.seat == row.seat and event.brought == mine
    ]
    return Brought(row.seat, row.salt, row.words, mine, into[-1] if into else None)


# ==== legal actions ===============================================================================
def actions(seen: Seen, at: Game | None = None) -> list[Action]:
    """The legal actions of the viewer's seat now, or at another position, without duplicates."""
    if seen.title.face.orders.alike:
        return [it.action for it in _with_lines(seen, at or seen.game)]
    return list(_legal(seen, at or seen.game))


ACTIONS_KEPT = 16
_actions: Lately[list[Action]] = Lately(ACTIONS_KEPT)
_options: Lately[list[Option]] = Lately(ACTIONS_KEPT)
"""Legal actions at the positions used last: a player narrows a list and reads it again, page by page."""


def _legal(seen: Seen, game: Game) -> Sequence[Action]:
    seat = seen.seat
    if seat is None or game.table is None or game.status != "running" or seat not in game.table.playing:
        return ()
    return _actions.of(game, lambda: seen.title.rules.actions(game.state, seat), seat)


def _with_lines(seen: Seen, game: Game) -> Sequence[Option]:
    if not (listed := _legal(seen, game)):
        return ()
    return _options.of(game, lambda: seen.title.face.orders.options(view(seen, game), listed), seen.seat)


def action_of(seen: Seen, command: Command, at: Game | None = None) -> Action | None:
    """Return the legal action that means a command; None if no list has it."""
    return next((it for it in actions(seen, at) if it.means(command)), None)


def deed(seen: Seen, command: Command, at: Game | None = None) -> Sentence | None:
    """A legal command as lists word it, with its price; as its button says it if it names a number. None if no list
    has it.
    """
    action = action_of(seen, command, at)
    if action is None:
        return None
    if action.span is None:
        return action.sentence
    return seen.title.face.deed(action, getattr(command, action.span.field)) or action.sentence


def options(seen: Seen, at: Game | None = None) -> list[Option]:
    """The legal actions with their lines."""
    return list(_with_lines(seen, at or seen.game))


def take_backs(seen: Seen, at: int) -> tuple[int, ...]:
    """The plies that the viewer could take back now, newest first; any leading part of them may be withdrawn."""
    if seen.seat is None or seen.game.status != "running":
        return ()
    return can_take_back(seen.game, seen.seat, at)


def take_backs_left(seen: Seen) -> int | None:
    """The number of take-backs left to the viewer's seat before a ply stands for good; None if they are not counted."""
    return None if seen.seat is None else domain_game.take_backs_left(seen.game, seen.seat)


def few_take_backs(seen: Seen) -> Sentence | None:
    """Say how often the viewer's seat can still take back, once few take-backs are left."""
    return None if seen.seat is None else domain_game.few_take_backs(seen.game, seen.seat)


def rewind(seen: Seen, at: int) -> Proposal | None:
    """The proposed rewind, while players can still agree to it. Everybody may know of it."""
    table = seen.game.table
    if table is None or seen.game.status != "running":
        return None
    return lifecycle.open_proposal(table, seen.game.last_seen_by_all, at)


def rewind_lapsed(seen: Seen, at: int) -> Sentence | None:
    """The fate of a lapsed proposal, told until the game goes on or the players who were asked have acted."""
    proposal = seen.game.table.proposal if seen.game.table else None
    if proposal is None or seen.game.status != "running" or rewind(seen, at) is not None:
        return None
    if proposal.since == seen.game.last_seen_by_all:
        return Sentence("The proposal has expired.")
    waits = seen.seat in proposal.missing and seen.game.last_of.get(seen.seat or 0, 0) <= proposal.since
    return Sentence("The game has moved on, so the proposal has lapsed.") if waits else None


def why_no_take_back(seen: Seen, at: int) -> Sentence | None:
    """Return the reason why the viewer's seat cannot take anything back; None if it can, or is no seat of the game."""
    table = seen.game.table
    if seen.seat is None or table is None or seen.game.status != "running" or seen.seat not in table.playing:
        return None
    return domain_game.why_no_take_back(seen.game, seen.seat, at)


# ==== the story ===================================================================================
class StoryPly(msgspec.Struct, frozen=True, dict=True):
    """A ply as the viewer may know it. ``withdrawn``: taken back later. ``narrate``, ``say``: by title and reader.

    The story is told when it is asked for: a page reads more plies than it tells.
    """

    ply: Ply
    link: bytes
    withdrawn: bool
    narrate: Callable[[Sequence[Event]], Iterable[Sentence]]
    say: Callable[[Sentence], str]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its story."""
        return tuple(self.narrate(self.ply.events))

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Its story in words."""
        return tuple(map(self.say, self.sentences))

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.link)

    @property
    def hidden(self) -> bool:
        """May the viewer know only that the ply happened?"""
        return not self.ply.events and self.ply.command is None


def plies(
    store: Store, conn: Connection, seen: Seen, lang: str, *, since: int = 0, until: int | None = None
) -> list[StoryPly]:
    """The plies after ``since`` up to ``until``, each redacted for the viewer, with its story."""
    game_id, title = seen.game.id, seen.title
    until = seen.game.version if until is None else min(until, seen.game.version)
    read = store.plies(conn, game_id, title, since, until)
    later = store.plies(conn, game_id, title, until, seen.game.version) if until < seen.game.version else []
    withdrawn = withdrawn_among([ply for _, ply in (*read, *later)])
    narrate, words = title.face.narrate, partial(seen.say, lang=lang)
    return [
        StoryPly(redacted(seen, stored, ply), stored.link, ply.number in withdrawn, narrate, words)
        for stored, ply in read
    ]


def withdrawn_among(plies: Sequence[Ply]) -> set[int]:
    """The numbers of the withdrawn among ``plies``, the last ones of a log.

    A withdrawn ply withdraws nothing. Proposals and answers to them are never withdrawn.
    """
    withdrawn: set[int] = set()
    for ply in reversed(plies):
        if ply.number not in withdrawn:
            withdrawn.update(withdrawn_by(ply))
    return withdrawn - {ply.number for ply in plies if _only_talk(ply)}


def _only_talk(ply: Ply) -> bool:
    """Is the ply a proposal of a rewind, an answer to one, or about clocks and seats, and no move?"""
    return bool(ply.events) and all(isinstance(event, (*OF_A_PROPOSAL, *clock.EVENTS)) for event in ply.events)


OF_A_PROPOSAL = (lifecycle.RewindProposed, lifecycle.RewindAgreed, lifecycle.RewindRefused)


def withdrawn_by(ply: Ply) -> Sequence[int]:
    """The numbers of the plies that this one takes back, or that its rewind undoes."""
    for event in ply.events:
        if isinstance(event, lifecycle.TakenBack):
            return event.plies
        if isinstance(event, lifecycle.Rewound):
            return range(event.to + 1, ply.number)
    return ()


def undone(store: Store, conn: Connection, seen: Seen, lang: str, to: int) -> list[StoryPly]:
    """The moves that a rewind to ``to`` would undo now, as far as there is something to tell."""
    told = plies(store, conn, seen, lang, since=to)
    return [it for it in told if it.said and not it.withdrawn and not _of_a_rewind(it.ply)]


def _of_a_rewind(ply: Ply) -> bool:
    return any(isinstance(event, (*OF_A_PROPOSAL, lifecycle.Rewound)) for event in ply.events)


def redacted(seen: Seen, stored: StoredPly, ply: Ply) -> Ply:
    """``ply`` as far as the viewer may know it: read again from the open part and the viewer's own sealed ones."""
    if seen.reveals or not stored.sealed:
        return ply
    return seen.title.chain.decode(stored.open, [part for part in stored.sealed if part.seat == seen.seat])


def redacted_events(seen: Seen, events: Sequence[Event]) -> tuple[Event, ...]:
    """``events`` as far as the viewer may know them (those of a preview, which are in no log)."""
    known = (redact(event, owner_of(event), seen.seat) for event in events)
    return tuple(event for event in known if event is not None)


# ==== the end =====================================================================================
def result(seen: Seen) -> Result | None:
    """The result, once there is one."""
    return seen.game.result if seen.game.status == "over" else None


def secret(seen: Seen) -> bytes | None:
    """The game's secret, published when the game has ended: it opens every sealed part and proves every draw."""
    return seen.stored.secret if seen.game.status in lifecycle.ENDED else None


# ==== refusals ====================================================================================
def refusal(title: Title | None, refused: Refused, lang: str, player: Callable[[int], str] = str) -> str:
    """A refusal in the reader's language. ``title``: that of its game, if there is one yet."""
    return say(refused.sentence, spoken(title.face.words if title else house_words.WORDS, lang), player)
