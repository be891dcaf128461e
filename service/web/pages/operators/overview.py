"""The overview for operators: waiting work, troubles and counts."""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from flask import Response, abort, request, url_for

from service.notices.failing import REASONS, MailboxState
from service.notices.processes import Running
from service.notices.webhooks import BAD_URLS, LONGEST_URL, BadUrl
from service.operators import acts, oversight, rules
from service.operators import pictures as history
from service.operators.pictures import WORK
from service.operators.rules import Trouble
from service.post import imap
from service.web.pages.frame import _, done, moment, reader
from service.web.pages.operators import pictures, room
from service.web.pages.operators.area import acted, operator, sheet, why_given
from service.web.pages.operators.arrivals import ABOUT_US, CAME, RETURNED
from service.web.pages.operators.entries import entry_line
from service.web.pages.operators.games import TROUBLES
from service.web.pages.operators.hooks import CALL_STATES
from service.web.pages.operators.mails import MAIL_STATES
from service.web.pages.operators.people import GROUPS
from service.web.pages.operators.pictures import span
from service.web.pages.parts.result import GAME_STATES
from service.web.shared.context import now, store
from service.words import N_, amount, listed

FAILING = {
    "away": N_("the mail server cannot be reached"),
    "server": N_("the mail server refuses the email"),
    "mailbox": N_("the recipient’s mailbox is not accepting email for now"),
    "ours": N_("a fault in the service"),
}


ALARM_WAYS = {"none": N_("no alarms"), "email": N_("by email"), "webhook": N_("to a webhook")}
JOBS = {
    "web": N_("Website and API"),
    "mail": N_("Sending email"),
    "bots": N_("Bots"),
    "clock": N_("Clocks and incoming email"),
    "webhooks": N_("Webhooks and alarms"),
    "checks": N_("Checks and the record"),
    "beat": N_("The beat, which starts the sweeps"),
    "listen": N_("Receiving email"),
    "mailbox": N_("The mailbox of this machine"),
}


@room.get("/operate")
def overview(problem: str | None = None, status: int = 200, bad_url: str = "") -> Response:
    at = now()
    with store.read() as conn:
        seen = oversight.overview(store, conn, operator(), at)
        entries = acts.entries(conn, operator(), at, limit=10)
        course = history.pictures(conn, operator(), pictures.chosen(), at)
        holding = rules.holding(store, conn, at)
        (wish,) = acts.alarm_wishes(conn, operator().person_id)
    return sheet(
        "operators/overview.html",
        status,
        problem=problem,
        why=why_given(),
        server=seen.server and moment(seen.server.since),
        mailbox=_mailbox(seen.mailbox),
        failing=[
            (reason, _(FAILING[reason]), it.number, moment(it.since), span(max(0, at - it.since)))
            for reason, it in seen.failing.items()
        ],
        wrong=[_wrong(it, seen.installation, at) for it in rules.causes(holding)],
        jobs=[(_job(job), number) for job, number in seen.expected.items()],
        processes=[_process(it, at) for it in seen.processes],
        installation=_installation(seen.installation),
        bad_url=bad_url,
        way=request.form.get("way", wish.way),
        url=request.form.get("url", wish.url),
        longest_url=LONGEST_URL,
        ways=[(it, _(ALARM_WAYS[it])) for it in acts.WAYS],
        most=oversight.MOST,
        failing_at=url_for("pages.operators.mails", state="failing"),
        due=[
            {
                "what": _(WORK[kind]),
                "number": it.number,
                "waited": span(it.waited) if it.number else "",
                "late": kind in seen.late,
            }
            for kind, it in seen.due.items()
        ],
        beats=[(name, moment(when), span(max(0, at - when))) for name, when in sorted(seen.beats.items())],
        games=[
            (_(GAME_STATES[it]), number, url_for("pages.operators.games", status=it))
            for it, number in seen.games.items()
        ],
        troubles=[
            (_(TROUBLES[it]), number, url_for("pages.operators.games", trouble=it))
            for it, number in seen.troubles.items()
        ],
        people=[
            (_(GROUPS[it]), number, url_for("pages.operators.people", group=None if it == "all" else it))
            for it, number in seen.people.items()
        ],
        mails=[
            (_(MAIL_STATES[it]), number, url_for("pages.operators.mails", state=it))
            for it, number in seen.mails.items()
        ],
        calls=[(_(CALL_STATES[it]), number) for it, number in seen.calls.items()],
        returned=[(_(RETURNED[it]), number, it in ABOUT_US) for it, number in seen.returned.items()],
        came=[(_(CAME[it]), number, url_for("pages.operators.arrivals", came=it)) for it, number in seen.came.items()],
        entries=[entry_line(it) for it in entries],
        periods=pictures.choices(),
        pictures=pictures.shown(course),
    )


LEADS: Mapping[str, tuple[str, str]] = {
    "processes": ("#processes", N_("Show the processes")),
    "sweeps": ("#due", N_("Show the jobs due")),
    "work": ("#due", N_("Show the jobs due")),
    "mail_server": ("#failing", N_("Show and retry these emails")),
    "mailbox": ("#failing", N_("Show why")),
    "mail_unwritable": ("#failing", N_("Show and retry these emails")),
    "mail_dies": ("mails?state=dead", N_("Show these emails")),
    "incoming_failed": ("arrivals?came=failed", N_("Show these emails")),
    "errors": ("#pictures", N_("Show the course")),
    "slow": ("#pictures", N_("Show the course")),
    "disk": ("#disk", N_("Show disk and database")),
    "backups": ("#disk", N_("Show the last backups")),
}
"""Rule -> the place that shows more, below `/operate` or on the page itself, and the words of its link."""


def _wrong(trouble: Trouble, installed: oversight.Installed, at: int) -> dict[str, Any]:
    place, name = LEADS.get(trouble.rule.key, ("", ""))
    base = "" if place.startswith("#") else f"{url_for('pages.operators.overview')}/"
    return {
        "summary": _(trouble.rule.summary),
        "named": _named(trouble, installed),
        "remedy": _(trouble.rule.remedy).split("`"),
        "since": span(max(0, at - trouble.since)) if trouble.since is not None else "",
        "lead": (base + place, _(name)) if name else None,
    }


def _named(trouble: Trouble, installed: oversight.Installed) -> str:
    """Return what a trouble is about, or "" if its words say it."""
    of_one = {
        "disk": _room(installed),
        "mail_server": store.settings.smtp_host,
        "mailbox": f"{store.settings.imap_user}, {store.settings.imap_host}",
    }
    names = {"job": JOBS, "work": WORK}.get(trouble.rule.names, {})
    several = listed([_("“{name}”", name=_(names[it])) if it in names else it for it in trouble.named], reader().lang)
    return of_one.get(trouble.rule.key, several)


def _room(it: oversight.Installed) -> str:
    return _("{free} free of {all}", free=_size(it.free), all=_size(it.disk))


def _job(job: str) -> str:
    return _(JOBS[job]) if job in JOBS else job


def _process(it: Running, at: int) -> dict[str, Any]:
    return {
        "jobs": listed([_job(job) for job in it.jobs], reader().lang),
        "where": f"{it.host}, {it.pid}",
        "release": it.release,
        "started": moment(it.started_at),
        "silent": moment(it.seen_at) if it.is_silent(at) else None,
        "doing": it.doing,
        "lasting": span(max(0, it.seen_at - it.since)) if it.since is not None else "",
        "busy": it.busy,
        "memory": _size(it.memory),
        "connections": it.connections,
        "pool": it.pool,
    }


def _installation(it: oversight.Installed) -> list[tuple[str, Any]]:
    """Return the facts as (name, words or a moment)."""
    before = {N_("Growth in a day"): it.a_day_ago, N_("Growth in a month"): it.a_month_ago}
    never = _("never")
    return [
        (_("Size of the database"), _size(it.size)),
        *((_(name), _size(it.size - was)) for name, was in before.items() if was is not None),
        (_("Disk"), _room(it)),
        (_("Last backup"), moment(it.backed_up_at) if it.backed_up_at else never),
        (_("Last backup that was found good"), moment(it.proved_at) if it.proved_at else never),
        ("Slow Train", it.program),
        ("Python", it.python),
        (_("Database"), it.database),
        (_("Version of the tables"), it.tables),
    ]


def _size(number: int) -> str:
    """Return a number of bytes in words."""
    if abs(number) >= 1_000_000_000:
        gigabytes = round(number / 1e9, 1) if abs(number) < 10_000_000_000 else round(number / 1e9)
        return _("{gigabytes} GB", gigabytes=amount(gigabytes, reader().lang))
    megabytes = round(number / 1e6, 1) if abs(number) < 10_000_000 else round(number / 1e6)
    return _("{megabytes} MB", megabytes=amount(megabytes, reader().lang))


def _mailbox(found: MailboxState | None) -> dict[str, Any] | None:
    """Return what is wrong with the mailbox from which answers are fetched, or None if nothing is."""
    if found is None or not (found.trouble or found.left):
        return None
    left = _("Flagged emails in the mailbox that could not be stored: {number}.", number=found.left)
    why = _(imap.TROUBLES[found.trouble]) if found.trouble else ""
    return {"trouble": why, "since": moment(found.since), "left": left if found.left else ""}


@room.post("/operate/mails/failed")
def try_failed_mail() -> Response:
    reason = next((it for it in REASONS if it == request.form.get("reason")), None)
    return acted(
        lambda: acts.try_failed(store, operator(), why_given(), now(), reason),
        partial(overview, status=422),
        url_for("pages.operators.overview"),
    )


@room.post("/operate/alarms")
def alarms() -> Response:
    """Take the operator's own wish about alarms."""
    who, way = operator(), next((it for it in acts.WAYS if it == request.form.get("way")), None)
    if way is None:
        abort(400)
    try:
        acts.wish_alarms(store, who, cast(int, who.person_id), way, now(), request.form.get("url", ""))
    except BadUrl as error:
        return overview(status=422, bad_url=_(BAD_URLS[error.why]))
    return done(url_for("pages.operators.overview", _anchor="alarms"), "saved")
