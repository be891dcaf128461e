"""Ends that lead on: rematches, the next game that waits, what each game asks, and the people of a game."""

import pytest

from domain.pace import DAY, Pace
from service.database.work import Work
from service.games import queries
from service.people.accounts import PERSONS
from tests.service.lanterns import give, play_on
from tests.toy import Choose
from tests.workers.post import outbox, table


def number(browser) -> int:
    return browser.client.get("/api/v1/me").json["id"]


@pytest.fixture
def two(ann, bob):
    return number(ann), number(bob)


@pytest.fixture
def over(shelf, two):
    game_id = table(shelf, *two, name="Monday trains")
    play_on(shelf, game_id)
    return game_id


# ==== rematches ===================================================================================
@pytest.mark.parametrize("way", ["", "/text"])
def test_a_finished_game_has_a_button_that_opens_one_table(ann, bob, guest, over, shelf, way):
    page = ann.get(f"/games/{over}{way}").press("Rematch")
    assert "Monday trains (2)" in page.text
    assert "This is a rematch: all players move on by one seat. It begins as soon as all seats are taken." in page.text
    assert "Waiting for players: 1 of 2 seats is free." in page.text
    assert "To the rematch" in ann.get(f"/games/{over}{way}").text
    assert "Monday trains (2)" in guest.get(f"/games/{over}{way}").follow("To the rematch").text
    page = bob.get(f"/games/{over}{way}").follow("Join the rematch")
    assert "Take seat 1" in page.text
    page = page.press("Take seat 1")
    assert "You have a seat." in page.text
    assert "Choose a card" in ann.get(f"/games/{over}{way}").follow("To the rematch").text, "it starts by itself"
    [letter] = outbox(shelf, "invitation")
    assert letter.payload["again"] == over


def test_a_stranger_is_offered_no_seat_at_a_public_rematch(ann, arrive, over):
    cleo = arrive("Cleo")
    ann.get(f"/games/{over}").press("Rematch")
    page = cleo.get(f"/games/{over}").follow("To the rematch")
    assert "Only people with the invitation can take a seat" in page.text
    assert not [it for it in page.root.all("button") if it.text == "Take a seat"]
    assert "Monday trains (2)" not in cleo.get("/games").text


def test_programs_ask_for_a_rematch(ann, bob, over):
    first = ann.client.post(f"/api/v1/games/{over}/rematch", json={})
    assert first.status_code == 201
    assert first.json["seat"] == 2
    again = bob.client.post(f"/api/v1/games/{over}/rematch", json={})
    assert (again.json["id"], again.json["seat"]) == (first.json["id"], 1)


def test_a_running_game_has_no_rematch(ann, two, shelf):
    game_id = table(shelf, *two)
    assert "Rematch" not in ann.get(f"/games/{game_id}").text
    answer = ann.client.post(f"/api/v1/games/{game_id}/rematch", json={})
    assert (answer.status_code, answer.json["rule"]) == (409, "ST 1")


# ==== the next game ===============================================================================
def waiting_elsewhere(shelf, two, name, **more):
    """Return a game in which both are asked."""
    return table(shelf, *two, name=name, **more)


@pytest.mark.parametrize("way", ["", "/text"])
def test_after_a_move_the_page_links_to_the_most_urgent_other_game(ann, shelf, two, way):
    here = table(shelf, *two, name="Here")
    waiting_elsewhere(shelf, two, "No hurry")
    waiting_elsewhere(shelf, two, "Slow", pace=Pace(3 * DAY))
    urgent = waiting_elsewhere(shelf, two, "Urgent", pace=Pace(DAY))
    assert "Next game" not in ann.get(f"/games/{here}{way}").text, "it is her turn here"
    hand = Work(shelf).game(here).game.state.hands[1]
    give(shelf, here, 1, Choose(min(hand)))
    assert ann.get(f"/games/{here}{way}").follow("Next game : Urgent").address.endswith(f"/games/{urgent}")


def test_the_link_can_be_switched_off(ann, shelf, two, over):
    waiting_elsewhere(shelf, two, "Elsewhere")
    assert "Next game : Elsewhere" in ann.get(f"/games/{over}").text
    form = ann.get("/account").form("/account/confirm")
    form.submit(next_game=None)
    assert "Next game" not in ann.get(f"/games/{over}").text
    assert ann.client.patch("/api/v1/me", json={"next_game": True}).json["next_game"] is True
    assert "Next game : Elsewhere" in ann.get(f"/games/{over}").text


def test_spectators_and_strangers_get_no_such_link(guest, arrive, shelf, two, over):
    waiting_elsewhere(shelf, two, "Elsewhere")
    for browser in (guest, arrive("Cleo")):
        assert "Next game" not in browser.get(f"/games/{over}").text


# ==== my games ====================================================================================
def test_lists_say_what_each_game_asks_in_both_languages(ann, bob, shelf, two):
    waiting_elsewhere(shelf, two, "Elsewhere")
    for address in ("/", "/games"):
        assert "Choose a card" in ann.get(address).text
    ann.client.set_cookie("lang", "de")
    assert "Wähle eine Karte" in ann.get("/games").text


def test_lists_say_nothing_of_games_that_wait_for_others(ann, shelf, two):
    game_id = waiting_elsewhere(shelf, two, "Elsewhere")
    with shelf.read() as conn:
        listed, _more = queries.games(conn, two[0], "mine")
        assert queries.asks(shelf, conn, two[0], listed, "en") == {game_id: "Choose a card"}
        watched, _more = queries.games(conn, None, "watchable")
        assert queries.asks(shelf, conn, two[0], watched, "en") == {}


def test_people_in_lists_and_at_tables_lead_to_their_profiles(ann, guest, shelf, two, over):
    running = waiting_elsewhere(shelf, two, "Elsewhere")
    with shelf.read() as conn:
        profiles = {it.id: it.profile for it in conn.execute(PERSONS.select())}
    for address in ("/games", f"/games/{running}", f"/games/{running}/text", f"/games/{over}"):
        for who in two:
            assert f"/people/{profiles[who]}" in guest.get(address).html, address
