"""A person's times: waking hours, vacations, holidays. The clocks of games use them."""

from datetime import date
from typing import Any

from flask import Response, abort, request, url_for

from domain.pace import day_of
from service.accounts.person import change
from service.base.clock import time_of_day
from service.games import absences
from service.games.absences import BUDGET, BadAbsence
from service.games.rights import ByPerson
from service.people import accounts, calendars
from service.web.pages.account import room
from service.web.pages.frame import _, done, number_of, page, signed_in
from service.web.pages.parts.pace import minutes_of
from service.web.shared.account_requests import asked
from service.web.shared.context import now, store, work
from service.words import N_

KINDS = {"vacation": N_("Vacation"), "holiday": N_("Holiday")}
WRONG = {
    "order": N_("The last day comes before the first."), "past": N_("You can only take days off from today on."),
    "far": N_("That is too far ahead; the limit is two years."),
    "overlap": N_("You have already taken some of these days off."),
    "budget": N_("You do not have that many days left: {left} in {year}."),
}  # fmt: skip


@room.get("/account/times")
def times(problem: str | None = None, status: int = 200) -> Response:
    asker, at = signed_in(), now()
    with store.read() as conn:
        row = accounts.person(conn, asker.id)
        rows = absences.of(conn, asker.id)
        today = day_of(calendars.of_person(conn, asker.id), at)
    form = request.form
    return page(
        "account/times.html",
        status,
        problem=problem,
        zone=asker.zone,
        today=today.isoformat(),
        wakes=form.get("wakes", time_of_day(row.wakes_at)),
        sleeps=form.get("sleeps", time_of_day(row.sleeps_at)),
        given={"first": form.get("first", ""), "last": form.get("last", ""), "kind": form.get("kind", "vacation")},
        off=[_line(it, today) for it in rows if it.last_day >= today.isoformat()],
        left=[(_(KINDS[kind]), absences.left(rows, kind, today.year), BUDGET[kind]) for kind in absences.KINDS],
        year=today.year,
        kinds=[(kind, _(KINDS[kind])) for kind in absences.KINDS],
    )


def _line(row: Any, today: date) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": _(KINDS[row.kind]),
        "first": row.first_day,
        "last": row.last_day,
        "now": row.first_day <= today.isoformat(),
    }


@room.post("/account/times/hours")
def waking_hours() -> Response:
    wakes, sleeps = minutes_of(request.form.get("wakes", "")), minutes_of(request.form.get("sleeps", ""))
    if wakes is None or sleeps is None:
        return times(_("Please give times of day like 08:00."), 422)
    try:
        change(asked(), signed_in(), {"wakes_at": wakes, "sleeps_at": sleeps})
    except accounts.TooShort:
        return times(
            _("Waking hours must be at least six hours long, so that the other players do not wait too long."), 422
        )
    return done(url_for("pages.account.times"), "saved")


@room.post("/account/times/off")
def take_days_off() -> Response:
    asker, form = signed_in(), request.form
    kind = form.get("kind", "")
    if kind not in absences.KINDS:
        abort(400)
    try:
        first, last = date.fromisoformat(form.get("first", "")), date.fromisoformat(form.get("last", ""))
    except ValueError:
        return times(_("Please give the first and the last day."), 422)
    try:
        absences.plan(work(), ByPerson(asker.id), first, last, kind, store.now())
    except BadAbsence as bad:
        return times(_(WRONG[bad.why], left=bad.left, year=bad.year), 422)
    return done(url_for("pages.account.times"), "away")


@room.post("/account/times/back")
def end_days_off() -> Response:
    asker, which = signed_in(), number_of("absence")
    absences.end(work(), ByPerson(asker.id), which, store.now())
    return done(url_for("pages.account.times"), "here")
