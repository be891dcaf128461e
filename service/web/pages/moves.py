"""Playing a seat: moves, taking back, going back together, resigning."""

from flask import Response, abort, g, request, url_for

from service.database.store import NoSuchVersion
from service.games import moves, orders, rights
from service.games.play import Named, submit, time_of_plies
from service.web.pages import forms
from service.web.pages.table import again, shown_again
from service.web.pages.web import _, by_whom, done, number_of, pages, reader
from service.web.shared.context import work
from service.web.shared.shapes import MOST_COMMANDS


def _named(game_id: str, *wish: object) -> Named:
    """What a form says of a wish beside itself: the position it is for, and a name under which it is done once."""
    g.seen, seat = rights.see_own(work(), by_whom(game_id), game_id)
    g.version = number_of("version")
    return {"expected_version": g.version, "submission_id": forms.submission_id(seat, g.version, *wish)}


@pages.post("/games/<game:game_id>/move")
@shown_again
def move(game_id: str) -> Response:
    seen, _seat = rights.see_own(work(), by_whom(game_id), game_id)
    try:
        g.chosen = forms.read_command(seen.title, request.form)
    except forms.NotACommand:
        return again(game_id, 400, problem=_("Please choose what to do."))
    named = _named(game_id, forms.command_text(g.chosen))
    submit(work(), by_whom(game_id), moves.of(game_id, [g.chosen], **named))
    return done(url_for("pages.game", game_id=game_id))


@pages.post("/games/<game:game_id>/orders")
@shown_again
def order(game_id: str) -> Response:
    """Lines out of the text box: shown again with how each is read, or done, if that was wished and all are orders."""
    seen, _seat = rights.see_own(work(), by_whom(game_id), game_id)
    text, version = request.form.get("lines", "")[:MOST_TEXT], number_of("version")
    try:
        position = orders.position(work(), seen, version)
    except NoSuchVersion:
        abort(400)
    given = text.splitlines()[:MOST_COMMANDS]
    read = orders.read_lines(seen, given, time_of_plies(seen.stored, None), reader().lang, position)
    g.lines = (text, read)
    commands = [it.command for it in read if it.command is not None]
    wrong = len(commands) < len(read) or not commands
    if wrong or request.form.get("do") != "play":
        return again(game_id, 422 if wrong else 200)
    named = _named(game_id, *map(forms.command_text, commands))
    submit(work(), by_whom(game_id), moves.of(game_id, commands, **named))
    return done(url_for("pages.game", game_id=game_id))


MOST_TEXT = 4000
"""Characters that the text box takes."""


@pages.post("/games/<game:game_id>/take-back")
@shown_again
def take_back(game_id: str) -> Response:
    down_to = number_of("down_to")
    moves.take_back(work(), by_whom(game_id), game_id, down_to, **_named(game_id, "take back", down_to))
    return done(url_for("pages.game", game_id=game_id), "taken-back")


@pages.post("/games/<game:game_id>/rewind")
@shown_again
def propose_rewind(game_id: str) -> Response:
    to = number_of("to")
    moves.propose_rewind(work(), by_whom(game_id), game_id, to, **_named(game_id, "propose", to))
    return done(url_for("pages.game", game_id=game_id), "rewind-proposed")


@pages.post("/games/<game:game_id>/rewind/agree")
@shown_again
def agree_to_rewind(game_id: str) -> Response:
    to = number_of("to")
    moves.agree_to_rewind(work(), by_whom(game_id), game_id, to, **_named(game_id, "agree", to))
    return done(url_for("pages.game", game_id=game_id), "rewind-agreed")


@pages.post("/games/<game:game_id>/rewind/refuse")
@shown_again
def refuse_rewind(game_id: str) -> Response:
    moves.refuse_rewind(work(), by_whom(game_id), game_id, **_named(game_id, "refuse"))
    return done(url_for("pages.game", game_id=game_id), "rewind-refused")


@pages.post("/games/<game:game_id>/resign")
@shown_again
def resign(game_id: str) -> Response:
    moves.resign(work(), by_whom(game_id), game_id, **_named(game_id, "resign"))
    return done(url_for("pages.game", game_id=game_id), "resigned")
