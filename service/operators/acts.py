"""The actions of operators, for their pages and their commands. Each is recorded with its operator and its reason.

Every function checks itself that its caller is an operator. Operators are people with a row, and may act only while
their sign-in is fresh; a caller at the command line has the database anyway. One transaction holds an action and its
entry. People can read the entries that concern them. Looking is in `service.operators.oversight`.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import Connection, Select, Table, bindparam, delete, event, insert, or_, select, update
from sqlalchemy.orm import aliased

from domain.lifecycle import ClosedFor
from service.base import hints, names, security
from service.base.clock import DAY, MINUTE
from service.database.compiled import Compiled
from service.database.store import GAMES, SEATS, Store, Stored
from service.database.tables import Operator, OperatorEntry, table_of
from service.database.work import Work
from service.games import house, lobby, moves
from service.games.play import ExtraWrites, SubmissionContext
from service.games.rights import ByService, SeatChanged
from service.notices import failing, ledger, webhooks
from service.notices.failing import FailedFor
from service.notices.replies import REPLIES
from service.operators import second_factor
from service.people import accounts, addresses, feeds
from service.people.accounts import PERSONS
from service.post import inbox
from service.post.inbox import INCOMING
from service.words import N_

OPERATORS, ENTRIES = table_of(Operator), table_of(OperatorEntry)

LONGEST_WHY = 300
PAGE = 50

DEEDS = (
    "add", "remove", "second_factor", "resend", "send_now", "read_again", "call_again", "block", "unblock", "unflag",
    "close", "free_seat", "give_time", "try_failed", "ask_again", "remove_lines", "silence", "unsilence", "settle",
)  # fmt: skip
OF_TABLES = ("close", "free_seat", "give_time")
"""Actions that are told to everybody at the table."""


class Who(msgspec.Struct, frozen=True):
    """An operator as caller. ``person_id``: None at the command line. ``session``: the hash of their session.

    ``fresh``: the milliseconds after a sign-in in which they may act (`accounts.Lasting`). ``strict``: whether this
    installation demands a second factor; otherwise only operators who have set one up are asked for it.
    """

    person_id: int | None = None
    session: str | None = None
    fresh: int = accounts.USUAL.fresh
    strict: bool = True


AT_THE_COMMAND_LINE = Who()


class NotAllowed(Exception):
    """The caller is no operator."""


class NotFresh(Exception):
    """The caller is an operator, but signed in too long ago."""


class NoSecondFactor(Exception):
    """The caller is an operator, but has not given their second factor since they signed in."""


class NotDone(ValueError):
    """The action is impossible; ``why`` is a word of `NOT_DONE`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


NOT_DONE = {
    "nobody": N_("There is no such person."), "operator": N_("This person is already an operator."),
    "no_operator": N_("This person is not an operator."), "yourself": N_("You cannot block yourself."),
    "blocked": N_("This person is blocked."), "not_blocked": N_("This person is not blocked."),
    "not_flagged": N_("Email to this address does not bounce."), "no_mail": N_("There is no such email."),
    "no_resend": N_("This email cannot be sent again: it is on its way, was not needed, or contained a link."),
    "no_send_now": N_("This email is not waiting."), "no_failure": N_("Only failed email can be processed again."),
    "no_call": N_("This call cannot be repeated."), "nothing_failed": N_("No failed email is waiting."),
    "no_report": N_("There is no such report."), "no_lines": N_("These lines are deleted already."),
    "settled": N_("This report is settled already."), "hours": N_("Hours must be a number from 0 to 8760 (a year)."),
    "not_asked": N_("The game is not waiting for this player."),
    "asked_lately": N_("This player was asked again less than a day ago."),
    "no_request": N_("No request to move was sent to this player, or it is still on its way."),
    "no_game": N_("There is no such game."), "no_note": N_("There is no such note."),
    "minutes": N_("Minutes must be a number from 1 to 43200 (30 days)."),
}  # fmt: skip
"""The reasons why an action is impossible."""


def demand(conn: Connection, who: Who, at: int) -> None:
    """Demand that ``who`` is an operator, signed in lately, and has given the second factor since.

    Raise `NotAllowed`, `NotFresh` and `NoSecondFactor`.
    """
    if who.person_id is None:
        return
    demand_first(conn, who, at)
    if not second_factor.is_shown(conn, who.session) and (who.strict or second_factor.is_set_up(conn, who.person_id)):
        raise NoSecondFactor


def demand_first(conn: Connection, who: Who, at: int) -> None:
    """Demand the same without the second factor, for the page that asks for it. Raise `NotAllowed` and `NotFresh`."""
    if who.person_id is None:
        return
    if not is_operator(conn, who.person_id):
        raise NotAllowed
    if not accounts.is_fresh(conn, who.session, at, who.fresh):
        raise NotFresh


def is_operator(conn: Connection, person_id: int) -> bool:
    """Is the person an operator, and not shut out?"""
    found = (
        select(OPERATORS.c.person_id)
        .join_from(OPERATORS, PERSONS, PERSONS.c.id == OPERATORS.c.person_id)
        .where(OPERATORS.c.person_id == person_id, PERSONS.c.blocked_at.is_(None))
    )
    return conn.execute(found).first() is not None


# ==== entries =====================================================================================
class Act(msgspec.Struct, frozen=True):
    """An action of an operator. ``operator``: their name; "" at the command line, and after their erasure.

    ``person``: the number and name of the person concerned. ``game``: its name, "" if no game is concerned.
    """

    id: int
    at: int
    operator: str
    by_command: bool
    what: str
    person_id: int | None
    person: str
    game_id: str
    game: str
    detail: str
    why: str


def reason(why: str) -> str:
    """Return ``why`` as it is stored and shown. Raise `names.BadName`."""
    return names.cleaned(why, LONGEST_WHY)


@contextmanager
def acting(store: Store, who: Who, why: str, at: int) -> Iterator[tuple[Connection, str]]:
    """Open a transaction for an operator's action. Yield it with the reason as stored. Raise `names.BadName`."""
    kept = reason(why)
    with store.write() as conn:
        demand(conn, who, at)
        yield conn, kept


def enter(
    conn: Connection,
    who: Who,
    what: str,
    why: str,
    at: int,
    *,
    person_id: int | None = None,
    game_id: str = "",
    detail: str = "",
) -> None:
    """Write the entry of an action, in its transaction."""
    assert what in DEEDS
    facts = {"what": what, "by": who.person_id, "person": person_id, "game": game_id or None, "detail": detail}
    event.listen(conn, "commit", lambda _conn: security.tell("operator.deed", **facts), once=True)
    conn.execute(
        insert(ENTRIES).values(
            at=at,
            operator_id=who.person_id,
            by_command=who.person_id is None,
            what=what,
            person_id=person_id,
            game_id=game_id,
            detail=detail,
            why=why,
        )
    )


_BY, _TO = (aliased(PERSONS, name=name) for name in ("did", "concerned"))


def with_names(its: Table) -> Select[Any]:
    """Select rows by operators, the newest first, with the names of ``operator``, ``person`` and ``game``."""
    return (
        select(its, _BY.c.name.label("operator"), _TO.c.name.label("person"), GAMES.c.name.label("game"))
        .join(_BY, _BY.c.id == its.c.operator_id, isouter=True)
        .join(_TO, _TO.c.id == its.c.person_id, isouter=True)
        .join(GAMES, GAMES.c.id == its.c.game_id, isouter=True)
        .order_by(its.c.id.desc())
    )


_ENTRIES = with_names(ENTRIES)


def entries(
    conn: Connection,
    who: Who,
    at: int,
    *,
    person_id: int | None = None,
    game_id: str | None = None,
    before: int | None = None,
    limit: int = PAGE,
) -> list[Act]:
    """Return the actions of operators, newest first, optionally about one person or game. For operators."""
    demand(conn, who, at)
    wanted = _ENTRIES
    if person_id is not None:
        wanted = wanted.where(ENTRIES.c.person_id == person_id)
    if game_id is not None:
        wanted = wanted.where(ENTRIES.c.game_id == game_id)
    if before is not None:
        wanted = wanted.where(ENTRIES.c.id < before)
    return _read(conn.execute(wanted.limit(limit)))


def about_person(conn: Connection, person_id: int) -> list[Act]:
    """Return the actions about this person or their mails, for themselves."""
    return _read(conn.execute(_ENTRIES.where(ENTRIES.c.person_id == person_id).limit(PAGE)))


def about_game(conn: Connection, game_id: str) -> list[Act]:
    """Return the actions at a table, for everybody who may see it."""
    return _read(_ABOUT_GAME.rows(conn, game=game_id))


_ABOUT_GAME = Compiled(  # every view of a table executes it
    _ENTRIES.where(ENTRIES.c.game_id == bindparam("game"), or_(*(ENTRIES.c.what == it for it in OF_TABLES))).limit(PAGE)
)


def last_block(conn: Connection, person_id: int) -> Act | None:
    """Return the action that shut this person out, or None."""
    blocked = select(PERSONS.c.blocked_at).where(PERSONS.c.id == person_id)
    if conn.execute(blocked).scalar() is None:
        return None
    theirs = ENTRIES.c.person_id == person_id, ENTRIES.c.what == "block"
    found = _read(conn.execute(_ENTRIES.where(*theirs).limit(1)))
    return found[0] if found else None


def _read(rows: Iterable[Any]) -> list[Act]:
    return [
        Act(
            row.id,
            row.at,
            row.operator or "",
            row.by_command,
            row.what,
            row.person_id,
            row.person or "",
            row.game_id,
            row.game or "",
            row.detail,
            row.why,
        )
        for row in rows
    ]


# ==== the role ====================================================================================
class Member(msgspec.Struct, frozen=True):
    """An operator. ``added_by``: the name of the operator who added them, "" at the command line."""

    person_id: int
    name: str
    email: str
    added_at: int
    added_by: str
    second_factor: bool


def add(store: Store, who: Who, person_id: int, at: int) -> str:
    """Make a person an operator. Return the setup code for their second factor, to hand to them. Raise `NotDone`."""
    with store.write() as conn:
        demand(conn, who, at)
        if person(conn, person_id).blocked_at is not None:
            raise NotDone("blocked")
        if is_operator(conn, person_id):
            raise NotDone("operator")
        conn.execute(insert(OPERATORS).values(person_id=person_id, added_at=at, added_by=who.person_id))
        enter(conn, who, "add", "", at, person_id=person_id)
        return second_factor.open_setup(conn, store.settings, person_id, at)


def remove(store: Store, who: Who, person_id: int, at: int) -> None:
    """Take the role away. Raise `NotDone`."""
    with store.write() as conn:
        demand(conn, who, at)
        if conn.execute(delete(OPERATORS).where(OPERATORS.c.person_id == person_id)).rowcount == 0:
            raise NotDone("no_operator")
        second_factor.close(conn, person_id)
        enter(conn, who, "remove", "", at, person_id=person_id)


def renew_second_factor(store: Store, person_id: int, at: int) -> str:
    """Let an operator renew their second factor (only by command line). Return the setup code. Raise `NotDone`."""
    with store.write() as conn:
        if not is_operator(conn, person_id):
            raise NotDone("no_operator")
        enter(conn, AT_THE_COMMAND_LINE, "second_factor", "", at, person_id=person_id)
        return second_factor.open_setup(conn, store.settings, person_id, at)


def members(conn: Connection, who: Who, at: int) -> list[Member]:
    """Return all operators, oldest first."""
    demand(conn, who, at)
    rows = conn.execute(
        select(OPERATORS, PERSONS.c.name, PERSONS.c.email, _BY.c.name.label("by"), second_factor.FACTORS.c.set_up_at)
        .join(PERSONS, PERSONS.c.id == OPERATORS.c.person_id)
        .join(_BY, _BY.c.id == OPERATORS.c.added_by, isouter=True)
        .join(second_factor.FACTORS, second_factor.FACTORS.c.person_id == OPERATORS.c.person_id, isouter=True)
        .order_by(OPERATORS.c.added_at, OPERATORS.c.person_id)
    )
    return [
        Member(row.person_id, row.name, row.email, row.added_at, row.by or "", row.set_up_at is not None)
        for row in rows
    ]


Way = Literal["none", "email", "webhook"]
WAYS: tuple[Way, ...] = get_args(Way)


class AlarmWish(msgspec.Struct, frozen=True):
    """How an operator with this address gets alarms. ``url``: of their webhook, "" without one."""

    email: str
    way: Way
    url: str = ""


def wish_alarms(store: Store, who: Who, person_id: int, way: Way, at: int, url: str = "") -> None:
    """Send an operator alarms by email, to the webhook at ``url``, or no longer. Raise `NotDone`, `webhooks.BadUrl`."""
    address = webhooks.normalised(store.settings, url) if way == "webhook" else ""
    with store.write() as conn:
        demand(conn, who, at)
        theirs = update(OPERATORS).where(OPERATORS.c.person_id == person_id)
        if conn.execute(theirs.values(alarms=way == "email", alarm_url=address)).rowcount == 0:
            raise NotDone("no_operator")


def alarm_wishes(conn: Connection, person_id: int | None = None) -> list[AlarmWish]:
    """Return the wishes of all operators about alarms, or of one."""
    its = select(OPERATORS.c.alarms, OPERATORS.c.alarm_url, PERSONS.c.email)
    its = its.join(PERSONS, OPERATORS.c.person_id == PERSONS.c.id).where(PERSONS.c.blocked_at.is_(None))
    if person_id is not None:
        its = its.where(PERSONS.c.id == person_id)
    return [
        AlarmWish(row.email, "webhook" if row.alarm_url else "email" if row.alarms else "none", row.alarm_url)
        for row in conn.execute(its.order_by(PERSONS.c.id))
    ]


# ==== people ======================================================================================
def block(store: Store, who: Who, person_id: int, why: str, at: int) -> None:
    """Shut a person out: all their keys end, they cannot sign in, and they get no mail or call.

    Their seats stay: their clocks run, and the table's rules apply when time is up (ST 14 to ST 16). Raise
    `NotDone` and `names.BadName`.
    """
    with acting(store, who, why, at) as (conn, why):
        if person_id == who.person_id:
            raise NotDone("yourself")
        email = person(conn, person_id).email
        ours = update(PERSONS).where(PERSONS.c.id == person_id, PERSONS.c.blocked_at.is_(None))
        if conn.execute(ours.values(blocked_at=at)).rowcount == 0:
            raise NotDone("blocked")
        accounts.end_all_keys(conn, person_id, at)
        accounts.forget_sign_in_links(conn, email, at)
        addresses.forget_links(conn, person_id, at)
        for kind in feeds.KINDS:
            feeds.revoke(conn, person_id, kind)
        webhooks.shut(conn, person_id)
        enter(conn, who, "block", why, at, person_id=person_id)


def unblock(store: Store, who: Who, person_id: int, why: str, at: int) -> None:
    """Let a person in again. Keys stay ended; webhooks that were on are on again. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        person(conn, person_id)
        theirs = update(PERSONS).where(PERSONS.c.id == person_id, PERSONS.c.blocked_at.is_not(None))
        if conn.execute(theirs.values(blocked_at=None)).rowcount == 0:
            raise NotDone("not_blocked")
        webhooks.open_again(conn, person_id)
        enter(conn, who, "unblock", why, at, person_id=person_id)


def unflag(store: Store, who: Who, person_id: int, why: str, at: int) -> None:
    """Try mail to an address again that failed. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        if person(conn, person_id).mail_flagged_at is None:
            raise NotDone("not_flagged")
        addresses.unflag(conn, person_id, at)
        enter(conn, who, "unflag", why, at, person_id=person_id)
    hints.wake("outbox")


def person(conn: Connection, person_id: int) -> Any:
    """Return the row of a person. Raise `NotDone` if there is none."""
    found = conn.execute(select(PERSONS).where(PERSONS.c.id == person_id)).one_or_none()
    if found is None:
        raise NotDone("nobody")
    return found


# ==== mail and calls ==============================================================================
def resend(store: Store, who: Who, notice_id: int, why: str, at: int) -> None:
    """Owe a mail again that was sent or given up. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        row = _mail(conn, notice_id)
        if row.person_id is None or not ledger.send_again(conn, row.person_id, notice_id, at, by_operator=why):
            raise NotDone("no_resend")
        enter(conn, who, "resend", why, at, person_id=row.person_id, game_id=row.game_id)
    hints.wake("outbox")


def send_now(store: Store, who: Who, notice_id: int, why: str, at: int) -> None:
    """Send a waiting mail at once. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        row = _mail(conn, notice_id)
        if not ledger.send_now(conn, notice_id, at, why):
            raise NotDone("no_send_now")
        enter(conn, who, "send_now", why, at, person_id=row.person_id, game_id=row.game_id)
    hints.wake("outbox")


def try_failed(store: Store, who: Who, why: str, at: int, reason: FailedFor | None = None) -> int:
    """Retry all failed mail now, spread over minutes, with mail given up because of the mail server. Return its number.

    ``reason``: retry only mail that failed for it. Raise `NotDone`, `names.BadName`.
    """
    with acting(store, who, why, at) as (conn, why):
        number = failing.try_all(conn, at, why, reason)
        if not number:
            raise NotDone("nothing_failed")
        enter(conn, who, "try_failed", why, at, detail=f"{number} {reason or ''}".strip())
    hints.wake("outbox")
    return number


def read_again(store: Store, who: Who, number: int, why: str, at: int) -> None:
    """Process a mail again that crashed us, and answer it then.

    Raise `NotDone`, `names.BadName`.
    """
    with acting(store, who, why, at) as (conn, why):
        came = select(INCOMING.c.person_id, REPLIES.c.game_id).where(INCOMING.c.id == number)
        letter = REPLIES.c.token_hash == INCOMING.c.token_hash
        row = conn.execute(came.join_from(INCOMING, REPLIES, letter, isouter=True)).one_or_none()
        if row is None:
            raise NotDone("no_mail")
        if not inbox.again(conn, number, at):
            raise NotDone("no_failure")
        enter(conn, who, "read_again", why, at, person_id=row.person_id, game_id=row.game_id or "")
    hints.wake("incoming")


def _mail(conn: Connection, notice_id: int) -> Any:
    found = conn.execute(select(ledger.OUTBOX).where(ledger.OUTBOX.c.id == notice_id)).one_or_none()
    if found is None:
        raise NotDone("no_mail")
    return found


def call_again(store: Store, who: Who, call_id: int, why: str, at: int) -> None:
    """Make a webhook call again that was made or given up. Raise `NotDone`, `names.BadName`."""
    with acting(store, who, why, at) as (conn, why):
        person_id = webhooks.again(conn, call_id, at)
        if person_id is None:
            raise NotDone("no_call")
        enter(conn, who, "call_again", why, at, person_id=person_id)
    hints.wake("webhooks")


# ==== tables ======================================================================================
CLOSED_FOR: tuple[ClosedFor, ...] = get_args(ClosedFor)
LONGEST_GIVEN = 30 * 24 * 60
"""The most minutes that one action can return."""


def close(store: Store, who: Who, game_id: str, cause: ClosedFor, why: str, at: int) -> None:
    """Close a table before the game begins (ST 5), or for a cause in mid-game (ST 17).

    Raise `names.BadName` and the errors of `play.submit`.
    """
    entered = _entering(who, "close", why, at, game_id)
    work = Work(store)
    if _seen(work, who, game_id, at).game.status == "open":
        lobby.cancel(work, ByService(), game_id, also=entered)
    else:
        house.close(work, game_id, cause, also=entered)


def free_seat(store: Store, who: Who, game_id: str, seat: int, why: str, at: int) -> None:
    """Free a seat: before the game begins (ST 3), for a substitute (ST 18), or for good if there is no clock (ST 6).

    Raise `names.BadName` and the errors of `play.submit`.
    """
    work = Work(store)
    stored = _seen(work, who, game_id, at)
    sits = next((it for it in stored.seats if it.seat == seat), None)
    person_id = sits.person_id if sits is not None else None
    entered = _entering(who, "free_seat", why, at, game_id, detail=str(seat), person_id=person_id)
    game = stored.game
    if game.status == "open":
        holder = sits and (sits.person_id or sits.bot)
        lobby.leave(work, ByService("player", seat, holder), game_id, also=entered)
    elif game.table is not None and game.table.time is not None:
        house.open_seat(work, game_id, seat, also=entered)
    else:
        moves.resign(work, ByService("service", seat, person_id), game_id, also=entered)


def give_time(store: Store, who: Who, game_id: str, minutes: int, why: str, at: int) -> None:
    """Return time to every running clock of a game (ST 13), or to the wait for sealed words (ST 20).

    Raise `NotDone`, `names.BadName` and the errors of `play.submit`.
    """
    if not 0 < minutes <= LONGEST_GIVEN:
        raise NotDone("minutes")
    entered = _entering(who, "give_time", why, at, game_id, detail=str(minutes))
    with store.read() as conn:
        demand(conn, who, at)
    house.give_time_back(Work(store), game_id, minutes * MINUTE, also=entered)


def ask_again(store: Store, who: Who, game_id: str, seat: int, why: str, at: int) -> None:
    """Send a player the request to move once more, at most once a day. Their switches and quiet hours hold.

    Raise `NotDone` and `names.BadName`.
    """
    with acting(store, who, why, at) as (conn, why):
        asked = conn.execute(select(GAMES.c.asked).where(GAMES.c.id == game_id, GAMES.c.status == "running")).scalar()
        sits = select(SEATS.c.person_id).where(SEATS.c.game_id == game_id, SEATS.c.seat == seat, SEATS.c.bot.is_(None))
        person_id = conn.execute(sits).scalar()
        if seat not in (asked or ()) or person_id is None:
            raise NotDone("not_asked")
        lately = ENTRIES.c.game_id == game_id, ENTRIES.c.person_id == person_id, ENTRIES.c.what == "ask_again"
        if conn.execute(select(ENTRIES.c.id).where(*lately, ENTRIES.c.at > at - DAY).limit(1)).first():
            raise NotDone("asked_lately")
        if not ledger.ask_again(conn, person_id, game_id, at, why):
            raise NotDone("no_request")
        enter(conn, who, "ask_again", why, at, person_id=person_id, game_id=game_id, detail=str(seat))
    hints.wake("outbox")


def _seen(work: Work, who: Who, game_id: str, at: int) -> Stored:
    """Return the game, for an operator."""
    with work.reading() as conn:
        demand(conn, who, at)
    return work.game(game_id)


def _entering(
    who: Who, what: str, why: str, at: int, game_id: str, *, detail: str = "", person_id: int | None = None
) -> ExtraWrites:
    """Return the step for the transaction of the plies.

    It checks that the caller is an operator and that the person still sits there, and writes the entry.
    """
    said = reason(why)

    def entered(conn: Connection, _here: SubmissionContext) -> None:
        demand(conn, who, at)
        if person_id is not None:
            sits = select(SEATS.c.person_id).where(SEATS.c.game_id == game_id, SEATS.c.seat == int(detail))
            if conn.execute(sits).scalar() != person_id:
                raise SeatChanged
        enter(conn, who, what, said, at, person_id=person_id, game_id=game_id, detail=detail)

    return entered
