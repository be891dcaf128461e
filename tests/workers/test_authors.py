"""The authors who may act by mail: only the proved recipient of the letter, whatever others know."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from config.settings import Settings
from domain.title import Title
from service.base.clock import DAY
from service.database.store import GAMES, Store
from service.database.work import Work
from service.games import lobby, opening
from service.games.rights import ByPerson
from service.people.accounts import PERSONS
from service.post import inbox
from service.post.inbox import INCOMING
from service.post.incoming import Incoming, Question, examine
from service.web.app import create_app
from tests.answers import MTA, Post, written
from tests.service.lanterns import ANN, game
from tests.service.post.test_trust import PUBLIC, signed
from tests.service.web.pages.browser import Browser
from tests.workers.post import person, table, text_of
from workers import incoming


@pytest.fixture
def store(tmp_path: Path, store_in: Callable[..., Store], toy_title: Title) -> Store:
    """A store that trusts its mail server."""
    return store_in(Settings(_env_file=None, data_dir=tmp_path, authserv_id=MTA))


@pytest.fixture
def post(store: Store) -> Post:
    made = Post(store)
    table(store, person(store, "Ann"), person(store, "Bob"))
    made.deliver()
    return made


def order(post: Post) -> str:
    """Return an order that Ann may write to her letter."""
    game_id = post.letter("Ann")["List-Id"].strip("<>").partition(".")[0]
    return f"choose {min(game(post.store, game_id).state.hands[ANN])}"


def versions(post: Post) -> list[int]:
    """Return the version of each game."""
    with post.store.read() as conn:
        return list(conn.scalars(select(GAMES.c.version)))


def became(post: Post, raw: bytes) -> tuple[str, str]:
    """Return the result and the reason of a mail from outside to Ann's reply address."""
    number = post.take(raw, post.letter("Ann")["Reply-To"], via="mail")
    post.work_off()
    with post.store.read() as conn:
        row = conn.execute(select(INCOMING.c.what, INCOMING.c.detail).where(INCOMING.c.id == number)).one()
    return row.what, row.detail


def mail(post: Post, *, to: str = "", sender: str = "ann@example.org", above: str = "") -> bytes:
    """Return Ann's order as a mail that our mail server vouches for, with more headers above."""
    return above.encode() + written(to or post.letter("Ann")["Reply-To"], order(post), sender=sender, vouched=True)


def test_a_proved_author_acts(post: Post) -> None:
    assert became(post, mail(post, sender="Ann Player <Ann@Example.org>"))[0] == "done"


def instead(old: str, new: str) -> Callable[[bytes], bytes]:
    """Return a change that replaces a text in a mail."""
    return lambda raw: raw.replace(old.encode(), new.encode(), 1)


def above(line: str) -> Callable[[bytes], bytes]:
    """Return a change that adds a header to a mail."""
    return lambda raw: line.encode() + b"\n" + raw


def twice(raw: bytes) -> bytes:
    """Repeat the first header of a mail."""
    return raw.partition(b"\n")[0] + b"\n" + raw


def sent_on(raw: bytes) -> bytes:
    """Return a mail to another person, who sends it to us."""
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
def test_an_unproved_author_moves_nothing(post: Post, name: str) -> None:
    forge, why = FORGED[name]
    raw = mail(post)
    assert forge(raw) != raw
    before = versions(post)
    assert became(post, forge(raw)) == ("draft", why)
    assert [it["To"] for it in post.deliver()] == ["ann@example.org"]
    assert versions(post) == before


def test_a_resent_mail_with_a_new_message_id_is_too_late(post: Post) -> None:
    raw, before = mail(post), versions(post)
    assert became(post, raw)[0] == "done"
    assert became(post, raw.replace(b"Message-ID: <", b"Message-ID: <again"))[0] == "stale"
    assert became(post, raw.replace(b"Message-ID: ", b"X: "))[0] == "stale"
    assert versions(post) == [before[0] + 1]


def test_a_signed_mail_acts_if_signatures_are_checked(
    tmp_path: Path, store_in: Callable[..., Store], toy_title: Title
) -> None:
    post = Post(store_in(Settings(_env_file=None, data_dir=tmp_path, check_dkim=True)))
    table(post.store, person(post.store, "Ann"), person(post.store, "Bob"))
    post.deliver()
    asked: list[Question] = []

    def read(question: Question) -> Incoming:
        asked.append(question)
        return examine(question, lambda _: f"v=DKIM1; k=rsa; p={PUBLIC}")

    address = post.letter("Ann")["Reply-To"]
    good = signed(written(address, order(post)).replace(b"\n", b"\r\n"), b"example.org")
    for raw in (good.replace(b"choose", b"choose "), good):
        post.take(raw, address, via="mail")
    incoming.work_off(post.store, read, now=lambda: post.at)
    with post.store.read() as conn:
        assert conn.scalars(select(INCOMING.c.what).order_by(INCOMING.c.id)).all() == ["draft", "done"]
    assert {it.keys_for for it in asked} == {"ann@example.org"}


# ==== the letter that asks ========================================================================
def asked(post: Post, raw: bytes) -> EmailMessage:
    """Return the letter that asks Ann whether she wrote this."""
    assert became(post, raw)[0] == "draft"
    (letter,) = post.deliver()
    return letter


def time_of(post: Post) -> Any:
    """Set the pages' clock to the post's."""
    return freeze_time(datetime.fromtimestamp(post.at / 1000, UTC))


def unproved(post: Post, text: str = "", sender: str = "ann@example.org") -> bytes:
    return written(post.letter("Ann")["Reply-To"], text or order(post), sender=sender)


def link_in(letter: EmailMessage) -> str:
    (link,) = re.findall(r"/confirm/[^\s<>\"]+", text_of(letter))
    return str(link)


@pytest.fixture
def browser(post: Post) -> Browser:
    """A browser without a session."""
    return Browser(create_app(post.store.settings.with_(rate_limits=False), post.store))


def test_the_question_shows_the_orders_and_the_claimed_author(post: Post) -> None:
    letter = asked(post, unproved(post, f"Hi!\n{order(post)}", sender="anna@elsewhere.example"))
    said = " ".join(text_of(letter).split())
    assert letter["To"] == "ann@example.org"
    assert letter["Subject"].startswith("An email in your name: ")
    assert "claims to be from anna@elsewhere.example, which is not the address of your account." in said
    assert f"The email says “{order(post)}”: This is what would happen:" in said
    assert "Hi!" not in said
    assert letter["Auto-Submitted"] == "auto-replied"


def test_a_get_changes_nothing_and_the_button_acts_once(post: Post, browser: Browser) -> None:
    link, before = link_in(asked(post, unproved(post))), versions(post)
    with time_of(post):
        for _ in range(2):
            page = browser.get(link)
            browser.client.head(link)
    post.work_off()
    assert versions(post) == before
    assert page.has_button("Yes, I wrote it: play it")
    with time_of(post):
        form = page.form(link)
        assert "You confirmed that you wrote this email." in form.submit().text
        post.work_off()
        (receipt,) = post.receipts()
        assert receipt["To"] == "ann@example.org"
        after = versions(post)
        assert after == [before[0] + 1]
        assert "The result comes to you by email." in form.submit().text
    post.work_off()
    assert versions(post) == after
    assert post.deliver() == []


def test_a_link_shows_what_has_happened_since_and_offers_nothing(post: Post, browser: Browser) -> None:
    link = link_in(asked(post, unproved(post)))
    post.answer(post.letter("Ann"), order(post))
    with time_of(post):
        page = browser.get(link)
    assert "The game has moved on since that email" in page.text
    assert "Since then" in page.text
    assert not page.has_form(link)


@pytest.mark.parametrize("wrong", ["a letter of it is missing", "it is too old", "it is forgotten", "another address"])
def test_an_expired_confirmation_link_opens_nothing(post: Post, browser: Browser, wrong: str) -> None:
    link = link_in(asked(post, unproved(post)))
    if wrong == "a letter of it is missing":
        link = link[:-1]
    elif wrong == "it is too old":
        post.at += 7 * DAY
    elif wrong == "it is forgotten":
        with post.store.write() as conn:
            inbox.forget_old(conn, post.at + 1, post.at + 1)
    else:
        with post.store.write() as conn:
            conn.execute(PERSONS.update().values(address_since=post.at))
    with time_of(post):
        assert browser.get(link).status in (403, 404)
        assert browser.client.post(link).status_code in (400, 403, 404)
    post.work_off()
    assert post.receipts() == []


def test_the_thief_of_a_letter_can_cause_only_few_questions(post: Post) -> None:
    for number in range(5):
        post.take(unproved(post, f"{order(post)}\nnote {number}"), post.letter("Ann")["Reply-To"], via="mail")
    broken = b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\nContent-Type: text/plain\n\nx\n" * 200
    post.take(broken, post.letter("Ann")["Reply-To"], via="mail")
    post.work_off()
    assert [it["To"] for it in post.deliver()] == ["ann@example.org"] * 3
    with post.store.read() as conn:
        assert conn.scalars(select(INCOMING.c.what).order_by(INCOMING.c.id)).all() == ["draft"] * 3 + ["unproved"] * 3


def test_a_strangers_mail_without_an_order_causes_no_question(post: Post) -> None:
    assert became(post, unproved(post, "Buy this!", sender="eve@evil.example")) == ("unproved", "foreign")
    assert post.deliver() == []
    letter = asked(post, unproved(post, "Hello?"))
    assert "None of its lines looks like an order." in " ".join(text_of(letter).split())


def test_a_line_cannot_break_out_of_the_letter(post: Post) -> None:
    raw = unproved(post, sender="ann@example.org").replace(
        b"Message-ID: ", b"Message-ID: =?utf-8?q?=0D=0ABcc:_eve@evil.example?=", 1
    )
    raw = raw.replace(b"Subject: Re: your turn", b"Subject: =?utf-8?q?a=0D=0ABcc:_eve@evil.example?=")
    letter = asked(post, raw)
    assert letter["Bcc"] is None
    assert "evil" not in letter.as_string()


def test_the_page_is_german_too(post: Post, browser: Browser) -> None:
    link = link_in(asked(post, unproved(post)))
    german = Browser(create_app(post.store.settings.with_(rate_limits=False), post.store), "de")
    with time_of(post):
        assert german.get(link).has_button("Ja, ausführen")


def test_an_invited_person_joins_by_a_proved_or_confirmed_answer(store: Store, browser: Browser) -> None:
    post = Post(store)
    host = ByPerson(person(store, "Host"))
    opened = opening.open_table(
        Work(store), host, title="toy", options={}, seats=3, name="By mail", public=False, settle_ms=0
    )
    lobby.invite(Work(store), host, opened.game_id, ["cleo@example.org", "dan@example.org"], lang="en", at=post.at)
    post.deliver()
    cleo, dan = post.letter("Cleo"), post.letter("Dan")
    for letter, sender, vouched in ((cleo, "cleo@example.org", True), (dan, "eve@evil.example", True)):
        raw = written(letter["Reply-To"], "join", sender=sender, vouched=vouched)
        post.take(raw, letter["Reply-To"], via="mail")
    post.work_off()
    mails = {it["To"]: it for it in post.deliver()}
    assert set(mails) == {"cleo@example.org", "dan@example.org"}
    assert [it.person_id for it in seats(store, opened.game_id)] == [people(store)["cleo@example.org"]]
    assert "dan@example.org" not in people(store)
    link = link_in(mails["dan@example.org"])
    with time_of(post):
        browser.get(link).press("Yes, I wrote it: play it")
    post.work_off()
    assert people(store)["dan@example.org"] in [it.person_id for it in seats(store, opened.game_id)]
    assert "“join”: Done." in " ".join(text_of(post.receipts()[0]).split())


def seats(store: Store, game_id: str) -> list[Any]:
    with store.read() as conn:
        return [it for it in store.load(conn, game_id).seats if it.person_id is not None]


def people(store: Store) -> dict[str, int]:
    with store.read() as conn:
        return {row.email: row.id for row in conn.execute(select(PERSONS))}


def test_a_receipt_never_goes_to_the_claimed_address(post: Post) -> None:
    eve = "eve@evil.example"
    raw = mail(post, above=f"Reply-To: {eve}\nResent-From: {eve}\nReturn-Path: <{eve}>\n")
    assert became(post, raw)[0] == "done"
    (receipt,) = post.receipts()
    assert receipt["To"] == "ann@example.org"
    assert "evil" not in receipt.as_string()
