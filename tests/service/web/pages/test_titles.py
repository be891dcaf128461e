"""Every title in the box on the pages: it can be opened, seen, played and read, and hides what it hides."""

import json
import random

import pytest
from msgspec.structs import replace

import domain
from domain.chance import FreeChance
from service.base.clock import now
from service.database.store import Store
from service.games import queries
from service.web.app import create_app
from tests import road
from tests.service.web.pages.tables import game_id, kinds_of, to_choose


@pytest.fixture(params=sorted(domain.TITLES))
def shelf(request, settings, store_in):
    opened = store_in(settings, {request.param: domain.TITLES[request.param]})
    yield opened
    opened.close()


@pytest.fixture
def app(settings, shelf):
    return create_app(settings, shelf)


@pytest.fixture
def title(shelf):
    (title,) = shelf.titles.values()
    return title


@pytest.fixture
def table(ann, bob, shelf, title):
    """A game of Ann, Bob and bots, some way on, that waits for Ann."""
    seats = title.seats[1]
    form = ann.get("/games/new").form(f"/games/new?title={title.id}")
    page = form.submit("Open the table", seats=str(seats), bots=str(seats - 2), bot="random")
    address = page.address.partition("?")[0]
    bob.get(address).form("/join").submit("Take seat 2")
    assert ann.get(address).form("/start").submit().status == 200
    play_some(shelf, address, 40)
    return address


def load(shelf, address):
    with shelf.read() as conn:
        return shelf.load(conn, game_id(address)).game


def play_some(shelf, address, plies):
    dice = random.Random(3)
    while (game := load(shelf, address)).asked and (game.version < plies or 1 not in game.asked):
        seat = game.asked[-1]
        command = game.title.bots["random"](game.title.view(game.state, seat), dice)[0]
        road.submit(shelf, game.id, seat, [command], None, None, now(), "bot")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_all_pages_of_a_game(ann, bob, guest, table, shelf, lang):
    last = load(shelf, table).version
    for browser in (ann, bob, guest):
        browser.headers["Accept-Language"] = lang
        browser.client.set_cookie("lang", lang)
        for page in ("", "/log", "/audit", "/at/1", f"/at/{last // 2}", f"/at/{last}", f"/at/{last}/board"):
            seen = browser.get(table + page)
            assert seen.status == 200, page
            assert "{" not in seen.text, f"a blank of a sentence was not filled in: {page}"
    for address in ("/", "/games", "/games/new", "/legal"):
        assert ann.get(address).status == 200


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_table_says_why_it_is_whose_turn(ann, bob, table, shelf, lang):
    with shelf.read() as conn:
        why = queries.why_asked(queries.game_for(shelf, conn, None, game_id(table)), lang)
    assert why
    for browser in (ann, bob):
        browser.client.set_cookie("lang", lang)
        assert why in browser.get(table).text


def test_a_seat_moves_by_its_forms(ann, table, shelf):
    page = ann.get(table)
    before = load(shelf, table).version
    offered = to_choose(page)
    assert len(offered) == len(set(offered)) > 0
    form, chosen = next((it.form("/move"), to_choose(it)[0]) for it in (page, *kinds_of(page)) if it.has_form("/move"))
    after = form.submit(command=chosen)
    assert after.status == 200, after.text
    assert load(shelf, table).version > before
    assert json.loads(chosen)["command"] in {kind.__name__ for kind in load(shelf, table).title.commands}


def test_a_refusal_leads_to_the_text_of_its_rule(ann, bob, table, shelf):
    """A move out of turn, given by hand."""
    command = None
    while command is None:
        theirs = bob.get(table)
        anytime = {json.loads(it)["command"] for it in to_choose(theirs)}
        command = next((it for it in to_choose(ann.get(table)) if json.loads(it)["command"] not in anytime), None)
        if command is None:  # both may do the same just now: a little later they may not
            play_some(shelf, table, load(shelf, table).version + 1)
    filled = theirs.form("/resign").filled
    refused = bob.post(f"{table}/move", {**filled, "command": command})
    assert refused.status == 422, (command, load(shelf, table).asked)
    (told,) = refused.root.all("div", id="refusal")
    (rule,) = told.all("a", **{"class": "rule"})
    address, _, anchor = rule.attrs["href"].partition("#")
    rules = bob.get(address)
    assert [it for it in rules.root.walk() if it.attrs.get("id") == anchor], rule.text


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_what_is_hidden_changes_no_byte(ann, bob, guest, table, title, shelf, monkeypatch, viewer):
    """In a world with other hidden cards, and without the sealed parts of the others, every page is the same."""
    browser = {1: ann, 2: bob, None: guest}[viewer]
    last = load(shelf, table).version
    pages = [table + page for page in ("", "/log", "/audit", f"/at/{last // 2}", f"/at/{last}", f"/at/{last}/board")]
    real = {page: browser.get(page).bytes for page in pages}
    state, changed = load(shelf, table).state, False
    for seed in range(3):
        with monkeypatch.context() as patch:
            _imagine(patch, viewer, seed)
            changed |= load(shelf, table).state != state
            for page in pages:
                assert browser.get(page).bytes == real[page], page
    assert changed or title.id in FEW_SECRETS, "the imagined worlds are the real one"


FEW_SECRETS = ("new_england",)
"""Only proxies and build limits are hidden there, and at times there are none."""


def _imagine(patch, viewer, seed):
    load, position, plies = Store.load, Store.position, Store.plies

    def other(game):
        if game.status != "running":
            return game
        chance = FreeChance(random.Random(seed))
        return replace(game, state=game.title.imagine(game.title.view(game.state, viewer), chance))

    def other_load(self, *given, **more):
        stored = load(self, *given, **more)
        return replace(stored, game=other(stored.game))

    def other_plies(self, conn, game_id, title, since=0, until=None):
        found = []
        for stored, _ply in plies(self, conn, game_id, title, since, until):
            mine = tuple(part for part in stored.sealed if part.seat == viewer)
            found.append((replace(stored, sealed=mine), title.chain.decode(stored.open, mine)))
        return found

    patch.setattr(Store, "load", other_load)
    patch.setattr(Store, "position", lambda self, *given: other(position(self, *given)))
    patch.setattr(Store, "plies", other_plies)


def test_playing_now_takes_one_press(ann, shelf, title):
    """Playing now: with as few seats as the title has, and the first page's one press."""
    table = ann.get("/").press("Play now").address
    assert load(shelf, table).status == "running"
