"""One's own page."""

import pytest
from sqlalchemy import select

from service import links, people
from service.clock import DAY, now
from tests.pages.tables import start
from workers import claims


def test_name_language_and_zone(ann):
    page = ann.get("/account").form("/account").submit("Save", name="Ann  Onym", lang="de", zone="America/Toronto")
    assert page.h1 == "Dein Konto"
    assert "Gespeichert." in page.text
    assert page.form("/account").filled["name"] == "Ann Onym"
    assert page.form("/account").filled["zone"] == "America/Toronto"


@pytest.mark.parametrize("entries", [{"name": ""}, {"zone": "Moon/Base"}, {"name": "x" * 41}])
def test_what_cannot_be_is_said_and_nothing_is_changed(ann, entries):
    assert ann.get("/account").form("/account").submit("Save", **entries).status == 422
    assert ann.get("/account").form("/account").filled["name"] == "Ann"


def test_nobody_else_sees_the_address(ann, bob):
    ann.get("/games/new").form("/games/new?title=toy").submit("Open the table", seats="2")
    for address in ("/games", "/", bob.get("/games").links[-1]):
        assert "ann@example.org" not in bob.get(address).html


def test_mail_is_stopped_and_wanted_again(ann):
    stopped = ann.get("/account").form("/account/mail").submit("Stop")
    assert "You get no mail about your games since" in stopped.text
    assert "You get mail again." in stopped.form("/account/mail").submit("Send me").text


def test_what_became_of_a_mail_is_told(ann, shelf, settings):
    with shelf.write() as conn:
        people.ask_for_link(conn, settings, "ann@example.org", browser="b", next="/", lang="en", at=now())
    claimed = claims.claim(shelf, now())
    claims.put_back(shelf, claimed, claimed.rows, "failed", "KeyError", now())
    assert "given up" not in ann.get("/account").text  # it is tried again
    assert "failed here" in ann.get("/account").text
    later = now() + 8 * DAY
    for _ in claims.BACKOFF:
        claimed = claims.claim(shelf, later)
        claims.put_back(shelf, claimed, claimed.rows, "deferred", "451 Not now", later)
        later += DAY
    assert "given up" in ann.get("/account").text


def test_a_token_is_shown_once_and_revoked(ann, shelf):
    made = ann.get("/account").form("/account/tokens").submit(name="My bot", scope="play")
    token = made.root.all("pre")[0].text
    with shelf.read() as conn:
        asker = people.by_token(conn, token, 0)
        assert (asker.name, asker.scopes) == ("Ann", ("play",))
    page = ann.get("/account")
    assert token not in page.html
    page.form("/account/tokens/revoke").submit()
    with shelf.read() as conn:
        assert people.by_token(conn, token, 0) is None


@pytest.mark.parametrize("entries", [{"name": "", "scope": "read"}, {"name": "x", "scope": "everything"}])
def test_a_token_needs_a_name_and_something_it_may(ann, entries):
    assert ann.get("/account").form("/account/tokens").submit(**entries).status == 422


def test_other_browsers_are_signed_out(app, ann, shelf):
    from service.http import context
    from tests.pages.browser import Browser

    other = Browser(app)
    with shelf.write() as conn:
        ann_id = conn.execute(select(people.PERSONS.c.id)).scalar_one()
        session = people.open_session(conn, ann_id, 10**13)
    with app.test_request_context():
        other.client.set_cookie(context.session_cookie(), session)
    assert other.get("/account").h1 == "Your account"
    ann.get("/account").press("Sign out everywhere else")
    assert other.get("/account").h1 == "Sign in"
    assert ann.get("/account").h1 == "Your account"


def test_mail_is_stopped_from_a_mail(ann, guest, settings, shelf):
    with shelf.read() as conn:
        ann_id = conn.execute(select(people.PERSONS.c.id)).scalar_one()
    address = links.unsubscribe_address(settings, ann_id).removeprefix(settings.site)
    asked = guest.get(address)
    assert "You get a mail when" in ann.get("/account").text, "opening the link changes nothing"
    assert asked.forms[0].submit().h1 == "No more mail"
    assert "You get no mail about your games since" in ann.get("/account").text


def test_a_mail_program_stops_mail_by_itself(ann, app, settings, shelf):
    """RFC 8058: a POST without cookies, from anywhere."""
    with shelf.read() as conn:
        ann_id = conn.execute(select(people.PERSONS.c.id)).scalar_one()
    address = links.unsubscribe_address(settings, ann_id).removeprefix(settings.site)
    program = app.test_client()
    answer = program.post(address, data={"List-Unsubscribe": "One-Click"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert "You get no mail about your games since" in ann.get("/account").text


def test_a_made_up_link_stops_nothing(guest):
    assert guest.get("/unsubscribe/abc").status == 404


def test_one_takes_everything_along(ann):
    assert "/account/export" in ann.get("/account").links
    answer = ann.client.get("/account/export")
    assert answer.mimetype == "application/zip"
    assert answer.headers["Content-Disposition"].startswith("attachment")


def test_nobody_is_erased_by_a_slip(ann):
    page = ann.get("/account").press("Erase me for good", email="bob@example.org")
    assert page.status == 422
    assert "nothing was erased" in page.text
    assert ann.get("/account").h1 == "Your account"


def test_who_is_erased_is_gone_and_the_game_is_over(ann, bob):
    table = start(ann, bob)
    first = ann.get("/account").press("Erase me for good", email="ann@example.org")
    assert "You are erased." in first.text
    assert ann.get("/account").h1 != "Your account"
    page = bob.get(table)
    assert "Ann" not in page.html
    assert "(erased)" in page.text
    assert "The game is over" in page.text
