"""Typing moves: the text box at the table."""

import pytest

from tests.service.web.pages.tables import load
from tests.service.web.pages.test_moves import leading, table  # noqa: F401


def box(page):
    return next(it for it in page.forms if "lines" in it.filled)


def read(page):
    """Return the answers below the text box: a text for each line."""
    details = next(it for it in page.root.all("details") if it.attrs.get("id") == "typed")
    return [it.text for lists in details.all("ol") for it in lists.children if getattr(it, "tag", "") == "li"]


def test_the_page_shows_the_reading_of_each_line_and_plays_nothing(leading, table, shelf):  # noqa: F811
    leader, _other = leading
    before = load(shelf, table).version
    page = box(leader.get(table)).submit("Check the", lines="go 2 steps\n\nwalk 1")
    assert page.status == 200
    first, second = read(page)
    assert first.startswith("walk 2")
    assert "walks 2." in first
    assert second.startswith("walk 1")
    assert box(page).filled["lines"] == "go 2 steps\n\nwalk 1"
    assert load(shelf, table).version == before


def test_lines_are_played_once(leading, table, shelf):  # noqa: F811
    leader, _other = leading
    before = load(shelf, table).version
    form = box(leader.get(table))
    for _ in range(2):
        page = form.submit("Make this move", lines="walk 2\r\ngehe 1")
        assert (page.status, page.address) == (200, table)
    after = load(shelf, table)
    assert (after.version, after.state.steps) == (before + 2, 0)


def test_one_line_with_a_problem_stops_all(leading, table, shelf):  # noqa: F811
    leader, _other = leading
    before = load(shelf, table).version
    page = box(leader.get(table)).submit("Make this move", lines="walk 2\nwalk 2")
    assert page.status == 422
    assert "1 steps are left." in read(page)[1]
    assert "TOY 3" in read(page)[1]
    assert "walk 1" not in read(page)[1], "it is less than what was typed"
    assert load(shelf, table).version == before


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("", None),
        ("  # nothing", None),
        ("walk", "How much: 1 to 3?"),
        ("walk <b>home</b>", "“b” is not a word of this game."),
        ("good luck", "This does not begin with an order."),
        ("resign", "You cannot resign here"),
    ],
)
def test_an_unreadable_line_is_reported(leading, table, shelf, lines, says):  # noqa: F811
    leader, _other = leading
    page = box(leader.get(table)).submit("Make this move", lines=lines)
    assert page.status == 422
    assert says is None or says in read(page)[0]
    assert "<b>" not in page.html


def test_lines_for_an_old_position_are_stale(leading, table, shelf):  # noqa: F811
    leader, _other = leading
    form = box(leader.get(table))
    form.submit("Make this move", lines="walk 1")
    page = form.submit("Make this move", lines="walk 2")
    assert page.status == 409
    assert box(page).filled["lines"] == "walk 2"
    assert form.submit("Make this move", lines="walk 2", version="999999").status == 400


def test_a_spectator_has_no_text_box(guest, leading, table):  # noqa: F811
    assert not [it for it in guest.get(table).forms if "lines" in it.filled]


def test_orders_in_an_unknown_game_are_not_found(guest):
    assert guest.get("/rules/nothing/orders").status == 404
