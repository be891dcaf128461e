"""Email settings: switches, the address, and the email history."""

from flask import Response, abort, request, url_for
from sqlalchemy import select

from service.accounts import mail
from service.accounts.request import SignInTooOld
from service.base import hints
from service.base.clock import time_of_day
from service.database.store import GAMES
from service.notices import ledger
from service.notices.kinds import SWITCHED
from service.people import accounts, addresses, mail_settings, strangers
from service.web.pages.account import room
from service.web.pages.frame import _, done, moment, number_in, number_of, page, signed_in
from service.web.pages.parts.notices import line, named
from service.web.pages.parts.pace import minutes_of
from service.web.shared.account_requests import asked
from service.web.shared.context import now, store

UNDER_WAY = ("open", "running")


# ==== mail settings ===============================================================================
@room.get("/account/mail")
def mail_page(problem: str | None = None, status: int = 200, fresh: bool = True) -> Response:
    asker = signed_in()
    with store.read() as conn:
        chosen = mail_settings.of(conn, asker.id)
        mine = select(GAMES.c.id, GAMES.c.name).where(
            GAMES.c.id.in_(mail_settings.games_of(conn, asker.id)), GAMES.c.status.in_(UNDER_WAY)
        )
        games = conn.execute(mine.order_by(GAMES.c.created_at.desc())).all()
        never = strangers.never_since(conn, asker.email)
    return page(
        "account/mail_wishes.html",
        status,
        problem=problem,
        fresh=fresh,
        address=asker.email,
        stopped=moment(chosen.stopped_at) if chosen.stopped_at else None,
        never=moment(never) if never else None,
        flagged=moment(chosen.flagged_at) if chosen.flagged_at else None,
        flag=chosen.flag,
        quiet=chosen.quiet,
        pictures=chosen.pictures,
        short_receipts=chosen.short_receipts,
        wakes=time_of_day(chosen.wakes_at),
        sleeps=time_of_day(chosen.sleeps_at),
        digest=chosen.digest_at is not None,
        digest_at="18:00" if chosen.digest_at is None else time_of_day(chosen.digest_at),
        zone=asker.zone,
        hours=[f"{hour:02}:00" for hour in range(24)],
        kinds=[(kind, named(kind), ("", kind) not in chosen.off) for kind in SWITCHED],
        games=[(row.id, row.name, (row.id, "") not in chosen.off) for row in games],
    )


@room.post("/account/mail")
def account_mail() -> Response:
    """Turn all mail about games on or off."""
    asker, wanted = signed_in(), request.form.get("mail")
    if wanted not in ("on", "off"):
        abort(400)
    with store.write() as conn:
        if wanted == "on":
            mail_settings.resume_mail(conn, asker.id)
        else:
            mail_settings.stop_mail(conn, asker.id, now())
    return done(url_for("pages.account.mail_page"), f"mail-{wanted}")


@room.post("/account/mail/invitations")
def mail_invitations() -> Response:
    """Turn invitations from others on or off."""
    asker, wanted = signed_in(), request.form.get("invitations")
    if wanted not in ("on", "off"):
        abort(400)
    with store.write() as conn:
        strangers.want_invitations(conn, strangers.hash_of(asker.email), wanted == "on", now())
    return done(url_for("pages.account.mail_page"), f"invitations-{wanted}")


@room.post("/account/mail/wishes")
def mail_wishes() -> Response:
    """Save the switches, quiet hours, digest and look of letters, all in one form. Switches of single games stay."""
    asker, at = signed_in(), now()
    kinds, games = set(request.form.getlist("kind")), set(request.form.getlist("game"))
    shown = set(request.form.getlist("shown"))
    digest_at = minutes_of(request.form.get("digest_at", ""))
    if not kinds <= set(SWITCHED) or digest_at is None:
        abort(400)
    with store.write() as conn:
        mine = mail_settings.games_of(conn, asker.id)
        for kind in SWITCHED:
            mail_settings.switch(conn, asker.id, kind=kind, wanted=kind in kinds)
        for game_id in shown & mine:
            mail_settings.switch(conn, asker.id, game_id=game_id, wanted=game_id in games)
        changes = {
            "quiet": "quiet" in request.form,
            "digest_at": digest_at if "digest" in request.form else None,
            "pictures": "no_pictures" not in request.form,
            "short_receipts": "short_receipts" in request.form,
        }
        mail_settings.change(conn, asker.id, at, changes)
    hints.wake("outbox")
    return done(url_for("pages.account.mail_page"), "saved")


# ==== addresses ===================================================================================
@room.post("/account/address")
def change_address() -> Response:
    try:
        mail.ask_to_change(asked(), signed_in(), request.form.get("email", ""))
    except accounts.BadAddress:
        return mail_page(_("We cannot send email to this address. Please check it."), 422)
    except addresses.SameAddress:
        return mail_page(_("That is already your address."), 422)
    except SignInTooOld:
        return mail_page(status=403, fresh=False)
    return done(url_for("pages.account.mail_page"), "address-asked")


@room.post("/account/address/check")
def check_address() -> Response:
    mail.ask_to_confirm(asked(), signed_in())
    return done(url_for("pages.account.mail_page"), "address-check")


# ==== the mail history ============================================================================
@room.get("/account/mail/sent")
def mail_sent() -> Response:
    asker = signed_in()
    game, before = request.args.get("game", ""), number_in(request.args.get("before"))
    if before is None and request.args.get("before"):
        abort(400)
    with store.read() as conn:
        found = ledger.entries(conn, asker.id, game_id=game or None, before=before)
        games = ledger.games(conn, asker.id)
    more = (
        url_for("pages.account.mail_sent", game=game or None, before=found[-1].id)
        if len(found) == ledger.PAGE
        else None
    )
    return page("account/mail_sent.html", entries=[line(entry) for entry in found], games=games, chosen=game, more=more)


@room.post("/account/mail/again")
def mail_again() -> Response:
    if not mail.send_again(asked(), signed_in(), number_of("notice")):
        abort(404)
    return done(url_for("pages.account.mail_sent", game=request.form.get("game") or None), "mail-again")
