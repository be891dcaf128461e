"""The table in words: its order, its forms, and the way back to it after each of them."""

import random

import pytest

from domain.lifecycle import AgreeToRewind
from service.base.clock import now
from tests import road
from tests.service.web.pages import tables
from tests.service.web.pages.in_words import headings, options, press, section, status
from tests.service.web.pages.tables import confirming, game_id, load, start
from tests.toy import Walk


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


@pytest.fixture
def leading(ann, bob, table, shelf):
    """Return the browser of the leader, who may walk."""
    return tables.leading(ann, bob, table, shelf)[0]


def test_its_parts_come_in_the_order_of_a_readers_questions(ann, table):
    page = ann.get(f"{table}/text")
    assert headings(page)[:6] == [
        "Since your last turn",
        "The turn",
        "The position",
        "Your hand",
        "Your options",
        "Type your move",
    ]
    assert not page.root.all("main")[0].all("svg")


def test_its_tables_name_their_rows_and_columns(ann, table):
    page = ann.get(f"{table}/text")
    for each in page.root.all("table"):
        head, *rows = each.all("tr")
        assert all(it.attrs["scope"] == "col" for it in head.all("th"))
        assert not head.all("td")
        for row in rows:
            assert [it.attrs["scope"] for it in row.all("th")] == ["row"]
            assert len(row.all("th") + row.all("td")) == len(head.all("th"))
    assert page.root.all("table")


def test_the_first_link_of_a_table_leads_there(ann, table):
    page = ann.get(table)
    first = page.root.all("a")[0]
    assert (first.text, first.attrs["href"]) == ("The table in words", f"{table}/text")
    assert ann.get(f"{table}/text").follow("Show the board").address == f"{table}?as=board"


def test_a_move_stays_in_words_and_tells_what_it_did(ann, table, shelf):
    page = ann.get(f"{table}/text")
    page = press(page, options(page)[0], random.Random(1))
    assert page.address.startswith(f"{table}/text?")
    assert status(page).startswith("Ann ")
    assert "in_words" not in ann.get(table).html


def test_a_number_is_a_small_form(leading, table, shelf):
    page = leading.get(f"{table}/text")
    walk = next(it for it in options(page) if it.text == "Walk …")
    before = load(shelf, table).version
    page = press(page, walk, random.Random(1))
    assert load(shelf, table).version == before + 1
    assert isinstance(last_command(shelf, table), Walk)
    assert "walk" in status(page)


def last_command(shelf, address):
    game = load(shelf, address)
    with shelf.read() as conn:
        ((_, ply),) = shelf.plies(conn, game.id, game.title, game.version - 1, game.version)
    return ply.command


def test_a_turn_is_tried_and_confirmed_in_words(ann, table, shelf):
    page = confirming(ann, "turn").get(f"{table}/text")
    before = load(shelf, table).version
    page = press(page, options(page)[0], random.Random(1))
    assert page.address.startswith(f"{table}/text?v=")
    assert "Preview" in section(page, "Your options").text
    assert load(shelf, table).version == before
    undone = page.follow("Undo step")
    assert undone.address == f"{table}/text"
    page = page.press("Confirm")
    assert load(shelf, table).version == before + 1
    assert page.address.startswith(f"{table}/text?did=")
    assert status(page)


def test_a_move_is_taken_back_in_words(leading, table, shelf):
    page = leading.get(f"{table}/text")
    walk = next(it for it in options(page) if it.text == "Walk …")
    page = press(page, walk, random.Random(1)).press("Take back")
    assert page.address.startswith(f"{table}/text?")
    assert status(page) == "Move taken back."


def test_a_refusal_names_its_rule_and_a_way_out(leading, table):
    page = leading.get(f"{table}/text")
    form = page.form("/move")
    page = leading.post(form.address, {**form.filled, "command": '{"command":"Walk","steps":99}'})
    assert page.status == 422
    assert headings(page)[0] == "Since your last turn"
    (alert,) = page.root.all("div", role="alert")
    assert "See rule" in alert.text
    assert alert.all("a")[-1].attrs["href"] == "#can"
    assert page.root.all("h2", id="can")


def test_a_stale_move_tells_what_happened_and_stays(leading, table, shelf):
    page = leading.get(f"{table}/text")
    game = load(shelf, table)
    road.submit(shelf, game.id, game.state.leader, [Walk(1)], None, None, now())
    walk = next(it for it in options(page) if it.text == "Walk …")
    page = press(page, walk, random.Random(1))
    assert page.status == 409
    assert "your move was not made" in page.text
    assert section(page, "Your options")


def test_typed_lines_are_checked_and_played_in_words(leading, table, shelf):
    page = leading.get(f"{table}/text")
    wrong = page.form("/orders#typed").submit("Check the orders", lines="fly 3")
    assert wrong.status == 422
    assert "fly 3" in section(wrong, "Type your move").text
    page = wrong.form("/orders#typed").submit("Make this move", lines="walk 1")
    assert page.address.startswith(f"{table}/text?did=")
    assert isinstance(last_command(shelf, table), Walk)


@pytest.mark.parametrize("word", ["look", "Position?", "status"])
def test_look_typed_on_a_table_leads_to_its_words(leading, table, word):
    page = leading.get(table).form("/orders#typed").submit("Check the orders", lines=word)
    assert page.address.startswith(f"{table}/text")


def test_a_tried_turn_is_kept_on_the_way_to_the_words(ann, table):
    page = confirming(ann, "turn").get(table)
    tried = page.form("/try").submit()
    page = (
        tried.form("/orders#typed").submit("Check the orders", lines="look")
        if tried.has_form("/orders#typed")
        else tried
    )
    assert "Confirm" in page.html


def test_a_past_position_is_told_and_a_rewind_proposed_and_refused_in_words(ann, bob, leading, table, shelf):
    other = bob if leading is ann else ann
    before = load(shelf, table).version
    road.submit(shelf, game_id(table), load(shelf, table).state.leader, [Walk(1)], None, None, now())
    page = leading.get(f"{table}/text").follow("Step through the game").follow("Previous move")
    assert page.address == f"{table}/text/at/{before}"
    assert "The position" in headings(page)
    page = page.press("Propose to rewind to here")
    assert page.address.startswith(f"{table}/text?")
    assert status(page) == "Your proposal is on its way to the others."
    page = other.get(f"{table}/text")
    assert f"proposes a rewind to move {before}" in section(page, "The turn").text
    refused = page.press("Refuse")
    assert status(refused) == "The game stays as it is."
    page = leading.get(f"{table}/text/at/{before}").press("Propose to rewind to here")
    page = other.get(f"{table}/text").press("Agree to rewind")
    assert status(page) == "You have agreed to rewind."
    assert isinstance(last_command(shelf, table), AgreeToRewind)


def test_a_number_leads_to_a_past_position(ann, leading, table):
    page = ann.get(f"{table}/text/at?to=3")
    assert page.address == f"{table}/text/at/3"
    assert ann.get(f"{table}/text/at?to=9999").status == 200
    assert ann.get(f"{table}/text/at?to=x").status == 400
    assert ann.get(f"{table}/text/at/9999").status == 404


def test_a_player_resigns_in_words(ann, table):
    page = ann.get(f"{table}/text").press("Yes, I resign")
    assert page.address.startswith(f"{table}/text?")
    assert status(page) == "You have left the game."


def test_a_spectator_reads_and_cannot_move(guest, table):
    page = guest.get(f"{table}/text")
    assert page.status == 200
    assert not {"Your hand", "Your options", "Type your move"} & {*headings(page)}


def test_a_sandbox_is_played_in_words(ann, table, shelf):
    before = load(shelf, table)
    page = ann.get(f"{table}/text").press("Open a sandbox here")
    assert page.address.startswith("/sandboxes/")
    assert "/text" in page.address
    page = press(page, options(page, "Move for Ann")[0], random.Random(1))
    assert status(page)
    page = page.form("/orders#typed").submit("Check the orders", lines="fly")
    assert page.status == 422
    example = page.root.all("p", id="typed-how")[0].text.partition("“")[2].partition("”")[0]
    page = page.form("/orders#typed").submit("Make this move", lines=example)
    assert page.status == 200
    assert "/text" in page.address
    page = page.press("Undo step")
    assert "/text" in page.address
    assert status(page) == "The sandbox is back at move 1."
    page = page.press("Apply")
    assert status(page) == "Saved."
    stale = page.form("/orders#typed").submit("Make this move", lines=example, revision="1")
    assert stale.status == 409
    assert "/text" in page.press("Save", note="Try the other way.").address
    assert load(shelf, table) == before


def test_a_preference_opens_games_in_words(ann, table, mailed_link):
    assert ann.get(table).address == table
    ann.get("/account").form("/account/confirm").submit(open_as="text")
    assert ann.get(table).address == f"{table}/text"
    board = ann.get(f"{table}/text").follow("Show the board")
    assert board.root.all("svg")
    assert board.forms[0].submit().root.all("svg")  # a move on the board stays there
    page = ann.get("/account").form("/account/confirm").submit(open_as="painting")
    assert page.status == 400
