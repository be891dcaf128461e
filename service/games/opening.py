"""Opening a table (ST 1): its title, options and pace, the secret behind its draws, and the invitation to it."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain.chain import first_link, secret_commitment
from domain.clock import SetPace
from domain.game import fold
from domain.lifecycle import OpenTable
from domain.messages import Command
from domain.pace import Pace
from domain.play import decide_all
from domain.refusal import Refused
from domain.title import Title
from service.base import links
from service.database.store import GAMES, PERSONS, SECRETS, NoSuchGame, Store
from service.database.work import Work
from service.games import offers
from service.games.offers import ANYBODY, Offer
from service.games.play import Answer, SubmissionReused, hash_of, remember, update_row
from service.games.rights import ByPerson, ByService, must_be

log = logging.getLogger(__name__)


class SecretGone(Exception):
    """The secret whose hash the host was shown has been used or replaced."""


class Opened(msgspec.Struct, frozen=True):
    """A table that was opened. ``invite_token``: its bearer may see and join the game (`links.invitation`).

    ``commitment``: the hash of its secret.
    """

    game_id: str
    invite_token: str
    commitment: str


def open_table(
    work: Work,
    actor: ByPerson | ByService,
    *,
    title: str,
    options: Mapping[str, Any],
    seats: int,
    name: str,
    public: bool,
    settle_ms: int,
    at: int | None = None,
    pace: Pace | None = None,
    game_id: str | None = None,
    submission_id: str | None = None,
    commitment: str | None = None,
    sealed: bool = False,
    rated: bool = False,
    offer: Offer = ANYBODY,
    by_invitation: bool = False,
    players: Sequence[msgspec.Struct] = (),
    also: Callable[[Connection, str], None] | None = None,
) -> Opened:
    """Open a table (ST 1), with a pace or without clocks (ST 11). Raises `Refused`, `SubmissionReused`, `SecretGone`.

    With a ``submission_id`` the game's id follows from it and the host, so the same submission finds the same game.
    ``at``: as in `play.Submission`.
    ``commitment``: the hash that `next_table` returned, if the host opens the table and brings words in one go.
    ``sealed``: its words are sealed (ST 20). ``rated``: its result changes ratings; only public tables can be rated.
    ``offer``: its language, and the demands on people who take a seat.
    ``by_invitation``: only people with the invitation can take a seat. ``players``: its wishes for seats, which tell
    one submission from another (`players.come` fulfils them). ``also``: writes more rows about the new table
    in the same transaction.
    """
    if rated and not public:
        raise Refused("ST 1", "Only public games can be rated.")
    offers.must_be_possible(offer)
    store, host_id = work.store, None if isinstance(actor, ByService) else must_be(actor, "host")
    box = _title(store, title)
    raw = msgspec.Raw(chosen(box.seating.options, options, "ST 1"))
    content = hash_of(
        [
            title,
            raw,
            seats,
            name,
            host_id,
            public,
            settle_ms,
            *([pace] if pace else []),
            *(["sealed"] if sealed else []),
            *(["rated"] if rated else []),
            *([offer] if offer != ANYBODY else []),
            *(["by invitation"] if by_invitation else []),
            *([players] if players else []),
        ]
    )
    game_id = game_id or new_id("open", host_id, submission_id)
    if submission_id is not None and (before := _opened_before(store, game_id, submission_id, content)):
        return before
    secret = secrets.token_bytes(32) if commitment is None else _secret_behind(store, host_id, commitment)
    at = store.now() if at is None else at
    empty = fold(game_id, box, ())
    commands: list[Command] = [OpenTable(title, seats, raw, secret_commitment(secret), settle_ms, sealed)]
    if pace is not None:
        commands.append(SetPace(pace))
    cause = actor.cause if isinstance(actor, ByService) else "player"
    decided = decide_all(empty, None, commands, at, cause, secret)
    if decided.refusal is not None:  # nothing is written yet, so no table opens without the chosen pace
        raise decided.refusal
    try:
        with store.write() as conn:
            row = {
                "id": game_id, "title": title, "name": name, "seats": seats, "host_id": host_id, "public": public,
                "rated": rated, "by_invitation": by_invitation, "invite_hash": None, "invites": 0,
                "version": 0, "head": b"", "status": "open",
                "asked": [], "bot_at": None, "due_at": None, "paused": False, "created_at": at,
                "moved_at": at, "ended_at": None,
            }  # fmt: skip
            conn.execute(insert(GAMES), row)
            offers.keep(conn, game_id, offer, pace)
            conn.execute(insert(SECRETS), {"game_id": game_id, "secret": secret})
            if commitment is not None and conn.execute(_USED, {"who": host_id, "its": secret}).rowcount != 1:
                raise SecretGone
            head = store.append(conn, empty, first_link(game_id), secret, decided.plies, submission_id)
            update_row(conn, decided, head, (), at, at)
            if also is not None:
                also(conn, game_id)
            if submission_id is not None:
                remember(conn, game_id, submission_id, content, Answer(1, [ply.number for ply in decided.plies]), at)
    except IntegrityError:
        if submission_id is not None and (before := _opened_before(store, game_id, submission_id, content)):
            return before
        raise
    store.folds.keep(decided.game, head)
    log.info("opened", extra={"game": game_id, "ply": 1, "title": title})
    return _opened(store, game_id, 0, secret)


# ==== its secret ==================================================================================
def next_table(store: Store, person_id: int) -> str:
    """Return the hash of the secret of the next table that a person opens.

    A host may open a table and bring words for a seat in one go. The host sees the hash before, so we cannot search for
    a secret that suits the words.
    """
    if (secret := _next_secret(store, person_id)) is None:
        with store.write() as conn:  # if two forms open at once, the first draws it for both
            conn.execute(_DRAWN, {"who": person_id, "its": secrets.token_bytes(32)})
        secret = _next_secret(store, person_id)
        assert secret is not None
    return secret_commitment(secret)


def _next_secret(store: Store, person_id: int | None) -> bytes | None:
    with store.read() as conn:
        return conn.execute(select(PERSONS.c.next_secret).where(PERSONS.c.id == person_id)).scalar()


def _secret_behind(store: Store, person_id: int | None, commitment: str) -> bytes:
    secret = _next_secret(store, person_id)
    if secret is None or secret_commitment(secret) != commitment:
        raise SecretGone
    return secret


_DRAWN = (
    update(PERSONS)
    .where(PERSONS.c.id == bindparam("who"), PERSONS.c.next_secret.is_(None))
    .values(next_secret=bindparam("its"))
)
_USED = (
    update(PERSONS)
    .where(PERSONS.c.id == bindparam("who"), PERSONS.c.next_secret == bindparam("its"))
    .values(next_secret=None)
)


# ==== the choices =================================================================================
def _title(store: Store, title: str) -> Title:
    if title not in store.titles:
        raise Refused("ST 1", "There is no game called {title} here.", title=title)
    return store.titles[title]


def chosen(kind: type[msgspec.Struct], given: Mapping[str, Any], rule: str) -> bytes:
    """Return the choices as JSON with all fields, in their order, as the log keeps them. Raises `Refused`."""
    for name in given:
        if name not in kind.__struct_fields__:
            raise Refused(rule, "There is no option {option}.", option=str(name)[:40])
    for name, value in given.items():
        try:
            msgspec.convert({name: value}, kind)
        except msgspec.ValidationError:
            raise Refused(rule, "You cannot choose {value} for {option}.", value=str(value)[:40], option=name) from None
    return msgspec.json.encode(msgspec.structs.replace(msgspec.convert(given, kind)))


def _opened_before(store: Store, game_id: str, submission_id: str, content: str) -> Opened | None:
    with store.read() as conn:
        try:
            stored = store.load(conn, game_id, submission_id)
        except NoSuchGame:
            return None
    if stored.answered is None or stored.answered[0] != content:
        raise SubmissionReused
    return _opened(store, game_id, stored.row.invites, stored.secret)


def _opened(store: Store, game_id: str, number: int, secret: bytes) -> Opened:
    return Opened(game_id, links.invitation(store.settings, game_id, number), secret_commitment(secret))


_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Digits and letters that look unlike one another; five bits each."""


def new_id(what: str, who: int | None, submission_id: str | None) -> str:
    """Make sixteen letters: at random or, for a submission that may come twice, derived from its sender and content."""
    bits = secrets.randbits(80) if submission_id is None else int(hash_of([what, who, submission_id])[:20], 16)
    return "".join(_LETTERS[bits >> shift & 31] for shift in range(75, -1, -5))
