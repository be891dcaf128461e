"""The page of a one-tap link in a mail: its effect, one button that does it, and its result."""

from flask import Response, request

from domain.refusal import Refused
from service.base import links
from service.base.links import BadLink, OneTapLink
from service.database.store import NoSuchGame
from service.games import queries, taps
from service.games.play import Stale
from service.games.rights import Forbidden
from service.games.taps import OneTap
from service.people import addresses
from service.web.pages.frame import _, done, moment, page, reader
from service.web.pages.mail import room
from service.web.pages.parts.boards import board
from service.web.pages.parts.fresh import Fresh, sentences
from service.web.pages.parts.refusals import refusal
from service.web.pages.parts.result import names
from service.web.pages.parts.visits import times_as_in_the_mail
from service.web.pages.story.story import TOLD_MOST, story_since
from service.web.shared.context import now, settings, store, work


@room.get("/do/<token>")
def offered(token: str) -> Response:
    """Show the effect of the link. Opening the page changes nothing, even if a machine does it."""
    return _shown(_opened(token))


@room.post("/do/<token>")
def confirmed(token: str) -> Response:
    """Do it, once, when the button is pressed."""
    link = _opened(token)
    try:
        taps.do(work(), link)
    except Refused as refused:
        return _shown(link, 422, refused)
    except (Stale, Forbidden):
        work().forget(link.game_id)
        return _shown(link, 409)
    with store.write() as conn:
        addresses.unflag(conn, link.person_id, now())  # the mail with the link arrived, so the address works
    return done(request.path)


def _opened(token: str) -> OneTapLink:
    """Return the link, if its person still has the address that received it. Raises `BadLink`."""
    link = links.open_one_tap(settings, token, now())
    with work().reading() as conn:
        if link.person_id != reader().id and not addresses.is_still_theirs(conn, link):
            raise links.ExpiredLink
    return link


@room.errorhandler(NoSuchGame)
@room.errorhandler(BadLink)
def opens_nothing(why: Exception) -> Response:
    """Say why a link in a mail does not work."""
    if isinstance(why, links.ExpiredLink):
        text = _("Nothing was changed. Sign in to see your games.")
        return page("frame/error.html", 403, heading=_("This link is too old"), text=text)
    if isinstance(why, NoSuchGame):
        text = _(
            "Nothing was changed. This link belongs to a seat that is no longer yours, or the game no longer exists."
        )
        return page("frame/error.html", 404, heading=_("This link no longer works"), text=text)
    text = _("Nothing was changed. Part of the address may be missing: open the link from the email again.")
    return page("frame/error.html", 404, heading=_("This is not one of our links"), text=text)


def _shown(link: OneTapLink, status: int = 200, refused: Refused | None = None) -> Response:
    it = taps.look(work(), link, reader().lang)
    times_as_in_the_mail(link)
    return _offer(it, status, refused) if it.how == "open" else _passed(it, status)


def _offer(it: OneTap, status: int, refused: Refused | None) -> Response:
    """Show the action, the position after it, and the button, which is missing if the rules refuse the action."""
    seen, lang = it.seen, reader().lang
    foreseen = taps.would_do(work(), it, lang)
    refused, proposal = refused or foreseen.refused, foreseen.proposal
    fresh = Fresh(queries.view(seen))
    drawn = board(seen.title, queries.view(seen, foreseen.position), lang, seen.player, fresh=fresh)
    return page(
        "mail/tap.html",
        422 if refused else status,
        how="open",
        game={"id": seen.game.id, "name": seen.row.name},
        wish=it.wish,
        player=seen.player(seen.seat or 0),
        refused=refusal(refused, seen.title, seen) if refused else None,
        does=foreseen.does,
        changes=sentences(foreseen.changes),
        whole=foreseen.whole,
        changed=foreseen.position is not seen.game,
        proposal=proposal
        and {
            "name": seen.player(proposal.seat),
            "to": proposal.to,
            "until": moment(proposal.expires),
            "undone": [" ".join(each.said) for each in foreseen.undone[-TOLD_MOST:]],
        },
        picture=drawn.picture,
        notes=drawn.notes,
    )


def _passed(it: OneTap, status: int) -> Response:
    """Say that it is done, or that the game has gone on without it, with the story since."""
    seen = it.seen
    return page(
        "mail/tap.html",
        status,
        how=it.how,
        game={"id": seen.game.id, "name": seen.row.name},
        wish=it.wish,
        player=seen.player(seen.seat or 0),
        taken_back=it.done is not None and it.done.withdrawn,
        when=moment(it.done.ply.at) if it.done else None,
        story=story_since(seen, it.since),
        yours=seen.seat in seen.game.asked,
        others=names(seen, [seat for seat in seen.game.asked if seat != seen.seat]),
    )
