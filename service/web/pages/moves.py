"""Playing a seat: moves, taking back, going back together, resigning."""

from collections.abc import Callable
from typing import Any

from flask import Response, abort, request, url_for

from domain.lifecycle import AgreeToRewind, ProposeRewind, RefuseRewind, Resign, TakeBack
from domain.messages import Command
from domain.refusal import Refused
from service.games import play
from service.web.pages import forms
from service.web.pages.table import again
from service.web.pages.web import Visit, _, done, number_of, pages, reader, signed_in, visit
from service.web.shared.context import store


def _seated(game_id: str) -> Visit:
    """The table for the seat that does something at it."""
    with store.read() as conn:
        here = visit(conn, game_id)
    if here.seen.seat is None:
        if reader().asker is None:
            signed_in()
        abort(403)
    return here


def _submit(
    game_id: str, command: Command, said: str | None = None, hand_in: Callable[..., Any] | None = None
) -> Response:
    """Hand a command in, and show the table again: as it is then, or with what stands against the command.

    ``hand_in``: how, where it is not simply submitted; it is given the seat, who holds it, the version, and the
    submission's id.
    """
    here, version = _seated(game_id), number_of("version")
    seat = here.seen.seat
    assert seat is not None
    if not here.still_that_turn:
        return again(game_id, 403, problem=_("This link was for an earlier turn. Sign in to move now."))
    submission_id = forms.submission_id(seat, version, command)
    try:
        if hand_in is not None:
            hand_in(seat, here.seen.viewer, version, submission_id)
        else:
            play.submit(
                store, game_id, seat, [command], version, submission_id,
                known=here.seen.stored, holder=here.seen.viewer,
            )  # fmt: skip
    except Refused as refused:
        return again(game_id, 422, refused=refused, chosen=command)
    except play.Stale:
        return again(game_id, 409, chosen=command, seen_version=version)
    return done(url_for("pages.game", game_id=game_id), said)


@pages.post("/games/<game:game_id>/move")
def move(game_id: str) -> Response:
    title = _seated(game_id).seen.title
    try:
        command = forms.read_command(title, request.form)
    except forms.NotACommand:
        return again(game_id, 400, problem=_("Please choose what to do."))
    return _submit(game_id, command)


@pages.post("/games/<game:game_id>/take-back")
def take_back(game_id: str) -> Response:
    return _submit(game_id, TakeBack(number_of("down_to")), "taken-back")


@pages.post("/games/<game:game_id>/rewind")
def propose_rewind(game_id: str) -> Response:
    to = number_of("to")

    def propose(seat: int, holder: int | None, version: int, submission_id: str) -> None:
        play.propose_rewind(
            store, game_id, seat, to, holder=holder, expected_version=version, submission_id=submission_id
        )

    return _submit(game_id, ProposeRewind(to, (), 0), "rewind-proposed", propose)


@pages.post("/games/<game:game_id>/rewind/agree")
def agree_to_rewind(game_id: str) -> Response:
    return _submit(game_id, AgreeToRewind(number_of("to")), "rewind-agreed")


@pages.post("/games/<game:game_id>/rewind/refuse")
def refuse_rewind(game_id: str) -> Response:
    return _submit(game_id, RefuseRewind(), "rewind-refused")


@pages.post("/games/<game:game_id>/resign")
def resign(game_id: str) -> Response:
    signed_in()
    if _seated(game_id).link is not None:
        abort(403)
    return _submit(game_id, Resign(), "resigned")
