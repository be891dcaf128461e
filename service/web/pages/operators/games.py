"""Games for operators: the tables, and actions on them."""

from functools import partial
from typing import Any

from flask import Response, abort, request, url_for

from service.operators import acts, notes, oversight
from service.operators.oversight import GameLine, Sitting
from service.web.pages.frame import _, moment, number_in, place_in, reader
from service.web.pages.operators import room
from service.web.pages.operators.area import acted, chosen_in, earlier, operator, sheet, text_in, why_given, wished
from service.web.pages.operators.entries import entry_line
from service.web.pages.operators.mails import mail_line
from service.web.pages.operators.notes import notes_of, write_note
from service.web.pages.parts.result import GAME_STATES
from service.web.shared.context import now, store
from service.words import N_, called, listed, name_of_bot

TROUBLES = {
    "late": N_("an expired clock was not handled"),
    "bots": N_("a bot has not moved in time"),
    "still": N_("no activity for two weeks"),
    "paused": N_("paused because nobody is there"),
}


CLOSED_FOR = {
    "fault": N_("a fault in the service"),
    "conduct": N_("a player's conduct"),
    "wish": N_("the players' request"),
    "other": N_("something else"),
}


@room.get("/operate/games")
def games() -> Response:
    text, at = text_in("text", 80), now()
    status, trouble = chosen_in("status", tuple(GAME_STATES)), chosen_in("trouble", oversight.TROUBLES)
    before = place_in(request.args.get("before"))
    with store.read() as conn:
        found = oversight.games(store, conn, operator(), at, text=text, status=status, trouble=trouble, before=before)
    more = earlier("games", found, lambda it: f"{it.created_at}.{it.id}", text=text, status=status, trouble=trouble)
    return sheet(
        "operators/games.html",
        games=[game_line(it) for it in found],
        text=text,
        status=status,
        trouble=trouble,
        more=more,
        states=[(it, _(GAME_STATES[it])) for it in GAME_STATES],
        troubles=[(it, _(TROUBLES[it])) for it in oversight.TROUBLES],
    )


def game_line(line: GameLine) -> dict[str, Any]:
    title, seats = store.titles.get(line.title), [_sitting(it) for it in line.sitting]
    return {
        "id": line.id, "name": line.name, "title": called(title, reader().lang) if title else line.title,
        "status": line.status, "state": _("paused") if line.paused else _(GAME_STATES[line.status]),
        "address": url_for("pages.operators.game", game_id=line.id), "moved": moment(line.moved_at),
        "created": moment(line.created_at), "due": moment(line.due_at) if line.due_at else None,
        "host": line.host,
        "host_at": url_for("pages.operators.person", person_id=line.host_id) if line.host_id else None,
        "public": line.public, "seats": seats,
        "people": listed([it["name"] for it in seats], reader().lang) or _("nobody yet"),
        "table": url_for("pages.table.game", game_id=line.id) if line.public else None,
    }  # fmt: skip


def _sitting(it: Sitting) -> dict[str, Any]:
    name = it.name or (name_of_bot(it.bot, it.seat, reader().lang) if it.bot else _("(erased)"))
    return {
        "seat": it.seat, "name": name, "bot": it.bot if it.person_id is not None else "", "left": it.left,
        "vacant": it.vacant, "asked": it.asked, "due": moment(it.due_at) if it.due_at else None,
        "address": url_for("pages.operators.person", person_id=it.person_id) if it.person_id else None,
    }  # fmt: skip


@room.get("/operate/games/<game:game_id>")
def game(game_id: str, problem: str | None = None, status: int = 200) -> Response:
    at = now()
    with store.read() as conn:
        line = oversight.game(conn, operator(), game_id, at)
        if line is None:
            abort(404)
        mails = oversight.mails(conn, operator(), at, game_id=game_id, limit=10)
        entries = acts.entries(conn, operator(), at, game_id=game_id)
        written = notes_of(conn, at, game_id=game_id)
    return sheet(
        "operators/game.html",
        status,
        problem=problem,
        game=game_line(line),
        mails=[mail_line(it) for it in mails],
        entries=[entry_line(it) for it in entries],
        notes=written,
        all_mails=url_for("pages.operators.mails", game=game_id),
        why=why_given(),
        wish=request.form.get("wish"),
        causes=[(it, _(CLOSED_FOR[it])) for it in acts.CLOSED_FOR],
        most_minutes=acts.LONGEST_GIVEN,
    )


@room.post("/operate/games/<game:game_id>")
def act_on_game(game_id: str) -> Response:
    form = request.form
    seat, minutes = number_in(form.get("seat")), number_in(form.get("minutes")) or 0
    cause = next((it for it in acts.CLOSED_FOR if it == form.get("cause", "other")), None)
    if cause is None or (form.get("wish") in ("free_seat", "ask_again") and seat is None):
        abort(400)
    deed = wished(
        {
            "close": partial(acts.close, store, operator(), game_id, cause),
            "free_seat": partial(acts.free_seat, store, operator(), game_id, seat or 0),
            "ask_again": partial(acts.ask_again, store, operator(), game_id, seat or 0),
            "give_time": partial(acts.give_time, store, operator(), game_id, minutes),
        }
    )
    return acted(
        lambda: deed(why_given(), now()),
        partial(game, game_id, status=422),
        url_for("pages.operators.game", game_id=game_id),
    )


@room.post("/operate/games/<game:game_id>/notes")
def note_game(game_id: str) -> Response:
    return write_note(
        partial(notes.about_game, store, operator(), game_id),
        partial(game, game_id, status=422),
        url_for("pages.operators.game", game_id=game_id),
    )
