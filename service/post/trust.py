"""Who a mail is from, and who says so: our own MTA (RFC 8601), else the signature of the author's domain (RFC 6376).

A header that anybody may have written proves nothing: of Authentication-Results only one counts, which bears the name
of our MTA; it must be the only such, since the MTA takes others away that came with the mail. It is read as it stands:
what an MTA quotes of a mail, an encoded word for instance, is never more than a quote.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

import idna
from msgspec import Struct

from .limits import LONGEST_HEADER
from .message import Message, addresses

MOST_SIGNATURES = 3
"""Signatures that are looked at, from the top down."""
SMALLEST_KEY = 1024
LONGEST_KEY = 1000
"""Characters of a key's record: a key of 4096 bits fits, and none that takes long to reckon with."""
MOST_RECIPIENTS = 100
_ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")

Resolver = Callable[[str], str | None]
"""The text record of a name, or None: waits no longer than its maker allows, and never raises."""

Authenticity = Literal["by our MTA", "by DKIM", "failed", "unknown"]
Doubt = Literal["", "from", "sender", "foreign", "failed", "unknown", "elsewhere"]
"""Why a mail is not known to be from somebody: it is not from one mailbox; another sent it than who wrote it; it is
from another address; our MTA says that it is not from there; nobody vouches for it; nothing shows that it was written
to us.
"""


class Author(Struct, frozen=True):
    """Who wrote a mail. ``address``: in lower case; "" if it is not one mailbox, and ``doubt`` says why.

    ``authentic``: who vouches for it; ``failed`` if our MTA says it is not; ``unknown`` if nobody says anything.
    ``wrote_to``: whom it names as its recipients (To and Cc), in lower case.
    """

    address: str = ""
    doubt: Literal["", "from", "sender"] = ""
    authentic: Authenticity = "unknown"
    wrote_to: tuple[str, ...] = ()

    @property
    def is_trusted(self) -> bool:
        """May what this mail says be done in the name of its address?"""
        return bool(self.address) and not self.doubt and self.authentic in ("by our MTA", "by DKIM")

    def doubted(self, address: str, is_ours: Callable[[str], bool]) -> Doubt:
        """Why it is not known that whoever has ``address`` wrote this mail to us; "" if it is.

        ``is_ours``: whether a recipient is where the mail came to. A mail that was written to somebody else is signed
        all the same, and whoever has it could send it to us.
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
    """Who a mail is from.

    ``raw``: its bytes as they came; ``authserv_id``: the name by which our own MTA signs its Authentication-Results, or
    nothing if it writes none; ``keys_for``: the address whose signature counts, if ``resolve`` asks for its key.
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
    """The one address a mail is from, and what makes one doubt it: ``from`` (none, several, a group), ``sender``."""
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
    """Every value of a header, from the top down, in one line and not decoded: an encoded word may hold what looks like
    an address, or like a verdict, and must not become one. One that is too long is nothing, and is there."""
    kept = [str(value) for known, value in message.parsed.raw_items() if known.lower() == name]
    found = [value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for value in kept]
    return tuple(" ".join(value.split()) if len(value) <= LONGEST_HEADER else "" for value in found)


_COVERED = re.compile(r"(?:^|;)\s*h\s*=([^;]*)", re.IGNORECASE)


def _recipients(message: Message, *, is_first_hand: bool) -> tuple[str, ...]:
    """Whom a mail names as its recipients (To and Cc), in lower case.

    Whoever has a signed mail may add what the signature leaves out, or put it there a second time, and the signature
    holds (RFC 6376, 8.15): such a header names nobody. Some large providers never sign To; what comes from their
    servers at first hand cannot have been added to.
    """
    found: dict[str, None] = {}
    for name in ("to", "cc"):
        values = as_they_stand(message, name)
        if len(values) == 1 and (is_first_hand or _is_covered(message, name)):
            found |= dict.fromkeys(one.lower() for one in addresses(_plain(values[0], " ") or ""))
    return tuple(found)[:MOST_RECIPIENTS]


def _is_covered(message: Message, name: str) -> bool:
    """Does every signature of a mail cover this header? (We do not know which of them an MTA has believed.)"""
    covered = [_COVERED.findall(value) for value in as_they_stand(message, "dkim-signature")]
    return all(len(tags) == 1 and name in _listed(tags[0].lower()) for tags in covered)


_TAG = re.compile(r"(?:^|;) ?([a-z]+) ?=([^;]*)")


def _covers_a_part(message: Message, domain: str) -> bool:
    """Does a signature that may be the author's domain's say how much of the body it covers (``l=``)?

    Anybody with such a mail can write below it, and the signature holds (RFC 6376, 8.2), for our MTA too. Which domains
    are one organisation only a list tells, but they end in the same two labels at least. A header too long to be read
    may say anything.
    """
    for value in as_they_stand(message, "dkim-signature"):
        tags = dict(_TAG.findall(value))
        may_be_theirs = tags.get("d", "").strip().lower().split(".")[-2:] == domain.lower().split(".")[-2:]
        if not value or ("l" in tags and ("d" not in tags or may_be_theirs)):
            return True
    return False


def _listed(names: str) -> list[str]:
    """Names of headers that a signature lists."""
    return [name.strip() for name in names.split(":")]


def is_same(address: str, other: str) -> bool:
    """Whether two addresses in lower case are one, whichever way their domains are written."""
    (local, _, domain), (others, _, elsewhere) = address.rpartition("@"), other.rpartition("@")
    return local == others and _in_ascii(domain) == _in_ascii(elsewhere)


def _in_ascii(domain: str) -> str:
    """A domain as mail servers carry it (RFC 5891: "ß" is not "ss", as it once was); as it is where it cannot be."""
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain).decode("ascii")
    except idna.IDNAError:
        return domain


def _plain(text: str, quoted: str = "") -> str | None:
    """A structured header without its comments; of what is quoted no character means anything. None if either is open.

    ``quoted``: what stands for a quoted string; "": the string, as one word, and there is none in a comment.
    RFC 5322, 3.2.2 and 3.2.4.
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
            return None  # part of an address that was put into a remark, where its quotes hold nothing together
        elif letter == '"' and not depth:
            inside = True
            out.append(quoted)
        elif not depth:
            out.append(letter)
    return None if depth or inside or escaped else "".join(out)


# ==== what our MTA says ===========================================================================
def verdict(results: tuple[str, ...], authserv_id: str, domain: str) -> Authenticity:
    """What our MTA found out about an author's domain. ``results``: Authentication-Results, from the top down."""
    ours = [value for value in results if _authserv(value) in (authserv_id.lower(), None)]
    if len(ours) != 1:
        return "unknown"
    found = list(_found(ours[0]))
    dmarc = [(result, said) for method, result, said in found if method == "dmarc"]
    if any(result == "fail" and said.get("header.from", domain) == domain for result, said in dmarc):
        return "failed"
    if len(dmarc) > 1:  # there is one author, and so one policy: somebody has slipped something in
        return "unknown"
    if any(result == "pass" and said.get("header.from") == domain for result, said in dmarc):
        return "by our MTA"
    for method, result, said in found:
        signed_by = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
        if method == "dkim" and result == "pass" and is_aligned(signed_by, domain):
            return "by our MTA"
    return "unknown"


def _came_from(results: tuple[str, ...], authserv_id: str, address: str) -> bool:
    """Whether our MTA says that it got the mail from a server of the author's domain, and for them (RFC 7208)."""
    ours = [value for value in results if _authserv(value) in (authserv_id.lower(), None)]
    spf = [(result, said) for value in ours for method, result, said in _found(value) if method == "spf"]
    if len(ours) != 1 or len(spf) != 1 or spf[0][0] != "pass":
        return False
    local, _, domain = spf[0][1].get("smtp.mailfrom", "").rpartition("@")
    of_author, _, home = address.rpartition("@")
    return local in ("", of_author) and is_aligned(domain, _in_ascii(home))


def _authserv(value: str) -> str | None:
    """By whose name it is; None for one that cannot be read, which may be ours."""
    plain = _plain(value)
    return plain.partition(";")[0].strip().partition(" ")[0].lower() if plain else None


def _found(value: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(method, result, what it is about) of each thing found out. What is quoted is one word; what is about two things
    at once is about none."""
    for one in (_plain(value) or "").split(";")[1:]:
        words = " ".join(one.lower().split()).replace(" =", "=").replace("= ", "=").split()
        method, _, result = words[0].partition("=") if words else ("", "", "")
        about = [word.split("=", 1) for word in words[1:] if "=" in word]
        if len({name for name, _ in about}) == len(about):
            yield method.partition("/")[0], result, dict(about)


# ==== what a signature says =======================================================================
def is_aligned(signed_by: str, domain: str) -> bool:
    """May who signs by ``signed_by`` speak for ``domain``? The domain itself, or one above it that is no top-level one.

    RFC 7489 also lets domains speak for those beside and above them in one organisation, which only a list of all
    public suffixes tells; where that matters our MTA, which has one, says so.
    """
    signed_by, domain = signed_by.lower().strip("."), domain.lower().strip(".")
    return bool(signed_by) and (signed_by == domain or ("." in signed_by and domain.endswith("." + signed_by)))


def is_signed(raw: bytes, domain: str, resolve: Resolver) -> bool:
    """Does a good signature of the author's domain cover the whole body and From?"""
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
    """Is a signature worth asking for its key: of an aligned domain, and of the whole body (no ``l=``), with From?"""
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
