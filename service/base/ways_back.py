"""The addresses to which mail about our letters comes: answers (``g``) and reports about them (``b``).

Each has a token that looks random and follows from a key of the installation, so that a letter sent again has the same
addresses. Only the hash of a token is stored.
"""

import base64
import hmac
import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from config.settings import Settings

BYTES = 16
"""Bytes of a token: 26 letters and digits in base32, since mail programs may write it in capitals."""
Tag = Literal["g", "b"]
_PURPOSES: Mapping[Tag, bytes] = {"g": b"slow train reply|", "b": b"slow train bounce|"}


def token_for(settings: Settings, tag: Tag, about: str) -> str:
    """Return the token for a letter, the same each time."""
    drawn = hmac.digest(settings.keys()[0].encode(), _PURPOSES[tag] + about.encode(), "sha256")[:BYTES]
    return base64.b32encode(drawn).decode().rstrip("=").lower()


def address(settings: Settings, tag: Tag, token: str) -> str:
    """Return the address with this token, in the form of the settings."""
    before, after = settings.answers_at
    return f"{before}{tag}{_joint(before)}{token}{after}"


def token_in(settings: Settings, tag: Tag, given: str) -> str | None:
    """Return the token in an address of ours, valid or not, or None for any other address."""
    found = _form(*settings.answers_at, tag).fullmatch(given.strip())
    return found[1].lower() if found else None


def found_in(settings: Settings, text: str) -> tuple[str, ...]:
    """Return the addresses of ours in a text, such as a mail's headers, in their order."""
    found = (it[0] for it in _anywhere(*settings.answers_at).finditer(text))
    return tuple(dict.fromkeys(it.lower() for it in found))


def beginnings(settings: Settings) -> tuple[str, str]:
    """Return the text with which every address for answers begins, and that of every address for reports."""
    before, _ = settings.answers_at
    return f"{before}g{_joint(before)}", f"{before}b{_joint(before)}"


def _joint(before: str) -> str:
    """Return the sign before the token: an address that has a plus sign gets no second one."""
    return "." if "+" in before else "+"


@cache
def _anywhere(before: str, after: str) -> re.Pattern[str]:
    one = f"{re.escape(before)}[gb][+.][a-z2-7]{{26}}{re.escape(after)}"
    return re.compile(rf"(?<![\w.+-]){one}(?![\w-]|\.\w)", re.IGNORECASE | re.ASCII)


@cache
def _form(before: str, after: str, tag: Tag) -> re.Pattern[str]:
    """Return the form of an address. Some servers do not support ``+``, and hand it over as a dot."""
    return re.compile(f"{re.escape(before)}{tag}[+.]([a-z2-7]{{26}}){re.escape(after)}", re.IGNORECASE)
