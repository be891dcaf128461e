"""The host names of the site. A request for any other name is refused before anything else sees it.

The owner of another name can point it at this machine (DNS rebinding). A browser then lets that site's pages read our
answers. Only the requested name, in ``Host``, distinguishes such a request from others.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog
from flask import Flask, Request, Response, json
from structlog.contextvars import clear_contextvars

from config.hosts import LONGEST, host_of
from config.settings import Settings
from service.web.shared.context import wanted_language
from service.web.shared.problems import PROBLEM_JSON, Problem
from service.words import ENGLISH, N_

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = structlog.get_logger(__name__)

NOBODYS = "host.invalid"
"""The host of a request that may name any (RFC 6761, 6.4): neither a name of this site nor of this machine."""
ANY_HOST = ("/healthz", "/healthz/work", "/readyz", "/metrics")
"""Addresses that answer under every host name: a monitoring program may ask by IP address."""


def init_app(app: Flask, settings: Settings) -> None:
    """Refuse requests for other hosts. Trusted proxies have set the host before."""
    inner = app.wsgi_app

    def with_known_hosts(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        given = environ.get("HTTP_HOST", "")
        if len(given) > LONGEST or not settings.answers_to(host_of(given)):
            if environ.get("PATH_INFO") not in ANY_HOST:
                clear_contextvars()  # those of the thread's previous request
                log.warning("a request for a host that is not in SLOWTRAIN_ALLOWED_HOSTS", host=given[:LONGEST])
                return _turned_away(environ, settings)(environ, start_response)
            environ["HTTP_HOST"] = NOBODYS  # the router cannot parse every name
        return inner(environ, start_response)

    app.wsgi_app = with_known_hosts  # type: ignore[method-assign]


def _turned_away(environ: "WSGIEnvironment", settings: Settings) -> Response:
    """Return the refusal. It says where the site is; or, at home, how its host allows a name. The log says so, too."""
    if settings.base_url:
        problem = Problem(
            "misdirected", names={"site": settings.site}, detail=N_("The address of this site is {site}.")
        )
    else:
        said = N_("Ask the host for the address of this site. The host can allow this one with {setting}.")
        problem = Problem("misdirected", names={"setting": "SLOWTRAIN_ALLOWED_HOSTS"}, detail=said)
    path: str = environ.get("PATH_INFO", "")
    body: dict[str, Any] = problem.body(wanted_language(Request(environ)) or ENGLISH, path)
    if path.startswith("/api/"):
        return Response(json.dumps(body), problem.status, content_type=PROBLEM_JSON)
    return Response(f"{body['title']}.\n{body['detail']}\n", problem.status, content_type="text/plain; charset=utf-8")
