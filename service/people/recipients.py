"""The recipients of owed mail, each with the next moment at which a mail may go. Workers claim one recipient at a time.

Code that writes rows of the outbox reports it here, in the same transaction. Before it changes existing rows it locks
their recipient, because a worker may be about to claim them.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, String, and_, bindparam, case, cast, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from service.database.compiled import Compiled
from service.database.store import Store
from service.database.tables import Notice, Recipient, table_of

OUTBOX, RECIPIENTS = table_of(Notice), table_of(Recipient)


def of_person(person_id: int) -> str:
    """Return a person's name in this table."""
    return str(person_id)


def of(row: Mapping[str, Any]) -> str:
    """Return the recipient of an outbox row.

    A mail to an explicit address belongs to the address, whoever asked for it.
    """
    return row.get("address") or of_person(row["person_id"])


def person_of(who: str) -> int | None:
    """Return the person, or None for an address."""
    return int(who) if who.isdigit() else None


# ==== new rows ====================================================================================
AT_ONCE = 16


def owe(conn: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Note that these pending ``rows`` were written. All callers reach recipients in the same order."""
    due: dict[str, int] = {}
    for row in rows:
        due[of(row)] = min(row["due_at"], due.get(of(row), row["due_at"]))
    ordered = sorted(due)
    for first in range(0, len(ordered), AT_ONCE):
        some = ordered[first : first + AT_ONCE]
        given = {
            name: value
            for place, who in enumerate(some)
            for name, value in ((f"who_{place}", who), (f"person_{place}", person_of(who)), (f"at_{place}", due[who]))
        }
        _upsert(len(some))[conn.dialect.name].run(conn, **given)


@cache
def _upsert(number: int) -> Mapping[str, Compiled]:
    """Return one statement for this many recipients."""
    rows: list[dict[str, Any]] = [
        {"who": bindparam(f"who_{it}"), "person_id": bindparam(f"person_{it}"), "next_at": bindparam(f"at_{it}")}
        for it in range(number)
    ]
    made = {}
    for dialect in (sqlite, postgresql):
        fresh: Any = dialect.insert(RECIPIENTS).values(rows)
        # A mail that becomes due during another one to its recipient goes with the next.
        sooner = and_(RECIPIENTS.c.claim.is_(None), fresh.excluded.next_at < RECIPIENTS.c.next_at)
        next_at = case((sooner, fresh.excluded.next_at), else_=RECIPIENTS.c.next_at)
        upsert = fresh.on_conflict_do_update(index_elements=["who"], set_={"next_at": next_at})
        made[dialect.__name__.rpartition(".")[2]] = Compiled(upsert)
    return made


# ==== changed rows ================================================================================
_LOCK = Compiled(select(RECIPIENTS).where(RECIPIENTS.c.who == bindparam("its")).with_for_update())
_KEEP = Compiled(
    update(RECIPIENTS)
    .where(RECIPIENTS.c.who == bindparam("its"))
    .values(next_at=bindparam("at"), claim=bindparam("by"))
)
_DELETE = Compiled(delete(RECIPIENTS).where(RECIPIENTS.c.who == bindparam("its")))


def lock(conn: Connection, who: str) -> Any | None:
    """Lock a recipient until the end of the transaction. Return their row, or None if nothing is owed."""
    return _LOCK.row(conn, its=who)


def keep(conn: Connection, who: str, next_at: int, claim: str | None) -> None:
    """Set the time at which a recipient's mail may go, or the end of a worker's ``claim``."""
    _KEEP.run(conn, its=who, at=next_at, by=claim)


def settle(conn: Connection, recipients: Collection[str], at: int) -> None:
    """Compute the next time for recipients whose owed mail has changed. A claimed recipient stays claimed.

    Mail that is overdue counts from ``at`` on, so that recipients who just had mail queue behind those who wait.
    """
    for who in sorted(recipients):
        row, owed = lock(conn, who), _owed(conn, who)
        if owed.leased_until is not None:
            if row is None or row.claim is None:  # no claim is known
                _write(conn, who, row, owed.leased_until, LOST)
        elif owed.due_at is not None:
            _write(conn, who, row, max(owed.due_at, at), None)
        elif row is not None:
            _DELETE.run(conn, its=who)


def _write(conn: Connection, who: str, row: Any, next_at: int, claim: str | None) -> None:
    if row is None:
        address, person_id = (who, None) if person_of(who) is None else (None, person_of(who))
        owe(conn, [{"address": address, "person_id": person_id, "due_at": next_at}])
    if row is not None or claim is not None:
        keep(conn, who, next_at, claim)


LOST = ""
"""The claim on rows whose worker is unknown."""


class _Owed(NamedTuple):
    """The first due time of a recipient's pending rows, and the last end of the leases of the others."""

    due_at: int | None
    leased_until: int | None


def _owed(conn: Connection, who: str) -> _Owed:
    person_id = person_of(who)
    given: dict[str, Any] = {"address": who} if person_id is None else {"person": person_id}
    pending, leased = _LOOKS[person_id is None]
    first, last = pending.row(conn, **given), leased.row(conn, **given)
    return _Owed(first and first.due_at, last and last.until)


def theirs(of_address: bool) -> tuple[Any, ...]:
    """Return the condition for the outbox rows of one recipient, to be bound as ``address`` or ``person``."""
    if of_address:
        return (OUTBOX.c.address == bindparam("address"),)
    return OUTBOX.c.person_id == bindparam("person"), OUTBOX.c.address.is_(None)


_LEASED_UNTIL = func.coalesce(OUTBOX.c.lease_until, 0)
_LOOKS = {
    of_address: (
        Compiled(
            select(OUTBOX.c.due_at)
            .where(*theirs(of_address), OUTBOX.c.state == "pending")
            .order_by(OUTBOX.c.due_at)
            .limit(1)
        ),
        Compiled(select(func.max(_LEASED_UNTIL).label("until")).where(*theirs(of_address), OUTBOX.c.state == "leased")),
    )
    for of_address in (True, False)
}


# ==== correcting rows =============================================================================
def drifted(conn: Connection, at: int) -> list[str]:
    """Return the recipients whose row differs from the outbox."""
    who = func.coalesce(OUTBOX.c.address, cast(OUTBOX.c.person_id, String))
    looked = (
        select(
            who.label("who"),
            func.min(case((OUTBOX.c.state == "pending", OUTBOX.c.due_at))).label("due_at"),
            func.max(case((OUTBOX.c.state == "leased", _LEASED_UNTIL))).label("leased_until"),
        )
        .where(OUTBOX.c.state.in_(("pending", "leased")))
        .group_by(who)
    )
    owed = {row.who: row for row in conn.execute(looked)}
    known = {row.who: row for row in conn.execute(select(RECIPIENTS))}
    wrong = [each for each in owed.keys() & known.keys() if not _agree(known[each], owed[each], at)]
    return sorted({*wrong, *(owed.keys() ^ known.keys())})


def _agree(known: Any, owed: Any, at: int) -> bool:
    if owed.leased_until is not None or known.claim is not None:
        return owed.leased_until is not None and known.claim is not None
    return bool(max(known.next_at, at) == max(owed.due_at, at))


def mend(store: Store, at: int) -> int:
    """Correct the rows that differ from the outbox. Return their number, which should be 0."""
    with store.read() as conn:
        wrong = drifted(conn, at)
    for who in wrong:
        with store.write() as conn:
            settle(conn, [who], at)
    return len(wrong)
