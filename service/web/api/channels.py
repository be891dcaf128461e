"""A person's webhooks and the secret addresses of their feeds."""

from typing import Any

from flask import Response
from marshmallow import ValidationError

from service.accounts import mail
from service.notices import webhooks
from service.notices.details import in_english, read
from service.notices.webhooks import BadUrl
from service.people import feeds
from service.web.api import channel_schemas as schemas
from service.web.api.api import Blueprint, needs, shape_errors
from service.web.shared.account_requests import asked
from service.web.shared.context import now, person, settings, store
from service.web.shared.problems import Problem
from service.words import N_

blueprint = Blueprint(
    "channels", __name__, url_prefix="/api/v1/me", description="Webhooks, and secret addresses of feeds"
)

NUMBER = "<int(max=2147483647):number>"
WHY = {
    "https": N_("The address must begin with https://."),
    "host": N_("The address has no host name."),
    "user": N_("The address must not contain a name or password."),
    "port": N_("The port must be 443 or 8443."),
    "long": N_("The address is too long."),
}
"""Problems of an address, by `BadUrl.why`."""


# ==== webhooks ====================================================================================
def _line(row: Any) -> dict[str, Any]:
    return {**row._mapping, "kinds": row.kinds.split()}


@blueprint.route("/webhooks", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.Webhooks)
def list_webhooks() -> Any:
    """List your webhooks

    A call is a `POST` of JSON: `id`, `kind` (the kind of notice), `at`, and for a game `game`, `title`, `name`, `seat`,
    `version`, `deadline` (or null) and `link`. `text` and `content` say it in a sentence. A call holds nothing hidden.

    Its header `Slow-Train-Signature` is `v1=` and the HMAC-SHA256, in hexadecimal, of `Slow-Train-Timestamp`, a dot and
    the body. The key is the webhook's secret:

        timestamp = headers["Slow-Train-Timestamp"]
        signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        good = hmac.compare_digest("v1=" + signed, headers["Slow-Train-Signature"])
        good = good and abs(time.time() - int(timestamp)) < 300

    Answer with any status from 200 to 299 within ten seconds. Otherwise the service repeats the call at growing
    intervals for two days. `Slow-Train-Delivery` (and `id`) stays the same, so you can recognise repeats. Redirects are
    not followed. Status 410 switches the webhook off; so do ten failures in a row that look permanent.
    """
    with store.read() as conn:
        return {"webhooks": [_line(row) for row in webhooks.of(conn, person(None).id)]}


@blueprint.route("/webhooks", methods=["POST"])
@needs(None)
@blueprint.arguments(schemas.WebhookAsked)
@blueprint.response(201, schemas.WebhookMade)
def make_webhook(given: dict[str, Any]) -> Any:
    """Create a webhook

    This answer shows its secret, and no later one does.
    """
    who = person(None).id
    try:
        with store.write() as conn:
            number, secret = webhooks.make(conn, settings, who, given["url"], given["kinds"], now())
            row = next(it for it in webhooks.of(conn, who) if it.id == number)
    except BadUrl as error:
        raise shape_errors(ValidationError({"url": [WHY[error.why]]})) from None
    return {**_line(row), "secret": secret}


@blueprint.route(f"/webhooks/{NUMBER}", methods=["PATCH"])
@needs(None)
@blueprint.arguments(schemas.WebhookChanged)
@blueprint.response(200, schemas.WebhookLine)
def change_webhook(given: dict[str, Any], number: int) -> Any:
    """Change the notices of a webhook, or switch it off and on"""
    who = person(None).id
    with store.write() as conn:
        if not webhooks.change(conn, who, number, **given):
            raise Problem("not_found")
        return _line(next(it for it in webhooks.of(conn, who) if it.id == number))


@blueprint.route(f"/webhooks/{NUMBER}", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def remove_webhook(number: int) -> Any:
    """Remove a webhook"""
    with store.write() as conn:
        if not webhooks.remove(conn, person(None).id, number):
            raise Problem("not_found")
    return Response(status=204)


@blueprint.route(f"/webhooks/{NUMBER}/test", methods=["POST"])
@needs(None)
@blueprint.response(202, schemas.CallOwed)
def test_webhook(number: int) -> Any:
    """Make a test call

    The service makes it once, in the same way as every other call, even if the webhook is off. Its number shows the
    result.
    """
    call = mail.try_webhook(asked(), person(None), number)
    if call is None:
        raise Problem("not_found")
    return {"id": call}


@blueprint.route(f"/webhook-calls/{NUMBER}", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.Call)
def show_call(number: int) -> Any:
    """Show the result of a call"""
    with store.read() as conn:
        row = webhooks.call_of(conn, person(None).id, number)
    if row is None:
        raise Problem("not_found")
    return {"id": row.id, "state": row.state, "detail": in_english(read(row))}


# ==== feeds =======================================================================================
KIND = f"<any({', '.join(feeds.KINDS)}):kind>"


@blueprint.route("/feeds", methods=["GET"])
@needs(None)
@blueprint.response(200, schemas.Feeds)
def list_feeds() -> Any:
    """List the secret addresses in use"""
    with store.read() as conn:
        found = feeds.of(conn, person(None).id)
    return {"feeds": [row for _, row in sorted(found.items())]}


@blueprint.route(f"/feeds/{KIND}", methods=["PUT"])
@needs(None)
@blueprint.response(200, schemas.FeedMade)
def make_feed(kind: feeds.Kind) -> Any:
    """Create a secret address: `calendar` for turns with a deadline, `story` for the games as Atom

    This answer shows the address, and no later one does. An earlier address of the same kind stops working.
    """
    with store.write() as conn:
        token = feeds.make(conn, person(None).id, kind, now())
    return {"kind": kind, "url": feeds.address(settings, kind, token)}


@blueprint.route(f"/feeds/{KIND}", methods=["DELETE"])
@needs(None)
@blueprint.response(204)
def end_feed(kind: feeds.Kind) -> Any:
    """Revoke a secret address"""
    with store.write() as conn:
        if not feeds.revoke(conn, person(None).id, kind):
            raise Problem("not_found")
    return Response(status=204)
