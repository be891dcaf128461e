"""The author of a mail, as proved by our own MTA (RFC 8601), else by the signature of their domain (RFC 6376).

A header that anybody could write proves nothing. Only the header Authentication-Results with the name of our MTA
counts. Two of them prove nothing, since the MTA removes such headers from incoming mail. The header is read undecoded:
text that an MTA quotes from a mail, such as an encoded word, is never more than a quote.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

import idna
from msgspec import Struct

from .limits import LONGEST_HEADER
from .message import Message, addresses

MOST_SIGNATURES = 3
"""Signatures that are checked, from the top down."""
SMALLEST_KEY = 1024
LONGEST_KEY = 1000
"""Characters of a key's record: enough for a key of 4096 bits, but for none that makes the check slow."""
MOST_RECIPIENTS = 100
_ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")

Resolver = Callable[[str], str | None]
"""Returns the text record of a name, or None. It has a timeout and never raises."""

Authenticity = Literal["by our MTA", "by DKIM", "failed", "unknown"]
Doubt = Literal["", "from", "sender", "foreign", "failed", "unknown", "elsewhere"]
"""The reason why a mail's author is not proved: From is not one mailbox; another person sent it; it is from another
address; our MTA says that it is forged; nobody vouches for it; nothing shows that it was written to us.
"""


class Author(Struct, frozen=True):
    """The author of a mail. ``address``: in lower case; "" if From is not one mailbox, with the reason in ``doubt``.

    ``authentic``: the authority that vouches for it; ``failed`` if our MTA calls it forged; ``unknown`` without any
    evidence. ``wrote_to``: the recipients in To and Cc, in lower case.
    """

    address: str = ""
    doubt: Literal["", "from", "sender"] = ""
    authentic: Authenticity = "unknown"
    wrote_to: tuple[str, ...] = ()

    @property
    def is_trusted(self) -> bool:
        """May the mail act in the name of its address?"""
        return bool(self.address) and not self.doubt and self.authentic in ("by our MTA", "by DKIM")

    def doubted(self, address: str, is_ours: Callable[[str], bool]) -> Doubt:
        """Return the reason why the owner of ``address`` is not proved to have written this mail to us, or "".

        ``is_ours``: is this recipient the address that got the mail? A mail to another person is signed as well, and
        its recipient could forward it to us.
        """
        if not self.address:
            return "from"
        if not is_same(self.address, address):
            return "foreign"
        if self.doubt:
            return self.doubt
        if not self.is_trusted:
            return "failed" if self.authentic == "failed" else "unknown"
        return "" if any(map(is_ours, self.wrote_to)) else "elsewhere"


def author(
    message: Message, raw: bytes, authserv_id: str = "", keys_for: str = "", resolve: Resolver | None = None
) -> Author:
    """Return the author of a mail.

    ``raw``: its received bytes; ``authserv_id``: the name of our own MTA in Authentication-Results, or "" if it writes
    none; ``keys_for``: the address whose signature counts, if ``resolve`` asks for its key.
    """
    address, doubt = mailbox(message)
    domain = _in_ascii(address.rpartition("@")[2])
    results = as_they_stand(message, "authentication-results") if authserv_id else ()
    is_first_hand = bool(address) and _came_from(results, authserv_id, address)
    wrote_to = _recipients(message, is_first_hand=is_first_hand)
    if not address:
        return Author(doubt=doubt, wrote_to=wrote_to)
    said = verdict(results, authserv_id, domain) if authserv_id else "unknown"
    if said == "by our MTA" and not is_first_hand and _covers_a_part(message, domain):
        said = "unknown"
    asks = not doubt and is_same(address, keys_for)
    if said == "unknown" and asks and resolve is not None and is_signed(raw, domain, resolve):
        said = "by DKIM"
    return Author(address, doubt, said, wrote_to)


_ONE_MAILBOX = re.compile(r"[^<>,;:\"@]{0,500}<\s*([^\s<>()\[\]:;,\"@\\]{1,64}@[\w.-]{1,255})\s*>")
_BARE_MAILBOX = re.compile(r"([^\s<>()\[\]:;,\"@\\]{1,64}@[\w.-]{1,255})")


def mailbox(message: Message) -> tuple[str, Literal["", "from", "sender"]]:
    """Return the one From address of a mail, and a doubt: ``from`` (none, several, a group), ``sender``."""
    written = as_they_stand(message, "from")
    plain = _plain(written[0], " ") if len(written) == 1 else None
    if plain is None:
        return "", "from"
    found = _ONE_MAILBOX.fullmatch(plain.strip()) or _BARE_MAILBOX.fullmatch(plain.strip())
    if found is None:
        return "", "from"
    address = found[1].lower()
    senders = [one.lower() for value in message.all("sender") for one in addresses(value)]
    return address, "sender" if any(one != address for one in senders) else ""


def as_they_stand(message: Message, name: str) -> tuple[str, ...]:
    """Return all values of a header, from the top down, in one line and undecoded.

    An encoded word may contain the text of an address or a verdict, and must not become one. A value that is too long
    becomes "", but is kept.
    """
    kept = [str(value) for known, value in message.parsed.raw_items() if known.lower() == name]
    found = [value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for value in kept]
    return tuple(" ".join(value.split()) if len(value) <= LONGEST_HEADER else "" for value in found)


_COVERED = re.compile(r"(?:^|;)\s*h\s*=([^;]*)", re.IGNORECASE)


def _recipients(message: Message, *, is_first_hand: bool) -> tuple[str, ...]:
    """Return the recipients of a mail (To and Cc), in lower case.

    The owner of a signed mail may add or repeat a header that the signature does not cover (RFC 6376, 8.15), so such a
    header does not count. Some large providers never sign To; mail that comes directly from their servers cannot have
    been changed.
    """
    found: dict[str, None] = {}
    for name in ("to", "cc"):
        values = as_they_stand(message, name)
        if len(values) == 1 and (is_first_hand or _is_covered(message, name)):
            found |= dict.fromkeys(one.lower() for one in addresses(_plain(values[0], " ") or ""))
    return tuple(found)[:MOST_RECIPIENTS]


def _is_covered(message: Message, name: str) -> bool:
    """Does every signature of a mail cover this header? (We do not know which of them an MTA has accepted.)"""
    covered = [_COVERED.findall(value) for value in as_they_stand(message, "dkim-signature")]
    return all(len(tags) == 1 and name in _listed(tags[0].lower()) for tags in covered)


_TAG = re.compile(r"(?:^|;) ?([a-z]+) ?=([^;]*)")


def _covers_a_part(message: Message, domain: str) -> bool:
    """Does a signature that may be the author's domain's say how much of the body it covers (``l=``)?

    Anybody with such a mail can add text below it, and the signature stays valid (RFC 6376, 8.2), for our MTA too. Only
    a list tells which domains are one organisation, but these share at least their last two labels. A header too long
    to read may say anything.
    """
    for value in as_they_stand(message, "dkim-signature"):
        tags = dict(_TAG.findall(value))
        may_be_theirs = tags.get("d", "").strip().lower().split(".")[-2:] == domain.lower().split(".")[-2:]
        if not value or ("l" in tags and ("d" not in tags or may_be_theirs)):
            return True
    return False


def _listed(names: str) -> list[str]:
    """Return the names of headers that a signature covers."""
    return [name.strip() for name in names.split(":")]


def is_same(address: str, other: str) -> bool:
    """Are two addresses in lower case the same, whatever the spelling of their domains?"""
    (local, _, domain), (others, _, elsewhere) = address.rpartition("@"), other.rpartition("@")
    return local == others and _in_ascii(domain) == _in_ascii(elsewhere)


def _in_ascii(domain: str) -> str:
    """Return a domain in ASCII (RFC 5891: "ß" is not "ss", as it once was), or unchanged if it has no such form."""
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain).decode("ascii")
    except idna.IDNAError:
        return domain


def _plain(text: str, quoted: str = "") -> str | None:
    """Return a structured header without comments, and with quoted text made harmless.

    None if one of them is not closed.

    ``quoted``: replaces a quoted string; "": the string becomes one word; comments contain none. RFC 5322, 3.2.2 and
    3.2.4.
    """
    out: list[str] = []
    depth, inside, escaped = 0, False, False
    for letter in text:
        if escaped:
            escaped = False
            if inside and not quoted:
                out.append("_")
        elif letter == "\\" and (inside or depth):
            escaped = True
        elif inside:
            inside = letter != '"'
            if inside and not quoted:
                out.append("_" if letter in " ;=" else letter)
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                return None
            out.append(" ")
        elif letter == '"' and depth and not quoted:
            return None  # part of an address in a comment, where quotes do not group
        elif letter == '"' and not depth:
            inside = True
            out.append(quoted)
        elif not depth:
            out.append(letter)
    return None if depth or inside or escaped else "".join(out)


# ==== results of our MTA ==========================================================================
def verdict(results: tuple[str, ...], authserv_id: str, domain: str) -> Authenticity:
    """Return our MTA's verdict on an author's domain. ``results``: Authentication-Results, from the top down."""
    ours = [value for value in results if authserv_of(value) in (authserv_id.lower(), None)]
    if len(ours) != 1:
        return "unknown"
    found = list(_found(ours[0]))
    dmarc = [(result, said) for method, result, said in found if method == "dmarc"]
    if any(result == "fail" and said.get("header.from", domain) == domain for result, said in dmarc):
        return "failed"
    if len(dmarc) > 1:  # one author has one policy: an attacker has added a second
        return "unknown"
    if any(result == "pass" and said.get("header.from") == domain for result, said in dmarc):
        return "by our MTA"
    for method, result, said in found:
        signed_by = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
        if method == "dkim" and result == "pass" and is_aligned(signed_by, domain):
            return "by our MTA"
    return "unknown"


def _came_from(results: tuple[str, ...], authserv_id: str, address: str) -> bool:
    """Did our MTA receive the mail from a server of the author's domain, and for them (RFC 7208)?"""
    ours = [value for value in results if authserv_of(value) in (authserv_id.lower(), None)]
    spf = [(result, said) for value in ours for method, result, said in _found(value) if method == "spf"]
    if len(ours) != 1 or len(spf) != 1 or spf[0][0] != "pass":
        return False
    local, _, domain = spf[0][1].get("smtp.mailfrom", "").rpartition("@")
    of_author, _, home = address.rpartition("@")
    return local in ("", of_author) and is_aligned(domain, _in_ascii(home))


def authserv_of(value: str) -> str | None:
    """Return the name of the server in a result; None for an unreadable one, which may be ours."""
    plain = _plain(value)
    return plain.partition(";")[0].strip().partition(" ")[0].lower() if plain else None


def _found(value: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield (method, result, subject) of each finding. Quoted text is one word; one with two subjects has none."""
    for one in (_plain(value) or "").split(";")[1:]:
        words = " ".join(one.lower().split()).replace(" =", "=").replace("= ", "=").split()
        method, _, result = words[0].partition("=") if words else ("", "", "")
        about = [word.split("=", 1) for word in words[1:] if "=" in word]
        if len({name for name, _ in about}) == len(about):
            yield method.partition("/")[0], result, dict(about)


# ==== signatures ==================================================================================
def is_aligned(signed_by: str, domain: str) -> bool:
    """May the signer ``signed_by`` speak for ``domain``? It must be the domain or a parent that is no top-level domain.

    RFC 7489 also lets sibling domains and subdomains of one organisation speak for each other, which needs a list of
    all public suffixes. Our MTA has one, and reports it where it matters.
    """
    signed_by, domain = signed_by.lower().strip("."), domain.lower().strip(".")
    return bool(signed_by) and (signed_by == domain or ("." in signed_by and domain.endswith("." + signed_by)))


def is_signed(raw: bytes, domain: str, resolve: Resolver) -> bool:
    """Does a valid signature of the author's domain cover the whole body and From?"""
    from dkim import DKIM, DKIMException  # it loads dnspython, too, which only the process that reads mail needs

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
    """Is a signature worth a lookup of its key: of an aligned domain, and of the whole body (no ``l=``), with From?"""
    from dkim.util import InvalidTagValueList, parse_tag_value

    try:
        tags = parse_tag_value(signature)
    except InvalidTagValueList:
        return False
    signed_by = tags.get(b"d", b"").decode("ascii", "replace")
    covers_from = "from" in _listed(tags.get(b"h", b"").decode("ascii", "replace").lower())
    return is_aligned(signed_by, domain) and covers_from and b"l" not in tags and tags.get(b"a", b"") in _ALGORITHMS


def _asking(resolve: Resolver) -> Callable[..., bytes | None]:
    def ask(name: bytes, timeout: int = 0) -> bytes | None:
        record = resolve(name.decode("ascii", "replace"))
        return None if record is None or len(record) > LONGEST_KEY else record.encode("ascii", "replace")

    return ask
