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


def instead(old: str, new: str) -> Callable[[bytes], bytes]:
    """The mail with something else in it."""
    return lambda raw: raw.replace(old.encode(), new.encode(), 1)


def above(line: str) -> Callable[[bytes], bytes]:
    """The mail with one header more."""
    return lambda raw: line.encode() + b"\n" + raw


def twice(raw: bytes) -> bytes:
    """The mail with its first header twice."""
    return raw.partition(b"\n")[0] + b"\n" + raw


def sent_on(raw: bytes) -> bytes:
    """A mail to somebody else who sends it to us."""
    to = raw.partition(b"\nTo: ")[2].partition(b"\n")[0]
    return b"Resent-From: bob@example.org\nResent-To: " + to + b"\n" + raw.replace(b"\nTo: g+", b"\nTo: bob+")


FROM, RESULTS = "From: ann@example.org", "Authentication-Results: "
FORGED = {
    "nobody vouches for it": (instead("Authentication", "X-Authentication"), "unknown"),
    "our server says no": (instead("dmarc=pass", "dmarc=fail"), "failed"),
    "another server vouches": (instead(MTA, "mx.evil.example"), "unknown"),
    "our name twice": (twice, "unknown"),
    "another domain is vouched for": (instead("header.from=example.org", "header.from=e.example"), "unknown"),
    "an encoded name of ours": (instead(RESULTS, f"{RESULTS}=?utf-8?q?x?= "), "unknown"),
    "another author": (instead(FROM, "From: bob@example.org"), "foreign"),
    "another letter of the alphabet": (instead(FROM, "From: \u0430nn@example.org"), "foreign"),
    "two authors": (above("From: bob@example.org"), "from"),
    "two in one": (instead(FROM, f"{FROM}, bob@example.org"), "from"),
    "a group": (instead(FROM, "From: us: ann@example.org;"), "from"),
    "an address as a name": (instead(FROM, "From: ann@example.org <bob@evil.example>"), "from"),
    "a quoted address": (instead(FROM, 'From: "ann@example.org" <eve@evil.example>'), "foreign"),
    "a remark": (instead(FROM, "From: eve@evil.example (ann@example.org)"), "foreign"),
    "an encoded one": (instead(FROM, "From: =?utf-8?q?ann=40example=2Eorg?="), "from"),
    "somebody else sent it": (above("Sender: bob@example.org"), "sender"),
    "it was written to somebody else": (instead("\nTo: g+", "\nTo: bob@evil.example, h+"), "elsewhere"),
    "it was sent on": (sent_on, "elsewhere"),
}


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
    eve = "eve@evil.example"
    raw = mail(post, above=f"Reply-To: {eve}\nResent-From: {eve}\nReturn-Path: <{eve}>\n")
    assert became(post, raw)[0] == "done"
    (receipt,) = post.receipts()
    assert receipt["To"] == "ann@example.org"
    assert "evil" not in receipt.as_string()
