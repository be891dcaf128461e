"""Webhooks for operators: their calls and failures."""

from functools import partial
from typing import Any

from flask import Response, request, url_for

from service.operators import acts, oversight
from service.operators.oversight import Hook
from service.web.pages.frame import _, moment, number_in
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, earlier, operator, sheet, why_given
from service.web.pages.parts import notices
from service.web.pages.parts.notices import cause
from service.web.shared.context import now, store
from service.words import N_

CALL_STATES = {
    "pending": N_("waiting"),
    "leased": N_("in progress"),
    "sent": N_("accepted"),
    "superseded": N_("not needed"),
    "dead": N_("not delivered"),
}


@room.get("/operate/webhooks")
def hooks(problem: str | None = None, status: int = 200) -> Response:
    failing, before = "failing" in request.args, number_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.hooks(conn, operator(), now(), failing=failing, before=before)
    more = earlier("hooks", found, lambda it: it.id, failing="on" if failing else None)
    return sheet(
        "operators/hooks.html",
        status,
        problem=problem,
        hooks=[hook_line(it) for it in found],
        failing=failing,
        more=more,
    )


def hook_line(hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id, "person": hook.person, "host": hook.host, "enabled": hook.enabled,
        "person_at": url_for("pages.operators.person", person_id=hook.person_id), "failures": hook.failures,
        "why": cause(hook.disabled_for or hook.error) if hook.disabled_for or hook.error else "",
        "calls": [
            {"id": it.id, "kind": notices.named(it.kind),
             "state": _(CALL_STATES[it.state]), "again": it.state in ("sent", "dead") and hook.enabled,
             "at": moment(it.done_at or it.due_at), "attempts": it.attempts,
             "detail": cause(it.detail) if it.detail else ""}
            for it in hook.calls
        ],
    }  # fmt: skip


@room.post("/operate/calls/<int(max=2147483647):call_id>")
def call_again(call_id: int) -> Response:
    return acted(
        lambda: acts.call_again(store, operator(), call_id, why_given(), now()),
        partial(hooks, status=422),
        url_for("pages.operators.hooks"),
    )
