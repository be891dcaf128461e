"""Channels besides mail: a person's calendar, their Atom feed, and webhooks for programs and chats."""

from typing import Any
from urllib.parse import urlsplit

from flask import Response, abort, request, url_for

from service.accounts import mail
from service.notices import push, webhooks
from service.notices.details import read
from service.notices.kinds import SWITCHED
from service.notices.webhooks import BAD_URLS, BadUrl
from service.people import accounts, feeds
from service.web.pages.account import room
from service.web.pages.frame import _, done, moment, number_in, page, signed_in
from service.web.pages.parts.notices import cause, named
from service.web.shared.account_requests import asked
from service.web.shared.context import now, settings, store

FIRST_KINDS = "turn"
"""The kinds of notices that a new device shows."""
VERIFY = """\
import hashlib, hmac, time

def is_genuine(headers, body, secret):
    sent = headers["Slow-Train-Timestamp"]
    text = sent.encode() + b"." + body
    code = hmac.new(secret.encode(), text, hashlib.sha256)
    said = headers["Slow-Train-Signature"]
    return (hmac.compare_digest("v1=" + code.hexdigest(), said)
            and abs(time.time() - int(sent)) < 300)
"""


@room.get("/account/channels")
def channels(status: int = 200, **more: Any) -> Response:
    """Answer with the page. ``more``: ``problem``; ``address`` or ``secret``, shown only now; ``url`` and ``kinds`` as
    sent."""
    asker = signed_in()
    with store.read() as conn:
        hooks, used = webhooks.of(conn, asker.id), feeds.of(conn, asker.id)
        number = number_in(request.args.get("call"))
        call = None if number is None else webhooks.call_of(conn, asker.id, number)
    facts = {
        "problem": None, "address": None, "secret": None, "url": "", "kinds": SWITCHED, "verify": VERIFY,
        "hooks": [_hook(row) for row in hooks], "full": webhooks.is_full(hooks),
        "push_key": push.public_key(settings) if push.is_there() else "",
        "feeds": {kind: _feed(used.get(kind)) for kind in feeds.KINDS}, "all_kinds": _kinds(SWITCHED),
        "waiting": call is not None and call.state in ("pending", "leased"), "call": _outcome(call),
    }  # fmt: skip
    return page("account/channels.html", status, **(facts | more))


def _hook(row: Any) -> dict[str, Any]:
    return {
        "id": row.id, "named_url": _name(row), "kinds": row.kinds.split(), "named": _kinds(row.kinds.split()),
        "enabled": row.enabled, "disabled_for": cause(row.disabled_for) if row.disabled_for else "",
        "accepted": moment(row.accepted_at) if row.accepted_at else None,
        "failed": moment(row.failed_at) if row.failed_at else None, "error": cause(row.error) if row.error else "",
    }  # fmt: skip


def _name(row: Any) -> str:
    """Return the name of a webhook: its address, or that of the push service of a device."""
    return str(row.url) if row.push is None else _("A device, through {host}", host=urlsplit(row.url).hostname)


def _kinds(kinds: Any) -> list[tuple[str, str]]:
    return [(kind, named(kind)) for kind in kinds]


def _feed(row: Any) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"created": moment(row.created_at), "used": moment(row.used_at) if row.used_at else None}


def _outcome(call: Any) -> str | None:
    """Return the result of a trial call in words."""
    if call is None:
        return None
    if call.state in ("pending", "leased"):
        return _("We are sending the test call.")
    if call.state == "sent":
        return _("The test call was accepted.")
    return _("The test call failed: {cause}.", cause=cause(read(call)))


# ==== secret addresses ============================================================================
@room.post("/account/channels/feeds")
def change_feed() -> Response:
    """Make or delete an address. A new one is shown in the answer itself and nowhere else."""
    asker, wish = signed_in(), request.form.get("wish")
    kind = next((it for it in feeds.KINDS if it == request.form.get("kind")), None)
    if kind is None or wish not in ("make", "end"):
        abort(400)
    if wish == "end":
        with store.write() as conn:
            feeds.revoke(conn, asker.id, kind)
        return done(url_for("pages.account.channels"), "feed-ended")
    with store.write() as conn:
        token = feeds.make(conn, asker.id, kind, now())
    return channels(address=feeds.address(settings, kind, token))


# ==== webhooks ====================================================================================
@room.post("/account/channels/webhooks")
def make_webhook() -> Response:
    """Make a webhook. Its secret is shown in the answer itself and nowhere else."""
    asker, url, kinds = signed_in(), request.form.get("url", ""), request.form.getlist("kind")
    given = {"url": url[: webhooks.LONGEST_URL], "kinds": kinds}
    if not set(kinds) & set(SWITCHED):
        return channels(422, problem=_("Please choose at least one kind of notice."), **given)
    try:
        with store.write() as conn:
            _number, secret = webhooks.make(conn, settings, asker.id, url, kinds, now())
    except BadUrl as error:
        return channels(422, problem=_(BAD_URLS[error.why]), **given)
    except accounts.TooMany:
        return channels(409, problem=_("You have too many webhooks. Remove one first."), **given)
    return channels(secret=secret)


@room.post("/account/channels/devices")
def add_device() -> Response:
    """Let this device get notices. At first it hears of its person's turns."""
    asker, keys = signed_in(), {name: request.form.get(name, "") for name in ("p256dh", "auth")}
    if not push.is_there():
        abort(404)
    try:
        with store.write() as conn:
            push.add(conn, settings, asker.id, request.form.get("endpoint", ""), keys, FIRST_KINDS, now())
    except (BadUrl, push.BadKeys):
        abort(400)
    except accounts.TooMany:
        return channels(409, problem=_("You have too many devices. Remove one first."))
    return done(url_for("pages.account.channels"), "saved")


@room.post("/account/channels/webhooks/<int:number>")
def change_webhook(number: int) -> Response:
    asker, wish = signed_in(), request.form.get("wish")
    here = url_for("pages.account.channels")
    if wish == "try":
        call = mail.try_webhook(asked(), asker, number) or abort(404)
        return done(f"{here}?call={call}")
    with store.write() as conn:
        match wish:
            case "on" | "off":
                found = webhooks.change(conn, asker.id, number, enabled=wish == "on")
            case "kinds":
                found = webhooks.change(conn, asker.id, number, kinds=request.form.getlist("kind"))
            case "remove":
                found = webhooks.remove(conn, asker.id, number)
            case _:
                abort(400)
    if not found:
        abort(404)
    return done(here, "webhook-removed" if wish == "remove" else "saved")
