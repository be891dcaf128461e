"""Bounces and complaints: their recipients and kinds."""

import tomllib
from pathlib import Path

import pytest
from msgspec import Struct, convert

from service.post.incoming import Question, examine

ORIGINAL = (
    "From: Slow Train <g@play.example>\nTo: anna@home.example\nMessage-ID: <turn-7@play.example>\nSubject: Your turn\n"
)


class Case(Struct):
    """A report with its expected results. ``kind``: of a mail that only looks like one."""

    name: str
    raw: str
    bounces: list[tuple[str, str, str]] = []
    kind: str = "report"

    def question(self) -> Question:
        """Return the question about it."""
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
def test_a_mail_that_only_looks_like_a_report_is_none(case: Case) -> None:
    assert examine(case.question()).kind == case.kind


HEAD = (
    "From: MAILER-DAEMON@mx.example\nTo: b@play.example\nSubject: Undelivered Mail Returned to Sender\n"
    "Content-Type: {kind}\n\n"
)
BOTH = [("bob@home.example", "permanent", "5.1.1"), ("carl@away.example", "transient", "4.2.2")]


def _bounces(kind: str, body: str) -> list[tuple[str, str, str]]:
    incoming = examine(Question((HEAD.format(kind=kind) + body).encode(), sender=""))
    assert incoming.report is not None
    return [(it.address, it.kind, it.status) for it in incoming.report.bounces]


def test_two_addresses_in_one_report_have_their_own_status() -> None:
    said = "These failed:\n<bob@home.example>: 550 5.1.1 no such user\n<carl@away.example>:\n  452 4.2.2 mailbox full\n"
    assert _bounces("text/plain", said) == BOTH


def test_two_recipients_without_an_empty_line_between_are_two() -> None:
    fields = (
        "Original-Recipient: rfc822;bob@home.example\nFinal-Recipient: rfc822; bob@home.example\nAction: failed\n"
        "Status: 5.1.1\nFinal-Recipient: rfc822; carl@away.example\nAction: failed\nStatus: 4.2.2\n"
    )
    body = f"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n{fields}\n--b--\n"
    assert _bounces("multipart/report; report-type=delivery-status; boundary=b", body) == BOTH


def test_two_addresses_in_one_field_are_two_recipients() -> None:
    fields = "Final-Recipient: rfc822; bob@home.example, carl@away.example\nAction: failed\nStatus: 5.1.1\n"
    body = f"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n{fields}\n--b--\n"
    found = _bounces("multipart/report; report-type=delivery-status; boundary=b", body)
    assert [address for address, _, _ in found] == ["bob@home.example", "carl@away.example"]
