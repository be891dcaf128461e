"""Who must hear of what: from plies to outbox rows, written in the transaction of the plies themselves.

A notice belongs to a person, a game, the ply that made the seat asked, and a kind; its Message-ID says just that and
is unique, so there cannot be two. Whether a mail is still due when its time has come is asked again by the worker.
"""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from config.settings import Settings
from domain.chain import Ply
from domain.game import Game, advance, can_take_back
from domain.lifecycle import RewindProposed, Rewound, TakenBack
from service.links import pseudonym
from service.models import Notice, NoticeHistory, Person, Seat
from service.store import table_of

OUTBOX, HISTORY, SEATS, PEOPLE = table_of(Notice), table_of(NoticeHistory), table_of(Seat), table_of(Person)

Kind = Literal["turn", "started", "over", "cancelled", "rewind", "rewound", "sign_in", "invitation"]

_PERSONS = select(SEATS.c.seat, SEATS.c.person_id, SEATS.c.left_at).where(
    SEATS.c.game_id == bindparam("game"), SEATS.c.person_id.is_not(None)
)
_INSERT = insert(OUTBOX)


def queue(
    conn: Connection, before: Game, after: Game, plies: Sequence[Ply], row: Any, at: int, settings: Settings
) -> list[dict[str, Any]]:
    """Leave the mails that ``plies`` make due in the outbox; the rows. ``at``: now, in milliseconds.

    Other channels tell of the same: each row says who (``person_id``, ``seat``), of what (``game_id``, ``ply``,
    ``kind``), and from when on (``due_at``).

    ``row``: the game's. A seat that acts again with nobody between is not newly asked and keeps the notice it had; but
    when the game goes back, whoever is asked then is asked something else.
    """
    proposed, rewound = _of_rewinds(plies)
    newly = set(after.asked) if rewound else set(after.asked) - set(before.asked)
    if not (newly or proposed or rewound) and before.status == after.status:
        return []
    seated = conn.execute(_PERSONS, {"game": after.id}).all()
    persons: dict[int, int] = {it.seat: it.person_id for it in seated if it.left_at is None}
    if after.status == "over":  # who has left hears of nothing but this, and once
        for it in seated:
            if it.person_id not in persons.values():
                persons[it.seat] = it.person_id
    owed = _turns(before, after, plies, newly & persons.keys(), at)
    if after.status != before.status:
        owed += _turning_points(after, plies[-1], persons.keys() - newly, at)
    if proposed:
        owed += [("rewind", seat, proposed.ply, at + _settle(after) + 1) for seat in proposed.seats & persons.keys()]
    if rewound:
        owed += [("rewound", seat, rewound.ply, at) for seat in sorted(persons.keys() - newly - rewound.seats)]
    rows = [_row(settings, after.id, persons[seat], seat, ply, kind, at, due_at) for kind, seat, ply, due_at in owed]
    if rows:
        conn.execute(_INSERT, rows)
    return rows


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
    return [("turn", seat, since[seat], _due(after, last, seat, at)) for seat in sorted(newly)]


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
    settings: Settings, game_id: str, person_id: int, seat: int, ply: int, kind: Kind, at: int, due_at: int
) -> dict[str, Any]:
    who = pseudonym(settings, "person", game_id, person_id, seat)
    return {
        "person_id": person_id, "address": None, "game_id": game_id, "seat": seat, "ply": ply, "kind": kind, "key": "",
        "payload": {}, "message_id": f"<{kind}.{game_id}.{ply}.{who}@{settings.mail_domain}>",
        "state": "pending", "created_at": at, "due_at": due_at, "attempts": 0,
    }  # fmt: skip


# ==== invitations =================================================================================
def invite(
    conn: Connection, settings: Settings, *, game_id: str, address: str, by: int, token: str, lang: str, at: int
) -> bool:
    """Owe ``address`` an invitation from person ``by``; False when it was invited to this game already.

    ``token``: what opens the table to who holds it; the mail links to ``/join/<token>``.
    """
    message_id = f"<invitation.{game_id}.{pseudonym(settings, 'invited', game_id, address)}@{settings.mail_domain}>"
    if conn.execute(select(OUTBOX.c.id).where(OUTBOX.c.message_id == message_id)).first():
        return False
    row = {
        "person_id": None, "address": address, "game_id": game_id, "seat": None, "ply": 0, "kind": "invitation",
        "key": secrets.token_hex(8), "payload": {"by": by, "token": token, "lang": lang}, "message_id": message_id,
        "state": "pending", "created_at": at, "due_at": at, "attempts": 0,
    }  # fmt: skip
    try:
        with conn.begin_nested():
            conn.execute(_INSERT, row)
    except IntegrityError:  # the button was pressed twice at one moment
        return False
    return True
