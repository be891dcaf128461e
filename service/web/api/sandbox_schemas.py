"""Schemas of the API for sandboxes."""

from typing import Any

from marshmallow import Schema, fields, validate

from service.base.described import MOMENT, doc
from service.database import tables
from service.games.sandboxes import MOST_PLIES, NAME_LENGTH
from service.web.api import schemas
from service.web.api.derived import derived
from service.web.api.schemas import Input, Position, Reference, _said
from service.web.shared.shapes import LARGEST, MOST_COMMANDS, Name, Note, Text, Whole

MOST_SEATS = 20


# ==== requests ====================================================================================
class SandboxBeginning(Input):
    """The position at which a sandbox begins."""

    version = Whole(
        low=0,
        high=LARGEST,
        load_default=None,
        allow_none=True,
        metadata=_said("A past version; the current one by default."),
    )
    name = Name(high=NAME_LENGTH, load_default="", metadata=_said("The game's name by default."))
    invite = Text(load_default="", metadata=_said("The invitation, if the table is not public."))


class Bots(fields.Dict):
    """Seat -> the bot that plays it."""

    def __init__(self, **more: Any) -> None:
        seat = fields.Integer(validate=validate.Range(1, MOST_SEATS))
        super().__init__(
            keys=seat,
            values=Text(low=1, high=20),
            validate=validate.Length(max=MOST_SEATS),
            metadata=_said("Seat -> name of the bot that plays it. You play the other seats yourself."),
            **more,
        )


class SandboxChanging(Input):
    """Changes of a sandbox; fields that are left out stay."""

    name = Name(high=NAME_LENGTH)
    note = Note(metadata=_said("A note for yourself, of one or more lines."))
    bots = Bots()


class SandboxMoving(Input):
    """Commands of a seat. Either all stand or none, unless one cannot be undone."""

    seat = Whole(required=True, low=1, high=MOST_SEATS)
    commands = fields.List(
        Reference("Command", required=True), required=True, validate=validate.Length(1, MOST_COMMANDS)
    )


class SandboxStepping(Input):
    """The ply to step to."""

    to = Whole(
        required=True, low=0, high=MOST_PLIES * 2, metadata=_said("Position after this ply; 0 is the beginning.")
    )


class PlayingOn(Input):
    """The bot that plays on."""

    everybody = Text(
        low=1,
        high=20,
        load_default=None,
        allow_none=True,
        metadata=_said(
            "A bot that plays all seats to the end. By default, each seat's own bot plays until it is the turn of a "
            "seat that you play."
        ),
    )


class EyesQuery(Input):
    """The seat whose view is shown."""

    seat = fields.Integer(
        load_default=None, validate=validate.Range(1, MOST_SEATS), metadata=_said("By default, the seat to move.")
    )


class SandboxBoardQuery(EyesQuery):
    theme = fields.String(load_default="light", validate=validate.OneOf(["light", "dark"]))


class SandboxesQuery(Input):
    """The filters of a list of sandboxes."""

    game = fields.String(
        load_default=None,
        validate=validate.Regexp(r"\A[0-9a-z]{1,26}\Z"),
        metadata=_said("Only sandboxes of this game."),
    )


class MatchHeaders(Schema):
    """The state of the sandbox that a change is for."""

    if_match = fields.String(data_key="If-Match", metadata=_said("The ETag of the sandbox, or `*`, the default."))


# ==== answers =====================================================================================
@derived(
    tables.Sandbox,
    id="",
    title="",
    name="",
    note="",
    imagined="Were the hidden parts of that view filled in at random?",
    rules="The version of the rules at its beginning.",
    bots="Seat -> bot. You play the other seats yourself.",
    last="The last ply to which you can step forward.",
    created_at=doc("Time of its beginning.", MOMENT),
    updated_at=doc("Time of the last change.", MOMENT),
)
class SandboxLine(Schema):
    """A sandbox in a list. Only its owner sees it."""

    game = fields.String(required=True, metadata=_said("The id of its game."))
    begins_at = fields.Integer(required=True, metadata=_said("The version of the game at which it begins."))
    begins_as = fields.Integer(
        required=True,
        allow_none=True,
        metadata=_said("The seat whose view it begins from; null for a spectator's view."),
    )
    version = fields.Integer(required=True, metadata=_said("The number of plies played up to its present position."))


class Sandboxes(Schema):
    sandboxes = fields.List(fields.Nested(SandboxLine), required=True)


class Sandbox(SandboxLine, Position):
    """A sandbox and its position. A change sends its ``ETag`` as ``If-Match``."""

    eyes = fields.Integer(required=True, metadata=_said("The seat whose view this is."))


class SandboxActions(Schema):
    """The legal actions of a seat of a sandbox."""

    seat = fields.Integer(required=True)
    asked = fields.List(fields.Integer(), required=True, metadata=_said("The seats for which the position waits."))
    actions = fields.List(fields.Nested(schemas.ActionLine), required=True)


class SandboxStep(Schema):
    """A ply of a sandbox in sentences; nothing of it is hidden from its owner."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    cause = fields.String(required=True, metadata=_said("player or bot"))
    sentences = fields.List(fields.String(), required=True)


class SandboxLog(Schema):
    version = fields.Integer(required=True, metadata=_said("The present ply; later ones were stepped back."))
    log = fields.List(fields.Nested(SandboxStep), required=True)
