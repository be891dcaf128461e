"""Webhooks: addresses of a person that get the same notices as their mailbox.

Calls are owed in the transaction of the plies that make them due; the workers make them. Every function works inside
the caller's transaction and gets the time.
"""

import base64
import hmac
import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

import idna
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from config.settings import Settings
from service.database.compiled import Compiled
from service.database.tables import Webhook, WebhookCall, table_of
from service.notices.kinds import SWITCHED
from service.people.accounts import TooMany, hashed
from service.words import N_

WEBHOOKS, CALLS = table_of(Webhook), table_of(WebhookCall)

WEBHOOKS_EACH = 5
LONGEST_URL = 500
PORTS = (443, 8443)
PING = "ping"
TRIAL = N_("This is a test call.")


# ==== addresses ===================================================================================
class BadUrl(ValueError):
    """An address that cannot be called. ``why``: https, host, user, port or long."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


BAD_URLS = {
    "https": N_("The address must begin with https://."),
    "host": N_("We cannot call this web address."),
    "user": N_("The address must not contain a name or password."),
    "port": N_("Only ports 443 and 8443 are allowed."),
    "long": N_("The address is too long."),
}
"""Problems of an address, by `BadUrl.why`."""


def split(settings: Settings, url: str) -> SplitResult:
    """Split ``url`` if it may be called at all. Its host is resolved and checked at the time of the call.

    Raise `BadUrl`.
    """
    if len(url) > LONGEST_URL:
        raise BadUrl("long")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise BadUrl("host")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadUrl("host") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and not settings.webhook_guard):
        raise BadUrl("https")
    if not host:
        raise BadUrl("host")
    if parts.username is not None or parts.password is not None:
        raise BadUrl("user")
    if settings.webhook_guard and port not in (None, *PORTS):
        raise BadUrl("port")
    return parts


def normalised(settings: Settings, url: str) -> str:
    """Return ``url`` for storage: the host in ASCII, without a fragment. Raise `BadUrl`."""
    url = url.strip()
    if not url.isascii():
        url = _in_ascii(url)
    return split(settings, url)._replace(fragment="").geturl()


def _in_ascii(url: str) -> str:
    """Return an address with its international host name in ASCII."""
    try:
        parts = urlsplit(url)
        host = idna.encode(parts.hostname or "", uts46=True).decode()
    except (ValueError, idna.IDNAError):
        raise BadUrl("host") from None
    return parts._replace(netloc=parts.netloc.replace(parts.hostname or "", host)).geturl()


# ==== a person's webhooks =========================================================================
def make(
    conn: Connection, settings: Settings, person_id: int, url: str, kinds: Sequence[str], at: int
) -> tuple[int, str]:
    """Add a webhook. Return its number and its secret, which is shown only this once. Raise `BadUrl` and `TooMany`."""
    address = normalised(settings, url)
    if is_full(of(conn, person_id)):
        raise TooMany("webhooks")
    nonce = secrets.token_urlsafe(16)
    secret = _secret(settings.keys()[0], nonce)
    made = conn.execute(
        insert(WEBHOOKS).values(
            person_id=person_id,
            url=address,
            kinds=_kinds(kinds),
            nonce=nonce,
            secret_hash=hashed(secret),
            created_at=at,
        )
    )
    return int(made.inserted_primary_key[0]), secret  # type: ignore[index]


def of(conn: Connection, person_id: int) -> Sequence[Any]:
    """Return the webhooks of a person, oldest first."""
    return conn.execute(select(WEBHOOKS).where(WEBHOOKS.c.person_id == person_id).order_by(WEBHOOKS.c.id)).all()


def is_full(rows: Sequence[Any]) -> bool:
    """Has the owner of these webhooks as many as allowed? Devices (`push`) count by themselves."""
    return sum(row.push is None for row in rows) >= WEBHOOKS_EACH


def change(
    conn: Connection, person_id: int, number: int, *, kinds: Sequence[str] | None = None, enabled: bool | None = None
) -> bool:
    """Change a webhook of this person. Return False if there is none. Switching it on again clears its failures."""
    values: dict[str, Any] = {}
    if kinds is not None:
        values["kinds"] = _kinds(kinds)
    if enabled is not None:
        values |= {"enabled": enabled, "failures": 0, "disabled_for": ""}
    found = select(WEBHOOKS.c.id).where(*_mine(person_id, number))
    if conn.execute(found).first() is None:
        return False
    if values:
        conn.execute(update(WEBHOOKS).where(*_mine(person_id, number)).values(**values))
    return True


def remove(conn: Connection, person_id: int, number: int) -> bool:
    """Remove a webhook of this person with its owed calls. Return False if there is none."""
    return conn.execute(delete(WEBHOOKS).where(*_mine(person_id, number))).rowcount == 1


def ping(conn: Connection, person_id: int, number: int, at: int) -> int | None:
    """Owe a test call to a webhook of this person, also while it is off. Return the call's number."""
    if conn.execute(select(WEBHOOKS.c.id).where(*_mine(person_id, number))).first() is None:
        return None
    made = conn.execute(insert(CALLS).values(**_call(number, {"kind": PING}, at)))
    return int(made.inserted_primary_key[0])  # type: ignore[index]


BLOCKED = "blocked"


def shut(conn: Connection, person_id: int) -> None:
    """Switch off the webhooks of a person who is shut out."""
    on = update(WEBHOOKS).where(WEBHOOKS.c.person_id == person_id, WEBHOOKS.c.enabled)
    conn.execute(on.values(enabled=False, disabled_for=BLOCKED))


def open_again(conn: Connection, person_id: int) -> None:
    """Switch the webhooks on again that were on when their owner was shut out."""
    shut_off = update(WEBHOOKS).where(WEBHOOKS.c.person_id == person_id, WEBHOOKS.c.disabled_for == BLOCKED)
    conn.execute(shut_off.values(enabled=True, disabled_for="", failures=0))


def again(conn: Connection, call: int, at: int) -> int | None:
    """Owe a call again that was made or given up.

    Return the number of its webhook's owner, or None if it is impossible.
    """
    its = select(WEBHOOKS.c.person_id).join_from(CALLS, WEBHOOKS, WEBHOOKS.c.id == CALLS.c.webhook_id)
    owner = conn.execute(its.where(CALLS.c.id == call, WEBHOOKS.c.enabled)).scalar()
    done = update(CALLS).where(CALLS.c.id == call, CALLS.c.state.in_(("sent", "dead")))
    anew = {"state": "pending", "due_at": at, "attempts": 0, "done_at": None, "detail": "", "facts": None}
    return owner if owner is not None and conn.execute(done.values(**anew)).rowcount == 1 else None


def call_of(conn: Connection, person_id: int, call: int) -> Any:
    """Return a call owed to a webhook of this person, or None."""
    mine = WEBHOOKS.c.id == CALLS.c.webhook_id, WEBHOOKS.c.person_id == person_id, CALLS.c.id == call
    return conn.execute(select(CALLS).where(*mine)).one_or_none()


def _mine(person_id: int, number: int) -> tuple[Any, Any]:
    return WEBHOOKS.c.id == number, WEBHOOKS.c.person_id == person_id


def _kinds(kinds: Sequence[str]) -> str:
    return " ".join(kind for kind in SWITCHED if kind in kinds)


# ==== the secret ==================================================================================
def secret_of(settings: Settings, webhook: Any) -> str | None:
    """Return the secret of a webhook's row, or None if its key is gone.

    It is derived, not stored, so that a thief of the tables can sign nothing.
    """
    made = (_secret(key, webhook.nonce) for key in settings.keys())  # noqa: SIM118
    return next((secret for secret in made if hashed(secret) == webhook.secret_hash), None)


def _secret(key: str, nonce: str) -> str:
    made = hmac.digest(key.encode(), b"slow train webhook secret" + nonce.encode(), "sha256")
    return "whs_" + base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header ``Slow-Train-Signature``: ``v1=`` and the hex HMAC-SHA256 of "timestamp.body"."""
    return "v1=" + hmac.new(secret.encode(), b"%d.%b" % (timestamp, body), "sha256").hexdigest()


# ==== owed calls ==================================================================================
_HEARD = select(WEBHOOKS.c.id, WEBHOOKS.c.person_id, WEBHOOKS.c.kinds).where(WEBHOOKS.c.enabled)
_OF_ONE = Compiled(_HEARD.where(WEBHOOKS.c.person_id == bindparam("person")))
_OF_MANY = _HEARD.where(WEBHOOKS.c.person_id.in_(bindparam("persons", expanding=True)))
_OWE = Compiled(insert(CALLS).values({name: bindparam(name) for name in (
    "webhook_id", "key", "kind", "game_id", "seat", "ply", "notice_key", "state", "created_at", "due_at", "attempts",
    "detail",
)}).inline())  # fmt: skip
MANY = 10
"""Up to this many people at one table are looked up one by one, which is quick; more at once."""


def queue(conn: Connection, owed: Sequence[Any], at: int) -> None:
    """Owe calls about the same events to the webhooks of these recipients. ``owed``: rows of `notices.queue`."""
    persons = {row["person_id"] for row in owed if row["person_id"] is not None}
    hooks: Sequence[Any] = (
        conn.execute(_OF_MANY, {"persons": list(persons)}).all()
        if len(persons) > MANY and isinstance(conn, Connection)
        else [hook for person in persons for hook in _OF_ONE.rows(conn, person=person)]
    )
    for row in owed:
        for hook in hooks:
            if hook.person_id == row["person_id"] and row["kind"] in hook.kinds.split():
                _OWE.run(conn, **_call(hook.id, row, at))


def _call(webhook: int, row: Any, at: int) -> dict[str, Any]:
    return {
        "webhook_id": webhook, "key": secrets.token_hex(16), "kind": row["kind"], "game_id": row.get("game_id", ""),
        "seat": row.get("seat"), "ply": row.get("ply", 0), "notice_key": row.get("key", ""), "state": "pending",
        "created_at": at, "due_at": row.get("due_at", at), "attempts": 0, "detail": "",
    }  # fmt: skip
