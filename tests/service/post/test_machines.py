"""Machines are told from people before their content is read."""

import tomllib
from pathlib import Path

import pytest
from msgspec import Struct, convert

from service.post.incoming import Question, examine

ADDRESS = "g+7k2m@play.example"


class Case(Struct):
    """A mail. ``sender``: of its envelope, if known."""

    name: str
    headers: str
    body: str = "move ottawa\n"
    sender: str | None = None

    def question(self) -> Question:
        """Return the question about it."""
        names = {line.partition(":")[0].lower() for line in self.headers.split("\n")}
        own = {"from": "Anna <anna@home.example>", "to": ADDRESS, "subject": "Your turn"}
        rest = "".join(f"{name}: {value}\n" for name, value in own.items() if name not in names)
        raw = f"{self.headers}\n{rest}\n{self.body}".replace("\n", "\r\n").encode()
        return Question(raw, sender=self.sender, ours=("trains.example",))


_CASES = tomllib.loads(Path(__file__).with_name("machines.toml").read_text(encoding="utf-8"))
MACHINES = [convert(case, Case) for case in _CASES["machine"]]
PEOPLE = [convert(case, Case) for case in _CASES["person"]]


@pytest.mark.parametrize("case", MACHINES, ids=lambda case: case.name)
def test_mail_of_machines_is_recognised(case: Case) -> None:
    incoming = examine(case.question())
    assert incoming.kind == "automatic"
    assert incoming.why
    assert incoming.lines == ()


@pytest.mark.parametrize("case", PEOPLE, ids=lambda case: case.name)
def test_mail_of_people_is_not_taken_for_a_machines(case: Case) -> None:
    incoming = examine(case.question())
    assert (incoming.kind, incoming.why) == ("person", "")
    assert [line.text for line in incoming.lines] == ["move ottawa"]


def test_a_null_return_path_that_a_server_wrote_down_counts_beside_the_envelopes_sender() -> None:
    raw = b"Return-Path: <>\r\nFrom: ann@home.example\r\n\r\nmove ottawa\r\n"
    assert examine(Question(raw, sender="ann@home.example")).kind == "automatic"
