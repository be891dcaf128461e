"""A person's turns as a calendar (RFC 5545): an event for each game that waits for them and has a deadline.

Games without a deadline do not appear: a calendar needs a time. The event covers the half hour before the deadline and
leaves the person free. It moves with the deadline, and disappears when the turn is taken.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, func, select

from service.base import links
from service.database.store import GAMES, SEATS, Store
from service.games import queries
from service.games.deadlines import deadline
from service.games.queries import Seen
from service.notices.owing import OUTBOX
from service.words import N_, called, said

if TYPE_CHECKING:
    from icalendar import Event, Timezone

SHOWN = timedelta(minutes=30)
MOST = 200
"""Games that are searched: those with the latest moves."""

NAME = N_("Slow Train: my turns")
MOVE = N_("Move in {title}: {name}")
UNTIL = N_("The game is waiting for you until this deadline.")


class OwedTurn(NamedTuple):
    """A turn that a person must take. ``since``: the ply that asked their seat."""

    seen: Seen
    since: int
    due: int


def calendar(store: Store, conn: Connection, person_id: int, lang: str) -> bytes:
    """Return the calendar of this moment. The same games give the same bytes."""
    from icalendar import Calendar  # loaded with the first calendar: it takes 3 MB

    made = Calendar()
    made.add("prodid", f"-//Slow Train//Turns//{lang.upper()}")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("name", said(NAME, lang))
    made.add("x-wr-calname", said(NAME, lang))  # for programs older than RFC 7986
    made.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    made.add_component(_utc())  # a calendar needs a component (RFC 5545, 3.6)
    for turn in turns(store, conn, person_id, lang):
        made.add_component(_event(store, turn, lang))
    return bytes(made.to_ical())


def _utc() -> "Timezone":
    """Return the time zone of all times here."""
    from icalendar import Timezone, TimezoneStandard

    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    standard.add("tzname", "UTC")
    standard.add("dtstart", datetime(1970, 1, 1))
    standard.add("tzoffsetfrom", timedelta())
    standard.add("tzoffsetto", timedelta())
    zone.add_component(standard)
    return zone


def turns(store: Store, conn: Connection, person_id: int, lang: str) -> Iterator[OwedTurn]:
    """Yield the turns with a deadline that this person must take."""
    mine = (
        select(GAMES.c.id)
        .join(SEATS, SEATS.c.game_id == GAMES.c.id)
        .where(SEATS.c.person_id == person_id, SEATS.c.left_at.is_(None), GAMES.c.due_at.is_not(None))
    )
    games = list(conn.scalars(mine.order_by(GAMES.c.moved_at.desc(), GAMES.c.id).limit(MOST)))
    asked_since = _asked_since(conn, person_id)
    for game_id in games:
        seen = queries.game_for(store, conn, person_id, game_id, lang=lang)
        due = deadline(seen.game, seen.seat)
        if due is not None:
            yield OwedTurn(seen, asked_since.get(game_id, 0), due)


def _asked_since(conn: Connection, person_id: int) -> dict[str, int]:
    """Return for each game the ply of the last notice of a turn: it identifies the turn even if its deadline moves."""
    last = (
        select(OUTBOX.c.game_id, func.max(OUTBOX.c.ply))
        .where(OUTBOX.c.person_id == person_id, OUTBOX.c.kind == "turn")
        .group_by(OUTBOX.c.game_id)
    )
    return {row[0]: row[1] for row in conn.execute(last)}


def _event(store: Store, turn: OwedTurn, lang: str) -> "Event":
    from icalendar import Event

    seen, settings = turn.seen, store.settings
    link = links.game_address(settings, seen.game.id)
    changed, due = _time(seen.row.moved_at), _time(turn.due)
    event = Event()
    event.add("uid", f"turn.{seen.game.id}.{turn.since}.{seen.seat}@{settings.mail_domain}")
    event.add("sequence", max(0, seen.game.version - turn.since))
    event.add("dtstamp", changed)
    event.add("last-modified", changed)
    event.add("dtstart", due - SHOWN)
    event.add("dtend", due)
    event.add("summary", said(MOVE, lang).format(title=called(seen.title, lang), name=seen.row.name))
    event.add("description", f"{said(UNTIL, lang)}\n{link}")
    event.add("url", link)
    event.add("transp", "TRANSPARENT")
    return event


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)
