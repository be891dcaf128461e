"""Games as pages on request: a worker draws each page, which is kept for a while for its viewer and language.

A page draws every position of its game. That takes a second, and five for the longest games, so no request does it. A
row orders a page, a worker (`workers.pages`) draws it, and the viewer asks again. Each time we check what the viewer
may see.
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
"""The time to keep a page while its game does not go on."""
OUTDATED = 10 * MINUTE
"""The time to keep a page for the waiting viewer, though its game has gone on."""
AGAIN_AFTER = HOUR
"""The wait before a failed page may be requested again."""


class NotDrawn(Exception):
    """The page could not be drawn. The worker's log has the error."""


class PageKept(NamedTuple):
    """The state of a viewer's page. ``body``: the page itself; None until it is drawn."""

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
    """Order the page, in place of the one kept for this viewer and language."""
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
        return  # another request ordered it at the same moment, or the viewer was erased


def _key(seen: Seen, lang: str) -> str:
    return f"{seen.game.id} {seen.viewer or '-'} {seen.seat or '-'} {lang}"


def draw(store: Store, game_id: str, seat: int | None, lang: str) -> tuple[int, bytes]:
    """Draw the page as ``seat`` may see the game now. Return its version and the compressed page."""
    from service.proof.bundle import page  # only this function needs the fonts

    with store.read() as conn:
        stored = store.load(conn, game_id)
        plies = store.stored_plies(conn, game_id, 0, stored.game.version)
    body = page.page(make.bundle(stored, plies, seat), stored, plies, seat, lang)
    return stored.game.version, gzip.compress(body, 6, mtime=0)


def forget_old(conn: Connection, at: int) -> None:
    """Delete pages after a day, and those of games that have gone on."""
    went_on = exists().where(GAMES.c.id == PAGES.c.game_id, GAMES.c.version > PAGES.c.version)
    outdated = and_(PAGES.c.state == "done", PAGES.c.made_at < at - OUTDATED, went_on)
    conn.execute(delete(PAGES).where(or_(PAGES.c.asked_at < at - LASTS, outdated)))
