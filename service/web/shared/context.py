"""What a request needs to know of its surroundings: the installation, its store, and who asks in which language."""

import secrets
from typing import Any, cast

import msgspec
from flask import Request, Response, current_app, g, request
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError
from werkzeug.local import LocalProxy

from config.hosts import host_of, is_loopback
from config.settings import Settings
from service.base.clock import SECOND
from service.database.store import Away, Busy, Store
from service.database.work import Work
from service.games.rights import ByPerson
from service.people import accounts, presence
from service.people.accounts import Asker, Scope
from service.people.presence import RecentViews
from service.web.shared.problems import Problem
from service.words import ENGLISH, known

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


class Site(msgspec.Struct, frozen=True):
    """One installation, as the application holds it."""

    settings: Settings
    store: Store
    recent_views: RecentViews = msgspec.field(default_factory=RecentViews)


def site() -> Site:
    return cast(Site, current_app.extensions["slowtrain"])


settings = cast(Settings, LocalProxy(lambda: site().settings))
store = cast(Store, LocalProxy(lambda: site().store))


def now() -> int:
    """What time it is for all that is decided here, in milliseconds: `Store.time`."""
    return site().store.time()


def work() -> Work:
    """The unit of work of this request."""
    if "work" not in g:
        g.work = Work(site().store)
    return cast(Work, g.work)


# ==== who asks ====================================================================================
def by_whom(invite: str = "") -> ByPerson:
    """Who asks, for what is done in games. ``invite``: the invitation, or pass of a guest, that they show."""
    who = asker()
    if who is None:
        return ByPerson(None, None, invite, lang())
    return ByPerson(who.id, who.scopes, invite, lang())


def asker() -> Asker | None:
    """Who asks: by a personal token or, failing that, by the session of a browser. Looked up once for each request.

    A token that is not good is an error; a cookie that is not good is a browser that is not signed in.
    """
    known: Any = g.get("asker", _NOT_ASKED)
    if known is _NOT_ASKED:
        known = g.asker = _asker()
    return cast(Asker | None, known)


_NOT_ASKED = object()


def _asker() -> Asker | None:
    at, asked = now(), request._get_current_object()  # type: ignore[attr-defined]  # asked for once: it is a proxy
    given = asked.headers.get("Authorization")
    session = asked.cookies.get(session_cookie()) if given is None else None
    if given is None and session is None:
        return None
    with site().store.look() as conn:
        found = (
            accounts.by_session(conn, session or "", at, accounts.lasting(site().settings).idle)
            if given is None
            else accounts.by_token(conn, _bearer(given), at)
        )
    if given is not None and found is None:
        raise Problem("token")
    return found


def note_use(who: Asker | None) -> None:
    """Keep when a session or token was last used. It comes last, to stand in no other transaction's way."""
    if who is None or not who.stale:
        return
    try:
        with store.write() as conn:
            accounts.seen(conn, who, now())
    except (Busy, Away):
        return  # the next request will do


def note_look(who: Asker | None, status: int) -> None:
    """Keep who looks at which table, at most once a minute each: its mails wait for them (`presence`).

    A program with a token is nobody who sits there: it would look for ever. Who comes by the link of a mail is there
    from the first button that they press: a machine presses none.
    """
    if status >= 400 or (who is not None and who.scopes is not None):
        return
    game_id = (request.view_args or {}).get("game_id")
    if not game_id:
        return
    present = int(settings.presence_seconds * SECOND)
    seen = g.get("seen")
    person_id = seen.viewer if seen is not None else who.id if who is not None else None
    if person_id is None or not present:
        return
    begins = seen is None or not seen.by_link or request.method in UNSAFE
    try:
        at = now()
        if not site().recent_views.is_news(person_id, game_id, at, begins=begins):
            return
        with store.write() as conn:
            presence.note(conn, person_id, game_id, at, present, begins=begins)
    except (Busy, Away, IntegrityError):
        return  # the next look will do; or the person has just been erased


def _bearer(given: str) -> str:
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("token")
    return token.strip()


def person(scope: Scope | None) -> Asker:
    """Who asks, if they may do this; ``scope`` None is for a signed-in browser only."""
    who = asker()
    if who is None:
        raise Problem("sign_in")
    if scope is None and who.scopes is not None:
        raise Problem("browser_only")
    if scope is not None and not who.may(scope):
        raise Problem("scope", scope=scope)
    return who


def demand_fresh(conn: Connection, who: Asker) -> None:
    """The problem "fresh" unless ``who`` signed in lately in the browser that asks."""
    if not accounts.is_fresh(conn, who.session, now(), accounts.lasting(settings).fresh):
        raise Problem("fresh")


def spectator() -> int | None:
    """The number of who asks, None for somebody unknown; a token must have the scope to read."""
    return person("read").id if asker() is not None else None


# ==== where from ==================================================================================
LOOPBACK = ("127.0.0.1", "::1")
FORWARDING = {
    f"HTTP_{name}" for name in ("FORWARDED", "VIA", "X_REAL_IP", "X_CLIENT_IP", "TRUE_CLIENT_IP", "CF_CONNECTING_IP")
}
"""Headers by which a proxy says for whom it asks, beside all that begin with ``X-Forwarded-``."""


def at_this_machine() -> bool:
    """Does the request come from somebody at this machine?

    It comes from a loopback address and asks for a loopback host, and no proxy could have passed it on: one names
    itself in a header, and a tunnel (``ssh -R``) passes on the ``Host`` by which the browser elsewhere knows the site.
    """
    if request.remote_addr not in LOOPBACK or settings.trusted_proxies:
        return False
    if not is_loopback(host_of(request.environ.get("HTTP_HOST", ""))):
        return False
    return not any(name in FORWARDING or name.startswith("HTTP_X_FORWARDED") for name in request.environ)


# ==== languages ===================================================================================
def lang() -> str:
    """The language to answer in: what the request asks for, else what the person chose, else English."""
    if "lang" not in g:
        wanted = wanted_language(request)
        known = None if wanted else asker_or_none()
        g.lang = wanted or (known.lang if known is not None else ENGLISH)
    return cast(str, g.lang)


def asker_or_none() -> Asker | None:
    """The same where a bad token is not the point: it is refused in some language, and counted, too."""
    try:
        return asker()
    except Problem:
        return None


def wanted_language(asked: Request) -> str | None:
    """The first language of ours that a request likes: "de-AT" is German, and better than a less liked English."""
    if "Accept-Language" not in asked.headers:
        return None
    likes = (known(tag) for tag, quality in asked.accept_languages if quality > 0)
    return next((ours for ours in likes if ours), None)


# ==== cookies =====================================================================================
def secure() -> bool:
    """Whether players reach the site by https; then cookies are bound to it and to this host."""
    return settings.site.startswith("https://")


def _cookie(name: str) -> str:
    return f"__Host-{name}" if secure() else name


def session_cookie() -> str:
    return _cookie("session")


def browser_cookie() -> str:
    return _cookie("browser")


def set_cookie(response: Response, name: str, value: str, milliseconds: int) -> None:
    response.set_cookie(
        name, value, max_age=milliseconds // 1000, path="/", secure=secure(), httponly=True, samesite="Lax"
    )


def begin_session(response: Response, token: str) -> None:
    """Give the browser the cookie of its new session."""
    set_cookie(response, session_cookie(), token, accounts.lasting(settings).life)


def sign_out_browser(response: Response, *, storage: bool = False) -> None:
    """Take the session from the browser, and have it forget the pages that it has seen.

    Cookies are named one by one: "cookies" would take those of neighbours on the domain, too. ``storage``: what pages
    have kept there goes as well. Words of luck that are still sealed lie there alone, so that is for good-byes.
    """
    drop_cookie(response, session_cookie())
    response.headers["Clear-Site-Data"] = '"cache", "storage"' if storage else '"cache"'


def drop_cookie(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", secure=secure(), httponly=True, samesite="Lax")


def browser() -> tuple[str, bool]:
    """A nonce that tells this browser from others, and whether it is new and must be set as a cookie."""
    known = request.cookies.get(browser_cookie(), "")
    return (known, False) if 20 <= len(known) <= 100 else (secrets.token_urlsafe(24), True)


# ==== requests made for the person by another site ================================================
def same_site() -> bool:
    """Whether an unsafe request comes from a page of ours, as far as the browser tells.

    Fetch metadata first; ``Origin`` where a browser does not send them. A program sends neither, and no cookie.
    """
    fetched = request.headers.get("Sec-Fetch-Site")
    if fetched is not None:
        return fetched in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is None or origin in (settings.site, request.host_url.rstrip("/"))


def by_cookie() -> bool:
    """Whether this request says who asks by a cookie, which browsers send along unasked."""
    return "Authorization" not in request.headers and bool(request.cookies)
