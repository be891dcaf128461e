"""Prometheus metrics at ``/metrics``, for bearers of the token in the settings; without a token they are off.

Metrics of the database are counted at each scrape, whichever process answers. Each web process counts its own request
times. Several processes add theirs up in a shared folder (``PROMETHEUS_MULTIPROC_DIR``); without it, production omits
these metrics rather than show those of one process in four.
"""

import os
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.settings import Settings
from service.base import ticks
from service.operators import gauges
from service.web.shared import errors
from service.web.shared.context import settings, store
from service.web.shared.problems import Problem

blueprint = Blueprint("metrics", __name__)

SHARED = "PROMETHEUS_MULTIPROC_DIR"
REQUESTS = Histogram(
    "slowtrain_request_seconds",
    "Duration of requests.",
    ("method", "rule", "status"),
    registry=None,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


@cache
def dropped() -> Counter:
    """Return the counter of lost ticks, made at its first use: it needs the folder that processes share."""
    return Counter("slowtrain_ticks_dropped", "Ticks for live pages that could not be sent.", registry=None)


def init_app(app: Flask, settings: Settings) -> None:
    """Serve ``/metrics`` and, if it has a token, time the requests."""
    app.register_blueprint(blueprint)
    if not settings.metrics_token:
        return
    if SHARED in os.environ:
        Path(os.environ[SHARED]).mkdir(parents=True, exist_ok=True)
    ticks.dropped = dropped().inc

    @app.after_request
    def _time(response: Response) -> Response:
        took = time.perf_counter() - g.get("started", time.perf_counter())
        rule = request.url_rule.rule if request.url_rule is not None else ""
        REQUESTS.labels(request.method, rule, f"{response.status_code // 100}xx").observe(took)
        return response


@blueprint.get("/metrics")
def show() -> Response:
    """Return the present metrics."""
    if not settings.opens_metrics(request.headers.get("Authorization", "").encode(errors="replace")):
        return errors.response(Problem("not_found"))
    registry = CollectorRegistry()
    registry.register(Rows())
    if SHARED in os.environ:
        MultiProcessCollector(registry)
    elif settings.embedded:
        registry.register(REQUESTS)
        registry.register(dropped())
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


# ==== metrics of the database =====================================================================
class Rows(Collector):
    """Metrics counted in the database."""

    def collect(self) -> Iterable[Metric]:
        at = store.now()
        with store.read() as conn:
            yield from gauges.all_of(store, conn, at)

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registration leaves the database alone."""
        return ()
