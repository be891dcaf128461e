"""Schemas of the API for mail: settings, addresses, the mail history."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from service.base.described import MOMENT, doc
from service.notices import ledger
from service.notices.kinds import SWITCHED
from service.people.mail_settings import MailSettings
from service.web.api.derived import MomentField, derived
from service.web.api.schemas import Input, _said  # a helper of all schemas
from service.web.shared.shapes import LARGEST, Text, Truth
from service.words import N_


class Switch(Input):
    """Mail that is not wanted: of a game, of a kind, or of a kind in a game. An empty word stands for all."""

    game_id = fields.String(load_default="", validate=validate.Length(max=26))
    kind = fields.String(load_default="", validate=validate.OneOf(["", *SWITCHED]))

    @validates_schema
    def _says_something(self, data: Any, **_: Any) -> None:
        if not (data["game_id"] or data["kind"]):
            raise ValidationError(N_("Choose a game, a kind of email, or both."))


@derived(
    MailSettings,
    quiet="Does mail wait for the person's waking hours?",
    flag="The mail server's answer about the address.",
    pictures="Do letters have pictures?",
    short_receipts="Do receipts only show the result of each line?",
)
class MailWishes(Schema):
    """The caller's mail settings."""

    stopped = fields.Boolean(required=True, metadata=_said("Has the person stopped all mail about games?"))
    digest_at = fields.String(
        required=True, allow_none=True, metadata=_said("Time of the daily mail; null if each mail goes at once.")
    )
    off = fields.List(fields.Nested(Switch), required=True)
    kinds = fields.List(fields.String(), required=True, metadata=_said("The kinds of mail that can be switched off."))
    flagged_at = fields.String(required=True, allow_none=True, metadata=_said("Time since which mail bounces."))
    invitations = fields.Boolean(required=True, metadata=_said("May others invite this person by mail?"))


class MailWishesChanged(Input):
    """Changes of mail settings; fields that are left out stay."""

    stopped = Truth()
    quiet = Truth()
    invitations = Truth()
    pictures = Truth()
    short_receipts = Truth()
    digest_at = fields.String(
        allow_none=True,
        validate=validate.Regexp(r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z"),
        metadata=_said("A time of day such as 18:00, in the person's own time zone; null for no daily mail."),
    )
    off = fields.List(fields.Nested(Switch), validate=validate.Length(max=500))

    @post_load
    def _minutes(self, data: Any, **_: Any) -> Any:
        if data.get("digest_at"):
            hour, minute = data["digest_at"].split(":")
            data["digest_at"] = int(hour) * 60 + int(minute)
        return data


class AddressAsked(Input):
    """The new mail address."""

    email = Text(required=True, low=3, high=254)


class NoticesQuery(Input):
    """The filters of a list of mails."""

    game_id = Text(load_default=None, high=26)
    before = fields.Integer(
        load_default=None, validate=validate.Range(1, LARGEST), metadata=_said("`next` of the previous page.")
    )
    limit = fields.Integer(load_default=30, validate=validate.Range(1, 100))


@derived(ledger.MailStep)
class NoticeStep(Schema):
    """A step in the history of a mail."""

    until = MomentField(required=True, allow_none=True, metadata=_said("Time until which it was held."))


@derived(
    ledger.Entry,
    id="",
    game_id="",
    kind="",
    state="pending, leased, sent, superseded or dead.",
    message_id="",
    told_by="The Message-ID of the mail. Several notices can share one mail.",
    due_at=doc("Time at which it may be sent or is checked again.", MOMENT),
    again="Can it be sent again on request?",
)
class NoticeLine(Schema):
    """A mail that was owed, with all that became of it."""

    history = fields.List(fields.Nested(NoticeStep), attribute="steps", required=True)


class Notices(Schema):
    notices = fields.List(fields.Nested(NoticeLine), required=True)
    next = fields.Integer(required=True, allow_none=True)
