"""The lines a person wrote, out of what their mail program made of them."""

from pathlib import Path

import pytest

from service.post.incoming import Question, examine

from . import clients

REPLIES = list(clients.replies())
HEADS = Path(__file__).with_name("heads.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: f"{reply.group}: {reply.name}")
def test_what_a_person_wrote_is_read_and_nothing_else(reply: clients.Reply) -> None:
    incoming = examine(Question(reply.raw))
    assert tuple(line.text for line in incoming.lines) == reply.lines
    assert tuple(line.text for line in incoming.alone) == reply.alone


@pytest.mark.parametrize("head", HEADS)
def test_what_stands_below_a_head_is_anothers(head: str) -> None:
    raw = clients.mail(["move ottawa", "", *head.split("\n"), "", "move Boston"])
    assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"]


def test_there_are_programs_enough() -> None:
    assert len({client.name for client in clients.CLIENTS}) > 80


def test_names_that_programs_put_something_before_in_pages_they_show() -> None:
    for name in ("x_divRplyFwdMsg", "x_x_divRplyFwdMsg", "ydp1a2b3cyahoo_quoted", "m_-123456gmail_quote"):
        page = f'<div>move ottawa</div><div class="{name}"><b>From:</b> x</div>'
        raw = clients.mail(page=page + ("<div>pass</div>" if "Rply" in name else ""))
        assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"], name
