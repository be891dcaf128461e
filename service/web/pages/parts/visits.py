"""A game as the reader of a page may see it: signed in, by a link in an email, or by an invitation."""

from typing import cast

import msgspec
from flask import Response, g, request

from domain.title import Title
from service.base import links
from service.database.store import NoSuchGame
from service.games import queries, rights
from service.games.queries import Seen
from service.games.rights import Asking, ByLink, ByPerson
from service.people import accounts, addresses
from service.web.pages.frame import YEAR, reader
from service.web.shared import context
from service.web.shared.context import now, settings, store, work

TURN_COOKIE, INVITE_COOKIE = "turn", "invite"


def by_whom(game_id: str) -> Asking:
    """Return the caller at this table: signed in, else by the link of a mail, else by an invitation."""
    if "by_whom" not in g or g.by_whom[0] != game_id:
        link, who = _turn_link(game_id), reader()
        person = ByPerson(who.id, invite=request.cookies.get(INVITE_COOKIE, ""), lang=who.lang)
        g.by_whom = game_id, person if link is None else ByLink(link, who.lang)
    return cast(Asking, g.by_whom[1])


def visit(game_id: str) -> Seen:
    """Return the game of this page as its reader sees it. Raises `NoSuchGame`, also if they may not see it."""
    actor = by_whom(game_id)
    seen = rights.see(work(), actor, game_id)
    g.setdefault("seen", seen)
    if isinstance(actor, ByLink):
        times_as_in_the_mail(actor.link)
    return seen


def times_as_in_the_mail(link: links.TurnLink | links.DraftLink) -> None:
    """Show times in the zone of the mail to a reader who comes by its link without signing in."""
    who = reader()
    if who.asker is None and link.person_id is not None:
        with work().reading() as conn:
            g.reader = msgspec.structs.replace(who, zone=accounts.person(conn, link.person_id).zone)


def _turn_link(game_id: str) -> links.TurnLink | None:
    """Return the turn link by which this reader came, if it is another person's and that person still has the seat."""
    token = request.cookies.get(TURN_COOKIE)
    if not token:
        return None
    try:
        link = links.open_turn(settings, token, now())
    except links.BadLink:
        return None
    if link.game_id != game_id or link.person_id == reader().id:
        return None
    with work().reading() as conn:
        if not addresses.is_still_theirs(conn, link):
            return None
    sits = any((it.seat, it.person_id) == (link.seat, link.person_id) for it in work().game(game_id).seats)
    return link if sits else None  # a former player sees nothing new by an old mail


def game_cookie(response: Response, game_id: str, name: str, value: str, milliseconds: int) -> None:
    """Set a cookie for the pages of one game only."""
    response.set_cookie(
        name,
        value,
        max_age=milliseconds // 1000,
        path=f"/games/{game_id}",
        secure=context.secure(),
        httponly=True,
        samesite="Lax",
    )


def keep_watching(response: Response, seen: Seen) -> Response:
    """Let a guest who came by an invitation before the start go on watching after it, in this browser."""
    token = queries.guest_pass(settings, seen)
    if token is not None:
        game_cookie(response, seen.game.id, INVITE_COOKIE, token, YEAR)
    return response


def title_or_404(title_id: str) -> Title:
    title = store.titles.get(title_id)
    if title is None:
        raise NoSuchGame(title_id)
    return title
