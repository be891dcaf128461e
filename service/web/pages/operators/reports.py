"""Reports of talk: the lines that they quote, and what operators do about them."""

from functools import partial
from typing import Any

from flask import Response, url_for

from service.games.talk_reports import ReportOfTalk
from service.operators import talk
from service.web.pages.frame import _, moment, number_of
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, operator, sheet, why_given, wished
from service.web.pages.parts.talk import NAMES
from service.web.shared.context import now, store


@room.get("/operate/reports")
def reports(problem: str | None = None, status: int = 200) -> Response:
    with store.read() as conn:
        found = talk.reports(conn, operator(), now())
    return sheet(
        "operators/reports.html", status, problem=problem, why=why_given(), reports=[_report(it) for it in found]
    )


def _report(report: ReportOfTalk) -> dict[str, Any]:
    writers = {it.writer_id: it.writer for it in report.lines}
    silenced = [it for it in report.lines if it.silenced_until is not None and it.silenced_until > now()]
    return {
        "id": report.id, "game": report.game, "room": _(NAMES[report.room]), "why": report.why,
        "game_at": url_for("pages.operators.game", game_id=report.game_id),
        "reporter": report.reporter or _("(erased)"), "at": moment(report.reported_at),
        "settled": moment(report.settled_at) if report.settled_at else None,
        "lines": [(it.writer, moment(it.said_at), it.text) for it in report.lines],
        "writers": list(writers.items()),
        "silenced": [(it.writer, moment(it.silenced_until)) for it in silenced if it.silenced_until],
    }  # fmt: skip


@room.post("/operate/reports/<int(max=2147483647):number>")
def act_on_report(number: int) -> Response:
    """Delete the quoted lines, silence one of their writers, or settle the report."""

    def silence(*_: Any) -> None:
        talk.silence(store, operator(), number_of("person"), number_of("hours", 5), why_given(), now())

    deed = wished({"remove": talk.remove_lines, "settle": talk.settle, "silence": silence})
    return acted(
        lambda: deed(store, operator(), number, why_given(), now()),
        partial(reports, status=422),
        url_for("pages.operators.reports"),
    )
