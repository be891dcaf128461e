"""Schemas of the API for webhooks and feeds."""

from typing import Any

from marshmallow import Schema, fields, validate

from service.database import tables
from service.notices import webhooks
from service.notices.kinds import SWITCHED
from service.people import feeds
from service.web.api.derived import derived
from service.web.api.schemas import Input, InviteQuery, LanguageTag
from service.web.shared.shapes import Truth


def _said(text: str) -> dict[str, Any]:
    return {"description": text}


_KINDS = validate.Length(1, len(SWITCHED))


class WebhookAsked(Input):
    """A webhook to be made."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, webhooks.LONGEST_URL),
        metadata=_said("A public https address on port 443 or 8443."),
    )
    kinds = fields.List(
        fields.String(validate=validate.OneOf(SWITCHED)),
        load_default=list(SWITCHED),
        validate=_KINDS,
        metadata=_said("The kinds of notice to send; all by default."),
    )


class WebhookChanged(Input):
    """Changes of a webhook; fields that are left out stay."""

    kinds = fields.List(fields.String(validate=validate.OneOf(SWITCHED)), validate=_KINDS)
    enabled = Truth(metadata=_said("When you switch it on again, its earlier failures are forgotten."))


@derived(
    tables.Webhook,
    url="",
    enabled="",
    disabled_for="The reason why the service switched it off; empty if it did not.",
    failures="Consecutive failures that a retry is unlikely to fix.",
    created_at="",
    accepted_at="Time of the last accepted call.",
    failed_at="Time of the last failed call.",
    error=(
        "The cause of the failure: `answered 404`, `no_host` (in the public internet), `nobody_there`, `too_slow`, "
        "`certificate …`, `tls`, `cut_off …`, `address …`, `secret`, `broken …`."
    ),
)
class WebhookLine(Schema):
    """A webhook, without its secret."""

    id = fields.Integer(required=True)
    kinds = fields.List(fields.String(), required=True)


class WebhookMade(WebhookLine):
    secret = fields.String(required=True, metadata=_said("The key that signs the calls. Shown only once."))


class Webhooks(Schema):
    webhooks = fields.List(fields.Nested(WebhookLine), required=True)


class CallOwed(Schema):
    """A trial call that will be made at once."""

    id = fields.Integer(required=True)


class Call(Schema):
    """The result of a call."""

    id = fields.Integer(required=True)
    state = fields.String(required=True, metadata=_said("pending, leased, sent, superseded or dead"))
    detail = fields.String(required=True, metadata=_said("`answered 204`, or the cause of the failure."))


@derived(tables.Feed, created_at="", used_at="Hour of the last request.")
class FeedLine(Schema):
    """A secret address that is in use."""

    kind = fields.String(required=True, validate=validate.OneOf(feeds.KINDS))


class Feeds(Schema):
    feeds = fields.List(fields.Nested(FeedLine), required=True)


class FeedMade(Schema):
    """A secret address."""

    kind = fields.String(required=True, validate=validate.OneOf(feeds.KINDS))
    url = fields.String(
        required=True, metadata=_said("The address. Shown only once; the previous one no longer works.")
    )


class AtomQuery(InviteQuery):
    """The language of a feed; by default, that of the request."""

    lang = LanguageTag(load_default=None)
