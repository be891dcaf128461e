"""The proof of a bundle: from the file alone, without service or database.

Three steps, each as far as the one before it came. The *chain*: every link follows from every byte, every open part
from its commitment, every key from the secret. The *game*: a bundle of everything is decided again by the title's
rules (`service.audit`), any other is read as far as it is open. Last the *file*: that its header and its last line
say what follows from the plies. The first fault is the one that is told; the page's own verifier (``verifier.js``)
goes the same way, but knows no rules and makes the draws again by itself.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chain import (
    StoredPly,
    commitment,
    fingerprint,
    first_link,
    link,
    message_owner,
    part_key,
    secret_commitment,
)
from domain.lifecycle import Table, TableOpened, TableOpened2, evolve_table
from domain.messages import Command, Event, own_fields, tag_of
from domain.title import Title
from domain.words import Sentence
from service import audit
from service.audit import Fault
from service.bundle.format import Bundle, Ended, Header, PlyLine, Reading, Unreadable, read, stored_ply


class Proof(msgspec.Struct, frozen=True):
    """What was looked at in a bundle, and what was found.

    ``links``: plies whose link was worked out again. ``opened`` and ``closed``: sealed parts that were proved, and
    those whose commitment alone is there. ``decided``, ``replayed``, ``draws``: as in `service.audit.Report`.
    ``found``: given fingerprint -> the ply it belongs to. ``fault``: the first thing that is wrong. ``page``: what is
    to be said of the page around the bundle, where the file is one. ``brought``, ``luck``: as in the report.
    """

    header: Header
    links: int = 0
    opened: int = 0
    closed: int = 0
    decided: int = 0
    replayed: int = 0
    draws: int = 0
    found: dict[str, int] = {}
    fault: Fault | None = None
    page: str = ""
    brought: dict[int, str] = {}
    luck: Sentence | None = None

    @property
    def proved(self) -> bool:
        return self.fault is None


class _Wrong(Exception):
    def __init__(self, what: str, ply: int | None = None) -> None:
        self.fault = Fault(what, ply)


def prove_file(raw: bytes, titles: Mapping[str, Title], fingerprints: Iterable[str] = ()) -> Proof:
    """Prove what a file holds and, where it is a page, that the page shows it. Raises `Unreadable`."""
    from service.bundle.page import compared  # who proves no page needs no templates

    reading = read(raw)
    proof = prove(reading, titles, fingerprints)
    if proof.fault is not None or (beside := compared(raw, reading.bundle, titles)) is None:
        return proof
    if beside.same is False:
        return replace(proof, fault=Fault(beside.said))
    return replace(proof, page=beside.said)


def prove(reading: Reading, titles: Mapping[str, Title], fingerprints: Iterable[str] = ()) -> Proof:
    """Prove what was read of a file. ``fingerprints``: what players found in mails, each with or without its ply
    ("17:0123456789ab")."""
    bundle = reading.bundle
    if bundle.header.title not in titles:
        raise Unreadable(f"This program does not know the title “{bundle.header.title}”.")
    chain = _Chain(bundle)
    fault = chain.go()
    proved = bundle.plies[: chain.links]
    decided, status, other, table = _game(bundle, titles[bundle.header.title], proved)
    found: dict[str, int] = {}
    if other is None and fault is None:
        fault = reading.fault
    fault = other or fault
    if fault is None:
        try:
            _file(bundle, chain, status)
            found = {given: _ply_of(given, bundle.plies) for given in fingerprints}
        except _Wrong as wrong:
            fault = wrong.fault
    luck = audit.luck_of(None if fault else table)
    return Proof(bundle.header, chain.links, chain.opened, chain.closed, *decided, found, fault, "", *luck)


# ==== the chain ===================================================================================
class _Facts(msgspec.Struct):
    """What is read of every ply without knowing its title."""

    ply: int
    rules: int
    events: list[dict[str, Any]] = []


class _Owner(msgspec.Struct):
    seat: int


_facts = msgspec.json.Decoder(_Facts).decode
_owner = msgspec.json.Decoder(_Owner).decode


OPENED = tuple(tag_of(kind) for kind in (TableOpened, TableOpened2))


class _Chain:
    """Goes through the plies once and stops at the first that does not follow from the one before it."""

    def __init__(self, bundle: Bundle) -> None:
        self.header, self.plies = bundle.header, bundle.plies
        self.secret = None if bundle.secret is None else bytes.fromhex(bundle.secret)
        self.link = first_link(bundle.header.game)
        self.links = self.opened = self.closed = self.rules = 0

    def go(self) -> Fault | None:
        for ply in self.plies:
            try:
                self._check(ply)
            except _Wrong as wrong:
                return Fault(wrong.fault.what, ply.ply)
            self.links += 1
        return None

    def _check(self, ply: PlyLine) -> None:
        facts = self._read(ply)
        if ply.ply == 1:
            self._first(facts)
        for index, part in enumerate(ply.sealed):
            self._part(ply.ply, index, part)
        own = link(self.link, ply.open.encode(), [bytes.fromhex(part.commitment) for part in ply.sealed])
        if own.hex() != ply.link:
            raise _Wrong("its link does not follow from the link before it and what it holds: something was changed.")
        self.link = own
        self.rules = max(self.rules, facts.rules)

    def _read(self, ply: PlyLine) -> _Facts:
        try:
            facts = _facts(ply.open)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise _Wrong(f"what it holds cannot be read: {error}.") from None
        if facts.ply != ply.ply:
            raise _Wrong(f"it calls itself ply {facts.ply}.")
        return facts

    def _first(self, facts: _Facts) -> None:
        """The header and the secret are those of the table that the first ply opens."""
        opened = facts.events[0] if facts.events else {}
        header = self.header
        if opened.get("event") not in OPENED:
            raise _Wrong("it does not open a table.")
        if (opened.get("title"), opened.get("seats")) != (header.title, header.seats):
            raise _Wrong("it opens another table than the header says.")
        if opened.get("commitment") != header.commitment:
            raise _Wrong("it publishes another commitment than the header says.")
        if self.secret is not None and secret_commitment(self.secret) != header.commitment:
            raise _Wrong("the secret in the last line is not the one whose hash was published here.")

    def _part(self, ply: int, index: int, part: Any) -> None:
        reader = self.header.reader
        if not part.opened:
            if reader == "everything":
                raise _Wrong(f"its sealed part {index} is closed, though the game has ended.")
            self.closed += 1
            return
        if reader not in ("everything", part.seat):
            raise _Wrong(f"its sealed part {index} was for seat {part.seat}, and is not this reader's.")
        key = bytes.fromhex(part.key)
        if self.secret is not None and key != part_key(self.secret, self.header.game, ply, index):
            raise _Wrong(f"the key of its sealed part {index} does not follow from the secret.")
        if commitment(key, part.body.encode()).hex() != part.commitment:
            raise _Wrong(f"its sealed part {index} is not what was committed to.")
        try:
            owner = _owner(part.body).seat
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise _Wrong(f"its sealed part {index} cannot be read: {error}.") from None
        if owner != part.seat:
            raise _Wrong(f"its sealed part {index} lies with another seat than it was made for.")
        self.opened += 1


# ==== the game ====================================================================================
Decided = tuple[int, int, int]
"""Commands decided again, plies of older rules that were only replayed, draws made again."""


def _game(
    bundle: Bundle, title: Title, proved: Sequence[PlyLine]
) -> tuple[Decided, str, Fault | None, Table | None]:
    """The plies that the chain holds together, by the rules: what was decided, how far the game is, what is wrong."""
    plies = [stored_ply(ply) for ply in proved]
    if bundle.secret is None or not plies:
        table, fault = _readable(bundle.header, title, plies)
        return (0, 0, 0), table.status if table else "", fault, table
    report, game = audit.verify(audit.Evidence(bundle.header.game, title, plies, bytes.fromhex(bundle.secret)))
    fault = report.faults[0] if report.faults else None
    return (report.decided, report.replayed, report.draws), game.status, fault, game.table


def _readable(header: Header, title: Title, plies: Sequence[StoredPly]) -> tuple[Table | None, Fault | None]:
    """The table, where each ply can be read as one of this title and the reader's own parts are all there."""
    table: Table | None = None
    for ply in plies:
        try:
            read = title.chain.decode(ply.open, ply.sealed)
        except (msgspec.MsgspecError, IndexError, TypeError, UnicodeError, RecursionError) as error:
            return None, Fault(f"its bytes cannot be read as a ply of this title: {error}.", ply.number)
        if read.rules > title.rules:
            what = f"version {read.rules} of the rules; this program knows version {title.rules}."
            return None, Fault(f"it was decided by {what}", ply.number)
        for message in (read.command, *read.events):
            if message is not None and message_owner(read, message) == header.reader and _is_without_its_own(message):
                return None, Fault(f"what seat {header.reader} alone may see of it was left out.", ply.number)
        try:
            for event in read.events:
                table = evolve_table(table, event, read.number)
        except Exception as error:  # a log that was made up can bring the rules to anything
            return None, Fault(f"its events cannot be applied: {error!r}.", ply.number)
    return table, None


def _is_without_its_own(message: Command | Event) -> bool:
    kind: Hashable = type(message)
    return any(getattr(message, name) is msgspec.UNSET for name in own_fields(kind))


# ==== the file ====================================================================================
def _file(bundle: Bundle, chain: _Chain, status: str) -> None:
    """The header and the last line say what follows from the plies."""
    header = bundle.header
    if chain.link.hex() != header.head:
        raise _Wrong("The header names another last link than the plies lead to.")
    if chain.rules != header.rules:
        raise _Wrong("The header names another version of the rules than the plies do.")
    if status != header.status:
        raise _Wrong(f"The header says the game is {header.status}; by its plies it is {status}.")
    everything = (header.status in Ended, header.reader == "everything", bundle.secret is not None)
    if len(set(everything)) != 1:
        raise _Wrong("A game that has ended is shown whole and with its secret, a running one never.")
    if isinstance(header.reader, int) and header.reader > header.seats:
        raise _Wrong(f"The header names seat {header.reader} as the reader; the table has {header.seats} seats.")


# ==== fingerprints ================================================================================
_GIVEN = re.compile(r"\s*(?:([0-9]{1,9})\s*:\s*)?([0-9a-f]{12,64})\s*", re.IGNORECASE)


def _ply_of(given: str, plies: Sequence[PlyLine]) -> int:
    """The ply that a fingerprint belongs to."""
    match = _GIVEN.fullmatch(given)
    if match is None:
        raise _Wrong(f"“{given}” is no fingerprint: twelve or more of the digits 0 to 9 and a to f, perhaps behind "
                     "the number of its ply and a colon.")  # fmt: skip
    number, digits = match[1], match[2].lower()
    if number is None:
        for ply in plies:
            if ply.link.startswith(digits):
                return ply.ply
        raise _Wrong(f"The fingerprint {digits} belongs to no ply: what was shown with it is not what stands here.")
    if not 1 <= int(number) <= len(plies):
        raise _Wrong(f"there is no such ply here, though you have its fingerprint {digits}.", int(number))
    link = plies[int(number) - 1].link
    if not link.startswith(digits):
        raise _Wrong(
            f"its fingerprint is {fingerprint(bytes.fromhex(link))}, but you have {digits}: up to here something is "
            "not what was shown then.", int(number)
        )  # fmt: skip
    return int(number)
