"""Prometheus metrics at ``/metrics``, for bearers of the token in the settings; without a token they are off.

Metrics of the database are counted at each scrape, whichever process answers. Each web process counts its own request
times. Several processes add theirs up in a shared folder (``PROMETHEUS_MULTIPROC_DIR``); without it, production omits
these metrics rather than show those of one process in four.
"""

import os
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import Connection, Table, case, func, select

from config.settings import Settings
from domain.lifecycle import Status
from service.base import ticks
from service.base.clock import DAY, SECOND
from service.database.store import GAMES
from service.notices import failing, watch
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS
from service.post.inbox import INCOMING
from service.proof import checks
from service.web.shared import errors
from service.web.shared.context import settings, store
from service.web.shared.problems import Problem

blueprint = Blueprint("metrics", __name__)

SHARED = "PROMETHEUS_MULTIPROC_DIR"
STATES = ("pending", "leased", "sent", "superseded", "dead")
WATCHED = ("waiting", "failed", "unreadable", "unknown", "unproved")
"""States of incoming mail whose metrics exist from the start."""

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
            yield from _due(conn, at)
            yield from _failing(conn, at)
            yield from _outcomes(conn, at)
            yield _came(conn, at)
            yield from _games(conn)
            yield _heartbeats(conn)
            yield from _checks(conn)

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registration leaves the database alone."""
        return ()


def _gauge(name: str, what: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """Return a metric with a value for each word of ``label``."""
    gauge = GaugeMetricFamily(f"slowtrain_{name}", what, labels=[label])
    for word, value in values:
        gauge.add_metric([word], value)
    return gauge


def _due(conn: Connection, at: int) -> Iterator[Metric]:
    due, patience = watch.due(conn, settings, at), watch.patience(settings)
    yield _gauge(
        "due_oldest_seconds",
        "Time for which the oldest work has been due: mail, webhooks, clocks, bots, incoming mail, kept seats.",
        "work",
        [(work, it.waited / SECOND if it.number else 0) for work, it in due.items()],
    )
    yield _gauge(
        "due",
        "Amount of due work: people to write to, calls, games, mail to read, kept seats.",
        "work",
        [(work, it.number) for work, it in due.items()],
    )
    late = [(work, int(bool(it.number) and it.waited > patience)) for work, it in due.items()]
    yield _gauge("overdue", "Is the work overdue?", "work", late)


def _failing(conn: Connection, at: int) -> Iterator[Metric]:
    found = failing.failing(conn)
    yield _gauge(
        "mail_failing",
        "Failed mails that will be retried, by cause: the mail server is away, it refuses, it refuses this mailbox, or "
        "an error of ours.",
        "reason",
        [(reason, found[reason].number if reason in found else 0) for reason in failing.REASONS],
    )
    since = ((reason, max(0, at - found[reason].since) if reason in found else 0) for reason in failing.REASONS)
    yield _gauge(
        "mail_failing_seconds",
        "Time since the first of these failures.",
        "reason",
        [(reason, it / SECOND) for reason, it in since],
    )
    yield _gauge(
        "mail_conversations",
        "Conversations with the mail server in the last five minutes.",
        "outcome",
        failing.conversations(conn, at).items(),
    )
    trouble = failing.server_trouble(conn, at, watch.patience(settings))
    yield GaugeMetricFamily(
        "slowtrain_mail_server_fails", "Do most of them fail because of the server?", int(trouble is not None)
    )


def _outcomes(conn: Connection, at: int) -> Iterator[Metric]:
    for name, table, what in (("mails", OUTBOX, "Mails"), ("webhook_calls", CALLS, "Calls to webhooks")):
        found = dict.fromkeys(STATES, 0) | _by_state(conn, table, at)
        said = f"{what} due within the last 24 hours, by what became of them."
        yield _gauge(f"{name}_of_a_day", said, "state", found.items())


def _by_state(conn: Connection, table: Table, at: int) -> dict[str, int]:
    """Count the rows of a day by state; the index on state and time keeps it fast."""
    lately = table.c.state.in_(STATES), table.c.due_at > at - DAY, table.c.due_at <= at
    counted: Any = select(table.c.state, func.count()).where(*lately).group_by(table.c.state)
    return {row[0]: row[1] for row in conn.execute(counted)}


def _came(conn: Connection, at: int) -> Metric:
    what: Any = case((INCOMING.c.state == "done", INCOMING.c.what), else_="waiting")
    counted = select(what, func.count()).where(INCOMING.c.received_at > at - DAY).group_by(what)
    found = dict.fromkeys(WATCHED, 0) | {row[0]: row[1] for row in conn.execute(counted)}
    said = "Incoming mails of the last 24 hours, by result; those in progress count as waiting."
    return _gauge("incoming_of_a_day", said, "what", found.items())


def _games(conn: Connection) -> Iterator[Metric]:
    counted = select(GAMES.c.status, func.count(), func.sum(GAMES.c.version)).group_by(GAMES.c.status)
    rows = conn.execute(counted).all()
    found = dict.fromkeys(get_args(Status), 0) | {row[0]: row[1] for row in rows}
    yield _gauge("games", "Games by status.", "status", found.items())
    plies = sum(row[2] for row in rows)
    yield CounterMetricFamily("slowtrain_plies", "Plies appended since the installation began.", plies)


def _heartbeats(conn: Connection) -> Metric:
    beats = watch.heartbeats(conn, settings).items()
    said = "Time of the last sweep."
    return _gauge("sweep_timestamp_seconds", said, "sweep", [(name, at / SECOND) for name, at in beats])


def _checks(conn: Connection) -> Iterator[Metric]:
    """Yield metrics of the last completed check of all games; none before the first."""
    ended = GaugeMetricFamily("slowtrain_check_timestamp_seconds", "Time at which the last check of all games ended.")
    wrong = GaugeMetricFamily("slowtrain_games_wrong", "Games in which it found a difference.")
    for run in checks.runs(conn, limit=2):
        if run.ended_at is not None:
            ended.add_metric([], run.ended_at / SECOND)
            wrong.add_metric([], run.wrong)
            break
    return iter((ended, wrong))
