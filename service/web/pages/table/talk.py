"""The rooms of talk at a table, each with a page of its own, and the forms of their lines."""

from typing import cast

from flask import Response, abort, request, url_for

from service.base.names import BadName
from service.games import saying, talk_reports
from service.games import talk as talking
from service.games.saying import NoSuchLine, NotSaid
from service.games.talk import Room
from service.web.pages.frame import _, done, number_asked, number_in, page, sign_in_first, signed_in
from service.web.pages.parts.refusals import bad_name
from service.web.pages.parts.talk import not_said, talk_of
from service.web.pages.parts.visits import by_whom, visit
from service.web.pages.table import room
from service.web.pages.table.open_table import watch
from service.web.pages.table.table import to_table
from service.web.shared.context import now, work

ROOM = "<any(players, spectators):whose>"


@room.get(f"/games/<game:game_id>/talk/{ROOM}")
def talk(game_id: str, whose: str, problem: str | None = None, status: int = 200) -> Response:
    seen = visit(game_id)
    if seen.viewer is None:
        return sign_in_first()
    if whose not in talking.readable(seen):
        abort(404)
    before = number_asked("before", 0) or None
    shown = talk_of(seen, whose, before=before)
    return page(
        "table/talk.html",
        status,
        game={"id": game_id, "name": seen.row.name},
        talk=shown,
        is_last=before is None,
        problem=problem,
        watch=watch(seen, over=True) if before is None else None,
        is_on=seen.row.talk if seen.hosts and not seen.by_link else None,
    )


@room.post(f"/games/<game:game_id>/talk/{ROOM}")
def say(game_id: str, whose: str) -> Response:
    """Write a line. The form is on the room's page and in the tab of the table, to which it leads back."""
    signed_in()
    visit(game_id)
    form = request.form
    try:
        saying.say(work(), by_whom(game_id), game_id, form.get("text", ""), now(),
                    room=cast(Room, whose), key=form.get("key", "")[:64])  # fmt: skip
    except NotSaid as refused:
        return talk(game_id, whose, not_said(refused), 429 if refused.why == "too_many" else 422)
    return _back(game_id, whose)


@room.post(f"/games/<game:game_id>/talk/{ROOM}/<int(max=2147483647):number>/delete")
def delete_line(game_id: str, whose: str, number: int) -> Response:
    signed_in()
    visit(game_id)
    try:
        saying.delete_line(work(), by_whom(game_id), game_id, cast(Room, whose), number, now())
    except NoSuchLine:
        abort(404)
    return _back(game_id, whose)


@room.post("/games/<game:game_id>/talk")
def switch_talk(game_id: str) -> Response:
    """Switch talk at this table on or off."""
    signed_in()
    seen = visit(game_id)
    talking.switch(work(), by_whom(game_id), game_id, on="on" in request.form)
    return done(url_for("pages.table.talk", game_id=game_id, whose=talking.own_room(seen)), "saved")


@room.get(f"/games/<game:game_id>/talk/{ROOM}/report")
def report(game_id: str, whose: str, problem: str | None = None, status: int = 200) -> Response:
    """Offer the last lines of others up to one, to quote them to the operators."""
    signed_in()
    seen = visit(game_id)
    if whose not in talking.readable(seen):
        abort(404)
    chosen = [number for it in request.values.getlist("line") if (number := number_in(it)) is not None]
    shown = talk_of(seen, whose, before=max(chosen, default=0) + AROUND or None, limit=talk_reports.MOST_LINES)
    return page(
        "table/report_talk.html",
        status,
        game={"id": game_id, "name": seen.row.name},
        talk=shown,
        chosen=chosen,
        problem=problem,
        why=request.form.get("why", ""),
        longest=talk_reports.LONGEST_WHY,
    )


AROUND = 6
"""Lines after the chosen one that are offered, too."""


@room.post(f"/games/<game:game_id>/talk/{ROOM}/report")
def send_report(game_id: str, whose: str) -> Response:
    signed_in()
    visit(game_id)
    numbers = [number for it in request.form.getlist("line") if (number := number_in(it)) is not None]
    try:
        talk_reports.report(
            work(), by_whom(game_id), game_id, cast(Room, whose), numbers, request.form.get("why", ""), now()
        )
    except NoSuchLine:
        return report(game_id, whose, _("Choose at least one line that is still there."), 422)
    except BadName as bad:
        return report(
            game_id,
            whose,
            bad_name(bad, _("Please give a reason of at most {length} characters.", length=talk_reports.LONGEST_WHY)),
            422,
        )
    except NotSaid as refused:
        return report(game_id, whose, not_said(refused), 429)
    return done(url_for("pages.table.talk", game_id=game_id, whose=whose), "reported")


def _back(game_id: str, whose: str) -> Response:
    if request.form.get("show") == "talk":
        return to_table(game_id)
    return done(url_for("pages.table.talk", game_id=game_id, whose=whose, _anchor="write"))
