"""Bounces and complaints: whom they are about, and of which kind."""

import tomllib
from pathlib import Path

import pytest
from msgspec import Struct, convert

from service.post.incoming import Question, examine

ORIGINAL = (
    "From: Slow Train <g@play.example>\nTo: anna@home.example\nMessage-ID: <turn-7@play.example>\nSubject: Your turn\n"
)


class Case(Struct):
    """A report, and what it says of whom. ``kind``: of a mail that only looks like one."""

    name: str
    raw: str
    bounces: list[tuple[str, str, str]] = []
    kind: str = "report"

    def question(self) -> Question:
        """What is asked about it."""
        return Question(self.raw.lstrip().replace("ORIGINAL", ORIGINAL).replace("\n", "\r\n").encode())


_CASES = tomllib.loads(Path(__file__).with_name("reports.toml").read_text(encoding="utf-8"))
REPORTS = [convert(case, Case) for case in _CASES["report"]]
OTHERS = [convert(case, Case) for case in _CASES["no_report"]]


@pytest.mark.parametrize("case", REPORTS, ids=lambda case: case.name)
def test_a_report_is_read(case: Case) -> None:
    incoming = examine(case.question())
    assert incoming.kind == "report"
    assert incoming.report is not None
    assert [(bounce.address, bounce.kind, bounce.status) for bounce in incoming.report.bounces] == case.bounces
    assert incoming.lines == ()


@pytest.mark.parametrize(
    "case", [case for case in REPORTS if "rfc822\n\nORIGINAL" in case.raw], ids=lambda case: case.name
)
def test_a_report_names_the_letter_it_is_about(case: Case) -> None:
    incoming = examine(case.question())
    assert incoming.report is not None
    assert incoming.report.original == "<turn-7@play.example>"


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_what_looks_like_a_report_is_none(case: Case) -> None:
    assert examine(case.question()).kind == case.kind
