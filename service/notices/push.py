"""Notices on a person's devices by Web Push: encrypted for the browser (RFC 8291), and signed by us (RFC 8292).

A device is a webhook (`webhooks`) at the push service of its browser, with the browser's keys. So calls, checks,
switches and retries are those of webhooks; only the form of a call differs. It needs the packages of
``slowtrain[push]``, and without them no device can be added.
"""

import base64
import hmac
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, insert

from config.settings import Settings
from service.base.clock import SECOND
from service.notices import webhooks
from service.notices.webhooks import WEBHOOKS
from service.people.accounts import TooMany, hashed

DEVICES_EACH = 10
LASTS = 24 * 60 * 60
"""Seconds for which a push service keeps a notice for a device that is off."""
SIGNED_FOR = 12 * 60 * 60
"""Seconds for which a signature is valid; RFC 8292 allows a day."""
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256 (FIPS 186-5)."""


class BadKeys(ValueError):
    """Keys that are not those of a browser."""


def is_there() -> bool:
    """Are the packages for it installed?"""
    return find_spec("http_ece") is not None and find_spec("py_vapid") is not None


# ==== our key =====================================================================================
def public_key(settings: Settings) -> str:
    """Return the public key by which browsers let this installation push."""
    return _public(settings.keys()[0])


def _private(key: str) -> Any:
    """Return the private key. It follows from a key of the installation, and is not stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    made = hmac.digest(key.encode(), b"slow train push key", "sha512")
    return ec.derive_private_key(int.from_bytes(made) % (_ORDER - 1) + 1, ec.SECP256R1())


def _public(key: str) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _private(key).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


# ==== devices =====================================================================================
def add(
    conn: Connection, settings: Settings, person_id: int, endpoint: str, keys: Mapping[str, str], kinds: str, at: int
) -> int:
    """Add a device, or renew it. Return its number. Raise `BadUrl`, `BadKeys` and `TooMany`."""
    address = webhooks.normalised(settings, endpoint)
    its = {name: keys.get(name, "") for name in ("p256dh", "auth")}
    if len(_bytes(its["p256dh"])) != 65 or len(_bytes(its["auth"])) != 16:
        raise BadKeys
    conn.execute(delete(WEBHOOKS).where(WEBHOOKS.c.person_id == person_id, WEBHOOKS.c.url == address))
    if len(devices(conn, person_id)) >= DEVICES_EACH:
        raise TooMany("devices")
    row = {"person_id": person_id, "url": address, "kinds": kinds, "nonce": "", "push": its, "created_at": at}
    made = conn.execute(insert(WEBHOOKS).values(**row, secret_hash=hashed(public_key(settings))))
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def devices(conn: Connection, person_id: int) -> list[Any]:
    """Return the devices of a person."""
    return [row for row in webhooks.of(conn, person_id) if row.push is not None]


def _bytes(text: str) -> bytes:
    """Return base64url without padding as bytes. Raise `BadKeys`."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise BadKeys from None


# ==== calls =======================================================================================
def sealed(hook: Any, content: bytes) -> bytes:
    """Encrypt a notice, so that only the browser can read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    return bytes(
        http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(hook.push["p256dh"]),
            auth_secret=_bytes(hook.push["auth"]),
            version="aes128gcm",
        )
    )


def headers(settings: Settings, hook: Any, at: int) -> dict[str, str] | None:
    """Return the headers of a call, or None if the key that the browser knows is gone."""
    from py_vapid import Vapid02

    key = next((it for it in settings.keys() if hashed(_public(it)) == hook.secret_hash), None)  # noqa: SIM118
    if key is None:
        return None
    parts = urlsplit(hook.url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": at // SECOND + SIGNED_FOR, "sub": settings.site}
    if not settings.site.startswith("https:"):
        claims["sub"] = f"mailto:postmaster@{settings.mail_domain}"
    signed: dict[str, str] = Vapid02(_private(key)).sign(claims)
    return {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": str(LASTS), **signed}
