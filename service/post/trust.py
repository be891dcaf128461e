"""Who a mail is from, and who says so: our own MTA (RFC 8601), else the signature of the author's domain (RFC 6376).

A header that anybody may have written proves nothing: of Authentication-Results only one counts, which bears the name
of our MTA; it must be the only such, since the MTA takes others away that came with the mail.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from dkim import DKIM, DKIMException
from dkim.util import InvalidTagValueList, parse_tag_value
from msgspec import Struct

from .limits import LONGEST_HEADER
from .message import Message, addresses

MOST_SIGNATURES = 3
"""Signatures that are looked at, from the top down."""
SMALLEST_KEY = 1024
LONGEST_KEY = 1000
"""Characters of a key's record: a key of 4096 bits fits, and none that takes long to reckon with."""
_ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")

Resolver = Callable[[str], str | None]
"""The text record of a name, or None: waits no longer than its maker allows, and never raises."""

Authenticity = Literal["by our MTA", "by DKIM", "failed", "unknown"]


class Author(Struct, frozen=True):
    """Who wrote a mail. ``address``: in lower case; "" if it is not one mailbox, and ``doubt`` says why.

    ``authentic``: who vouches for it; ``failed`` if our MTA says it is not; ``unknown`` if nobody says anything.
    """

    address: str = ""
    doubt: str = ""
    authentic: Authenticity = "unknown"

    @property
    def is_trusted(self) -> bool:
        """May what this mail says be done in the name of its address?"""
        return bool(self.address) and not self.doubt and self.authentic in ("by our MTA", "by DKIM")


def author(message: Message, raw: bytes, authserv_id: str = "", resolve: Resolver | None = None) -> Author:
    """Who a mail is from.

    ``raw``: its bytes as they came; ``authserv_id``: the name by which our own MTA signs its Authentication-Results, or
    nothing if it writes none; ``resolve``: asks for keys of signatures, or None if none shall be asked for.
    """
    address, doubt = mailbox(message)
    if not address:
        return Author(doubt=doubt)
    domain = address.rpartition("@")[2]
    said = verdict(message.all("authentication-results"), authserv_id, domain) if authserv_id else "unknown"
    if said == "unknown" and resolve is not None and not doubt and is_signed(raw, domain, resolve):
        said = "by DKIM"
    return Author(address, doubt, said)


_COMMENT = re.compile(r"\((?:[^()\\]|\\.){0,2000}\)")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.){0,500}\"")
_ONE_MAILBOX = re.compile(r"[^<>,;:\"@]{0,500}<\s*([^\s<>()\[\]:;,\"@\\]{1,64}@[\w.-]{1,255})\s*>")
_BARE_MAILBOX = re.compile(r"([^\s<>()\[\]:;,\"@\\]{1,64}@[\w.-]{1,255})")


def mailbox(message: Message) -> tuple[str, str]:
    """The one address a mail is from, and what makes one doubt it: ``from`` (none, several, a group), ``sender``."""
    written = message.all("from")
    if len(written) != 1:
        return "", "from"
    plain = _QUOTED.sub(" ", _without_comments(_undecoded(message)))
    found = _ONE_MAILBOX.fullmatch(plain.strip()) or _BARE_MAILBOX.fullmatch(plain.strip())
    if found is None:
        return "", "from"
    address = found[1].lower()
    senders = [one.lower() for value in message.all("sender") for one in addresses(value)]
    return address, "sender" if any(one != address for one in senders) else ""


def _undecoded(message: Message) -> str:
    """From as it stands: an encoded word may hold what looks like an address, and must not become one."""
    value = str(message.parsed.get("from", ""))[:LONGEST_HEADER]
    return " ".join(value.split())


def _without_comments(text: str) -> str:
    for _ in range(5):  # within each other, so deep and no deeper
        shorter = _COMMENT.sub(" ", text)
        if shorter == text:
            break
        text = shorter
    return text


def verdict(results: tuple[str, ...], authserv_id: str, domain: str) -> Authenticity:
    """What our MTA found out about an author's domain. ``results``: Authentication-Results, from the top down."""
    ours = [value for value in results if _authserv(value) == authserv_id.lower()]
    if len(ours) != 1:
        return "unknown"
    found = list(_found(ours[0]))
    for method, result, said in found:
        if method == "dmarc" and result in ("pass", "fail") and said.get("header.from", domain) == domain:
            return "by our MTA" if result == "pass" else "failed"
    for method, result, said in found:
        signed_by = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
        if method == "dkim" and result == "pass" and is_aligned(signed_by, domain):
            return "by our MTA"
    return "unknown"


def _authserv(value: str) -> str:
    return _without_comments(value).partition(";")[0].strip().partition(" ")[0].lower()


def _found(value: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(method, result, what it is about) of each thing found out. What is quoted is one word."""
    plain = _QUOTED.sub(lambda found: re.sub(r"[\s;=\"]", "_", found.group()), _without_comments(value))
    for one in plain.split(";")[1:]:
        words = re.sub(r"\s*=\s*", "=", one.strip().lower()).split()
        method, _, result = words[0].partition("=") if words else ("", "", "")
        yield method.partition("/")[0], result, dict(word.split("=", 1) for word in words[1:] if "=" in word)


def is_aligned(signed_by: str, domain: str) -> bool:
    """May who signs by ``signed_by`` speak for ``domain``? The domain itself, or one above it that is no top-level one.

    RFC 7489 also lets domains speak for those beside and above them in one organisation, which only a list of all
    public suffixes tells; where that matters our MTA, which has one, says so.
    """
    signed_by, domain = signed_by.lower().strip("."), domain.lower().strip(".")
    return bool(signed_by) and (signed_by == domain or ("." in signed_by and domain.endswith("." + signed_by)))


def is_signed(raw: bytes, domain: str, resolve: Resolver) -> bool:
    """Does a good signature of the author's domain cover the whole body and From?"""
    try:
        checked = DKIM(raw, minkey=SMALLEST_KEY)
        signatures = [value for name, value in checked.headers if name.lower() == b"dkim-signature"]
        return any(
            _may_count(value, domain) and checked.verify(number, dnsfunc=_asking(resolve))
            for number, value in enumerate(signatures[:MOST_SIGNATURES])
        )
    except (DKIMException, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
        return False


def _may_count(signature: bytes, domain: str) -> bool:
    """Is a signature worth asking for its key: of an aligned domain, and of the whole body (no ``l=``)?"""
    try:
        tags = parse_tag_value(signature)
    except InvalidTagValueList:
        return False
    signed_by = tags.get(b"d", b"").decode("ascii", "replace")
    return is_aligned(signed_by, domain) and b"l" not in tags and tags.get(b"a", b"") in _ALGORITHMS


def _asking(resolve: Resolver) -> Callable[..., bytes | None]:
    def ask(name: bytes, timeout: int = 0) -> bytes | None:
        record = resolve(name.decode("ascii", "replace"))
        return None if record is None or len(record) > LONGEST_KEY else record.encode("ascii", "replace")

    return ask
