"""Live pages: the tokens of a browser, and the table of who may hear what."""

import io
import json
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from PIL import Image

from domain.clock import FreeSeat
from service.base import links
from service.base.clock import now
from service.base.ticks import Tick
from service.database.work import Work
from service.games import lobby
from service.games.rights import ByPerson
from service.live.streams import ticket, topics_of
from service.operators import acts
from service.people import presence
from tests import road
from tests.listeners import Listener, listening
from tests.service.web.pages.tables import game_id, load, open_table, start
from tests.toy import Choose, Whisper


@pytest.fixture
def listener(settings) -> Iterator[Listener]:
    with listening(settings) as listener:
        yield listener


def tokens(browser, address):
    """The tokens that the scripts of a browser get for the page of a game: its person's, and that of the game."""
    asked = [browser.get("/live/mine"), browser.get(f"{address}/live")]
    return [json.loads(it.html)["token"] for it in asked if it.status == 200 and "token" in json.loads(it.html)]


def topics(settings, given):
    return ticket(settings, urlencode([("t", each) for each in given]), now()).topics if given else frozenset()


def hears(heard: list[Tick], its_topics) -> int:
    """The number of ticks that a stream with these topics hears."""
    return sum(not its_topics.isdisjoint(topics_of(it)) for it in heard)


# ==== tokens ======================================================================================
def test_a_player_hears_of_all_their_games_and_watches_none(ann, bob, settings):
    table = start(ann, bob)
    assert topics(settings, tokens(ann, table)) == {links.topic_of_person(ann.number)}


def test_a_spectator_hears_of_the_game_they_watch(ann, bob, arrive, guest, settings):
    table = start(ann, bob)
    watched = links.topic_of_game(game_id(table))
    assert topics(settings, tokens(guest, table)) == {watched}
    cleo = arrive("Cleo")
    assert topics(settings, tokens(cleo, table)) == {watched, links.topic_of_person(cleo.number)}


def test_the_page_tells_its_script_where_to_ask(ann, bob, guest):
    table = start(ann, bob)
    (note,) = [it for it in guest.get(table).root.all("p") if "data-watch" in it.attrs]
    assert (note.attrs["data-game"], note.attrs["data-live"]) == (game_id(table), f"{table}/live")
    (note,) = [it for it in ann.get(table).root.all("p") if "data-watch" in it.attrs]
    assert note.attrs["data-live"] == ""


def test_nobody_gets_a_token_for_a_game_they_may_not_see(ann, guest, arrive):
    table = open_table(ann, public="no")
    assert guest.get(f"{table}/live").status == arrive("Cleo").get(f"{table}/live").status == 404


def test_a_browser_that_has_signed_out_gets_no_token_of_its_person(ann, bob):
    start(ann, bob)
    ann.get("/account").form("/sign-out").submit()
    assert json.loads(ann.get("/live/mine").html) == {}


def test_the_number_of_waiting_games_is_told_without_a_look_at_a_table(ann, bob, shelf):
    table = start(ann, bob)
    assert json.loads(ann.get("/live/mine").html)["waiting"] == 1
    road.submit(shelf, game_id(table), 1, [Choose(load(shelf, table).state.hands[1][0])], None, None, now())
    assert json.loads(ann.get("/live/mine").html)["waiting"] == 0
    assert json.loads(bob.get("/live/mine").html)["waiting"] == 1
    with shelf.read() as conn:
        assert presence.visits(conn, bob.number, now(), 10**9) == {}


# ==== who may hear what ===========================================================================
MAY_HEAR = {  # a move, its own hidden move (None: it has none), a hidden move of another
    "player": (1, 1, 0),
    "opponent": (1, 1, 0),
    "spectator": (1, None, 0),
    "guest": (1, None, 0),
    "substitute": (1, 1, 0),
    "who left": (1, None, 0),
    "operator": (1, None, 0),
    "player, private": (1, 1, 0),
    "invited guest, private": (1, None, 0),
    "substitute, private": (1, 1, 0),
    "who left, private": (0, None, 0),
    "stranger, private": (0, None, 0),
    "operator, private": (0, None, 0),
    "another game's player, private": (0, None, 0),
}


def seat_of(shelf, table, browser):
    with shelf.read() as conn:
        seats = shelf.load(conn, game_id(table)).seats
    return next((it.seat for it in seats if it.person_id == browser.number), None)


def whispers(shelf, table, seat):
    road.submit(shelf, game_id(table), seat, [Whisper(7)], None, None, now())


def chooses(shelf, table):
    """All choose a card; then the cards are shown."""
    for seat in load(shelf, table).asked:
        hand = load(shelf, table).state.hands[seat]
        road.submit(shelf, game_id(table), seat, [Choose(hand[0])], None, None, now())


def running(ann, bob, guest, shelf, *, public, invited):
    """Start a game of Ann and Bob. ``invited``: the guest has looked at it by its invitation before."""
    table = open_table(ann, public="yes" if public else "no", pace="weekdays")
    token = links.invitation(shelf.settings, game_id(table), 0)
    if invited:
        assert guest.get(f"/join/{token}").status == 200
    lobby.join(Work(shelf), ByPerson(bob.number, invite=token), game_id(table), choice={})
    lobby.start(Work(shelf), ByPerson(ann.number), game_id(table))
    return table


@pytest.mark.parametrize("who", MAY_HEAR)
def test_everybody_hears_what_they_may(who, ann, bob, guest, arrive, settings, shelf, listener):
    part, _, private = who.partition(", ")
    table = running(ann, bob, guest, shelf, public=not private, invited=part == "invited guest")
    browser = {"player": ann, "opponent": bob, "guest": guest, "invited guest": guest}.get(part) or arrive("Cleo")
    if part in ("substitute", "who left"):
        road.submit(shelf, game_id(table), None, [FreeSeat(2)], None, None, now())
        road.take_over(shelf, game_id(table), 2, person_id=browser.number, at=now(), invitation=0)
        browser = browser if part == "substitute" else bob
    if part == "operator":
        acts.add(shelf, acts.AT_THE_COMMAND_LINE, browser.number, now())
    if part == "another game's player":
        start(browser, arrive("Dora"))
    its = topics(settings, tokens(browser, table))
    seat = seat_of(shelf, table, browser) if browser is not guest else None
    expected = MAY_HEAR[who]
    listener.heard()
    chooses(shelf, table)
    moves = [it for it in listener.heard() if it.watchers]
    assert moves
    assert hears(moves, its) == expected[0] * len(moves)
    assert (seat is None) == (expected[1] is None)
    if seat is not None:
        whispers(shelf, table, seat)
        assert hears(listener.heard(), its) == expected[1]
    whispers(shelf, table, 2 if seat == 1 else 1)
    assert hears(listener.heard(), its) == expected[2]


def test_the_icon_is_drawn_as_png_in_the_sizes_of_the_manifest(guest):
    icons = [
        it for it in guest.client.get("/manifest.webmanifest").get_json(force=True)["icons"] if "png" in it["type"]
    ]
    assert [it["sizes"] for it in icons] == ["192x192", "512x512"]
    for it in icons:
        answer = guest.client.get(it["src"])
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        with Image.open(io.BytesIO(answer.data)) as picture:
            assert (picture.format, f"{picture.width}x{picture.height}") == ("PNG", it["sizes"])
            assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 3, "it is no plain square"
