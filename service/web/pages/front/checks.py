"""The page of the nightly check: the number of proved games, and its findings."""

from typing import Any

from flask import Response, url_for

from service.proof import checks
from service.proof.checks import Run
from service.web.pages.frame import _, moment, page, reader
from service.web.pages.front import room
from service.web.shared.context import store
from service.words import amount, called


@room.get("/checks")
def nightly_checks() -> Response:
    with store.read() as conn:
        runs = checks.runs(conn)
        last = next((it for it in runs if it.ended_at is not None), None)
        found = checks.differences_for(conn, reader().id, last.id) if last and last.wrong else []
    under_way = runs[0] if runs and runs[0].ended_at is None else None
    return page(
        "front/checks.html",
        last=_run(last) if last else None,
        under_way=under_way and under_way.games,
        differences=[
            {
                "game": it.game_id,
                "address": url_for("pages.story.audit", game_id=it.game_id),
                "what": it.what(reader().lang),
                "where": _("ply {ply}", ply=it.ply) if it.ply else _("outside the log"),
            }
            for it in found
        ],
        elsewhere=last.wrong - len({it.game_id for it in found}) if last else 0,
        earlier=[_run(it) for it in runs if it.ended_at is not None and it is not last],
    )


def _run(run: Run) -> dict[str, Any]:
    names = {title.id: called(title, reader().lang) for title in store.titles.values()}
    return {
        "time": moment(run.started_at), "games": run.games, "plies": run.plies, "wrong": run.wrong,
        "not_proved": run.not_proved, "release": run.program, "took": _duration(run.spent),
        "titles": [(names.get(title, title), counts) for title, counts in sorted(run.titles.items())],
    }  # fmt: skip


def _duration(milliseconds: int) -> str:
    if milliseconds < 100_000:
        return _("{seconds} s", seconds=amount(round(milliseconds / 1000, 1), reader().lang))
    return _("{minutes} min", minutes=amount(round(milliseconds / 60_000, 1), reader().lang))
