"""Time at a table: clocks beside the seats, the pace in words, what is done about a seat whose player is away."""

from typing import Any

from flask import Response, abort, url_for

from domain.pace import preset_of
from domain.refusal import Refused
from service.games import queries, seats
from service.web.pages import pace
from service.web.pages.games import again, number_of_seat
from service.web.pages.result import names
from service.web.pages.web import Visit, done, moment, pages, reader, signed_in, visit
from service.web.pages.welcome import introduced
from service.web.shared.context import settings, store


def of_table(here: Visit, at: int) -> dict[str, Any]:
    """What a table with a pace shows of it; empty where nobody is hurried."""
    seen = here.seen
    table = seen.game.table
    if table is None or table.pace is None:
        return {}
    can = queries.may(seen, at) if here.link is None else []
    token = queries.invitation(settings, seen) if here.link is None and not seen.row.public else None
    running = {it.seat: _clock(it, at) for it in queries.clocks(seen)}
    return {
        "mine": running.get(seen.seat or 0),
        "name": pace.say(f"pace_{preset_of(table.pace)}"), "said": pace.described(table.pace),
        "clocks": running, "away": queries.away(seen),
        "vacant": [{"number": seat, "name": seen.player(seat)} for seat in queries.vacant(seen)],
        "waited_for": names(seen, queries.waited_for(seen)),
        "stand_ins": {it.seat: {"until": moment(it.until), "over": it.until <= at} for it in queries.stand_ins(seen)},
        "barred": queries.barred(seen),
        "return_to_seat": "return_to_seat" in can, "take_over": "take_over" in can, "stand_in": "stand_in" in can,
        "sign_in": reader().asker is None,
        "invitation": settings.site + url_for("pages.invitation", token=token) if token else "",
        "is_host": seen.is_host,
    }  # fmt: skip


def _clock(it: queries.Clock, at: int) -> dict[str, Any]:
    return {
        "due": moment(it.due), "left": pace.left(it.due - at) if it.due > at else "",
        "bank": pace.left(min(it.bank, max(0, it.due - at))) if it.bank else "",
    }  # fmt: skip


def _there(game_id: str) -> queries.Seen:
    signed_in()
    with store.read() as conn:
        here = visit(conn, game_id)
    if here.link is not None:
        abort(403)
    return here.seen


@pages.post("/games/<game:game_id>/return")
def return_to_seat(game_id: str) -> Response:
    seen = _there(game_id)
    if seen.seat is None:
        abort(403)
    try:
        seats.return_to(store, game_id, seen.seat)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "back" if queries.barred(seen) else "there")


@pages.post("/games/<game:game_id>/take-over")
def take_over(game_id: str) -> Response:
    seen, seat = _there(game_id), number_of_seat()
    assert seen.viewer is not None
    if problem := introduced(signed_in()):
        return again(game_id, 422, problem=problem)
    try:
        seats.take_over(store, game_id, seat, person_id=seen.viewer, invitation=seen.only_by)
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id), "seated")


@pages.post("/games/<game:game_id>/stand-in")
def stand_in(game_id: str) -> Response:
    seen = _there(game_id)
    if not seen.is_host:
        abort(403)
    try:
        seats.stand_in(store, game_id, number_of_seat())
    except Refused as refused:
        return again(game_id, 422, refused)
    return done(url_for("pages.game", game_id=game_id))
