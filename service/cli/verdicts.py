"""How what came of a proof is said on a terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Console

from domain import luck
from service.cli.shared import escape
from service.proof.releases import last_to_decide
from service.proof.verdicts import Kind, Verdict, say
from service.words import ENGLISH


def decisions(verdict: Verdict) -> str:
    return f"{verdict.decided} commands decided again to the same bytes, {verdict.replayed} plies only replayed"


def older_rules(title: str, older: Sequence[int]) -> list[tuple[str, str]]:
    """Who decided by the versions of the rules whose plies were only replayed, as far as it is known."""
    known = [(rules, last_to_decide(title, rules)) for rules in older]
    return [
        (
            "older rules",
            f"release {it.version} ({(it.commit or '')[:12]}) decided by version {rules}: "
            f"--release {rules}=FOLDER asks it",
        )
        for rules, it in known
        if it is not None
    ]


COLOURS: Mapping[Kind, str] = {"proved": "bold green", "replayed": "bold yellow", "wrong": "bold red"}


def print_verdict(console: Console, verdict: Verdict, lang: str = ENGLISH) -> None:
    """Say a verdict, all its faults, and what is to be known beside it."""
    head, others = f"[{COLOURS[verdict.kind]}]{say(verdict.head, lang)}[/]", verdict.faults[1:]
    for said in (verdict.said, *(fault.said for fault in others)):
        console.print(f"{head} {escape(say(said, lang))}", highlight=False)
    for note in verdict.notes:
        console.print(f"  [dim]{'note':<12}[/] {escape(say(note, lang))}", highlight=False)


def print_words(console: Console, brought: Mapping[int, str], words: Sequence[str]) -> bool:
    """Say which seats ``words`` went in with; whether all of them did. ``brought``: seat -> what stands in the log."""
    found = [luck.seats_of(each, brought) for each in words]
    for seats in found:
        went = f"these words went in with seat {seats[0]}" if seats else "[bold red]these words went in with no seat[/]"
        console.print(f"  [dim]{'words':<12}[/] {went}", highlight=False)
    return all(found)
