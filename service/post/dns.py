"""DNS lookups of signature keys, with a short timeout."""

from dns.exception import DNSException
from dns.resolver import Resolver

LONGEST_WAIT = 1.5
"""Seconds for one key, all servers together."""


def key_of(name: str) -> str | None:
    """Return the text record of a name, or None if there is none, or no answer in time."""
    try:
        answer = Resolver().resolve(name, "TXT", lifetime=LONGEST_WAIT)
        return b"".join(answer[0].strings).decode("ascii", "replace")
    except (DNSException, OSError, ValueError):
        return None
