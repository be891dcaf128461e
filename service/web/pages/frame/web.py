"""Common parts of the pages: the reader, their language, the guard of forms, and the layout."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import msgspec
from flask import Response, abort, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from domain.refusal import Refused
from domain.title import Title
from service.base import links
from service.base.clock import DAY
from service.base.names import BadName
from service.database.store import NoSuchGame
from service.games import queries, rights
from service.games.queries import Seen
from service.games.rights import Asking, ByLink, ByPerson
from service.people import accounts, addresses
from service.people.accounts import Asker
from service.web.pages.frame import pages, say, style
from service.web.shared import context, events
from service.web.shared.context import now, settings, store, work
from service.web.shared.problems import DOCS
from service.words import ENGLISH, N_, Moment, amount, called, languages, moments, own_name

YEAR = 365 * DAY
FORM_LIMIT = 64 * 1024
"""Bytes of the largest form of a page."""

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
    "invited-before": N_("That address has already been invited."),
    "invitation-renewed": N_("The link was renewed; the old one no longer works."),
    "bot-left": N_("The bot has left."),
    "taken-back": N_("Move taken back."),
    "rewind-proposed": N_("Your proposal is on its way to the others."),
    "rewind-agreed": N_("You have agreed to rewind."),
    "rewind-refused": N_("The game stays as it is."),
    "resigned": N_("You have left the game."),
    "closed": N_("The table is closed."),
    "back": N_("You have your seat back."),
    "there": N_("Welcome back: the clock counts you as present again."),
    "away": N_("Your days off are saved, and running clocks wait for you."),
    "here": N_("Your clocks run again on these days."),
    "noted": N_("Done, and recorded with your name and reason."),
    "erased": N_("Your account is deleted. Thank you for playing."),
    "bots-paused": N_("The bots have paused after many moves. You can let the bots play on."),
    "sandbox-deleted": N_("Sandbox deleted."),
}
"""Messages after a form, by their word in the address."""


GAME_STATES = {"open": N_("not started"), "running": N_("running"), "over": N_("over"), "cancelled": N_("closed")}
"""The status of a game in words."""


# ==== the reader ==================================================================================
class Reader(msgspec.Struct, frozen=True):
    """The reader of a page. ``asker``: if signed in. ``lang`` and ``zone``: for texts and times."""

    asker: Asker | None
    lang: str
    zone: str

    @property
    def id(self) -> int | None:
        return self.asker.id if self.asker else None


def reader() -> Reader:
    """Return the reader of this page, looked up once. Pages accept browsers only, never a program's token."""
    if "reader" not in g:
        asker = context.asker_or_none()
        if asker is not None and asker.scopes is not None:
            asker = None
        chosen = request.cookies.get("lang", "")
        if chosen not in languages():
            chosen = asker.lang if asker else context.wanted_language(request) or ENGLISH
        g.reader = Reader(asker, chosen, asker.zone if asker else "UTC")
    return cast(Reader, g.reader)


def signed_in() -> Asker:
    """Return the signed-in reader; send others to sign in and back."""
    asker = reader().asker
    if asker is None:
        abort(sign_in_first())
    return asker


def sign_in_first() -> Response:
    """Redirect to the sign-in, and back afterwards."""
    back = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.lobby.games")
    return cast(Response, redirect(url_for("pages.front.sign_in", next=back), 303))


def _(text: str, /, **facts: Any) -> str:
    """Return ``text`` in the reader's language."""
    return say.say(reader().lang, text, **facts)


def moment(at: int) -> Moment:
    return moments.moment(at, reader().lang, reader().zone)


def home_path(given: str | None, otherwise: str) -> str:
    """Return a path of this site to go on to; any address that could lead elsewhere is replaced."""
    plain = given or ""
    ours = plain.startswith("/") and not plain.startswith(("//", "/\\")) and plain.isprintable() and len(plain) <= 500
    return plain if ours else otherwise


def number_in(given: str | None, digits: int = 9) -> int | None:
    """Read a number of at most ``digits`` digits from an address or a form; None if there is none."""
    plain = given or ""
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= digits else None


def number_of(field: str, digits: int = 9) -> int:
    """Read a required number from a field of the form."""
    number = number_in(request.form.get(field), digits)
    return abort(400) if number is None else number


def place_in(given: str | None) -> tuple[int, str] | None:
    """Read the start of a page in a list of games from its address: the time when a game was made, and its id."""
    when, _dot, game_id = (given or "").partition(".")
    at = number_in(when, 15)
    return None if at is None or not game_id.isalnum() else (at, game_id)


# ==== games and their viewers =====================================================================
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


def keep_watching(response: Response, seen: Seen) -> None:
    """Let a guest who came by an invitation before the start go on watching after it, in this browser."""
    token = queries.guest_pass(settings, seen)
    if token is not None:
        game_cookie(response, seen.game.id, INVITE_COOKIE, token, YEAR)


def title_or_404(title_id: str) -> Title:
    title = store.titles.get(title_id)
    if title is None:
        raise NoSuchGame(title_id)
    return title


# ==== refusals ====================================================================================
class RefusalShown(msgspec.Struct, frozen=True):
    """A refusal for a page. ``link``: the rule's number, as a link to its text."""

    text: str
    link: Markup


def refusal(refused: Refused, title: Title, seen: Seen | None = None) -> RefusalShown:
    player = seen.player if seen else str
    text = queries.refusal(title, refused, reader().lang, player)
    return RefusalShown(text, rule_link(refused.rule))


def rule_link(rule: str) -> Markup:
    """Return ``GTJ 5.3`` as a link to the rule."""
    prefix = rule.split(" ")[0]
    owner = next((title.id for title in store.titles.values() if title.prefix == prefix), None)
    owner = "house" if prefix == "ST" else owner
    if owner is None:
        return Markup('<span class="rule">{}</span>').format(rule)
    there = url_for("pages.rules.rules", title=owner, _anchor=rule_anchor(rule))
    return Markup('<a class="rule" href="{}">{}</a>').format(there, rule)


def rule_anchor(rule: str) -> str:
    return rule.replace(" ", "-")


# ==== forms =======================================================================================
def form_secret() -> str:
    """Return the secret of this browser, to which its forms are bound. A new browser gets one with the page."""
    if "form_secret" not in g:
        g.form_secret, g.new_browser = context.browser()
    return cast(str, g.form_secret)


def csrf_field() -> Markup:
    """Return the token field of this page's forms: one token per page, which compresses well, and a new one per
    answer."""
    token = g.get("form_token") or g.setdefault("form_token", accounts.form_token(settings, form_secret()))
    return Markup('<input type="hidden" name="csrf" value="{}">').format(token)


ONE_CLICK = ("pages.mail.unsubscribe", "pages.mail.never")
"""Forms that mail programs send by themselves (RFC 8058): their address holds everything."""


@pages.before_request
def guard_forms() -> None:
    """Refuse a form unless it comes from a page of ours in this browser."""
    g.lang = reader().lang  # texts from outside the pages use the same language
    if request.method not in context.UNSAFE:
        return
    if (request.content_length or 0) > FORM_LIMIT:
        abort(413)
    if request.endpoint in ONE_CLICK:
        return
    # Some browsers send nothing better (no Sec-Fetch-Site over plain HTTP, Origin "null"), so this token decides.
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        events.tell("refused", why="other_site", rule=str(request.url_rule), person=reader().id)
        abort(403)
    if not accounts.is_form_token(settings, form_secret(), request.form.get("csrf", "")):
        events.tell("refused", why="form", rule=str(request.url_rule), person=reader().id)
        abort(403)


@pages.after_request
def finish(response: Response) -> Response:
    if g.get("new_browser"):
        context.set_cookie(response, context.browser_cookie(), g.form_secret, YEAR)
    if request.endpoint == "pages.static" and (wished := request.args.get("v")):
        if wished == style.digest_of((request.view_args or {}).get("filename", "")):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
    response.vary.update(("Cookie", "Accept-Language"))
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def done(address: str, said: str | None = None) -> Response:
    """Redirect to ``address`` after a form, so that reloading sends nothing twice, and show a message there."""
    if said is not None:
        assert said in SAID
        address += ("&" if "?" in address else "?") + f"said={said}"
    return cast(Response, redirect(address, 303))


BAD_NAMES = {
    "unseen": N_("A name cannot contain invisible characters or characters that reverse the writing direction."),
    "address": N_(
        "A name cannot contain a web address, because names appear in emails. If your name is not meant as a web "
        "address, put a space after the dot."
    ),
}


def bad_name(bad: BadName, length: str) -> str:
    """Say what is wrong with a name; ``length``: the text for an empty or too long one."""
    return _(BAD_NAMES[bad.why]) if bad.why in BAD_NAMES else length


# ==== the layout ==================================================================================
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


def this_page(changed: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the address of this page without fields that work once; after a form, that of a page that can be opened.

    ``changed``: new values for fields of the address.
    """
    path, kept = request.path, list(_carried())
    if request.method not in ("GET", "HEAD"):
        path, kept = _page_of_the_form(), []
    if "turn_tried" in g:
        kept = [*(it for it in kept if it[0] not in TRIED), *g.turn_tried]
    if changed is not None:
        kept = [it for it in kept if it[0] not in changed]
        kept += [(name, value) for name, values in changed.items() for value in values]
    query = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in kept)
    return path + (f"?{query}" if query else "")


LONGEST_ADDRESS = 6000
"""Characters of our longest address; servers and browsers accept more."""
ONCE = ("said", "board")
"""Fields of an address that work once."""
TRIED = ("v", "try")
"""Fields of an address that hold a tried turn (`trying`)."""
CARRIED: Mapping[str, int] = {
    "after": 50, "at": 60, "before": 50, "call": 9, "came": 20, "do": 20, "failing": 2, "from": 9, "game": 50,
    "group": 20, "next": 500, "number": 3, "person": 50, "seat": 2, "since": 15, "state": 20, "status": 20, "text": 254,
    "title": 40, "to": 254, "trouble": 20, "try": LONGEST_ADDRESS, "until": 9, "v": 9,
}  # fmt: skip
"""The other fields that pages read, each with the most characters of a meaningful value."""
SEVERAL = ("at", "try")
"""Those that may be repeated in an address."""


def _carried() -> Iterator[tuple[str, str]]:
    """Yield the fields of this address that links keep: known ones, within the longest address.

    A page has hundreds of links, and anybody can write an address.
    """
    left, found = LONGEST_ADDRESS, set()
    for name, value in request.args.items(multi=True):
        if len(value) > CARRIED.get(name, -1) or (name in found and name not in SEVERAL):
            continue
        left -= len(name) + len(_quoted(value)) + len("?=")
        if left < 0:
            return
        found.add(name)
        yield name, value


def _page_of_the_form() -> str:
    given = request.view_args or {}
    if "sandbox_id" in given:
        return url_for("pages.sandbox.sandbox", sandbox_id=given["sandbox_id"])
    game_id = given.get("game_id")
    return url_for("pages.table.game", game_id=game_id) if game_id else url_for("pages.front.first")


def _quoted(text: str) -> str:
    return quote(text, safe="")


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


def has_mailbox() -> bool:
    """Does mail go to the local mailbox, and does the caller sit at this machine? Its letters are keys to accounts."""
    return settings.embedded and not settings.smtp_host and context.at_this_machine()


def style_address() -> str:
    return address("pages.style_sheet", v=style.fingerprint(_style()))


@pages.app_template_global("url_for")
def address(endpoint: str, **facts: Any) -> str:
    """Return `url_for` for the templates, cached: a page has dozens of addresses, mostly those of the page before."""
    return _address(request.root_url, endpoint, tuple(facts.items()))


@lru_cache(4096)
def _address(site: str, endpoint: str, facts: tuple[tuple[str, Any], ...]) -> str:
    """``site``: the root of its addresses."""
    return url_for(endpoint, **dict(facts))


def static_address(name: str) -> str:
    """Return the address of a script or an icon, which changes with its content."""
    return address("pages.static", filename=name, v=style.digest_of(name))


@pages.get("/static/<filename>")
def static(filename: str) -> Response:
    served = style.static(filename) or abort(404)
    response = make_response(served)
    response.content_type = style.TYPES[Path(filename).suffix]
    response.add_etag()
    response.make_conditional(request)
    return response


def _style() -> str:
    return style.style_sheet(address("pages.font", name=""))


@pages.get("/style.css")
def style_sheet() -> Response:
    response = make_response(_style())
    response.content_type = "text/css; charset=utf-8"
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@pages.get("/fonts/<path:name>")
def font(name: str) -> Response:
    if name not in style.FONTS:
        abort(404)
    response = make_response(style.FONTS[name].read_bytes())
    response.content_type = "font/woff2"
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@pages.post("/language")
def language() -> Response:
    """Set the reader's language, here and in mails."""
    wanted = request.form.get("lang", "")
    if wanted not in languages():
        abort(400)
    asker = reader().asker
    if asker is not None:
        with store.write() as conn:
            accounts.change(conn, asker.id, now(), lang=wanted)
    response = done(home_path(request.form.get("next"), url_for("pages.front.first")))
    context.set_cookie(response, "lang", wanted, YEAR)
    return response
