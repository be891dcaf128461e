"""The profile of a person, as its reader may see it."""

from typing import Any

from flask import Response, abort, url_for
from markupsafe import Markup

from service.people import acquaintances
from service.record import profiles
from service.record.profiles import NoSuchProfile, Profile
from service.web.pages.frame import page, reader
from service.web.pages.front import room
from service.web.pages.parts.ratings import rating_line, results_line, time_line, title_name
from service.web.shared.context import store


@room.get("/people/<string(length=22):address>")
def profile(address: str) -> Response:
    who = reader()
    try:
        with store.read() as conn:
            seen = profiles.profile(conn, address, who.id, who.lang)
            lists = {} if who.id is None else _lists(conn, who.id, address)
    except NoSuchProfile:
        abort(404)
    response = page(
        "front/profile.html",
        profile=seen,
        picture=Markup(profiles.avatar(address)),
        lists=lists,
        games=[_game(it) for it in seen.games or ()],
        results=[results_line(it, title_name(it.of)) for it in seen.results or ()],
        times=[time_line(it) for it in seen.times or ()],
        ratings=[rating_line(it) for it in seen.ratings or ()],
        reliability=_reliability(seen),
    )
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _lists(conn: Any, person_id: int, address: str) -> dict[str, bool]:
    """Return for each list of the reader whether this person is on it."""
    return {
        kind: any(it.profile == address for it in acquaintances.listed(conn, person_id, kind))
        for kind in acquaintances.KINDS
    }


def _game(game: profiles.ProfileGame) -> dict[str, Any]:
    return {
        "address": url_for("pages.table.game", game_id=game.game), "name": game.name, "title": title_name(game.title),
        "place": game.place, "seats": game.seats,
    }  # fmt: skip


def _reliability(seen: Profile) -> dict[str, int] | None:
    found = seen.reliability
    if found is None or not found.games:
        return None
    return {"part": round(100 * found.finished / found.games), "games": found.games, "time_outs": found.time_outs}
