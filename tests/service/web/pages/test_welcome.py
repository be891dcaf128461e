"""The name and the time zone of somebody new: asked for once, shown, used, and never overwritten."""

import json

import pytest
from py_mini_racer import MiniRacer
from sqlalchemy import select

from service.base.clock import now
from service.people import accounts
from service.web.pages.frame import style
from service.web.shared import context
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, open_table


def person(shelf, email="dora@example.org"):
    with shelf.read() as conn:
        return conn.execute(select(accounts.PERSONS).where(accounts.PERSONS.c.email == email)).one()


@pytest.fixture
def link(guest, mailed_link):
    """The page of the link that somebody new was mailed."""

    def asked(zone="", **more):
        guest.get("/sign-in").form("/sign-in").submit(email="dora@example.org", zone=zone, **more)
        return guest.get(mailed_link())

    return asked


@pytest.fixture
def nameless(app, shelf):
    """The browser of somebody who has signed in without a name, as programs can and people could before."""
    browser = Browser(app)
    with shelf.write() as conn:
        number, _ = accounts.person_at(conn, "dora@example.org", "en", now())
        session = accounts.open_session(conn, number, now())
    with app.test_request_context():
        browser.client.set_cookie(context.session_cookie(), session)
    return browser


# ==== signing up ==================================================================================
def test_an_invited_person_gives_a_name_and_returns_to_the_table(ann, guest, mailed_link, shelf):
    address = open_table(ann, public="no")
    invitation = ann.get(address).root.all("pre")[0].text.partition("/join/")[2]
    table = guest.get(f"/join/{invitation}")
    table.follow("Sign in").form("/sign-in").submit(email="dora@example.org")
    page = guest.get(mailed_link())
    assert "Your name at the table" in page.text
    page = page.forms[0].submit(name="Dora")
    assert page.address == address
    page.form("/join").submit("Take seat 2")
    assert "Dora" in ann.get(address).text
    assert "Player" not in ann.get(address).text


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "see evil.example"])
def test_without_a_name_the_link_stays_valid(link, shelf, name):
    page = link()
    refused = page.forms[0].submit(name=name, zone="Europe/Vienna")
    assert (refused.status, refused.h1) == (422, "Welcome aboard")
    assert refused.forms[0].filled["zone"] == "Europe/Vienna"
    assert refused.forms[0].submit(name="Dora").h1 == "Games"
    assert (person(shelf).name, person(shelf).named) == ("Dora", True)


def test_a_person_changes_the_proposed_time_zone_and_it_is_kept(link, shelf):
    page = link(zone="Europe/Berlin")
    assert page.forms[0].filled["zone"] == "Europe/Berlin"
    page.forms[0].submit(name="Dora", zone="America/Toronto")
    assert (person(shelf).zone, person(shelf).zone_known) == ("America/Toronto", True)


def test_a_person_who_gives_no_zone_finds_the_question_in_the_account(link, guest, shelf):
    link(zone="Europe/Berlin").forms[0].submit(name="Dora", zone="")
    assert (person(shelf).zone, person(shelf).zone_known) == ("UTC", False)
    page = guest.get("/account")
    assert "We do not know your time zone yet." in page.text
    assert page.form("/account").filled["zone"] == ""
    assert "all times are in UTC" in guest.get("/account/times").text
    assert "all times are in UTC" in guest.get("/account/mail").text
    page = page.form("/account").submit("Save", zone="UTC")
    assert "We do not know" not in page.text
    assert (person(shelf).zone, person(shelf).zone_known) == ("UTC", True)


def test_saving_something_else_leaves_the_zone_unknown(link, guest, shelf):
    link().forms[0].submit(name="Dora")
    guest.get("/account").form("/account").submit("Save", name="Dorothea")
    assert (person(shelf).name, person(shelf).zone_known) == ("Dorothea", False)
    assert guest.get("/account").form("/account").submit("Save", zone="Moon/Base").status == 422


def test_a_bad_zone_is_explained_and_one_from_a_browser_left_out(link, shelf):
    page = link(zone="Moon/Base")
    assert page.forms[0].filled["zone"] == ""
    refused = page.forms[0].submit(name="Dora", zone="Moon/Base")
    assert refused.status == 422
    assert "We do not know this time zone. Choose one from the list." in refused.text
    assert refused.forms[0].submit(zone="").h1 == "Games"


def test_a_person_is_not_asked_again_and_earlier_choices_stay(app, arrive, mailed_link, shelf):
    arrive("Ann")
    browser = Browser(app)
    browser.get("/sign-in").form("/sign-in").submit(email="ann@example.org", zone="Asia/Tokyo")
    page = browser.get(mailed_link())
    assert not {"name", "zone"} & page.forms[0].filled.keys()
    page.forms[0].submit(name="Mallory", zone="Asia/Tokyo")
    ann = person(shelf, "ann@example.org")
    assert (ann.name, ann.zone) == ("Ann", "Europe/Berlin")


def test_a_person_without_a_zone_is_asked_with_the_next_link(link, guest, mailed_link, shelf):
    link().forms[0].submit(name="Dora")
    guest.get("/account").form("/sign-out").submit()
    page = guest.get("/sign-in").form("/sign-in").submit(email="dora@example.org", zone="Asia/Tokyo")
    page = guest.get(mailed_link())
    assert "name" not in page.forms[0].filled
    page.forms[0].submit()
    assert person(shelf).zone == "Asia/Tokyo"


def test_the_first_page_asks_for_the_name_itself(guest, mailed_link, shelf):
    guest.get("/").form("/play").submit(name="Dora", email="dora@example.org", zone="Asia/Tokyo")
    page = guest.get(mailed_link())
    assert (page.forms[0].filled["name"], page.forms[0].filled["zone"]) == ("Dora", "Asia/Tokyo")
    assert "Dora" in page.forms[0].submit().text
    assert person(shelf).zone == "Asia/Tokyo"


# ==== somebody who has none =======================================================================
def test_a_seat_asks_for_the_name(ann, nameless):
    address = open_table(ann)
    form = nameless.get(address).form("/join")
    refused = form.submit("Take seat 2", my_name="")
    assert refused.status == 422
    assert "Please give a name" in refused.text
    assert "1 of 2 seats is free" in ann.get(address).text
    form.submit("Take seat 2", my_name="Dora")
    assert "Dora" in ann.get(address).text
    assert "my_name" not in nameless.get("/games/new").form("title=toy").filled


def test_a_new_table_asks_for_the_name_and_is_not_called_after_a_number(nameless, shelf):
    form = nameless.get("/games/new").form("title=toy")
    assert "Player" not in form.filled["name"]
    refused = form.submit("Open the table")
    assert refused.status == 422
    page = refused.form("title=toy").submit("Open the table", my_name="Dora")
    assert "Dora" in page.text
    with shelf.read() as conn:
        assert shelf.load(conn, game_id(page.address.partition("?")[0])).game.table.full is False


def test_playing_against_bots_asks_for_the_name(nameless):
    form = nameless.get("/").form("/play")
    assert form.submit("Play now", my_name="").status == 422
    assert "Dora and the bots" in form.submit("Play now", my_name="Dora").text


def test_the_form_asks_in_german(app, mailed_link):
    browser = Browser(app, "de")
    browser.get("/sign-in").form("/sign-in").submit(email="dora@example.org")
    page = browser.get(mailed_link())
    assert "Dein Name am Tisch" in page.text
    assert "Ohne Angabe gilt UTC." in page.text
    assert "Bitte nenne einen Namen" in page.forms[0].submit(name="").text


# ==== the script ==================================================================================
SCRIPT = (style.STATIC / "zone.js").read_text()
BROWSER = """
const note = { hidden: true };
const form = { querySelectorAll: () => [note] };
const field = (value, options) => ({ value, form, list: options && { options: options.map((value) => ({ value })) } });
function offer(zone, value, options) {
  const one = field(value, options);
  const document = { querySelectorAll: () => [one] };
  const Intl = { DateTimeFormat: () => ({ resolvedOptions: () => { if (zone === "fails") throw 1;
                                                                  return { timeZone: zone }; } }) };
  note.hidden = true;
  (new Function("document", "Intl", SCRIPT))(document, Intl);
  return [one.value, note.hidden];
}
"""


@pytest.mark.parametrize(
    ("zone", "value", "options", "found"),
    [
        ("Europe/Vienna", "", ["Europe/Vienna"], ["Europe/Vienna", False]),
        ("Europe/Vienna", "", None, ["Europe/Vienna", False]),
        ("Europe/Vienna", "Asia/Tokyo", ["Europe/Vienna"], ["Asia/Tokyo", True]),
        ("Moon/Base", "", ["Europe/Vienna"], ["", True]),
        ("UTC", "", ["UTC"], ["", True]),
        (None, "", ["UTC"], ["", True]),
        ("fails", "", ["UTC"], ["", True]),
    ],
)
def test_the_script_offers_a_zone_we_know_where_nothing_is_filled_in(zone, value, options, found):
    engine = MiniRacer()
    engine.eval(f"const SCRIPT = {json.dumps(SCRIPT)};\n{BROWSER}")
    asked = f"JSON.stringify(offer({json.dumps(zone)}, {json.dumps(value)}, {json.dumps(options)}))"
    assert json.loads(engine.eval(asked)) == found
    engine.close()


@pytest.mark.parametrize("address", ["/", "/sign-in"])
def test_the_forms_have_a_field_that_the_script_fills(guest, address):
    page = guest.get(address)
    assert [it for it in page.root.all("script") if "/zone.js?" in it.attrs["src"]]
    assert [it.attrs["name"] for it in page.root.walk() if "data-zone" in it.attrs] == ["zone"]
