"""The web application: it starts its parts in order. Views stand in `service.web.api` and `service.web.pages`."""

import gc
import re
import secrets
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import structlog
from flask import Flask, Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from config import logging
from config.settings import Settings
from service.base import tally
from service.database.engines import ANSWER_SECONDS
from service.database.store import Store, open_store
from service.web import api, pages
from service.web.api import metrics
from service.web.feeds import views as feeds
from service.web.shared import errors, headers, hosts, limits, packing, templates
from service.web.shared.context import Site, note_look, note_use
from service.words import moments
from service.words.catalogues import languages

log = structlog.get_logger(__name__)

_ID = re.compile(r"[\w-]{1,64}")

LARGEST_BODY = 256 * 1024
LARGEST_FORM = 500
"""The limit of fields in a form; the largest form of ours has fewer."""


class _Rule(Rule):
    """A rule whose maker of addresses is compiled at its first use: this takes most of the time of a rule, and most
    processes name few addresses."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, *arguments, **values: compiled()(rule, *arguments, **values)


class _Application(Flask):
    """A Flask application without asynchronous views: it skips Flask's look at each function before each call."""

    url_rule_class = _Rule

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(settings: Settings | None = None, store: Store | None = None) -> Flask:
    """Make the application. Tests pass a ``store``; otherwise it opens its own."""
    settings = settings or Settings()
    if store is None:
        logging.configure(settings)
        store = open_store(settings.database, settings=settings, answer_within=ANSWER_SECONDS)
    app = _Application("service", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, MAX_FORM_MEMORY_SIZE=LARGEST_BODY, MAX_FORM_PARTS=LARGEST_FORM)
    app.extensions["slowtrain"] = Site(settings, store)
    templates.init_app(app, settings)
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


UNCOUNTED = ("health.", "metrics.", "pages.static", "pages.font", "pages.style_sheet")
"""The beginnings of endpoints whose requests say nothing of the speed of pages and of the API."""


def _count(endpoint: str | None, status: int, seconds: float) -> None:
    if endpoint is None or endpoint.startswith(UNCOUNTED):
        return
    tally.took(tally.REQUESTS, seconds)
    if status >= 500:
        tally.count(tally.FAILED_REQUESTS)


def get_ready(app: Flask) -> None:
    """Compile all templates, and read the words of dates: the first reader of a new process need not wait for them.

    In the embedded profile compiled templates are kept in files, and memory counts for more.
    """
    if not app.extensions["slowtrain"].settings.embedded:
        for name in app.jinja_env.list_templates(extensions=["html"]):
            app.jinja_env.get_template(name)
        for lang in languages():
            moments.moment(0, lang, "UTC")
    keep_loaded()


def keep_loaded() -> None:
    """Freeze the modules loaded before the first request, so that the garbage collector skips them."""
    gc.collect()
    gc.freeze()


def _refuse_large_bodies(app: Flask) -> None:
    @app.before_request
    def _measure() -> None:
        """Refuse a body that is too long, even if no view reads it."""
        if (request.content_length or 0) > LARGEST_BODY:
            raise RequestEntityTooLarge


def _log_requests(app: Flask, settings: Settings) -> None:
    """Log a line for each request, and note that the session or token was used.

    The line holds the rule rather than the address, the status, and the person's number. All lines of a request carry
    its id: the one from a trusted proxy if it sent one.
    """

    @app.before_request
    def _start() -> None:
        g.started = time.perf_counter()
        tally.begins(str(request.url_rule))
        given = request.headers.get("X-Request-Id", "") if settings.trusted_proxies else ""
        clear_contextvars()
        bind_contextvars(request=given if _ID.fullmatch(given) else secrets.token_hex(8))

    @app.teardown_request
    def _end(_: BaseException | None) -> None:
        tally.ends()

    @app.after_request
    def _finish(response: Response) -> Response:
        who: Any = g.get("asker")
        note_use(who)
        note_look(who, response.status_code)
        took = time.perf_counter() - g.get("started", time.perf_counter())
        _count(request.endpoint, response.status_code, took)
        log.info(
            "request",
            method=request.method,
            rule=str(request.url_rule),
            status=response.status_code,
            milliseconds=round(took * 1000, 1),
            person=who.id if who else None,
        )
        return response
