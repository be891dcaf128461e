"""The story of games as Atom feeds (RFC 4287): an entry for each ply with a sentence that the reader may see.

The sentences come from `service.games.queries`, like those of the log on the pages. The same games give the same bytes.
"""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from sqlalchemy import Connection, select

from config.settings import Settings
from service.base import links
from service.base.clock import iso
from service.database.store import GAMES, SEATS, Store
from service.games import queries
from service.games.queries import WATCHED, Seen, StoryPly
from service.words import N_, called, said

NAMESPACE = "http://www.w3.org/2005/Atom"
YEAR = 2026
"""The year of the first tags (RFC 4151); it never changes."""
LOOKED_AT = 100
"""Plies, from a game's end, that are searched for sentences."""
ENTRIES = 50
GAMES_MOST = 10
"""Games in a person's feed: those with the latest moves."""
LONGEST_TITLE = 140

TABLE = N_("The table")
TAKEN_BACK = N_("(taken back)")
MINE = N_("Slow Train: games of {name}")


class StoryEntry(NamedTuple):
    """A ply with sentences. ``changed``: when it was played or, if it was undone, when that was."""

    seen: Seen
    told: StoryPly
    changed: int


# ==== feeds =======================================================================================
def of_game(store: Store, conn: Connection, seen: Seen, lang: str, *, address: str | None = None) -> bytes:
    """Return the feed of one game as its viewer sees it. ``address``: its own, unless that is secret."""
    settings, game = store.settings, seen.game
    entries = _entries(store, conn, seen, lang)
    name = f"{called(seen.title, lang)}: {seen.row.name}"
    page = links.game_address(settings, game.id)
    return _feed(settings, _tag(settings, f"games/{game.id}"), name, page, address, seen.row.created_at, entries, lang)


def of_person(store: Store, conn: Connection, person_id: int, name: str, lang: str) -> bytes:
    """Return recent events in the games in which this person has or had a seat, as they may see them."""
    settings = store.settings
    mine = (
        select(GAMES.c.id, GAMES.c.created_at)
        .join(SEATS, SEATS.c.game_id == GAMES.c.id)
        .where(SEATS.c.person_id == person_id, GAMES.c.status.in_(WATCHED))
        .order_by(GAMES.c.moved_at.desc(), GAMES.c.id)
        .limit(GAMES_MOST)
    )
    entries: list[StoryEntry] = []
    rows = conn.execute(mine).all()
    for row in rows:
        seen = queries.game_for(store, conn, person_id, row.id, lang=lang)
        entries += _entries(store, conn, seen, lang)
    entries.sort(key=lambda it: (it.changed, it.seen.game.id, it.told.ply.number), reverse=True)
    tag = _tag(settings, f"people/{links.pseudonym(settings, 'feed', person_id)}")
    oldest = min((row.created_at for row in rows), default=0)
    title = said(MINE, lang).format(name=name)
    return _feed(settings, tag, title, f"{settings.site}/games", None, oldest, entries[:ENTRIES], lang, of_many=True)


def _entries(store: Store, conn: Connection, seen: Seen, lang: str) -> list[StoryEntry]:
    """Return the entries of a game, the newest first."""
    told = queries.plies(store, conn, seen, lang, since=max(0, seen.game.version - LOOKED_AT))
    withdrawn_at = {number: it.ply.at for it in told for number in queries.withdrawn_by(it.ply)}
    entries = [StoryEntry(seen, it, withdrawn_at.get(it.ply.number, it.ply.at) or it.ply.at) for it in told if it.said]
    return entries[: -ENTRIES - 1 : -1]


# ==== writing =====================================================================================
def _feed(
    settings: Settings,
    tag: str,
    title: str,
    page: str,
    address: str | None,
    oldest: int,
    entries: Sequence[StoryEntry],
    lang: str,
    *,
    of_many: bool = False,
) -> bytes:
    feed = Element("feed", {"xmlns": NAMESPACE, "xml:lang": lang})
    _add(feed, "id", tag)
    _add(feed, "title", title)
    _add(feed, "updated", iso(max((it.changed for it in entries), default=oldest)))
    SubElement(feed, "link", rel="alternate", type="text/html", href=page)
    if address is not None:  # a secret address stays out: a subscriber may pass the feed on
        SubElement(feed, "link", rel="self", type="application/atom+xml", href=address)
    _add(feed, "generator", "Slow Train")
    for entry in entries:
        _entry(feed, settings, entry, lang, of_many=of_many)
    written: bytes = tostring(feed, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + written


def _entry(feed: Element, settings: Settings, entry: StoryEntry, lang: str, *, of_many: bool) -> None:
    seen, ply = entry.seen, entry.told.ply
    made = SubElement(feed, "entry")
    told = " ".join(entry.told.said) + (f" {said(TAKEN_BACK, lang)}" if entry.told.withdrawn else "")
    title = f"{seen.row.name}: {told}" if of_many else told
    _add(made, "id", _tag(settings, f"games/{seen.game.id}/{ply.number}"))
    _add(made, "title", title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…")
    _add(made, "published", iso(ply.at))
    _add(made, "updated", iso(entry.changed))
    href = f"{links.game_address(settings, seen.game.id)}/at/{ply.number}"
    SubElement(made, "link", rel="alternate", type="text/html", href=href)
    _add(SubElement(made, "author"), "name", said(TABLE, lang) if ply.seat is None else seen.player(ply.seat))
    _add(made, "content", told)


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = "".join(letter for letter in text if letter.isprintable())


def _tag(settings: Settings, what: str) -> str:
    """Make a permanent name (RFC 4151)."""
    return f"tag:{settings.mail_domain},{YEAR}:{what}"
