"""The log's format written a second time, straight from its description and sharing no code with `domain`.

The golden files are checked against this as well, so that a mistake would have to be made twice. HMAC is spelled out
with two hashes (RFC 2104), JSON is put together as text, and nothing is imported but SHA-256.
"""

from hashlib import sha256


def hmac(key: bytes, message: bytes) -> bytes:
    """RFC 2104 with SHA-256, whose block is 64 bytes."""
    if len(key) > 64:
        key = sha256(key).digest()
    key += bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def four(number: int) -> bytes:
    return bytes((number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255))


def eight(number: int) -> bytes:
    return four(number >> 32) + four(number & 0xFFFFFFFF)


def prefixed(part: bytes) -> bytes:
    return four(len(part)) + part


def picks(secret: bytes, entropies: list[bytes], name: str, ordinal: int, size: int, count: int) -> list[int]:
    """Return the indices a draw picks, word by word."""
    key = hmac(secret, b"slow train 1 draws")
    tail = b""
    for entropy in entropies:
        tail += prefixed(entropy)
    found: list[int] = []
    block = 0
    while True:
        digest = hmac(key, prefixed(name.encode("utf-8")) + eight(ordinal) + four(block) + tail)
        block += 1
        for start in (0, 8, 16, 24):
            if len(found) == count:
                return found
            word = 0
            for byte in digest[start : start + 8]:
                word = word * 256 + byte
            left = size - len(found)
            fair = (2**64 // left) * left
            if word < fair:
                found.append(word % left)


def first_link(game: str) -> bytes:
    return sha256(b"slow train 1 chain" + prefixed(game.encode("utf-8"))).digest()


def commitment(secret: bytes, game: str, ply: int, index: int, body: bytes) -> bytes:
    key = hmac(secret, b"slow train 1 part" + prefixed(game.encode("utf-8")) + eight(ply) + four(index))
    return hmac(key, body)


def next_link(previous: bytes, open_part: bytes, commitments: list[bytes]) -> bytes:
    whole = previous + sha256(open_part).digest()
    for each in commitments:
        whole += each
    return sha256(whole).digest()


def brought(salt: str, words: str) -> bytes:
    return sha256(salt.encode("utf-8") + words.encode("utf-8")).digest()


def ours(secret: bytes, game: str, seat: int) -> bytes:
    return hmac(secret, b"slow train 2 seat" + prefixed(game.encode("utf-8")) + four(seat))


def entropy(brought: bytes, ours: bytes) -> bytes:
    """Return the entropy of a seat; ``brought`` is empty without words."""
    return sha256(prefixed(brought) + prefixed(ours)).digest()
