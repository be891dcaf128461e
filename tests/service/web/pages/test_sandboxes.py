"""Trying out a position on the pages: from the table, from a past position, by hand, with bots, as a note."""

import pytest
from sqlalchemy import update

from service.games import sandboxes
from tests import road
from tests.service.web.pages.tables import load, open_table, start, steps, to_choose

BUTTON = "Open a sandbox here"


@pytest.fixture
def table(ann, bob):
    """Return a game in which Ann and Bob choose their first card."""
    return start(ann, bob)


@pytest.fixture
def sandbox(ann, table):
    """Return the page of Ann's sandbox of the present table."""
    return ann.get(table).tab("sandbox").press(BUTTON)


def choose(page):
    """Make the first move on the page."""
    return page.form("/move").submit(command=to_choose(page)[0])


def test_playing_a_sandbox_leaves_its_game_alone(ann, bob, table, shelf):
    before, bobs = load(shelf, table), bob.get(table).text
    page = ann.get(table).tab("sandbox").press(BUTTON)
    assert page.address.startswith("/sandboxes/")
    assert "This is your sandbox, not a real game." in page.text
    assert "hidden cards were filled in at random" in page.text
    assert "To move: Ann and Bob." in page.text
    assert "Your cards" in page.text
    page = choose(page)
    assert "To move: Bob." in page.text
    assert "Cards of Bob" in page.text  # the view is that of the seat to move
    assert "Cards of Ann" in page.follow("switch to this view").text
    page = choose(page)
    assert "The cards are" in page.text
    assert load(shelf, table) == before
    assert bob.get(table).text == bobs
    assert bob.get(page.address).status == 404


def test_a_person_steps_back_and_forward(sandbox):
    page = choose(choose(sandbox))
    said = page.text
    page = page.press("← Back")
    assert "1 / 2" in page.text
    page = page.press("Forward")
    assert page.text == said
    page = page.press("First")
    assert "0 / 2" in page.text
    assert page.press("2").text == said


def test_stepping_back_undoes_the_last_move_by_hand(sandbox):
    assert "Last played by hand" not in sandbox.text
    before = choose(choose(sandbox))  # Ann, and Bob; one of them goes on
    page = choose(choose(before))
    assert len(steps(page)) >= 2
    back = page.press("Undo step")
    assert (stands(back), steps(back)) == (3, steps(page)[:-1])
    again = back.press("Forward")
    assert (stands(again), steps(again)) == (4, steps(page))
    assert stands(again.press("Start over")) == 4 - len(steps(page))


def test_stepping_back_also_undoes_the_answers_of_bots(sandbox):
    page = sandbox.tab("players").form("/bots").submit("Apply", **{"bot-2": "sensible"})
    assert "Last played by hand" not in page.text  # a bot was
    page = choose(page)
    while "by a bot" not in page.tab("story").root.all("ol", **{"class": "log"})[0].all("li")[0].text:
        page = choose(page)
    assert steps(page)
    assert stands(page.press("Undo step")) < stands(page) - 1


def stands(page):
    """Return the ply of the sandbox's position."""
    return int(page.text.partition(" / ")[0].split()[-1])


def test_bots_answer_and_finish_the_game(sandbox):
    page = sandbox.tab("players").form("/bots").submit("Apply", **{"bot-2": "sensible"})
    assert "To move: Ann." in page.text  # Bob's bot has chosen
    assert "by a bot" in page.text
    page = choose(page)
    assert "To move: Ann." in page.text
    page = page.tab("players").form("/play-on").submit(everybody="random")
    assert "The game is over: " in page.text
    assert "Result by category" in page.text
    assert not page.tab("players").has_form("/play-on")
    page = page.tab("story")
    assert "5 / " in page.press("Go", to="5").text
    assert page.press("Go", to="999").status == 409  # sent from an old page


def test_bots_pause_after_many_moves(ann, bob, monkeypatch):
    monkeypatch.setattr(sandboxes, "BOTS_AT_ONCE", 3)
    page = ann.get(start(ann, bob, length="long")).tab("sandbox").press(BUTTON)
    page = page.tab("players").form("/play-on").submit(everybody="sensible").tab("players")
    assert "The bots have paused after many moves." in page.text
    bots = {"bot-1": "random", "bot-2": "random"}
    assert "pause" in page.form("/bots").submit(**bots).text
    assert page.form("/bots").submit(**bots).status == 409  # sent from an old page


def test_a_refused_move_names_its_rule_and_keeps_the_choice(sandbox):
    page = choose(choose(sandbox))
    form = next(it for it in page.forms if "field" in it.filled)
    page = form.submit(value="9")
    assert page.status == 422
    assert "TOY 3" in page.text
    assert "steps are left" in page.text
    assert any(it.filled.get("value") == "9" for it in page.forms)
    assert page.form("/move").submit(command="nonsense").status == 400


def test_a_button_pressed_twice_does_it_once(ann, table):
    page = ann.get(table).tab("sandbox")
    first, second = page.press(BUTTON), page.press(BUTTON)
    assert first.address == second.address
    third = ann.get(table).tab("sandbox").press(BUTTON)
    assert third.address != first.address
    assert choose(first).status == 200
    again = choose(first)
    assert again.status == 409
    assert "has changed since you loaded this page" in again.text
    assert "1 / 1" in again.text


def test_a_person_names_a_sandbox_and_deletes_it(ann, table, sandbox):
    page = sandbox.tab("note").form("/note").submit(name=" What  if ", note="One\nTwo <b>")
    assert "Saved." in page.text
    assert page.h1 == "What if"
    assert page.tab("note").form("/note").filled["note"] == "One\nTwo <b>"
    for shown in (
        ann.get(table).tab("sandbox"),
        ann.get(f"{table}/at/4").tab("sandbox"),
        ann.get("/account"),
        ann.get("/sandboxes"),
    ):
        assert shown.follow("What if").address == sandbox.address
    for wrong in ({"name": "", "note": ""}, {"name": "x" * 81, "note": ""}, {"name": "x", "note": "x" * 2001}):
        assert page.tab("note").form("/note").submit(**wrong).status == 422
    gone = page.tab("note").press("Yes, delete it")
    assert "Sandbox deleted." in gone.text
    assert "You have no sandboxes yet." in gone.text
    assert ann.get(page.address).status == 404


def test_a_past_position_is_tried_from_the_view_of_that_time(ann, table):
    ann.get(table).forms[0].submit()
    page = ann.get(f"{table}/at/4").tab("sandbox").press(BUTTON)
    assert "To move: Ann and Bob." in page.text
    assert page.follow("after move 4 of the game").address == f"{table}/at/4"
    assert not ann.get(f"{table}/at/3").has_button(BUTTON)  # nothing lies on the table yet
    form = ann.get(table).tab("sandbox").form("/sandboxes")
    for version, status in (("3", 404), ("99", 404), ("x", 400), ("", 400)):
        assert form.submit(version=version).status == status


def test_a_finished_game_is_tried_from_positions_as_they_were(ann, table, sandbox, shelf):
    from service.base.clock import now
    from tests.toy import TITLE

    while (game := load(shelf, table)).asked:
        road.submit(shelf, game.id, game.asked[0], [TITLE.rules.safe(game.state, game.asked[0])], None, None, now())
    page = ann.get(f"{table}/at/4").tab("sandbox").press(BUTTON)
    assert "The sandbox starts from the exact position after move 4 of the game" in page.text
    assert not ann.get(table).tab("sandbox").has_button(BUTTON)
    assert ann.get(sandbox.address).status == 200


def test_spectators_try_their_own_view_and_guests_sign_in_first(ann, bob, guest, arrive, table):
    page = arrive("Cleo").get(table).tab("sandbox").press(BUTTON)
    assert "The sandbox starts from the spectators' view" in page.text
    assert not guest.get(table).tab("sandbox").has_button(BUTTON)
    assert guest.get(table).tab("sandbox").follow("Sign in to open a sandbox").address.startswith("/sign-in?next=")
    assert guest.get(page.address).address.startswith("/sign-in")
    hidden = open_table(ann, public="no")
    assert arrive("Dora").post(f"{hidden}/sandboxes", ann_form(ann, table)).status in (403, 404)


def ann_form(ann, table):
    return ann.get(table).tab("sandbox").form("/sandboxes").filled


def test_the_number_of_sandboxes_is_limited(ann, table, sandbox, monkeypatch):
    monkeypatch.setattr(sandboxes, "SANDBOXES_EACH", 1)
    page = ann.get(table).tab("sandbox").press(BUTTON)
    assert page.status == 422
    assert "You already have 1 sandboxes. Delete one first." in page.text


def test_an_unreadable_sandbox_is_reported(ann, table, sandbox, shelf):
    with shelf.write() as conn:
        conn.execute(update(sandboxes.SANDBOXES).values(start=b"{}", note="Remember"))
    page = ann.get(sandbox.address)
    assert page.status == 409
    assert "can no longer be opened" in page.text
    assert "Remember" in page.text
    assert page.follow("Start a new sandbox").address == f"{table}/at/4"
    assert choose(sandbox).status == 409
    assert "Sandbox deleted." in page.press("Delete this sandbox").text


def test_newer_rules_are_mentioned_and_count_from_there(ann, sandbox, shelf):
    with shelf.write() as conn:
        conn.execute(update(sandboxes.SANDBOXES).values(rules=0))
    page = ann.get(sandbox.address)
    assert "The rules have been updated since" in page.text
    assert choose(page).status == 200


def test_a_sandbox_speaks_german_and_shows_its_large_board(arrive, table):
    page = arrive("Zoe", lang="de").get(table).tab("sandbox").press("Probepartie ab hier beginnen")
    assert "verdeckte Karten wurden zufällig verteilt" in page.text
    assert "Probepartie" in page.text
    large = page.tab("about").follow("Größerer Spielplan")
    assert large.h1 == "Der Spielplan"
    assert large.follow("Ann's game").h1 == page.h1


def test_a_sandbox_with_a_board_has_a_text_box(ann, sandbox):
    form = sandbox.form("/orders#typed")
    refused = form.submit("Check the orders", lines="no such order")
    assert refused.status == 422
    assert "no such order" in refused.text
