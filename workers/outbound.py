"""Outbound calls to addresses that users have chosen: only to checked public addresses, and with short timeouts.

The name is resolved once. If all its addresses are public, the connection goes to one of these very addresses, so DNS
rebinding gains nothing. Certificates are still checked against the name. The client uses no proxy, follows no redirect,
and reads only the status of an answer.
"""

import contextlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, ReadTimeoutError

from config.settings import Settings
from service.base.tls import tls_context
from service.notices.webhooks import BadUrl, split

CONNECT_SECONDS, READ_SECONDS, ALL_SECONDS = 5.0, 10.0, 20.0
TRIED = 3
"""The number of addresses of one name that are tried if the first do not answer."""

Address = IPv4Address | IPv6Address

NEVER = tuple(map(ipaddress.ip_network, (
    "168.63.129.16/32",  # a cloud's service for its own machines, at a public address
    "192.0.0.0/24",  # for protocols; Python 3.11 takes some of it for public
    "192.88.99.0/24", "2002::/16", "2001::/32",  # tunnels: 6to4, Teredo
    "fec0::/10",  # site-local, deprecated
    "::ffff:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48",  # IPv4 embedded in IPv6
)))  # fmt: skip
"""Networks that count as public, officially or in some versions of Python, but lead to internal hosts."""


class Failed(Exception):
    """A failed call. ``cause``: a word of `CAUSES`, perhaps followed by a space and a detail.

    ``lasting``: another try is unlikely to succeed.
    """

    def __init__(self, cause: str, *, lasting: bool = False) -> None:
        super().__init__(cause)
        self.cause, self.lasting = cause, lasting


class Target(NamedTuple):
    """The destination of a call: the requested name, and the addresses to connect to."""

    tls: bool
    host: str
    port: int
    path: str
    addresses: tuple[str, ...]

    @property
    def named(self) -> str:
        """The value of the header ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


# ==== destinations ================================================================================
def is_public(address: Address) -> bool:
    """Is the address public?"""
    within = any(address in network for network in NEVER if network.version == address.version)
    return address.is_global and not (within or address.is_multicast or address.is_reserved)


def target(settings: Settings, url: str) -> Target:
    """Return the destination of a call to ``url``, with names resolved this once. Raise `Failed`."""
    try:
        parts = split(settings, url)
    except BadUrl as error:
        raise Failed(f"address {error.why}", lasting=True) from None
    tls, host = parts.scheme == "https", str(parts.hostname)
    port = parts.port or (443 if tls else 80)
    found = _look_up(host, port)
    if settings.webhook_guard and not all(is_public(ipaddress.ip_address(each)) for each in found):
        raise Failed("no_host")  # the same as for an unknown name, to reveal no internal names
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(tls, host, port, path, found[:TRIED])


def _look_up(host: str, port: int) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Failed("no_host") from None
    if not found:
        raise Failed("no_host")
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


# ==== the call ====================================================================================
def post(settings: Settings, url: str, headers: Mapping[str, str], body: bytes) -> int:
    """POST ``body``. Return the status of the answer, from 200 to 299. Raise `Failed`."""
    where = target(settings, url)
    for number, address in enumerate(where.addresses, 1):
        try:
            status = _ask(where, address, headers, body)
            break
        except (NewConnectionError, ConnectTimeoutError) as error:
            if number == len(where.addresses):
                raise Failed("nobody_there" if isinstance(error, NewConnectionError) else "too_slow") from None
    if not 200 <= status < 300:
        raise Failed(f"answered {status}", lasting=300 <= status < 500 and status not in (408, 425, 429))
    return status


def _ask(where: Target, address: str, headers: Mapping[str, str], body: bytes) -> int:
    conn = _connection(where, address)
    cut = threading.Event()
    over = threading.Timer(ALL_SECONDS, _cut, (conn, cut))  # each read may be in time, but not all together
    over.daemon = True
    over.start()
    try:
        conn.connect()
        conn.timeout = READ_SECONDS
        conn.request("POST", where.path, body, {"Host": where.named, **headers}, preload_content=False)
        return conn.getresponse().status
    except (NewConnectionError, ConnectTimeoutError):
        raise
    except ssl.SSLCertVerificationError as error:
        raise Failed(f"certificate {error.verify_message}", lasting=True) from None
    except ssl.SSLError:
        raise Failed("tls") from None
    except (TimeoutError, ReadTimeoutError):
        raise Failed("too_slow") from None
    except (OSError, HTTPError, ValueError) as error:
        raise Failed("too_slow" if cut.is_set() else f"cut_off {type(error).__name__}") from None
    finally:
        over.cancel()
        conn.close()


def _connection(where: Target, address: str) -> HTTPConnection:
    if not where.tls:
        return HTTPConnection(address, where.port, timeout=CONNECT_SECONDS)
    return HTTPSConnection(
        address,
        where.port,
        timeout=CONNECT_SECONDS,
        server_hostname=where.host,
        ssl_context=tls_context(),
        cert_reqs=ssl.CERT_REQUIRED,
    )


def _cut(conn: HTTPConnection, cut: threading.Event) -> None:
    cut.set()
    if conn.sock is not None:
        with contextlib.suppress(OSError):
            conn.sock.shutdown(socket.SHUT_RDWR)
