"""DNS lookups about mail, with a short timeout."""

from dns.exception import DNSException
from dns.resolver import Resolver

LONGEST_WAIT = 1.5
"""Seconds for one lookup, all servers together."""


def key_of(name: str) -> str | None:
    """Return the text record of a name, or None if there is none, or no answer in time."""
    try:
        answer = Resolver().resolve(name, "TXT", lifetime=LONGEST_WAIT)
        return b"".join(answer[0].strings).decode("ascii", "replace")
    except (DNSException, OSError, ValueError):
        return None


def server_of(service: str, domain: str) -> tuple[str, int] | None:
    """Return the server and port that a domain names for a service, such as ``imaps`` (RFC 6186), or None."""
    try:
        answer = Resolver().resolve(f"_{service}._tcp.{domain}", "SRV", lifetime=LONGEST_WAIT)
    except (DNSException, OSError, ValueError):
        return None
    first = min(answer, key=lambda it: it.priority)
    host = str(first.target).rstrip(".")
    return (host, first.port) if host else None  # a dot alone: this service is not offered


def mail_exchanger(domain: str) -> str | None:
    """Return the first server that takes mail for a domain (RFC 5321, 5.1), or None."""
    try:
        answer = Resolver().resolve(domain, "MX", lifetime=LONGEST_WAIT)
    except (DNSException, OSError, ValueError):
        return None
    return str(min(answer, key=lambda it: it.preference).exchange).rstrip(".") or None
