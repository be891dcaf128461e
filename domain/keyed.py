"""HMAC-SHA256 (RFC 2104) of short messages, for commitments and draws.

It returns what ``hmac.digest(key, message, "sha256")`` returns, in little more than half the time: the standard library
asks OpenSSL anew for its hash on every call. A proof makes several such calls for each ply.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256

BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def keyed(key: bytes, message: bytes) -> bytes:
    """Return the HMAC (32 bytes) of ``message`` under ``key``, a key for many messages."""
    inner, outer = _known_pads(key)
    return sha256(outer + sha256(inner + message).digest()).digest()


def keyed_once(key: bytes, message: bytes) -> bytes:
    """Return the same under a key for this message only, which need not be remembered."""
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + message).digest()).digest()


def keyed_behind(key: bytes, beginning: bytes) -> Callable[[bytes], bytes]:
    """Return a function from a message's ending to the HMAC (32 bytes) under ``key`` of ``beginning`` and that."""
    inner, outer = _pads(key)
    inner += beginning
    return lambda rest: sha256(outer + sha256(inner + rest).digest()).digest()


def _pads(key: bytes) -> tuple[bytes, bytes]:
    """Return the two blocks that precede the hashed bytes."""
    block = (key if len(key) <= BLOCK else sha256(key).digest()).ljust(BLOCK, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


_known_pads = lru_cache(maxsize=256)(_pads)
