"""Host names from settings and requests, in one form that can be compared."""

import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import idna

LONGEST = 253 + len("[].:65535")
"""The longest ``host:port`` in characters (RFC 1035, 2.3.4)."""

_ASKED = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)(:(?P<port>[0-9]{0,5}))?")


@lru_cache(256)
def host_of(given: str) -> str | None:
    """Return the host of a request (``host``, ``host:port``, ``[address]:port``), or None if there is none.

    Case, a final dot and the different spellings of an IPv6 address make no difference.
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
    """Return the host of a setting, without a port, or None. The name may be international (IDN)."""
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
    """Split an address. Return None if its host or its port cannot be read."""
    try:
        parts = urlsplit(address)
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def own_addresses() -> tuple[str, ...]:
    """Return this machine's addresses on its networks, IPv4 first, without loopback and link-local ones."""
    import ifaddr  # only for sites that listen everywhere

    found = [it.ip if isinstance(it.ip, str) else it.ip[0] for each in ifaddr.get_adapters() for it in each.ips]
    addresses = {ip_address(it) for it in found}
    reached = [it for it in addresses if not (it.is_loopback or it.is_link_local)]
    return tuple(str(it) for it in sorted(reached, key=lambda it: (it.version, int(it))))


@lru_cache(256)
def is_loopback(host: str | None) -> bool:
    """Is the host this machine? ``host`` has the form that these functions return."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False
