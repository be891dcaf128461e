"""A game against bots, opened and filled in one step; signed-out people ask for it by the address after sign-in."""

from contextlib import suppress
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from flask import url_for

from domain.title import Title
from service.base.names import BadName
from service.games import lobby, opening
from service.games.rights import ByPerson
from service.web.pages.frame import _
from service.web.pages.parts.welcome import persons_name
from service.web.shared.context import settings, store, work

BOT = "sensible"


def open_against_bots(person_id: int, name: str, title: Title) -> str:
    """Open a table with the title's fewest seats, take one, fill it with bots and start. Return the game's id."""
    seats = title.seating.seats[0]
    by = ByPerson(person_id)
    opened = opening.open_table(
        work(),
        by,
        title=title.id,
        options={},
        seats=seats,
        name=_("{name} and the bots", name=name)[:80],
        public=False,
        settle_ms=int(settings.settle_seconds * 1000),
    )
    lobby.join(work(), by, opened.game_id, choice={}, seat=1)
    for seat in range(2, seats + 1):
        lobby.seat_bot(work(), by, opened.game_id, BOT, seat=seat)
    lobby.start(work(), by, opened.game_id)
    return opened.game_id


class BotGame(NamedTuple):
    """The game against bots that a person requested before signing in."""

    title: Title
    name: str | None


def bot_game(after: str) -> BotGame | None:
    """Return the game to start after sign-in, if ``after`` asks for one."""
    parts = urlsplit(after)
    if parts.path != url_for("pages.front.play_now"):
        return None
    asked = dict(parse_qsl(parts.query))
    title, name = asked.get("title", ""), None
    with suppress(BadName):
        name = persons_name(asked.get("name", ""))
    return BotGame(store.titles[title], name) if title in store.titles else None
