"""Secret addresses for calendars and feed readers, which cannot sign in. Each opens one thing, for reading only.

A person has at most one of a kind; a new one ends the old. Every function works inside the caller's transaction and
gets the time.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from config.settings import Settings
from service.base.clock import HOUR
from service.database.tables import Feed, table_of
from service.people.accounts import PERSONS, hashed

FEEDS = table_of(Feed)

Kind = Literal["calendar", "story"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TOKEN_LENGTH = 43
PATHS: Mapping[Kind, str] = {"calendar": "turns.ics", "story": "games.atom"}


class Subscriber(msgspec.Struct, frozen=True):
    """The owner of a secret address. ``stale``: its use should be noted (`seen`)."""

    id: int
    name: str
    lang: str
    stale: bool


def make(conn: Connection, person_id: int, kind: Kind, at: int) -> str:
    """Replace the token. Return the new one, which is shown only this once."""
    revoke(conn, person_id, kind)
    token = secrets.token_urlsafe(32)
    conn.execute(insert(FEEDS).values(person_id=person_id, kind=kind, token_hash=hashed(token), created_at=at))
    return token


def revoke(conn: Connection, person_id: int, kind: Kind) -> bool:
    """End the address of this kind. Return False if there is none."""
    return conn.execute(delete(FEEDS).where(FEEDS.c.person_id == person_id, FEEDS.c.kind == kind)).rowcount == 1


def of(conn: Connection, person_id: int) -> dict[Kind, Any]:
    """Return the addresses of a person, by kind."""
    return {row.kind: row for row in conn.execute(select(FEEDS).where(FEEDS.c.person_id == person_id))}


def subscriber(conn: Connection, kind: Kind, token: str, at: int) -> Subscriber | None:
    """Return the owner of this token, if it is of this kind."""
    found = conn.execute(
        select(PERSONS.c.id, PERSONS.c.name, PERSONS.c.lang, FEEDS.c.used_at)
        .join_from(FEEDS, PERSONS, PERSONS.c.id == FEEDS.c.person_id)
        .where(FEEDS.c.token_hash == hashed(token), FEEDS.c.kind == kind)
    ).one_or_none()
    if found is None:
        return None
    stale = found.used_at is None or at >= found.used_at + HOUR
    return Subscriber(found.id, found.name, found.lang, stale)


def seen(conn: Connection, person_id: int, kind: Kind, at: int) -> None:
    """Note the use of an address."""
    conn.execute(update(FEEDS).where(FEEDS.c.person_id == person_id, FEEDS.c.kind == kind).values(used_at=at))


def address(settings: Settings, kind: Kind, token: str) -> str:
    """Return the address itself."""
    return f"{settings.site}/api/v1/feeds/{token}/{PATHS[kind]}"
