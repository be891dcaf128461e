"""People for operators: accounts, and actions on them."""

from functools import partial
from typing import Any

from flask import Response, abort, request, url_for

from service.operators import acts, notes, oversight
from service.operators.oversight import PersonLine
from service.web.pages.frame import _, moment, number_in
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, chosen_in, earlier, operator, sheet, text_in, why_given, wished
from service.web.pages.operators.entries import entry_line
from service.web.pages.operators.games import game_line
from service.web.pages.operators.hooks import hook_line
from service.web.pages.operators.mails import mail_line
from service.web.pages.operators.notes import notes_of, write_note
from service.web.shared.context import now, store
from service.words import N_

GROUPS = {
    "all": N_("all people"),
    "operators": N_("operators"),
    "blocked": N_("blocked"),
    "flagged": N_("email bounces"),
    "stopped": N_("have stopped email"),
}


@room.get("/operate/people")
def people() -> Response:
    text, group, at = text_in("text", 254), chosen_in("group", oversight.PEOPLE), now()
    before = number_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.people(conn, operator(), at, text=text, group=group, before=before)
        never = oversight.wants_no_invitations(conn, operator(), text, at) if text else None
    more = earlier("people", found, lambda it: it.id, text=text, group=group)
    return sheet(
        "operators/people.html",
        people=[_person(it) for it in found],
        text=text,
        group=group,
        more=more,
        never=moment(never) if never else None,
        groups=[(it, _(GROUPS[it])) for it in oversight.PEOPLE],
    )


def _person(line: PersonLine) -> dict[str, Any]:
    return {
        "id": line.id, "name": line.name, "email": line.email, "since": moment(line.created_at), "games": line.games,
        "address": url_for("pages.operators.person", person_id=line.id), "zone": line.zone, "lang": line.lang,
        "marks": [_(GROUPS[it]) for it in line.groups], "is_operator": line.is_operator,
        "blocked": moment(line.blocked_at) if line.blocked_at else None, "flag": line.flag,
        "flagged": moment(line.flagged_at) if line.flagged_at else None,
        "stopped": moment(line.stopped_at) if line.stopped_at else None,
    }  # fmt: skip


@room.get("/operate/people/<int(max=2147483647):person_id>")
def person(person_id: int, problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        line = oversight.person(conn, operator(), person_id, at)
        if line is None:
            abort(404)
        games = oversight.games(store, conn, operator(), at, person_id=person_id)
        mails = oversight.mails(conn, operator(), at, person_id=person_id, limit=10)
        hooks = oversight.hooks(conn, operator(), at, person_id=person_id)
        entries = acts.entries(conn, operator(), at, person_id=person_id)
        written = notes_of(conn, at, person_id=person_id)
    myself = person_id == operator().person_id
    wishes = [("unflag", _("Try the address again"))] if line.flagged_at else []
    if line.blocked_at:
        wishes.append(("unblock", _("Unblock")))
    elif not myself:
        wishes.append(("block", _("Block")))
    return sheet(
        "operators/person.html",
        status,
        problem=problem,
        person=_person(line),
        games=[game_line(it) for it in games],
        mails=[mail_line(it) for it in mails],
        hooks=[hook_line(it) for it in hooks],
        entries=[entry_line(it) for it in entries],
        notes=written,
        all_mails=url_for("pages.operators.mails", person=person_id),
        myself=myself,
        wishes=wishes,
        why=why_given(),
    )


@room.post("/operate/people/<int(max=2147483647):person_id>")
def act_on_person(person_id: int) -> Response:
    deed = wished({"block": acts.block, "unblock": acts.unblock, "unflag": acts.unflag})
    return acted(
        lambda: deed(store, operator(), person_id, why_given(), now()),
        partial(person, person_id, status=422),
        url_for("pages.operators.person", person_id=person_id),
    )


@room.post("/operate/people/<int(max=2147483647):person_id>/notes")
def note_person(person_id: int) -> Response:
    return write_note(
        partial(notes.about_person, store, operator(), person_id),
        partial(person, person_id, status=422),
        url_for("pages.operators.person", person_id=person_id),
    )
