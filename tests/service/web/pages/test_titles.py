"""Every title on the pages: it can be opened, seen and played, and hides its secrets."""

import gzip
import io
import json
import random
import shutil
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace
from PIL import Image
from sqlalchemy import make_url, text

import domain
from config.settings import Settings
from domain import play
from domain.chance import ChanceAsked, FreeChance
from domain.lifecycle import Resign
from domain.orders import write
from domain.words import first_upper
from service.base.clock import now
from service.database.store import Store, open_store
from service.games import queries
from service.web.pages.parts.forms import command_text
from service.web.pages.table import trying
from tests import road
from tests.conftest import foreordain, given_tables, no_power_cuts
from tests.service.web.pages.conftest import arrival, on_store
from tests.service.web.pages.in_words import headings, options, press, section, status
from tests.service.web.pages.tables import add, confirming, game_id, made, players, steps, to_choose


@pytest.fixture(params=sorted(domain.TITLES))
def title(request):
    return domain.TITLES[request.param]


@pytest.fixture
def shelf(request, settings, title, store_in):
    """Return a store with one title; it holds `table` if the test uses that."""
    if "table" not in request.fixturenames:
        yield store_in(settings, {title.id: title})
        return
    file, _ = request.getfixturevalue("begun")(title)
    shutil.copyfile(file, settings.data_dir / file.name)
    with closing(open_store(settings.database, titles={title.id: title}, settings=settings)) as opened:
        yield no_power_cuts(opened)


@pytest.fixture(scope="session")
def only_app(app_of_all):
    return app_of_all


@pytest.fixture
def table(begun, title):
    """Return a game of Ann, Bob and bots in progress that waits for Ann."""
    _, address = begun(title)
    return address


@pytest.fixture(scope="module")
def begun(tmp_path_factory, tables_on_sqlite, app_of_all):
    """``begun(title)``: a database with such a game, made once to be copied, and the address of the table."""
    made = {}

    def of(title):
        if title.id not in made:
            made[title.id] = begin(title, tmp_path_factory.mktemp(title.id), tables_on_sqlite, app_of_all)
        return made[title.id]

    return of


def begin(title, folder, tables, any_app):
    settings = Settings(_env_file=None, data_dir=folder)
    file = Path(make_url(settings.database).database)
    shutil.copyfile(tables, file)
    with closing(open_store(settings.database, titles={title.id: title}, settings=settings)) as store:
        given_tables(store)
        app = on_store(any_app, settings, store)
        ann, bob = (arrival(app, store, name) for name in ("Ann", "Bob"))
        seats = title.seating.seats[1]
        with pytest.MonkeyPatch.context() as patch:
            foreordain(patch, title.id)  # the same game, whichever test is the first
            form = ann.get("/games/new").form(f"/games/new?title={title.id}")
            page = form.submit("Open the table", **players("anybody", *["random"] * (seats - 2)))
        address = page.address.partition("?")[0]
        bob.get(address).form("/join").submit("Take seat 2")
        assert ann.get(address).form("/start").submit().status == 200
        play_some(store, address, 40)
        store.wipe()  # so that one file holds everything
    return file, address


def load(shelf, address):
    with shelf.read() as conn:
        return shelf.load(conn, game_id(address)).game


def play_some(shelf, address, plies):
    dice = random.Random(3)
    while (game := load(shelf, address)).asked and (game.version < plies or 1 not in game.asked):
        seat = game.asked[-1]
        command = game.title.bots["random"](game.title.rules.view(game.state, seat), dice)[0]
        road.submit(shelf, game.id, seat, [command], None, None, now(), "bot")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_page_of_a_game_opens(ann, bob, guest, table, shelf, lang):
    last = load(shelf, table).version
    for browser in (ann, bob, guest):
        browser.headers["Accept-Language"] = lang
        browser.client.set_cookie("lang", lang)
        for page in ("", "/log", "/audit", "/at/1", f"/at/{last // 2}", f"/at/{last}", f"/at/{last}/board",
                     "/text", "/text/at/1", f"/text/at/{last // 2}"):  # fmt: skip
            seen = browser.get(table + page)
            assert seen.status == 200, page
            assert "{" not in seen.text, f"a blank of a sentence was not filled in: {page}"
            assert "<a " not in seen.text, f"a link was escaped: {page}"
    for address in ("/", "/games", "/games/new", "/legal"):
        assert ann.get(address).status == 200


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_game_is_told_again_only_when_it_is_over(ann, bob, guest, table, shelf, title, lang):
    for browser in (ann, bob, guest):
        browser.client.set_cookie("lang", lang)
        assert browser.get(f"{table}/review").status == 404
    for seat in sorted(load(shelf, table).table.chairs)[1:]:
        road.submit(shelf, game_id(table), seat, [Resign()], None, None, now())
    assert load(shelf, table).status == "over"
    page = ann.get(ann.get(table).root.all("a", href=f"{table}/review")[0].attrs["href"])
    assert page.status == 200
    plots = page.root.all("figure")
    assert plots
    assert all(len(each.all("svg")) == len(each.all("table")) == 1 for each in plots)
    told = page.root.all("ol", **{"class": "told"})[0].all("li")
    assert 0 < len(told) <= 8
    assert "{" not in page.text
    last = told[-1].all("a")[0].attrs["href"]
    assert ann.get(last).status == 200
    if forms := [it for it in told if it.all("form")]:
        assert forms[0].all("button")


@pytest.mark.long("new_england", "ticket_to_ride")
def test_a_finished_public_game_has_a_picture_to_share(ann, guest, table, shelf, title):
    address = f"{table}/picture/en.png"
    assert guest.get(address).status == 404
    assert not tagged(guest.get(table), "og:image")
    for seat in sorted(load(shelf, table).table.chairs)[1:]:
        road.submit(shelf, game_id(table), seat, [Resign()], None, None, now())
    assert tagged(guest.get(table), "og:image").endswith(address)
    shown = guest.client.get(address)
    assert (shown.status_code, shown.mimetype) == (200, "image/png")
    assert Image.open(io.BytesIO(shown.data)).size == (1200, 630)
    assert "max-age=86400" in shown.headers["Cache-Control"]
    known = {"If-None-Match": shown.headers["ETag"]}
    assert guest.client.get(address, headers=known).status_code == 304
    with shelf.write() as conn:
        conn.execute(text("UPDATE person SET name = 'Anabel' WHERE name = 'Ann'"))
    assert guest.client.get(address, headers=known).status_code == 200  # it holds the new name
    with shelf.write() as conn:
        conn.execute(text("UPDATE game SET public = false"))
    assert ann.client.get(address).status_code == guest.client.get(address).status_code == 404
    assert not tagged(ann.get(table), "og:title")


def tagged(page, name):
    found = page.root.all("meta", property=name)
    return found[0].attrs["content"] if found else ""


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_table_explains_the_turn(ann, bob, table, shelf, lang):
    with shelf.read() as conn:
        why = queries.why_asked(queries.game_for(shelf, conn, None, game_id(table), lang=lang), lang)
    assert why
    for browser in (ann, bob):
        browser.client.set_cookie("lang", lang)
        assert first_upper(why) in browser.get(table).text


def test_no_two_landmarks_of_a_table_have_one_name(ann, table):
    """Areas named by a heading; the open tab shows again what lies beside the board."""
    for page in (ann.get(table), ann.get(f"{table}?show=details")):
        headings_of = {it.attrs.get("id"): it.text for tag in ("h2", "h3") for it in page.root.all(tag)}
        named = [headings_of[it.attrs["aria-labelledby"]] for it in page.root.all("section")]
        assert len(named) > 2
        assert sorted(named) == sorted(set(named))


def test_turns_are_played_by_links_and_buttons_alone(ann, table, title, shelf):
    """Every step follows a link or presses a button that the tab key reaches, on the board or beside it."""
    confirming(ann, "turn")
    dice, counted = random.Random(4), 0
    while counted < TURNS and (game := load(shelf, table)).asked:
        if 1 not in game.asked:
            play_some(shelf, table, game.version + 1)
            continue
        page = chosen(ann.get(table), dice)
        assert made(page).status == 200
        assert load(shelf, table).version > game.version
        counted += 1 not in load(shelf, table).asked
    assert counted == TURNS


TURNS = 4
"""Those of one seat; the others move in between."""


def chosen(page, dice):
    """Follow links, and press the button of an action once there is one. Return the page with its preview."""
    for _ in range(10):
        if page.root.all("section", **{"class": "trial"}):
            return page
        if page.has_form("/try"):
            form = dice.choice([it for it in page.forms if it.address.endswith("/try")])
            page = form.submit(**filled_in(form, dice))
        else:
            links = [it for it in page.root.all("a") if is_way(it)]
            assert all(it.attrs.get("tabindex", "0") == "0" for it in links)
            page = page.browser.get(dice.choice(links).attrs["href"].partition("#")[0])
    raise AssertionError(f"no action at {page.address}")


def filled_in(form, dice):
    """Return a small number for the form's field, and all of its boxes."""
    fields = [it for it in form.element.all("input") if it.attrs.get("name") == "value"]
    if not fields or fields[0].attrs["type"] != "number":
        return {"value": [it.attrs["value"] for it in fields] or None}
    low, high, step = (int(fields[0].attrs[name]) for name in ("min", "max", "step"))
    return {"value": str(dice.randrange(low, min(high, low + 5 * step) + 1, step))}


def is_way(link):
    """Does the link choose a kind of action or a place? Chosen ones remove it again."""
    ways, places = link.inside("ul"), link.inside("g")
    by_kind = ways is not None and ways.attrs.get("class") == "ways"
    return by_kind or (places is not None and places.attrs.get("class") == "places")


def test_a_refusal_leads_to_the_text_of_its_rule(ann, bob, table, shelf):
    """A move out of turn, sent by hand."""
    command = None
    while command is None:
        theirs = bob.get(table)
        anytime = {json.loads(it)["command"] for it in to_choose(theirs)}
        command = next((it for it in to_choose(ann.get(table)) if json.loads(it)["command"] not in anytime), None)
        if command is None:  # both have the same actions now, but not a little later
            play_some(shelf, table, load(shelf, table).version + 1)
    filled = theirs.tab("about").form("/resign").filled
    refused = bob.post(f"{table}/move", {**filled, "command": command})
    assert refused.status == 422, (command, load(shelf, table).asked)
    (told,) = refused.root.all("div", id="refusal")
    (rule,) = told.all("a", **{"class": "rule"})
    address, _, anchor = rule.attrs["href"].partition("#")
    rules = bob.get(address)
    assert [it for it in rules.root.walk() if it.attrs.get("id") == anchor], rule.text


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_hidden_things_change_no_byte_of_a_page(ann, bob, guest, table, title, shelf, monkeypatch, viewer):
    """In a world with other hidden cards, and without the others' sealed parts, every page is the same."""
    browser = {1: ann, 2: bob, None: guest}[viewer]
    last = load(shelf, table).version
    in_words = ("/text", "/text?did=1", "/text?line=3", f"/text/at/{last // 2}", f"/text/at/{last}")
    with_board = ("", "/log", "/audit", f"/at/{last // 2}", f"/at/{last}", f"/at/{last}/board")
    pages = [table + page for page in (*with_board, *in_words)]
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
"""Only proxies and build limits are hidden there, and sometimes there are none."""


def _imagine(patch, viewer, seed):
    load, position, plies = Store.load, Store.position, Store.plies

    def other(game):
        if game.status != "running":
            return game
        return replace(game, state=game.title.rules.imagine(game.title.rules.view(game.state, viewer), _chance(seed)))

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


# ==== a game in words =============================================================================
def test_a_short_game_is_played_in_words_alone(ann, table, title, shelf):
    """Each step is chosen, previewed and confirmed by the names of buttons and fields."""
    page, dice = confirming(ann, "turn").get(f"{table}/text"), random.Random(4)
    done = set()
    while len(done) < 8 and 1 in load(shelf, table).asked:
        before = load(shelf, table).version
        page = press(page, dice.choice(options(page)), dice)
        assert "Preview" in section(page, "Your options").text
        page = page.press("Confirm")
        assert page.status == 200
        assert load(shelf, table).version > before
        assert status(page) or headings(page)
        done.add(load(shelf, table).version)
        play_some(shelf, table, load(shelf, table).version)
        page = ann.get(f"{table}/text")
    assert len(done) == 8


def test_every_action_of_a_seat_can_be_made_at_the_text_table(ann, table, title, shelf):
    """The letter's lines, the ways behind them, and the boxes beside them lead to all legal actions."""
    page = ann.get(f"{table}/text")
    can = section(page, "Your options")
    pages = [page] + [ann.get(it.attrs["href"].partition("#")[0]) for it in can.all("a") if "line=" in it.attrs["href"]]
    sent = set()
    for each in pages:
        part = section(each, "Your options")
        sent |= {it.attrs["value"] for it in part.all("button", name="command") + part.all("option")}
        sent |= {it.attrs["value"] for it in part.all("input", name="command")}
    fields = {it.attrs["value"] for each in pages for it in section(each, "Your options").all("input", name="field")}
    with shelf.read() as conn:
        seen = queries.game_for(shelf, conn, ann.number, game_id(table))
    told = {_without(json.loads(it), fields) for it in sent}
    legal = {_without(json.loads(command_text(it.command)), fields) for it in queries.actions(seen)
             if not seen.title.face.orders.listing.idle(queries.view(seen), it)}  # fmt: skip
    assert told == legal


def _without(command, fields):
    return json.dumps({name: value for name, value in command.items() if name not in fields}, sort_keys=True)


def test_the_explanations_of_a_thing_name_it_once(ann, table):
    hand = section(ann.get(f"{table}/text"), "Your hand")
    lines = [it for it in hand.all("li") if it.inside("details") is None]
    uses = [it.text for fold in hand.all("details") for it in fold.all("li")]
    assert uses
    for name in {it.text.partition(":")[0] for it in lines}:
        assert len([it for it in uses if it.startswith(f"{name}:")]) <= 1, uses


def test_the_text_table_is_small(ann, table):
    assert len(gzip.compress(ann.get(f"{table}/text").response.get_data())) < 10_000


# ==== a turn that is tried ========================================================================
def whole_turn(game):
    """Return the turn of the sensible bot at seat 1, up to the first unforeseeable step."""
    dice, turn = random.Random(5), []
    while 1 in game.asked:
        for command in game.title.bots["sensible"](game.title.rules.view(game.state, 1), dice):
            turn.append(command)
            try:
                game, _events = play.foresee(game, 1, command, now())
            except ChanceAsked:
                return turn
    return turn


LEAST = {"grand_trunk": 3, "ticket_to_ride": 1, "new_england": 1}
"""Steps of a turn that is worth trying."""


def test_a_whole_turn_is_tried_and_confirmed(ann, table, title, shelf):
    while len(turn := whole_turn(load(shelf, table))) < LEAST[title.id]:
        play_some(shelf, table, load(shelf, table).version + 1)
    before = load(shelf, table).version
    page = confirming(ann, "turn").get(table)
    plain = page.bytes
    for number, command in enumerate(turn, 1):
        page = add(page, command)
        assert len(steps(page)) == number, page.text
        assert ann.get(page.address).bytes == page.bytes
        assert page.follow("Undo step").status == 200
    assert "Left out" not in page.text
    assert load(shelf, table).version == before
    assert len(page.response.get_data()) < 2 * len(plain)
    assert made(page).status == 200
    with shelf.read() as conn:
        played = [ply.command for _, ply in shelf.plies(conn, game_id(table), title, before)]
    assert played[: len(turn)] == turn


def test_the_last_remaining_action_of_a_choice_is_tried(ann, table, title, shelf):
    confirming(ann, "turn")
    for _ in range(20):  # at some positions, for example where only amounts are open, no choice leaves one action
        game = load(shelf, table)
        targets = title.face.places.targets(title.rules.view(game.state, 1), title.rules.actions(game.state, 1))
        asked = [{"do": it.aim.kind, "at": list(it.aim.all)} for it in targets]
        if page := next((it for query in asked if steps(it := ann.get(table, query_string=query))), None):
            break
        play_some(shelf, table, game.version + 1)
    assert page is not None
    assert len(steps(page)) == 1
    assert load(shelf, table).version == game.version
    assert steps(page.follow("Undo step")) == []
    assert made(page).status == 200
    assert load(shelf, table).version > game.version


FORETOLD = {
    "grand_trunk": {"PerformMaintenance": ["You draw up to", "This ends your turn.", "This cannot be taken back."]},
    "ticket_to_ride": {
        "DrawFaceUpCard": ["A card from the deck replaces it.", "Then you draw a second card."],
        "DrawBlindCard": ["You draw a card that nobody has seen.", "Then you draw a second card."],
        "DrawTickets": ["You are dealt 3 tickets and keep at least one.", "costs you its points at the end"],
    },
    "new_england": {
        "PlaceBid": ["If nobody bids more, you pay $", "If that seat has left a proxy"],
        "PassBid": ["You stop bidding for", "If that seat has left a proxy"],
    },
}
"""Kind of command -> the text shown when its result is unforeseeable."""


def test_an_action_that_asks_chance_is_confirmed_alone_with_its_possible_cost(ann, table, title, shelf):
    confirming(ann, "turn")
    missing = dict(FORETOLD[title.id])
    for _ in range(60):
        game = load(shelf, table)
        once = {type(it.command).__name__: it for it in game.title.rules.actions(game.state, 1)}
        here = [it for kind, it in once.items() if kind in missing and 1 in game.asked]
        for it in here:
            page = add(ann.get(table), it.command)
            if all(said in page.text for said in missing[type(it.command).__name__]):
                del missing[type(it.command).__name__]
                assert to_choose(page) == []
                assert "This cannot be taken back." in page.text
                [button] = page.form("/move").buttons
                assert button.text.startswith("Confirm: ")
        if not missing:
            return
        play_some(shelf, table, game.version + 1)
    raise AssertionError(f"never said: {missing}")


def test_hidden_things_change_no_byte_of_choices_trials_and_typed_lines(ann, table, title, shelf, monkeypatch):
    """It holds for every request, in an address or in the text box, legal or refused."""
    confirming(ann, "turn")
    world = another_world(shelf, table)
    game = load(shelf, table)
    mine, others = ([it.command for it in some(title.rules.actions(game.state, seat))] for seat in (1, 2))
    turns = [trying.Collected((command,), game.version_for(1)) for command in (*mine, *others)]
    turns.append(trying.Collected(tuple(mine), 3))
    aims = some(title.face.places.targets(title.rules.view(game.state, 1), title.rules.actions(game.state, 1)))
    chosen = [urlencode({"do": it.aim.kind, "at": it.aim.all[:number]}, True) for number, it in enumerate(aims)]
    pages = [where + turn.query for where in (table, f"{table}/text") for turn in turns]
    pages += [f"{table}?{query}" for query in chosen]
    form = ann.get(table).form("/orders#typed")
    lines = [line_of(game, seat, it) for seat in (1, 2) for it in some(title.rules.actions(game.state, seat))]

    def shown():
        typed = [form.submit("Check the orders", lines=line) for line in (*lines, "\n".join(lines))]
        return [page.bytes for page in (*map(ann.get, pages), *typed)]

    real = shown()
    with monkeypatch.context() as patch:
        _imagine(patch, 1, world)
        assert load(shelf, table).state != game.state
        assert shown() == real


def another_world(shelf, address):
    """Return the seed of a world behind Ann's view, at a position that has one and waits for her."""
    for _ in range(60):
        game = load(shelf, address)
        view = game.title.rules.view(game.state, 1)
        others = [seed for seed in range(2) if game.title.rules.imagine(view, _chance(seed)) != game.state]
        if others and game.title.rules.actions(game.state, 1):
            return others[0]
        play_some(shelf, address, game.version + 1)
    raise AssertionError("nothing was ever hidden")


def _chance(seed):
    return FreeChance(random.Random(seed))


def some(whole):
    return whole[:: max(1, len(whole) // 3)][:3]


def line_of(game, seat, action):
    title, view = game.title, game.title.rules.view(game.state, seat)
    [option] = title.face.orders.options(view, [action])
    return write(option.order, title.face.orders.names(view), title.face.words.english)


def test_a_game_against_bots_starts_with_one_button(ann, shelf, title):
    """The game has the title's fewest seats, and the front page's button starts it."""
    table = ann.get("/").press("Play now").address
    assert load(shelf, table).status == "running"
