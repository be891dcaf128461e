"""A past position of a game in words."""

from flask import Response, abort, redirect, request, url_for

from service.database.store import NoSuchVersion
from service.games import lookback, queries
from service.web.pages.frame import _, number_in, page, reader
from service.web.pages.parts.fresh import told
from service.web.pages.parts.result import names
from service.web.pages.parts.visits import visit
from service.web.pages.sandbox.sandboxes import offer
from service.web.pages.story.story import eyes_on, other_eyes, rewind_to
from service.web.pages.text import room
from service.web.pages.text.position import in_words
from service.web.shared.context import store


@room.get("/games/<game:game_id>/text/at")
def go_to(game_id: str) -> Response:
    """Go to the position after the move whose number the form gives."""
    seen = visit(game_id)
    version = number_in(request.args.get("to"))
    if version is None:
        abort(400)
    there = min(max(1, version), seen.game.version)
    return redirect(url_for("pages.text.position", game_id=game_id, version=there, **eyes_on(seen)[1]))  # type: ignore[return-value]


@room.get("/games/<game:game_id>/text/at/<int:version>")
def position(game_id: str, version: int) -> Response:
    """Show the game as the reader saw it after a ply."""
    seen, eyes = eyes_on(visit(game_id))
    last = seen.game.version
    if not 1 <= version <= last:
        raise NoSuchVersion(version)
    with store.read() as conn:
        rewind = rewind_to(conn, seen, version)
        turn_before, turn_after = lookback.neighbours(store, conn, seen, version)
        past = queries.position(store, conn, seen, version)
        plies = queries.plies(store, conn, seen, reader().lang, since=version - 1, until=version)
    view = queries.view(seen, past)

    def at(number: int | None) -> str:
        return url_for("pages.text.position", game_id=game_id, version=number, **eyes) if number else ""

    steps = [
        (_("First"), at(1 if version > 1 else None)),
        (_("Previous turn"), at(turn_before)),
        (_("Previous move"), at(version - 1)),
        (_("Next move"), at(version + 1 if version < last else None)),
        (_("Next turn"), at(turn_after)),
        (_("Now"), url_for("pages.text.table", game_id=game_id)),
    ]
    asked = [] if view is None else list(past.asked)
    return page(
        "text/past.html",
        game={"id": game_id, "name": seen.row.name},
        title=seen.title,
        at=version,
        last=last,
        eyes=eyes,
        steps=[it for it in steps if it[1]],
        told=told(plies),
        position=None if view is None else in_words(seen, view),
        waiting=names(seen, asked),
        why=None if view is None else queries.why_asked(seen, reader().lang, past),
        going_back=rewind,
        version=seen.version,
        trying=offer(seen, version) if view is not None else None,
        whose=seen.player(seen.seat) if eyes and seen.seat else None,
        others=other_eyes(seen),
    )
