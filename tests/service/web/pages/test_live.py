"""Live pages: the tokens of a browser, and the application on a device."""

import io
import json
from urllib.parse import urlencode

from PIL import Image

from service.base import links
from service.base.clock import now
from service.live.streams import ticket
from service.people import presence
from tests import road
from tests.service.web.pages.tables import game_id, load, open_table, start
from tests.toy import Choose


def tokens(browser, address):
    """The tokens that the scripts of a browser get for the page of a game: its person's, and that of the game."""
    asked = [browser.get("/live/mine"), browser.get(f"{address}/live")]
    return [json.loads(it.html)["token"] for it in asked if it.status == 200 and "token" in json.loads(it.html)]


def topics(settings, given):
    return ticket(settings, urlencode([("t", each) for each in given]), now()).topics if given else frozenset()


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


# ==== the application on a device =================================================================
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
