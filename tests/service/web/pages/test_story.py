"""History: the story, past positions, the large board, the audit."""

import json

import pytest

from domain.chain import fingerprint
from domain.lifecycle import Resign
from service.base.clock import now
from service.games import replays
from service.web.app import create_app
from service.web.pages.story import story as story_pages
from tests import road
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, load, start
from tests.toy import Choose, Walk


@pytest.fixture
def table(ann, bob, shelf):
    """A game of two in which both have chosen once."""
    address = start(ann, bob)
    for seat in (1, 2):
        card = load(shelf, address).state.hands[seat][0]
        road.submit(shelf, game_id(address), seat, [Choose(card)], None, None, now())
    return address


@pytest.fixture
def walked(table, shelf):
    """The same game after a step of the leader, and the leader's number."""
    seat = load(shelf, table).asked[0]
    road.submit(shelf, game_id(table), seat, [Walk(1)], None, None, now())
    return table, seat


def test_a_reader_steps_through_the_game(ann, table, shelf):
    last = load(shelf, table).version
    page = ann.get(f"{table}/at/1")
    assert "The table is still empty." in page.text
    for version in range(2, last + 1):
        page = page.follow("Forward")
        assert page.h1 == f"After move {version}"
    assert not [it for it in page.root.all("a") if it.text.startswith("Forward")]
    assert page.follow("← Back").h1 == f"After move {last - 1}"


def test_a_past_position_shows_the_seats_view_of_that_time(ann, table, shelf):
    began = 4
    hand = shelf_position(shelf, table, began).state.hands[1]
    said = ann.get(f"{table}/at/{began}").text
    assert "Your cards" in said
    assert all(str(card) in said for card in hand)


def test_a_past_position_shows_the_things_of_the_table_without_actions(ann, guest, table, shelf):
    last = load(shelf, table).version
    page = ann.get(f"{table}/at/{last}")
    assert beside(page, "hand") == beside(ann.get(table), "hand") != []
    assert who(page) == ["Ann", "Bob"]
    assert page.root.all("section", **{"aria-labelledby": "actions"}) == []
    assert not page.has_form("/move")
    assert beside(guest.get(f"{table}/at/{last}"), "hand") == []


def test_keys_scroll_a_hand_that_has_no_links(ann, bob, shelf):
    """A link in it takes the focus, and so brings itself into view."""
    table = start(ann, bob)
    last = load(shelf, table).version
    for address, linked in ((table, True), (f"{table}/at/{last}", False)):
        [hand] = ann.get(address).root.all("div", **{"class": "mine"})
        assert bool(hand.all("a")) == linked
        assert ("tabindex" in hand.attrs) != linked


def beside(page, panel):
    """Return the names of the things in a panel or area."""
    panels = page.root.all("section", **{"aria-labelledby": panel})
    things = [it for each in panels for it in each.all("li", **{"class": "thing"})]
    return [each.text for it in things for each in it.walk() if each.attrs.get("class") == "name"]


def who(page):
    return [
        it.text for each in page.root.all("ol", **{"class": "seats"}) for it in each.all("span", **{"class": "who"})
    ]


def shelf_position(shelf, address, version):
    with shelf.read() as conn:
        return shelf.position(conn, game_id(address), version)


@pytest.mark.parametrize("version", ["0", "99999", "99999999999999999999", "-1", "x", "1.0"])
@pytest.mark.parametrize("more", ["", "/board"])
def test_an_unknown_version_is_not_found(ann, table, version, more):
    assert ann.get(f"{table}/at/{version}{more}").status == 404


def test_a_past_position_has_a_large_board(ann, table, shelf):
    page = ann.get(table).tab("about").follow("Larger board")
    assert page.root.all("figure")[0].all("svg")
    assert page.follow("Ann's game").address == table


def test_the_story_has_pages(ann, table, monkeypatch, shelf):
    monkeypatch.setattr(story_pages, "PLIES_A_PAGE", 3)
    page, told = ann.get(f"{table}/log"), []
    while True:
        told += [int(it.text.split()[0]) for it in page.root.all("a", **{"class": "ply"})]
        if not [it for it in page.root.all("a") if it.text == "Earlier"]:
            break
        page = page.follow("Earlier")
    assert told == list(range(load(shelf, table).version, 0, -1))
    assert page.follow("Later").status == 200


@pytest.mark.parametrize("until", ["x", "-1", "9" * 30, "²"])
def test_a_page_of_the_story_needs_a_number(ann, table, until):
    assert ann.get(f"{table}/log?until={until}").status == 400


def test_the_audit_lists_every_fingerprint_and_keeps_the_secret(ann, table, shelf):
    page = ann.get(f"{table}/audit")
    with shelf.read() as conn:
        stored = shelf.load(conn, game_id(table))
        links = [it.link for it in shelf.stored_plies(conn, game_id(table))]
    assert all(fingerprint(link) in page.text for link in links)
    assert stored.game.table.commitment in page.text
    assert stored.secret.hex() not in page.html


def test_the_secret_is_published_when_the_game_is_over(ann, table, shelf):
    ann.get(table).tab("about").form("/resign").submit()
    with shelf.read() as conn:
        assert shelf.load(conn, game_id(table)).secret.hex() in ann.get(f"{table}/audit").text


def test_plies_since_the_readers_own_are_marked(ann, bob, table, shelf):
    for browser, seat in ((ann, 1), (bob, 2)):
        fresh = browser.get(table).root.all("li", **{"class": " fresh"})
        own = load(shelf, table).last_of[seat]
        assert [int(it.all("a")[0].text.split()[0]) > own for it in fresh] == [True] * len(fresh)
    assert bob.get(table).root.all("li", **{"class": " fresh"}) == []


# ==== checking the game from its page =============================================================
def test_a_button_proves_the_game(ann, guest, table, shelf):
    with shelf.read() as conn:
        old = fingerprint(shelf.stored_plies(conn, game_id(table))[2].link)
    for browser in (ann, guest):
        page = browser.get(f"{table}/audit").press("Check the game now", fingerprints=f" {old}\n")
        assert "Proved. Nothing was changed, and all of it was played by the rules." in page.text
        assert "0 only replayed" in page.text
        assert "The given fingerprints confirm the game up to ply 3." in page.text
        assert f"The fingerprint {old} belongs to ply 3." in page.text


def test_an_unknown_fingerprint_is_reported(ann, table):
    page = ann.get(f"{table}/audit").press("Check the game now", fingerprints="000000000000")
    assert "A check failed:" in page.text


def test_a_forged_ply_is_found_without_revealing_secrets(ann, table, shelf):
    with shelf.engine.begin() as conn:
        triggers = conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars().all()
        for name in triggers:
            conn.exec_driver_sql(f'DROP TRIGGER "{name}"')
        conn.exec_driver_sql("UPDATE ply SET link = x'00' WHERE ply = 3")
    page = ann.get(f"{table}/audit").press("Check the game now")
    assert "Ply 3 does not match." in page.text


@pytest.mark.usefixtures("one_moment")
def test_the_number_of_checks_is_limited(ann, table, shelf, settings):
    """A check decides every command again, so its limit is stricter than that of pages."""
    browser = Browser(create_app(settings.with_(trusted_proxies=1), shelf))
    form = browser.get(f"{table}/audit").form("/audit")
    assert [form.submit().status for _ in range(21)] == [200] * 20 + [429]


# ==== changes =====================================================================================
def test_a_reader_steps_by_turns(ann, table, shelf):
    log = load(shelf, table).version
    page = ann.get(f"{table}/at/{log}").follow("« Turn")
    assert page.h1.startswith("After move")
    assert page.address != f"{table}/at/{log}"
    assert page.follow("Turn").address == f"{table}/at/{log}"


def test_the_slider_works_without_scripts(ann, table, shelf):
    last = load(shelf, table).version
    form = ann.get(f"{table}/at/4").form("/at")
    assert form.submit(move="6").address == f"{table}/at/6"
    assert form.submit(move="9999").address == f"{table}/at/{last}"
    assert form.submit(move="x").status == 400


def test_the_changes_since_a_version_are_lit_and_told(ann, walked, shelf):
    table, _ = walked
    last = load(shelf, table).version
    page = ann.get(f"{table}/at/{last}?since=5")
    told = [int(it.attrs["data-ply"]) for it in page.root.all("li", **{"class": "fresh"})]
    assert told == list(range(last, 5, -1))
    assert len(lit(page)) == 1
    assert lit(ann.get(f"{table}/at/{last}")) == lit(page)
    assert lit(ann.get(f"{table}/at/{last}?since={last}")) == lit(ann.get(f"{table}/at/{last - 1}")) == []
    assert ann.get(f"{table}/at/{last}?since=x").status == 400


def test_the_table_lights_what_others_have_changed_since_my_last_move(ann, bob, guest, walked):
    table, seat = walked
    pages = {1: ann.get(table), 2: bob.get(table)}
    assert lit(pages[seat]) == []
    assert len(lit(pages[3 - seat])) == len(lit(guest.get(table))) == 1


def lit(page):
    assert page.root.all("g", **{"class": "pieces"})
    return [it.attrs for each in page.root.all("g", **{"class": "glow"}) for it in each.children]


def test_a_replay_begins_at_the_old_position_and_ends_at_the_new_one(ann, walked, shelf):
    table, seat = walked
    last = load(shelf, table).version
    start, *frames = json.loads(ann.get(f"{table}/replay?from=4&to={last}").html)["frames"]
    assert start["said"] == {}
    assert [list(each["said"]) for each in frames] == [[str(it)] for it in range(5, last + 1)]
    assert start["pieces"].keys() == frames[-1]["pieces"].keys() == {str(seat - 1)}
    assert start["pieces"] != frames[-1]["pieces"]
    assert [each["pieces"] for each in frames[:-1]] == [{}] * (last - 5)
    assert json.loads(ann.get(f"{table}/replay?from={last}").html)["frames"] == []
    assert ann.get(f"{table}/replay?from=x").status == 400


def test_a_long_replay_has_twelve_frames(ann, table, shelf, monkeypatch):
    monkeypatch.setattr(replays, "FRAMES", 3)
    frames = json.loads(ann.get(f"{table}/replay?from=0").html)["frames"]
    assert len(frames) <= 3
    assert [it for each in frames for it in each["said"]] == sorted(it for each in frames for it in each["said"])


def test_after_the_end_a_reader_sees_the_view_of_every_seat(ann, bob, guest, table, shelf):
    assert ann.get(f"{table}/at/4?seat=2").status == 404
    road.submit(shelf, game_id(table), 2, [Resign()], None, None, now())
    page = guest.get(f"{table}/at/4").follow("Bob")
    assert "Cards of Bob" in page.text
    assert "seat=2" in page.follow("Forward").address
    assert "seat=2" in page.follow("Changes since").address
    assert guest.get(f"{table}/at/4?seat=9").status == 404
    assert guest.get(f"{table}/at/4?seat=x").status == 400
