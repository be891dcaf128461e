"""Proving games: the log is unchanged, every ply follows the rules, and every draw is fair.

`verify` needs only the log and the game's secret. It shares no state with the running service, so anybody can repeat it
with the same bytes. It stops at the first fault and names its ply.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from domain import house_words
from domain.chain import (
    CAUSES,
    Given,
    Ply,
    StoredPly,
    commitment,
    fingerprint,
    first_link,
    link,
    part_key,
    secret_commitment,
)
from domain.chance import draw_key, picks_of
from domain.game import Game, advance, extend, fold
from domain.lifecycle import Table, evolve_table
from domain.play import play
from domain.refusal import Refused
from domain.sealed import WordsRevealed
from domain.timekeeping import as_told
from domain.title import Title
from domain.words import Sentence
from service.database.store import GAMES, RESULTS, SECRETS, Away, Busy, NoSuchGame, Store, open_store
from service.games import clocks
from service.proof.checkouts import DoesNotRun
from service.proof.facts import Facts, Then
from service.proof.fingerprints import BelongsNowhere, ply_of
from service.proof.former import NOBODY, Formers, Said
from service.proof.order import Disorder, Order
from service.proof.verdicts import Fault, FaultFound, LookedAt, Why

logger = logging.getLogger(__name__)


class Report(LookedAt, frozen=True):
    """The report on a game of the store. ``quick``: its plies were only applied, as requested."""

    game_id: str
    title: str = ""
    status: str = ""
    parts: int = 0
    rules: int = 0
    head: str = ""
    quick: bool = False

    @property
    def why(self) -> Why:
        return "quick" if self.quick else "older"


class Evidence(msgspec.Struct, frozen=True):
    """A game's log and its secret, which suffice for a proof. ``formers``: the releases that decide its older rules."""

    game_id: str
    title: Title
    plies: Sequence[StoredPly]
    secret: bytes
    formers: Formers = {}


# ==== one log =====================================================================================
def verify(evidence: Evidence, fingerprints: Iterable[str] = (), *, quick: bool = False) -> tuple[Report, Game]:
    """Prove a log. Return the report, and the game up to its first fault. ``fingerprints``: those found in mails.

    ``quick``: check only the chain, the sealed parts and the replay; decide nothing again.
    """
    faults: list[Fault] = []
    auditor = _Auditor(evidence, quick)
    try:
        auditor.prove()
    except Exception:  # going ply by ply names the fault and its ply
        auditor = _Auditor(evidence, quick)
        faults += auditor.first_fault()
    if not evidence.plies:
        faults.append(Fault(Sentence("The log is empty.")))
    found = {}
    if not faults:
        links = [ply.link for ply in evidence.plies]
        for given in fingerprints:
            try:
                found[given] = ply_of(given, links)
            except BelongsNowhere as wrong:
                faults.append(wrong.fault)
    game = auditor.game
    brought, luck = luck_of(None if faults else game.table)
    report = Report(
        evidence.game_id,
        evidence.title.id,
        game.status,
        auditor.parts,
        evidence.title.rules.version,
        fingerprint(auditor.link),
        quick,
        links=auditor.links,
        decided=auditor.decided,
        replayed=auditor.replayed,
        draws=auditor.draws,
        found=found,
        faults=tuple(faults),
        brought=brought,
        luck=luck,
        back=tuple(auditor.order.back),
        remarks=auditor.facts.remarks(game.table),
        by=auditor.by,
        older=tuple(auditor.older),
    )
    return report, game


def luck_of(table: Table | None) -> tuple[dict[int, str], Sentence | None]:
    """Return the hashes of players' words by seat, and a sentence on whether the draws could have been chosen."""
    if table is None:
        return {}, None
    return {seat: table.chairs[seat].brought or "" for seat in table.brought}, house_words.of_luck(table)


STRETCH = 32
"""Plies that are checked together: enough to repeat one step often, few enough to stay in the processor's cache."""


class _Auditor:
    """Checks a log once. `prove` is fast and raises anything at a fault; `first_fault` then names the fault.

    `prove` goes by stretches, and through each in passes: all links, all commands, all decisions, all comparisons. A
    processor repeats one step a third faster than it alternates between several. Of a ply it reads only the command: if
    deciding it gives the stored bytes again, the rest of the ply needs no reading.
    """

    def __init__(self, evidence: Evidence, quick: bool) -> None:
        self.evidence = evidence
        self.quick = quick
        self.chain = evidence.title.chain
        self.game = fold(evidence.game_id, evidence.title, ())
        self.read: list[Ply] = []
        self.link = first_link(evidence.game_id)
        self.key = draw_key(evidence.secret)
        self.order, self.facts = Order(evidence.title.rules.version), Facts()
        self.links = self.parts = self.decided = self.replayed = self.draws = 0
        self.by: dict[str, int] = {}
        self.older: dict[int, None] = {}
        self.said: dict[int, Said | None] = {}

    def prove(self) -> None:
        log = self.evidence.plies
        for start in range(0, len(log), STRETCH):
            self._prove(start + 1, log[start : start + STRETCH])
        self._replay()

    def _prove(self, first: int, stretch: Sequence[StoredPly]) -> None:
        for number, stored in enumerate(stretch, first):
            self._link(number, stored)
        if self.quick:
            for stored in stretch:
                self._read_only(stored)
            return
        given = [self.chain.given(stored) for stored in stretch]
        again = [self._again(*each) for each in zip(given, stretch, strict=True)]
        for ply, stored in zip(again, stretch, strict=True):
            if ply is not None:
                self._demand_bytes(ply, stored)

    def _again(self, given: Given, stored: StoredPly) -> Ply | None:
        """Decide a ply's command again and advance the game; None if the whole ply had to be read instead."""
        table, title = self.game.table, self.evidence.title
        older = given.rules not in title.editions or given.rules in self.evidence.formers
        if table is None or table.time is not None or older or title.rules.upcasters:
            self._whole(stored)  # the first ply, clocks, retired rules, lifted events: the command alone is not enough
            return None
        self.order.follow(given)
        self.facts.given(table, given)
        ply, self.game = play(
            self.game,
            given.seat,
            given.command,
            given.at,
            given.cause,
            self.evidence.secret,
            self._past,
            rules=given.rules,
        )
        self.draws += len(ply.draws)
        if table.sealed is not None:
            self.facts.happened(table, ply, self._then)
        return ply

    def _demand_bytes(self, ply: Ply, stored: StoredPly) -> None:
        if ply.cause not in CAUSES or not ply.events or self.chain.encode(ply) != (stored.open, tuple(stored.sealed)):
            raise FaultFound(Sentence("rechecking it against the rules gives different bytes."))
        self.decided += 1

    def first_fault(self) -> Iterator[Fault]:
        """The first fault in the log, if there is one."""
        at = 0
        try:
            for at, stored in enumerate(self.evidence.plies, start=1):
                if any(not isinstance(it, bytes) for it in (stored.open, *(part.body for part in stored.sealed))):
                    raise FaultFound(Sentence("it, or one of its sealed parts, is not stored as bytes."))
                self._link(at, stored)
                if self.quick:
                    self._read_only(stored)
                else:
                    self._whole(stored)
            self._replay()
        except FaultFound as wrong:
            yield Fault(wrong.what, wrong.ply or at)

    def _read_only(self, stored: StoredPly) -> None:
        """Read a ply that is applied later, with others."""
        ply = self._read(stored)
        self.order.follow(ply)
        self.read.append(ply)
        self.replayed += 1

    def _whole(self, stored: StoredPly) -> None:
        """Read a ply, decide its command again, compare, and apply it."""
        ply = self._read(stored)
        self.order.follow(ply)
        if (played := self._decide(self.game, ply, stored)) is None:
            self._facts(ply)
            self._apply(ply)
            return
        again, after = played
        self._compare(self.game, again, ply, stored)
        self._facts(ply)
        self.game = after

    def _facts(self, ply: Ply) -> None:
        """Check that the facts in a ply which no rule decides are possible."""
        try:
            self.facts.given(self.game.table, ply)
            self.facts.happened(self.game.table, ply, self._then)
        except Disorder:
            raise
        except Exception as error:  # as below
            raise FaultFound(_not_applied(error)) from None

    def _then(self, version: int) -> Then:
        then = self._past(version)
        return Then(then.table, then.at, then.at)

    def _replay(self) -> None:
        """Apply the plies of a quick proof in one go. If that fails, apply them one by one, to name the faulty one."""
        try:
            self.game = extend(self.game, self.read, self._past)
        except Exception:  # a check ply by ply finds the faulty one
            for ply in self.read:
                self._apply(ply)

    def _link(self, number: int, stored: StoredPly) -> None:
        """Check that a ply is the next, and that its link follows from the previous link and its own bytes."""
        if stored.number != number:
            raise FaultFound(
                Sentence(
                    "it is missing; the next ply in the log is {next}.",
                    {"next": stored.number},
                )
            )
        game_id, secret = self.evidence.game_id, self.evidence.secret
        commitments = []
        for place, part in enumerate(stored.sealed):
            if part.index != place:
                raise FaultFound(Sentence("its sealed part {place} is missing.", {"place": place}))
            commitments.append(commitment(part_key(secret, game_id, number, place), part.body))
        if link(self.link, stored.open, commitments) != stored.link:
            raise FaultFound(_LINK_OF_PARTS if commitments else _LINK)
        self.link = stored.link
        self.links += 1
        self.parts += len(commitments)

    def _read(self, stored: StoredPly) -> Ply:
        try:
            ply = self.chain.decode(stored.open, stored.sealed)
        except (msgspec.MsgspecError, IndexError, TypeError, UnicodeDecodeError) as error:
            raise FaultFound(
                Sentence(
                    "its bytes cannot be read as a ply of this title: {error}",
                    {"error": str(error)},
                )
            ) from None
        if ply.number != stored.number:
            raise FaultFound(Sentence("its content has the number {number}.", {"number": ply.number}))
        if ply.cause not in CAUSES or not ply.events:
            raise FaultFound(Sentence("it has no known cause, or no events."))
        if ply.number == 1:
            self._opens(ply)
        if self.quick:
            self._seats(stored)
        return ply

    def _seats(self, stored: StoredPly) -> None:
        """Check that each sealed part is stored for its own seat. (A part made again is compared with its seat.)"""
        if any(_sealed_seat(part.body).seat != part.seat for part in stored.sealed):
            raise FaultFound(Sentence("a sealed part is assigned to the wrong seat."))

    def _opens(self, ply: Ply) -> None:
        """Check that the first ply opens a table of this title, and publishes the hash of the secret."""
        opened = ply.events[0]
        if getattr(opened, "title", None) != self.evidence.title.id:
            raise FaultFound(Sentence("it does not open a table of this title."))
        if getattr(opened, "commitment", None) != secret_commitment(self.evidence.secret):
            raise FaultFound(Sentence("the game's secret does not match the hash published here."))

    def _decide(self, game: Game, ply: Ply, stored: StoredPly) -> tuple[Ply, Game] | None:
        """Decide a ply's command again. Return the ply, and the game after it.

        None if its version of the rules is retired, or left to the code of a named release: then its draws are proved.
        """
        self.draws += len(ply.draws)
        said = self._former(ply.rules)
        if said is not None or ply.rules not in self.evidence.title.editions:
            self._seats(stored)
            self._draws(game, ply)
            self._elsewhere(said, ply)
            return None
        try:
            return play(
                game,
                ply.seat,
                ply.command,
                ply.at,
                ply.cause,
                self.evidence.secret,
                self._past,
                as_told(ply.events),
                ply.rules,
            )
        except Refused as refused:
            why = Sentence("{rule}: {why}", {"rule": refused.rule, "why": refused.sentence})
            raise FaultFound(Sentence("the rules refuse its command: {why}", {"why": why})) from None
        except Exception as error:  # a log that was made up can bring the rules to anything
            raise FaultFound(
                Sentence("its command cannot be checked against the rules: {error}", {"error": repr(error)})
            ) from None

    def _former(self, rules: int) -> Said | None:
        """The answer of the release named for this version; None if none is named or it does not decide by it."""
        if rules not in self.said:
            former, log = self.evidence.formers.get(rules), self.evidence
            said = former and former.ask(log.game_id, log.title.id, log.secret, log.plies)
            self.said[rules] = said if said and said.knows else None
        return self.said[rules]

    def _elsewhere(self, said: Said | None, ply: Ply) -> None:
        """Count a ply by the answer of a release's code; without an answer it is only replayed."""
        if said is not None and said.wrong is not None and said.wrong[0] == ply.number:
            raise FaultFound(
                Sentence(
                    "by the code of release {release}: {fault}",
                    {"release": said.release, "fault": _said_by_it(said.wrong)},
                )
            )
        if said is not None and ply.number in said.decided:
            self.decided += 1
            self.by[said.release] = self.by.get(said.release, 0) + 1
            return
        self.replayed += 1
        self.older[ply.rules] = None

    def _compare(self, game: Game, again: Ply, ply: Ply, stored: StoredPly) -> None:
        """Check that deciding a ply again gives the same bytes."""
        if self.chain.encode(again) != (stored.open, tuple(stored.sealed)):
            self._seats(stored)
            if not self._same_but_for_their_shape(again, ply):
                self._draws(game, ply)
                raise FaultFound(_difference(again, ply))
        self.decided += 1

    def _same_but_for_their_shape(self, again: Ply, ply: Ply) -> bool:
        """Do the events agree, though the bytes differ, after older events were lifted to today's shape?"""
        return bool(self.evidence.title.rules.upcasters) and again == ply

    def _draws(self, game: Game, ply: Ply) -> None:
        """Make each draw again from its record, without the rules."""
        table = game.table  # words opened in this very ply enter its draws
        for event in ply.events:
            if isinstance(event, WordsRevealed):
                table = evolve_table(table, event, ply.number, ply.at)
        entropies = table.entropies if table else b""
        before: dict[str, int] = {}
        for draw in ply.draws:
            ordinal = game.ordinals.get(draw.name, 0) + before.get(draw.name, 0)
            before[draw.name] = before.get(draw.name, 0) + 1
            picks = draw.picks or ()
            if len(picks) > draw.size or picks_of(
                self.key, entropies, draw.name, ordinal, draw.size, len(picks)
            ) != tuple(picks):
                raise FaultFound(
                    Sentence(
                        "the draw “{name}” does not follow from the game's secret.",
                        {"name": draw.name},
                    )
                )

    def _apply(self, ply: Ply) -> None:
        try:
            self.game = advance(self.game, ply, self._past)
        except Exception as error:  # as above
            raise FaultFound(_not_applied(error), ply.number) from None

    def _past(self, version: int) -> Game:
        """The game at an earlier version, the target of a rewind."""
        log = [self.chain.decode(it.open, it.sealed) for it in self.evidence.plies[:version]]
        return fold(self.evidence.game_id, self.evidence.title, log)


def _not_applied(error: Exception) -> Sentence:
    return Sentence("its events cannot be applied: {error}", {"error": repr(error)})


def _said_by_it(wrong: tuple[int, str, dict[str, str]]) -> Sentence:
    _, template, facts = wrong
    return msgspec.convert({"template": template, "facts": facts}, Sentence)


_LINK = Sentence(
    "its link cannot be computed from its content and the previous link, so either the content or the link was changed."
)
_LINK_OF_PARTS = Sentence(
    "its link does not match its content and the previous link. Something was changed: the ply's bytes, its link, a "
    "sealed part or the game's secret."
)


class _SealedSeat(msgspec.Struct):
    seat: int


_sealed_seat = msgspec.json.Decoder(_SealedSeat).decode


def _difference(again: Ply, ply: Ply) -> Sentence:
    for place, (now, then) in enumerate(zip(again.events, ply.events, strict=False), start=1):
        if now != then:
            return Sentence(
                "by the rules, event {place} of its command should be {now}, but the log has {then}.",
                {"place": place, "now": _short(now), "then": _short(then)},
            )
    if len(again.events) != len(ply.events):
        return Sentence(
            "by the rules, its command causes {made} events, but the log has {there}.",
            {"made": len(again.events), "there": len(ply.events)},
        )
    if again.draws != ply.draws:
        return Sentence("by the rules, its command needs other draws than those in the log.")
    return Sentence("rechecking it against the rules gives bytes that differ from the log.")


def _short(event: Any) -> str:
    said = repr(event)
    return said if len(said) < 200 else said[:200] + "…"


# ==== games of a store ============================================================================
_GAME = select(GAMES, SECRETS.c.secret).join(SECRETS, isouter=True).where(GAMES.c.id == bindparam("game"))
_RESULT = select(RESULTS.c.seat, RESULTS.c.place, RESULTS.c.total).where(RESULTS.c.game_id == bindparam("game"))


def verify_game(
    store: Store, game_id: str, fingerprints: Iterable[str] = (), *, quick: bool = False, formers: Formers = NOBODY
) -> Report:
    """Prove a game of the store: its log, and that its row and its result follow from the log.

    Anything else stored in its place is reported as a fault. Raises `NoSuchGame`, `DoesNotRun`, `Away` and `Busy`.
    """
    try:
        return _verify_game(store, game_id, fingerprints, quick, formers)
    except (NoSuchGame, DoesNotRun, Away, Busy):
        raise
    except Exception as error:  # a database edited by hand can hold anything, hidden things included
        logger.error("what is stored of game %s cannot be read: %s", game_id, type(error).__name__)
        return Report(
            game_id,
            faults=(
                Fault(
                    Sentence(
                        "The game's stored data cannot be read ({error}).",
                        {"error": type(error).__name__},
                    )
                ),
            ),
        )


def _verify_game(store: Store, game_id: str, fingerprints: Iterable[str], quick: bool, formers: Formers) -> Report:
    with store.read() as conn:
        row = conn.execute(_GAME, {"game": game_id}).one_or_none()
        if row is None:
            raise NoSuchGame(game_id)
        if row.title not in store.titles:
            return Report(
                game_id,
                row.title,
                faults=(
                    Fault(
                        Sentence(
                            "This program does not know the title {title}.",
                            {"title": row.title},
                        )
                    ),
                ),
            )
        if row.secret is None:
            lost = Sentence(
                "The game's secret is gone. The game's draws and sealed parts cannot be proved, and it cannot go on."
            )
            return Report(game_id, row.title, faults=(Fault(lost),))
        plies = store.stored_plies(conn, game_id, 0, row.version)
        results = {tuple(line) for line in conn.execute(_RESULT, {"game": game_id})}
    log = Evidence(game_id, store.titles[row.title], plies, row.secret, formers)
    report, game = verify(log, fingerprints, quick=quick)
    if report.faults:
        return report
    return msgspec.structs.replace(report, faults=tuple(_row_faults(row, results, plies, game)))


def _row_faults(row: Any, results: set[Any], plies: Sequence[StoredPly], game: Game) -> Iterator[Fault]:
    if row.version != game.version:
        yield Fault(
            Sentence(
                "The log ends with ply {last}, but the game's database row says {said}: plies are missing.",
                {"last": game.version, "said": row.version},
            )
        )
    elif row.head != plies[-1].link:
        yield Fault(Sentence("The link of the last ply differs from the one in the game's database row."), game.version)
    if (row.status, tuple(row.asked)) != (game.status, game.asked):
        yield Fault(
            Sentence(
                "The game's database row and the log disagree about how far the game has got, or which players it is "
                "waiting for."
            )
        )
    if row.due_at != clocks.due(game):
        yield Fault(Sentence("The game's database row and the log disagree about when the next clock runs out."))
    standings = game.result.standings if game.status == "over" and game.result else ()
    if results != {(line.seat, line.place, line.total) for line in standings}:
        yield Fault(Sentence("The stored result differs from the one that follows from the log."))


def game_ids(store: Store) -> list[str]:
    with store.read() as conn:
        return list(conn.execute(select(GAMES.c.id).order_by(GAMES.c.created_at, GAMES.c.id)).scalars())


BATCH = 20


def verify_all(
    store: Store, ids: Sequence[str], *, processes: int | None = None, quick: bool = False, formers: Formers = NOBODY
) -> Iterator[Report]:
    """Prove many games, in several processes if they are many. The reports come in the order of ``ids``."""
    batches = [ids[at : at + BATCH] for at in range(0, len(ids), BATCH)]
    processes = min(processes or os.cpu_count() or 1, len(batches))
    if processes < 2:
        yield from (verify_game(store, game_id, quick=quick, formers=formers) for game_id in ids)
        return
    address = store.engine.url.render_as_string(hide_password=False)
    with ProcessPoolExecutor(processes, get_context("spawn"), _open, (address, dict(formers))) as pool:
        for reports in pool.map(_verify_batch, batches, [quick] * len(batches)):
            yield from reports


_opened: list[tuple[Store, Formers]] = []
"""The store of a child process that proves games, and the releases that decide older rules."""


def _open(address: str, formers: Formers) -> None:
    _opened[:] = [(open_store(address), formers)]


def _verify_batch(ids: Sequence[str], quick: bool) -> list[Report]:
    ((store, formers),) = _opened
    return [verify_game(store, game_id, quick=quick, formers=formers) for game_id in ids]
