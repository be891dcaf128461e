"""Who must hear of what: from plies to outbox rows, written in the transaction of the plies themselves.

A notice belongs to a person, a game, the ply that made the seat asked, and a kind; its Message-ID says just that, and
when it was owed. It is unique, so there cannot be two. Whether a mail is still due when its time has come is asked
again by the worker.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from domain.chain import Ply
from domain.clock import FreeSeat, GamePaused, GameResumed, SeatOpened, SeatTakenOver, TimeRanOut
from domain.game import Game, advance, can_take_back
from domain.lifecycle import (
    CancelGame,
    CloseGame,
    RewindProposed,
    Rewound,
    SeatGivenUp,
    SeatRetired,
    SeatTaken,
    SeatTaken2,
    TakenBack,
)
from domain.sealed import SeatLost, WordsCalled
from service.base.links import pseudonym
from service.database.statements import Look, Quick
from service.database.tables import Notice, NoticeHistory, Person, Seat, table_of
from service.people import recipients, strangers

OUTBOX, HISTORY, SEATS, PEOPLE = table_of(Notice), table_of(NoticeHistory), table_of(Seat), table_of(Person)

Kind = Literal[
    "turn", "started", "over", "cancelled", "rewind", "rewound", "reminder", "timed_out", "seat_open", "paused",
    "resumed", "words", "seat_lost", "full", "left", "sign_in", "invitation", "address", "confirm", "moved",
]

_INSERT = Quick(insert(OUTBOX).values({name: bindparam(name) for name in (
    "person_id", "address", "game_id", "seat", "ply", "kind", "key", "payload", "message_id", "state", "created_at",
    "due_at", "attempts",
)}).inline())  # fmt: skip


def queue(
    conn: Connection | Look, before: Game, after: Game, plies: Sequence[Ply], row: Any, seats: Sequence[Any], at: int,
    settings: Settings
) -> list[dict[str, Any]]:
    """Leave the mails that ``plies`` make due in the outbox; the rows, of which `recipients` is to be told together.
    ``at``: now, in milliseconds.

    Other channels tell of the same: each row says who (``person_id``, ``seat``), of what (``game_id``, ``ply``,
    ``kind``), and from when on (``due_at``).

    ``row``, ``seats``: the game's, as in `store.Stored`. A seat that acts again with nobody between is not newly asked
    and keeps the notice it had; but when the game goes back, whoever is asked then is asked something else.
    """
    proposed, rewound = _of_rewinds(plies)
    called_for = any(isinstance(event, WordsCalled) for ply in plies for event in ply.events)
    anew = rewound or called_for or before.status != after.status
    newly = set(after.asked) if anew else set(after.asked) - set(before.asked)
    called, pause = plies[-1].cause == "clock" or isinstance(plies[-1].command, FreeSeat), _of_pauses(plies)
    if not (newly or proposed or rewound or called or pause) and before.status == after.status:
        return []
    seated = [it for it in seats if it.person_id is not None]
    persons: dict[int, int] = {it.seat: it.person_id for it in seated if it.left_at is None}
    if after.status == "over":  # who has left hears of nothing but this, and once
        for it in seated:
            if it.person_id not in persons.values():
                persons[it.seat] = it.person_id
    newly -= _played_by_others(after)
    owed = _turns(before, after, plies, newly & persons.keys(), at)
    if after.status != before.status:
        owed += _turning_points(after, plies[-1], persons.keys() - newly, at)
    if proposed:
        owed += [("rewind", seat, proposed.ply, at + _settle(after) + 1) for seat in proposed.seats & persons.keys()]
    if rewound:
        owed += [("rewound", seat, rewound.ply, at) for seat in sorted(persons.keys() - newly - rewound.seats)]
    rows = [_row(settings, after.id, persons[seat], seat, ply, kind, at, due_at) for kind, seat, ply, due_at in owed]
    if called:
        rows += _calls(settings, after.id, plies[-1], {it.seat: it.person_id for it in seated}, row.host_id, at)
    if pause and after.status == "running":
        kind, ply, know = pause
        others = {who: seat for seat, who in persons.items() if seat not in know | newly}
        hears = _with_host(others, row.host_id, persons)
        rows += [_row(settings, after.id, who, seat, ply, kind, at, at) for who, seat in hears.items()]
    for it in rows:
        _INSERT.run(conn, **it)
    return rows


def lost(
    conn: Connection | Look, game_id: str, people: Sequence[int], ply: int, at: int, settings: Settings
) -> list[dict[str, Any]]:
    """Who lost a seat before the start hears of it; the rows, as above. (They have no seat any more.)"""
    rows = [_row(settings, game_id, person, None, ply, "seat_lost", at, at) for person in people]
    for it in rows:
        _INSERT.run(conn, **it)
    return rows


# ==== what only the host hears ====================================================================
def for_host(
    conn: Connection | Look, before: Game, after: Game, plies: Sequence[Ply], row: Any, were: Sequence[Any],
    seats: Sequence[Any], at: int, settings: Settings
) -> list[dict[str, Any]]:  # fmt: skip
    """The host hears that the last free seat was taken, that somebody has left, and that an operator closed the game;
    the rows.

    ``were``, ``seats``: who sat there before and who does now. What the host did is no news to them, and where they are
    asked for sealed words, that tells them that the table is full. The rows are the host's, whether they sit or not.
    """
    if row.host_id is None:
        return []
    if _closed_by_an_operator(plies[-1]) and row.host_id not in [it.person_id for it in seats]:
        closed = _row(settings, after.id, row.host_id, None, plies[-1].number, "cancelled", at, at)
        _INSERT.run(conn, **closed)
        return [closed]
    if after.status not in ("open", "running"):
        return []
    rows = []
    if gone := _gone(plies, were, row.host_id):
        left = _row(settings, after.id, row.host_id, None, gone.ply, "left", at, at)
        rows.append({**left, "key": _key_of(gone.people)})
    if _has_filled(before, after, plies, seats, row.host_id):
        rows.append(_row(settings, after.id, row.host_id, None, plies[-1].number, "full", at, at))
    for it in rows:
        _INSERT.run(conn, **it)
    return rows


def _closed_by_an_operator(ply: Ply) -> bool:
    """In mid-game, or before it began: when hosts close a table themselves, the service does not do it for them."""
    return isinstance(ply.command, CloseGame) or (isinstance(ply.command, CancelGame) and ply.cause == "service")


class _Gone(NamedTuple):
    """The ply with which people have left their seats, and who they are."""

    ply: int
    people: tuple[int, ...]


LEAVINGS = (SeatGivenUp, SeatLost, SeatRetired)


def _gone(plies: Sequence[Ply], were: Sequence[Any], host_id: int) -> _Gone | None:
    for ply in plies:
        seats = {event.seat for event in ply.events if isinstance(event, LEAVINGS)}
        people = tuple(it.person_id for it in were if it.seat in seats and it.person_id not in (None, host_id))
        if people:
            return _Gone(ply.number, people)
    return None


def _has_filled(before: Game, after: Game, plies: Sequence[Ply], seats: Sequence[Any], host_id: int) -> bool:
    """Whether somebody else than the host, or a bot of theirs, has taken the last free seat."""
    if before.table is None or before.table.full or after.table is None or not after.table.full:
        return False
    taken = {event.seat for ply in plies for event in ply.events if isinstance(event, (SeatTaken, SeatTaken2))}
    sat_down = any(it.seat in taken and it.person_id not in (None, host_id) for it in seats)
    return sat_down and not any(it.seat in after.asked and it.person_id == host_id for it in seats)


LONGEST_KEY = 64


def _key_of(people: Sequence[int]) -> str:
    """The key of a notice that tells of people: their numbers, as many as there is room for."""
    key = "."
    for person in people:
        if len(key) + len(f"{person}.") <= LONGEST_KEY:
            key += f"{person}."
    return key


def people_in(key: str) -> list[int]:
    """The people that a notice tells of, by its key."""
    return [int(number) for number in key.split(".") if number]


def tells_of(person_id: int) -> Any:
    """The condition for rows that tell somebody else of this person."""
    return (OUTBOX.c.kind == "left") & OUTBOX.c.key.contains(f".{person_id}.", autoescape=True)


def _played_by_others(game: Game) -> set[int]:
    """Seats whose player is away: a bot plays them, or they stand open. Nobody is told that it is their turn."""
    time = game.table.time if game.table else None
    return set(time.absent) if time else set()


def _calls(
    settings: Settings, game_id: str, ply: Ply, persons: Mapping[int, int], host_id: int | None, at: int
) -> list[dict[str, Any]]:
    """Who ran out of time hears of it; the others and the host hear of a seat that opens."""
    rows = []
    for event in ply.events:
        if isinstance(event, TimeRanOut) and event.seat in persons:
            rows.append(_row(settings, game_id, persons[event.seat], event.seat, ply.number, "timed_out", at, at))
        if isinstance(event, SeatOpened):
            others = {who: seat for seat, who in persons.items() if seat != event.seat}
            rows += [
                _row(settings, game_id, who, seat, ply.number, "seat_open", at, at)
                for who, seat in _with_host(others, host_id, persons).items()
            ]
    return rows


def _with_host(
    others: Mapping[int, int], host_id: int | None, persons: Mapping[int, int]
) -> Mapping[int, int | None]:
    """Who hears of something, with their seats: ``others``, and the host where they are not at the table."""
    if host_id is None or host_id in persons.values():
        return others
    return {**others, host_id: None}


def _of_pauses(plies: Sequence[Ply]) -> tuple[Kind, int, set[int]] | None:
    """That the game pauses, or goes on: the kind of notice, the ply, and the seats that know it or are told otherwise.
    """
    for ply in plies:
        for event in ply.events:
            if isinstance(event, GamePaused):
                return "paused", ply.number, {it.seat for it in ply.events if isinstance(it, TimeRanOut)}
            if isinstance(event, GameResumed):
                came = {it.seat for it in ply.events if isinstance(it, SeatTakenOver)}
                return "resumed", ply.number, came if ply.seat is None else {*came, ply.seat}
    return None


class _OfRewind(NamedTuple):
    """A ply that proposes to go back, and the seats that are asked; or one that goes back, and who agreed last."""

    ply: int
    seats: frozenset[int]


def _of_rewinds(plies: Sequence[Ply]) -> tuple[_OfRewind | None, _OfRewind | None]:
    """The proposal that now stands, and the going back that has happened: at most one of them."""
    for ply in plies:
        if any(isinstance(event, Rewound) for event in ply.events):
            return None, _OfRewind(ply.number, frozenset(() if ply.seat is None else (ply.seat,)))
        if isinstance(proposal := ply.events[0], RewindProposed):
            return _OfRewind(ply.number, frozenset(proposal.people)), None
    return None, None


Owed = tuple[Kind, int, int, int]
"""Kind, seat, ply, and when it is due."""


def _turns(before: Game, after: Game, plies: Sequence[Ply], newly: set[int], at: int) -> list[Owed]:
    """A notice for each seat that is asked now and was not before."""
    last = plies[-1]
    if isinstance(last.events[0], TakenBack):
        newly = newly - {last.seat}  # who takes the turn back is at the table and knows
    if not newly:
        return []
    since = dict.fromkeys(newly, last.number) if len(plies) == 1 else _asked_since(before, plies, after)
    kind: Kind = "turn" if after.status == "running" else "words"
    return [(kind, seat, since[seat], _due(after, last, seat, at)) for seat in sorted(newly)]


def _due(after: Game, last: Ply, seat: int, at: int) -> int:
    """When the mail may leave: at once, or when what made the seat asked can no longer be taken back.

    It waits, too, for the seat that acted itself and for one that a bot has just answered: they are likely to sit at
    the table still, and will not be written to if they go on.
    """
    can_go_back = last.seat is not None and bool(can_take_back(after, last.seat, at))
    at_the_table = last.seat == seat or last.cause == "bot"
    return at + _settle(after) + 1 if can_go_back or at_the_table else at


def _settle(game: Game) -> int:
    return game.table.settle if game.table else 0


def _asked_since(before: Game, plies: Sequence[Ply], after: Game) -> dict[int, int]:
    """For each seat the ply among ``plies`` that made it asked, the last one if several did."""
    since: dict[int, int] = {}
    game = before
    for ply in plies:
        following = after if ply is plies[-1] else advance(game, ply)
        since |= {seat: ply.number for seat in following.asked if seat not in game.asked}
        game = following
    return since


def _turning_points(after: Game, last: Ply, others: Iterable[int], at: int) -> list[Owed]:
    """The game has started, is over or was cancelled. Who is asked at the start hears of it in the turn's own mail."""
    match after.status:
        case "running":
            return [("started", seat, last.number, at) for seat in sorted(others) if seat != last.seat]
        case "over":
            return [("over", seat, last.number, at) for seat in sorted(others)]
        case "cancelled":
            return [("cancelled", seat, last.number, at) for seat in sorted(others) if seat != last.seat]
    return []


def _row(
    settings: Settings, game_id: str, person_id: int, seat: int | None, ply: int, kind: Kind, at: int, due_at: int
) -> dict[str, Any]:
    # After going back to a copy the same ply comes another time, and what was sent of it then is not this.
    who = pseudonym(settings, "person", game_id, person_id, seat, at)
    return {
        "person_id": person_id, "address": None, "game_id": game_id, "seat": seat, "ply": ply, "kind": kind, "key": "",
        "payload": {}, "message_id": f"<{kind}.{game_id}.{ply}.{who}@{settings.mail_domain}>",
        "state": "pending", "created_at": at, "due_at": due_at, "attempts": 0,
    }  # fmt: skip


# ==== reminders ===================================================================================
class Reminder(NamedTuple):
    """A deadline that comes near. ``ply``: that made the seat asked; ``before``: how long before it is reminded."""

    game_id: str
    seat: int
    person_id: int
    ply: int
    due: int
    before: int


def remind(conn: Connection, settings: Settings, reminders: Sequence[Reminder], at: int) -> list[dict[str, Any]]:
    """Owe reminders; the rows. One carries the deadline it warns of, so that one for another deadline is another."""
    rows = []
    for it in reminders:
        row = _row(settings, it.game_id, it.person_id, it.seat, it.ply, "reminder", at, at)
        key = f"{it.due}.{it.before}"
        message_id = row["message_id"].replace(f".{it.ply}.", f".{it.ply}.{key}.", 1)
        rows.append({**row, "key": key, "message_id": message_id})
    if rows:
        conn.execute(_INSERT_ONCE[conn.dialect.name], rows)
        recipients.owe(conn, rows)
    return rows


_INSERT_ONCE: Mapping[str, Any] = {
    "sqlite": sqlite.insert(OUTBOX).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(OUTBOX).on_conflict_do_nothing(),
}


def deadline_in(key: str) -> int:
    """The deadline that the key of a reminder names, in milliseconds."""
    return int(key.partition(".")[0])


# ==== invitations =================================================================================
def invite(
    conn: Connection, settings: Settings, *, game_id: str, number: int, address: str, by: int, lang: str, at: int
) -> bool:
    """Owe ``address`` an invitation from person ``by``; False when it was invited to this game already.

    ``number``: how often the invitation was renewed. Who had an earlier one can be invited again: it opens nothing.
    Raises `strangers.NotInvited`.
    """
    who = pseudonym(settings, "invited", game_id, address, *([number] if number else []))
    message_id = f"<invitation.{game_id}.{who}@{settings.mail_domain}>"
    if conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.message_id == message_id)).first():
        return False
    strangers.count_invitation(conn, address, at)
    row = {
        "person_id": None, "address": address, "game_id": game_id, "seat": None, "ply": 0, "kind": "invitation",
        "key": secrets.token_hex(8), "payload": {"by": by, "lang": lang}, "message_id": message_id,
        "state": "pending", "created_at": at, "due_at": at, "attempts": 0,
    }  # fmt: skip
    try:
        with conn.begin_nested():
            _INSERT.run(conn, **row)
    except IntegrityError:  # the button was pressed twice at one moment
        return False
    recipients.owe(conn, [row])
    return True
