"""Mail settings: the page of mail, links in mails that stop some, addresses, and the mail history."""

from typing import Any

from flask import Response, abort, request, url_for
from sqlalchemy import select

from domain.words import Sentence
from service.base import hints, links
from service.database.store import GAMES
from service.notices import ledger
from service.notices.details import Detail
from service.notices.kinds import KINDS, SWITCHED
from service.people import accounts, addresses, preferences, strangers
from service.people.bounces import SAYS_MORE
from service.web.pages.web import _, done, moment, number_in, number_of, page, pages, reader, signed_in
from service.web.shared import account_actions, events
from service.web.shared.context import now, settings, store
from service.web.shared.problems import Problem
from service.words import N_

STEPS = {
    "queued": N_("queued {time}"), "held_quiet": N_("held for your quiet hours until {until}"),
    "held_digest": N_("held for your daily email until {until}"),
    "held_present": N_("held while you were at the table {time}"),
    "held_flagged": N_("held {time}: email to your address is bouncing"),
    "switched_off": N_("not sent because you turned such email off {time}"),
    "deferred": N_("deferred by the mail server {time}"),
    "failed": N_("failed on our side {time}, will be retried"), "accepted": N_("accepted by the mail server {time}"),
    "superseded": N_("no longer needed {time}"), "refused": N_("refused by the mail server {time}"),
    "given_up": N_("given up {time}"), "asked_again": N_("repeated at your request {time}"),
    "resent": N_("sent again by an operator {time}"), "sent_now": N_("sent at once by an operator {time}"),
    "delayed": N_("still on its way, according to a mail server {time}"),
    "unwanted": N_("rejected {time}: the server objected to the email, not to your address"),
    "undelivered": N_("bounced {time}: it could not be delivered for now"),
    "bounced": N_("bounced {time}: the mail server says that the address does not exist"),
    "complained": N_("marked as spam by you or your mail program {time}: we now send such email only on request"),
}  # fmt: skip
STATES = {
    "sent": N_("sent"),
    "pending": N_("waiting"),
    "leased": N_("being sent"),
    "superseded": N_("not needed"),
    "dead": N_("not delivered"),
}
UNDER_WAY = ("open", "running")


# ==== mail settings ===============================================================================
@pages.get("/account/mail")
def mail_page() -> Response:
    return _mail_page()


def _mail_page(problem: str | None = None, status: int = 200, fresh: bool = True) -> Response:
    asker = signed_in()
    with store.read() as conn:
        chosen = preferences.of(conn, asker.id)
        mine = select(GAMES.c.id, GAMES.c.name).where(
            GAMES.c.id.in_(preferences.games_of(conn, asker.id)), GAMES.c.status.in_(UNDER_WAY)
        )
        games = conn.execute(mine.order_by(GAMES.c.created_at.desc())).all()
        never = strangers.never_since(conn, asker.email)
    return page(
        "mail_wishes.html",
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
        wakes=account_actions.clock_time(chosen.wakes_at),
        sleeps=account_actions.clock_time(chosen.sleeps_at),
        digest=chosen.digest_at is not None,
        digest_at=account_actions.clock_time(chosen.digest_at) or "18:00",
        zone=asker.zone,
        hours=[f"{hour:02}:00" for hour in range(24)],
        kinds=[(kind, named(kind), ("", kind) not in chosen.off) for kind in SWITCHED],
        games=[(row.id, row.name, (row.id, "") not in chosen.off) for row in games],
    )


@pages.post("/account/mail")
def account_mail() -> Response:
    """Turn all mail about games on or off."""
    asker, wanted = signed_in(), request.form.get("mail")
    if wanted not in ("on", "off"):
        abort(400)
    with store.write() as conn:
        if wanted == "on":
            preferences.resume_mail(conn, asker.id)
        else:
            preferences.stop_mail(conn, asker.id, now())
    return done(url_for("pages.mail_page"), f"mail-{wanted}")


@pages.post("/account/mail/invitations")
def mail_invitations() -> Response:
    """Turn invitations from others on or off."""
    asker, wanted = signed_in(), request.form.get("invitations")
    if wanted not in ("on", "off"):
        abort(400)
    with store.write() as conn:
        strangers.want_invitations(conn, strangers.hash_of(asker.email), wanted == "on", now())
    return done(url_for("pages.mail_page"), f"invitations-{wanted}")


@pages.post("/account/mail/wishes")
def mail_wishes() -> Response:
    """Save the switches, quiet hours, digest and look of letters, all in one form. Switches of single games stay."""
    asker, at = signed_in(), now()
    kinds, games = set(request.form.getlist("kind")), set(request.form.getlist("game"))
    shown = set(request.form.getlist("shown"))
    digest_at = _minutes(request.form.get("digest_at", ""))
    if not kinds <= set(SWITCHED) or digest_at is None:
        abort(400)
    with store.write() as conn:
        mine = preferences.games_of(conn, asker.id)
        for kind in SWITCHED:
            preferences.switch(conn, asker.id, kind=kind, wanted=kind in kinds)
        for game_id in shown & mine:
            preferences.switch(conn, asker.id, game_id=game_id, wanted=game_id in games)
        changes = {
            "quiet": "quiet" in request.form,
            "digest_at": digest_at if "digest" in request.form else None,
            "pictures": "no_pictures" not in request.form,
            "short_receipts": "short_receipts" in request.form,
        }
        preferences.change(conn, asker.id, at, changes)
    hints.wake("outbox")
    return done(url_for("pages.mail_page"), "saved")


def _minutes(text: str) -> int | None:
    hour, colon, minute = text.partition(":")
    good = colon and hour.isdecimal() and minute.isdecimal() and len(text) == 5
    minutes = int(hour) * 60 + int(minute) if good else -1
    return minutes if good and int(minute) < 60 and minutes < 24 * 60 else None


# ==== addresses ===================================================================================
@pages.post("/account/address")
def change_address() -> Response:
    asker = signed_in()
    try:
        account_actions.ask_to_change(asker, request.form.get("email", ""))
    except accounts.BadAddress:
        return _mail_page(_("We cannot send email to this address. Please check it."), 422)
    except addresses.SameAddress:
        return _mail_page(_("That is already your address."), 422)
    except Problem as problem:
        if problem.kind != "fresh":
            raise
        return _mail_page(status=403, fresh=False)
    return done(url_for("pages.mail_page"), "address-asked")


@pages.post("/account/address/check")
def check_address() -> Response:
    account_actions.ask_to_confirm(signed_in())
    return done(url_for("pages.mail_page"), "address-check")


@pages.route("/address/<token>", methods=["GET", "POST"])
def prove_address(token: str) -> Response:
    """Show the page of the link in a mail to an address. Opening it does nothing; the button confirms the address."""
    at = now()
    if request.method != "POST":
        with store.read() as conn:
            email = addresses.link_email(conn, token, at)
        return page("address.html", 200 if email else 403, outcome="ask" if email else "dead", email=email)
    asker = reader().asker
    with store.write() as conn:
        outcome = addresses.prove(conn, settings, token, session=asker.session if asker else None, at=at)
    if outcome == "changed":
        events.tell("address.changed", person=asker.id if asker else None)
    elif outcome in ("dead", "taken"):
        events.tell("address.refused", why=outcome, person=asker.id if asker else None)
    hints.wake("outbox")
    return page("address.html", 403 if outcome in ("dead", "taken") else 200, outcome=outcome, email=None)


# ==== the mail history ============================================================================
@pages.get("/account/mail/sent")
def mail_sent() -> Response:
    asker = signed_in()
    game, before = request.args.get("game", ""), number_in(request.args.get("before"))
    if before is None and request.args.get("before"):
        abort(400)
    with store.read() as conn:
        found = ledger.entries(conn, asker.id, game_id=game or None, before=before)
        games = ledger.games(conn, asker.id)
    more = url_for("pages.mail_sent", game=game or None, before=found[-1].id) if len(found) == ledger.PAGE else None
    return page("mail_sent.html", entries=[line(entry) for entry in found], games=games, chosen=game, more=more)


def line(entry: ledger.Entry) -> dict[str, Any]:
    """Return a mail and its delivery, with times, and the reason why it was sent or not."""
    kind, state = entry.kind, entry.state
    steps = [_step(step) for step in entry.steps if step.what in STEPS]
    return {
        "id": entry.id, "kind": named(kind), "game": entry.game,
        "game_id": entry.game_id, "state": state, "said": _(STATES[state]), "steps": steps, "again": entry.again,
        "together": bool(entry.told_by) and (entry.told_by or "").startswith("<together."),
    }  # fmt: skip


def named(kind: str) -> str:
    """Return the name of a kind of mail."""
    return _(KINDS[kind].named) if kind in KINDS else kind


def _step(step: ledger.KeptStep) -> dict[str, str]:
    until = moment(step.until).text if step.until is not None else ""
    why = said_detail(step.reason) if step.what in WITH_REASON else ""
    return {"text": _(STEPS[step.what], time=moment(step.at).text, until=until), "why": why}


def said_detail(detail: Detail) -> str:
    """Return a sentence of ours in the reader's language; texts of mail servers stay as they came."""
    return _(detail.template, **detail.facts) if isinstance(detail, Sentence) else detail


WITH_REASON = ("deferred", "failed", "refused", "given_up", "superseded", "resent", "sent_now", *SAYS_MORE)


@pages.post("/account/mail/again")
def mail_again() -> Response:
    asker, notice = signed_in(), number_of("notice")
    if not account_actions.send_again(asker, notice):
        abort(404)
    return done(url_for("pages.mail_sent", game=request.form.get("game") or None), "mail-again")


# ==== links in mails ==============================================================================
@pages.route("/unsubscribe/<token>", methods=["GET", "POST"])
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
                preferences.stop_mail(conn, link.person_id, now())
            else:
                preferences.switch(conn, link.person_id, game_id=link.game_id, wanted=False)
    done_what = what if request.method == "POST" else None
    return page("unsubscribe.html", done=done_what, game=game, here_to_stop=request.path)


@pages.route("/never/<token>", methods=["GET", "POST"])
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
    return page("never.html", done=outcome, here_to_stop=request.path)
