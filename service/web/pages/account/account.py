"""A person's account page: name, language, time zone, mail, signed-in browsers, tokens for programs."""

from typing import Any

from flask import Response, abort, request, url_for

from service.accounts import keys
from service.accounts.person import change, erase
from service.accounts.request import SignInTooOld
from service.base import names
from service.base.names import BadName
from service.games import sandboxes
from service.operators import acts
from service.people import accounts
from service.people.accounts import Confirm, OpenAs, Talk
from service.web.pages.account import room
from service.web.pages.frame import YEAR, _, done, moment, number_of, page, signed_in
from service.web.pages.parts.acts import told
from service.web.pages.parts.refusals import bad_name
from service.web.pages.parts.welcome import bad_persons_name, persons_name, zones
from service.web.pages.sandbox.sandboxes import sandbox_lines
from service.web.shared import context
from service.web.shared.account_requests import asked, exported
from service.web.shared.context import now, store
from service.words import N_, languages

SANDBOXES_SHOWN = 5


@room.route("/account", methods=["GET", "POST"])
def account() -> Response:
    asker = signed_in()
    if request.method != "POST":
        return _account()
    zone, lang = request.form.get("zone", ""), request.form.get("lang", "")
    try:
        name = persons_name(request.form.get("name", ""))
    except BadName as bad:
        return _account(bad_persons_name(bad), 422)
    if not accounts.is_zone(zone) and (zone or asker.zone_known):
        return _account(_("We do not know this time zone. Choose one from the list."), 422)
    if lang not in languages():
        abort(400)
    change(asked(), asker, {"name": name, "lang": lang, **({"zone": zone} if zone else {})})
    response = done(url_for("pages.account.account"), "saved")
    context.set_cookie(response, "lang", lang, YEAR)
    return response


def _account(
    problem: str | None = None, status: int = 200, fresh_token: str | None = None, fresh: bool = True
) -> Response:
    asker, at = signed_in(), now()
    with store.read() as conn:
        row = accounts.person(conn, asker.id)
        sessions = accounts.sessions(conn, asker.id, at, accounts.lasting(context.settings).idle)
        tokens = accounts.tokens(conn, asker.id)
        mine = sandboxes.mine(conn, asker.id)
        operates, entries = acts.is_operator(conn, asker.id), acts.about_person(conn, asker.id)
    given = {
        "name": asker.name if asker.named else "",
        "zone": asker.zone if asker.zone_known else "",
        "lang": asker.lang,
    }
    if request.endpoint == "pages.account.account":
        given = {name: request.form.get(name, known) for name, known in given.items()}
    return page(
        "account/account.html",
        status,
        problem=problem,
        erasing=request.endpoint == "pages.account.erase_account",
        given=given,
        confirming={
            "confirm": (_("In slow games"), asker.confirm),
            "confirm_live": (_("In live games (an hour per turn at most)"), asker.confirm_live),
        },
        tips=row.tips,
        talk=row.talk,
        wishes_about_talk={wish: _(text) for wish, text in TALK.items()},
        next_game=row.next_game,
        ways_to_open={way: _(text) for way, text in OPEN_AS.items()},
        ways_to_confirm={way: _(text) for way, text in CONFIRM.items()},
        fresh_token=fresh_token,
        fresh=fresh,
        operates=operates,
        entries=[told(it) for it in entries],
        zones=zones(),
        mail_stopped=moment(row.mail_stopped_at) if row.mail_stopped_at else None,
        sessions=[
            {
                "handle": accounts.handle(it.token_hash),
                "created": moment(it.created_at),
                "seen": moment(it.seen_at),
                "here": it.token_hash == asker.session,
            }
            for it in sessions
        ],
        tokens=[
            {"id": it.id, "name": it.name, "scopes": it.scopes, "used": moment(it.used_at) if it.used_at else None}
            for it in tokens
        ],
        sandboxes=sandbox_lines(mine[:SANDBOXES_SHOWN]),
        sandboxes_in_all=len(mine),
    )


CONFIRM: dict[Confirm, str] = {
    "turn": N_("preview the whole turn, then confirm it"),
    "each": N_("preview and confirm each step"),
    "at_once": N_("play at once"),
}


OPEN_AS: dict[OpenAs, str] = {"board": N_("a board"), "text": N_("text, for screen readers")}


@room.post("/account/confirm")
def change_confirming() -> Response:
    """Change when a choice at a table counts, how games open, and whether there are tips."""
    asker = signed_in()
    wished: dict[str, Any] = {field: request.form.get(field, "") for field in ("confirm", "confirm_live")}
    open_as = request.form.get("open_as", asker.open_as)
    if not set(wished.values()) <= set(CONFIRM) or open_as not in OPEN_AS:
        abort(400)
    wished |= {"open_as": open_as, "tips": "tips" in request.form, "next_game": "next_game" in request.form}
    change(asked(), asker, wished)
    return done(url_for("pages.account.account"), "saved")


TALK: dict[Talk, str] = {
    "mentions": N_("shown; email me if somebody mentions me"),
    "all": N_("shown; email me about everything"),
    "hidden": N_("hidden"),
}


@room.post("/account/talk")
def change_talk() -> Response:
    """Change whether talk at tables is shown, and what there are letters about."""
    asker, wish = signed_in(), request.form.get("talk", "")
    if wish not in TALK:
        abort(400)
    change(asked(), asker, {"talk": wish})
    return done(url_for("pages.account.account"), "saved")


@room.post("/account/sessions")
def end_session() -> Response:
    keys.end_session(asked(), signed_in(), request.form.get("session", ""))
    return done(url_for("pages.account.account"), "session-ended")


@room.post("/account/tokens")
def make_token() -> Response:
    """Show a new token in the answer itself: it is stored nowhere else, so there is no redirect."""
    asker = signed_in()
    scopes = [scope for scope in accounts.SCOPES if scope in request.form.getlist("scope")]
    longest = names.LONGEST_OF_TOKEN
    try:
        name = names.cleaned(request.form.get("name", ""), longest)
    except BadName as bad:
        said = _("Please give the token a name of 1 to {length} characters.", length=longest)
        return _account(bad_name(bad, said), 422)
    if not scopes:
        return _account(_("Please choose at least one permission."), 422)
    try:
        _number, token = keys.make_token(asked(), asker, name, scopes)
    except accounts.TooMany:
        return _account(_("You have too many tokens. Revoke one first."), 409)
    except SignInTooOld:
        return _account(status=403, fresh=False)
    return _account(fresh_token=token)


@room.post("/account/tokens/revoke")
def revoke_token() -> Response:
    keys.revoke_token(asked(), signed_in(), number_of("token"))
    return done(url_for("pages.account.account"), "token-revoked")


# ==== export and deletion =========================================================================
@room.get("/account/export")
def export_account() -> Response:
    return exported(signed_in())


@room.post("/account/erase")
def erase_account() -> Response:
    if not erase(asked(), signed_in(), request.form.get("email", "")):
        return _account(_("That is not your email address, so nothing was deleted."), 422)
    response = done(url_for("pages.front.first"), "erased")
    context.sign_out_browser(response, storage=True)
    return response
