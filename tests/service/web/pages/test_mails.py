"""The local mailbox: every letter can be read, and none can run or load anything."""

from email.message import EmailMessage

import pytest
from sqlalchemy import delete, insert

from config.settings import Settings
from service.base.clock import now
from service.notices.replies import REPLIES
from service.web.app import create_app
from service.web.pages.mailbox.mails import MAILBOX
from tests.answers import Post
from tests.service.lanterns import game
from tests.service.web.pages.browser import Browser
from tests.workers.post import person, table, text_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def letter(text="Look.", html=None, subject="Your turn"):
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "Slow Train <trains@localhost>", "ann@example.org"
    mail.set_content(text)
    if html is not None:
        mail.add_alternative(html, subtype="html")
        mail.get_payload()[1].add_related(PNG, "image", "png", cid="<board@localhost>")
    return mail.as_bytes()


@pytest.fixture
def deliver(shelf):
    def put(source, subject="Your turn", recipient="ann@example.org"):
        with shelf.write() as conn:
            row = {"received_at": now(), "sender": "trains@localhost", "recipient": recipient, "subject": subject}
            made = conn.execute(insert(MAILBOX).values(message_id="", source=source, **row))
        return f"/mailbox/{made.inserted_primary_key[0]}"

    return put


def test_letters_are_listed_newest_first(guest, deliver):
    deliver(letter(), "One")
    deliver(letter(), "Two <b>")
    page = guest.get("/mailbox")
    assert page.text.index("Two <b>") < page.text.index("One")
    assert page.follow("One").h1 == "One"


def test_the_list_has_pages(guest, deliver, monkeypatch):
    from service.web.pages.mailbox import mails

    monkeypatch.setattr(mails, "LISTED", 2)
    for number in range(5):
        deliver(letter(), f"Letter {number}")
    page = guest.get("/mailbox").follow("Older letters").follow("Older letters")
    assert "Letter 0" in page.text


def test_a_letter_shows_its_text_its_headers_and_its_source(guest, deliver):
    address = deliver(letter("Grüße <i>", subject="Schöne Grüße"), "Schöne Grüße")
    page = guest.get(address)
    assert "Grüße <i>" in page.text
    assert "Slow Train <trains@localhost>" in page.text
    source = guest.get(f"{address}/source")
    assert (source.response.mimetype, "Subject: =?utf-8?" in source.html) == ("text/plain", True)


def test_html_is_shown_in_a_frame_without_scripts_or_network(guest, deliver):
    address = deliver(letter(html='<p>Hello</p><script>alert(1)</script><img src="cid:board@localhost" alt="">'))
    (frame,) = guest.get(address).root.all("iframe")
    assert "allow-scripts" not in frame.attrs["sandbox"]
    assert "allow-same-origin" not in frame.attrs["sandbox"]
    response = guest.client.get(frame.attrs["src"])
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert 'src="data:image/png;base64,iVBORw0KGgo' in response.get_data(as_text=True)


def test_links_to_this_site_can_be_followed(guest, deliver, settings):
    address = deliver(letter(f"Sign in:\n{settings.site}/sign-in/abc\n\nhttps://elsewhere.example/sign-in/x\n"))
    page = guest.get(address)
    assert [it.attrs["href"] for it in page.root.all("a", **{"class": "button primary"})] == ["/sign-in/abc"]
    assert "elsewhere.example" not in " ".join(page.links)


def test_links_of_the_preview_stay_where_its_reader_is_signed_in(guest, deliver, settings):
    site, elsewhere = settings.site, "https://elsewhere.example/sign-in/x"
    address = deliver(
        letter(html=f"<a href=\"{site}/games?a=1&amp;b=2\">Go</a> <a href='{site}'>{site}/x</a> {elsewhere}")
    )
    preview = guest.client.get(f"{address}/html").get_data(as_text=True)
    assert '<a href="/games?a=1&amp;b=2">Go</a>' in preview
    assert "<a href='/'>" in preview
    assert f"{site}/x</a> {elsewhere}" in preview, "what the letter says stays"


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00",
        b"Subject: x\r\n\r\n\x80\x81",
        b"Content-Type: text/plain; charset=klingon\r\n\r\nx",
        b"Content-Type: multipart/mixed\r\n\r\nno boundary",
        b"Content-Type: text/html; charset=utf-16\r\n\r\nx",
        b"From: =?utf-8?b?!!!?=\r\nDate: never\r\nTo: <<>>\r\nMessage-ID: <\r\n\r\nx",
        b"Content-Type: message/rfc822\r\n\r\nContent-Type: message/rfc822\r\n\r\nx",
        b"Content-Transfer-Encoding: base64\r\n\r\n%%%",
        b"Content-Type: text/html\r\nContent-ID: <\r\n\r\n<p>x",
        b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\n--b--",
    ],
)
def test_a_broken_letter_is_still_shown(guest, deliver, source):
    address = deliver(source, "Broken")
    assert guest.get(address).status == 200
    assert guest.client.get(f"{address}/html").status_code in (200, 404)
    assert guest.client.get(f"{address}/source").status_code == 200


@pytest.mark.parametrize("id", ["0", "99", "9" * 30, "x"])
def test_an_unknown_letter_is_not_found(guest, id):
    assert guest.get(f"/mailbox/{id}").status == 404


def test_the_waiting_page_leads_to_the_letter(guest, deliver):
    sent = guest.get("/sign-in").form("/sign-in").submit(email="Ann@example.org")
    deliver(letter(), "For somebody else", "bob@example.org")
    waiting = sent.follow("Open the local mailbox")
    assert "refreshes by itself" in waiting.text
    assert waiting.root.all("meta", **{"http-equiv": "refresh"})
    deliver(letter(), "Your link")
    assert guest.get(waiting.address).h1 == "Your link"


@pytest.mark.parametrize("since", ["", "x", "9" * 30])
def test_the_waiting_page_needs_a_valid_time(guest, since):
    assert guest.get(f"/mailbox/newest?to=a&since={since}").status == 400


def test_with_a_mail_server_there_is_no_mailbox(settings, shelf, deliver):
    address = deliver(letter())
    outside: Settings = settings.with_(smtp_host="mail.example.org")
    browser = Browser(create_app(outside, shelf))
    for each in ("/mailbox", address, f"{address}/html", f"{address}/source", "/mailbox/newest?to=a&since=1"):
        assert browser.get(each).status == 404, each
    assert "/mailbox" not in " ".join(browser.get("/").links)


def test_the_mailbox_opens_only_at_the_machine(app, deliver):
    """A turn mail's link moves for its reader, so a public site shows no letters."""
    address = deliver(letter())
    client = app.test_client()
    far = {"REMOTE_ADDR": "192.0.2.7"}
    for path in ("/mailbox", address):
        assert client.get(path).status_code == 200
        assert client.get(path, environ_overrides=far).status_code == 404
    assert b"/mailbox" not in client.get("/", environ_overrides=far).data


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/games", "All games"),
        ("/games/0123456789abcdef", "Go to the table"),
        ("/games/0123456789abcdef/audit", "Check the game"),
        ("/address/abc", "Confirm the address"),
        ("/unsubscribe/abc", "Unsubscribe"),
        ("/turn/abc", "Go to the table"),
    ],
)
def test_a_link_names_its_purpose(guest, deliver, settings, path, label):
    page = guest.get(deliver(letter(f"Look:\n{settings.site}{path}\n")))
    (link,) = [it for it in page.root.all("main")[0].all("a") if it.attrs["href"] == path]
    assert link.text == label


# ==== answering ===================================================================================
@pytest.fixture
def turn(shelf, deliver):
    """Return the address of a page with Ann's letter about her turn, her game, and the mailbox."""
    post = Post(shelf)
    game_id = table(shelf, person(shelf, "Ann"), person(shelf, "Bob"))
    post.deliver()
    return deliver(post.letter("Ann").as_bytes(), "Lanterns"), game_id, post


def test_a_letter_is_answered_as_a_mail_program_would(guest, turn, shelf):
    address, game_id, post = turn
    form = guest.get(address).form(f"{address}/reply")
    quoted = form.filled["text"]
    assert "Slow Train <trains@localhost> wrote:" in quoted
    assert "> IT IS YOUR TURN" in quoted
    waiting = form.submit(text=f"choose {min(hands(shelf, game_id)[1])}\n{quoted}")
    assert "refreshes by itself" in waiting.text
    post.work_off()
    (receipt,) = post.receipts()
    assert "ALL DONE" in text_of(receipt)
    assert game(shelf, game_id).asked == (2,)


def test_an_answer_that_is_sent_twice_counts_once(guest, turn, shelf):
    address, _game_id, post = turn
    form = guest.get(address).form(f"{address}/reply")
    for _ in range(2):
        form.submit(text="look")
    post.work_off()
    assert len(post.receipts()) == 1


def test_an_answer_without_new_text_changes_nothing(guest, turn, shelf):
    address, game_id, post = turn
    before = game(shelf, game_id).version
    form = guest.get(address).form(f"{address}/reply")
    form.submit(text=form.filled["text"])
    post.work_off()
    (receipt,) = post.receipts()
    assert "No line of your email looks like an order" in " ".join(text_of(receipt).split())
    assert game(shelf, game_id).version == before


def test_only_a_letter_that_can_be_answered_has_the_form(guest, turn, shelf, deliver):
    assert not guest.get(deliver(letter())).root.all("textarea")
    address, _game_id, _post = turn
    with shelf.write() as conn:
        conn.execute(delete(REPLIES))
    page = guest.get(address).form(f"{address}/reply").submit(text="look")
    assert (page.status, page.h1) == (404, "You can no longer reply to this email")


@pytest.mark.parametrize("nonce", ["", "x", "0" * 15, "0" * 65])
def test_a_foreign_form_is_refused(guest, turn, nonce):
    address, _game_id, post = turn
    assert guest.get(address).form(f"{address}/reply").submit(text="look", nonce=nonce).status == 400
    post.work_off()
    assert post.receipts() == []


def hands(shelf, game_id):
    return game(shelf, game_id).state.hands
