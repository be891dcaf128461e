"""Tips on the pages: in somebody's first game of a title, on their turn, until one button ends them."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from config.settings import Settings
from domain import TITLES
from domain.pace import DAY, Pace
from domain.ticket_to_ride.commands import KeepTickets
from service.base import links
from service.base.clock import now
from service.database.store import GAMES, Store, open_store
from service.database.work import Work
from service.games import lobby, opening
from service.games.rights import ByPerson
from service.web.app import create_app
from tests import road
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.test_moves import load
from workers import clocks

TIP = "At the end, a ticket that you keep adds its value if you have completed it."


@pytest.fixture
def shelf(settings: Settings, store_in: Any) -> Any:
    opened = store_in(settings, dict(TITLES))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def only_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("tips"))
    return create_app(settings, open_store(settings.database, titles=dict(TITLES), settings=settings))


def begun(*people: Browser, title: str = "ticket_to_ride", **given: Any) -> str:
    """Start a game. Return the address of its table."""
    site = people[0].client.application.extensions["slowtrain"]
    work, by = Work(site.store), ByPerson(people[0].number)
    facts = {"options": {}, "seats": len(people), "name": "A first game", "public": True, "settle_ms": 0, **given}
    opened = opening.open_table(work, by, title=title, **facts)
    for each in people:
        lobby.join(work, ByPerson(each.number), opened.game_id, choice={})
    lobby.start(work, by, opened.game_id)
    return f"/games/{opened.game_id}"


@pytest.fixture
def table(ann: Browser, bob: Browser) -> str:
    return begun(ann, bob)


def has_tip(browser: Browser, address: str) -> bool:
    page = browser.get(address)
    assert page.status == 200
    found = page.root.all("div", **{"class": "tip"})
    assert len(found) <= 1
    assert bool(found) == page.has_button("No more tips")
    return bool(found)


@pytest.mark.parametrize("also", ["", "/text", "?do=tickets"])
def test_a_first_game_has_a_tip_with_its_rule_on_each_turn(ann, table, also):
    page = ann.get(table + also)
    [tip] = page.root.all("div", **{"class": "tip"})
    assert tip.text.startswith(f"Tip: {TIP}")
    [rule] = tip.all("a", **{"class": "rule"})
    assert rule.attrs["href"] == f"/rules/ticket_to_ride?game={table.removeprefix('/games/')}#TTR-8.4"
    assert any(it.attrs.get("id") == "TTR-8.4" for it in ann.get(rule.attrs["href"]).root.walk())


def test_a_tip_is_said_in_german(arrive, bob):
    address = begun(arrive("Ada", "de"), bob)
    assert "Tipp: Eine Zielkarte , die du behältst" in arrive("Ada", "de").get(address).text  # a link


def test_a_tried_turn_has_the_tip_of_its_position(arrive, bob):
    cleo = arrive("Cleo", confirm="turn")
    address = begun(cleo, bob)
    keeps = cleo.get(address).form("/try")
    tried = keeps.submit(value=[it.attrs["value"] for it in keeps.element.all("input", type="checkbox")])
    assert tried.has_button("Confirm")
    assert "Tip:" not in tried.text, "she has answered"


def test_nobody_else_gets_a_tip(ann, bob, guest, arrive, table, shelf):
    assert has_tip(ann, table)
    assert has_tip(bob, table)
    assert not has_tip(guest, table)
    assert not has_tip(arrive("Cleo"), table)
    game = load(shelf, table)
    keeps = KeepTickets(game.title.rules.view(game.state, 1).own.private.offered)
    road.submit(shelf, game.id, 1, [keeps], None, None, now())
    assert not has_tip(ann, table), "she need not move"
    assert has_tip(bob, table)
    assert not has_tip(bob, f"{table}/at/{game.version}"), "a past position"
    sandbox = bob.get(table).tab("sandbox").press("Open a sandbox here")
    assert "Tip:" not in sandbox.text
    assert "Tip:" not in bob.get("/learn/ticket_to_ride/1").text


def test_tips_end_with_the_first_finished_game_of_the_title(ann, bob, table, shelf):
    other = begun(ann, bob, title="grand_trunk")
    with shelf.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == other.removeprefix("/games/")).values(status="over"))
    assert has_tip(ann, table), "a game of another title"
    second = begun(ann, bob)
    assert has_tip(ann, second)
    with shelf.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == second.removeprefix("/games/")).values(status="over"))
    assert not has_tip(ann, table)
    assert not has_tip(ann, f"{table}/text")


@pytest.mark.parametrize("also", ["", "/text"])
def test_one_button_ends_all_tips_and_the_account_brings_them_back(ann, bob, table, also):
    page = ann.get(table + also).press("No more tips")
    assert page.address.partition("?")[0] == table + also
    assert "You will see no more tips." in page.text
    assert not has_tip(ann, table + also)
    assert not has_tip(ann, begun(ann, bob, title="grand_trunk"))
    assert has_tip(bob, table)
    form = ann.get("/account").form("/account/confirm")
    assert "tips" not in form.filled
    form.submit(tips="1")
    assert ann.get("/account").form("/account/confirm").filled["tips"] == "1"
    assert has_tip(ann, table)


def test_the_link_of_a_letter_ends_tips_without_signing_in(app, ann, table, shelf, settings):
    version = load(shelf, table).version_for(1)
    link = links.turn_address(settings, table.removeprefix("/games/"), 1, version, ann.number, now(), since=0)
    phone = Browser(app)
    page = phone.get(link.removeprefix(settings.site))
    assert "Tip:" in page.text
    assert "Tip:" not in page.press("No more tips").text
    assert not has_tip(ann, table)


def test_a_substitute_gets_no_tips(ann, bob, arrive, shelf: Store):
    cleo = arrive("Cleo")
    address = begun(ann, bob, pace=Pace(turn=DAY, then="substitute"))
    game = load(shelf, address)
    keeps = KeepTickets(game.title.rules.view(game.state, 1).own.private.offered)
    road.submit(shelf, game.id, 1, [keeps], None, None, now())
    clocks.call(shelf, now() + DAY)
    clocks.call(shelf, now() + 2 * DAY)
    cleo.get(address).press("Play this seat (2)")
    assert cleo.get(address).has_form("/move")
    assert not has_tip(cleo, address)
