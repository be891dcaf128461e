"""Each seat's share of the chance of its game, so that nobody can have chosen the draws: words, and a share of ours.

The format, in full (``H``: SHA-256; ``lp(x)``: x behind its length in four bytes; integers big end first):

- ``brought = H(salt | words)``: the player's words, and in front of them a salt of 64 hexadecimal digits (or none),
  both as UTF-8. It stands in the log. Words and salt never do; with them the hash can be computed again.
- ``ours    = HMAC(secret, "slow train 2 seat" | lp(game id) | seat (4 bytes))``
- At a table of sealed words (`domain.sealed`) the words are 64 hexadecimal digits, without a salt, and ``brought`` is
  the seat's commitment; once they are opened, the 32 bytes themselves stand in its place:
- ``entropy = H(lp(brought) | lp(ours))``; if no words were brought, ``brought`` is no bytes at all.

The hash of the secret stands in the first ply, before anybody brings words. From then on, a person with the secret has
nothing left to vary until the draws suit them. Our share follows from the secret. Salt and words come from the player
in one go; the salt comes from a page or a program that did not know the words. Nor does our share follow from the ply
at which the seat is taken: otherwise setting the pace once more, or a bot that sits down and leaves again, would change
it.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from domain.chance import length_prefixed
from domain.keyed import keyed

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""32 bytes in hexadecimal digits."""


def brought(salt: str, words: str) -> str:
    """Return the hash of a player's words, as it stands in the log (64 hexadecimal digits)."""
    return _hash(salt + words)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def ours(secret: bytes, game_id: str, seat: int) -> str:
    """Return the service's share for a seat (64 hexadecimal digits)."""
    message = b"slow train 2 seat" + length_prefixed([game_id.encode()]) + seat.to_bytes(4, "big")
    return keyed(secret, message).hex()


def entropy(brought: str | None, ours: str) -> str:
    """Return a seat's share of every draw (64 hexadecimal digits)."""
    return hashlib.sha256(length_prefixed([bytes.fromhex(brought or ""), bytes.fromhex(ours)])).hexdigest()


def seats_of(given: str, brought: Mapping[int, str]) -> tuple[int, ...]:
    """Return the seats whose player brought ``given``: words, or a salt followed by words.

    ``brought``: seat -> the hash in the log.
    """
    given = given.strip()
    both = re.fullmatch(r"([0-9a-f]{64})\s(.*)", given, re.DOTALL)
    digests = {_hash(given), _hash(both[1] + both[2]) if both else ""}
    return tuple(seat for seat, digest in sorted(brought.items()) if digest in digests)
