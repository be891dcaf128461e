"""Time in the API: named paces, seats of absent players, a person's days off."""

from typing import Any

from flask import Response
from marshmallow import ValidationError

from domain import house_words
from domain.pace import PRESETS
from domain.pace_words import described
from domain.words import say
from service.games import absences, seats
from service.games.absences import BadAbsence
from service.web.api import schemas
from service.web.api.api import Blueprint, needs, plain, shape_errors
from service.web.api.games import game, introduce, moved
from service.web.shared.context import by_whom, lang, person, store, work
from service.web.shared.problems import Problem
from service.words import spoken

blueprint = Blueprint(
    "times", __name__, url_prefix="/api/v1", description="Paces, days off, and seats of absent players"
)


@blueprint.route("/paces", methods=["GET"])
@needs("read", anybody=True)
@blueprint.response(200, schemas.Paces)
def list_paces() -> Any:
    """List the named paces

    A table can use one of them, any other pace, or none. Without a pace, nobody is hurried.
    """
    language = spoken(house_words.WORDS, lang())
    return {
        "paces": [
            {
                "id": name,
                "name": language.name(f"pace_{name}"),
                "pace": plain(pace),
                "said": [say(sentence, language, str) for sentence in described(pace)],
            }
            for name, pace in PRESETS.items()
        ]
    }


# ==== seats =======================================================================================
@blueprint.route("/games/<game:game_id>/return", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.Nothing())
@blueprint.response(200, schemas.Moved)
def return_to_seat(_: dict[str, Any], game_id: str) -> Any:
    """Take your seat back, from a bot or before a substitute has come"""
    seen = game(game_id)
    return moved(seats.return_to_seat(work(), by_whom(), game_id), seen)


@blueprint.route("/games/<game:game_id>/take-over", methods=["POST"])
@needs("play")
@blueprint.arguments(schemas.TakingOver)
@blueprint.response(200, schemas.Moved)
def take_over(given: dict[str, Any], game_id: str) -> Any:
    """Take over a seat that is open to a substitute"""
    introduce(given["name"])
    seen = game(game_id, given["invite"])
    return moved(seats.take_over(work(), by_whom(given["invite"]), game_id, given["seat"]), seen)


@blueprint.route("/games/<game:game_id>/stand-in", methods=["POST"])
@needs("host")
@blueprint.arguments(schemas.StandingIn)
@blueprint.response(200, schemas.Moved)
def stand_in(given: dict[str, Any], game_id: str) -> Any:
    """Leave an open seat to a bot until its player returns"""
    seen = game(game_id)
    return moved(seats.stand_in(work(), by_whom(), game_id, given["seat"]), seen)


# ==== days off ====================================================================================
@blueprint.route("/me/absences", methods=["GET"])
@needs("read")
@blueprint.response(200, schemas.Absences)
def list_absences() -> Any:
    """List your vacations and holidays"""
    return _absences(person("read").id)


@blueprint.route("/me/absences", methods=["POST"])
@needs(None)
@blueprint.arguments(schemas.AbsencePlanned)
@blueprint.response(201, schemas.Absences)
def plan_absence(given: dict[str, Any]) -> Any:
    """Take days off

    Running clocks stop at once, in games whose pace allows it.
    """
    try:
        absences.plan(work(), by_whom(), given["first_day"], given["last_day"], given["kind"], store.now())
    except BadAbsence as bad:
        raise shape_errors(ValidationError({"first_day": [f"You cannot take these days off: {bad.why}."]})) from None
    return _absences(person(None).id)


@blueprint.route("/me/absences/<int(max=2147483647):absence_id>", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def end_absence(absence_id: int) -> Any:
    """End an absence, or cancel it"""
    if not absences.end(work(), by_whom(), absence_id, store.now()):
        raise Problem("not_found")
    return Response(status=204)


def _absences(person_id: int) -> dict[str, Any]:
    with store.read() as conn:
        return {"absences": absences.of(conn, person_id)}
