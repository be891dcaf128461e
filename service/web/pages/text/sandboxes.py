"""A sandbox in words. Its forms go to the views of the sandbox with a board."""

from typing import Any

from flask import Response, request

from domain.fork import UnreadableStart
from domain.messages import Command
from domain.refusal import Refused
from service.games import queries
from service.games.queries import Seen
from service.games.sandboxes import Sandbox
from service.web.pages.frame import _, number_asked, page, reader
from service.web.pages.parts import forms, in_words
from service.web.pages.parts.refusals import refusal, rule_link
from service.web.pages.parts.result import ending, names, result_table
from service.web.pages.parts.typing import text_box
from service.web.pages.sandbox.sandboxes import about, eyes_asked, own, seats, story, turn, unreadable
from service.web.pages.text import room
from service.web.pages.text.actions import doable
from service.web.pages.text.position import in_words as words_of


@room.get("/sandboxes/<game:sandbox_id>/text")
def sandbox(sandbox_id: str) -> Response:
    try:
        box = own(sandbox_id)
    except UnreadableStart:
        return unreadable(sandbox_id)
    return text_sandbox(box, eyes=eyes_asked())


def text_sandbox(
    box: Sandbox,
    status: int = 200,
    *,
    eyes: int | None = None,
    refused: Refused | None = None,
    chosen: Command | None = None,
    problem: str | None = None,
) -> Response:
    """Show the sandbox. The arguments are those of the view with a board; a list of lines needs no ``chosen`` one."""
    seen, title = box.seen(box.eyes(eyes)), box.title
    assert seen.seat is not None
    result, can = queries.result(seen), doable(seen)
    return page(
        "text/sandbox.html",
        status,
        sandbox=about(box.row),
        title=title,
        rules_since=title.rules.version != box.row.rules,
        did=_did(box, seen),
        position=words_of(seen, queries.view(seen)),
        can=can,
        eyes={"seat": seen.seat, "name": seen.player(seen.seat)},
        seats=seats(box, seen),
        asked=names(seen, box.asked),
        why=queries.why_asked(seen, reader().lang),
        over=ending(seen, result),
        result=result_table(seen, result),
        bots=forms.bot_names(title),
        bots_asked=any(seat in box.bots for seat in box.asked),
        story=story(box, seen),
        turn=turn(box, seen),
        given=request.form,
        typed=text_box(seen, queries.actions(seen)) if can.groups else None,
        rule_link=rule_link,
        refused=refusal(refused, title, seen) if refused else None,
        problem=problem,
    )


in_words.SHOWN["sandbox"] = text_sandbox


def _did(box: Sandbox, seen: Seen) -> str:
    """Say what has happened since the ply that the address names, or that the sandbox went back; "" without one."""
    since = number_asked("did", box.row.ply) if request.method == "GET" else box.row.ply
    if since > box.row.ply:
        return _("The sandbox is back at move {number}.", number=box.row.ply)
    told: list[dict[str, Any]] = [it for it in story(box, seen) if since < it["number"] <= box.row.ply]
    return " ".join(line for it in reversed(told) for line in it["lines"])
