"""The rules for alarms: each is a limit of a figure (`service.operators.gauges`), and says what to do.

This is their only source. `python -m tests.alerts` writes `config/deploy/alerts.yaml` for Prometheus from it; a worker
checks the same rules each minute and tells operators (`workers.alarm`); and the overview shows the ones that hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from prometheus_client.core import Metric
from sqlalchemy import Connection, select

from service.base.clock import DAY, MINUTE, SECOND
from service.database.store import Store
from service.database.tables import Alarm, table_of
from service.notices import watch
from service.operators import gauges
from service.words import N_

ALARMS = table_of(Alarm)

RARE = ("checks.step", "clock.tidy", watch.PROVED, watch.BACKED_UP, watch.WIPED)
"""Heartbeats that come rarely, or not everywhere."""


class Rule(msgspec.Struct, frozen=True):
    """A limit. It holds while a value of ``figure`` is ``beyond`` the limit, for ``minutes``.

    ``key``: its name in the database. ``where``: labels that the value must have; ``but``: the values of a label that
    do not count. ``outside``: only Prometheus can notice it. ``names``: the label that says what is meant.
    ``remedy``: what to do, with commands between backticks. ``over``: said at its end.
    """

    key: str
    alert: str
    figure: str
    limit: float
    summary: str
    remedy: str
    over: str
    beyond: Literal[">", "<"] = ">"
    where: Mapping[str, str] = {}
    but: Mapping[str, Sequence[str]] = {}
    names: str = ""
    minutes: int = 0
    severity: Literal["page", "ticket"] = "page"
    outside: bool = False

    @property
    def expr(self) -> str:
        """Return the rule for Prometheus."""
        labels = [f'{name}="{value}"' for name, value in self.where.items()]
        labels += [f'{name}!~"{"|".join(values)}"' for name, values in self.but.items()]
        selector = "{" + ", ".join(labels) + "}" if labels else ""
        return f"{self.figure}{selector} {self.beyond} {self.limit:g}"

    def meets(self, labels: Mapping[str, str], value: float) -> bool:
        """Does a value of the figure with these labels pass the limit?"""
        if any(labels.get(name) != wanted for name, wanted in self.where.items()):
            return False
        if any(labels.get(name) in values for name, values in self.but.items()):
            return False
        return value > self.limit if self.beyond == ">" else value < self.limit


RULES: tuple[Rule, ...] = (
    Rule(
        "away", "SlowTrainIsAway", "up", 1, beyond="<", where={"job": "slowtrain"}, minutes=2, outside=True,
        summary=N_("Neither the site nor the API answers, or the database is away"),
        remedy=N_("Look at /readyz and at the log of the web processes. No accepted move is lost."),
        over="The site answers again",
    ),
    Rule(
        "processes", "SlowTrainProcessesMissing", "slowtrain_processes", 1, beyond="<", names="job", minutes=3,
        summary=N_("Processes are not running"),
        remedy=N_("Start them: `systemctl start slowtrain.target`, with Docker `docker compose up -d`. "
                  "Overdue work is then done by itself."),
        over="All processes are running again",
    ),
    Rule(
        "work", "SlowTrainWorkWaits", "slowtrain_overdue", 0, names="work", minutes=2,
        summary=N_("Work is overdue"),
        remedy=N_("Are the workers and the beat running? /healthz/work says how long the oldest has waited."),
        over="No work is overdue any more",
    ),
    Rule(
        "sweeps", "SlowTrainSweepsStand", "slowtrain_sweep_age_seconds", 600, but={"sweep": RARE}, names="sweep",
        minutes=5,
        summary=N_("A sweep has not come to its end for ten minutes"),
        remedy=N_("Restart the beat and the worker of its queue. Due work is found again."),
        over="All sweeps come to their end again",
    ),
    Rule(
        "mail_server", "SlowTrainMailServerFails", "slowtrain_mail_server_fails", 0, minutes=2,
        summary=N_("Email cannot be sent"),
        remedy=N_("It goes out by itself, within minutes, once the mail server works again."),
        over="Email can be sent again",
    ),
    Rule(
        "mailbox", "SlowTrainMailboxFails", "slowtrain_mailbox_fails", 0, minutes=2,
        summary=N_("Answers by email cannot be fetched"),
        remedy=N_("The command `slowtrain fetch` tries at once and says why."),
        over="Answers are fetched again",
    ),
    Rule(
        "mail_unwritable", "SlowTrainMailCannotBeWritten", "slowtrain_mail_failing", 0, where={"reason": "ours"},
        minutes=10, severity="ticket",
        summary=N_("Emails cannot be written because of a fault in the service"),
        remedy=N_("The log of the process `mail` says why. Once it is mended, retry them."),
        over="All emails can be written again",
    ),
    Rule(
        "mail_dies", "SlowTrainMailDies", "slowtrain_mails_given_up", 0.05, minutes=15, severity="ticket",
        summary=N_("More than one email in twenty was given up within a day"),
        remedy=N_("The emails that were given up say why."),
        over="Few emails are given up again",
    ),
    Rule(
        "incoming_failed", "SlowTrainMailFails", "slowtrain_incoming_of_a_day", 0, where={"what": "failed"},
        severity="ticket",
        summary=N_("Incoming email could not be processed because of a fault in the service"),
        remedy=N_("The log of the workers says why. Process the email again once it is mended."),
        over="No incoming email of the last day has failed",
    ),
    Rule(
        "errors", "SlowTrainErrs", "slowtrain_requests_failed", 0.01, minutes=10,
        summary=N_("More than one request in a hundred fails"),
        remedy=N_("The log of the web processes has each with its request id."),
        over="Requests succeed again",
    ),
    Rule(
        "slow", "SlowTrainIsSlow", "slowtrain_response_seconds", 1, where={"share": "0.95"}, minutes=15,
        severity="ticket",
        summary=N_("One request in twenty takes longer than a second"),
        remedy=N_("Look at the load of the database first, then at that of the web processes."),
        over="The site is fast again",
    ),
    Rule(
        "disk", "SlowTrainDiskFull", "slowtrain_disk_free", 0.05, beyond="<", minutes=5,
        summary=N_("The disk is nearly full"),
        remedy=N_("Delete old backups and logs, or enlarge the disk. No moves are possible once it is full."),
        over="The disk has room again",
    ),
    Rule(
        "backups", "SlowTrainBackupsStand", "slowtrain_sweep_age_seconds", 2 * DAY / SECOND,
        where={"sweep": watch.PROVED}, minutes=60, severity="ticket",
        summary=N_("No backup was made and found good for two days"),
        remedy=N_("`systemctl status slowtrain-backup`, or the log of the container `backup`, says why."),
        over="A backup was found good again",
    ),
    Rule(
        "games_differ", "SlowTrainGamesDiffer", "slowtrain_games_wrong", 0,
        summary=N_("The last check found games that are wrong"),
        remedy=N_("`slowtrain checks` says which. Keep the database as it is until the cause is understood."),
        over="The last check found no game that is wrong",
    ),
    Rule(
        "checks", "SlowTrainChecksStand", "slowtrain_check_age_seconds", 2 * DAY / SECOND, minutes=60,
        severity="ticket",
        summary=N_("No check of all games has come to its end for two days"),
        remedy=N_("Is the process `checks` running? `slowtrain checks` says how far the last check came."),
        over="The check of all games came to its end again",
    ),
)  # fmt: skip


class Trouble(msgspec.Struct, frozen=True):
    """A rule that holds now. ``named``: the values of the label that says what is meant.

    ``since``: when a worker first noticed it; None if none has yet.
    """

    rule: Rule
    named: tuple[str, ...] = ()
    since: int | None = None

    @property
    def wait(self) -> int:
        """Return for how many milliseconds it must hold before operators are told."""
        return self.rule.minutes * MINUTE


def holding(store: Store, conn: Connection, at: int) -> list[Trouble]:
    """Return the rules that hold now, the most urgent first."""
    since = {row.what: row.since for row in conn.execute(select(ALARMS))}
    found = held(gauges.of_rules(store, conn, at))
    return [msgspec.structs.replace(it, since=since.get(it.rule.key)) for it in found]


def causes(holding: Sequence[Trouble]) -> list[Trouble]:
    """Return the troubles for readers: without sweeps that stand because no process does their job."""
    missing = {job for it in holding if it.rule.key == "processes" for job in it.named}
    found = []
    for it in holding:
        if it.rule.key != "sweeps":
            found.append(it)
        elif named := tuple(name for name in it.named if name.partition(".")[0] not in missing):
            found.append(msgspec.structs.replace(it, named=named))
    return found


def held(metrics: Iterable[Metric]) -> list[Trouble]:
    """Return the rules that these figures hold."""
    samples: dict[str, list[tuple[Mapping[str, str], float]]] = {}
    for metric in metrics:
        for sample in metric.samples:
            samples.setdefault(sample.name, []).append((sample.labels, sample.value))
    found = []
    for rule in RULES:
        met = [labels for labels, value in samples.get(rule.figure, ()) if rule.meets(labels, value)]
        if met and not rule.outside:
            found.append(Trouble(rule, tuple(it[rule.names] for it in met) if rule.names else ()))
    return found
