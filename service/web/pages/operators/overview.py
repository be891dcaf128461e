"""The overview for operators: waiting work, troubles and counts."""

from functools import partial
from typing import Any

from flask import Response, url_for

from service.notices.failing import MailboxState
from service.operators import acts, oversight
from service.operators import pictures as history
from service.operators.pictures import WORK
from service.post import imap
from service.web.pages.frame import _, moment
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
from service.words import N_

FAILING = {
    "away": N_("the mail server cannot be reached"),
    "server": N_("the mail server refuses the email"),
    "mailbox": N_("the mailbox is not accepting email for now"),
    "ours": N_("a fault in the service"),
}


@room.get("/operate")
def overview(problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        seen = oversight.overview(store, conn, operator(), at)
        entries = acts.entries(conn, operator(), at, limit=10)
        course = history.pictures(conn, operator(), pictures.chosen(), at)
    return sheet(
        "operators/overview.html",
        status,
        problem=problem,
        why=why_given(),
        server=seen.server and {"since": moment(seen.server.since), "failed": seen.server.failed, "of": seen.server.of},
        mailbox=_mailbox(seen.mailbox),
        failing=[
            (_(FAILING[reason]), it.number, moment(it.since), span(max(0, at - it.since)))
            for reason, it in seen.failing.items()
        ],
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


def _mailbox(found: MailboxState | None) -> dict[str, Any] | None:
    """Return what is wrong with the mailbox from which answers are fetched, or None if nothing is."""
    if found is None or not (found.trouble or found.left):
        return None
    left = _("Flagged emails in the mailbox that could not be stored: {number}.", number=found.left)
    why = _(imap.TROUBLES[found.trouble]) if found.trouble else ""
    return {"trouble": why, "since": moment(found.since), "left": left if found.left else ""}


@room.post("/operate/mails/failed")
def try_failed_mail() -> Response:
    return acted(
        lambda: acts.try_failed(store, operator(), why_given(), now()),
        partial(overview, status=422),
        url_for("pages.operators.overview"),
    )
