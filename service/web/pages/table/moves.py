"""Playing a seat: moves, undoing, proposals to rewind, resigning."""

from collections.abc import Sequence

from flask import Response, abort, g, request, url_for

from domain.messages import Command
from service.database.store import NoSuchVersion
from service.games import moves, rights
from service.games.orders import LONGEST, LineReader
from service.games.play import SubmitOptions, submit, time_of_plies
from service.games.queries import Seen
from service.games.rights import Forbidden
from service.games.turn import Tryout, submission
from service.web.pages.frame import _, done, number_of, reader
from service.web.pages.parts import forms, tabs
from service.web.pages.parts.visits import by_whom
from service.web.pages.table import room, trying
from service.web.pages.table.table import again, shown_again, to_table
from service.web.shared.context import work
from service.web.shared.shapes import MOST_COMMANDS


def _submit_options(game_id: str, *wish: object) -> SubmitOptions:
    """Return the facts of a submission besides its commands: its position, and a key that makes it idempotent."""
    g.seen, seat = rights.see_own(work(), by_whom(game_id), game_id)
    g.version = number_of("version")
    return {"expected_version": g.version, "submission_id": forms.submission_id(seat, g.version, *wish)}


@room.post("/games/<game:game_id>/try")
@shown_again
def try_out(game_id: str) -> Response:
    """Add one more command to the tried turn. It only shows the result."""
    seen, _seat = rights.see_own(work(), by_whom(game_id), game_id)
    if not seen.still_that_turn:
        raise Forbidden("earlier_turn")
    wish, version = trying.wished(seen.title), number_of("version")
    try:
        return _tried(game_id, wish._replace(version=version), [forms.read_command(seen.title, request.form)])
    except forms.NotACommand:
        return again(game_id, 400, problem=_("Please choose an action."))


def _tried(game_id: str, wish: trying.Collected, more: Sequence[Command]) -> Response:
    """Redirect to the page of a turn with more commands, if the address is not too long."""
    longer = wish.with_more(more)
    if not longer.fits(game_id):
        return again(game_id, 422, problem=_("That is too much to preview at once. Confirm your current steps first."))
    return done(tabs.kept(longer.address(game_id, "tried")))


@room.post("/games/<game:game_id>/move")
@shown_again
def move(game_id: str) -> Response:
    """Submit a tried turn, one command, or both together, as one submission."""
    seen, _seat = rights.see_own(work(), by_whom(game_id), game_id)
    commands = list(trying.wished(seen.title).commands)
    if "command" in request.form or not commands:
        try:
            g.chosen = forms.read_command(seen.title, request.form)
        except forms.NotACommand:
            return again(game_id, 400, problem=_("Please choose an action."))
        commands.append(g.chosen)
    options = _submit_options(game_id, *map(forms.command_text, commands))
    submit(work(), by_whom(game_id), submission(game_id, commands, **options))
    return to_table(game_id, did=g.version)


@room.post("/games/<game:game_id>/orders")
@shown_again
def order(game_id: str) -> Response:
    """Read lines from the text box. Show how each was read or, if all are orders, try or submit them."""
    seen, _seat = rights.see_own(work(), by_whom(game_id), game_id)
    text, version, wish = request.form.get("lines", "")[:MOST_TEXT], number_of("version"), trying.wished(seen.title)
    try:
        position = trying.position(seen, wish._replace(version=version))
    except NoSuchVersion:
        abort(400)
    given = text.splitlines()[:MOST_COMMANDS]
    if _look(seen, given):
        return done(url_for("pages.text.table", game_id=game_id) + wish._replace(version=version).query + "#main")
    read = Tryout(seen, time_of_plies(seen.stored, None), reader().lang, position).read(given)
    g.lines = (text, read)
    commands = [it.command for it in read if it.command is not None]
    wrong, then = len(commands) < len(read) or not commands, request.form.get("do")
    if wrong or then not in ("play", "add"):
        return again(game_id, 422 if wrong else 200)
    if then == "add":
        return _tried(game_id, wish._replace(version=version), commands)
    commands = [*wish.commands, *commands]
    options = _submit_options(game_id, *map(forms.command_text, commands))
    submit(work(), by_whom(game_id), submission(game_id, commands, **options))
    return to_table(game_id, did=g.version)


MOST_TEXT = 4000
"""Characters that the text box accepts."""


def _look(seen: Seen, lines: Sequence[str]) -> bool:
    """Do these lines only ask for the position in words?"""
    known = LineReader(seen, seen.game, 0, reader().lang)
    wishes = [known.wish(it[:LONGEST]) for it in lines if it.strip()]
    return bool(wishes) and all(it is not None and it.word == "look" for it in wishes)


@room.post("/games/<game:game_id>/take-back")
@shown_again
def take_back(game_id: str) -> Response:
    down_to = number_of("down_to")
    moves.take_back(work(), by_whom(game_id), game_id, down_to, **_submit_options(game_id, "take back", down_to))
    return to_table(game_id, "taken-back")


@room.post("/games/<game:game_id>/rewind")
@shown_again
def propose_rewind(game_id: str) -> Response:
    to = number_of("to")
    moves.propose_rewind(work(), by_whom(game_id), game_id, to, **_submit_options(game_id, "propose", to))
    return to_table(game_id, "rewind-proposed")


@room.post("/games/<game:game_id>/rewind/agree")
@shown_again
def agree_to_rewind(game_id: str) -> Response:
    to = number_of("to")
    moves.agree_to_rewind(work(), by_whom(game_id), game_id, to, **_submit_options(game_id, "agree", to))
    return to_table(game_id, "rewind-agreed")


@room.post("/games/<game:game_id>/rewind/refuse")
@shown_again
def refuse_rewind(game_id: str) -> Response:
    moves.refuse_rewind(work(), by_whom(game_id), game_id, **_submit_options(game_id, "refuse"))
    return to_table(game_id, "rewind-refused")


@room.post("/games/<game:game_id>/resign")
@shown_again
def resign(game_id: str) -> Response:
    moves.resign(work(), by_whom(game_id), game_id, **_submit_options(game_id, "resign"))
    return to_table(game_id, "resigned")
