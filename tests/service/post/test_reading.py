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


@pytest.mark.parametrize("indent", ["", "  ", "    ", "\t"])
@pytest.mark.parametrize("head", HEADS)
def test_what_stands_below_an_indented_head_is_anothers(head: str, indent: str) -> None:
    """Its quote may be indented as it is, or begin with a line that is."""
    heads = [indent + line for line in head.split("\n")]
    for quote in ("{}Turn 3/{}move Boston", "{}    Turn 3/{}move Boston", "{}> Turn 3/{}> move Boston"):
        for its_own in ("", indent):
            raw = clients.mail(["move ottawa", "", *heads, *quote.format(its_own, its_own).split("/")])
            assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"], quote


def test_below_a_quote_that_is_indented_somebody_may_write() -> None:
    raw = clients.mail(
        ["Am 22.11.2026 um 10:00 schrieb Slow Train:", "    Turn 3", "    move Boston", "", "move ottawa"]
    )
    assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"]


@pytest.mark.parametrize("inner", ["text/html", "multipart/related; boundary=c"])
@pytest.mark.parametrize("page_first", [False, True])
def test_text_and_a_page_beside_each_other_are_two_forms_of_one_text(inner: str, page_first: bool) -> None:
    page = "<p>move ottawa</p><p>End turn.</p>"
    if "related" in inner:
        page = f"--c\nContent-Type: text/html\n\n{page}\n--c--"
    parts = ["Content-Type: text/plain\n\nmove ottawa\nend turn", f"Content-Type: {inner}\n\n{page}"]
    incoming = examine(Question(_mixed(parts[::-1] if page_first else parts)))
    assert [line.text for line in incoming.lines] == ["move ottawa", "End turn."]
    assert incoming.alone == ()


def test_what_only_one_of_the_two_says_must_be_asked() -> None:
    text, page = "move ottawa\nend turn", "<p>move ottawa</p><p>move Boston</p>"
    raw = _mixed([f"Content-Type: text/plain\n\n{text}", f"Content-Type: text/html\n\n{page}"])
    assert [line.text for line in examine(Question(raw)).alone] == ["end turn", "move Boston"]


def test_text_and_a_page_that_say_different_things_are_both_read() -> None:
    raw = _mixed(["Content-Type: text/plain\n\nmove ottawa", "Content-Type: text/html\n\n<p>end turn</p>"])
    incoming = examine(Question(raw))
    assert [line.text for line in incoming.lines] == ["move ottawa", "end turn"]
    assert incoming.alone == ()


def _mixed(parts: list[str]) -> bytes:
    head = "From: ann@home.example\nTo: g@play.example\nSubject: Re: x\nContent-Type: multipart/mixed; boundary=b\n\n"
    return (head + "".join(f"--b\n{part}\n" for part in parts) + "--b--\n").encode()


def test_there_are_programs_enough() -> None:
    assert len({client.name for client in clients.CLIENTS}) > 80


def test_names_that_programs_put_something_before_in_pages_they_show() -> None:
    for name in ("x_divRplyFwdMsg", "x_x_divRplyFwdMsg", "ydp1a2b3cyahoo_quoted", "m_-123456gmail_quote"):
        page = f'<div>move ottawa</div><div class="{name}"><b>From:</b> x</div>'
        raw = clients.mail(page=page + ("<div>pass</div>" if "Rply" in name else ""))
        assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"], name
