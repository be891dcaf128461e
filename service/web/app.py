"""The web application: what is switched on, in order. Views stand in `service.web.api` and `service.web.pages`."""

import gc
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

import structlog
from flask import Flask, Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix

from config import logging
from config.settings import Settings
from service.database.engines import ANSWER_SECONDS
from service.database.store import Store, open_store
from service.web import api, pages
from service.web.api import metrics
from service.web.feeds import views as feeds
from service.web.shared import errors, headers, hosts, limits, packing
from service.web.shared.context import Site, note_look, note_use

log = structlog.get_logger(__name__)

_ID = re.compile(r"[\w-]{1,64}")

LARGEST_BODY = 256 * 1024
LARGEST_FORM = 500
"""Fields of the largest form."""


class _Application(Flask):
    """No view of ours is asynchronous; Flask would look at each function before each call."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(settings: Settings | None = None, store: Store | None = None) -> Flask:
    """The application. ``store``: given by tests; a process opens its own."""
    settings = settings or Settings()
    if store is None:
        logging.configure(settings)
        store = open_store(settings.database, settings=settings, answer_within=ANSWER_SECONDS)
    app = _Application("service", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, MAX_FORM_MEMORY_SIZE=LARGEST_BODY, MAX_FORM_PARTS=LARGEST_FORM)
    app.extensions["slowtrain"] = Site(settings, store)
    hosts.init_app(app, settings)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    packing.init_app(app)
    errors.init_app(app)
    _log_requests(app, settings)
    metrics.init_app(app, settings)
    _refuse_large_bodies(app)
    limits.init_app(app, settings)
    headers.init_app(app, settings)
    api.init_app(app, store, feeds)
    app.register_blueprint(pages.blueprint)
    return app


def keep_loaded() -> None:
    """Let the garbage collector be: what a process has loaded before its first request stays until it ends."""
    gc.collect()
    gc.freeze()


def _refuse_large_bodies(app: Flask) -> None:
    @app.before_request
    def _measure() -> None:
        """A body that nobody reads is measured, too."""
        if (request.content_length or 0) > LARGEST_BODY:
            raise RequestEntityTooLarge


def _log_requests(app: Flask, settings: Settings) -> None:
    """A line for each request: which rule, not which address; how it ended; who, by number. What was used is noted.

    All lines that a request causes carry its id: the one that the proxy in front has given it, if there is one.
    """

    @app.before_request
    def _start() -> None:
        g.started = time.perf_counter()
        given = request.headers.get("X-Request-Id", "") if settings.trusted_proxies else ""
        clear_contextvars()
        bind_contextvars(request=given if _ID.fullmatch(given) else secrets.token_hex(8))

    @app.after_request
    def _finish(response: Response) -> Response:
        who: Any = g.get("asker")
        note_use(who)
        note_look(who, response.status_code)
        took = time.perf_counter() - g.get("started", time.perf_counter())
        log.info(
            "request",
            method=request.method,
            rule=str(request.url_rule),
            status=response.status_code,
            milliseconds=round(took * 1000, 1),
            person=who.id if who else None,
        )
        return response
