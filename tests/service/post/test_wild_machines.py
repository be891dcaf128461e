"""Machines, people who look like machines, and reports of a second corpus, as ``read-mail`` classifies them."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from service.cli.read_mail import told
from service.post.incoming import Question, examine

KNOWN = tomllib.loads(Path(__file__).with_name("wild_machines.toml").read_text(encoding="utf-8"))
TO = "To: g+abcdefghijklmnopqrstuvwx23@play.example"


def read(raw: str) -> dict[str, Any]:
    return told(examine(Question(raw.replace("\n", "\r\n").encode())))


@pytest.mark.parametrize("case", KNOWN["machine"], ids=lambda case: case["name"])
def test_mail_of_machines_in_the_second_corpus_is_recognised(case: dict[str, Any]) -> None:
    said = read(f"{TO}\n{case['head']}\n\n{case['body']}")
    assert (said["kind"], said["lines"]) == ("auto", [])


@pytest.mark.parametrize("case", KNOWN["person"], ids=lambda case: case["name"])
def test_people_who_look_like_machines_are_read(case: dict[str, Any]) -> None:
    sender = "" if case["head"].startswith("From:") else "From: Ann <ann@home.example>\n"
    said = read(f"{TO}\n{sender}{case['head']}\n\nmove ottawa\n")
    assert (said["kind"], said["lines"]) == ("orders", ["move ottawa"])


@pytest.mark.parametrize("case", KNOWN["report"], ids=lambda case: case["name"])
def test_reports_name_recipient_and_kind(case: dict[str, Any]) -> None:
    said = read(case["raw"])
    assert sorted(said["bounces"]) == sorted(case["bounces"])
    assert (said["kind"], said["lines"]) == ("bounce" if case["bounces"] else "auto", [])
