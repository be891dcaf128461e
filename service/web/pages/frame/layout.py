"""The layout of all pages: menu, messages after a form, and the choice of the language."""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from flask import Response, abort, g, make_response, redirect, render_template, request, url_for

from service.accounts.person import change
from service.base import links
from service.web.pages.frame import say
from service.web.pages.frame.addresses import address, this_page
from service.web.pages.frame.assets import static_address, style_address
from service.web.pages.frame.blueprint import pages
from service.web.pages.frame.guard import csrf_field
from service.web.pages.frame.reader import YEAR, Reader, _, home_path, reader
from service.web.shared import context
from service.web.shared.account_requests import asked
from service.web.shared.context import settings
from service.web.shared.problems import DOCS
from service.words import N_, amount, called, languages, own_name

SAID = {
    "saved": N_("Saved."),
    "signed-out": N_("You are signed out."),
    "session-ended": N_("The other browser is signed out."),
    "token-revoked": N_("The token is revoked."),
    "feed-ended": N_("The address no longer works."),
    "webhook-removed": N_("The webhook is removed."),
    "mail-on": N_("Email about your games is on again."),
    "mail-off": N_("You will get no more email about games."),
    "invitations-on": N_("You can be invited again."),
    "invitations-off": N_("You will get no more invitations."),
    "mail-again": N_("The email is on its way, unless it is no longer needed."),
    "address-asked": N_("A link is on its way to the new address."),
    "address-check": N_("A link is on its way to your address."),
    "seated": N_("You have a seat."),
    "left": N_("You have left your seat."),
    "invited": N_("The invitation is on its way."),
    "all-invited": N_("The invitations are on their way."),
    "not-invited": N_("One invitation could not be sent. Please pass the link on yourself."),
    "invited-before": N_("That address has already been invited."),
    "invitation-renewed": N_("The link was renewed; the old one no longer works."),
    "bot-left": N_("The bot has left."),
    "taken-back": N_("Move taken back."),
    "rewind-proposed": N_("Your proposal is on its way to the others."),
    "rewind-agreed": N_("You have agreed to rewind."),
    "rewind-refused": N_("The game stays as it is."),
    "searching": N_("We are looking for people. You get an email as soon as a seat is kept for you."),
    "search-ended": N_("The search has ended."),
    "declined": N_("You have declined the seat. Somebody else can have it now, and your search rests for a day."),
    "reported": N_("Your report is on its way to the operators."),
    "resigned": N_("You have left the game."),
    "closed": N_("The table is closed."),
    "back": N_("You have your seat back."),
    "stand-in": N_("A bot plays this seat now."),
    "there": N_("Welcome back: the clock counts you as present again."),
    "no-tips": N_("You will see no more tips. Your account brings the tips back."),
    "away": N_("Your days off are saved, and running clocks wait for you."),
    "here": N_("Your clocks run again on these days."),
    "noted": N_("Done, and recorded with your name and reason."),
    "erased": N_("Your account is deleted. Thank you for playing."),
    "bots-paused": N_("The bots have paused after many moves. You can let the bots play on."),
    "sandbox-deleted": N_("Sandbox deleted."),
}
"""The word in the address after a form -> the message to show."""


@pages.after_request
def finish(response: Response) -> Response:
    if g.get("new_browser"):
        context.set_cookie(response, context.browser_cookie(), g.form_secret, YEAR)
    if request.endpoint == "pages.static" and request.args.get("v"):
        return response
    response.headers["Vary"] = "Cookie, Accept-Language"
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def done(address: str, said: str | None = None) -> Response:
    """Redirect to ``address`` after a form, so that reloading sends nothing twice, and show a message there."""
    if said is not None:
        assert said in SAID
        address, sign, below = address.partition("#")
        address += ("&" if "?" in address else "?") + f"said={said}{sign}{below}"
    return cast(Response, redirect(address, 303))


def page(template: str, status: int = 200, /, **facts: Any) -> Response:
    """Render a template with the facts that all pages share."""
    who = reader()
    said = SAID.get(request.args.get("said", ""))
    shared: Mapping[str, Any] = {
        "_": say.sayer(who.lang), "called": called, "lang": who.lang,
        "languages": {each: own_name(each) for each in languages()},
        "asker": who.asker, "menu": _menu(who), "embedded": has_mailbox(), "api_docs": DOCS, "csrf_field": csrf_field,
        "stylesheet": style_address(), "static": static_address, "here": this_page(), "said": _(said) if said else None,
        "amount": partial(amount, lang=who.lang),
    }  # fmt: skip
    return make_response(render_template(template, **{**shared, **facts}), status)


def _menu(who: Reader) -> list[tuple[str, str, bool]]:
    """Return the entries of the menu: name, address, current."""
    entries = [
        (_("Games"), "pages.lobby.games"),
        (_("New game"), "pages.lobby.new_game"),
        (_("Rules"), "pages.rules.rules_index"),
    ]
    if has_mailbox():
        entries.append((_("Mailbox"), "pages.mailbox.mailbox"))
    entries.append((who.asker.name, "pages.account.account") if who.asker else (_("Sign in"), "pages.front.sign_in"))
    return [(name, address(endpoint), request.endpoint == endpoint) for name, endpoint in entries]


MAILBOX_KEY = "mailbox"
"""The cookie with the key to the mailbox."""


def has_mailbox() -> bool:
    """Does mail go to the local mailbox, and does the caller sit at this machine? Its letters are keys to accounts.

    If the site is reached from elsewhere, the caller needs the key that ``slowtrain up`` has printed: a tunnel hides
    where its clients are.
    """
    if not (settings.has_local_mailbox and context.at_this_machine()):
        return False
    given = request.args.get("key") or request.cookies.get(MAILBOX_KEY, "")
    return not settings.is_reached_from_elsewhere or links.opens_mailbox(settings, given)


@pages.post("/language")
def language() -> Response:
    """Set the reader's language, here and in mails."""
    wanted = request.form.get("lang", "")
    if wanted not in languages():
        abort(400)
    asker = reader().asker
    if asker is not None:
        change(asked(), asker, {"lang": wanted})
    response = done(home_path(request.form.get("next"), url_for("pages.front.first")))
    context.set_cookie(response, "lang", wanted, YEAR)
    return response
