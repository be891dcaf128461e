"""Schemas of profiles, and of a person's own lists of people."""

from marshmallow import Schema, fields, validate

from service.record import profiles
from service.record.profiles import PARTS
from service.web.api import record_schemas  # noqa: F401  # the schemas of its parts
from service.web.api.derived import derived
from service.web.api.schemas import Input


@derived(profiles.ProfileGame)
class ProfileGameLine(Schema):
    """A finished game of a profile."""


@derived(profiles.Reliability)
class ReliabilityShown(Schema):
    """How often a person plays to the end."""


@derived(profiles.Profile)
class ProfileShown(Schema):
    """A person's profile. A part that they hide is null."""


class KnownPerson(Schema):
    """Somebody on a list of the caller."""

    name = fields.String(required=True)
    profile = fields.String(required=True, allow_none=True, metadata={"description": "The address of their profile."})


class KnownPeople(Schema):
    """The caller's private lists of people. Nobody else sees them."""

    liked = fields.List(fields.Nested(KnownPerson), required=True)
    blocked = fields.List(fields.Nested(KnownPerson), required=True)
    muted = fields.List(fields.Nested(KnownPerson), required=True)


class OwnProfile(Schema):
    """The caller's profile: its address, and its hidden parts."""

    address = fields.String(required=True)
    hidden = fields.List(fields.String(), required=True)


class ProfileChanged(Input):
    """Changes of the caller's profile."""

    hidden = fields.List(
        fields.String(validate=validate.OneOf(PARTS)),
        required=True,
        validate=validate.Length(max=len(PARTS)),
        metadata={"description": "The parts that nobody else may see."},
    )
