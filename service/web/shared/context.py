"""The context of a request: the installation, its store, the caller and their language."""

import secrets
from typing import Any, cast

import msgspec
from flask import Request, Response, current_app, g, request
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
    """Return the time for all decisions of this request, in milliseconds: `Store.time`."""
    return site().store.time()


def work() -> Work:
    """Return the unit of work of this request."""
    if "work" not in g:
        g.work = Work(site().store)
    return cast(Work, g.work)


# ==== the caller ==================================================================================
def by_whom(invite: str = "") -> ByPerson:
    """Return the caller, for actions in games. ``invite``: the invitation or guest pass that they show."""
    who = asker()
    if who is None:
        return ByPerson(None, None, invite, lang())
    return ByPerson(who.id, who.scopes, invite, lang())


def asker() -> Asker | None:
    """Return the caller: by a personal token or, without one, by the session of a browser. Look them up once per
    request.

    An invalid token is an error; an invalid cookie means a browser that is not signed in.
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
    with site().store.read_autocommit() as conn:
        found = (
            accounts.by_session(conn, session or "", at, accounts.lasting(site().settings).idle)
            if given is None
            else accounts.by_token(conn, _bearer(given), at)
        )
    if given is not None and found is None:
        raise Problem("token")
    return found


def note_use(who: Asker | None) -> None:
    """Note that a session or token was used. It runs last, so that it blocks no other transaction."""
    if who is None or not who.stale:
        return
    try:
        with store.write() as conn:
            accounts.seen(conn, who, now())
    except (Busy, Away):
        return  # the next request tries again


def note_look(who: Asker | None, status: int) -> None:
    """Note who looks at which table, at most once a minute each: mails of this table wait for them (`presence`).

    A program with a token does not count: it might look for ever. A visitor by the link of a mail counts from the first
    button they press, because machines open links but press no buttons.
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
        return  # the next look tries again, or the person has just been erased


def _bearer(given: str) -> str:
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("token")
    return token.strip()


def person(scope: Scope | None) -> Asker:
    """Return the caller if they may do this; ``scope`` None requires a signed-in browser. Raises `Problem`."""
    who = asker()
    if who is None:
        raise Problem("sign_in")
    if scope is None and who.scopes is not None:
        raise Problem("browser_only")
    if scope is not None and not who.may(scope):
        raise Problem("scope", scope=scope)
    return who


def spectator() -> int | None:
    """Return the caller's number, or None for an anonymous one. A token must have the scope to read."""
    return person("read").id if asker() is not None else None


# ==== origin of a request =========================================================================
LOOPBACK = ("127.0.0.1", "::1")
FORWARDING = {
    f"HTTP_{name}" for name in ("FORWARDED", "VIA", "X_REAL_IP", "X_CLIENT_IP", "TRUE_CLIENT_IP", "CF_CONNECTING_IP")
}
"""Headers in which a proxy names its client, besides all that begin with ``X-Forwarded-``."""


def at_this_machine() -> bool:
    """Does the request come from this machine?

    Its address and its host are loopback ones, and no proxy passed it on: proxies name themselves in a header. Through
    a tunnel (``ssh -R``) browsers name the site's host, but other programs may claim any.
    """
    if request.remote_addr not in LOOPBACK:
        return False
    if not is_loopback(host_of(request.environ.get("HTTP_HOST", ""))):
        return False
    return not any(name in FORWARDING or name.startswith("HTTP_X_FORWARDED") for name in request.environ)


# ==== languages ===================================================================================
def lang() -> str:
    """Return the language of the answer: the request's, else the person's choice, else English."""
    if "lang" not in g:
        wanted = wanted_language(request)
        known = None if wanted else asker_or_none()
        g.lang = wanted or (known.lang if known is not None else ENGLISH)
    return cast(str, g.lang)


def asker_or_none() -> Asker | None:
    """Return the caller, or None for a bad token. The refusal of a bad token needs a language and a count, too."""
    try:
        return asker()
    except Problem:
        return None


def wanted_language(asked: Request) -> str | None:
    """Return the request's first language that we have: "de-AT" counts as German and beats a less preferred English."""
    if "Accept-Language" not in asked.headers:
        return None
    likes = (known(tag) for tag, quality in asked.accept_languages if quality > 0)
    return next((ours for ours in likes if ours), None)


# ==== cookies =====================================================================================
def secure() -> bool:
    """Do players reach the site by https? Then cookies are bound to https and to this host."""
    return settings.site.startswith("https://")


def _cookie(name: str) -> str:
    return f"__Host-{name}" if secure() else name


def session_cookie() -> str:
    return _cookie("session")


def session() -> str:
    """Return the session that this browser states, "" for none."""
    return request.cookies.get(session_cookie(), "")


def browser_cookie() -> str:
    return _cookie("browser")


def set_cookie(response: Response, name: str, value: str, milliseconds: int) -> None:
    response.set_cookie(
        name, value, max_age=milliseconds // 1000, path="/", secure=secure(), httponly=True, samesite="Lax"
    )


def begin_session(response: Response, token: str) -> None:
    """Set the cookie of a new session."""
    set_cookie(response, session_cookie(), token, accounts.lasting(settings).life)


def sign_out_browser(response: Response, *, storage: bool = False) -> None:
    """Delete the session's cookie, and the pages in the browser's cache.

    Cookies are named one by one: the directive "cookies" would delete those of other sites on this domain, too.
    ``storage`` deletes the pages' local storage as well. It holds the only copy of words of luck that are still sealed,
    so use it only when a person is erased.
    """
    drop_cookie(response, session_cookie())
    response.headers["Clear-Site-Data"] = '"cache", "storage"' if storage else '"cache"'


def drop_cookie(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", secure=secure(), httponly=True, samesite="Lax")


def browser() -> tuple[str, bool]:
    """Return a nonce that identifies this browser, and True if it is new and needs a cookie."""
    known = request.cookies.get(browser_cookie(), "")
    return (known, False) if 20 <= len(known) <= 100 else (secrets.token_urlsafe(24), True)


# ==== requests forged by another site =============================================================
def same_site() -> bool:
    """Does an unsafe request come from a page of ours, as far as the browser tells?

    Fetch metadata decide, or ``Origin`` if a browser does not send them. A program sends neither, and no cookie.
    """
    fetched = request.headers.get("Sec-Fetch-Site")
    if fetched is not None:
        return fetched in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is None or origin in (settings.site, request.host_url.rstrip("/"))


def by_cookie() -> bool:
    """Does a cookie identify the caller? Browsers send it unasked."""
    return "Authorization" not in request.headers and bool(request.cookies)
