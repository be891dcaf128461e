"""Printing reports and verdicts of proofs on a terminal."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console

from service.cli.shared import escape
from service.proof import report
from service.proof.report import ReportLine
from service.proof.verdicts import Kind, Verdict, say
from service.words import ENGLISH

COLOURS: Mapping[Kind, str] = {
    "proved": "bold green",
    "uncompared": "bold yellow",
    "replayed": "bold yellow",
    "wrong": "bold red",
}


def print_lines(console: Console, lines: Sequence[ReportLine], lang: str, style: str = "") -> None:
    """Print the lines of a report, with their names in a column."""
    names = [say(it.name, lang) for it in lines]
    width = max(12, *map(cell_len, names)) if names else 12
    for name, it in zip(names, lines, strict=True):
        said = escape(it.said if isinstance(it.said, str) else say(it.said, lang))
        shown = f"[{style}]{said}[/]" if style else said
        console.print(f"  [dim]{name:<{width}}[/] {shown}", highlight=False)


def print_verdict(console: Console, verdict: Verdict, lang: str = ENGLISH) -> None:
    """Print a verdict, all its faults, and its notes."""
    head, others = f"[{COLOURS[verdict.kind]}]{say(verdict.head, lang)}[/]", verdict.faults[1:]
    for said in (verdict.said, *(fault.said for fault in others)):
        console.print(f"{head} {escape(say(said, lang))}", highlight=False)
    print_lines(console, [ReportLine(report.NOTE, note) for note in verdict.notes], lang)


def print_words(console: Console, brought: Mapping[int, str], words: Sequence[str], lang: str) -> bool:
    """Print the seats that ``words`` belong to. Return False if some belong to none. ``brought``: as in the log."""
    found = report.words_found(brought, words)
    for line, went in found:
        print_lines(console, [line], lang, "" if went else COLOURS["wrong"])
    return all(went for _, went in found)
