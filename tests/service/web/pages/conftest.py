"""The site with the toy title, and its visitors."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from config.settings import Settings
from domain import TITLES
from service.base.clock import now
from service.database.store import Store, open_store
from service.people import accounts
from service.web.app import create_app
from service.web.shared import context
from tests import toy
from tests.service.web.pages.browser import Browser


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, data_dir=tmp_path)  # type: ignore[call-arg]


@pytest.fixture
def shelf(settings: Settings, store_in: Callable[..., Store]) -> Iterator[Store]:
    """Return a store with the toy title only. (Tests below the pages compare databases.)"""
    opened = store_in(settings, {"toy": toy.TITLE})
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def only_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Make one application for all tests; each gives it a store of its own."""
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("site"))  # type: ignore[call-arg]
    return create_app(settings, open_store(settings.database, titles={"toy": toy.TITLE}, settings=settings))


@pytest.fixture(scope="session")
def app_of_all(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Make an application that knows all titles, the toy too."""
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("site_of_all"))  # type: ignore[call-arg]
    return create_app(settings, open_store(settings.database, titles={**TITLES, "toy": toy.TITLE}, settings=settings))


@pytest.fixture
def app(only_app: Flask, settings: Settings, shelf: Store) -> Flask:
    """Return the site on this test's store."""
    return on_store(only_app, settings, shelf)


def on_store(app: Flask, settings: Settings, shelf: Store) -> Flask:
    """Return the site on another store, before its first request."""
    app.extensions["slowtrain"] = context.Site(settings, shelf)
    for counts in (app.extensions["slowtrain_limiter"], app.extensions["slowtrain_counts"].storage):
        counts.reset()
    return app


@pytest.fixture
def guest(app: Flask) -> Browser:
    return Browser(app)


Arrive = Callable[..., Browser]


@pytest.fixture
def arrive(app: Flask, shelf: Store) -> Arrive:
    """``arrive("Ann")``: the browser of a signed-in person, whose moves by default count at once."""
    return partial(arrival, app, shelf)


def arrival(app: Flask, shelf: Store, name: str, lang: str = "en", confirm: str = "at_once") -> Browser:
    """Return the browser of a signed-in person, who is added to the store if missing."""
    browser = Browser(app, lang)
    at = now()
    people = accounts.PERSONS
    with shelf.write() as conn:
        email = f"{name.split()[0].lower()}@example.org"
        number = conn.execute(select(people.c.id).where(people.c.email == email)).scalar()
        if number is None:
            row = {"email": email, "name": name, "lang": lang, "zone": "Europe/Berlin", "created_at": at}
            row |= {"confirm": confirm, "confirm_live": confirm}
            number = int(conn.execute(people.insert().values(row)).inserted_primary_key[0])
        session = accounts.open_session(conn, number, at)
    with app.test_request_context():
        browser.client.set_cookie(context.session_cookie(), session)
    browser.number, browser.name = number, name
    return browser


@pytest.fixture
def ann(arrive: Arrive) -> Browser:
    return arrive("Ann")


@pytest.fixture
def bob(arrive: Arrive) -> Browser:
    return arrive("Bob")


@pytest.fixture
def mailed_link(settings: Settings, shelf: Store) -> Callable[[], str]:
    """Return the address in the last sign-in mail."""

    def newest() -> str:
        wanted = select(accounts.OUTBOX.c.payload).where(accounts.OUTBOX.c.kind == "sign_in")
        with shelf.read() as conn:
            payload = conn.execute(wanted.order_by(accounts.OUTBOX.c.id.desc()).limit(1)).scalar_one()
            address = accounts.link_address(settings, conn, payload)
        assert address is not None
        return address.removeprefix(settings.site)

    return newest
