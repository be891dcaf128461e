"""The pages of the second factor: set up with a setup code, required at each sign-in, without a way around."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from pyotp import TOTP

from service.base.clock import SECOND, now
from service.database.store import Store
from service.operators import acts
from service.operators.acts import AT_THE_COMMAND_LINE
from service.people import accounts
from service.web.shared import context
from tests.service.web.pages.browser import Browser, Page
from tests.service.web.pages.conftest import Arrive, arrival, on_store
from tests.service.web.pages.test_operate import ADDRESSES, number

NOON = "2026-06-01T12:00:00Z"
PAGE = "/operate/second-factor"


@pytest.fixture
def clock() -> Iterator[FrozenDateTimeFactory]:
    with freeze_time(NOON) as frozen:
        yield frozen


@pytest.fixture
def strict(only_app: Flask, app: Flask, shelf: Store, clock: FrozenDateTimeFactory) -> Flask:
    """Return the site as in production, where a second factor is required."""
    settings = shelf.settings.with_(second_factor=True)
    return on_store(only_app, settings, shelf)


class Operator:
    """Olga, with a phone; ``setup``: the code from the command line."""

    def __init__(self, app: Flask, shelf: Store) -> None:
        self.app, self.shelf, self.secret = app, shelf, ""
        self.browser = arrival(app, shelf, "Olga")
        self.setup = acts.add(shelf, AT_THE_COMMAND_LINE, number(shelf, "Olga"), now())
        self.recovery: list[str] = []

    def code(self) -> str:
        return TOTP(self.secret).at(now() // SECOND)

    def set_up(self) -> Page:
        page = self.browser.get(PAGE).form(PAGE).submit(setup=self.setup.lower())
        self.secret = re.search(r"Key ([A-Z2-7 ]{39})", page.text)[1].replace(" ", "")  # type: ignore[index]
        done = page.form(PAGE).submit(code=self.code())
        self.recovery = re.findall(r"\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}\b", done.text)
        return done

    def sign_in(self) -> Browser:
        """Return another browser of hers, signed in with the mailed link alone."""
        return arrival(self.app, self.shelf, "Olga")


@pytest.fixture
def olga(strict: Flask, shelf: Store) -> Operator:
    return Operator(strict, shelf)


def test_an_operator_sets_up_the_second_factor_without_scripts(olga: Operator) -> None:
    assert olga.browser.get("/operate").h1 == "Second factor"
    done = olga.set_up()
    assert done.h1 == "Your recovery codes"
    assert len(olga.recovery) == 10
    assert olga.browser.get("/operate").h1 == "Operator area"
    there = olga.browser.get(PAGE).text
    assert "Set up on" in there
    assert "Recovery codes left: 10" in there
    assert olga.secret not in there
    assert not [code for code in olga.recovery if code in there]


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_emailed_link_alone_opens_no_page(olga: Operator, address: str) -> None:
    olga.set_up()
    assert olga.sign_in().get(address).h1 == "Second factor"


def test_the_emailed_link_alone_allows_no_action(olga: Operator, arrive: Arrive, shelf: Store) -> None:
    arrive("Ann")
    ann = number(shelf, "Ann")
    olga.set_up()
    browser = olga.sign_in()
    token = browser.get("/account").form("/account").filled["csrf"]
    browser.post(f"/operate/people/{ann}", {"csrf": token, "wish": "block", "why": "x"})
    for path in (f"/operate/people/{ann}", "/operate/mails/1", "/operate/calls/1", "/operate/arrivals/1"):
        assert browser.post(path, {"csrf": token, "wish": "block", "why": "x"}).h1 == "Second factor"
    with shelf.read() as conn:
        assert accounts.person(conn, ann).blocked_at is None
        assert len(acts.entries(conn, AT_THE_COMMAND_LINE, now())) == 1


def test_each_sign_in_asks_for_a_code_and_leads_to_the_wanted_page(
    olga: Operator, clock: FrozenDateTimeFactory
) -> None:
    olga.set_up()
    browser = olga.sign_in()
    asked = browser.get("/operate/people?text=ann")
    assert asked.form(PAGE).submit(code="000000").status == 403
    again = browser.get("/operate/people?text=ann").form(PAGE).submit(code=olga.code())
    assert "already used" in again.text
    clock.tick(30)
    there = again.form(PAGE).submit(code=olga.code())
    assert (there.status, there.h1) == (200, "People")
    assert browser.get("/operate").h1 == "Operator area"
    assert olga.sign_in().get("/operate").h1 == "Second factor"


def test_the_session_from_before_the_code_no_longer_works(olga: Operator, strict: Flask) -> None:
    def cookie() -> str:
        with strict.test_request_context():
            found = olga.browser.client.get_cookie(context.session_cookie())
        assert found is not None
        return str(found.value)

    before = cookie()
    olga.set_up()
    assert cookie() != before
    with strict.test_request_context():
        stolen = Browser(strict)
        stolen.client.set_cookie(context.session_cookie(), before)
    assert stolen.get("/operate").status == 404
    assert stolen.get("/account").h1 != "Your account"


def test_a_recovery_code_stands_in_once(olga: Operator) -> None:
    olga.set_up()
    for browser, status in ((olga.sign_in(), 200), (olga.sign_in(), 403)):
        page = browser.get("/operate").press("Use this recovery code", code=olga.recovery[4])
        assert page.status == status


def test_after_too_many_wrong_codes_a_new_browser_is_refused_too(olga: Operator) -> None:
    olga.set_up()
    for _ in range(5):
        browser = olga.sign_in()
        assert browser.get("/operate").form(PAGE).submit(code="000000").status == 403
    shut = olga.sign_in().get("/operate").form(PAGE).submit(code=olga.code())
    assert shut.status == 429
    assert "Too many wrong codes" in shut.text


def test_without_a_setup_code_the_page_names_the_person_to_ask(olga: Operator, clock: FrozenDateTimeFactory) -> None:
    clock.tick(24 * 3600)
    page = olga.sign_in().get("/operate")
    assert "slowtrain operator second-factor" in page.text
    assert 'name="setup"' not in page.html


def test_a_wrong_setup_code_shows_nothing(olga: Operator) -> None:
    page = olga.browser.get(PAGE).form(PAGE).submit(setup="ABCD-EFGH-IJKL-MNOP")
    assert page.status == 403
    assert "otpauth" not in page.html
    token = page.form(PAGE).filled["csrf"]
    page = olga.browser.post(PAGE, {"csrf": token, "setup": "ABCD", "code": "123456"})
    assert (page.status, "otpauth" in page.html) == (403, False)


def test_other_people_find_no_such_page(olga: Operator, arrive: Arrive) -> None:
    ann = arrive("Ann")
    assert ann.get(PAGE).status == 404
    token = ann.get("/account").form("/account").filled["csrf"]
    assert ann.post(PAGE, {"csrf": token, "setup": olga.setup}).status == 404


def test_a_token_of_an_operators_opens_nothing(olga: Operator, shelf: Store, strict: Flask) -> None:
    with shelf.write() as conn:
        _, token = accounts.make_token(conn, number(shelf, "Olga"), "bot", accounts.SCOPES, now())
    for address in (*ADDRESSES, PAGE):
        assert strict.test_client().get(address, headers={"Authorization": f"Bearer {token}"}).status_code == 404


def test_the_embedded_profile_asks_for_a_code_only_after_the_setup(
    app: Flask, shelf: Store, clock: FrozenDateTimeFactory
) -> None:
    olga = Operator(app, shelf)
    assert olga.browser.get("/operate").h1 == "Operator area"
    olga.set_up()
    assert olga.browser.get("/operate").h1 == "Operator area"
    assert olga.sign_in().get("/operate").h1 == "Second factor"
