"""Security events of requests: each with a mark of the client's address, which only equal addresses share."""

from typing import Any

from flask import request

from service.base import links, security
from service.web.shared import limits
from service.web.shared.context import settings


def tell(event: str, /, **facts: Any) -> None:
    """Write an event of `security.EVENTS` that this request has brought about.

    The address itself is in the log of the proxy, under the same id of the request.
    """
    client = links.pseudonym(settings, "client", limits.network_of(request.remote_addr or "unknown"))
    security.tell(event, client=client, **facts)


def mark_of(email: str) -> str:
    """A mark of a mailbox: equal for equal ones, and nothing to anybody without the key."""
    return links.pseudonym(settings, "mailbox", email)
