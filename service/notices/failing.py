"""Failing mail: the cause and the start of a failure, the state of the mail server and of the mailbox, and retries.

A failed row waits longer after each try, so by its due date it is never late. Instead, each conversation with the mail
server leaves a row here for a day, and these show whether the server works. Functions work inside the caller's
transaction.
"""

from collections.abc import Collection, Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from config.settings import Settings
from service.base.clock import DAY, MINUTE, SECOND
from service.database.compiled import Compiled
from service.database.tables import Conversation, Fetching, NoticeHistory, table_of
from service.notices.kinds import SWITCHED
from service.people import recipients
from service.people.recipients import OUTBOX

CONVERSATIONS, FETCHING, HISTORY = table_of(Conversation), table_of(Fetching), table_of(NoticeHistory)

FailedFor = Literal["away", "server", "mailbox", "ours"]
"""The cause of a failure: the server was away or did not let us in; it refused us in general; it refused this mailbox,
or this letter for its content; or a bug of ours.
"""
REASONS: tuple[FailedFor, ...] = ("away", "server", "mailbox", "ours")
OF_SERVER: tuple[FailedFor, ...] = ("away", "server")
TAKEN = "taken"
OUTCOMES = (TAKEN, "away", "server", "mailbox")
"""The results of a conversation with the server."""

WINDOW = 5 * MINUTE
"""The period of conversations by which the server is judged."""
KEPT = DAY
"""A time longer than the longest wait between two tries."""

AT_ONCE = 300
"""Recipients whose mail is freed in one transaction, so that nobody waits long for the database."""
SPACE = SECOND
SPREAD = AT_ONCE * SPACE
"""Freed mails leave one recipient after another, so that a server that has just come back is not overloaded."""
PROBES = MINUTE, 5 * MINUTE
"""The shortest and the longest time between two probes. The longer the server has been away, the rarer they are."""
MOST_TRIED = 2000
"""Recipients whose mail an operator retries in one action."""


# ==== failing mails ===============================================================================
class Failing(NamedTuple):
    """The mails that fail for one reason, and the time of the first failure."""

    number: int
    since: int


_WAITS = OUTBOX.c.state == "pending", OUTBOX.c.failing_for.is_not(None)


def failing(conn: Connection) -> dict[str, Failing]:
    """Return the failed mails that wait for another try, by `FailedFor`."""
    counted = select(OUTBOX.c.failing_for, func.count(), func.min(OUTBOX.c.failing_since)).where(*_WAITS)
    rows = conn.execute(counted.group_by(OUTBOX.c.failing_for)).all()
    found = {row[0]: Failing(row[1], row[2] or 0) for row in rows}
    return {reason: found[reason] for reason in REASONS if reason in found}


# ==== the mail server =============================================================================
class MailboxState(NamedTuple):
    """The mailbox from which answers are fetched. ``trouble``: as in `service.post.imap`, or ""; ``since``: its
    beginning; ``left``: mails that could not be kept and stay there.
    """

    trouble: str
    since: int
    left: int


def mailbox(conn: Connection, settings: Settings) -> MailboxState | None:
    """Return the state of the mailbox, or None if none is in use, or nobody has looked at it yet."""
    if not settings.fetches:
        return None
    row = conn.execute(select(FETCHING).where(FETCHING.c.mailbox == settings.mailbox)).one_or_none()
    return None if row is None else MailboxState(row.trouble, row.failing_since or 0, row.left)


def mailbox_trouble(conn: Connection, settings: Settings, at: int, patience: int) -> MailboxState | None:
    """Return the mailbox if it has been in trouble for longer than ``patience``."""
    found = mailbox(conn, settings)
    return found if found is not None and found.trouble and at - found.since > patience else None


class MailServer(NamedTuple):
    """A mail server in trouble. ``since``: its first failure; ``failed``, ``of``: recent conversations."""

    since: int
    failed: int
    of: int


def note(conn: Connection, outcome: str, at: int) -> None:
    """Note the result of a conversation with the server."""
    _NOTE.run(conn, at=at, outcome=outcome)


_NOTE = Compiled(insert(CONVERSATIONS).values(at=bindparam("at"), outcome=bindparam("outcome")).inline())


def conversations(conn: Connection, at: int, lately: int = WINDOW) -> dict[str, int]:
    """Return the number of conversations with each of the `OUTCOMES`, in the time ``lately`` before ``at``."""
    counted = select(CONVERSATIONS.c.outcome, func.count()).where(
        CONVERSATIONS.c.at > at - lately, CONVERSATIONS.c.at <= at
    )
    found = {row[0]: row[1] for row in conn.execute(counted.group_by(CONVERSATIONS.c.outcome))}
    return {outcome: found.get(outcome, 0) for outcome in OUTCOMES}


def server_trouble(conn: Connection, at: int, patience: int) -> MailServer | None:
    """Return the server's trouble if most conversations failed because of it, and for longer than ``patience``.

    The conversations of the last `WINDOW` count. While mail waits for the server, which is tried ever more rarely, it
    is the `WINDOW` before the last conversation.
    """
    waiting = [it.since for reason, it in failing(conn).items() if reason in OF_SERVER]
    last = conn.execute(select(func.max(CONVERSATIONS.c.at)).where(CONVERSATIONS.c.at <= at)).scalar_one()
    if last is None:
        return None
    until = last if waiting else at
    found = conversations(conn, until)
    failed, of = sum(found[reason] for reason in OF_SERVER), sum(found.values())
    if 2 * failed <= of:
        return None
    first = select(func.min(CONVERSATIONS.c.at)).where(
        CONVERSATIONS.c.at > until - WINDOW, CONVERSATIONS.c.outcome.in_(OF_SERVER)
    )
    since = min([conn.execute(first).scalar_one(), *waiting])
    return MailServer(since, failed, of) if at - since > patience else None


def forget_old(conn: Connection, at: int) -> None:
    """Delete conversations older than a day."""
    conn.execute(delete(CONVERSATIONS).where(CONVERSATIONS.c.at <= at - KEPT))


# ==== retries =====================================================================================
_OF_SERVER = OUTBOX.c.state == "pending", OUTBOX.c.failing_for.in_(OF_SERVER)
_ANY = Compiled(
    select(OUTBOX.c.id)
    .where(OUTBOX.c.state == "pending", or_(*(OUTBOX.c.failing_for == reason for reason in OF_SERVER)))
    .limit(1)
)


def any_for_server(conn: Connection) -> bool:
    """Does mail wait that failed because of the server?"""
    return _ANY.row(conn) is not None


def was_down(conn: Connection, at: int, *, just_taken: int = 0) -> bool:
    """Was the server down, or does it only refuse certain mails?

    It was if it could not be reached, or if fewer mails were taken since the first failure than still fail; those
    ``just_taken`` do not count. Otherwise the failure lies in the mail, for example one that crashes a filter. Such a
    mail waits for its time; otherwise every mail to anybody would retry it.
    """
    found = failing(conn)
    if "server" not in found or "away" in found:
        return "away" in found
    number, since = found["server"]
    return number > conversations(conn, at, at - since)[TAKEN] - just_taken


def free(conn: Connection, at: int) -> int:
    """Make mail due that failed because of the server, longest wait first. Return the number of mails.

    The two days until a mail is given up still count from its first failure.
    """
    return _due_again(conn, _OF_SERVER, AT_ONCE, SPACE, at)


def probe(conn: Connection, at: int) -> bool:
    """Make one recipient's mail due that failed because of the server, if there was no conversation for a while.

    Otherwise a recovery would go unnoticed until the next of ever longer waits is over. It takes the mail with the
    fewest tries.
    """
    if not was_down(conn, at):
        return False
    last, since = conn.execute(_LATELY).one()
    least, most = PROBES
    if at - (last or 0) < min(most, max(least, (at - (since or 0)) // 10)):
        return False
    row = conn.execute(_TO_PROBE).first()
    if row is None:
        return False
    who = recipients.of(row._asdict())
    recipients.lock(conn, who)
    conn.execute(update(OUTBOX).where(_of(who), *_OF_SERVER, OUTBOX.c.due_at > at).values(due_at=at))
    recipients.settle(conn, [who], at)
    return True


_LATELY = select(
    select(func.max(CONVERSATIONS.c.at)).scalar_subquery(),
    select(func.min(OUTBOX.c.failing_since)).where(*_OF_SERVER).scalar_subquery(),
)
_TO_PROBE = (
    select(OUTBOX.c.address, OUTBOX.c.person_id)
    .where(*_OF_SERVER, OUTBOX.c.held.is_(None))
    .order_by(OUTBOX.c.attempts, OUTBOX.c.failing_since, OUTBOX.c.id)
    .limit(1)
)


def try_all(conn: Connection, at: int, why: str, reason: FailedFor | None = None) -> int:
    """Make all failed mail due, for an operator, or all that failed for one ``reason``. Return the number of mails.

    It includes mail given up because of the server, but not links and invitations, whose content is deleted by then.
    Before a mail leaves, the worker checks again whether it is still due.
    """
    given_up = (OUTBOX.c.state == "dead") & OUTBOX.c.failing_for.in_(OF_SERVER) & OUTBOX.c.kind.in_(SWITCHED)
    these = or_(OUTBOX.c.state == "pending", given_up & OUTBOX.c.person_id.is_not(None))
    failed = OUTBOX.c.failing_for.is_not(None) if reason is None else OUTBOX.c.failing_for == reason
    return _due_again(conn, (failed, these), MOST_TRIED, SPREAD // MOST_TRIED, at, why=why)


def _due_again(
    conn: Connection, these: Collection[Any], most: int, space: int, at: int, *, why: str | None = None
) -> int:
    """Make the mails to up to ``most`` recipients due, with ``space`` between recipients. Return the number of mails.

    All of one recipient's are due at the same moment: rows that were tried as one mail make the same mail again.
    """
    owner = OUTBOX.c.address, OUTBOX.c.person_id
    first = select(*owner).where(*these).group_by(*owner)
    oldest = func.min(func.coalesce(OUTBOX.c.failing_since, OUTBOX.c.created_at))
    rows = conn.execute(first.order_by(oldest, func.min(OUTBOX.c.id)).limit(most)).all()
    ordered = dict.fromkeys(recipients.of(row._asdict()) for row in rows)
    moments = {who: at + place * space for place, who in enumerate(ordered)}
    done = 0
    for who in sorted(moments):  # all callers lock recipients in the same order
        recipients.lock(conn, who)
        ids = list(conn.scalars(select(OUTBOX.c.id).where(_of(who), *these)))
        _put(conn, ids, moments[who])
        if why is not None and ids:
            conn.execute(
                insert(HISTORY), [{"notice_id": it, "at": at, "what": "sent_now", "detail": why} for it in ids]
            )
        recipients.settle(conn, [who], at)
        done += len(ids)
    return done


def _put(conn: Connection, ids: Sequence[int], moment: int) -> None:
    """Make these mails due at ``moment``. Those that were given up start from the beginning."""
    mine = update(OUTBOX).where(OUTBOX.c.id.in_(ids))
    anew = {"state": "pending", "told_by": None, "held": None, "failing_since": None, "due_at": moment}
    conn.execute(mine.where(OUTBOX.c.state == "dead").values(**anew))
    conn.execute(mine.where(OUTBOX.c.due_at > moment).values(due_at=moment))
    conn.execute(mine.values(failing_for=None))


def _of(who: str) -> Any:
    """Return the condition for the rows of one recipient."""
    person_id = recipients.person_of(who)
    if person_id is None:
        return OUTBOX.c.address == who
    return (OUTBOX.c.person_id == person_id) & OUTBOX.c.address.is_(None)
