"""Prometheus metrics at ``/metrics``, for bearers of the token in the settings; without a token they are off.

Metrics of the database are counted at each scrape, whichever process answers. Each web process counts its own request
times. Several processes add theirs up in a shared folder (``PROMETHEUS_MULTIPROC_DIR``); without it, production omits
these metrics rather than show those of one process in four.
"""

import hmac
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import Connection, Table, case, func, select

from config.settings import Settings
from domain.lifecycle import Status
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


def init_app(app: Flask, settings: Settings) -> None:
    """Serve ``/metrics`` and, if it has a token, time the requests."""
    app.register_blueprint(blueprint)
    if not settings.metrics_token:
        return
    if SHARED in os.environ:
        Path(os.environ[SHARED]).mkdir(parents=True, exist_ok=True)

    @app.after_request
    def _time(response: Response) -> Response:
        took = time.perf_counter() - g.get("started", time.perf_counter())
        rule = request.url_rule.rule if request.url_rule is not None else ""
        REQUESTS.labels(request.method, rule, f"{response.status_code // 100}xx").observe(took)
        return response


@blueprint.get("/metrics")
def show() -> Response:
    """Return the present metrics."""
    expected = f"Bearer {settings.metrics_token}".encode()
    given = request.headers.get("Authorization", "").encode(errors="replace")
    if not settings.metrics_token or not hmac.compare_digest(expected, given):
        return errors.response(Problem("not_found"))
    registry = CollectorRegistry()
    registry.register(Rows())
    if SHARED in os.environ:
        MultiProcessCollector(registry)
    elif settings.embedded:
        registry.register(REQUESTS)
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
            yield from _heartbeats(conn)
            yield from _checks(conn)

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registration leaves the database alone."""
        return ()


def _due(conn: Connection, at: int) -> Iterator[Metric]:
    waited = GaugeMetricFamily(
        "slowtrain_due_oldest_seconds",
        "Time for which the oldest work has been due: mail, webhooks, clocks, bots, incoming mail.",
        labels=["work"],
    )
    count = GaugeMetricFamily(
        "slowtrain_due", "Amount of due work: people to write to, calls, games, mail to read.", labels=["work"]
    )
    late = GaugeMetricFamily("slowtrain_overdue", "Is the work overdue?", labels=["work"])
    for work, found in watch.due(conn, settings, at).items():
        waited.add_metric([work], found.waited / SECOND if found.number else 0)
        count.add_metric([work], found.number)
        late.add_metric([work], int(bool(found.number) and found.waited > watch.patience(settings)))
    return iter((waited, count, late))


def _failing(conn: Connection, at: int) -> Iterator[Metric]:
    number = GaugeMetricFamily(
        "slowtrain_mail_failing",
        "Failed mails that will be retried, by cause: the mail server is away, it refuses, it refuses this mailbox, or "
        "an error of ours.",
        labels=["reason"],
    )
    since = GaugeMetricFamily(
        "slowtrain_mail_failing_seconds", "Time since the first of these failures.", labels=["reason"]
    )
    found = failing.failing(conn)
    for reason in failing.REASONS:
        it = found.get(reason)
        number.add_metric([reason], it.number if it else 0)
        since.add_metric([reason], max(0, at - it.since) / SECOND if it else 0)
    talks = GaugeMetricFamily(
        "slowtrain_mail_conversations",
        "Conversations with the mail server in the last five minutes.",
        labels=["outcome"],
    )
    for outcome, ended in failing.conversations(conn, at).items():
        talks.add_metric([outcome], ended)
    trouble = failing.server_trouble(conn, at, watch.patience(settings))
    down = GaugeMetricFamily("slowtrain_mail_server_fails", "Do most of them fail because of the server?")
    down.add_metric([], int(trouble is not None))
    return iter((number, since, talks, down))


def _outcomes(conn: Connection, at: int) -> Iterator[Metric]:
    for name, table, what in (("mails", OUTBOX, "Mails"), ("webhook_calls", CALLS, "Calls to webhooks")):
        day = GaugeMetricFamily(
            f"slowtrain_{name}_of_a_day",
            f"{what} due within the last 24 hours, by what became of them.",
            labels=["state"],
        )
        found = _by_state(conn, table, at)
        for state in STATES:
            day.add_metric([state], found.get(state, 0))
        yield day


def _by_state(conn: Connection, table: Table, at: int) -> dict[str, int]:
    """Count the rows of a day by state; the index on state and time keeps it fast."""
    lately = table.c.state.in_(STATES), table.c.due_at > at - DAY, table.c.due_at <= at
    counted: Any = select(table.c.state, func.count()).where(*lately).group_by(table.c.state)
    return {row[0]: row[1] for row in conn.execute(counted)}


def _came(conn: Connection, at: int) -> Metric:
    day = GaugeMetricFamily(
        "slowtrain_incoming_of_a_day",
        "Incoming mails of the last 24 hours, by result; those in progress count as waiting.",
        labels=["what"],
    )
    what: Any = case((INCOMING.c.state == "done", INCOMING.c.what), else_="waiting")
    counted = select(what, func.count()).where(INCOMING.c.received_at > at - DAY).group_by(what)
    found = dict.fromkeys(WATCHED, 0) | {row[0]: row[1] for row in conn.execute(counted)}
    for name, number in found.items():
        day.add_metric([name], number)
    return day


def _games(conn: Connection) -> Iterator[Metric]:
    games = GaugeMetricFamily("slowtrain_games", "Games by status.", labels=["status"])
    found = {
        row[0]: row
        for row in conn.execute(
            select(GAMES.c.status, func.count(), func.sum(GAMES.c.version)).group_by(GAMES.c.status)
        )
    }
    for status in get_args(Status):
        games.add_metric([status], found[status][1] if status in found else 0)
    yield games
    plies = CounterMetricFamily("slowtrain_plies", "Plies appended since the installation began.")
    plies.add_metric([], sum(row[2] for row in found.values()))
    yield plies


def _heartbeats(conn: Connection) -> Iterator[Metric]:
    ran = GaugeMetricFamily("slowtrain_sweep_timestamp_seconds", "Time of the last sweep.", labels=["sweep"])
    for name, at in watch.heartbeats(conn, settings).items():
        ran.add_metric([name], at / SECOND)
    yield ran


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
