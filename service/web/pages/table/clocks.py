"""Time at a table: clocks beside the seats, the pace in words, and seats whose player is away."""

from typing import Any

from flask import url_for

from domain.pace import preset_of
from service.games import queries
from service.games.queries import Seen
from service.games.rights import may
from service.web.pages.frame import moment, reader
from service.web.pages.parts import pace
from service.web.pages.parts.result import names
from service.web.shared.context import settings


def of_table(seen: Seen, at: int) -> dict[str, Any]:
    """Return the template facts of a table's pace; empty without one."""
    table = seen.table
    if table.pace is None:
        return {}
    can = may(seen, at)
    token = None if seen.by_link or seen.row.public else queries.invitation(settings, seen)
    running = {it.seat: _clock(it, at) for it in queries.clocks(seen)}
    return {
        "mine": running.get(seen.seat or 0),
        "name": pace.say(f"pace_{preset_of(table.pace)}"),
        "said": pace.described(table.pace),
        "clocks": running,
        "away": queries.away(seen),
        "vacant": [{"number": seat, "name": seen.player(seat)} for seat in queries.vacant(seen)],
        "waited_for": names(seen, queries.waited_for(seen)),
        "stand_ins": {it.seat: {"until": moment(it.until), "over": it.until <= at} for it in queries.stand_ins(seen)},
        "barred": queries.barred(seen),
        "return_to_seat": "return_to_seat" in can,
        "take_over": "take_over" in can,
        "stand_in": "stand_in" in can,
        "sign_in": reader().asker is None,
        "invitation": settings.site + url_for("pages.table.invitation", token=token) if token else "",
        "is_host": seen.hosts,
    }


def _clock(it: queries.RunningClock, at: int) -> dict[str, Any]:
    return {
        "due": moment(it.due),
        "left": pace.left(it.due - at) if it.due > at else "",
        "bank": pace.left(min(it.bank, max(0, it.due - at))) if it.bank else "",
    }
