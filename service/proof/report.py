"""Reports on proofs, line by line: commands print them before the verdict, in any language."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain import luck
from domain.words import Sentence
from service.proof.audit import Report
from service.proof.bundle.format import Eyes
from service.proof.bundle.prove import Proof
from service.proof.releases import last_to_decide
from service.proof.verdicts import Verdict


class ReportLine(NamedTuple):
    """A line of a report. ``said``: digits stand as they are."""

    name: Sentence
    said: Sentence | str


NOTE = Sentence("note")
FINGERPRINT = Sentence("fingerprint")
HEAD = Sentence("head")
STATES: Mapping[str, Sentence] = {
    "open": Sentence("not begun"),
    "running": Sentence("running"),
    "over": Sentence("over"),
    "cancelled": Sentence("called off"),
}
UNREADABLE = Sentence("not readable")


# ==== a game of the database ======================================================================
def heading(report: Report) -> Sentence:
    """The heading of a game: its id, title and progress."""
    state = STATES.get(report.status, UNREADABLE)
    return Sentence("Game {game} ({title}), {state}", {"game": report.game_id, "title": report.title, "state": state})


def of_game(report: Report) -> list[ReportLine]:
    follow = Sentence(
        "{links:ply|plies} and {parts:sealed part|sealed parts} form an unbroken chain",
        {"links": report.links, "parts": report.parts},
    )
    return [
        ReportLine(Sentence("chain"), follow),
        _decisions(report.verdict, report.rules),
        ReportLine(Sentence("draws"), Sentence("not checked")) if report.quick else _draws(report.draws),
        *older_rules(report.title, report.older),
        *_fingerprints(report.found),
        ReportLine(HEAD, report.head),
    ]


# ==== a file ======================================================================================
def heading_of_file(proof: Proof) -> Sentence:
    """The heading of a file: its game, progress, and the seat that sees it."""
    header = proof.header
    facts = {"game": header.game, "title": header.title, "state": STATES[header.status], "eyes": _eyes(header.reader)}
    return Sentence("Game {game} ({title}), {state}, {eyes}", facts)


def _eyes(reader: Eyes) -> Sentence:
    if isinstance(reader, int):
        return Sentence("as seat {seat} sees it", {"seat": reader})
    return Sentence("as a spectator sees it") if reader == "onlooker" else Sentence("everything")


def of_file(proof: Proof) -> list[ReportLine]:
    header = proof.header
    follow = Sentence(
        "{links:#} of {plies:ply|plies} form an unbroken chain", {"links": proof.links, "plies": header.plies}
    )
    parts: dict[str, object] = {"opened": proof.opened, "closed": proof.closed}
    sealed = Sentence("{opened:#} match their commitments", parts)
    if proof.closed:
        sealed = Sentence("{opened:#} match their commitments; {closed:#} are hidden from this reader", parts)
    by_the_rules = [
        _decisions(proof.verdict, header.rules),
        _draws(proof.draws),
        *older_rules(header.title, proof.older),
    ]
    return [
        ReportLine(Sentence("chain"), follow),
        ReportLine(Sentence("sealed parts"), sealed),
        *(by_the_rules if header.reader == "everything" else ()),
        *_fingerprints(proof.found),
        *([ReportLine(Sentence("page"), proof.page)] if proof.page else ()),
        ReportLine(HEAD, header.head[:12]),
    ]


# ==== lines of both ===============================================================================
def _decisions(verdict: Verdict, rules: int) -> ReportLine:
    facts = {"decided": verdict.decided, "replayed": verdict.replayed, "rules": rules}
    again = Sentence(
        "{decided:command|commands} rechecked against the rules with the same bytes, {replayed:ply|plies} only "
        "replayed (rules {rules})",
        facts,
    )
    return ReportLine(Sentence("decisions"), again)


def _draws(number: int) -> ReportLine:
    return ReportLine(Sentence("draws"), Sentence("{draws:#} derived again from the game's secret", {"draws": number}))


def older_rules(title: str, older: Sequence[int]) -> list[ReportLine]:
    """The releases that decide by the retired versions of plies that were only replayed, as far as known."""
    known = [(rules, last_to_decide(title, rules)) for rules in older]
    return [
        ReportLine(
            Sentence("older rules"),
            Sentence(
                "release {release} ({commit}) has version {rules}. Use it with --release {rules}=FOLDER",
                {"release": it.version, "commit": (it.commit or "")[:12], "rules": rules},
            ),
        )
        for rules, it in known
        if it is not None
    ]


def _fingerprints(found: Mapping[str, int]) -> list[ReportLine]:
    return [
        ReportLine(FINGERPRINT, Sentence("{given} belongs to ply {ply}", {"given": given, "ply": ply}))
        for given, ply in found.items()
    ]


def words_found(brought: Mapping[int, str], words: Sequence[str]) -> list[tuple[ReportLine, bool]]:
    """The seats whose hash in the log matches ``words``, and whether there is one. ``brought``: seat -> that hash."""
    return [(_went(luck.seats_of(each, brought)), bool(luck.seats_of(each, brought))) for each in words]


def _went(seats: Sequence[int]) -> ReportLine:
    if not seats:
        return ReportLine(Sentence("words"), Sentence("these words were not used at any seat"))
    return ReportLine(Sentence("words"), Sentence("these words were used at seat {seat}", {"seat": seats[0]}))


# ==== many games ==================================================================================
NO_GAMES = Sentence("There are no games here.")


def no_game(game_id: str) -> Sentence:
    return Sentence("There is no game {game}.", {"game": game_id})


def of_one_of_many(game_id: str, verdict: Verdict) -> Sentence:
    return Sentence("Game {game}: {verdict}", {"game": game_id, "verdict": verdict.said})


def of_all(verdicts: Sequence[Verdict]) -> Sentence:
    """Sum up the verdicts, in a sentence that follows the head of the worst."""
    games, kinds = len(verdicts), [it.kind for it in verdicts]
    if wrong := kinds.count("wrong"):
        return Sentence("{wrong:#} of {games:game|games} failed the check.", {"wrong": wrong, "games": games})
    facts: dict[str, object] = {name: sum(getattr(it, name) for it in verdicts) for name in ("plies", "decided")}
    facts |= {"games": games, "replayed": sum(it.replayed for it in verdicts), "some": kinds.count("replayed")}
    if facts["some"]:
        return Sentence(
            "{some:#} of {games:game|games} with {plies:ply|plies} in all: {decided:#} plies rechecked against the "
            "rules, {replayed:#} only replayed.",
            facts,
        )
    return Sentence(
        "{games:game|games} with {plies:ply|plies} in all: {decided:#} plies rechecked against the rules, "
        "{replayed:#} only replayed.",
        facts,
    )
