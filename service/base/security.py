"""Security events: who came in, what was refused, what operators did. The one list of them, and the way into their log.

Where the log goes is said by `SLOWTRAIN_SECURITY_LOG` (`config.logging`). An event names people by their numbers; a
mailbox and the address of a caller by marks that tell equal ones and nothing else. No token, code or mail address.
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
"""Each event and how much it wants to be looked at. ``docs/host/security-log.md`` says what they tell."""

_log = logging.security_log()


def tell(event: str, /, **facts: Any) -> None:
    """Write an event of `EVENTS`. ``facts``: numbers, words and marks; what looks like a secret is struck out."""
    (_log.warning if EVENTS[event] == "warning" else _log.info)(event, **facts)
