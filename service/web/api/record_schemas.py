"""Schemas of a person's record of finished games."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.record import reading
from service.record.ratings import Rating
from service.record.reading import AGAINST
from service.web.api.derived import derived
from service.web.api.schemas import Input
from service.web.shared.shapes import Text
from service.words import N_


class RecordQuery(Input):
    """The filters of a record."""

    title = Text(load_default=None, high=40)
    seats = fields.Integer(
        load_default=None, validate=validate.Range(1, 99), metadata={"description": "The number of players."}
    )
    against = fields.String(
        load_default=None, validate=validate.OneOf(AGAINST), metadata={"description": "The opponents of a game."}
    )
    first_day = fields.Date(load_default=None, metadata={"description": "Only games that ended on this day or later."})
    last_day = fields.Date(load_default=None, metadata={"description": "Only games that ended on this day or earlier."})

    @validates_schema
    def _in_order(self, data: dict[str, Any], **_: Any) -> None:
        first, last = data.get("first_day"), data.get("last_day")
        if first and last and last < first:
            raise ValidationError({"last_day": [N_("The last day comes before the first.")]})


@derived(reading.Opponent)
class RecordedOpponent(Schema):
    """Another player of a finished game."""


@derived(reading.TimeToMove)
class TimeToMove(Schema):
    """The seconds that turns took to begin."""


@derived(reading.RecordedGame)
class RecordedGame(Schema):
    """A finished game of the caller."""


@derived(reading.Results)
class RecordedResults(Schema):
    """Results of games with the same title, or with as many players."""


@derived(reading.Encounters)
class Encounters(Schema):
    """Results against an opponent: how often the caller was ahead, behind, and level."""


@derived(Rating)
class RatingLine(Schema):
    """A rating in a title. Its number is shown from the fifth rated game on; before, a range."""


@derived(reading.Record)
class Record(Schema):
    """The caller's record of finished games, the latest first."""
