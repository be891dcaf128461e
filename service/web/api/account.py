"""Sign-in by a mailed link, and the person's own resources: account, sessions, tokens."""

from typing import Any

from flask import Response, jsonify
from marshmallow import ValidationError

from service.accounts import keys
from service.accounts.person import change, erase
from service.base.clock import DAY
from service.people import accounts
from service.people.accounts import Asker
from service.web.api import schemas
from service.web.api.api import Blueprint, needs, refuse_other_sites, shape_errors
from service.web.shared.account_requests import asked, exported
from service.web.shared.context import (
    begin_session,
    browser,
    browser_cookie,
    now,
    person,
    session,
    set_cookie,
    settings,
    sign_out_browser,
    store,
)
from service.web.shared.problems import Problem
from service.words import N_

blueprint = Blueprint("account", __name__, url_prefix="/api/v1", description="Signing in, and your own account")

BROWSER_LIFE = 400 * DAY


# ==== signing in ==================================================================================
@blueprint.route("/sign-in", methods=["POST"])
@blueprint.arguments(schemas.SignInAsked)
@blueprint.response(202, schemas.SignInSent)
def ask_to_sign_in(given: dict[str, Any]) -> Any:
    """Ask for a sign-in link

    The service mails a link to the address, whether it knows the address or not. The link works once, for ten minutes.
    The browser that asked is recognised by a cookie. Any other browser also needs the six digits of this answer.
    """
    refuse_other_sites()
    nonce, new = browser()
    code = keys.ask_for_link(asked(), given["email"], given["next"], nonce, given["zone"])
    response = jsonify(code=code, expires_in=accounts.LINK_LIFE // 1000)
    response.status_code = 202
    if new:
        set_cookie(response, browser_cookie(), nonce, BROWSER_LIFE)
    return response


@blueprint.route("/sign-in/confirm", methods=["POST"])
@blueprint.arguments(schemas.SignInConfirmed)
@blueprint.response(200, schemas.SignedIn)
def confirm_sign_in(given: dict[str, Any]) -> Any:
    """Sign in with a mailed link

    The token is the last part of the link's address. The answer sets the session cookie. `name` and `zone` only count
    if the person has chosen none. Until they choose a name, they are called "Player" and a number.
    """
    refuse_other_sites()
    nonce, new = browser()
    done = keys.confirm_link(
        asked(), given["token"], None if new else nonce, given["code"], given["name"], given["zone"], replaced=session()
    )
    if done.outcome == "blocked":
        raise Problem("blocked")
    if done.outcome != "signed_in":
        raise Problem("code" if done.outcome == "code" else "link")
    with store.read() as conn:
        who = accounts.by_session(conn, done.session, now())
    assert who is not None
    response = jsonify(schemas.SignedIn().dump({"me": _me(who), "next": done.next, "new": done.new}))
    begin_session(response, done.session)
    return response


@blueprint.route("/session", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def sign_out() -> Any:
    """Sign this browser out"""
    keys.sign_out(asked(), person(None))
    response = Response(status=204)
    sign_out_browser(response)
    return response


# ==== the account =================================================================================
def _me(who: Asker) -> dict[str, Any]:
    with store.read() as conn:
        row = accounts.person(conn, who.id)
    return {
        "id": who.id, "email": who.email, "name": who.name, "named": row.named, "lang": who.lang, "zone": who.zone,
        "zone_known": row.zone_known,
        "wakes_at": row.wakes_at, "sleeps_at": row.sleeps_at, "confirm": row.confirm, "confirm_live": row.confirm_live,
        "open_as": row.open_as, "tips": row.tips, "next_game": row.next_game, "talk": row.talk,
        "scopes": None if who.scopes is None else list(who.scopes),
    }  # fmt: skip


@blueprint.route("/me", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.Me)
def show_me() -> Any:
    """Show my account"""
    return _me(person("read"))


@blueprint.route("/me", methods=["PATCH"])
@needs(None)
@blueprint.arguments(schemas.MeChanged)
@blueprint.response(200, schemas.Me)
def change_me(given: dict[str, Any]) -> Any:
    """Change name, language, time zone, waking hours or how moves are confirmed"""
    who = person(None)
    try:
        change(asked(), who, given)
    except accounts.TooShort:
        raise shape_errors(
            ValidationError({"sleeps_at": [N_("Waking hours must be at least six hours long.")]})
        ) from None
    with store.read() as conn:
        row = accounts.person(conn, who.id)
    return _me(Asker(row.id, row.email, row.name, row.lang, row.zone))


# ==== export and deletion =========================================================================
@blueprint.route("/me/export", methods=["GET"])
@needs(None)
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
def export_me() -> Any:
    """Export all your data, as a ZIP

    `person.json` holds your account, seats, sessions, names of tokens, mails and their history. `games/` holds each
    game as you may see it, as a file that proves itself.
    """
    return exported(person(None))


@blueprint.route("/me/erase", methods=["POST"])
@needs(None)
@blueprint.arguments(schemas.Erasing)
@blueprint.response(204)
def erase_me(given: dict[str, Any]) -> Any:
    """Erase your account

    Your account and all its data are deleted at once and for good. You resign from running games, and your own open
    tables are closed. Past moves stay without a name, and can still be proved.
    """
    if not erase(asked(), person(None), given["email"]):
        raise Problem("shape", errors={"json": {"email": ["This is not your mail address."]}})
    response = Response(status=204)
    sign_out_browser(response, storage=True)
    return response


# ==== sessions ====================================================================================
@blueprint.route("/me/sessions", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.Sessions)
def list_sessions() -> Any:
    """List your signed-in browsers"""
    who = person(None)
    with store.read() as conn:
        rows = accounts.sessions(conn, who.id, now(), accounts.lasting(settings).idle)
    return {
        "sessions": [
            {
                **row._mapping,
                "id": accounts.handle(row.token_hash),
                "current": row.token_hash == who.session,
            }
            for row in rows
        ]
    }


@blueprint.route("/me/sessions/<string(length=16):session_id>", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def end_session(session_id: str) -> Any:
    """Sign a browser out"""
    if not set(session_id) <= set("0123456789abcdef"):
        raise Problem("not_found")
    if not keys.end_session(asked(), person(None), session_id):
        raise Problem("not_found")
    return Response(status=204)


# ==== tokens ======================================================================================
@blueprint.route("/me/tokens", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.Tokens)
def list_tokens() -> Any:
    """List your personal tokens"""
    with store.read() as conn:
        rows = accounts.tokens(conn, person(None).id)
    return {"tokens": [{**row._mapping, "scopes": row.scopes.split()} for row in rows]}


@blueprint.route("/me/tokens", methods=["POST"])
@needs(None)
@blueprint.arguments(schemas.TokenAsked)
@blueprint.response(201, schemas.TokenMade)
def make_token(given: dict[str, Any]) -> Any:
    """Create a personal token

    Tokens are for programs that play or host for you. This answer shows the token, and no later one does. You need a
    browser that signed in recently (`fresh`).
    """
    this = asked()
    number, token = keys.make_token(this, person(None), given["name"], given["scopes"])
    scopes = [scope for scope in accounts.SCOPES if scope in given["scopes"]]
    return {
        "id": number, "name": given["name"], "scopes": scopes, "created_at": this.at, "used_at": None, "token": token,
    }  # fmt: skip


@blueprint.route("/me/tokens/<int(max=2147483647):token_id>", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def revoke_token(token_id: int) -> Any:
    """Revoke a personal token"""
    if not keys.revoke_token(asked(), person(None), token_id):
        raise Problem("not_found")
    return Response(status=204)
