"""Moving by forms: once however often it is sent, never on an old position, refused with the rule."""

import json
import re

import pytest

from domain.chain import fingerprint
from domain.lifecycle import TakeBack
from service.base.clock import now
from service.games import daily
from tests import road
from tests.service.lanterns import give
from tests.service.web.pages import tables
from tests.service.web.pages.tables import game_id, load, open_table, start, to_choose
from tests.toy import Choose, Stop, Walk, Whisper


@pytest.fixture
def table(ann, bob):
    """Return the address of a game of two in which both must choose a card."""
    return start(ann, bob)


@pytest.fixture
def leading(ann, bob, table, shelf):
    """Return the same when the cards are shown: the browsers of the leader and of the other."""
    return tables.leading(ann, bob, table, shelf)


def test_the_bar_tells_in_a_sentence_why_it_is_ones_turn(ann, table):
    [why] = ann.get(table).root.all("span", **{"class": "why"})
    assert why.text.startswith("All choose at once")


def test_a_move_is_made_once_and_leads_to_the_table(ann, table, shelf):
    before = load(shelf, table).version
    form = ann.get(table).forms[0]
    page = form.submit()
    assert (page.status, page.address) == (200, table)
    for _ in range(2):
        assert form.submit().status == 200
    assert load(shelf, table).version == before + 1


def test_actions_are_forms_with_texts(ann, table):
    page = ann.get(table)
    (legend, *_others) = page.root.all("legend")
    assert legend.text == "Choose a card"
    assert [json.loads(it)["command"] for it in to_choose(page)][-1] == "Whisper"


def test_an_action_can_leave_a_number_open(leading, table, shelf):
    leader, _other = leading
    page = leader.get(table)
    form = next(it for it in page.forms if it.filled.get("field") == "steps")
    number = form.element.all("input", type="number")[0]
    assert (number.attrs["min"], number.attrs["max"], number.attrs["value"]) == ("1", "3", "1")
    (label,) = form.element.all("label", **{"for": number.attrs["id"]})
    assert label.text.startswith("Steps")
    form.submit(value="2")
    assert load(shelf, table).state.steps == 1


def test_a_refusal_names_its_rule_and_keeps_the_choice(leading, table, shelf):
    leader, _other = leading
    before = load(shelf, table).version
    form = next(it for it in leader.get(table).forms if it.filled.get("field") == "steps")
    page = form.submit(value="9")
    assert page.status == 422
    assert "3 steps are left." in page.text
    [refusal] = page.root.all("div", **{"class": "refusal"})
    (rule,) = refusal.all("a", **{"class": "rule"})
    assert (rule.text, rule.attrs["href"]) == ("TOY 3", f"/rules/toy?game={game_id(table)}#TOY-3")
    kept = next(it for it in page.forms if it.filled.get("field") == "steps")
    assert kept.filled["value"] == "9"
    assert load(shelf, table).version == before


def test_a_stale_move_shows_the_plies_since_and_the_refused_choice(leading, table, shelf):
    leader, _other = leading
    form = next(it for it in leader.get(table).forms if it.filled.get("field") == "steps")
    seat = load(shelf, table).state.leader
    road.submit(shelf, game_id(table), seat, [Walk(1)], None, None, now())
    page = form.submit(value="1")
    assert page.status == 409
    assert "your move was not made" in page.text
    assert "walks 1" in page.text
    assert "You chose: Walk." in page.text
    again = next(it for it in page.forms if it.filled.get("field") == "steps")
    assert again.submit(value="1").status == 200
    assert load(shelf, table).state.steps == 1


def test_a_quiet_ply_of_another_seat_makes_no_move_stale(ann, bob, table):
    form = ann.get(table).forms[0]
    bob.get(table).forms[0].submit()
    assert form.submit().status == 200


def test_an_unseen_answer_can_be_changed(ann, table, shelf):
    ann.get(table).forms[0].submit()
    page = ann.get(table)
    assert "Other actions" in page.text
    assert page.forms[0].submit().status == 200


@pytest.mark.parametrize(
    "command",
    [
        "",
        "x",
        "{}",
        "[]",
        "null",
        '{"command":"Choose"}',
        '{"command":"Choose","card":"1"}',
        "[" * 5000,
        '{"command":"Choose","card":1,"more":1}',
        '{"command":"Resign"}',
        '{"command":"TakeSeat","seat":2}',
        '{"command":"Choose","card":1e400}',
        '{"command":"Choose","card":%s}' % ("9" * 5000),
        '{"command":"Choose","card":true}',
        '{"command":"Nothing"}',
        '{"command":["Choose"]}',
    ],
)
def test_a_malformed_command_shows_the_table_again(ann, table, shelf, command):
    before = load(shelf, table).version
    form = ann.get(table).forms[0]
    page = ann.post(form.address, {**form.filled, "command": command})
    assert (page.status, page.h1) == (400, ann.get(table).h1)
    assert "Please choose an action." in page.text
    assert load(shelf, table).version == before


@pytest.mark.parametrize("version", ["", "x", "-1", "1.5", "9" * 30, "²"])
def test_a_version_must_be_a_number(ann, table, version):
    form = ann.get(table).forms[0]
    assert ann.post(form.address, {**form.filled, "version": version}).status == 400


@pytest.mark.parametrize("value", ["", "x", "1e3", "9" * 4000, "-5", "1.5"])
def test_an_open_number_must_be_a_number(leading, table, value):
    leader, _other = leading
    form = next(it for it in leader.get(table).forms if it.filled.get("field") == "steps")
    assert leader.post(form.address, {**form.filled, "value": value}).status in (400, 422)


def test_spectators_and_guests_cannot_move(ann, guest, arrive, table):
    form = ann.get(table).forms[0]
    dora = arrive("Dora")
    token = dora.get("/").form("/play").filled["csrf"]
    assert dora.post(form.address, {**form.filled, "csrf": token}).status == 403
    token = guest.get("/").form("/play").filled["csrf"]
    assert guest.post(form.address, {**form.filled, "csrf": token}).h1 == "Sign in"
    assert to_choose(guest.get(table)) == to_choose(dora.get(table)) == []


def test_a_move_out_of_turn_is_refused(leading, table):
    leader, other = leading
    form = next(it for it in leader.get(table).forms if "command" in it.filled)
    mine = other.get(table).tab("about").form("/resign").filled
    page = other.post(form.address, {**mine, "command": '{"command":"Stop"}'})
    assert page.status == 422
    assert "TOY 3" in page.text


def test_a_player_takes_a_move_back(leading, table, shelf):
    leader, _other = leading
    next(it for it in leader.get(table).forms if it.filled.get("field") == "steps").submit(value="2")
    page = leader.get(table)
    back = page.form("/take-back").submit()
    assert "Move taken back." in back.text
    assert load(shelf, table).state.steps == 3
    assert back.root.all("li", **{"class": "withdrawn"}), "it stays in the story"
    assert not back.has_form("/take-back")


def walk_and_take_back(shelf, table, times):
    """Let the leading seat walk and undo, so often. Return the seat."""
    address = game_id(table)
    seat = load(shelf, table).state.leader
    for _ in range(times):
        give(shelf, address, seat, Walk(1), at=now())
        give(shelf, address, seat, TakeBack(load(shelf, table).version), at=now())
    return seat


def test_the_page_warns_when_few_takebacks_are_left(leading, table, shelf):
    leader, _other = leading
    walk = next(it for it in leader.get(table).forms if it.filled.get("field") == "steps")
    assert "Take-backs left" not in walk.submit(value="1").text
    seat = walk_and_take_back(shelf, table, 17)
    assert "Take-backs left until one of your moves becomes final: 3." in leader.get(table).text
    walk_and_take_back(shelf, table, 3)
    give(shelf, game_id(table), seat, Walk(1), at=now())
    page = leader.get(table)
    assert not page.has_form("/take-back")
    assert (
        "Not possible now: You have taken back 20 times. You can do so again once one of your moves"
        in page.tab("about").text
    )
    filled = page.tab("about").form("/resign").filled
    refused = leader.post(f"{table}/take-back", {**filled, "down_to": str(load(shelf, table).version)})
    assert (refused.status, "ST 7" in refused.text) == (422, True)


def test_a_final_move_cannot_be_taken_back_and_the_rule_is_named(leading, table):
    leader, _other = leading
    filled = leader.get(table).tab("about").form("/resign").filled
    page = leader.post(f"{table}/take-back", {**filled, "down_to": "2"})
    assert page.status == 422
    assert "ST 7" in page.text


def test_too_many_moves_a_day_are_refused(leading, table, shelf, monkeypatch):
    monkeypatch.setattr(daily, "MOST", 1)
    leader, _other = leading
    before = load(shelf, table).version
    page = leader.get(table).form("/move").submit(command=to_choose(leader.get(table))[0])
    assert page.status == 422
    assert re.search(r"You can go on in ([1-9]|1\d|2[0-4]) h\.", page.text)
    assert "ST 8" in page.text
    assert load(shelf, table).version == before


def test_a_player_resigns(ann, bob, table):
    page = ann.get(table).tab("about").form("/resign").submit()
    assert "You have left the game." in page.text
    assert "The game is over: Bob has won." in page.text
    assert "The game is over: Bob has won." in bob.get(table).text


def test_resigning_twice_counts_once(ann, table):
    form = ann.get(table).tab("about").form("/resign")
    form.submit()
    assert form.submit().status == 200


def test_the_fingerprint_stands_on_the_page(ann, table, shelf):
    with shelf.read() as conn:
        assert fingerprint(shelf.load(conn, game_id(table)).head) in ann.get(table).tab("about").text


def test_the_result_is_shown_by_category(ann, bob, table, shelf):
    for _ in range(100):
        game = load(shelf, table)
        if not game.asked:
            break
        seat = game.asked[0]
        command = Stop() if game.state.leader == seat else Choose(game.state.hands[seat][0])
        road.submit(shelf, game.id, seat, [command], None, None, now())
    page = ann.get(table)
    assert "The game is over" in page.text
    (result,) = page.root.all("table")
    assert {"1 Ann", "2 Bob"} <= {it.text for it in result.all("th")}
    assert "Steps" in result.text
    assert not to_choose(page)
    assert not page.tab("about").has_form("/resign")


def test_names_are_escaped_wherever_they_stand(arrive, guest):
    nasty = '"><script>alert(1)</script>'
    eve, bob = arrive(nasty), arrive("Bob")
    address = start(eve, bob, name=f"{nasty}!")
    for page in (
        address,
        f"{address}/log",
        f"{address}/audit",
        f"{address}/at/3",
        "/games",
        "/",
    ):
        for browser in (eve, bob, guest):
            assert "<script>alert" not in browser.get(page).html, page


def test_the_pages_of_a_private_game_are_not_found_for_a_stranger(ann, guest):
    address = open_table(ann, public="no")
    assert guest.get(f"{address}/log").status == guest.get(f"{address}/audit").status == 404
    assert guest.get(f"{address}/at/1").status == guest.get(f"{address}/version").status == 404


# ==== refreshing ==================================================================================
def test_the_script_learns_of_a_new_version(ann, bob, leading, table):
    leader, other = leading
    page = other.get(table)
    (note,) = [it for it in page.root.all("p") if "data-watch" in it.attrs]
    address, etag = note.attrs["data-watch"], note.attrs["data-etag"]
    assert other.get(address, headers={"If-None-Match": etag}).status == 304
    leader.get(table).press("Stop.")
    fresh = other.get(address, headers={"If-None-Match": etag})
    assert (fresh.status, fresh.response.headers["ETag"] != etag) == (200, True)


def test_a_hidden_move_changes_nothing_on_the_pages_of_others(ann, bob, table, shelf):
    before = bob.get(f"{table}/version").response.headers["ETag"]
    road.submit(shelf, game_id(table), 1, [Whisper(7)], None, None, now())
    assert bob.get(f"{table}/version").response.headers["ETag"] == before
    assert "whisper" not in bob.get(f"{table}/log").text
    assert "Ann whispers 7." in ann.get(f"{table}/log").text
