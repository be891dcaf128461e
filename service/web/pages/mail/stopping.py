"""Links in emails that stop emails or invitations, or confirm an address."""

from flask import Response, abort, request
from sqlalchemy import select

from service.accounts import mail
from service.base import links
from service.database.store import GAMES
from service.people import addresses, mail_settings, strangers
from service.web.pages.frame import page, reader
from service.web.pages.mail import room
from service.web.shared.account_requests import asked
from service.web.shared.context import now, settings, store


@room.route("/address/<token>", methods=["GET", "POST"])
def prove_address(token: str) -> Response:
    """Show the page of the link in a mail to an address. Opening it does nothing; the button confirms the address."""
    if request.method != "POST":
        with store.read() as conn:
            email = addresses.link_email(conn, token, now())
        return page("mail/address.html", 200 if email else 403, outcome="ask" if email else "dead", email=email)
    outcome = mail.prove(asked(), reader().asker, token)
    return page("mail/address.html", 403 if outcome in ("dead", "taken") else 200, outcome=outcome, email=None)


@room.route("/unsubscribe/<token>", methods=["GET", "POST"])
def unsubscribe(token: str) -> Response:
    """Stop the mail of a game, or all mail, by the link in a mail. Opening it asks; a button, or the mail program,
    acts.

    A mail program's own POST (RFC 8058) names only the action.
    """
    try:
        link = links.open_unsubscribe(settings, token)
    except links.BadLink:
        abort(404)
    what = ("game" if link.game_id else "all") if request.form.get("stop") != "all" else "all"
    with store.read() as conn:
        game = conn.execute(select(GAMES.c.name).where(GAMES.c.id == link.game_id)).scalar_one_or_none()
        known = addresses.is_still_theirs(conn, link)
    if request.method == "POST" and known:
        with store.write() as conn:
            if what == "all":
                mail_settings.stop_mail(conn, link.person_id, now())
            else:
                mail_settings.switch(conn, link.person_id, game_id=link.game_id, wanted=False)
    done_what = what if request.method == "POST" else None
    return page("mail/unsubscribe.html", done=done_what, game=game, here_to_stop=request.path)


@room.route("/never/<token>", methods=["GET", "POST"])
def never(token: str) -> Response:
    """Stop invitations by the link in one. Opening it asks, and the page also lets them come again."""
    try:
        link = links.open_never(settings, token)
    except links.BadLink:
        abort(404)
    outcome = None
    if request.method == "POST":
        outcome = "again" if request.form.get("wish") == "again" else "never"
        with store.write() as conn:
            strangers.want_invitations(conn, link.mailbox_hash, outcome == "again", now())
    return page("mail/never.html", done=outcome, here_to_stop=request.path)
