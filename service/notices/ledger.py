"""The delivery ledger: the mails owed to a person, with each step and its reason; and resending.

Each person sees only their own, and of a game only its id and name.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from sqlalchemy import Connection, or_, select, update

from service.base.described import MOMENT, doc
from service.database.tables import GameRow, Notice, NoticeHistory, Person, table_of
from service.notices.details import Detail, in_english, read
from service.notices.kinds import SWITCHED
from service.people import recipients

OUTBOX, HISTORY, PEOPLE, GAMES = (table_of(model) for model in (Notice, NoticeHistory, Person, GameRow))

PAGE = 30
HOLDS = "held_"


class MailStep(msgspec.Struct, frozen=True):
    """One step of a mail. ``until``: when a held mail is checked again (milliseconds).

    ``what``: queued, held_quiet, held_digest, held_present, held_flagged, switched_off, sending, deferred (by the
    server), failed (here; it is retried), accepted, superseded, refused, given_up, asked_again (by the recipient),
    resent and sent_now (by an operator, with the reason), or late (its claim had expired). After its acceptance: a
    report about it (`service.people.bounces.Said`), with the status of RFC 3463.
    """

    at: Annotated[int, doc("Time of the step.", MOMENT)]
    what: str
    detail: Annotated[str, doc("The reason, or the mail server's answer.")] = ""
    until: int | None = None


class KeptStep(MailStep, frozen=True):
    """A step with its detail as it is stored, which pages say in the language of their reader."""

    reason: Detail = ""


class Entry(msgspec.Struct, frozen=True):
    """A mail owed to a person, with all its steps.

    ``state``: pending, leased, sent, superseded, dead. ``game``: its name, "" without a game. ``told_by``: the
    Message-ID of the mail that contained it, its own or that of a mail about several. ``again``: the person can ask for
    it again.
    """

    id: int
    game_id: str | None
    game: str
    kind: str
    ply: int
    state: str
    message_id: str
    told_by: str | None
    due_at: int
    steps: tuple[KeptStep, ...]
    again: bool


_MINE = select(OUTBOX, GAMES.c.name.label("game")).join(GAMES, GAMES.c.id == OUTBOX.c.game_id, isouter=True)


def entries(
    conn: Connection, person_id: int, *, game_id: str | None = None, before: int | None = None, limit: int = PAGE
) -> list[Entry]:
    """Return the mails owed to a person, newest first: those of their games, and to their address.

    ``before``: only those with a smaller id, for the next page.
    """
    mine = _MINE.where(_of(person_id))
    if game_id is not None:
        mine = mine.where(OUTBOX.c.game_id == game_id)
    if before is not None:
        mine = mine.where(OUTBOX.c.id < before)
    return _entries(conn, conn.execute(mine.order_by(OUTBOX.c.id.desc()).limit(limit)).all())


def entry(conn: Connection, person_id: int, notice_id: int) -> Entry | None:
    """Return one of them, or None if it is not theirs or does not exist."""
    found = _entries(conn, conn.execute(_MINE.where(_of(person_id), OUTBOX.c.id == notice_id)).all())
    return found[0] if found else None


class Owed(msgspec.Struct, frozen=True):
    """A mail with its recipient: the number and name of a person, and the address."""

    entry: Entry
    person_id: int | None
    name: str
    address: str


_ANYBODYS = _MINE.add_columns(PEOPLE.c.name.label("to_name"), PEOPLE.c.email.label("to_address")).join(
    PEOPLE, PEOPLE.c.id == OUTBOX.c.person_id, isouter=True
)


def of_everybody(
    conn: Connection,
    *,
    person_id: int | None = None,
    game_id: str | None = None,
    state: str | None = None,
    before: int | None = None,
    limit: int = PAGE,
) -> list[Owed]:
    """Return the mails owed to anybody, newest first, as `entries`: for operators.

    ``state``: "held" waits for its recipient, "failing" has failed and waits for another try.
    """
    wanted = _ANYBODYS
    if person_id is not None:
        wanted = wanted.where(_of(person_id))
    if game_id is not None:
        wanted = wanted.where(OUTBOX.c.game_id == game_id)
    if state == "held":
        wanted = wanted.where(OUTBOX.c.state == "pending", OUTBOX.c.held.is_not(None))
    elif state == "failing":
        wanted = wanted.where(OUTBOX.c.state == "pending", OUTBOX.c.failing_for.is_not(None))
    elif state is not None:
        wanted = wanted.where(OUTBOX.c.state == state)
    if before is not None:
        wanted = wanted.where(OUTBOX.c.id < before)
    return _owed(conn, wanted.order_by(OUTBOX.c.id.desc()).limit(limit))


def of_anybody(conn: Connection, notice_id: int) -> Owed | None:
    """Return one of them, or None."""
    found = _owed(conn, _ANYBODYS.where(OUTBOX.c.id == notice_id))
    return found[0] if found else None


def _owed(conn: Connection, wanted: Any) -> list[Owed]:
    rows = conn.execute(wanted).all()
    return [
        Owed(entry, row.person_id, row.to_name or "", row.address or row.to_address or "")
        for entry, row in zip(_entries(conn, rows), rows, strict=True)
    ]


def games(conn: Connection, person_id: int) -> list[tuple[str, str]]:
    """Return the games about which a person ever had a notice: id and name, newest first."""
    owed = select(OUTBOX.c.game_id).where(OUTBOX.c.person_id == person_id)
    named = select(GAMES.c.id, GAMES.c.name).where(GAMES.c.id.in_(owed)).order_by(GAMES.c.created_at.desc())
    return [(row.id, row.name) for row in conn.execute(named)]


def _of(person_id: int) -> Any:
    address = select(PEOPLE.c.email).where(PEOPLE.c.id == person_id).scalar_subquery()
    return or_(OUTBOX.c.person_id == person_id, OUTBOX.c.person_id.is_(None) & (OUTBOX.c.address == address))


def _entries(conn: Connection, rows: Sequence[Any]) -> list[Entry]:
    steps: dict[int, list[KeptStep]] = {row.id: [KeptStep(row.created_at, "queued")] for row in rows}
    history = select(HISTORY).where(HISTORY.c.notice_id.in_(steps)).order_by(HISTORY.c.id)
    for step in conn.execute(history):
        steps[step.notice_id].append(_step(step))
    return [
        Entry(
            row.id,
            row.game_id or None,
            row.game or "",
            row.kind,
            row.ply,
            row.state,
            row.message_id,
            row.told_by,
            row.due_at,
            tuple(steps[row.id]),
            row.state in AGAIN and row.person_id is not None and row.kind in SWITCHED,
        )
        for row in rows
    ]


def _step(row: Any) -> KeptStep:
    if row.what.startswith(HOLDS):
        return KeptStep(row.at, row.what, "", int(row.detail))
    return KeptStep(row.at, row.what, in_english(detail := read(row)), reason=detail)


# ==== resending ===================================================================================
AGAIN = ("sent", "dead")


def send_again(conn: Connection, person_id: int, notice_id: int, at: int, *, by_operator: str | None = None) -> bool:
    """Owe a person's mail again, at once and despite their switches. Return False if it is impossible.

    Before it leaves, the worker checks again whether it is due. A mail that no server ever took keeps its Message-ID;
    one that was taken gets a new one. ``by_operator``: the reason, if the person did not ask themselves.
    """
    mine = (
        OUTBOX.c.id == notice_id,
        OUTBOX.c.person_id == person_id,
        OUTBOX.c.state.in_(AGAIN),
        OUTBOX.c.kind.in_(SWITCHED),
    )
    recipients.lock(conn, recipients.of_person(person_id))
    row = conn.execute(select(OUTBOX).where(*mine)).one_or_none()
    if row is None:
        return False
    taken = row.resent + (row.state == "sent")
    conn.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == notice_id)
        .values(
            state="pending",
            due_at=at,
            told_by=None,
            held=None,
            failing_since=None,
            failing_for=None,
            sent_at=None,
            resent=taken,
            payload={"asked_again": at},
        )
    )
    step = {"what": "asked_again", "detail": ""} if by_operator is None else {"what": "resent", "detail": by_operator}
    conn.execute(HISTORY.insert(), {"notice_id": notice_id, "at": at, **step})
    recipients.settle(conn, [recipients.of_person(person_id)], at)
    return True


def ask_again(conn: Connection, person_id: int, game_id: str, at: int, why: str) -> bool:
    """Owe a player the last request to move once more, for an operator. Return False if none was sent.

    Their switches, quiet hours and digests hold as for any letter, and the worker checks whether it is still true.
    """
    recipients.lock(conn, recipients.of_person(person_id))
    its = OUTBOX.c.person_id == person_id, OUTBOX.c.game_id == game_id, OUTBOX.c.kind == "turn"
    row = conn.execute(select(OUTBOX).where(*its).order_by(OUTBOX.c.ply.desc()).limit(1)).one_or_none()
    if row is None or row.state not in AGAIN:
        return False
    anew = {"state": "pending", "due_at": at, "told_by": None, "held": None, "sent_at": None, "payload": {}}
    taken = row.resent + (row.state == "sent")
    mine = update(OUTBOX).where(OUTBOX.c.id == row.id)
    conn.execute(mine.values(**anew, failing_since=None, failing_for=None, resent=taken))
    conn.execute(HISTORY.insert(), {"notice_id": row.id, "at": at, "what": "resent", "detail": why})
    recipients.settle(conn, [recipients.of_person(person_id)], at)
    return True


def send_now(conn: Connection, notice_id: int, at: int, why: str) -> bool:
    """Send a waiting mail at once, for an operator, whatever its recipient chose. Return False if none waits."""
    whose = select(OUTBOX.c.person_id, OUTBOX.c.address).where(OUTBOX.c.id == notice_id)
    found = conn.execute(whose).one_or_none()
    if found is None:
        return False
    who = recipients.of(dict(found._mapping))
    recipients.lock(conn, who)
    waits = OUTBOX.c.id == notice_id, OUTBOX.c.state == "pending"
    row = conn.execute(select(OUTBOX.c.payload).where(*waits)).one_or_none()
    if row is None:
        return False
    at_once = {"due_at": at, "held": None, "payload": {**row.payload, "asked_again": at}}
    conn.execute(update(OUTBOX).where(*waits).values(**at_once))
    conn.execute(HISTORY.insert(), {"notice_id": notice_id, "at": at, "what": "sent_now", "detail": why})
    recipients.settle(conn, [who], at)
    return True
