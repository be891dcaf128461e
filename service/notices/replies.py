"""The addresses at which letters are answered: each of one letter, for one seat of one game at one version.

The token in an address is random to everybody but us: it follows from a key of the installation and the letter, so that
a letter that is sent again has the same one. Only its hash is kept. It is good for one change of the game at that
version, since a change makes another; a letter that shows another version has another address.
"""

import base64
import hmac
import re
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from config.settings import Settings
from service.base.clock import DAY
from service.database.tables import Reply, table_of
from service.people.accounts import hashed

REPLIES = table_of(Reply)

LASTS = 365 * DAY
"""Milliseconds for which a letter can be answered. Most are answered by a later one long before."""
OF_STRANGERS = 29 * DAY
"""The same of letters to who has no account: a day less than it is known to whom they went, so that what came in time
finds its reader still known when it is read.
"""
BYTES = 16
"""Of a token: 26 letters and digits in base32, which mail programs may write in capitals."""
ADDRESS = re.compile(r"g[+.]([a-z2-7]{26})@(.+)", re.IGNORECASE)
"""Some servers know no ``+``."""


class Issued(msgspec.Struct, frozen=True):
    """What an answer to a letter is for, and where it goes. ``message_id``: the letter's.

    ``person_id``: None for who is invited. ``game_id``: "" for a letter about several games, whose own address this is;
    ``version``: that is shown to the seat, ``seat`` None for none. ``since``: since when the person has had the address
    that it was sent to (0: always). ``kind``: of the notice. ``lang``: of the letter, where there is no person.
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
    """The letter that is answered: as in `Issued`, and all its lines, of its text and HTML; ``at``: when it went."""

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
    """Where this letter is answered, the same however often it is written; None where letters cannot be answered.

    It works once `keep` has been told of it, which whoever sends the letter does before.
    """
    if not settings.answerable:
        return None
    token = _token(settings, f"{message_id} {game_id} {version}")
    address = f"g+{token}@{settings.replies_at}"
    return Issued(token, address, message_id, person_id, game_id, seat, version, kind, since, lang)


def _token(settings: Settings, letter: str) -> str:
    key = settings.keys()[0].encode()
    drawn = hmac.digest(key, b"slow train reply|" + letter.encode(), "sha256")[:BYTES]
    return base64.b32encode(drawn).decode().rstrip("=").lower()


def keep(conn: Connection, issued: Iterable[Issued], lines: Sequence[str], at: int) -> None:
    """From now on the letter with these lines can be answered there."""
    packed = zlib.compress("\n".join(dict.fromkeys(lines)).encode())
    for it in issued:
        this = REPLIES.c.token_hash == hashed(it.token)
        if conn.execute(update(REPLIES).where(this).values(lines=packed)).rowcount == 0:
            values = msgspec.structs.asdict(it)
            del values["token"], values["address"]
            conn.execute(insert(REPLIES).values(**values, token_hash=hashed(it.token), lines=packed, created_at=at))


def find(conn: Connection, token: str, at: int) -> Answered | None:
    """The letter that is answered with ``token``; None where there was none, or long ago."""
    found = of_hash(conn, hash_of(token), at)
    return None if found is None or (found.person_id is None and found.at <= at - OF_STRANGERS) else found


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashed(token.lower())


def of_hash(conn: Connection, token_hash: str, at: int) -> Answered | None:
    """The same by what is kept of its token."""
    this = REPLIES.c.token_hash == token_hash, REPLIES.c.created_at > at - LASTS
    row = conn.execute(select(REPLIES).where(*this)).one_or_none()
    return None if row is None else _answered(row)


def parts(conn: Connection, letter: Answered) -> list[Answered]:
    """What the parts of a letter about several games are answered for."""
    same = REPLIES.c.message_id == letter.message_id, REPLIES.c.person_id == letter.person_id, REPLIES.c.game_id != ""
    return [_answered(row) for row in conn.execute(select(REPLIES).where(*same).order_by(REPLIES.c.created_at))]


def _answered(row: Any) -> Answered:
    lines = tuple(zlib.decompress(row.lines).decode().split("\n"))
    known = (row.message_id, row.person_id, row.game_id, row.seat, row.version, row.kind, row.since)
    return Answered(*known, lines=lines, at=row.created_at, lang=row.lang)


def token_of(settings: Settings, address: str) -> str | None:
    """The token in an address of ours, whether it is good or not; None for any other address."""
    found = ADDRESS.fullmatch(address.strip())
    return found[1].lower() if found and found[2].lower() == settings.replies_at.lower() else None


def forget_old(conn: Connection, at: int, of_strangers: int) -> None:
    """Letters of long ago can be answered no longer; those to who has no account, from before ``of_strangers``."""
    conn.execute(delete(REPLIES).where(REPLIES.c.created_at <= at - LASTS))
    conn.execute(delete(REPLIES).where(REPLIES.c.person_id.is_(None), REPLIES.c.created_at < of_strangers))


def forget_words(conn: Connection, game_id: str, people: Any) -> None:
    """What letters about a game said, and letters to these people about several: they can be answered all the same."""
    of_several = REPLIES.c.message_id.startswith("<together."), REPLIES.c.person_id.in_(people)
    nothing = zlib.compress(b"")
    conn.execute(update(REPLIES).where(or_(REPLIES.c.game_id == game_id, and_(*of_several))).values(lines=nothing))
