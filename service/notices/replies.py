"""The addresses for answers to letters: each for one letter, one seat of one game, and one version.

`service.base.ways_back` makes their tokens; only a token's hash is stored. It allows one change of the game at that
version, since a change makes another version; a letter about another version has another address.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, or_, select, update

from config.settings import Settings
from service.base import ways_back
from service.base.clock import DAY
from service.database.compiled import upsert
from service.database.tables import Reply, table_of
from service.people.accounts import hashed

REPLIES = table_of(Reply)

LASTS = 365 * DAY
"""Milliseconds in which a letter can be answered. Most are answered by a later letter long before."""
OF_STRANGERS = 29 * DAY
"""The same for letters to people without an account: a day less than their recipient is known, so that a timely answer
is also read in time.
"""


class Issued(msgspec.Struct, frozen=True):
    """The subject and the address of an answer. ``message_id``: the letter's.

    ``person_id``: None for an invited address. ``game_id``: "" for a letter about several games, which has an address
    of its own. ``version``: the one that the seat was shown; ``seat`` None without one. ``since``: when the person got
    the address of the letter (0: always). ``kind``: of the notice. ``lang``: of the letter, if there is no person.
    """

    token: str
    address: str
    message_id: str
    person_id: int | None
    game_id: str
    seat: int | None
    version: int
    kind: str
    since: int = 0
    lang: str | None = None


class Answered(msgspec.Struct, frozen=True):
    """The answered letter: as in `Issued`, with all lines of its text and HTML; ``at``: when it was sent."""

    message_id: str
    person_id: int | None
    game_id: str
    seat: int | None
    version: int
    kind: str
    since: int
    lines: tuple[str, ...]
    at: int
    lang: str | None = None


def issue(
    settings: Settings,
    message_id: str,
    kind: str,
    *,
    person_id: int | None,
    game_id: str = "",
    seat: int | None = None,
    version: int = 0,
    since: int = 0,
    lang: str | None = None,
) -> Issued | None:
    """Return the address for answers to this letter, the same each time, or None if letters cannot be answered.

    It works only after `keep`, which the sender calls before sending.
    """
    if not settings.answerable:
        return None
    token = ways_back.token_for(settings, "g", f"{message_id} {game_id} {version}")
    address = ways_back.address(settings, "g", token)
    return Issued(token, address, message_id, person_id, game_id, seat, version, kind, since, lang)


def keep(conn: Connection, issued: Iterable[Issued], lines: Sequence[str], at: int) -> None:
    """Accept answers to the letter with these lines from now on."""
    packed = zlib.compress("\n".join(dict.fromkeys(lines)).encode())
    for it in issued:
        values = msgspec.structs.asdict(it)
        del values["token"], values["address"]
        _KEEP[conn.dialect.name].run(conn, **values, token_hash=hashed(it.token), lines=packed, created_at=at)


_KEEP = upsert(REPLIES, ["token_hash"], lambda fresh: {"lines": fresh.lines})


def find(conn: Connection, token: str, at: int) -> Answered | None:
    """Return the letter that ``token`` answers, or None if there is none, or no longer."""
    found = of_hash(conn, hash_of(token), at)
    return None if found is None or (found.person_id is None and found.at <= at - OF_STRANGERS) else found


def hash_of(token: str) -> str:
    """Return a token's hash, for storage."""
    return hashed(token.lower())


def of_hash(conn: Connection, token_hash: str, at: int) -> Answered | None:
    """Return the letter by the hash of its token."""
    this = REPLIES.c.token_hash == token_hash, REPLIES.c.created_at > at - LASTS
    row = conn.execute(select(REPLIES).where(*this)).one_or_none()
    return None if row is None else _answered(row)


def parts(conn: Connection, letter: Answered) -> list[Answered]:
    """Return the letters for the single games of a letter about several."""
    same = REPLIES.c.message_id == letter.message_id, REPLIES.c.person_id == letter.person_id, REPLIES.c.game_id != ""
    return [_answered(row) for row in conn.execute(select(REPLIES).where(*same).order_by(REPLIES.c.created_at))]


def _answered(row: Any) -> Answered:
    lines = tuple(zlib.decompress(row.lines).decode().split("\n"))
    known = (row.message_id, row.person_id, row.game_id, row.seat, row.version, row.kind, row.since)
    return Answered(*known, lines=lines, at=row.created_at, lang=row.lang)


def token_of(settings: Settings, address: str) -> str | None:
    """Return the token in an address of ours, valid or not, or None for any other address."""
    return ways_back.token_in(settings, "g", address)


def forget_old(conn: Connection, at: int, of_strangers: int) -> None:
    """Forget old letters; those to people without an account if they are older than ``of_strangers``."""
    conn.execute(delete(REPLIES).where(REPLIES.c.created_at <= at - LASTS))
    conn.execute(delete(REPLIES).where(REPLIES.c.person_id.is_(None), REPLIES.c.created_at < of_strangers))


def forget_words(conn: Connection, game_id: str, people: Any) -> None:
    """Forget the lines of letters about a game, and of digests to these people. They can still be answered."""
    of_several = REPLIES.c.message_id.startswith("<together."), REPLIES.c.person_id.in_(people)
    nothing = zlib.compress(b"")
    conn.execute(update(REPLIES).where(or_(REPLIES.c.game_id == game_id, and_(*of_several))).values(lines=nothing))
