"""Schemas of talk at tables, and of private notes."""

from typing import get_args

from marshmallow import Schema, fields, validate

from service.games import notes, talk_reports, talk_text
from service.games.talk import Room
from service.web.api.derived import MomentField
from service.web.api.schemas import Input
from service.web.shared.shapes import Text, Whole

MOST_NUMBER = 2**31 - 1


class TalkQuery(Input):
    """The lines to read, and an invitation that shows the table."""

    before = Whole(low=1, high=MOST_NUMBER, load_default=None, metadata={"description": "Only lines before this one."})
    invite = fields.String(load_default="", validate=validate.Length(max=500))


class PartOfTalk(Schema):
    """A part of a line: text, or text that leads to a web address, a move of the game, or a person at the table."""

    kind = fields.String(required=True, validate=validate.OneOf(("text", "address", "move", "person")))
    text = fields.String(required=True)
    move = fields.Integer(required=True, allow_none=True)
    me = fields.Boolean(required=True, metadata={"description": "Does it name the caller?"})


class LineOfTalk(Schema):
    """A line of talk."""

    number = fields.Integer(required=True)
    writer = fields.String(required=True)
    profile = fields.String(required=True, allow_none=True, metadata={"description": "The address of their profile."})
    seat = fields.Integer(required=True, allow_none=True)
    mine = fields.Boolean(required=True)
    new = fields.Boolean(required=True, metadata={"description": "Not read before."})
    text = fields.String(required=True)
    parts = fields.List(fields.Nested(PartOfTalk), required=True)
    said_at = MomentField(required=True)


class RoomOfTalk(Schema):
    """The last lines of a room, the oldest first."""

    room = fields.String(required=True, validate=validate.OneOf(get_args(Room)))
    lines = fields.List(fields.Nested(LineOfTalk), required=True)
    kept_until = MomentField(
        required=True,
        allow_none=True,
        metadata={"description": "When the lines are deleted; null while the game goes on."},
    )


class TalkSaid(Input):
    """A line to write."""

    text = fields.String(required=True, validate=validate.Length(1, 4 * talk_text.LONGEST))
    key = Text(high=64, load_default="", metadata={"description": "Of your choice: a repeated line is written once."})


class TalkWritten(Schema):
    """The number of a written line."""

    number = fields.Integer(required=True)


class TalkReported(Input):
    """Lines of others for the operators, who see them and nothing else."""

    lines = fields.List(
        Whole(low=1, high=MOST_NUMBER), required=True, validate=validate.Length(1, talk_reports.MOST_LINES)
    )
    why = Text(high=talk_reports.LONGEST_WHY, required=True)


class TalkSwitched(Input):
    """Can people talk at the table?"""

    on = fields.Boolean(required=True)


class NoteShown(Schema):
    """A private note about a game, or about the position after a move."""

    id = fields.Integer(required=True)
    text = fields.String(required=True)
    version = fields.Integer(required=True, allow_none=True)
    created_at = MomentField(required=True)


class NotesShown(Schema):
    """The caller's notes about a game, the newest first."""

    notes = fields.List(fields.Nested(NoteShown), required=True)


class NoteAdded(Input):
    """A new note."""

    text = Text(high=notes.LONGEST, required=True)
    version = Whole(low=1, high=MOST_NUMBER, load_default=None)
