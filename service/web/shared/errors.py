"""From exceptions to answers: every failure of a request ends here.

The API answers with problem details, pages with an error page.
"""

from collections.abc import Callable
from typing import Any

import structlog
from flask import Flask, Response, current_app, g, json, request
from flask_limiter.errors import RateLimitExceeded
from werkzeug.exceptions import HTTPException

from domain.fork import UnreadableStart
from domain.refusal import Refused
from service.accounts.request import SignInTooOld
from service.database.store import Away, Busy, NoSuchGame, NoSuchVersion, Outdated
from service.games import queries
from service.games.play import Stale, SubmissionReused
from service.games.rights import Forbidden, SeatChanged
from service.games.sandboxes import NoSuchSandbox
from service.people.accounts import BadAddress, TooMany
from service.web.shared import events
from service.web.shared.context import asker_or_none, lang, wanted_language
from service.web.shared.limits import slower
from service.web.shared.problems import KINDS, PROBLEM_JSON, Problem, refused
from service.words import ENGLISH, N_

log = structlog.get_logger(__name__)

_KINDS = {400: "malformed", 404: "not_found", 405: "method", 413: "too_large", 415: "content_type", 422: "shape"}


DOORS = ("token", "scope", "browser_only", "fresh", "other_site", "blocked", "slower")
"""Problems that are security events: a caller tried something that is not theirs to do, or tried too often."""


def init_app(app: Flask) -> None:
    """Handle all errors of ``app``."""
    for kind in (
        Problem,
        HTTPException,
        Forbidden,
        Refused,
        Stale,
        SeatChanged,
        SubmissionReused,
        NoSuchGame,
        NoSuchVersion,
        NoSuchSandbox,
        UnreadableStart,
        Busy,
        Away,
        Outdated,
        BadAddress,
        TooMany,
        SignInTooOld,
        Exception,
    ):
        app.register_error_handler(kind, answer)


def answer(error: Exception) -> Any:
    """Return the answer to a failed request."""
    if isinstance(error, HTTPException) and error.code is not None and error.code < 400:
        return error  # a redirect
    if isinstance(error, Away):
        _ask_nobody()
    try:
        return _answer(error)
    except Away:  # the lookup of caller or language found it out
        _ask_nobody()
        return _answer(error)


def _answer(error: Exception) -> Any:
    problem = problem_of(error)
    if problem.kind in DOORS:
        who = asker_or_none()
        events.tell("refused", why=problem.kind, rule=str(request.url_rule), person=who.id if who else None)
    page: Callable[[Problem], Any] | None = current_app.extensions.get("slowtrain_error_page")
    if page is not None and not request.path.startswith("/api/"):
        return page(problem)
    return response(problem)


def _ask_nobody() -> None:
    """Take caller and language from the request alone, as the database is away."""
    g.asker = None
    g.lang = wanted_language(request) or ENGLISH


def response(problem: Problem) -> Response:
    """Return ``problem`` as problem details (RFC 9457)."""
    body = json.dumps(problem.body(lang(), request.path))
    return Response(body, problem.status, problem.headers, content_type=PROBLEM_JSON)


def problem_of(error: Exception) -> Problem:
    """Return the problem of an exception. Callers see no difference between errors of the domain and of the service."""
    match error:
        case Problem():
            return error
        case Refused():
            seen: queries.Seen | None = g.get("seen")
            title = seen.title if seen is not None else g.get("title")
            said = queries.refusal(title, error, lang(), seen.player if seen is not None else str)
            return refused(error, said)
        case Forbidden(why="scope"):
            return Problem("scope", scope=error.scope)
        case Forbidden():  # (pages alone explain that the link of a mail is not enough)
            return Problem(error.why if error.why in KINDS else "no_seat")
        case SeatChanged():
            return Problem("no_seat")
        case Stale():
            return Problem("stale", version=error.version)
        case SubmissionReused():
            return Problem("reused")
        case NoSuchGame() | NoSuchVersion() | NoSuchSandbox():
            return Problem("not_found")
        case UnreadableStart():
            return Problem("unreadable")
        case Busy():
            return Problem("busy", headers={"Retry-After": "1"})
        case Outdated():
            log.warning("this process is of an older release and has to be ended", why=str(error))
            return Problem("outdated", headers={"Retry-After": "5"})
        case Away():
            log.warning("the database is away", rule=str(request.url_rule), why=str(error))
            return Problem("away", headers={"Retry-After": "5"})
        case BadAddress():
            return Problem("shape", errors={"json": {"email": [N_("This is not an email address.")]}})
        case TooMany():
            return Problem("too_many")
        case SignInTooOld():
            return Problem("fresh")
        case RateLimitExceeded():
            return slower()
        case HTTPException():
            return _of_http(error)
    log.error("broken", rule=str(request.url_rule), kind=type(error).__name__, exc_info=error)
    return Problem("broken")


def _of_http(error: HTTPException) -> Problem:
    status = error.code or 500
    headers = {}
    if valid := getattr(error, "valid_methods", None):
        headers["Allow"] = ", ".join(sorted(valid))
    more = {}
    if messages := (getattr(error, "data", None) or {}).get("messages"):
        more["errors"] = messages
    if status == 500:
        log.error("broken", rule=str(request.url_rule), kind=type(error).__name__)
        return Problem("broken")
    return Problem(_KINDS.get(status, "other"), status=status, headers=headers, **more)
