"""Security events: sign-ins, refusals and the actions of operators. This module lists them all and logs them.

`SLOWTRAIN_SECURITY_LOG` (`config.logging`) says where the log goes. An event names people by their numbers. Mailboxes
and callers' addresses appear as marks, which can only be compared. No event contains a token, code or mail address.
"""

from collections.abc import Mapping
from typing import Any, Literal

from config import logging

Level = Literal["info", "warning"]

EVENTS: Mapping[str, Level] = {
    "sign_in.asked": "info",
    "sign_in.done": "info",
    "sign_in.refused": "warning",
    "sign_out": "info",
    "session.ended": "info",
    "token.made": "info",
    "token.revoked": "info",
    "address.asked": "info",
    "address.changed": "info",
    "address.refused": "warning",
    "account.exported": "info",
    "account.erased": "info",
    "second_factor.set_up": "info",
    "second_factor.right": "info",
    "second_factor.wrong": "warning",
    "second_factor.pause": "warning",
    "operator.deed": "info",
    "operator.refused": "warning",
    "refused": "warning",
}
"""Each event and its level. ``docs/host/security-log.md`` describes them."""

_log = logging.security_log()


def tell(event: str, /, **facts: Any) -> None:
    """Write an event of `EVENTS`. ``facts``: numbers, words and marks; anything like a secret is struck out."""
    (_log.warning if EVENTS[event] == "warning" else _log.info)(event, **facts)
