"""Schemas of standing wishes for a game."""

from typing import get_args

from marshmallow import Schema, fields, validate

from service.web.api.derived import derived
from service.web.api.schemas import Input
from service.web.shared.shapes import Whole
from service.wishes import wishes
from service.wishes.matching import Rated
from service.wishes.wishes import FINISHED, MOST_AT_ONCE, PACES, SPREADS
from service.words import languages


def _several(field: fields.Field, most: int, what: str) -> fields.List:  # type: ignore[type-arg]
    return fields.List(field, required=True, validate=validate.Length(1, most), metadata={"description": what})


class WishGiven(Input):
    """A game to look for."""

    titles = _several(fields.String(validate=validate.Length(1, 40)), 20, "Ids of titles.")
    paces = _several(
        fields.String(validate=validate.OneOf(PACES)), len(PACES), "Names of paces, as in `/paces`; `none`: no clock."
    )
    seats = _several(Whole(low=2, high=20), 19, "Numbers of players.")
    rated = fields.String(
        load_default="either",
        validate=validate.OneOf(get_args(Rated)),
        metadata={"description": "Must the game be rated?"},
    )
    spread = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(SPREADS),
        metadata={
            "description": "How far the ratings of the others may differ at first; null: no matter. The range grows by "
            "the same number again each day, at a live pace every five minutes."
        },
    )
    finished = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.OneOf(FINISHED),
        metadata={"description": "The share of games that the others have finished, at least, in percent."},
    )
    lang = fields.String(
        load_default="",
        validate=lambda given: validate.OneOf(("", *languages()))(given),
        metadata={"description": "Language of the table; empty for any."},
    )
    at_once = Whole(
        low=1, high=MOST_AT_ONCE, load_default=1,
        metadata={"description": "The most games that the wish leads to at the same time."},
    )  # fmt: skip


class WishMade(Schema):
    """The number of a wish."""

    id = fields.Integer(required=True)


@derived(wishes.WantedGame)
class WantedGameLine(Schema):
    """A game that somebody looks for."""


@derived(wishes.SeatOffered)
class SeatOfferedLine(Schema):
    """A seat that is kept for the caller. `POST /games/…/join` takes it, `POST /games/…/decline` gives it up."""


@derived(wishes.MyWish)
class WishLine(Schema):
    """A wish of the caller, and what became of it."""

    searches = fields.Boolean(required=True, metadata={"description": "Does it look for people now?"})


class Wishes(Schema):
    """The caller's wishes, the newest first. Nobody else sees them."""

    wishes = fields.List(fields.Nested(WishLine), required=True)
