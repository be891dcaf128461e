"""Signing in by a mailed link, and signing out."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Response, request, url_for
from sqlalchemy import Connection, select

from service.accounts import keys
from service.base.clock import MINUTE
from service.base.names import BadName
from service.database.store import Busy
from service.operators import acts
from service.people import accounts
from service.web.pages.frame import _, done, form_secret, has_mailbox, home_path, page, reader
from service.web.pages.front import room
from service.web.pages.front.against_bots import BotGame, bot_game, open_against_bots
from service.web.pages.parts.acts import told
from service.web.pages.parts.welcome import bad_persons_name, persons_name, zone_in, zones
from service.web.shared import context
from service.web.shared.account_requests import asked
from service.web.shared.context import now, settings, store

CODE_COOKIE = "code"
"""The cookie with the six digits, for the page that asks to look into the mailbox."""


@room.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    after = home_path(request.values.get("next"), url_for("pages.lobby.games"))
    if bot_game(after) is not None:  # only the front page's form may begin a game: anybody can write a link
        after = url_for("pages.lobby.games")
    if request.method != "POST":
        return _sign_in(after)
    return ask_for_link(request.form.get("email", ""), after, lambda problem: _sign_in(after, problem, 422))


def _sign_in(after: str, problem: str | None = None, status: int = 200) -> Response:
    given = {"email": request.form.get("email", "")}
    return page("front/sign_in.html", status, next=after, problem=problem, given=given)


def ask_for_link(address: str, after: str, again: Callable[[str], Response]) -> Response:
    """Mail a sign-in link. ``again(problem)`` is the answer to a bad ``address``."""
    at = now()
    try:
        code = keys.ask_for_link(asked(), address, after, form_secret(), zone_in(request.form.get("zone", "")) or "")
    except accounts.BadAddress:
        return again(_("We cannot send email to this address. Please check it."))
    sent: dict[str, Any] = {"to": accounts.on_the_wire(accounts.normalised(address)), "since": at}
    facts = sent if has_mailbox() else {}
    response = done(url_for("pages.front.sign_in_sent", **facts))
    response.set_cookie(
        CODE_COOKIE,
        code,
        max_age=10 * MINUTE // 1000,
        path=url_for("pages.front.sign_in_sent"),
        secure=context.secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@room.get("/sign-in/sent")
def sign_in_sent() -> Response:
    code = request.cookies.get(CODE_COOKIE, "")
    newest = url_for("pages.mailbox.newest_mail", to=request.args.get("to", ""), since=request.args.get("since", "0"))
    by_host = settings.has_local_mailbox and not has_mailbox()
    where: dict[str, Any] = {"newest": newest, "by_host": by_host}
    return page("front/sign_in_sent.html", code=code if len(code) == 6 and code.isdecimal() else "", **where)


@room.route("/sign-in/<token>", methods=["GET", "POST"])
def sign_in_link(token: str) -> Response:
    """Show the page of a mailed link. Opening it does nothing, as mail scanners open links too; the button signs in."""
    if request.method != "POST":
        return _link_page(token)
    try:
        known = _introduction(token)
    except _BadIntroduction as problem:
        return _link_page(token, problem=str(problem))
    code = "".join(request.form.get("code", "").split()) or None
    consumed = keys.confirm_link(
        asked(), token, form_secret(), code, known.name, known.zone, replaced=context.session()
    )
    if consumed.outcome == "blocked":
        return _blocked(consumed.person)
    if consumed.outcome != "signed_in":
        return _link_page(token, wrong=consumed.outcome == "code" and code is not None)
    address = url_for("pages.lobby.games")
    wish = bot_game(consumed.next)
    if wish is None:
        address = home_path(consumed.next, address)
    else:
        with store.read() as conn:
            asker = accounts.by_session(conn, consumed.session, now())
        assert asker is not None
        with suppress(Busy):  # the link is used up, so its person is signed in even if this fails
            address = url_for("pages.table.game", game_id=open_against_bots(asker.id, asker.name, wish.title))
    response = done(address)
    context.begin_session(response, consumed.session)
    context.drop_cookie(response, "lang")
    return response


def _blocked(person_id: int) -> Response:
    """Tell blocked people the reason; they have just proved that the address is theirs."""
    with store.read() as conn:
        entry = acts.last_block(conn, person_id)
    return page("front/blocked.html", 403, entry=told(entry) if entry else None)


def _link_page(token: str, wrong: bool = False, problem: str | None = None) -> Response:
    with store.read() as conn:
        state = accounts.link_state(conn, token, form_secret(), now())
        unknown, wish = accounts.unknown_of(conn, token), _bot_game_of(conn, token)
    status = 403 if wrong or state == "dead" else 422 if problem else 200
    given = {"name": wish.name or "" if wish else "", "zone": unknown.browsers_zone, **request.form}
    return page(
        "front/sign_in_link.html",
        status,
        token=token,
        state=state,
        wrong=wrong,
        begins=wish is not None,
        problem=problem,
        unknown=unknown,
        given=given,
        zones=zones() if unknown.zone else [],
    )


class _Introduction(NamedTuple):
    """A person's facts in the sign-in form."""

    name: str
    zone: str


class _BadIntroduction(ValueError):
    """A problem of these facts, in words."""


def _introduction(token: str) -> _Introduction:
    """Read name and zone from the form, if it asks for them. On `_BadIntroduction` the link stays valid."""
    with store.read() as conn:
        unknown = accounts.unknown_of(conn, token)
    zone, name = zone_in(request.form.get("zone", "")), ""
    if unknown.name:
        try:
            name = persons_name(request.form.get("name", ""))
        except BadName as bad:
            raise _BadIntroduction(bad_persons_name(bad)) from None
    if unknown.zone and zone is None:
        raise _BadIntroduction(_("We do not know this time zone. Choose one from the list."))
    return _Introduction(name, zone or "")


def _bot_game_of(conn: Connection, token: str) -> BotGame | None:
    """Return the game that this link starts, if any."""
    wanted = select(accounts.LINKS.c.next).where(accounts.LINKS.c.token_hash == accounts.hashed(token))
    after = conn.execute(wanted).scalar()
    return None if after is None else bot_game(after)


@room.post("/sign-out")
def sign_out() -> Response:
    asker = reader().asker
    if asker is not None and asker.session is not None:
        keys.sign_out(asked(), asker)
    response = done(url_for("pages.front.first"), "signed-out")
    context.sign_out_browser(response)
    return response
