"""Reports of other machines about our mail: bounces (RFC 3464 and other forms) and complaints.

Nothing here trusts a report: the envelope's address says to which mail it belongs, and callers check it.
"""

import re
from base64 import b64decode
from binascii import a2b_qp
from collections.abc import Iterator, Sequence
from email.message import Message as Parsed
from typing import Literal

from flufl.bounce import all_failures
from msgspec import Struct

from .limits import MOST_TEXT
from .lines import LONGEST
from .message import Message, addresses, bytes_of, children, kind_of, leaves, parse_quietly, text_of
from .phrases import patterns

Kind = Literal["permanent", "transient", "delayed", "complaint"]


class Bounce(Struct, frozen=True):
    """A report about one recipient.

    ``kind``: ``permanent``; ``transient``: given up for now; ``delayed``: not given up; ``complaint``: marked as spam.
    ``status``: as in RFC 3463 ("5.1.1"), or "".
    """

    address: str
    kind: Kind
    status: str = ""


class DeliveryReport(Struct, frozen=True):
    """The content of a report; ``original``: the Message-ID of its mail, with angle brackets, or ""."""

    bounces: tuple[Bounce, ...]
    original: str = ""


_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)")
_REPLY = re.compile(r"(?<![\d.])([45]\d\d)(?=[ -](?!\d))")
_FIELD = re.compile(r"^([A-Za-z][\w-]{1,60})[ \t]*:[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)
_STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
_RECIPIENT = {"original-recipient", "final-recipient"}
_SUBJECT = patterns("", "report subject")
_SAYS_LATER = patterns("", "delayed")
_SAYS_FAILED = patterns("", "failed")
_RETURNED = patterns(r"^\W{0,200}+", "returned below")
_ROBOTS = re.compile(r"^(?:mailer-?daemon|post_?master|mail-?daemon|mdaemon|.*-request|.*-owner|abuse)@", re.IGNORECASE)

_OF_SENDER = re.compile(r"^\W{0,9}(?:original sender|mail from|from|sender|absender|von|de)\b", re.IGNORECASE)
_NO_REPLY = re.compile(r"^(?:no-?reply|do-?not-?reply)@", re.IGNORECASE)
_FULL = re.compile(
    r"(?:mailbox|quota|inbox|postfach|speicher).{0,40}(?:full|exceed|over|voll|überschritten)|over quota", re.IGNORECASE
)


def report(message: Message) -> DeliveryReport | None:
    """Return a message's report, or None. A person's answer to a report is none."""
    found = _complaint(message)
    if found is None:
        found = _by_status(message)
    if found is None:
        found = _by_notification(message)
    if found is None and _is_machines(message):
        found = _as_written(message)
    return None if found is None else DeliveryReport(found, _original(message))


def _is_machines(message: Message) -> bool:
    sender = [*addresses(message.first("from")), *addresses(message.first("sender"))]
    null = "return-path" in message and not addresses(message.first("return-path"))
    return bool(
        kind_of(message.parsed) == "multipart/report"
        or "x-failed-recipients" in message
        or (null and _returned(message) is not None)
        or any(_ROBOTS.match(one) for one in sender)
        or (any(_NO_REPLY.match(one) for one in sender) and _returned(message) is not None)
        or re.search(r"mailer.?daemon|mail delivery|postmaster|mail.{0,3}system", message.first("from").lower())
        or ((null or "in-reply-to" not in message) and _SUBJECT.search(message.first("subject")[:LONGEST]))
    )


def _complaint(message: Message) -> tuple[Bounce, ...] | None:
    """Return a reader's complaint by way of their provider (RFC 5965), or None. DMARC reports do not count.

    Neither do reports of "not spam".
    """
    part = next((part for part in leaves(message.parsed) if kind_of(part) == "message/feedback-report"), None)
    if part is None:
        returned = _returned(message)
        told = addresses(returned.first("x-hmxmroriginalrecipient")) if returned is not None else []
        return tuple(Bounce(address, "complaint") for address in told) or None  # Outlook.com
    fields = _fields(_text(part))
    if fields.get("feedback-type", "abuse").strip().lower() in ("not-spam", "auth-failure", "dmarc"):
        return ()
    said = [
        value
        for name, value in _FIELD.findall(_text(part))
        if name.lower() in ("original-rcpt-to", "removal-recipient")
    ]
    found = [address for value in said for address in _addresses(value)] or _recipients(message)
    return tuple(Bounce(address, "complaint") for address in dict.fromkeys(found)) or (Bounce("", "complaint"),)


def _by_status(message: Message) -> tuple[Bounce, ...] | None:
    """Return the results for each recipient by RFC 3464: the action decides, then the status."""
    text = "\n\n".join(_text(part) for part in leaves(message.parsed) if kind_of(part) in _STATUS_TYPES)
    if not text and kind_of(message.parsed) == "multipart/report":
        texts = (text_of(part) for part in leaves(message.parsed) if kind_of(part).startswith("text/plain"))
        text = next((one for one in texts if re.search(r"^Final-Recipient\s*:", one, re.MULTILINE | re.IGNORECASE)), "")
    blocks = [told for block in re.split(r"\n[ \t]*\n", text[:MOST_TEXT]) for told in _of_each(block)]
    blocks = [block for block in blocks if "final-recipient" in block or "original-recipient" in block]
    if not blocks:
        return None
    bounces = [
        Bounce(address, kind, status) for block in blocks for address, kind, status in _failures_of(block, message)
    ]
    return tuple(dict.fromkeys(bounces))


def _of_each(block: str) -> list[dict[str, str]]:
    """Return the fields of each recipient: some servers list several without an empty line between them."""
    found: list[dict[str, str]] = [{}]
    for name, value in _FIELD.findall(block):
        told = found[-1]
        if name.lower() in _RECIPIENT and (name.lower() in told or (_RECIPIENT & told.keys() and "action" in told)):
            found.append({})
        found[-1][name.lower()] = " ".join(value.split())
    return found


def _by_notification(message: Message) -> tuple[Bounce, ...] | None:
    """Return a notification of Amazon SES: a mail with JSON, whose lines may be wrapped."""
    if kind_of(message.parsed) != "text/plain":
        return None
    text = re.sub(r"\s+", " ", text_of(message.parsed)[:30_000]).lstrip()
    type_ = re.match(r'\{ ?"notificationType" ?: ?"(Bounce|Complaint)"', text)
    begins = re.search(r'"(?:bounced|complained)Recipients" ?: ?\[', text)
    if type_ is None or begins is None:
        return None
    listed = text[begins.end() :].partition("]")[0]
    kind: Kind = "complaint" if type_[1] == "Complaint" else "transient"
    if '"bounceType":"Permanent"' in text.replace(" ", ""):
        kind = "permanent"
    found = re.findall(r'"emailAddress" ?: ?"([^"]{3,320})"', listed)
    status = next(iter(_STATUS.findall(listed)), "") if kind != "complaint" else ""
    return tuple(Bounce(address, kind, status) for address in found)


def _failures_of(block: dict[str, str], message: Message) -> Iterator[tuple[str, Kind, str]]:
    action = block.get("action", "").strip().lower()
    status = next(iter(_STATUS.findall(block.get("status", ""))), "")
    diagnosed = block.get("diagnostic-code", "")
    better = next(iter(_STATUS.findall(diagnosed)), "")
    if not status or (status.endswith(".0.0") and better[:1] == status[:1]):
        status = better or status
    kind = _kind(action, status, diagnosed)
    if kind is None:
        return
    named = (
        _addresses(block.get(name, "")) for name in ("original-recipient", "final-recipient", "x-actual-recipient")
    )
    for address in next(filter(None, named), _recipients(message)[:1]):
        yield address, kind, status


def _kind(action: str, status: str, diagnosed: str) -> Kind | None:
    if action.startswith(("delivered", "relayed", "expanded", "deliverable")):
        return None
    if action.startswith("delay"):
        return "delayed"
    digit = status[:1] or next(iter(_REPLY.findall(diagnosed)), "")[:1]
    if digit == "4" or (not digit and action.startswith("expire")):
        return "transient"
    if digit == "2" and not action:
        return None
    return "permanent" if digit == "5" or action.startswith(("fail", "error")) else None


def _as_written(message: Message) -> tuple[Bounce, ...] | None:
    """Return the results of a report in prose: by its known formats, else by an address near an error."""
    text = _words(message)
    known, named = _known_forms(message), _failed_addresses(message, text)
    if len(named) > 1 and len(apart := _apart(text, named)) == len(named):
        return tuple(Bounce(address, *_told_in(message, words)) for address, words in apart.items())
    kind, status = _told_in(message, text)
    if named and "x-failed-recipients" not in message:  # an address only in the returned mail is no recipient of it
        known = tuple({one for one in some if one in text.casefold()} for some in known)  # type: ignore[assignment]
    failed = addresses(message.first("x-failed-recipients"))
    if failed or any(known):
        if known[0] and _digit(text) == "5":
            known = set(), known[0] | known[1]
        permanent = known[1] | {address.lower() for address in failed} if not known[0] else known[1]
        bounces = [Bounce(address, "delayed", status) for address in sorted(known[0])]
        return tuple(bounces + [Bounce(address, kind, status) for address in sorted(permanent - known[0])])
    if not named:
        return None
    return tuple(Bounce(address, kind, status) for address in named)


def _told_in(message: Message, text: str) -> tuple[Kind, str]:
    """Return how delivery failed (for good, for now, not yet), with the status if there is one."""
    status = next(iter(_STATUS.findall(text)), "")
    return "delayed" if _is_later(message, text) else "transient" if _digit(text) == "4" else "permanent", status


def _apart(text: str, named: Sequence[str]) -> dict[str, str]:
    """Return the text about each of several addresses: from the line that names it up to the next line with another.

    A line with two addresses belongs to neither. An address without a code of its own is left out.
    """
    found: dict[str, str] = {}
    of = ""
    for line in text.split("\n"):
        here = [one for one in named if one in line.casefold()]
        if len(here) > 1:
            return {}
        of = here[0] if here else of
        if of:
            found[of] = f"{found.get(of, '')}{line[:LONGEST]}\n"
    return {one: said for one, said in found.items() if _STATUS.search(said) or _REPLY.search(said)}


def _digit(text: str) -> str:
    """Return the first digit of the first code in a text. A full mailbox is temporary unless a code says otherwise."""
    return next(iter(_STATUS.findall(text) or _REPLY.findall(text)), "4" if _FULL.search(text) else "5")[:1]


def _is_later(message: Message, text: str) -> bool:
    said = f"{message.first('subject')[:LONGEST]}\n{text[:4000]}"
    return bool(_SAYS_LATER.search(said) and not re.search(r"(?<!\d)5\.\d\.\d", text[:4000]))


def _known_forms(message: Message) -> tuple[set[str], set[str]]:
    try:
        temporary, permanent = all_failures(message.parsed)
    except Exception:  # from a library with old regular expressions on hostile text
        return set(), set()
    return tuple({one.decode("ascii").lower() for one in some if b"@" in one} for some in (temporary, permanent))  # type: ignore[return-value]


def _failed_addresses(message: Message, text: str) -> list[str]:
    """Return the addresses near an error in a text, except those of From and To."""
    if not (_SAYS_FAILED.search(text) or _SUBJECT.search(message.first("subject")[:LONGEST])):
        return []
    own = {one.lower() for name in ("from", "to", "sender", "reply-to") for one in addresses(message.first(name))}
    found: dict[str, None] = {}
    for line in text.split("\n")[:400]:
        if _OF_SENDER.match(line):
            continue
        for address in addresses(line[:LONGEST].replace("mailto:", " ")):
            if address.lower() not in own and not _ROBOTS.match(address):
                found[address.strip(".'").lower()] = None
    return list(found)[:10]


def _words(message: Message) -> str:
    """Return a report's own words, up to the start of the reported mail."""
    parts = [part for part in leaves(message.parsed) if kind_of(part) in ("text/plain", "text/html")]
    text = text_of(parts[0])[:MOST_TEXT] if parts else ""
    if parts and kind_of(parts[0]) == "text/html":
        text = re.sub(r"<[^<>]{0,500}>", " ", text)
    kept: list[str] = []
    for line in text.replace("\r", "").split("\n"):
        if kept and _RETURNED.match(line[:LONGEST]):
            break
        kept.append(line)
    return "\n".join(kept)


def _original(message: Message) -> str:
    returned = _returned(message)
    return returned.first("message-id") if returned is not None else ""


def _recipients(message: Message) -> list[str]:
    """Return the recipients of the reported mail, by its own headers."""
    returned = _returned(message)
    return addresses(returned.first("to")) if returned is not None else []


def _returned(message: Message) -> Message | None:
    """Return the reported mail, or its headers, if the report contains it."""
    for part in leaves(message.parsed):
        kind = kind_of(part)
        if kind in ("message/rfc822", "message/global"):
            inner = children(part)
            return parse_quietly(inner[0].as_bytes() if inner else bytes_of(part))
        if kind in ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers"):
            return parse_quietly(bytes_of(part))
    return None


def _text(part: Parsed) -> str:
    """Return the text of a part with fields; the standard library parses some of them as messages, encoded or not."""
    if not part.is_multipart():
        return bytes_of(part).decode("utf-8", "replace").replace("\r", "")
    written = b"\n\n".join(block.as_bytes() for block in children(part))
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    try:
        if encoding == "base64":
            written = b64decode(written)
        elif encoding == "quoted-printable":
            written = a2b_qp(written)
    except ValueError:
        pass
    return written.decode("utf-8", "replace").replace("\r", "")


def _fields(block: str) -> dict[str, str]:
    return {name.lower(): " ".join(value.split()) for name, value in _FIELD.findall(block)}


def _addresses(value: str) -> list[str]:
    """Return the addresses in "rfc822; bob@home.example", with or without type and angle brackets.

    Some servers list several.
    """
    kind, semicolon, rest = value.partition(";")
    if semicolon and kind.strip().lower() not in ("rfc822", "utf-8", "smtp", "unknown", "system"):
        return []
    return addresses((rest if semicolon else value)[:LONGEST])
