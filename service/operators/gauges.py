"""The present state of the service as figures, counted when somebody asks: for `/metrics`, and for the alarms.

Both read the same figures, so a rule (`service.operators.rules`) means the same to Prometheus and to ourselves.
"""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from sqlalchemy import Connection, Table, case, func, select

from config.settings import Settings
from domain.lifecycle import Status
from service.base import hints, tally
from service.base.clock import DAY, SECOND
from service.database.store import GAMES, Store
from service.database.tables import CheckRun, table_of
from service.notices import failing, figures, processes, watch
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS
from service.post.inbox import INCOMING

RUNS = table_of(CheckRun)

STATES = ("pending", "leased", "sent", "superseded", "dead")
WATCHED = ("waiting", "failed", "unreadable", "unknown", "unproved")
"""States of incoming mail whose metrics exist from the start."""
FEW_MAILS, LATELY = 10, 10
"""Fewer mails given up within a day are no sign of trouble. The minutes of requests that count as lately."""


def of_rules(store: Store, conn: Connection, at: int) -> Iterator[Metric]:
    """Yield the figures that rules read."""
    settings = store.settings
    yield from _due(conn, settings, at)
    yield from _failing(conn, settings, at)
    yield from _outcomes(conn, at)
    yield _came(conn, at)
    yield from _heartbeats(conn, settings, at)
    yield from _checks(conn, at)
    yield from _processes(conn, settings, at)
    yield from _requests(conn, at)
    yield from _room(store)


def all_of(store: Store, conn: Connection, at: int) -> Iterator[Metric]:
    """Yield all figures."""
    yield from of_rules(store, conn, at)
    yield from _games(conn)
    yield from _sums(conn)
    yield from _broker()


def _gauge(name: str, what: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """Return a metric with a value for each word of ``label``."""
    gauge = GaugeMetricFamily(f"slowtrain_{name}", what, labels=[label])
    for word, value in values:
        gauge.add_metric([word], value)
    return gauge


def _due(conn: Connection, settings: Settings, at: int) -> Iterator[Metric]:
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


def _failing(conn: Connection, settings: Settings, at: int) -> Iterator[Metric]:
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
    box = failing.mailbox_trouble(conn, settings, at, watch.patience(settings))
    yield GaugeMetricFamily("slowtrain_mailbox_fails", "Can no answers be fetched?", int(box is not None))


def _outcomes(conn: Connection, at: int) -> Iterator[Metric]:
    for name, table, what in (("mails", OUTBOX, "Mails"), ("webhook_calls", CALLS, "Calls to webhooks")):
        found = dict.fromkeys(STATES, 0) | _by_state(conn, table, at)
        said = f"{what} due within the last 24 hours, by what became of them."
        yield _gauge(f"{name}_of_a_day", said, "state", found.items())
        if table is OUTBOX:
            given_up = found["dead"] / max(1, found["sent"] + found["dead"]) if found["dead"] > FEW_MAILS else 0.0
            said = "Share of these mails that was given up; 0 if there are few."
            yield GaugeMetricFamily("slowtrain_mails_given_up", said, given_up)


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


def _heartbeats(conn: Connection, settings: Settings, at: int) -> Iterator[Metric]:
    beats = watch.heartbeats(conn, settings).items()
    yield _gauge(
        "sweep_timestamp_seconds", "Time of the last sweep.", "sweep", [(it, end / SECOND) for it, end in beats]
    )
    ages = [(it, max(0, at - end) / SECOND) for it, end in beats]
    yield _gauge("sweep_age_seconds", "Time since the last sweep.", "sweep", ages)


def _checks(conn: Connection, at: int) -> Iterator[Metric]:
    """Yield metrics of the last completed check of all games; none before the first."""
    ended = GaugeMetricFamily("slowtrain_check_timestamp_seconds", "Time at which the last check of all games ended.")
    age = GaugeMetricFamily("slowtrain_check_age_seconds", "Time since then.")
    wrong = GaugeMetricFamily("slowtrain_games_wrong", "Games in which it found a difference.")
    for run in conn.execute(select(RUNS.c.ended_at, RUNS.c.wrong).order_by(RUNS.c.night.desc()).limit(2)):
        if run.ended_at is not None:
            ended.add_metric([], run.ended_at / SECOND)
            age.add_metric([], max(0, at - run.ended_at) / SECOND)
            wrong.add_metric([], run.wrong)
            break
    return iter((ended, age, wrong))


def _processes(conn: Connection, settings: Settings, at: int) -> Iterator[Metric]:
    jobs = processes.expected(conn, settings, at).items()
    yield _gauge("processes", "Processes that do a job, by job; each needs one.", "job", jobs)
    labels = ["role", "host", "pid"]
    memory = GaugeMetricFamily("slowtrain_process_memory_bytes", "Resident memory of a process.", labels=labels)
    busy = GaugeMetricFamily("slowtrain_process_busy", "Its tasks or requests in progress.", labels=labels)
    used = GaugeMetricFamily("slowtrain_process_connections", "Its connections to the database in use.", labels=labels)
    most = GaugeMetricFamily("slowtrain_process_pool", "The most connections that it may use.", labels=labels)
    for it in processes.all_of(conn):
        if not it.is_silent(at):
            for gauge, value in ((memory, it.memory), (busy, it.busy), (used, it.connections), (most, it.pool)):
                gauge.add_metric([it.role, it.host, str(it.pid)], value)
    yield from (memory, busy, used, most)


def _requests(conn: Connection, at: int) -> Iterator[Metric]:
    """Yield the failures and the times of the last minutes."""
    course = figures.course(conn, "hour", at)
    requests = sum(course.sums(tally.REQUESTS)[-LATELY:])
    failed = sum(course.sums(tally.FAILED_REQUESTS)[-LATELY:])
    said = "Share of failed requests (5xx) within the last ten minutes."
    yield GaugeMetricFamily("slowtrain_requests_failed", said, failed / requests if requests else 0.0)
    lately = course.lately(tally.REQUESTS, LATELY)
    values = [(str(it), (tally.share_at_most(tally.REQUESTS, lately, it) or 0) / SECOND) for it in (0.5, 0.95)]
    said = "Time that this share of requests took at most, within the last ten minutes."
    yield _gauge("response_seconds", said, "share", values)


def _room(store: Store) -> Iterator[Metric]:
    disk = watch.disk(store)
    yield GaugeMetricFamily("slowtrain_disk_free_bytes", "Free bytes of the disk with the data.", disk.free)
    yield GaugeMetricFamily("slowtrain_disk_free", "The same as a share of the disk.", disk.free / max(1, disk.total))
    yield GaugeMetricFamily("slowtrain_database_bytes", "Size of the database.", store.size())


def _sums(conn: Connection) -> Iterator[Metric]:
    """Yield the sums of all processes since the installation began."""
    for what, name, said in (
        (tally.MOVES, "move", "Time to accept a move, of all processes."),
        (tally.LETTERS, "mail", "Time from the due time of a mail until the mail server accepted it."),
    ):
        counts, passed, buckets = figures.ever(conn, what), 0, []
        for bound in tally.BOUNDS[what]:
            passed += counts.get(bound, 0)
            buckets.append((str(bound / SECOND), passed))
        buckets.append(("+Inf", passed + counts.get(tally.BEYOND, 0)))
        yield HistogramMetricFamily(f"slowtrain_{name}_seconds", said, buckets=buckets, sum_value=None)
    for what, name, said in (
        (tally.FAILED_LETTERS, "mail_attempts_failed", "Failed attempts to send a mail."),
        (tally.ANSWERS, "answers", "Answers by mail that were read."),
        (tally.FAILED_REQUESTS, "failed_requests", "Requests that failed (5xx), of all processes."),
        (tally.ERRORS, "errors", "Errors in the logs of all processes."),
    ):
        yield CounterMetricFamily(f"slowtrain_{name}", said, sum(figures.ever(conn, what).values()))


def _broker() -> Iterator[Metric]:
    waiting = hints.waiting()
    said = "Does the broker of this web process answer?"
    yield GaugeMetricFamily("slowtrain_broker_answers", said, int(waiting is not None))
    said = "Messages that wait in a queue of the broker."
    yield _gauge("broker_messages", said, "queue", (waiting or {}).items())
