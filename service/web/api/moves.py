"""Playing a seat: legal actions, previews, moves, undoing, rewinding together, resigning."""

import re
from collections.abc import Sequence
from typing import Any

from flask import Response
from marshmallow import ValidationError

from domain import notation
from domain.messages import Command, Event
from service.database.store import NoSuchVersion
from service.games import moves, orders, queries, rights
from service.games.play import Answer, SubmitOptions, submit, time_of_plies
from service.games.queries import Seen
from service.games.turn import Tryout, submission
from service.games.turn import position as position_at
from service.web.api import api, schemas
from service.web.api.api import Blueprint, needs, plain, shape_errors, tagged
from service.web.api.games import moved, my_game, position, submission_id
from service.web.shared.context import by_whom, lang, now, work
from service.web.shared.problems import Problem
from service.web.shared.shapes import shapes

blueprint = Blueprint("moves", __name__, url_prefix="/api/v1/games", description="Playing a seat")


# ==== legal actions ===============================================================================
@blueprint.route("/<game:game_id>/actions", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.Actions)
def list_actions(game_id: str) -> Any:
    """List the legal actions of your seat

    Each action holds a command that would be accepted now, ready to be sent. If it has a `span`, that field can be any
    of the numbers from `low` to `high`.
    """
    seen = my_game(game_id)
    reason = queries.why_no_take_back(seen, now())
    body = {
        "version": seen.version,
        "asked": seen.seat in seen.game.asked,
        "actions": action_lines(seen),
        "take_back": list(queries.take_backs(seen, now())),
        "take_backs_left": queries.take_backs_left(seen),
        "why_no_take_back": None if reason is None else seen.say(reason, lang()),
    }
    return tagged(body, schemas.Actions(), seen.version)


def action_lines(seen: Seen) -> list[dict[str, Any]]:
    """Return the legal actions, each ready to be sent back as a command."""
    return [
        {
            "command": plain(action.command),
            "line": notation.write(action.command),
            "order": order,
            "group": action.group,
            "group_name": seen.language(lang()).name(action.group),
            "sentence": seen.say(action.sentence, lang()),
            "span": action.span,
        }
        for action, order in orders.lines(seen, lang())
    ]


# ==== moving ======================================================================================
@blueprint.route("/<game:game_id>/preview", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.Moving())
@blueprint.response(200, schemas.Preview)
def preview_moves(given: dict[str, Any], game_id: str) -> Any:
    """Preview commands without playing them

    The preview ends before the first command that would draw or reveal something. Lines are read one after another,
    each at the position after the earlier ones, up to the first that is not an order.
    """
    seen = my_game(game_id)
    rights.must_have(work(), by_whom(), seen.stored, "move")
    turn = _turn(seen, None)
    lines = turn.read(given["lines"]) if "lines" in given else []
    for command in () if "lines" in given else commands_of(seen, given):
        turn.add(command)
        if turn.ahead:
            break
    return {
        "foreseen": not turn.ahead,
        "steps": [_step(seen, step.events) for step in turn.steps if step.events is not None],
        "lines": lines,
        "position": position(seen, turn.game),
    }


def _turn(seen: Seen, version: int | None) -> Tryout:
    """Return a turn of the seat from the position of ``version`` on (None: the present one)."""
    try:
        game = position_at(work(), seen, version)
    except NoSuchVersion:
        raise Problem("stale", version=seen.version) from None
    return Tryout(seen, time_of_plies(seen.stored, None), lang(), game)


def _step(seen: Seen, events: Sequence[Event]) -> dict[str, Any]:
    return {
        "events": [plain(event) for event in events],
        "sentences": [seen.say(sentence, lang()) for sentence in seen.title.face.narrate(events)],
    }


@blueprint.route("/<game:game_id>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.Moving())
@blueprint.response(201, schemas.Moved)
def make_moves(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Move: play one or several commands

    Either all commands count or none does. The exception is a draw or a reveal, which cannot be undone. If a command
    after it is refused, `plies` are those that count, `refused_at` is the first refused command, and `refusal` says
    why.
    """
    seen = my_game(game_id)
    version = expected_version(headers, seen.version)
    commands = commands_of_lines(seen, given["lines"], version) if "lines" in given else commands_of(seen, given)
    return _answered(submit(work(), by_whom(), submission(game_id, commands, version, submission_id(headers))), seen)


@blueprint.route("/<game:game_id>/take-back", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.TakingBack())
@blueprint.response(201, schemas.Moved)
def take_back(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Take back your own last plies"""
    seen = my_game(game_id)
    return _answered(
        moves.take_back(work(), by_whom(), game_id, given["down_to"], **_submit_options(headers, seen)), seen
    )


@blueprint.route("/<game:game_id>/resign", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(201, schemas.Moved)
def resign(headers: dict[str, Any], _: dict[str, Any], game_id: str) -> Any:
    """Leave a running game; the others play on"""
    seen = my_game(game_id)
    return _answered(moves.resign(work(), by_whom(), game_id, **_submit_options(headers, seen)), seen)


# ==== rewinding together ==========================================================================
@blueprint.route("/<game:game_id>/rewind", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.Rewinding())
@blueprint.response(201, schemas.Moved)
def propose_rewind(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Propose to go back to an earlier position

    All other people who play are asked, by mail too. The game goes on in the meantime; the next move ends the proposal.
    If the caller plays only against bots, the game goes back at once. `If-Match` is optional.
    """
    seen = my_game(game_id)
    options = _submit_options(headers, seen, versioned=False)
    return _answered(moves.propose_rewind(work(), by_whom(), game_id, given["to"], **options), seen)


@blueprint.route("/<game:game_id>/rewind/agree", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.Rewinding())
@blueprint.response(201, schemas.Moved)
def agree_to_rewind(headers: dict[str, Any], given: dict[str, Any], game_id: str) -> Any:
    """Agree to rewind

    `to` must be the ply of the proposal, so that nobody agrees to a proposal they have not seen. With the last
    agreement, the game goes back. `If-Match` is optional.
    """
    seen = my_game(game_id)
    options = _submit_options(headers, seen, versioned=False)
    return _answered(moves.agree_to_rewind(work(), by_whom(), game_id, given["to"], **options), seen)


@blueprint.route("/<game:game_id>/rewind/refuse", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.MoveHeaders(), location="headers")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(201, schemas.Moved)
def refuse_rewind(headers: dict[str, Any], _: dict[str, Any], game_id: str) -> Any:
    """Refuse to rewind, or withdraw your own proposal

    `If-Match` is optional.
    """
    seen = my_game(game_id)
    return _answered(
        moves.refuse_rewind(work(), by_whom(), game_id, **_submit_options(headers, seen, versioned=False)), seen
    )


def commands_of(seen: Seen, given: dict[str, Any]) -> list[Command]:
    """Read the commands of a body, in the shapes of the game's title."""
    try:
        return shapes(seen.title.id).all_commands(given["commands"])
    except ValidationError as error:
        raise shape_errors(error) from None


def commands_of_lines(seen: Seen, lines: list[str], version: int | None) -> list[Command]:
    """Read the commands in lines. Raises `Problem` if any is no order."""
    read = _turn(seen, version).read(lines)
    commands = [it.command for it in read if it.command is not None]
    if len(commands) < len(read) or not commands:
        raise Problem("line", lines=schemas.ReadLine().dump(read, many=True))
    return commands


def _submit_options(headers: dict[str, Any], seen: Seen, *, versioned: bool = True) -> SubmitOptions:
    """Return the facts in the headers of a submission: its position, and its key."""
    version = expected_version(headers, seen.version, needed=versioned)
    return {"expected_version": version, "submission_id": submission_id(headers)}


def _answered(answer: Answer, seen: Seen) -> Response:
    response = api.answer(moved(answer, seen), 201)
    if answer.replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


_TAG = re.compile(r'\s*(?:W/)?"?([0-9]{1,9})(?:-[0-9a-f]+)?"?\s*')


def expected_version(headers: dict[str, Any], shown: int, *, needed: bool = True) -> int | None:
    """Return the version in ``If-Match``; None for ``*``. Without the header the intended position is unknown."""
    given = headers.get("if_match", None if needed else "*")
    if given is None:
        raise Problem("no_version", version=shown)
    if given.strip() == "*":
        return None
    tags = [_TAG.fullmatch(tag) for tag in given.split(",")]
    versions = [int(tag[1]) for tag in tags if tag is not None]
    if not versions:
        raise Problem("stale", version=shown)
    return shown if shown in versions else versions[0]
