"""A turn is tried before it counts: collected, stepped back, started over, reloaded, and confirmed as one."""

import json

import pytest

from service.base.clock import now
from service.web.pages.parts import forms
from tests import road
from tests.service.web.pages.tables import add, confirming, game_id, leading, load, made, start, steps, to_choose
from tests.toy import Pick, Stop, Walk, Whisper

TRIED = "Preview"


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


@pytest.fixture
def leader(ann, bob, table, shelf):
    """Return the leader of the round, who tries turns."""
    return confirming(leading(ann, bob, table, shelf)[0], "turn")


# ==== collected and confirmed =====================================================================
def test_a_turn_is_collected_and_played_only_after_confirmation(leader, table, shelf):
    before = load(shelf, table)
    page = leader.get(table)
    assert TRIED not in page.text
    assert "Nothing counts until you confirm." in page.text
    page = add(page, Walk(2))
    assert (page.status, steps(page)) == (200, ["Walk 2"])
    assert "walks 2." in page.text
    page = add(page, Stop())
    assert steps(page) == ["Walk 2", "Stop."]
    assert "The board after this move" in page.text
    walked = before.state.walked[before.state.leader] + 2
    assert f"Afterwards {leader.name}: {walked} steps." in page.text
    assert load(shelf, table).version == before.version
    done = page.press("Confirm all 2 steps")
    assert (done.status, done.address) == (200, table)
    assert TRIED not in done.text
    after = load(shelf, table)
    assert after.version == before.version + 2
    assert after.state.walked[before.state.leader] == before.state.walked[before.state.leader] + 2


def test_pressing_the_button_again_confirms_the_turn_once(leader, table, shelf):
    page = add(add(leader.get(table), Walk(1)), Walk(1))
    form = page.form("/move")
    for _ in range(3):
        assert form.submit().status == 200
    assert load(shelf, table).state.steps == 1


def test_loading_again_and_another_device_show_the_same(leader, table):
    page = add(leader.get(table), Walk(2))
    assert leader.get(page.address).bytes == page.bytes
    assert leader.get(page.address.partition("#")[0]).bytes == page.bytes


def test_a_player_removes_the_last_step_or_starts_over(leader, table):
    one = add(leader.get(table), Walk(1))
    assert "Start over" not in one.text
    two = add(one, Walk(2))
    assert two.follow("Undo step").bytes == one.bytes
    assert TRIED not in two.follow("Start over").text
    assert TRIED not in one.follow("Undo step").text


def test_the_offered_actions_are_those_of_the_tried_position(leader, table):
    page = add(leader.get(table), Walk(3))
    assert {json.loads(it)["command"] for it in to_choose(page)} == {"Stop", "Pick", "Whisper"}
    page = add(page, Stop())
    assert not page.has_form("/resign"), "what is dangerous stands elsewhere"


def test_links_of_the_page_keep_the_collected_turn(leader, table):
    page = add(leader.get(table), Walk(1))
    other = next(it for it in page.links if "board=" in it)
    assert steps(leader.get(other)) == ["Walk 1"]


# ==== the last step ===============================================================================
def test_a_step_that_asks_chance_ends_the_turn(leader, table, shelf):
    page = add(add(leader.get(table), Walk(1)), Pick())
    assert steps(page) == ["Walk 1", "Draw a card and stop."]
    assert "This step draws or reveals something" in page.text
    assert "This cannot be taken back." in page.text
    assert to_choose(page) == []
    assert not page.has_form("/try")
    assert "Add a step" not in page.text
    hand = load(shelf, table).state.hands
    made(page)
    assert load(shelf, table).state.hands != hand


def test_handwritten_steps_after_a_draw_are_left_out(leader, table):
    page = add(leader.get(table), Pick())
    more = leader.get(page.address.partition("#")[0] + "&try=" + json.dumps({"command": "Whisper", "number": 3}))
    assert steps(more) == ["Draw a card and stop."]
    assert "Earlier steps must be played first" in more.text


def test_without_a_choice_the_page_goes_on_by_itself(leader, table):
    page = add(leader.get(table), Walk(1))
    on = leader.get(page.address.partition("#")[0] + "&do=stop")
    assert steps(on) == ["Walk 1", "Stop."]
    assert "do=" not in on.address
    assert on.follow("Undo step").bytes == page.bytes
    last = leader.get(table + "?do=pick")
    assert steps(last) == ["Draw a card and stop."]
    assert "do=pick" in last.address, "nothing can follow it"
    confirming(leader, "each")
    assert "do=stop" in leader.get(table + "?do=stop").address


# ==== refused steps ===============================================================================
def test_a_step_that_the_rules_refuse_is_left_out_with_its_rule(leader, table):
    page = add(add(leader.get(table), Walk(2)), Walk(2))
    assert (page.status, steps(page)) == (200, ["Walk 2"])
    assert "Left out" in page.text
    assert "TOY 3" in page.text
    assert steps(add(page, Walk(1))) == ["Walk 2", "Walk 1"], "there is a way on"


def test_a_stale_turn_shows_the_plies_since_and_keeps_possible_steps(leader, table, shelf):
    page = add(add(leader.get(table), Walk(2)), Whisper(7))
    seat = load(shelf, table).state.leader
    road.submit(shelf, game_id(table), seat, [Walk(2)], None, None, now())
    before = load(shelf, table).version
    for stale, status in ((leader.get(page.address.partition("#")[0]), 200), (made(page), 409)):
        assert stale.status == status
        assert "The game has moved on since you chose this" in stale.text
        assert "walks 2." in stale.text
        assert "Walk 2 – 1 steps are left." in stale.text.replace("“", "").replace("”", "")
        assert steps(stale) == ["Whisper 7"]
        assert load(shelf, table).version == before
    assert made(stale).status == 200
    assert load(shelf, table).version == before + 1


@pytest.mark.parametrize("wish", ["{", "[]", "5", '{"command": "Nonsense"}', '{"command": "Resign"}', "[" * 2000])
def test_a_foreign_command_is_left_out(leader, table, wish):
    page = leader.get(table, query_string={"try": wish, "v": "3"})
    assert page.status == 200
    assert TRIED not in page.text


def test_a_turn_that_is_too_long_is_refused(leader, table):
    page = leader.get(table)
    filled = page.form("/try").filled
    long = [forms.command_text(Whisper(number)) for number in range(30)]
    one_more = {"csrf": filled["csrf"], "version": filled["version"], "command": forms.command_text(Whisper(1))}
    refused = leader.post(f"{table}/try", {**one_more, "try": long})
    assert refused.status == 422
    assert "That is too much to preview at once." in refused.text
    assert len(steps(refused)) == 30


def test_a_player_cannot_try_for_another_seat(leader, ann, bob, guest, table):
    page = add(leader.get(table), Walk(2))
    other = bob if leader is ann else ann
    for somebody in (other, guest):
        seen = somebody.get(page.address)
        assert seen.status == 200
        assert steps(seen) == []
    assert "You do not lead this round." in other.get(page.address).text
    assert guest.post(f"{table}/try", page.form("/try").filled).h1 != page.h1


# ==== settings ====================================================================================
def test_each_step_is_confirmed_alone(leader, table):
    confirming(leader, "each")
    page = add(leader.get(table), Walk(1))
    assert steps(page) == ["Walk 1"]
    assert to_choose(page) == []
    assert to_choose(made(page)) != []


def test_moves_at_once_need_no_confirmation(leader, table, shelf):
    confirming(leader, "at_once")
    page = leader.get(table)
    assert not page.has_form("/try")
    assert "Nothing counts until" not in page.text
    page.form("/move").submit(value="2")
    assert load(shelf, table).state.steps == 1


def test_the_account_sets_the_confirmation_of_moves(ann):
    form = ann.get("/account").form("/account/confirm")
    assert form.filled["confirm"] == "at_once"
    saved = form.submit(confirm="each", confirm_live="turn")
    assert saved.status == 200
    assert ann.get("/account").form("/account/confirm").filled["confirm_live"] == "turn"
    assert form.submit(confirm="now and then").status == 400


# ==== the text box ================================================================================
def test_lines_are_added_to_the_turn(leader, table):
    page = add(leader.get(table), Walk(1))
    looked = page.form("/orders#typed").submit("Check the orders", lines="walk 2\nwhisper 4")
    assert looked.status == 200
    assert steps(looked) == ["Walk 1"]
    added = looked.form("/orders#typed").submit("Try it", lines="walk 2\nwhisper 4")
    assert steps(added) == ["Walk 1", "Walk 2", "Whisper 4"]
    wrong = page.form("/orders#typed").submit("Try it", lines="walk 3")
    assert wrong.status == 422
    assert steps(wrong) == ["Walk 1"]
