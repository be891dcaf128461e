"""*Find me a game* on the pages: the form, the list, the kept seat, and sitting down."""

import pytest

from service.games import kept
from service.wishes import gathering


def search(browser, **more):
    return browser.get("/games/find").form("/games/find").submit("Find me a game", title="toy", seats="2", **more)


def test_a_search_is_listed_and_can_be_ended(ann):
    page = search(ann, spread="5", finished="80", table_lang="de", at_once="2")
    assert "We are looking for people." in page.text
    for said in ("Lanterns", "players: 2", "rated or not", "ratings up to 5 points apart at first", "Deutsch",
                 "at least 80 % of games finished", "up to 2 games at once", "searching"):  # fmt: skip
        assert said in page.text, said
    page = page.form("/withdraw").submit("End the search")
    assert "The search has ended." in page.text
    assert "Your searches" not in page.text


def test_two_who_search_find_each_other_sit_down_and_play(ann, bob, arrive, shelf):
    cleo = arrive("Cleo")
    search(ann)
    search(bob)
    gathering.sweep(shelf, shelf.now())
    for browser in (ann, bob):
        assert "A seat is kept for you" in browser.get("/games").text
    assert "A seat is kept for you" not in cleo.get("/games").text
    page = ann.get("/games/find").follow("Sit down")
    assert "A seat is kept for you until" in page.text
    assert page.text.count("Take seat ") == 1
    assert "kept for you" in page.text
    assert "Bob" not in page.text, "nobody is named before they sit"
    assert "The seats at this table are kept for people who looked for a game." in cleo.get(page.address).text
    page = page.form("/join").submit("Take seat")
    assert "The game starts when everybody has sat down." in page.text
    assert "You have sat down." in ann.get("/games/find").text
    page = bob.get("/games").follow("Sit down").form("/join").submit("Take seat")
    assert "Ann" in page.text
    assert "Take a seat" not in page.text
    assert "To your game" in ann.get("/games/find").text
    assert ann.get(page.address).status == 200


def test_a_kept_seat_can_be_declined_at_its_table(ann, bob, shelf):
    search(ann)
    search(bob)
    gathering.sweep(shelf, shelf.now())
    table = ann.get("/games/find").follow("Sit down")
    page = table.form("/decline").submit("Decline this seat")
    assert "You have declined the seat." in page.text
    assert "This search goes on at" in page.text
    assert "A seat is kept for you" not in ann.get("/games").text
    assert "Decline this seat" not in ann.get(table.address).text
    assert "You have declined the seat." in table.form("/decline").submit("Decline this seat").text, "pressed twice"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"title": []}, "Please choose at least one game."), ({"pace": []}, "Please choose at least one pace."),
        ({"seats": []}, "Please choose a number of players"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_beside_its_field(ann, wrong, said):
    given = {"title": "toy", "seats": "2", **wrong}
    page = ann.get("/games/find").form("/games/find").submit("Find me a game", **given)
    assert page.status == 422
    assert said in page.text
    assert "The search has not begun." in page.text


def test_a_value_that_the_form_does_not_offer_is_refused(ann):
    assert search(ann, spread="4").status == 400
    assert search(ann, rated="maybe").status == 400


def test_an_ended_search_says_so(ann, bob, shelf):
    search(ann)
    search(bob)
    at = shelf.now()
    for _ in range(2):
        gathering.sweep(shelf, at)
        at += kept.OFFER
        gathering.sweep(shelf, at)
    assert "This search has ended, because you let two seats go by." in ann.get("/games/find").text
    page = ann.get("/games/find").form("/withdraw").submit("Remove")
    assert "Your searches" not in page.text


def test_strangers_are_asked_to_sign_in(guest):
    assert "Sign in" in guest.get("/games/find").text
