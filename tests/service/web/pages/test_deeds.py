"""Buttons name the deed: beside a number, and where a tried turn is confirmed, on boards and in words."""

import pytest

from tests.service.web.pages.in_words import options
from tests.service.web.pages.tables import add, confirming, start
from tests.service.web.pages.test_moves import load
from tests.toy import Stop, Walk


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


@pytest.fixture
def leader(ann, bob, table, shelf):
    """Return the leader of the round, who may walk."""
    for browser in (ann, bob):
        browser.get(table).forms[0].submit()
    return ann if load(shelf, table).state.leader == 1 else bob


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
        assert any("amounts.js" in it.attrs["src"] for it in page.root.all("script"))


@pytest.mark.parametrize(("lang", "says"), [("en", "Confirm: Walk 2"), ("de", "Bestätigen: 2 gehen")])
def test_the_button_to_confirm_says_the_deed_without_scripts(leader, table, lang, says):
    confirming(leader, "turn").client.set_cookie("lang", lang)
    kind = "Walk" if lang == "en" else "Gehen"
    assert says in buttons(leader.get(table).press(kind, value="2"))
    page = leader.get(f"{table}/text")
    heading = "Your options" if lang == "en" else "Deine Möglichkeiten"
    assert kind in [it.text for it in options(page, heading)]
    assert says in buttons(page.press(kind, value="2"))


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
