"""Alarms: each rule holds on a store made bad for it and on no good one, and means the same to Prometheus."""

import json
import re
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from sqlalchemy import insert

from config.celery import QUEUES, sweeps
from service.base import hints, tally
from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.database.store import Store
from service.notices import failing, figures, processes, watch
from service.notices.owing import OUTBOX
from service.notices.processes import PROCESSES
from service.notices.watch import HEARTBEATS
from service.operators import gauges, rules
from service.operators.gauges import RUNS
from service.operators.rules import RULES
from service.people.recipients import RECIPIENTS
from tests.answers import came
from tests.service.lanterns import NOON

DASHBOARD = Path(__file__).parents[3] / "config/deploy/grafana.json"
Usage = namedtuple("Usage", ["total", "used", "free"])


@pytest.fixture
def good(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of a service whose processes all work."""
    tally.taken()
    monkeypatch.setattr(watch.shutil, "disk_usage", lambda _: Usage(100, 50, 50))
    jobs = [processes.WEB, ",".join(QUEUES), processes.MAILBOX]
    for job in jobs:
        processes.report(store, processes.this_one(job, NOON), NOON)
    beats = [{"name": it, "at": NOON} for it in (*sweeps(store.settings), watch.PROVED, watch.BACKED_UP)]
    with store.write() as conn:
        conn.execute(insert(HEARTBEATS), beats)
    check(store, wrong=0, ended_at=NOON - HOUR)
    return store


def check(store: Store, *, wrong: int, ended_at: int) -> None:
    run = {"program": "", "games": 9, "plies": 90, "spent": 5, "titles": {}, "done_created_at": -1, "done_id": ""}
    with store.write() as conn:
        conn.execute(RUNS.delete())
        conn.execute(insert(RUNS).values(night=1, started_at=1, ended_at=ended_at, wrong=wrong, lease_until=0, **run))


def owe(store: Store, number: int = 1, **more: object) -> None:
    row = {
        "address": "a@example.org", "game_id": "", "kind": "sign_in", "payload": {}, "attempts": 1,
        "created_at": NOON - HOUR, "due_at": NOON - HOUR,
    }  # fmt: skip
    with store.write() as conn:
        for each in range(number):
            conn.execute(
                insert(OUTBOX).values(
                    **row, **more, ply=each, key=str(more.get("state")), message_id=f"<{each}@{more}>"
                )
            )


def overdue(store: Store) -> None:
    with store.write() as conn:
        conn.execute(insert(RECIPIENTS).values(who="a@example.org", next_at=NOON - HOUR))


def sweep_stands(store: Store) -> None:
    beat(store, "mail.send_due", NOON - HOUR)


def beat(store: Store, name: str, at: int) -> None:
    with store.write() as conn:
        conn.execute(HEARTBEATS.update().where(HEARTBEATS.c.name == name).values(at=at))


def server_away(store: Store) -> None:
    with store.write() as conn:
        for minute in range(5):
            failing.note(conn, "away", NOON - minute * MINUTE)


def mailbox_away(store: Store) -> None:
    box = {"imap_host": "imap.example.org", "imap_user": "club", "imap_password": "secret"}
    store.settings = store.settings.with_(**box, reply_addresses="club+{}@example.org")
    row = {"mailbox": "club imap.example.org", "due_at": 0, "fails": 9, "trouble": "login", "left": 0}
    with store.write() as conn:
        conn.execute(insert(failing.FETCHING).values(**row, failing_since=NOON - HOUR))


def given_up(store: Store) -> None:
    owe(store, 11, state="dead")
    owe(store, 100, state="sent", sent_at=NOON - HOUR)


def incoming_failed(store: Store) -> None:
    with store.write() as conn:
        came(conn, NOON - HOUR, state="done", what="failed", attempts=5)


def requests(store: Store, seconds: float, failed: int) -> None:
    for _ in range(100):
        tally.took(tally.REQUESTS, seconds)
    tally.count(tally.FAILED_REQUESTS, failed)
    figures.write(store, NOON)


def silence(store: Store) -> None:
    with store.write() as conn:
        conn.execute(PROCESSES.update().where(PROCESSES.c.role == processes.WEB).values(seen_at=NOON - HOUR))


BAD: dict[str, Callable[[Store, pytest.MonkeyPatch], object]] = {
    "processes": lambda store, _: silence(store),
    "work": lambda store, _: overdue(store),
    "sweeps": lambda store, _: sweep_stands(store),
    "mail_server": lambda store, _: server_away(store),
    "mailbox": lambda store, _: mailbox_away(store),
    "mail_unwritable": lambda store, _: owe(store, state="pending", failing_for="ours", failing_since=NOON - HOUR),
    "mail_dies": lambda store, _: given_up(store),
    "incoming_failed": lambda store, _: incoming_failed(store),
    "errors": lambda store, _: requests(store, 0.01, 2),
    "slow": lambda store, _: requests(store, 2.0, 0),
    "disk": lambda _, monkeypatch: monkeypatch.setattr(watch.shutil, "disk_usage", lambda _: Usage(100, 96, 4)),
    "backups": lambda store, _: beat(store, watch.PROVED, NOON - 3 * DAY),
    "games_differ": lambda store, _: check(store, wrong=1, ended_at=NOON - HOUR),
    "checks": lambda store, _: check(store, wrong=0, ended_at=NOON - 3 * DAY),
}


def holding(store: Store) -> dict[str, tuple[str, ...]]:
    with store.read() as conn:
        return {it.rule.key: it.named for it in rules.holding(store, conn, NOON)}


def test_readers_see_no_sweep_whose_job_has_no_process(good: Store) -> None:
    with good.write() as conn:
        mine = PROCESSES.c.role == ",".join(QUEUES)
        conn.execute(PROCESSES.update().where(mine).values(role="mail,bots,webhooks,checks"))
    beat(good, "clock.sweep", NOON - HOUR)
    assert shown_causes(good) == {"processes": ("clock",)}
    beat(good, "mail.send_due", NOON - HOUR)
    assert shown_causes(good) == {"processes": ("clock",), "sweeps": ("mail.send_due",)}


def shown_causes(store: Store) -> dict[str, tuple[str, ...]]:
    with store.read() as conn:
        return {it.rule.key: it.named for it in rules.causes(rules.holding(store, conn, NOON))}


class Given(Collector):
    def __init__(self, metrics: list[Metric]) -> None:
        self.metrics = metrics

    def collect(self) -> list[Metric]:
        return self.metrics


def shown(store: Store) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Return the samples as Prometheus reads them: name -> (labels, value)."""
    with store.read() as conn:
        metrics = list(gauges.all_of(store, conn, NOON))
    registry = CollectorRegistry()
    registry.register(Given(metrics))
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((dict(sample.labels), sample.value))
    return found


EXPR = re.compile(r"(\w+)(?:\{(.*)\})? ([<>]) ([\d.e+]+)")
LABEL = re.compile(r'(\w+)(=|!~)"([^"]*)"')


def holds_in_prometheus(expr: str, samples: dict[str, list[tuple[dict[str, str], float]]]) -> bool:
    """Evaluate a rule as Prometheus does: it holds if any sample passes."""
    matched = EXPR.fullmatch(expr)
    assert matched, expr
    figure, selector, beyond, limit = matched.groups()
    wanted = LABEL.findall(selector or "")

    def is_meant(labels: dict[str, str]) -> bool:
        return all(
            (labels.get(name, "") == value) if how == "=" else not re.fullmatch(value, labels.get(name, ""))
            for name, how, value in wanted
        )

    values = [value for labels, value in samples.get(figure, []) if is_meant(labels)]
    return any(value > float(limit) if beyond == ">" else value < float(limit) for value in values)


def test_no_rule_holds_while_all_is_well(good: Store) -> None:
    assert holding(good) == {}
    samples = shown(good)
    assert not [it.alert for it in RULES if holds_in_prometheus(it.expr, samples)]


def test_what_happens_once_a_day_does_not_stand(good: Store) -> None:
    with good.write() as conn:
        rare = [{"name": it, "at": NOON - DAY + HOUR} for it in (watch.WIPED, "clock.tidy")]
        conn.execute(HEARTBEATS.delete().where(HEARTBEATS.c.name == "clock.tidy"))
        conn.execute(insert(HEARTBEATS), rare)
    assert holding(good) == {}


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("rule", [it for it in RULES if not it.outside], ids=lambda it: it.key)
def test_each_rule_holds_on_a_store_made_bad_for_it(
    good: Store, rule: rules.Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    BAD[rule.key](good, monkeypatch)
    found = holding(good)
    assert list(found) == [rule.key], "the others do not mind"
    assert bool(found[rule.key]) == bool(rule.names)
    assert [it.key for it in RULES if holds_in_prometheus(it.expr, shown(good))] == [rule.key]


def test_a_rule_names_what_is_meant(good: Store) -> None:
    silence(good)
    assert holding(good) == {"processes": ("web",)}


def test_keys_fit_into_their_column_and_differ() -> None:
    assert len({it.key for it in RULES}) == len({it.alert for it in RULES}) == len(RULES)
    assert max(len(it.key) for it in RULES) <= 20


# ==== processes ===================================================================================
def test_a_process_reports_what_it_does_and_leaves(store: Store) -> None:
    me = processes.this_one("mail", NOON)
    tally.begins("mail.send_due")
    processes.report(store, me, NOON + MINUTE)
    tally.ends()
    with store.read() as conn:
        (it,) = processes.all_of(conn)
    assert (it.role, it.doing, it.busy, it.started_at, it.seen_at) == ("mail", "mail.send_due", 1, NOON, NOON + MINUTE)
    assert it.memory > 1_000_000
    assert it.connections <= it.pool
    assert not it.is_silent(NOON + 2 * MINUTE)
    assert it.is_silent(NOON + HOUR)
    processes.report(store, me, NOON + 2 * MINUTE)
    with store.read() as conn:
        (it,) = processes.all_of(conn)
    assert (it.doing, it.since, it.busy) == ("", None, 0)
    processes.leave(store, me)
    with store.read() as conn:
        assert processes.all_of(conn) == []


def test_silent_processes_are_forgotten_after_a_day(store: Store) -> None:
    processes.report(store, processes.this_one("mail", NOON), NOON)
    with store.write() as conn:
        processes.forget_old(conn, NOON + DAY)
        assert len(processes.all_of(conn)) == 1
        processes.forget_old(conn, NOON + DAY + SECOND)
        assert processes.all_of(conn) == []


# ==== /metrics and the dashboard ==================================================================
def test_the_dashboard_asks_for_figures_there_are_with_their_labels(good: Store) -> None:
    hints.configure(good.settings)
    try:
        samples = shown(good)
    finally:
        hints.configure(None)
    web = {"method", "rule", "status"}
    labels = {name: {label for labels, _ in found for label in labels} for name, found in samples.items()}
    labels |= {f"slowtrain_request_seconds_{kind}": web | {"le"} for kind in ("bucket", "count")}
    dashboard = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    assert len(asked) > 15
    for expr in asked:
        figures_asked = re.findall(r"(slowtrain_\w+)(?:\{([^}]*)\})?", expr)
        assert figures_asked, expr
        for name, selector in figures_asked:
            assert name in labels, expr
            assert {it for it, _, _ in LABEL.findall(selector)} <= labels[name], expr
        grouped = {it.strip() for group in re.findall(r"by \(([^)]*)\)", expr) for it in group.split(",")}
        assert grouped <= set.union(*(labels[name] for name, _ in figures_asked)), expr


def test_figures_of_moves_and_mails_are_those_of_all_processes(store: Store) -> None:
    tally.taken()
    for seconds in (0.004, 0.2, 100):
        tally.took(tally.MOVES, seconds)
    tally.took(tally.LETTERS, 4)
    figures.write(store, NOON)
    samples = shown(store)
    moves = {labels["le"]: value for labels, value in samples["slowtrain_move_seconds_bucket"]}
    assert (moves["0.005"], moves["0.25"], moves["60.0"], moves["+Inf"]) == (1, 2, 2, 3)
    mails = {labels["le"]: value for labels, value in samples["slowtrain_mail_seconds_bucket"]}
    assert (mails["2.0"], mails["5.0"], mails["+Inf"]) == (0, 1, 1)


def test_the_broker_tells_how_many_messages_wait(store: Store) -> None:
    assert shown(store)["slowtrain_broker_answers"] == [({}, 0.0)]
    hints.configure(store.settings)
    try:
        hints._publish("outbox", "")
        queues = {labels["queue"]: value for labels, value in shown(store)["slowtrain_broker_messages"]}
    finally:
        hints.configure(None)
    assert queues == {"mail": 1, "bots": 0, "clock": 0, "webhooks": 0, "checks": 0}
