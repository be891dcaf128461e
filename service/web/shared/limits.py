"""Rate limits: per address and per person, and stricter ones for sending mail or trying a code.

Counts are kept in Redis or, without it, in the process. While Redis is away each process counts by itself.
"""

import math
import time
from ipaddress import IPv6Address, IPv6Network
from typing import Any, cast

from flask import Flask, current_app, request
from flask_limiter import ApplicationLimit, Limiter
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, RateLimiter

from config.settings import Settings
from service.people.accounts import hashed
from service.web.shared.context import asker_or_none, at_this_machine, site
from service.web.shared.problems import Problem

PER_ADDRESS = "1200 per minute"
PER_PERSON = "600 per minute"
INVITATIONS_PER_PERSON = (parse("30 per hour"), parse("100 per day"))
GAMES_PER_PERSON = (parse("30 per hour"), parse("100 per day"))
SANDBOX_BOTS_PER_PERSON = (parse("60 per minute"), parse("1000 per hour"))


class _Counter(Limiter):
    """A limiter that first asks whether a request is counted at all: looking up its limits takes longer."""

    def _check_request_limit(self, callable_name: str | None = None, in_middleware: bool = True) -> None:
        if not _at_the_machine():
            super()._check_request_limit(callable_name, in_middleware)


def init_app(app: Flask, settings: Settings) -> None:
    """Limit the requests to ``app``."""
    away: dict[str, Any] = {"wrap_exceptions": True}  # any failure is then a StorageError
    if settings.rate_limit_url.startswith("redis"):
        away |= {"socket_connect_timeout": 1, "socket_timeout": 1}
    limiter = _Counter(
        _address,
        app=app,
        application_limits=[
            ApplicationLimit(PER_ADDRESS, scope="address"),
            ApplicationLimit(PER_PERSON, scope="person", key_function=_person, exempt_when=_is_unknown),
        ],
        storage_uri=settings.rate_limit_url or "memory://",
        storage_options=away,
        in_memory_fallback_enabled=True,
        enabled=settings.rate_limits,
        headers_enabled=False,
    )
    app.extensions["slowtrain_limiter"] = limiter
    app.extensions["slowtrain_counts"] = FixedWindowRateLimiter(MemoryStorage())


def spend(what: str, who: str, items: tuple[RateLimitItem, ...]) -> None:
    """Count one more ``what`` for ``who``. Raises the problem "slower" above a limit."""
    limiter: Limiter = current_app.extensions["slowtrain_limiter"]
    if not limiter.enabled or _at_the_machine():
        return
    key = hashed(who)[:32]
    for item in items:
        try:
            counts = limiter.limiter
            within = counts.hit(item, what, key)
        except StorageError:
            counts = cast(RateLimiter, current_app.extensions["slowtrain_counts"])
            within = counts.hit(item, what, key)
        if not within:
            raise slower(counts.get_window_stats(item, what, key).reset_time)


def spend_by_address(what: str, items: tuple[RateLimitItem, ...]) -> None:
    spend(what, _address(), items)


def slower(reset_at: float | None = None) -> Problem:
    """Return the problem of too many requests, with the seconds to wait, at least one."""
    if reset_at is None:
        current = cast(Limiter, current_app.extensions["slowtrain_limiter"]).current_limit
        reset_at = current.reset_at if current is not None else 0
    return Problem("slower", headers={"Retry-After": str(max(1, math.ceil(reset_at - time.time())))})


def _address() -> str:
    return network_of(request.remote_addr or "unknown")


def network_of(address: str) -> str:
    """Return the network that counts as one client: an IPv4 address, or an IPv6 /64, the least that a household or a
    rented machine gets."""
    if ":" not in address:
        return address
    try:
        its = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(its.ipv4_mapped or IPv6Network((its, 64), strict=False))


def _person() -> str:
    who = asker_or_none()
    return str(who.id) if who is not None else ""


def _is_unknown() -> bool:
    return asker_or_none() is None


def _at_the_machine() -> bool:
    """Does the embedded profile serve this machine's own people? A demonstration may play as fast as it can."""
    settings = site().settings
    return settings.embedded and not settings.is_reached_from_elsewhere and at_this_machine()


def spend_invitations(who: int | None, count: int) -> None:
    """Count invitations that one person sends by email."""
    for _ in range(count):
        spend("invitations of", str(who), INVITATIONS_PER_PERSON)


def spend_bots(who: int) -> None:
    """Count a bot's move for one person: bots use everybody's processor."""
    spend("sandbox bots of", str(who), SANDBOX_BOTS_PER_PERSON)
