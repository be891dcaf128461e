"""Lists of games: those of a person, and those that can be joined or watched."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from flask import Response, request, url_for
from markupsafe import Markup, escape
from sqlalchemy import Connection

from service.games import finding, queries
from service.games.queries import Listed
from service.record.profiles import addresses_in
from service.web.pages.frame import _, moment, number_in, page, place_in, reader
from service.web.pages.lobby import find, room
from service.web.pages.parts import offers, pace
from service.web.pages.parts.result import GAME_STATES
from service.web.shared.context import now, store
from service.words import called, listed

LISTED = 20
GameLine = dict[str, Any]
"""A game as a line of a list."""


def my_lines(conn: Connection, games: Iterable[Listed]) -> list[GameLine]:
    """Return the reader's own games as lines: those that wait for them first, with what each asks."""
    who, listed = reader(), sorted(games, key=_urgency)
    assert who.id is not None
    said = queries.asks(store, conn, who.id, listed, who.lang)
    return _lines(conn, listed, said)


def game_lines(conn: Connection, games: Iterable[Listed]) -> list[GameLine]:
    """Return games as lines of a list: those that wait for the reader first, the earliest deadline at the top."""
    return _lines(conn, sorted(games, key=_urgency), {})


def _urgency(game: Listed) -> tuple[bool, int]:
    waits = game.my_turn or (game.paused and game.seat is not None)
    return not waits, game.my_due or _NEVER


_NEVER = 1 << 62


def _lines(conn: Connection, games: Sequence[Listed], asks: Mapping[str, str]) -> list[GameLine]:
    profiles = addresses_in(conn, [game.id for game in games])
    return [_line(game, asks.get(game.id, ""), profiles.get(game.id, {})) for game in games]


def _line(game: Listed, asks: str, profiles: Mapping[int, str]) -> GameLine:
    title = store.titles[game.title]
    free = game.seats - len(game.places)
    people = _people(game, profiles) or escape(_("nobody yet"))
    if game.status == "open" and free:
        one = _("1 of {seats} seats is free", seats=game.seats)
        more = _("{free} of {seats} seats are free", free=free, seats=game.seats)
        people += f" – {one if free == 1 else more}"
    return {
        "address": url_for("pages.table.game", game_id=game.id), "name": game.name,
        "title": called(title, reader().lang),
        "people": people, "moved": moment(game.moved_at), "yours": game.my_turn and not game.paused,
        "asks": asks, "left": _left(game.my_due), "label": _label(game),
    }  # fmt: skip


def _people(game: Listed, profiles: Mapping[int, str]) -> Markup:
    """Return the names at a table, each a link to its profile if there is one."""
    names = []
    for place in game.places:
        address = profiles.get(place.seat)
        link = Markup('<a href="{}">{}</a>')
        names.append(
            link.format(url_for("pages.front.profile", address=address), place.name) if address else escape(place.name)
        )
    return Markup(listed(names, reader().lang))  # each part is escaped


FILTERS = ("title", "seats", "pace", "lang", "rated", "finished")


def _free_seats(conn: Connection) -> dict[str, Any]:
    """Return the open tables that match the filter in the address."""
    who, wanted = reader(), offers.wanted(request.args)
    at = max(1, number_in(request.args.get("page"), 4) or 1)
    found = finding.open_tables(conn, who.id, wanted, page=at, lang=who.lang)
    lines = _lines(conn, found.games, {})
    for game, line in zip(found.games, lines, strict=True):
        rated = [_("rated")] if game.rated else []
        line["offered"] = [*rated, *(offers.in_short(game.offer, game.turn) if game.offer else ())]
    given = {name: value for name in FILTERS if (value := request.args.get(name))}
    filters = offers.filters()
    return {
        "lines": lines, "count": found.total, "every": found.every, "filtered": wanted != finding.ANY, "given": given,
        "filters": filters, "numbers": [(str(it), it) for it in filters["seats"]],
        "titles_named": [(it.id, called(it, who.lang)) for it in filters["titles"]],
        "shares": [(str(it), _("at least {share} %", share=it)) for it in filters["shares"]],
        "earlier": _page(given, at - 1) if at > 1 else None,
        "more": _page(given, at + 1) if found.total > at * finding.PAGE else None,
        "own": url_for("pages.lobby.new_game", title=wanted.title),
    }  # fmt: skip


def _page(given: Mapping[str, str], number: int) -> str:
    return url_for("pages.lobby.games") + "?" + urlencode({**given, "page": number}) + "#open"


def _label(game: Listed) -> str:
    if game.status == "running":
        return _("paused") if game.paused else ""
    return _(GAME_STATES[game.status])


def _left(due: int | None) -> str:
    """Return the time left for the reader's turn; "" without a deadline."""
    if due is None:
        return ""
    at = now()
    return _("{time} left", time=pace.left(due - at)) if due > at else _("time is up")


@room.get("/games")
def games() -> Response:
    who = reader()
    after = place_in(request.args.get("after"))
    with store.read() as conn:
        mine, _more = queries.games(conn, who.id, "mine", limit=100, lang=who.lang) if who.id else ([], None)
        seats = _free_seats(conn)
        vacant, _more = queries.games(conn, who.id, "substitute", limit=LISTED, lang=who.lang)
        running, _more = queries.games(conn, who.id, "watchable", status="running", limit=LISTED, lang=who.lang)
        over, more = queries.games(conn, who.id, "watchable", status="over", after=after, limit=LISTED, lang=who.lang)
        waiting = [game for game in mine if game.status in ("open", "running")]
        ids = {game.id for game in mine}
        lists = {
            name: game_lines(conn, [game for game in games if game.id not in ids])
            for name, games in (("vacant", vacant), ("running", running), ("over", over))
        }
        lists["mine"] = my_lines(conn, waiting) if who.id else []
        offered = find.offered_lines(conn, who.id) if who.id else []
        lists["mine_over"] = game_lines(conn, [game for game in mine if game not in waiting])
    return page(
        "lobby/games.html",
        **lists,
        seats=seats,
        kept=offered,
        more=url_for("pages.lobby.games", after=f"{more[0]}.{more[1]}") if more else None,
    )
