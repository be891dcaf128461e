"""Actions at a table before its game begins: sitting down, standing up, sealed words, bots, and the host's actions.

Each function takes an `rights.Actor` and raises the errors of `play.submit`.
"""

import hashlib
import logging
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from domain import luck
from domain.clock import SetPace
from domain.lifecycle import CancelGame, GiveUpSeat, StartGame, Table, TakeSeat, TakeSeat1
from domain.messages import Command
from domain.pace import Pace
from domain.refusal import Refused
from domain.sealed import RevealWords, SealWords
from service.base import hints, links
from service.database.store import GAMES, SEATS, NoSuchGame, Stored
from service.database.tables import Rematch, table_of
from service.database.work import Work
from service.games import clocks, kept, offers, queries
from service.games.opening import chosen
from service.games.play import Answer, Submission, SubmissionContext, submit
from service.games.rights import Actor, Asking, ByService, SeatChanged, must_be, must_have, see
from service.notices import owing
from service.people import acquaintances
from service.people.strangers import NotInvited

log = logging.getLogger(__name__)

REMATCHES = table_of(Rematch)


# ==== sitting down ================================================================================
def join(
    work: Work,
    actor: Asking,
    game_id: str,
    *,
    choice: Mapping[str, Any],
    seat: int | None = None,
    words: str = "",
    salt: str = "",
    seal: str = "",
    at: int | None = None,
    submission_id: str | None = None,
) -> tuple[Answer, int]:
    """Sit down at ``seat``, or at the lowest free one (ST 2). Return the answer and the seat.

    For a person who sits already the default is their own seat, so a repeated request stays the same. For a player of a
    rematch it is the seat after their earlier one, and for a person with a kept seat that one: when all have sat down
    there, the game starts.

    ``words``: any text of the player's own, which enters every draw of the game. ``salt``: stands in front of it (64
    hexadecimal digits, or none). Both come from the player, for we could choose whatever we added (`domain.luck`).
    Blanks around the words do not count. ``seal``: in place of both where words are sealed: the hash of 64 hexadecimal
    digits that stay with the player.
    """
    seen, words = see(work, actor, game_id), words.strip()
    seat = seat or seen.seat or _seat_of_its_own(work, seen) or _free_seat(seen.table)
    raw = msgspec.Raw(chosen(seen.title.seating.choice, choice, "ST 2"))

    def sits(here: SubmissionContext) -> list[Command]:
        table = _seen(here).table
        if table.older:
            return [TakeSeat1(seat, raw, hashlib.sha256(secrets.token_bytes(32) + words.encode()).hexdigest())]
        if table.sealed:
            return [TakeSeat(seat, raw, seal or None, False, _words_due(here, seen.viewer))]
        return [TakeSeat(seat, raw, luck.brought(salt, words) if words else None, False)]

    def also(conn: Connection, here: SubmissionContext) -> None:
        must_sit_nowhere(conn, here)
        if kept.has_kept_seats(conn, seen.row):
            kept.sit(conn, game_id, seat, seen.viewer)
        known = {} if not words or seen.table.sealed or seen.table.older else {"salt": salt, "words": words}
        conn.execute(insert(SEATS), _row(game_id, seat, here.at, person_id=seen.viewer) | known)

    brought = [words, *(each for each in (salt, seal) if each)]
    given = Submission(
        game_id,
        "join",
        sits,
        None,
        submission_id,
        at,
        seat,
        lambda seat: ["take seat", seat, raw, seen.viewer, None, *brought],
        also,
    )
    answer = submit(work, actor, given)
    if _starts_by_itself(work, seen.row):
        begin(work, game_id, at=at)
    return answer, seat


def must_sit_nowhere(conn: Connection, here: SubmissionContext) -> None:
    """Check that the person has no seat yet (ST 2), that nobody there blocks them or is blocked by them, and that their
    invitation was not renewed meanwhile. A refusal does not tell who blocked whom.

    Raises `NoSuchGame` for a renewed invitation, as for any stranger.
    """
    seen = _seen(here)
    wanted = select(GAMES.c.invites).where(GAMES.c.id == seen.game.id).with_for_update()  # a renewal waits
    if seen.only_by is not None and conn.execute(wanted).scalar() != seen.only_by:
        raise NoSuchGame(seen.game.id)
    sitting = select(SEATS.c.seat).where(SEATS.c.game_id == seen.game.id, SEATS.c.person_id == seen.viewer)
    if conn.execute(sitting).first():
        raise Refused("ST 2", "You already have a seat at this table.")
    must_be_welcome(conn, seen)


def must_be_welcome(conn: Connection, seen: queries.Seen) -> None:
    """Check that the viewer and the people at a table do not block each other (ST 2). It does not tell who blocks."""
    others = {it.person_id for it in seen.stored.seats} | {seen.row.host_id}
    if seen.viewer is not None and acquaintances.keep_apart(conn, seen.viewer, others - {None, seen.viewer}):
        raise Refused("ST 2", "You cannot take a seat at this table.")


def _seat_of_its_own(work: Work, seen: queries.Seen) -> int | None:
    """The seat that is kept for the viewer; or the seat of a rematch for a player of the game before, if it is free."""
    if seen.kept is not None:
        return seen.kept.seat
    earlier = select(SEATS.c.seat).join(REMATCHES, REMATCHES.c.game_id == SEATS.c.game_id)
    mine = REMATCHES.c.next_id == seen.game.id, SEATS.c.person_id == seen.viewer
    with work.reading() as conn:
        was = conn.scalars(earlier.where(*mine).order_by(SEATS.c.left_at.is_not(None))).first()
    seat = None if was is None else seat_after(was, seen.table.seats)
    return None if seat in seen.table.chairs else seat


def seat_after(seat: int, seats: int) -> int:
    """The seat of a rematch for the player of ``seat``: all move on by one."""
    return seat % seats + 1


def seat_bot(
    work: Work,
    actor: Actor,
    game_id: str,
    bot: str,
    *,
    seat: int | None = None,
    choice: Mapping[str, Any] | None = None,
    at: int | None = None,
    submission_id: str | None = None,
) -> tuple[Answer, int]:
    """Seat a bot, by its name, at ``seat`` or at the lowest free one (ST 2). Return the answer and the seat."""
    stored = work.game(game_id)
    must_have(work, actor, stored, "seat_bot")
    game, table = stored.game, stored.game.table
    assert table is not None
    if stored.row.rated:
        raise Refused("ST 2", "Only people can play a rated game.")
    if bot not in game.title.bots:
        raise Refused("ST 2", "There is no such bot.")
    seat = seat or _free_seat(table)
    raw = msgspec.Raw(chosen(game.title.seating.choice, choice or {}, "ST 2"))

    def sits(here: SubmissionContext) -> list[Command]:
        if table.older:
            return [TakeSeat1(seat, raw, hashlib.sha256(secrets.token_bytes(32)).hexdigest())]
        return [TakeSeat(seat, raw, None, True, _words_due(here) if table.sealed else None)]

    def also(conn: Connection, here: SubmissionContext) -> None:
        conn.execute(insert(SEATS), _row(game_id, seat, here.at, bot=bot))

    given = Submission(
        game_id, "seat_bot", sits, None, submission_id, at, seat, lambda seat: ["seat bot", seat, bot, raw], also
    )
    return submit(work, actor, given), seat


def _free_seat(table: Table) -> int:
    """The lowest free seat; if there is none, a number that the rules refuse."""
    return min({*range(1, table.seats + 1)} - {*table.chairs}, default=table.seats)


def _row(game_id: str, seat: int, at: int, *, person_id: int | None = None, bot: str | None = None) -> dict[str, Any]:
    return {"game_id": game_id, "seat": seat, "person_id": person_id, "bot": bot, "joined_at": at, "left_at": None}


def _words_due(here: SubmissionContext, sitter: int | None = None) -> int:
    with here.work.reading() as conn:
        return clocks.words_due(conn, here.stored, here.at, sitter)


def _seen(here: SubmissionContext) -> queries.Seen:
    assert here.seen is not None  # a person asks
    return here.seen


# ==== standing up =================================================================================
def leave(work: Work, actor: Actor, game_id: str, *, at: int | None = None, also: Any = None) -> Answer:
    """Give up one's seat before the game starts (ST 3); its player is forgotten. ``also``: see `play.Submission`."""

    def stand_up(conn: Connection, here: SubmissionContext) -> None:
        if also is not None:
            also(conn, here)
        _free(conn, here)

    return submit(work, actor, Submission(game_id, "leave", [GiveUpSeat()], at=at, also=stand_up))


def decline(work: Work, actor: Asking, game_id: str, *, at: int | None = None) -> None:
    """Decline the seat that is kept for the actor (ST 21). Raises `Forbidden`, `NoSuchGame` and `Refused`."""
    stored = work.game(game_id)
    must_have(work, actor, stored, "decline")
    with work.writing() as conn:
        kept.decline(conn, game_id, must_be(actor, "play"), work.store.now() if at is None else at)
    work.forget(game_id)
    hints.wake("wishes")


def remove_bot(work: Work, actor: Asking, game_id: str, seat: int, *, at: int | None = None) -> Answer:
    """Remove a bot before the game starts (ST 3). Raises `SeatChanged` if none sits there."""

    def sent_away(here: SubmissionContext) -> list[Command]:
        if not any(it.seat == seat and it.bot is not None for it in here.stored.seats):
            raise SeatChanged
        return [GiveUpSeat()]

    return submit(work, actor, Submission(game_id, "remove_bot", sent_away, at=at, seat=seat, also=_free))


def _free(conn: Connection, here: SubmissionContext) -> None:
    if here.seat is not None and kept.has_kept_seats(conn, here.stored.row):
        settings, version = here.work.store.settings, here.stored.game.version
        kept.stand_up(conn, settings, here.stored.game.id, here.seat, version, here.at)
    conn.execute(delete(SEATS).where(SEATS.c.game_id == here.stored.game.id, SEATS.c.seat == here.seat))


# ==== sealed words ================================================================================
def seal_words(
    work: Work, actor: Actor, game_id: str, seal: str, *, at: int | None = None, submission_id: str | None = None
) -> Answer:
    """Commit to words anew, after a failed attempt (ST 20)."""

    def anew(here: SubmissionContext) -> list[Command]:
        return [SealWords(seal, _words_due(here))]

    given = Submission(
        game_id, "seal_words", anew, None, submission_id, at, content=lambda seat: ["seal words", seat, seal]
    )
    return submit(work, actor, given)


def open_words(
    work: Work, actor: Actor, game_id: str, words: str, *, at: int | None = None, submission_id: str | None = None
) -> Answer:
    """Open one's sealed words, once all have sat down (ST 20). The last player to do so starts the game."""
    command = RevealWords(words)
    return submit(work, actor, Submission(game_id, "open_words", [command], None, submission_id, at))


# ==== the host ====================================================================================
def start(work: Work, actor: Actor, game_id: str, *, at: int | None = None, submission_id: str | None = None) -> Answer:
    """Start the game; every seat must be taken (ST 4)."""
    return submit(work, actor, Submission(game_id, "start", [StartGame()], None, submission_id, at))


def begin(work: Work, game_id: str, *, at: int | None = None) -> bool:
    """Start a rematch (ST 19) or a game with kept seats (ST 21), and no other, if all have sat down. Return False if it
    does not begin.

    With sealed words, the last player who opens them starts it.
    """
    stored = work.game(game_id)
    if stored.game.status != "open" or stored.game.table is None or not stored.game.table.full:
        return False

    def also(conn: Connection, here: SubmissionContext) -> None:
        kept.begun(conn, game_id, here.at)

    try:
        submit(work, ByService(), Submission(game_id, "start", [StartGame()], at=at, also=also))
    except Refused:  # another process was faster, or somebody has just stood up
        log.debug("the table %s did not start", game_id)
        return False
    return True


def _starts_by_itself(work: Work, row: Any) -> bool:
    """Is the table of this row a rematch, or does it have kept seats?"""
    with work.reading() as conn:
        again = conn.execute(select(REMATCHES.c.game_id).where(REMATCHES.c.next_id == row.id)).first()
        return again is not None or kept.has_kept_seats(conn, row)


def cancel(
    work: Work, actor: Actor, game_id: str, *, at: int | None = None, submission_id: str | None = None, also: Any = None
) -> Answer:
    """Close the table before the game starts (ST 5). ``also``: as in `play.Submission`."""

    def closed(conn: Connection, here: SubmissionContext) -> None:
        if also is not None:
            also(conn, here)
        kept.release(conn, game_id)

    return submit(work, actor, Submission(game_id, "cancel", [CancelGame()], None, submission_id, at, also=closed))


def set_pace(
    work: Work,
    actor: Actor,
    game_id: str,
    pace: Pace | None,
    *,
    at: int | None = None,
    submission_id: str | None = None,
) -> Answer:
    """Choose another pace, or none, before the game starts (ST 11)."""

    def also(conn: Connection, here: SubmissionContext) -> None:
        offers.repace(conn, game_id, pace)

    return submit(work, actor, Submission(game_id, "set_pace", [SetPace(pace)], None, submission_id, at, also=also))


def set_offer(work: Work, actor: Actor, game_id: str, offer: offers.Offer, *, by_invitation: bool) -> None:
    """Choose another language, and other people for the free seats. Taken seats stay. Whether it is rated stays, too.

    Raise `Refused` if the game has begun, or if the offer is impossible.
    """
    stored = work.game(game_id)
    must_have(work, actor, stored, "set_offer")
    offers.must_be_possible(offer)
    _must_look_for_players(stored)
    with work.writing() as conn:
        offers.change(conn, game_id, offer, stored.game.table.pace if stored.game.table else None)
        conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(by_invitation=by_invitation))
    work.forget(game_id)


def _must_look_for_players(stored: Stored) -> None:
    if not queries.looks_for_players(stored.game):
        raise Refused("ST 2", "The game has already started; no seat can be taken.")


# ==== the invitation ==============================================================================
def invitation(work: Work, actor: Actor, game_id: str) -> str:
    """The invitation to the game, for its host to hand on. Raises `Refused` if it admits nobody any more."""
    stored = work.game(game_id)
    must_have(work, actor, stored, "invite")
    _must_look_for_players(stored)
    return links.invitation(work.store.settings, game_id, stored.row.invites)


def invite(
    work: Work, actor: Asking, game_id: str, addresses: Iterable[str], *, lang: str, at: int
) -> list[bool | None]:
    """Owe each of these mailboxes an invitation in this language. Return for each whether a mail goes out.

    False: it was invited before. None: it wants none, or has reached today's limit.
    """
    invitation(work, actor, game_id)
    number, by = work.game(game_id).row.invites, must_be(actor, "host")
    with work.store.write() as conn:
        sent = [
            _invited(conn, work, game_id=game_id, number=number, address=each, by=by, lang=lang, at=at)
            for each in addresses
        ]
    if any(sent):
        hints.wake("outbox")
    return sent


def _invited(conn: Connection, work: Work, **given: Any) -> bool | None:
    try:
        return owing.invite(conn, work.store.settings, **given)
    except NotInvited:
        return None


def renew_invitation(work: Work, actor: Actor, game_id: str) -> str:
    """Replace the invitation to a game. All access by the old one ends, except for taken seats. Return the new one."""
    invitation(work, actor, game_id)
    renewed = (
        update(GAMES)
        .where(GAMES.c.id == game_id)
        .values(invites=GAMES.c.invites + 1, invite_hash=None)
        .returning(GAMES.c.invites)
    )
    with work.store.write() as conn:
        number = int(conn.execute(renewed).scalar_one())
    work.forget(game_id)
    return links.invitation(work.store.settings, game_id, number)
