"""Security events of requests. Each holds a hash of the client's address, equal only for equal addresses."""

from typing import Any

from flask import request

from service.base import links, security
from service.web.shared import limits
from service.web.shared.context import settings


def tell(event: str, /, **facts: Any) -> None:
    """Log an event of `security.EVENTS` that this request caused.

    The address itself is in the proxy's log, under the same request id.
    """
    client = links.pseudonym(settings, "client", limits.network_of(request.remote_addr or "unknown"))
    security.tell(event, client=client, **facts)
