"""By which names the site is called. A request for any other is turned away before anything else looks at it.

The owner of another name can have it lead to this machine (DNS rebinding); a browser then lets the pages of that site
read whatever is answered here. Only the name that is asked for, in ``Host``, tells such a request from others.
"""

from collections.abc import Iterable
from functools import lru_cache
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
"""The host of a request that may name any (RFC 6761, 6.4): none of ours, and not this machine."""
ANY_HOST = ("/healthz", "/healthz/work", "/readyz", "/metrics")
"""What is answered by whatever name it is asked for: a program that watches a process asks by its address."""


def init_app(app: Flask, settings: Settings) -> None:
    """Turn away what is asked of another host. Proxies that may say which host it was have had their say before."""
    inner, hosts = app.wsgi_app, settings.hosts

    @lru_cache(1000)
    def is_ours(given: str) -> bool:
        return host_of(given) in hosts

    def with_known_hosts(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        given = environ.get("HTTP_HOST", "")
        if len(given) > LONGEST or not is_ours(given):
            if environ.get("PATH_INFO") not in ANY_HOST:
                clear_contextvars()  # of what this thread did before
                log.warning("a request for a host that is not ours", host=given[:LONGEST])
                return _turned_away(environ, settings.site)(environ, start_response)
            environ["HTTP_HOST"] = NOBODYS  # some names are more than a router can read
        return inner(environ, start_response)

    app.wsgi_app = with_known_hosts  # type: ignore[method-assign]


def _turned_away(environ: "WSGIEnvironment", site: str) -> Response:
    """The answer: where the site is. It carries nothing else, whoever asks."""
    problem = Problem(
        "misdirected",
        names={"site": site},
        detail=N_(
            "The address of this site is {site}. The operator can allow more names with SLOWTRAIN_ALLOWED_HOSTS."
        ),
    )
    path: str = environ.get("PATH_INFO", "")
    body: dict[str, Any] = problem.body(wanted_language(Request(environ)) or ENGLISH, path)
    if path.startswith("/api/"):
        return Response(json.dumps(body), problem.status, content_type=PROBLEM_JSON)
    return Response(f"{body['title']}.\n{body['detail']}\n", problem.status, content_type="text/plain; charset=utf-8")
