"""Who may act by mail: whose letter it answers, if that is proved; anybody else moves nothing, whatever they know."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.database.store import Store
from service.post.inbox import INCOMING
from tests.answers import MTA, Post, written
from tests.service.lanterns import ANN, game
from tests.workers.post import person, table


@pytest.fixture
def store(tmp_path: Path, store_in: Callable[..., Store], toy_title: Title) -> Store:
    """One that believes its mail server."""
    return store_in(Settings(_env_file=None, data_dir=tmp_path, authserv_id=MTA))


@pytest.fixture
def post(store: Store) -> Post:
    made = Post(store)
    table(store, person(store, "Ann"), person(store, "Bob"))
    made.deliver()
    return made


def order(post: Post) -> str:
    """A line that Ann may write to her letter."""
    game_id = post.letter("Ann")["List-Id"].strip("<>").partition(".")[0]
    return f"choose {min(game(post.store, game_id).state.hands[ANN])}"


def became(post: Post, raw: bytes) -> tuple[str, str]:
    """What becomes of a mail that comes from outside to where Ann's letter is answered, and why."""
    number = post.take(raw, post.letter("Ann")["Reply-To"], via="mail")
    post.work_off()
    with post.store.read() as conn:
        row = conn.execute(select(INCOMING.c.what, INCOMING.c.detail).where(INCOMING.c.id == number)).one()
    return row.what, row.detail


def mail(post: Post, *, to: str = "", sender: str = "ann@example.org", above: str = "") -> bytes:
    """Ann's order as a mail for which our mail server vouches; with headers above it."""
    return above.encode() + written(to or post.letter("Ann")["Reply-To"], order(post), sender=sender, vouched=True)


def test_who_is_known_to_have_written_acts(post: Post) -> None:
    assert became(post, mail(post, sender="Ann Player <Ann@Example.org>"))[0] == "done"


FORGED = {
    "nobody vouches for it": (lambda raw: raw.partition(b"\n")[2], "unknown"),
    "our server says no": (lambda raw: raw.replace(b"dmarc=pass", b"dmarc=fail"), "failed"),
    "another server vouches": (lambda raw: raw.replace(MTA.encode(), b"mx.evil.example"), "unknown"),
    "our name twice": (lambda raw: raw.partition(b"\n")[0] + b"\n" + raw, "unknown"),
    "another domain is vouched for": (lambda raw: raw.replace(b"header.from=example.org", b"header.from=e.example"), "unknown"),
    "another author": (lambda raw: raw.replace(b"From: ann@", b"From: bob@"), "foreign"),
    "another letter of the alphabet": (lambda raw: raw.replace(b"From: ann@", "From: \u0430nn@".encode()), "foreign"),
    "two authors": (lambda raw: b"From: bob@example.org\n" + raw, "from"),
    "two in one": (lambda raw: raw.replace(b"From: ann@example.org", b"From: ann@example.org, bob@example.org"), "from"),
    "a group": (lambda raw: raw.replace(b"From: ann@example.org", b"From: us: ann@example.org;"), "from"),
    "an address as a name": (lambda raw: raw.replace(b"From: ", b"From: ann@example.org <bob@evil.example> "), "from"),
    "a quoted address": (lambda raw: raw.replace(b"From: ann@example.org", b'From: "ann@example.org" <e@e.example>'), "foreign"),
    "a remark": (lambda raw: raw.replace(b"From: ann@example.org", b"From: e@e.example (ann@example.org)"), "foreign"),
    "an encoded one": (lambda raw: raw.replace(b"From: ann@example.org", b"From: =?utf-8?q?ann=40example=2Eorg?="), "from"),
    "somebody else sent it": (lambda raw: b"Sender: bob@example.org\n" + raw, "sender"),
    "it was written to somebody else": (lambda raw: raw.replace(b"To: g+", b"To: bob@evil.example, h+"), "elsewhere"),
    "an encoded name of ours": (lambda raw: raw.replace(b"Authentication-Results: ", b"Authentication-Results: =?utf-8?q?x?= "), "unknown"),
    "sent on by somebody": (
        lambda raw: b"Resent-From: bob@example.org\nResent-To: " + raw.partition(b"To: ")[2].partition(b"\n")[0] + b"\n"
        + raw.replace(b"To: g+", b"To: bob+", 1), "elsewhere",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_who_is_not_known_to_have_written_moves_nothing(post: Post, name: str) -> None:
    forge, why = FORGED[name]
    raw = mail(post)
    assert forge(raw) != raw
    before = len(post.sent)
    assert became(post, forge(raw)) == ("unproved", why)
    post.deliver()
    assert [it["To"] for it in post.sent[before:]] == []


def test_an_answer_never_goes_to_where_a_mail_says(post: Post) -> None:
    raw = mail(post, above="Reply-To: eve@evil.example\nResent-From: eve@evil.example\nReturn-Path: <eve@evil.example>\n")
    assert became(post, raw)[0] == "done"
    (receipt,) = post.receipts()
    assert receipt["To"] == "ann@example.org"
    assert "evil" not in receipt.as_string()
