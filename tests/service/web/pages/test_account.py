"""The account page."""

import pytest
from sqlalchemy import select

from service.people import accounts
from tests.service.web.pages.tables import start


def test_a_person_changes_name_language_and_zone(ann):
    page = ann.get("/account").form("/account").submit("Save", name="Ann  Onym", lang="de", zone="America/Toronto")
    assert page.h1 == "Dein Konto"
    assert "Gespeichert." in page.text
    assert page.form("/account").filled["name"] == "Ann Onym"
    assert page.form("/account").filled["zone"] == "America/Toronto"


@pytest.mark.parametrize("entries", [{"name": ""}, {"zone": "Moon/Base"}, {"name": "x" * 41}])
def test_bad_values_are_explained_and_change_nothing(ann, entries):
    assert ann.get("/account").form("/account").submit("Save", **entries).status == 422
    assert ann.get("/account").form("/account").filled["name"] == "Ann"


def test_other_people_do_not_see_the_address(ann, bob):
    ann.get("/games/new").form("/games/new?title=toy").submit("Open the table")
    for address in ("/games", "/", bob.get("/games").links[-1]):
        assert "ann@example.org" not in bob.get(address).html


def test_a_token_is_shown_once_and_revoked(ann, shelf):
    made = ann.get("/account").form("/account/tokens").submit(name="My bot", scope="play")
    token = made.root.all("pre")[0].text
    with shelf.read() as conn:
        asker = accounts.by_token(conn, token, 0)
        assert (asker.name, asker.scopes) == ("Ann", ("play",))
    page = ann.get("/account")
    assert token not in page.html
    page.form("/account/tokens/revoke").submit()
    with shelf.read() as conn:
        assert accounts.by_token(conn, token, 0) is None


def test_an_old_session_is_asked_to_sign_in_afresh_before_it_makes_a_token(ann, shelf):
    form = ann.get("/account").form("/account/tokens")
    with shelf.write() as conn:
        conn.execute(
            accounts.SESSIONS.update().values(created_at=accounts.SESSIONS.c.created_at - accounts.USUAL.fresh)
        )
    page = form.submit(name="My bot", scope="play")
    assert page.status == 403
    assert "sign in again" in page.text
    assert "/sign-in?next=/account" in page.links
    with shelf.read() as conn:
        assert conn.execute(select(accounts.TOKENS)).all() == []


@pytest.mark.parametrize("entries", [{"name": "", "scope": "read"}, {"name": "x", "scope": "everything"}])
def test_a_token_needs_a_name_and_a_permission(ann, entries):
    assert ann.get("/account").form("/account/tokens").submit(**entries).status == 422


def test_other_browsers_are_signed_out(app, ann, shelf):
    from service.web.shared import context
    from tests.service.web.pages.browser import Browser

    other = Browser(app)
    with shelf.write() as conn:
        ann_id = conn.execute(select(accounts.PERSONS.c.id)).scalar_one()
        session = accounts.open_session(conn, ann_id, 10**13)
    with app.test_request_context():
        other.client.set_cookie(context.session_cookie(), session)
    assert other.get("/account").h1 == "Your account"
    ann.get("/account").press("Sign out everywhere else")
    assert other.get("/account").h1 == "Sign in"
    assert ann.get("/account").h1 == "Your account"


def test_a_person_exports_all_their_data(ann):
    assert "/account/export" in ann.get("/account").links
    answer = ann.client.get("/account/export")
    assert answer.mimetype == "application/zip"
    assert answer.headers["Content-Disposition"].startswith("attachment")


def test_erasing_an_account_needs_its_typed_address(ann):
    page = ann.get("/account").press("Delete my account permanently", email="bob@example.org")
    assert page.status == 422
    assert "nothing was deleted" in page.text
    assert ann.get("/account").h1 == "Your account"


def test_erasing_an_account_removes_the_person_and_ends_their_game(ann, bob):
    table = start(ann, bob)
    first = ann.get("/account").press("Delete my account permanently", email="ann@example.org")
    assert "Your account is deleted." in first.text
    assert ann.get("/account").h1 != "Your account"
    page = bob.get(table)
    assert "Ann" not in page.html
    assert "(erased)" in page.text
    assert "The game is over" in page.text
