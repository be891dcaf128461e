"""The lines of a mail's writer, amid all that their mail program added."""

from pathlib import Path

import pytest

from service.post import reading
from service.post.incoming import Question, examine
from service.post.lines import visible
from service.post.message import parse

from . import clients

REPLIES = list(clients.replies())
HEADS = Path(__file__).with_name("heads.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: f"{reply.group}: {reply.name}")
def test_exactly_the_writers_lines_are_read(reply: clients.Reply) -> None:
    incoming = examine(Question(reply.raw))
    assert tuple(line.text for line in incoming.lines) == reply.lines
    assert tuple(line.text for line in incoming.alone) == reply.alone


@pytest.mark.parametrize("head", HEADS)
def test_text_below_a_header_block_is_quoted(head: str) -> None:
    raw = clients.mail(["move ottawa", "", *head.split("\n"), "", "move Boston"])
    assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"]


@pytest.mark.parametrize("indent", ["", "  ", "    ", "\t"])
@pytest.mark.parametrize("head", HEADS)
def test_text_below_an_indented_header_block_is_quoted(head: str, indent: str) -> None:
    """The quote may be indented as the header is, or begin with such a line."""
    heads = [indent + line for line in head.split("\n")]
    for quote in ("{}Turn 3/{}move Boston", "{}    Turn 3/{}move Boston", "{}> Turn 3/{}> move Boston"):
        for its_own in ("", indent):
            raw = clients.mail(["move ottawa", "", *heads, *quote.format(its_own, its_own).split("/")])
            assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"], quote


def test_text_below_an_indented_quote_is_read() -> None:
    raw = clients.mail(
        ["Am 22.11.2026 um 10:00 schrieb Slow Train:", "    Turn 3", "    move Boston", "", "move ottawa"]
    )
    assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"]


@pytest.mark.parametrize("inner", ["text/html", "multipart/related; boundary=c"])
@pytest.mark.parametrize("page_first", [False, True])
def test_adjacent_plain_text_and_html_are_two_forms_of_one_text(inner: str, page_first: bool) -> None:
    page = "<p>move ottawa</p><p>End turn.</p>"
    if "related" in inner:
        page = f"--c\nContent-Type: text/html\n\n{page}\n--c--"
    parts = ["Content-Type: text/plain\n\nmove ottawa\nend turn", f"Content-Type: {inner}\n\n{page}"]
    incoming = examine(Question(_mixed(parts[::-1] if page_first else parts)))
    assert [line.text for line in incoming.lines] == ["move ottawa", "End turn."]
    assert incoming.alone == ()


def test_a_line_of_only_one_form_must_be_asked_about() -> None:
    text, page = "move ottawa\nend turn", "<p>move ottawa</p><p>move Boston</p>"
    raw = _mixed([f"Content-Type: text/plain\n\n{text}", f"Content-Type: text/html\n\n{page}"])
    assert [line.text for line in examine(Question(raw)).alone] == ["end turn", "move Boston"]


def test_adjacent_plain_text_and_html_that_differ_are_both_read() -> None:
    raw = _mixed(["Content-Type: text/plain\n\nmove ottawa", "Content-Type: text/html\n\n<p>end turn</p>"])
    incoming = examine(Question(raw))
    assert [line.text for line in incoming.lines] == ["move ottawa", "end turn"]
    assert incoming.alone == ()


def _mixed(parts: list[str]) -> bytes:
    head = "From: ann@home.example\nTo: g@play.example\nSubject: Re: x\nContent-Type: multipart/mixed; boundary=b\n\n"
    return (head + "".join(f"--b\n{part}\n" for part in parts) + "--b--\n").encode()


UNSEEN = (
    "display:none", "DISPLAY : None !important", "display:/* x */none", "display:none !important;display:block",
    "visibility:collapse", "opacity:.0", "font-size:0.0pt", "font-size:.1px", "font-size:1px", "max-height:0",
    "height:0px;overflow:hidden", "color:#fff;background:#fff", "color:white;background-color:#FFFFFF",
    "color: rgb(255, 255, 255); background: rgb(255, 255, 255)", "color:transparent", "color:rgba(0,0,0,0.0)",
    "text-indent:-9999px", "position:absolute;left:-9999px", "text-decoration: underline line-through",
    f"x:{'y' * 2000};display:none",
)  # fmt: skip


@pytest.mark.parametrize("style", UNSEEN)
def test_hidden_or_struck_out_html_is_no_line(style: str) -> None:
    assert lines_of_page(f'<p>move ottawa</p><div style="{style}">end <b>turn</b></div>') == ["move ottawa"]


SHOWN = (
    "color:white", "font-size:10px", "opacity:0.5", "height:0", "left:-9999px", "text-indent:-20px", "display:block",
    "display:none;display:block", "color:#fff;background:#000", "font-size:1em", "border:0", "margin:0 0 0 -40px",
)  # fmt: skip


@pytest.mark.parametrize("style", SHOWN)
def test_visible_html_is_a_line(style: str) -> None:
    """This includes white text: programs in dark mode write it."""
    assert lines_of_page(f'<p>move ottawa</p><div style="{style}">end <b>turn</b></div>') == ["move ottawa", "end turn"]


def test_hidden_text_with_a_new_colour_is_visible_again() -> None:
    page = '<div style="background:#fff"><font color="#FFFFFF">pass<b style="color:red">move ottawa</b></font></div>'
    assert lines_of_page(page) == ["move ottawa"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\u202enrut dne", "end turn"),
        ("bid \u202e21", "bid 12"),
        ("bid \u202e21\u202c on it", "bid 12 on it"),
        ("e\u0336n\u0336d\u0336 turn", "turn"),
        ("e\u200bn\u00add\u2060 \u3164tu\ufe0frn\u034f", "end turn"),
        ("Que\u0301bec", "Québec"),
    ],
)
def test_a_line_is_read_as_it_is_seen(text: str, seen: str) -> None:
    assert visible(text) == seen


@pytest.mark.parametrize(
    "mark", ["> ", "\u200b> ", "\u200e> ", "\ufeff> ", " \u2068>", "\u202b>\u200f> ", "\u3164> ", "\u202e>"]
)
def test_a_quote_prefix_behind_invisible_characters_counts(mark: str) -> None:
    """Programs put direction marks before lines in scripts that run from right to left."""
    assert plain_lines(f"move ottawa\n{mark}end turn\n") == ["move ottawa"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>move ottawa</p><p>&gt; end turn</p>",
        "<pre>move ottawa\n&gt; end turn\n</pre>",
        "move ottawa<br>&gt;end turn<br>&gt;&gt; pass",
        "<div>move ottawa</div><div>&#8206;&gt; end turn</div>",
        "<p>move ottawa</p><p>|&nbsp;end turn</p><p>&raquo; pass</p>",
    ],
)
def test_html_may_quote_with_plain_text_prefixes(html: str) -> None:
    """Servers do it that convert plain text to HTML, and people who paste."""
    assert lines_of_page(html) == ["move ottawa"]


DISPOSITIONS = (
    "attachment", '"attachment"', "  ATTACHMENT ; x=y", "(x) attachment", "=?utf-8?q?attachment?=",
    "inline; filename=orders.txt", "inline; filename*0=or; filename*1=ders.txt",
    "inline\nContent-Disposition: attachment",
)  # fmt: skip


@pytest.mark.parametrize("said", DISPOSITIONS)
def test_an_attachment_has_no_lines_whatever_its_name(said: str) -> None:
    parts = f"--b\n\nmove ottawa\n--b\nContent-Disposition: {said}\n\nend turn\n--b--\n"
    assert plain_lines(parts, "multipart/mixed; boundary=b") == ["move ottawa"]


def test_related_parts_of_a_page_have_no_lines() -> None:
    """RFC 2387: the other parts belong to the first, such as pictures. A part without text may come first."""
    picture, page = "--b\nContent-Type: image/png\n\nx\n", "--b\nContent-Type: text/html\n\n<p>move ottawa</p>\n"
    text = "--b\nContent-ID: <x>\n\nend turn\n--b--\n"
    for parts in (page + text, picture + page + text):
        assert plain_lines(parts, "multipart/related; boundary=b") == ["move ottawa"]


def plain_lines(text: str, kind: str = "text/plain; charset=utf-8") -> list[str]:
    """Return the writer's lines of a mail of this type."""
    head = f"From: a@home.example\nContent-Type: {kind}\n\n"
    return [line.text for line in reading.read(parse((head + text).encode())).written]


def lines_of_page(html: str) -> list[str]:
    """Return the writer's lines of an HTML page."""
    head = b"From: a@home.example\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    return [line.text for line in reading.read(parse(head + html.encode())).written]


def test_the_corpus_covers_enough_programs() -> None:
    assert len({client.name for client in clients.CLIENTS}) > 80


def test_prefixed_class_names_are_recognised() -> None:
    for name in ("x_divRplyFwdMsg", "x_x_divRplyFwdMsg", "ydp1a2b3cyahoo_quoted", "m_-123456gmail_quote"):
        page = f'<div>move ottawa</div><div class="{name}"><b>From:</b> x</div>'
        raw = clients.mail(page=page + ("<div>pass</div>" if "Rply" in name else ""))
        assert [line.text for line in examine(Question(raw)).lines] == ["move ottawa"], name
