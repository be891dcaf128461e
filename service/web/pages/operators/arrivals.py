"""Incoming email for operators: its results, and reading a failed one again."""

from functools import partial
from typing import Any

from flask import Response, request, url_for

from service.games.transcripts import RECEIPTS
from service.operators import acts, oversight
from service.operators.oversight import Arrival
from service.web.pages.frame import _, moment, number_in
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, earlier, operator, sheet, why_given
from service.web.pages.parts import notices
from service.web.shared.context import now, store
from service.words import N_

RETURNED = {
    "unwanted": N_("rejected as unwanted"),
    "complained": N_("marked as spam by the recipient"),
    "undelivered": N_("could not be delivered for now"),
    "bounced": N_("address does not exist"),
    "delayed": N_("still on its way"),
}


ABOUT_US = ("unwanted", "complained")
"""Reports about a mail, and the part of them that concerns the sender: they hurt its reputation."""
CAME = {
    "failed": N_("failed on our side"),
    "waiting": N_("failed so far, will be retried"),
    "unreadable": N_("could not be read"),
    "unknown": N_("the email it answers no longer exists"),
    "unproved": N_("author not verified"),
    "unwanted": N_("spam complaint"),
}


@room.get("/operate/arrivals")
def arrivals(problem: str | None = None, status: int = 200) -> Response:
    came, before = (
        next((it for it in oversight.CAME if it == request.args.get("came")), None),
        request.args.get("before"),
    )
    with store.read() as conn:
        found = oversight.arrivals(conn, operator(), now(), came=came, before=number_in(before))
    more = earlier("arrivals", found, lambda it: it.id, came=came)
    return sheet(
        "operators/arrivals.html",
        status,
        problem=problem,
        arrivals=[_arrival(it) for it in found],
        came=came,
        more=more,
        sorts=[(it, _(CAME[it])) for it in oversight.CAME],
    )


def _arrival(it: Arrival) -> dict[str, Any]:
    sort = "unwanted" if it.said else it.what or "waiting"
    return {
        "id": it.id, "kind": notices.named("receipt" if it.kind in RECEIPTS else it.kind),
        "returned": it.returned, "person": it.person, "game": it.game,
        "person_at": url_for("pages.operators.person", person_id=it.person_id) if it.person_id else None,
        "game_at": url_for("pages.operators.game", game_id=it.game_id) if it.game else None,
        "became": _(CAME[sort]) if sort in CAME else sort, "again": it.failed, "at": moment(it.received_at),
        "due": moment(it.due_at) if not it.what else None, "domain": it.domain, "size": it.size,
        "attempts": it.attempts, "detail": it.detail,
        "said": " ".join(filter(None, (_(RETURNED[it.said]) if it.said else "", it.status))),
    }  # fmt: skip


@room.post("/operate/arrivals/<int(max=2147483647):number>")
def read_again(number: int) -> Response:
    return acted(
        lambda: acts.read_again(store, operator(), number, why_given(), now()),
        partial(arrivals, status=422),
        url_for("pages.operators.arrivals"),
    )
