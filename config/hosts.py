"""Names of hosts, as settings give them and as requests ask for them, in one form in which they can be compared."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import idna

LONGEST = 253 + len("[].:65535")
"""Characters of the longest ``host:port`` (RFC 1035, 2.3.4)."""

_ASKED = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)(:(?P<port>[0-9]{0,5}))?")


def host_of(given: str) -> str | None:
    """The host in what a request asks for (``host``, ``host:port``, ``[address]:port``); None where there is none.

    Upper and lower case, a dot at the end and the ways to write an IPv6 address make no difference.
    """
    asked = _ASKED.fullmatch(given.lower()) if given.isascii() and len(given) <= LONGEST else None
    if asked is None or int(asked["port"] or 0) > 65535:
        return None
    host = asked["host"].removesuffix(".")
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return None if "[" in host else host
    return str(address) if (address.version == 6) == ("[" in host) else None


def named(given: str) -> str | None:
    """The host that a setting names, without a port; it may be written in the letters of its language."""
    host = given.strip()
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except idna.IDNAError:
            return None
    try:
        return str(ip_address(host.strip("[]")))
    except ValueError:
        return None if ":" in host else host_of(host)


def split(address: str) -> SplitResult | None:
    """An address in its parts; None where its host or its port cannot be read."""
    try:
        parts = urlsplit(address)
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def is_loopback(host: str | None) -> bool:
    """Whether a host, in the form that these functions give, is this machine itself."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False
