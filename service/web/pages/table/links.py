"""Links to a table: by an invitation, and by an email about a turn."""

from flask import Response, abort, url_for

from service.base import links
from service.base.clock import DAY
from service.database.store import NoSuchGame
from service.games import queries
from service.people import accounts, addresses
from service.web.pages.frame import _, done, page, reader
from service.web.pages.parts.visits import INVITE_COOKIE, TURN_COOKIE, game_cookie, keep_watching
from service.web.pages.table import room
from service.web.shared.context import now, settings, store

INVITE_LASTS = 30 * DAY


@room.get("/join/<token>")
def invitation(token: str) -> Response:
    """Open an invitation: go to its table, which its bearer may now see."""
    try:
        with store.read() as conn:
            seen = queries.game_by_invite(store, conn, reader().id, token)
    except NoSuchGame:
        return page(
            "frame/error.html",
            404,
            heading=_("This invitation no longer works"),
            text=_(
                "The game has begun, or the host has renewed the link. If you have a seat, sign "
                "in; otherwise ask the host for the current link."
            ),
        )
    response = done(url_for("pages.table.game", game_id=seen.game.id))
    game_cookie(response, seen.game.id, INVITE_COOKIE, token, INVITE_LASTS)
    return keep_watching(response, seen)


@room.get("/turn/<token>")
def turn(token: str) -> Response:
    """Open the table for the seat of a turn mail. It changes nothing."""
    try:
        link = links.open_turn(settings, token, now())
        with store.read() as conn:
            if link.person_id != reader().id and not addresses.is_still_theirs(conn, link):
                raise links.ExpiredLink
    except links.ExpiredLink:
        return page("frame/error.html", 403, heading=_("This link is too old"), text=_("Sign in to see your games."))
    except links.BadLink:
        abort(404)
    response = done(url_for(_opened_as(link), game_id=link.game_id))
    if link.person_id != reader().id:
        game_cookie(response, link.game_id, TURN_COOKIE, token, link.expires_at - now())
    return response


def _opened_as(link: links.TurnLink) -> str:
    """Return the kind of table that the recipient of a turn mail prefers; their browser need not be signed in."""
    with store.read() as conn:
        row = None if link.person_id is None else accounts.person(conn, link.person_id)
    return "pages.text.table" if row is not None and row.open_as == "text" else "pages.table.game"
