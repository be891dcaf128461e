"""HMAC-SHA256 (RFC 2104) of short messages: what commitments and draws are made of.

It gives what ``hmac.digest(key, message, "sha256")`` gives, in little more than half the time: that one asks OpenSSL
anew for its hash on every call. A proof makes several of them for each ply.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256

BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def keyed(key: bytes, message: bytes) -> bytes:
    """The HMAC (32 bytes) of ``message`` under ``key``, which is asked for many messages."""
    inner, outer = _known_pads(key)
    return sha256(outer + sha256(inner + message).digest()).digest()


def keyed_once(key: bytes, message: bytes) -> bytes:
    """The same under a key that serves for this message only, and so need not be remembered."""
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + message).digest()).digest()


def keyed_behind(key: bytes, beginning: bytes) -> Callable[[bytes], bytes]:
    """The HMAC (32 bytes) under ``key`` of ``beginning`` and what comes behind it, for many messages."""
    inner, outer = _pads(key)
    inner += beginning
    return lambda rest: sha256(outer + sha256(inner + rest).digest()).digest()


def _pads(key: bytes) -> tuple[bytes, bytes]:
    """The two blocks in front of what is hashed."""
    block = (key if len(key) <= BLOCK else sha256(key).digest()).ljust(BLOCK, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


_known_pads = lru_cache(maxsize=256)(_pads)
