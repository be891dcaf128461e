"""Fingerprints that players found in mails and on pages, and the plies that they belong to.

This serves both a game of the store and a file.
"""

import re
from collections.abc import Sequence

from domain.chain import fingerprint
from domain.words import Sentence
from service.proof.verdicts import FaultFound

_GIVEN = re.compile(r"\s*(?:([0-9]{1,9})\s*:\s*)?([0-9a-f]{12,64})\s*", re.IGNORECASE)


class BelongsNowhere(FaultFound):
    """A text is no fingerprint, or one of another log."""


def ply_of(given: str, links: Sequence[bytes]) -> int:
    """Return the ply that a fingerprint belongs to, given with or without its ply ("17:0123456789ab").

    ``links``: of plies 1, 2, 3 ... Raises `BelongsNowhere`.
    """
    match = _GIVEN.fullmatch(given)
    if match is None:
        raise BelongsNowhere(
            Sentence(
                "“{given}” is not a fingerprint. Give at least twelve characters from 0 to 9 and a to f. You can put "
                "the number of the ply and a colon in front.",
                {"given": given},
            )
        )
    number, digits = match[1], match[2].lower()
    return _anywhere(digits, links) if number is None else _there(int(number), digits, links)


def _anywhere(digits: str, links: Sequence[bytes]) -> int:
    for number, link in enumerate(links, 1):
        if link.hex().startswith(digits):
            return number
    raise BelongsNowhere(
        Sentence(
            "No ply has the fingerprint {digits}, so it belongs to a different game.",
            {"digits": digits},
        )
    )


def _there(number: int, digits: str, links: Sequence[bytes]) -> int:
    if not 1 <= number <= len(links):
        raise BelongsNowhere(
            Sentence(
                "it is missing, although you have its fingerprint {digits}.",
                {"digits": digits},
            ),
            number,
        )
    link = links[number - 1]
    if not link.hex().startswith(digits):
        raise BelongsNowhere(
            Sentence(
                "its fingerprint is {here}, but yours is {digits}, so by this point the log already differs from "
                "the game you were shown.",
                {"here": fingerprint(link), "digits": digits},
            ),
            number,
        )
    return number
