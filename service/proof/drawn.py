"""Games as pages that viewers asked for: a worker draws each, and it is kept for its viewer and language for a while.

Every position of a game is drawn for its page: a second's work, and five for the longest games. So no request does it.
A row asks for a page, a worker (`workers.pages`) draws it, and the viewer asks again.
Each time we ask what they may see.
"""

import gzip
from typing import NamedTuple

from sqlalchemy import Connection, and_, delete, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from service.base.clock import DAY, HOUR, MINUTE
from service.database.store import GAMES, Store
from service.database.tables import DrawnPage, table_of
from service.games.queries import Seen
from service.proof.bundle import make

PAGES = table_of(DrawnPage)

LASTS = DAY
"""How long a page is kept, if its game does not go on."""
OUTDATED = 10 * MINUTE
"""How long a page is kept for the viewer who waits for it, though its game has gone on meanwhile."""
AGAIN_AFTER = HOUR
"""When a page that could not be drawn may be asked for again."""


class NotDrawn(Exception):
    """The page could not be drawn. It was noted in the log of the worker."""


class PageKept(NamedTuple):
    """What is known of the page for a viewer. ``body``: the page itself; None as long as it is being made."""

    is_asked_for: bool
    body: bytes | None = None


def kept(conn: Connection, seen: Seen, lang: str, since: int, at: int) -> PageKept:
    """The page of the game as ``seen``, at version ``since`` or a later one. Raises `NotDrawn`."""
    row = conn.execute(select(PAGES).where(PAGES.c.key == _key(seen, lang))).one_or_none()
    if row is None:
        return PageKept(False)
    if row.state == "done":
        is_good = row.version >= since and row.made_at > at - LASTS
        return PageKept(is_good, gzip.decompress(row.body) if is_good else None)
    if row.state == "failed":
        if row.asked_at > at - AGAIN_AFTER:
            raise NotDrawn
        return PageKept(False)
    return PageKept(True)


def ask(conn: Connection, seen: Seen, lang: str, at: int) -> None:
    """Have the page drawn, in place of the one that was kept for this viewer and language."""
    fresh = {
        "state": "pending", "version": 0, "asked_at": at, "due_at": at, "lease_until": None, "attempts": 0,
        "made_at": None, "body": None,
    }  # fmt: skip
    key = _key(seen, lang)
    if conn.execute(update(PAGES).where(PAGES.c.key == key).values(fresh)).rowcount:
        return
    row = {"key": key, "game_id": seen.game.id, "person_id": seen.viewer, "seat": seen.seat, "lang": lang}
    try:
        with conn.begin_nested():
            conn.execute(insert(PAGES).values(row | fresh))
    except IntegrityError:
        return  # another request has asked for it at the same moment, or the viewer was erased


def _key(seen: Seen, lang: str) -> str:
    return f"{seen.game.id} {seen.viewer or '-'} {seen.seat or '-'} {lang}"


def draw(store: Store, game_id: str, seat: int | None, lang: str) -> tuple[int, bytes]:
    """The page as ``seat`` may see the game now: its version, and the page, packed."""
    from service.proof.bundle import page  # fonts are needed here alone

    with store.read() as conn:
        stored = store.load(conn, game_id)
        plies = store.stored_plies(conn, game_id, 0, stored.game.version)
    body = page.page(make.bundle(stored, plies, seat), stored, plies, seat, lang)
    return stored.game.version, gzip.compress(body, 6, mtime=0)


def forget_old(conn: Connection, at: int) -> None:
    """Forget pages after a day, and those of games that have gone on."""
    went_on = exists().where(GAMES.c.id == PAGES.c.game_id, GAMES.c.version > PAGES.c.version)
    outdated = and_(PAGES.c.state == "done", PAGES.c.made_at < at - OUTDATED, went_on)
    conn.execute(delete(PAGES).where(or_(PAGES.c.asked_at < at - LASTS, outdated)))
