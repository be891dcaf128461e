"""Buttons name the deed, beside a number and where a tried turn is confirmed; and the story folds the same deeds."""

import json

import pytest

from service.base.clock import now
from service.web.pages.parts.forms import command_text
from tests import road
from tests.service.web.pages.in_words import options, section
from tests.service.web.pages.tables import add, confirming, game_id, leading, load, made, start, steps
from tests.toy import Choose, Stop, Walk


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


@pytest.fixture
def leader(ann, bob, table, shelf):
    """Return the leader of the round, who may walk."""
    return leading(ann, bob, table, shelf)[0]


def buttons(page):
    return [it.text for form in page.forms for it in form.buttons]


def deeds(page):
    """Return the buttons that the script fills in."""
    return [it.attrs["data-says"] for it in page.root.all("span") if "data-says" in it.attrs]


@pytest.mark.parametrize(("lang", "says"), [("en", "Walk …"), ("de", "… gehen")])
def test_a_button_beside_a_number_says_the_deed_with_it(leader, table, lang, says):
    leader.client.set_cookie("lang", lang)
    for page in (leader.get(table), leader.get(f"{table}/text")):
        assert says in deeds(page)
        assert says in buttons(page), "with a blank, without scripts"
        assert any("amounts.js" in it.attrs["src"] for it in page.root.all("script"))


@pytest.mark.parametrize(("lang", "says"), [("en", "Confirm: Walk 2"), ("de", "Bestätigen: 2 gehen")])
def test_the_button_to_confirm_says_the_deed_without_scripts(leader, table, lang, says):
    confirming(leader, "turn").client.set_cookie("lang", lang)
    deed = "Walk …" if lang == "en" else "… gehen"
    assert says in buttons(leader.get(table).press(deed, value="2"))
    page = leader.get(f"{table}/text")
    heading = "Your options" if lang == "en" else "Deine Möglichkeiten"
    assert deed in [it.text for it in options(page, heading)]
    assert says in buttons(page.press(deed, value="2"))


def test_several_steps_are_confirmed_by_their_number(leader, table):
    page = add(add(confirming(leader, "turn").get(table), Walk(2)), Stop())
    assert "Confirm all 2 steps" in buttons(page)


def test_a_limit_that_may_be_nothing_is_folded_and_empty(leader, table):
    """Whispering is beside the turn, and its lowest number is 0."""
    for page in (leader.get(table), leader.get(f"{table}/text")):
        fields = {it.attrs["max"]: it for it in page.root.all("input", type="number", name="value")}
        assert fields["3"].attrs["value"] == "1"
        assert fields["99"].attrs["value"] == ""
        assert fields["99"].inside("details")
        assert not fields["3"].inside("details")


# ==== the story ===================================================================================
def walked_thrice(leader, shelf, table):
    for _ in range(3):
        road.submit(shelf, game_id(table), load(shelf, table).state.leader, [Walk(1)], None, None, now())
    return f"{leader.name} walks 1."


def test_repeats_are_one_line_of_the_story(ann, bob, leader, table, shelf):
    other = bob if leader is ann else ann
    said = walked_thrice(leader, shelf, table)
    for page in (table, f"{table}/log", f"{table}/text"):
        text = other.get(page).text
        assert text.count(said) == 1, page
        assert "3 times" in text


def test_a_stale_turn_tells_repeats_once(leader, table, shelf):
    pages = [leader.get(table), leader.get(f"{table}/text")]
    said = walked_thrice(leader, shelf, table)
    for page in pages:
        stale = page.form("/move").submit(value=None, field=None, command='{"command":"Stop"}')
        assert stale.status == 409
        told = stale.root.all("div", id="refusal")[0].text
        assert (told.count(said), "3 times" in told) == (1, True)


# ==== the choice ==================================================================================
def test_what_is_tried_is_not_offered_again(leader, table):
    page = confirming(leader, "turn").get(f"{table}?do=pick")
    assert any(it.startswith("Confirm: Draw a card and stop ") for it in buttons(page))
    assert not page.root.all("ul", **{"class": "ways chosen"})
    assert [it for it in buttons(page) if it.startswith("Draw a card and stop")] == []


def kinds(page):
    """Return the kinds of commands that the page can send, in words as well."""
    sent = [*page.root.all("input", name="command"), *page.root.all("button", name="command")]
    return {json.loads(it.attrs["value"])["command"] for it in sent}


def test_a_question_that_a_turn_answers_is_not_asked_again(ann, bob, shelf):
    """A card is chosen in secret, and may be changed until all have chosen."""
    table = start(ann, bob)
    card = load(shelf, table).state.hands[1][0]
    for page in (ann.get(table), ann.get(f"{table}/text")):
        tried = confirming(ann, "turn").get(page.address, query_string={"v": "0", "try": command_text(Choose(card))})
        assert steps(tried), tried.text
        assert kinds(tried) == {"Whisper"}, "only what may come at any time is left"
    made(tried)
    assert "Choose" in kinds(ann.get(table)), "it may still be changed"


def test_taking_back_is_offered_only_if_it_is_possible(leader, table, shelf):
    page = leader.get(f"{table}/text")
    assert section(page, "Take back") is None
    assert "Not possible now:" in section(page, "More about this game").text
    page = page.press("Walk …", value="1")
    assert "Take back" in section(page, "Take back").text
    assert "Not possible now:" not in page.text


def test_a_number_alone_is_no_order(leader, table, shelf):
    """The lines have no numbers here, so a number typed by mistake must not move."""
    before = load(shelf, table).version
    page = leader.get(f"{table}/text").form("/orders#typed").submit("Make this move", lines="1")
    assert page.status == 422
    assert "A number alone answers a letter." in page.text
    assert load(shelf, table).version == before
