"""Emails for operators: their delivery, and sending one again."""

from functools import partial
from typing import Any

from flask import Response, abort, url_for

from service.notices.ledger import Owed
from service.operators import acts, oversight
from service.web.pages.frame import _, moment, number_in
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, chosen_in, earlier, operator, sheet, text_in, why_given, wished
from service.web.pages.parts import notices
from service.web.shared.context import now, store
from service.words import N_

MAIL_STATES = {
    "pending": N_("waiting"), "held": N_("held for the recipient"), "failing": N_("failed, tried again"),
    "leased": N_("being sent"), "sent": N_("sent"), "superseded": N_("not needed"), "dead": N_("not delivered"),
}  # fmt: skip


@room.get("/operate/mails")
def mails() -> Response:
    state, at = chosen_in("state", tuple(MAIL_STATES)), now()
    person, game, before = (text_in(name, 50) for name in ("person", "game", "before"))
    with store.read() as conn:
        found = oversight.mails(
            conn,
            operator(),
            at,
            person_id=number_in(person),
            game_id=game or None,
            state=state or None,
            before=number_in(before),
        )
    more = earlier("mails", found, lambda it: it.entry.id, state=state, person=person, game=game)
    return sheet(
        "operators/mails.html",
        mails=[mail_line(it) for it in found],
        state=state,
        person=person,
        game=game,
        more=more,
        states=[(it, _(MAIL_STATES[it])) for it in MAIL_STATES],
    )


def mail_line(owed: Owed) -> dict[str, Any]:
    line = notices.line(owed.entry)
    waits = owed.entry.state == "pending"
    return {
        **line,
        "to": owed.name or owed.address,
        "at": owed.address if owed.name else "",
        "person_at": url_for("pages.operators.person", person_id=owed.person_id) if owed.person_id else None,
        "game_at": url_for("pages.operators.game", game_id=line["game_id"]) if line["game"] else None,
        "address": url_for("pages.operators.mail", notice_id=line["id"]),
        "due": moment(owed.entry.due_at) if waits else None,
        "now": waits,
    }


@room.get("/operate/mails/<int(max=2147483647):notice_id>")
def mail(notice_id: int, problem: str | None = None, status: int = 200) -> Response:
    with store.read() as conn:
        found = oversight.mail(conn, operator(), notice_id, now())
    if found is None:
        abort(404)
    return sheet("operators/mail.html", status, problem=problem, mail=mail_line(found), why=why_given())


@room.post("/operate/mails/<int(max=2147483647):notice_id>")
def act_on_mail(notice_id: int) -> Response:
    deed = wished({"resend": acts.resend, "send_now": acts.send_now})
    return acted(
        lambda: deed(store, operator(), notice_id, why_given(), now()),
        partial(mail, notice_id, status=422),
        url_for("pages.operators.mail", notice_id=notice_id),
    )
