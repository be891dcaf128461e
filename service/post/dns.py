"""Asks the domain name system for the keys of signatures, and waits no longer than a mail may."""

from dns.exception import DNSException
from dns.resolver import Resolver

LONGEST_WAIT = 1.5
"""Seconds for one key, all servers together."""


def key_of(name: str) -> str | None:
    """The text record of a name; None if there is none, or nobody says so in time."""
    try:
        answer = Resolver().resolve(name, "TXT", lifetime=LONGEST_WAIT)
        return b"".join(answer[0].strings).decode("ascii", "replace")
    except (DNSException, OSError, ValueError):
        return None
