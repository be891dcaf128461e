"""The views of operators: waiting work, people, games, incoming mail, webhooks. (Owed mail: `service.notices.ledger`.)

Of a running game they show only public facts; nothing here folds a log or reads a secret. Every function checks itself
that its caller is an operator.
"""

import platform
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, func, or_, select, text, tuple_
from sqlalchemy.sql.elements import ColumnElement

from domain.lifecycle import Status
from service.base.clock import DAY
from service.base.release import release_of_program
from service.database.store import GAMES, SEATS, Store
from service.games.clocks import CLOCKS
from service.games.transcripts import Outcome
from service.notices import failing, figures, ledger, processes, watch
from service.notices.details import Detail, read
from service.notices.failing import Failing, MailboxState, MailServer
from service.notices.ledger import OUTBOX, Owed
from service.notices.processes import Running
from service.notices.replies import REPLIES
from service.notices.watch import Due
from service.notices.webhooks import CALLS, WEBHOOKS
from service.operators import acts
from service.operators.acts import OPERATORS, Who
from service.people import bounces, strangers
from service.people.accounts import PERSONS, BadAddress, normalised
from service.people.bounces import MAILINGS
from service.post.inbox import INCOMING

PAGE = 30
WEEK = 7 * DAY
STILL = 14 * DAY
"""A game without any event for this long is worth a look."""


# ==== overview ====================================================================================
class Overview(msgspec.Struct, frozen=True):
    """The state of the installation. ``due``: due work by kind; ``late``: the kinds that wait too long.

    ``beats``: the last end of each sweep. ``mails``, ``calls``, ``games``: their numbers by state. ``troubles``: the
    number of games in each trouble. ``people``: the number of people, in all and in each group of `PEOPLE`.
    ``returned``: the number of mails by the reports of servers or readers within a `WEEK` (`bounces.Said`). ``came``:
    the number of incoming mails within a `WEEK` that are worth a look, by `Came`. ``failing``: mails that failed and
    are retried, by `failing.FailedFor`; ``server``: set if the mail server takes no mail;
    ``mailbox``: the mailbox from which answers are fetched, if any. ``processes``: those that report; ``expected``:
    each job -> the number of processes that do it. No number is counted beyond `MOST`.
    """

    due: Mapping[str, Due]
    late: Sequence[str]
    failing: Mapping[str, Failing]
    server: MailServer | None
    mailbox: MailboxState | None
    processes: Sequence[Running]
    expected: Mapping[str, int]
    installation: "Installed"
    beats: Mapping[str, int]
    mails: Mapping[str, int]
    calls: Mapping[str, int]
    games: Mapping[str, int]
    troubles: Mapping[str, int]
    people: Mapping[str, int]
    returned: Mapping[str, int]
    came: Mapping[str, int]


def overview(store: Store, conn: Connection, who: Who, at: int) -> Overview:
    """Return the present state."""
    acts.demand(conn, who, at)
    due, patience = watch.due(conn, store.settings, at), watch.patience(store.settings)
    late = [kind for kind, it in due.items() if it.number and it.waited > patience]
    return Overview(
        due,
        late,
        failing.failing(conn),
        failing.server_trouble(conn, at, patience),
        failing.mailbox(conn, store.settings),
        processes.all_of(conn),
        processes.expected(conn, store.settings, at),
        _installed(store, conn, at),
        watch.heartbeats(conn, store.settings),
        _counted(conn, OUTBOX.c.state, STATES),
        _counted(conn, CALLS.c.state, STATES),
        _counted(conn, GAMES.c.status, get_args(Status)),
        {it: _count(conn, GAMES.c.id, _troubled(it, at, patience)) for it in TROUBLES},
        {it: _count(conn, PERSONS.c.id, _people_who(it)) for it in ("all", *PEOPLE)},
        bounces.said_since(conn, at - WEEK),
        {it: _count_came(conn, it, at) for it in CAME},
    )


MOST = 1000
"""The overview counts no further, so that it opens as fast with a million mails."""
STATES = ("dead", "leased", "pending", "sent", "superseded")


def _counted(conn: Connection, column: Any, values: Sequence[str]) -> dict[str, int]:
    """Return the number of rows with each of the values, without values that no row has."""
    found = {value: _count(conn, column, column == value) for value in values}
    return {value: number for value, number in found.items() if number}


def _count(conn: Connection, column: Any, condition: ColumnElement[bool]) -> int:
    """Return the number of rows, at most `MOST` and one more."""
    some = select(column).where(condition).limit(MOST + 1).subquery()
    return int(conn.execute(select(func.count()).select_from(some)).scalar_one())


# ==== the installation ============================================================================
class Installed(msgspec.Struct, frozen=True):
    """The installation. ``size``: of the database, in bytes; ``a_day_ago``, ``a_month_ago``: its size then, if known.

    ``free``, ``disk``: bytes of the disk with the data. ``program``, ``python``, ``database``: their releases.
    ``backed_up_at``, ``proved_at``: when the last copy was made, and when one was last found good.
    """

    size: int
    a_day_ago: int | None
    a_month_ago: int | None
    free: int
    disk: int
    program: str
    python: str
    database: str
    tables: str
    backed_up_at: int | None
    proved_at: int | None


def _installed(store: Store, conn: Connection, at: int) -> Installed:
    beats, disk = watch.heartbeats(conn, store.settings), watch.disk(store)
    return Installed(
        store.size(),
        figures.size_before(conn, at, 0),
        figures.size_before(conn, at, 30 * DAY),
        disk.free,
        disk.total,
        release_of_program(),
        platform.python_version(),
        f"{conn.dialect.name} {'.'.join(map(str, conn.dialect.server_version_info or ()))}",
        conn.execute(text("SELECT version_num FROM alembic_version")).scalar() or "",
        beats.get(watch.BACKED_UP),
        beats.get(watch.PROVED),
    )


# ==== people ======================================================================================
Group = Literal["operators", "blocked", "flagged", "stopped"]
PEOPLE: tuple[Group, ...] = get_args(Group)
"""Operators; people shut out; people whose mail bounces; people who want no mail."""


class PersonLine(msgspec.Struct, frozen=True):
    """A person as operators see them. ``flag``: the mail server's words. ``games``: all their games, past ones too."""

    id: int
    name: str
    email: str
    lang: str
    zone: str
    created_at: int
    blocked_at: int | None
    flagged_at: int | None
    flag: str
    stopped_at: int | None
    is_operator: bool
    games: int

    @property
    def groups(self) -> list[Group]:
        """Return the groups that the person is in."""
        facts = self.is_operator, self.blocked_at, self.flagged_at, self.stopped_at
        return [group for group, so in zip(PEOPLE, facts, strict=True) if so]


def _people_who(group: str) -> ColumnElement[bool]:
    match group:
        case "operators":
            return PERSONS.c.id.in_(select(OPERATORS.c.person_id))
        case "blocked":
            return PERSONS.c.blocked_at.is_not(None)
        case "flagged":
            return PERSONS.c.mail_flagged_at.is_not(None)
        case "stopped":
            return PERSONS.c.mail_stopped_at.is_not(None)
    return PERSONS.c.id.is_not(None)


_PLAYED = select(func.count()).where(SEATS.c.person_id == PERSONS.c.id).scalar_subquery()
_PEOPLE = select(
    PERSONS.c.id,
    PERSONS.c.name,
    PERSONS.c.email,
    PERSONS.c.lang,
    PERSONS.c.zone,
    PERSONS.c.created_at,
    PERSONS.c.blocked_at,
    PERSONS.c.mail_flagged_at,
    PERSONS.c.mail_flag,
    PERSONS.c.mail_stopped_at,
    OPERATORS.c.person_id.is_not(None).label("is_operator"),
    _PLAYED.label("games"),
).join(OPERATORS, OPERATORS.c.person_id == PERSONS.c.id, isouter=True)


def people(
    conn: Connection,
    who: Who,
    at: int,
    *,
    text: str = "",
    group: str = "",
    before: int | None = None,
    limit: int = PAGE,
) -> list[PersonLine]:
    """Return people, newest first, optionally by a ``text`` in name or address, and by group."""
    acts.demand(conn, who, at)
    wanted = _PEOPLE.where(_people_who(group))
    if text:
        wanted = wanted.where(
            or_(PERSONS.c.email.contains(text.strip().lower(), autoescape=True), _holds(PERSONS.c.name, text))
        )
    if before is not None:
        wanted = wanted.where(PERSONS.c.id < before)
    return [_person(row) for row in conn.execute(wanted.order_by(PERSONS.c.id.desc()).limit(limit))]


def _holds(column: Any, text: str) -> ColumnElement[bool]:
    """Does a name contain ``text``, regardless of case? SQLite lower-cases only ASCII letters."""
    word = text.strip()
    return or_(column.contains(word, autoescape=True), func.lower(column).contains(word.lower(), autoescape=True))


def person(conn: Connection, who: Who, person_id: int, at: int) -> PersonLine | None:
    """Return one person, or None if there is none."""
    acts.demand(conn, who, at)
    row = conn.execute(_PEOPLE.where(PERSONS.c.id == person_id)).one_or_none()
    return None if row is None else _person(row)


def _person(row: Any) -> PersonLine:
    return PersonLine(
        row.id,
        row.name,
        row.email,
        row.lang,
        row.zone,
        row.created_at,
        row.blocked_at,
        row.mail_flagged_at,
        row.mail_flag,
        row.mail_stopped_at,
        bool(row.is_operator),
        row.games,
    )


def wants_no_invitations(conn: Connection, who: Who, text: str, at: int) -> int | None:
    """Return the time since when the mailbox of this address refuses invitations, or None."""
    acts.demand(conn, who, at)
    try:
        return strangers.never_since(conn, normalised(text))
    except BadAddress:
        return None


# ==== games =======================================================================================
Trouble = Literal["late", "bots", "still", "paused"]
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)
"""A deadline passed uncalled; a bot should have moved; nothing has happened for long; all people are absent."""


class Sitting(msgspec.Struct, frozen=True):
    """A taken seat. ``person_id``: None for a bot, and after an erasure. ``asked``: the game waits for it.

    ``due_at``: its deadline.
    """

    seat: int
    person_id: int | None
    name: str
    bot: str
    left: bool
    vacant: bool
    asked: bool
    due_at: int | None


class GameLine(msgspec.Struct, frozen=True):
    """A game as operators see it, only public facts. ``host``: their name, "" after an erasure."""

    id: str
    title: str
    name: str
    status: str
    public: bool
    seats: int
    host_id: int | None
    host: str
    paused: bool
    created_at: int
    moved_at: int
    ended_at: int | None
    due_at: int | None
    sitting: tuple[Sitting, ...]


def _troubled(trouble: str, at: int, patience: int) -> ColumnElement[bool]:
    running = GAMES.c.status == "running"
    match trouble:
        case "late":
            return GAMES.c.due_at <= at - patience
        case "bots":
            return running & (GAMES.c.bot_at <= at - patience) & (GAMES.c.moved_at <= at - patience)
        case "still":
            return running & ~GAMES.c.paused & (GAMES.c.moved_at <= at - STILL)
    return running & GAMES.c.paused


_HOSTS = PERSONS.alias("host")
_GAMES = select(GAMES, _HOSTS.c.name.label("host")).join(_HOSTS, _HOSTS.c.id == GAMES.c.host_id, isouter=True)


def games(
    store: Store,
    conn: Connection,
    who: Who,
    at: int,
    *,
    text: str = "",
    status: str = "",
    trouble: str = "",
    person_id: int | None = None,
    before: tuple[int, str] | None = None,
    limit: int = PAGE,
) -> list[GameLine]:
    """Return games, newest first. ``text``: an id or part of the name. ``person_id``: a player or the host."""
    acts.demand(conn, who, at)
    wanted = _GAMES
    if text:
        wanted = wanted.where(or_(GAMES.c.id == text.strip().lower(), _holds(GAMES.c.name, text)))
    if status:
        wanted = wanted.where(GAMES.c.status == status)
    if trouble:
        wanted = wanted.where(_troubled(trouble, at, watch.patience(store.settings)))
    if person_id is not None:
        sits = select(SEATS.c.game_id).where(SEATS.c.person_id == person_id)
        wanted = wanted.where(or_(GAMES.c.id.in_(sits), GAMES.c.host_id == person_id))
    if before is not None:
        wanted = wanted.where(tuple_(GAMES.c.created_at, GAMES.c.id) < tuple_(*before))
    rows = conn.execute(wanted.order_by(GAMES.c.created_at.desc(), GAMES.c.id.desc()).limit(limit)).all()
    return _lines(conn, rows)


def game(conn: Connection, who: Who, game_id: str, at: int) -> GameLine | None:
    """Return one game, or None if there is none."""
    acts.demand(conn, who, at)
    found = _lines(conn, conn.execute(_GAMES.where(GAMES.c.id == game_id)).all())
    return found[0] if found else None


def _lines(conn: Connection, rows: Sequence[Any]) -> list[GameLine]:
    seats: dict[str, list[Any]] = {row.id: [] for row in rows}
    wanted = (
        select(SEATS, PERSONS.c.name.label("person"), CLOCKS.c.due_at)
        .join(PERSONS, PERSONS.c.id == SEATS.c.person_id, isouter=True)
        .join(CLOCKS, (CLOCKS.c.game_id == SEATS.c.game_id) & (CLOCKS.c.seat == SEATS.c.seat), isouter=True)
        .where(SEATS.c.game_id.in_(seats))
        .order_by(SEATS.c.seat)
    )
    for it in conn.execute(wanted):
        seats[it.game_id].append(it)
    return [
        GameLine(
            row.id,
            row.title,
            row.name,
            row.status,
            row.public,
            row.seats,
            row.host_id,
            row.host or "",
            row.paused,
            row.created_at,
            row.moved_at,
            row.ended_at,
            row.due_at,
            tuple(
                Sitting(
                    it.seat,
                    it.person_id,
                    it.person or "",
                    it.bot or "",
                    it.left_at is not None,
                    it.vacant_since is not None,
                    it.seat in row.asked,
                    it.due_at,
                )
                for it in seats[row.id]
            ),
        )
        for row in rows
    ]


# ==== mails and webhooks ==========================================================================
def mails(
    conn: Connection,
    who: Who,
    at: int,
    *,
    person_id: int | None = None,
    game_id: str | None = None,
    state: str | None = None,
    before: int | None = None,
    limit: int = PAGE,
) -> list[Owed]:
    """Return the mails owed to anybody, with every step but without their text."""
    acts.demand(conn, who, at)
    return ledger.of_everybody(conn, person_id=person_id, game_id=game_id, state=state, before=before, limit=limit)


def mail(conn: Connection, who: Who, notice_id: int, at: int) -> Owed | None:
    """Return one mail, or None if there is none."""
    acts.demand(conn, who, at)
    return ledger.of_anybody(conn, notice_id)


Came = Literal["failed", "waiting", "unreadable", "unknown", "unproved", "unwanted"]
CAME: tuple[Came, ...] = get_args(Came)
"""The kinds of incoming mail that are worth a look: processing failed; processing was tried and waits; unreadable; its
recipient is forgotten; its author is not proved; a server refuses such mail, or all mail from us.
"""
ORDINARY = {*get_args(Outcome), "automatic", "report", "ignored", "draft"} - {"unreadable", "failed"}
"""The results of most mails."""


class Arrival(msgspec.Struct, frozen=True):
    """An incoming mail as operators see it, without its text. ``domain``: of the envelope's sender.

    ``person``: the reader of the letter that it answers, "" without an account. ``kind``: of that letter, "" if it is
    forgotten or if the mail came to a return address (``returned``). ``size``: in bytes. ``what``, ``detail``: the
    result; "" while it waits, with the next try at ``due_at``. ``said``, ``status``: for a report about a mail of ours,
    its meaning and the status of RFC 3463.
    """

    id: int
    received_at: int
    person_id: int | None
    person: str
    game_id: str
    game: str
    kind: str
    returned: bool
    domain: str
    size: int
    attempts: int
    due_at: int
    what: str
    detail: str
    said: str
    status: str

    @property
    def failed(self) -> bool:
        return self.what == "failed"


_FROM_ANYBODY = (
    select(
        *(INCOMING.c[name] for name in ("id", "received_at", "person_id", "sender", "attempts", "due_at")),
        *(INCOMING.c[name] for name in ("what", "detail")),
        func.length(INCOMING.c.raw).label("size"),
        PERSONS.c.name.label("person"),
        REPLIES.c.game_id,
        REPLIES.c.kind,
        GAMES.c.name.label("game"),
        MAILINGS.c.said,
        MAILINGS.c.status,
    )
    .select_from(INCOMING)
    .join(PERSONS, PERSONS.c.id == INCOMING.c.person_id, isouter=True)
    .join(REPLIES, REPLIES.c.token_hash == INCOMING.c.token_hash, isouter=True)
    .join(GAMES, GAMES.c.id == REPLIES.c.game_id, isouter=True)
    .join(MAILINGS, MAILINGS.c.token_hash == INCOMING.c.token_hash, isouter=True)
)
_REFUSED = (INCOMING.c.what == "report") & MAILINGS.c.said.in_(("unwanted", "complained"))


def _that_came(came: Came | None) -> ColumnElement[bool]:
    match came:
        case "waiting":
            return (INCOMING.c.state == "pending") & (INCOMING.c.attempts > 0)
        case "unwanted":
            return _REFUSED
        case None:
            return _that_came("waiting") | _REFUSED | (INCOMING.c.what.not_in((*ORDINARY, "")))
    return INCOMING.c.what == came


def _count_came(conn: Connection, came: Came, at: int) -> int:
    """Return the number of those mails, at most `MOST` and one more."""
    of_reports = INCOMING.join(MAILINGS, MAILINGS.c.token_hash == INCOMING.c.token_hash, isouter=True)
    lately = select(INCOMING.c.id).select_from(of_reports).where(_that_came(came), INCOMING.c.received_at >= at - WEEK)
    return int(conn.execute(select(func.count()).select_from(lately.limit(MOST + 1).subquery())).scalar_one())


def arrivals(
    conn: Connection, who: Who, at: int, *, came: Came | None = None, before: int | None = None, limit: int = PAGE
) -> list[Arrival]:
    """Return the mails of the last `WEEK` that are worth a look, newest first, optionally of one kind."""
    acts.demand(conn, who, at)
    wanted = _FROM_ANYBODY.where(INCOMING.c.received_at >= at - WEEK, _that_came(came))
    if before is not None:
        wanted = wanted.where(INCOMING.c.id < before)
    return [_arrival(row) for row in conn.execute(wanted.order_by(INCOMING.c.id.desc()).limit(limit))]


def _arrival(row: Any) -> Arrival:
    return Arrival(
        row.id,
        row.received_at,
        row.person_id,
        row.person or "",
        row.game_id or "",
        row.game or "",
        row.kind or "",
        row.said is not None,
        (row.sender or "").rpartition("@")[2],
        row.size,
        row.attempts,
        row.due_at,
        row.what,
        row.detail,
        row.said or "",
        row.status or "",
    )


class Hook(msgspec.Struct, frozen=True):
    """A webhook as operators see it: only its host, since an address may hold a key. ``error``: of the last failure.

    ``calls``: its last calls, newest first.
    """

    id: int
    person_id: int
    person: str
    host: str
    enabled: bool
    disabled_for: str
    failures: int
    error: str
    calls: tuple["Call", ...]


class Call(msgspec.Struct, frozen=True):
    """A call to a webhook. ``done_at``: the time of its end."""

    id: int
    kind: str
    game_id: str
    state: str
    due_at: int
    done_at: int | None
    attempts: int
    detail: Detail


CALLS_SHOWN = 5


def hooks(
    conn: Connection,
    who: Who,
    at: int,
    *,
    person_id: int | None = None,
    failing: bool = False,
    before: int | None = None,
    limit: int = PAGE,
) -> list[Hook]:
    """Return webhooks, newest first. ``failing``: only those that failed last or are switched off for it."""
    acts.demand(conn, who, at)
    wanted = select(WEBHOOKS, PERSONS.c.name.label("person")).join(PERSONS, PERSONS.c.id == WEBHOOKS.c.person_id)
    if person_id is not None:
        wanted = wanted.where(WEBHOOKS.c.person_id == person_id)
    if failing:
        wanted = wanted.where(or_(WEBHOOKS.c.failures > 0, WEBHOOKS.c.disabled_for != ""))
    if before is not None:
        wanted = wanted.where(WEBHOOKS.c.id < before)
    rows = conn.execute(wanted.order_by(WEBHOOKS.c.id.desc()).limit(limit)).all()
    return [
        Hook(
            row.id,
            row.person_id,
            row.person,
            urlsplit(row.url).hostname or "",
            row.enabled,
            row.disabled_for,
            row.failures,
            row.error,
            _calls(conn, row.id),
        )
        for row in rows
    ]


def _calls(conn: Connection, hook: int) -> tuple[Call, ...]:
    its = select(CALLS).where(CALLS.c.webhook_id == hook).order_by(CALLS.c.id.desc()).limit(CALLS_SHOWN)
    return tuple(
        Call(row.id, row.kind, row.game_id, row.state, row.due_at, row.done_at, row.attempts, read(row))
        for row in conn.execute(its)
    )
