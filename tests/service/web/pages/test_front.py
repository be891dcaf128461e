"""The entrance: from the front page to the first move, by a mailed link and no password."""

import pytest

from service.base.clock import now
from service.people import accounts
from service.web.app import create_app
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, made, play_bots, to_choose


@pytest.mark.parametrize(
    ("lang", "now_", "mailbox", "welcome", "yours"),
    [
        ("en", "Send the link", "Check your email", "Welcome aboard", "It is your turn."),
        ("de", "Link schicken", "Sieh in deinem Postfach nach", "Willkommen an Bord", "Du bist am Zug."),
    ],
)
def test_a_guest_plays_against_bots_to_the_end(app, shelf, mailed_link, lang, now_, mailbox, welcome, yours):
    browser = Browser(app, lang)
    first = browser.get("/")
    assert first.root.all("html")[0].attrs["lang"] == lang
    sent = first.form("/play").submit(now_, name="Käthe <b>", email="Kaethe@Example.org")
    assert (sent.status, sent.h1) == (200, mailbox)
    opened = browser.get(mailed_link())
    assert opened.h1 == welcome
    table = opened.forms[0].submit()
    assert table.status == 200
    assert yours in table.text
    assert "Käthe <b>" in table.text
    assert "<b>" not in table.html.replace("<body>", "")
    address = table.address
    for _ in range(60):
        play_bots(shelf, address)
        table = browser.get(address)
        if yours not in table.text:
            break
        assert made(table.forms[0].submit()).status == 200
    with shelf.read() as conn:
        assert shelf.load(conn, game_id(address)).game.status == "over"
    assert table.root.all("table"), "the result is shown"
    assert to_choose(table) == []
    home = browser.get("/games")
    assert "Käthe <b>" in home.text


def test_opening_a_link_changes_nothing_and_its_button_works_once(guest, mailed_link):
    guest.get("/sign-in").form("/sign-in").submit(email="ann@example.org")
    address = mailed_link()
    for _ in range(3):  # mail scanners open links
        assert guest.get(address).h1 == "Welcome aboard"
    button = guest.get(address).forms[0]
    assert button.submit(name="Ann").h1 == "Games"
    again = button.submit(name="Ann")
    assert (again.status, again.h1) == (403, "This link no longer works")


def test_another_browser_needs_the_six_digits(app, guest, mailed_link):
    sent = guest.get("/sign-in").form("/sign-in").submit(email="ann@example.org")
    digits = sent.root.all("strong")[0].text
    phone = Browser(app)
    opened = phone.get(mailed_link())
    wrong = opened.forms[0].submit(code="000000" if digits != "000000" else "111111", name="Ann")
    assert wrong.status == 403
    assert "These digits are not correct" in wrong.text
    assert wrong.forms[0].submit(code=f"{digits[:3]} {digits[3:]}").h1 == "Games"


def test_after_five_wrong_codes_the_link_no_longer_works(app, guest, mailed_link):
    sent = guest.get("/sign-in").form("/sign-in").submit(email="ann@example.org")
    wrong = "000000" if sent.root.all("strong")[0].text != "000000" else "111111"
    page = Browser(app).get(mailed_link())
    for _ in range(5):
        page = page.forms[0].submit(code=wrong, name="Ann")
    assert page.h1 == "This link no longer works"


@pytest.mark.parametrize(
    "email", ["", "ann", "ann@", "@example.org", "ann@example.org\r\nBcc: all@example.org", "x" * 300]
)
def test_a_bad_address_is_explained_and_stays_in_the_form(guest, email):
    page = guest.get("/").form("/play").submit(name="Ann", email=email)
    assert page.status == 422
    assert "We cannot send email to this address" in page.text
    assert page.form("/play").filled["name"] == "Ann"


@pytest.mark.parametrize("name", ["", "   ", "a" * 41, "Ann\u202e"])
def test_a_bad_name_is_refused_and_the_address_stays(guest, name):
    page = guest.get("/").form("/play").submit(name=name, email="ann@example.org")
    assert page.status == 422
    assert page.form("/play").filled["email"] == "ann@example.org"


@pytest.mark.parametrize("away", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_only_to_pages_of_this_site(guest, mailed_link, away):
    guest.post("/sign-in", {**guest.get("/sign-in").form("/sign-in").filled, "email": "a@example.org", "next": away})
    assert guest.get(mailed_link()).forms[0].submit(name="Ann").h1 == "Games"


def test_a_handwritten_link_begins_no_game(guest, mailed_link):
    page = guest.get("/sign-in?next=/play%3Ftitle%3Dtoy%26name%3DMallory")
    page.form("/sign-in").submit(email="ann@example.org")
    assert "Mallory" not in guest.get(mailed_link()).forms[0].submit(name="Ann").text
    assert guest.get("/games").root.all("a", **{"class": "title"}) == []


def test_a_returning_person_keeps_their_name(app, arrive, mailed_link):
    arrive("Ann")
    browser = Browser(app)
    browser.get("/").form("/play").submit(name="Mallory", email="ann@example.org")
    assert "Mallory" not in browser.get(mailed_link()).forms[0].submit().text


def test_a_signed_in_person_starts_a_game_with_one_button(ann):
    table = ann.get("/").form("/play").submit("Play now")
    assert "It is your turn." in table.text


def test_the_number_of_games_against_bots_is_limited(shelf, settings):
    app = create_app(settings.with_(trusted_proxies=1), shelf)  # requests through a proxy are counted
    with shelf.write() as conn:
        person_id, _new = accounts.person_at(conn, "ann@example.org", "en", now())
        accounts.change(conn, person_id, 0, name="Ann")
        session = accounts.open_session(conn, person_id, now())
    browser = Browser(app)
    browser.client.set_cookie("session", session)
    first = browser.get("/")
    answers = [browser.post("/play", first.form("/play").filled).status for _ in range(31)]
    assert answers[-2:] == [200, 429]


def test_a_person_signs_out(ann):
    ann.get("/account").form("/sign-out").submit()
    assert ann.get("/account").h1 == "Sign in"


# ==== forms of other sites ========================================================================
def test_a_form_without_our_token_is_refused(ann):
    page = ann.post("/play", {"title": "toy"})
    assert (page.status, page.h1) == (403, "That is not allowed")


def test_a_token_of_another_browser_is_refused(ann, bob):
    theirs = bob.get("/").form("/play").filled
    assert ann.post("/play", theirs).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_that_another_site_sent_is_refused(ann, site):
    mine = ann.get("/").form("/play").filled
    assert ann.post("/play", mine, headers={"Sec-Fetch-Site": site}).status == 403


def test_a_program_with_a_token_gets_no_pages_of_its_owner(guest):
    assert guest.get("/games", headers={"Authorization": "Bearer stk_x"}).status == 200
    assert guest.get("/account", headers={"Authorization": "Bearer stk_x"}).h1 == "Sign in"


# ==== languages ===================================================================================
def test_the_language_can_be_changed_and_stays(guest):
    page = guest.get("/games")
    token = page.root.all("input", name="csrf")[0].attrs["value"]
    german = guest.post("/language", {"csrf": token, "lang": "de", "next": "/games"})
    assert german.h1 == "Partien"
    assert guest.get("/").root.all("html")[0].attrs["lang"] == "de"


def test_an_unknown_language_is_refused(guest):
    token = guest.get("/").root.all("input", name="csrf")[0].attrs["value"]
    assert guest.post("/language", {"csrf": token, "lang": "fr"}).status == 400
