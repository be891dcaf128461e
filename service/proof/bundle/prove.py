"""The proof of a bundle: from the file alone, without service or database.

The proof has three steps, each as far as the one before it came. The *chain*: every link follows from every byte, every
open part from its commitment, every key from the secret. The *game*: a bundle of everything is decided again by the
title's rules (`service.proof.audit`), any other is read as far as it is open. The *file*: its header and its last line
agree with the plies. Only the first fault is told. The page's own verifier (``verifier.js``) takes the same steps, but
has no rules, and makes the draws again by itself.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chain import (
    CAUSES,
    Ply,
    commitment,
    first_link,
    link,
    message_owner,
    part_key,
    secret_commitment,
)
from domain.lifecycle import ENDED, Table, TableOpened, TableOpened1
from domain.messages import Command, Event, own_fields, tag_of
from domain.title import Title
from domain.words import Sentence
from service.proof import audit
from service.proof.bundle.format import (
    Bundle,
    Header,
    PlyLine,
    Reading,
    Unreadable,
    is_as_written,
    read,
    stored_ply,
)
from service.proof.facts import Facts, Then
from service.proof.fingerprints import ply_of
from service.proof.former import NOBODY, Formers
from service.proof.order import LATEST, Disorder, Order
from service.proof.verdicts import NO_REMARKS, Fault, FaultFound, LookedAt, Remarks, Verdict, Why


class Proof(LookedAt, frozen=True):
    """The report on a bundle. Plies are only read without the secret, which is published when the game has ended.

    ``opened``: sealed parts that were proved. ``closed``: those with only a commitment. ``page``: a sentence on the
    page around the bundle, if there is one. ``compared``: that page was compared with the log.
    """

    header: Header
    opened: int = 0
    closed: int = 0
    page: Sentence | None = None
    compared: bool = True

    @property
    def verdict(self) -> Verdict:
        return replace(super().verdict, uncompared=not self.compared)

    @property
    def why(self) -> Why:
        return "older" if self.header.reader == "everything" else "secret"

    @property
    def fault(self) -> Fault | None:
        """The first fault; the proof stops there."""
        return self.faults[0] if self.faults else None


def prove_file(
    raw: bytes, titles: Mapping[str, Title], fingerprints: Iterable[str] = (), formers: Formers = NOBODY
) -> Proof:
    """Prove the bundle in a file and, if the file is a page, that the page shows it. Raises `Unreadable`."""
    from service.proof.bundle.page import compared  # only pages need templates

    reading = read(raw)
    proof = prove(reading, titles, fingerprints, formers)
    if proof.fault is not None or (beside := compared(raw, reading.bundle, titles)) is None:
        return proof
    if beside.same is False:
        return replace(proof, faults=(Fault(beside.said),))
    return replace(proof, page=beside.said, compared=beside.same is not None)


def prove(
    reading: Reading, titles: Mapping[str, Title], fingerprints: Iterable[str] = (), formers: Formers = NOBODY
) -> Proof:
    """Prove the content of a file. ``fingerprints``: those that players found in mails, each with or without its ply
    ("17:0123456789ab"). ``formers``: the releases that decide older rules.
    """
    bundle = reading.bundle
    if bundle.header.title not in titles:
        raise Unreadable(Sentence("This program does not know the title “{title}”.", {"title": bundle.header.title}))
    chain = _Chain(bundle)
    fault = chain.go()
    proved = bundle.plies[: chain.links]
    read = _game(bundle, titles[bundle.header.title], proved, formers)
    found: dict[str, int] = {}
    fault = read.fault or fault or reading.fault
    if fault is None:
        try:
            _file(bundle, chain, read.status)
            links = [bytes.fromhex(ply.link) for ply in bundle.plies]
            found = {given: ply_of(given, links) for given in fingerprints}
        except FaultFound as wrong:
            fault = wrong.fault
    brought, luck = audit.luck_of(None if fault else read.table)
    return Proof(
        bundle.header,
        chain.opened,
        chain.closed,
        links=chain.links,
        decided=read.decided,
        replayed=read.replayed,
        draws=read.draws,
        found=found,
        faults=() if fault is None else (fault,),
        brought=brought,
        luck=luck,
        back=read.back,
        by=read.by,
        older=read.older,
        remarks=read.remarks,
    )


# ==== the chain ===================================================================================
class _Facts(msgspec.Struct):
    """The fields of every ply that are read without knowing its title."""

    ply: int
    rules: int
    events: list[dict[str, Any]] = []


class _Owner(msgspec.Struct):
    seat: int


_facts = msgspec.json.Decoder(_Facts).decode
_owner = msgspec.json.Decoder(_Owner).decode


OPENED = tuple(tag_of(kind) for kind in (TableOpened1, TableOpened))


class _Chain:
    """Checks the plies once and stops at the first that does not follow from the one before it."""

    def __init__(self, bundle: Bundle) -> None:
        self.header, self.plies = bundle.header, bundle.plies
        self.secret = None if bundle.secret is None else bytes.fromhex(bundle.secret)
        self.link = first_link(bundle.header.game)
        self.links = self.opened = self.closed = self.rules = 0

    def go(self) -> Fault | None:
        for ply in self.plies:
            try:
                self._check(ply)
            except FaultFound as wrong:
                return Fault(wrong.what, ply.ply)
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
            raise FaultFound(
                Sentence("its link does not match its content and the previous link: something was changed.")
            )
        self.link = own
        self.rules = max(self.rules, facts.rules)

    def _read(self, ply: PlyLine) -> _Facts:
        try:
            facts = _facts(ply.open)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise FaultFound(Sentence("its content cannot be read: {error}.", {"error": str(error)})) from None
        if facts.ply != ply.ply:
            raise FaultFound(Sentence("its content has the number {number}.", {"number": facts.ply}))
        if not is_as_written(ply.open):
            raise FaultFound(Sentence("its content is not in canonical form."))
        return facts

    def _first(self, facts: _Facts) -> None:
        """Check that the header and the secret match the table that the first ply opens."""
        opened = facts.events[0] if facts.events else {}
        header = self.header
        if opened.get("event") not in OPENED:
            raise FaultFound(Sentence("it does not open a table."))
        if (opened.get("title"), opened.get("seats")) != (header.title, header.seats):
            raise FaultFound(Sentence("it opens a different table than the header says."))
        if opened.get("commitment") != header.commitment:
            raise FaultFound(Sentence("it publishes a different commitment than the header."))
        if self.secret is not None and secret_commitment(self.secret) != header.commitment:
            raise FaultFound(Sentence("the secret in the last line does not match the hash published here."))

    def _part(self, ply: int, index: int, part: Any) -> None:
        reader = self.header.reader
        if not part.opened:
            if reader == "everything":
                raise FaultFound(
                    Sentence(
                        "its sealed part {part} is closed, although the game has ended.",
                        {"part": index},
                    )
                )
            self.closed += 1
            return
        if reader not in ("everything", part.seat):
            raise FaultFound(
                Sentence(
                    "its sealed part {part} was for seat {seat}, not for this reader.",
                    {"part": index, "seat": part.seat},
                )
            )
        key = bytes.fromhex(part.key)
        if self.secret is not None and key != part_key(self.secret, self.header.game, ply, index):
            raise FaultFound(
                Sentence(
                    "the key of its sealed part {part} does not follow from the secret.",
                    {"part": index},
                )
            )
        if commitment(key, part.body.encode()).hex() != part.commitment:
            raise FaultFound(Sentence("its sealed part {part} does not match its commitment.", {"part": index}))
        try:
            owner = _owner(part.body).seat
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise FaultFound(
                Sentence(
                    "its sealed part {part} cannot be read: {error}.",
                    {"part": index, "error": str(error)},
                )
            ) from None
        if owner != part.seat:
            raise FaultFound(
                Sentence(
                    "its sealed part {part} is assigned to the wrong seat.",
                    {"part": index},
                )
            )
        if not is_as_written(part.body):
            raise FaultFound(Sentence("its sealed part {part} is not in canonical form.", {"part": index}))
        self.opened += 1


# ==== the game ====================================================================================
class _Read(msgspec.Struct, frozen=True):
    """The content of the plies whose chain is proved. ``status``: that of the game. Other fields: as in `Proof`."""

    status: str
    table: Table | None
    fault: Fault | None = None
    decided: int = 0
    replayed: int = 0
    draws: int = 0
    back: tuple[int, ...] = ()
    by: dict[str, int] = {}
    older: tuple[int, ...] = ()
    remarks: Remarks = NO_REMARKS


def _game(bundle: Bundle, title: Title, proved: Sequence[PlyLine], formers: Formers) -> _Read:
    """Check the plies whose chain is proved: by the rules or, without the secret, as far as they can be read."""
    if bundle.secret is None or not proved:
        return _Reader(bundle.header, title).go(proved)
    plies = [stored_ply(ply) for ply in proved]
    log = audit.Evidence(bundle.header.game, title, plies, bytes.fromhex(bundle.secret), formers)
    report, game = audit.verify(log)
    fault = report.faults[0] if report.faults else None
    return _Read(
        game.status,
        game.table,
        fault,
        report.decided,
        report.replayed,
        report.draws,
        report.back,
        report.by,
        report.older,
        report.remarks,
    )


class _Reader:
    """Reads the open parts of a running game. Each ply must fit the title, and none of the reader's parts may miss."""

    def __init__(self, header: Header, title: Title) -> None:
        self.header, self.title, self.order, self.facts = header, title, Order(title.rules.version), Facts()
        self.table: Table | None = None
        self.tables: list[tuple[Table | None, int]] = []  # after each ply, with its time: 0 if unseen

    def go(self, plies: Sequence[PlyLine]) -> _Read:
        for ply in plies:
            try:
                self._read(ply)
            except FaultFound as wrong:
                return _Read("", None, Fault(wrong.what, ply.ply))
        return _Read(
            self.table.status if self.table else "",
            self.table,
            replayed=len(plies),
            back=tuple(self.order.back),
            remarks=self.facts.remarks(self.table),
        )

    def _read(self, ply: PlyLine) -> None:
        stored = stored_ply(ply)
        try:
            read = self.title.chain.decode(stored.open, stored.sealed)
        except (msgspec.MsgspecError, IndexError, TypeError, UnicodeError, RecursionError) as error:
            raise FaultFound(
                Sentence(
                    "its bytes cannot be read as a ply of this title: {error}.",
                    {"error": str(error)},
                )
            ) from None
        if any(not part.opened for part in ply.sealed) and read == Ply(read.number, read.rules):
            self.order.follow_unseen(read)
        else:
            if read.cause not in CAUSES or not read.events:
                raise FaultFound(Sentence("it has no known cause, or no events."))
            self.order.follow(read)
            self.facts.given(self.table, read)
        for message in (read.command, *read.events):
            mine = message is not None and message_owner(read, message) == self.header.reader
            if mine and _is_without_its_own(message):
                raise FaultFound(
                    Sentence(
                        "the part that only seat {seat} may see was left out.",
                        {"seat": self.header.reader},
                    )
                )
        try:
            self.table = self.facts.happened(self.table, read, self._then)
        except Disorder:
            raise
        except Exception as error:  # a forged log can make the rules raise anything
            raise FaultFound(Sentence("its events cannot be applied: {error}.", {"error": repr(error)})) from None
        self.tables.append((self.table, read.at))

    def _then(self, version: int) -> Then:
        """The table after an earlier ply, and its time: if the reader may not see that, the plies around bound it."""
        times = [at for _, at in self.tables]
        early = next((at for at in reversed(times[:version]) if at), 0)
        late = next((at for at in times[version - 1 :] if at), LATEST)
        return Then(self.tables[version - 1][0], early, late)


def _is_without_its_own(message: Command | Event) -> bool:
    kind: Hashable = type(message)
    return any(getattr(message, name) is msgspec.UNSET for name in own_fields(kind))


# ==== the file ====================================================================================
def _file(bundle: Bundle, chain: _Chain, status: str) -> None:
    """Check that the header and the last line agree with the plies."""
    header = bundle.header
    if chain.link.hex() != header.head:
        raise FaultFound(Sentence("The last link in the header differs from that of the plies."))
    if chain.rules != header.rules:
        raise FaultFound(Sentence("The header and the plies name different versions of the rules."))
    if status != header.status:
        raise FaultFound(
            Sentence(
                "According to the header the game is {status}, but according to its plies it is {found}.",
                {"status": header.status, "found": status},
            )
        )
    everything = (header.status in ENDED, header.reader == "everything", bundle.secret is not None)
    if len(set(everything)) != 1:
        raise FaultFound(Sentence("A finished game is shown in full with its secret, but a running game is not."))
    if isinstance(header.reader, int) and header.reader > header.seats:
        raise FaultFound(
            Sentence(
                "The header names seat {seat} as the reader; the table has {seats} seats.",
                {"seat": header.reader, "seats": header.seats},
            )
        )
