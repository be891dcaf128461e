"""The tab of players: one table compares all seats, and one of them opens to everything that is its own."""

import pytest

from tests.service.web.pages.tables import start
from tests.service.web.pages.test_boards import board


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


def heads(page):
    """Return the links of the seats above the comparison."""
    (compared,) = page.root.all("table", **{"class": "compared"})
    return [it.all("a")[0] for it in compared.all("th") if it.attrs.get("scope") == "col"]


def lit(page):
    """Return the seat whose pieces the board lights, if any."""
    (game,) = [it for it in page.root.all("div") if it.attrs.get("class", "").split()[:1] == ["game"]]
    return game.attrs.get("data-lit")


def test_a_table_compares_all_seats(ann, table):
    page = ann.get(f"{table}?show=seats")
    assert [it.attrs["data-of"] for it in heads(page)] == ["1", "2"]
    (compared,) = page.root.all("table", **{"class": "compared"})
    (steps,) = [row for row in compared.all("tr") if [it.text for it in row.all("th")] == ["steps"]]
    assert [it.text for it in steps.all("td")] == ["0", "0"]


def test_a_seat_opens_and_closes_again_without_a_script(ann, table):
    second = heads(ann.get(f"{table}?show=seats"))[1]
    page = ann.get(second.attrs["href"].partition("#")[0])
    (opened,) = page.root.all("section", **{"class": "opened"})
    assert "bob" in opened.text.lower()
    assert lit(page) == "2"
    assert heads(page)[1].attrs["aria-current"] == "true"
    closed = ann.get(heads(page)[1].attrs["href"].partition("#")[0])
    assert closed.root.all("section", **{"class": "opened"}) == []
    assert lit(closed) is None


def test_the_marks_beside_the_board_lead_to_what_is_a_seats_own(ann, table):
    page = ann.get(table)
    marks = [it for it in page.root.all("a", **{"class": "of"}) if it.attrs.get("data-of") == "2"]
    assert [it.attrs["href"].partition("?")[2] for it in marks] == ["show=seats&of=2#tab"]


@pytest.mark.parametrize("of", ["3", "x", "", "0", "-1"])
def test_an_unknown_seat_opens_nothing(ann, table, of):
    page = ann.get(f"{table}?show=seats&of={of}")
    assert page.status == 200
    assert lit(page) is None


def test_the_pieces_of_a_seat_are_known_on_the_board(ann, table):
    owners = {it.attrs["data-seat"] for it in board(ann.get(table)).all("g") if "data-seat" in it.attrs}
    assert owners == {"1", "2"}


def test_a_past_position_compares_the_seats_of_that_time(ann, table):
    page = ann.get(f"{table}/at/4").tab("seats")
    assert [it.attrs["data-of"] for it in heads(page)] == ["1", "2"]
    opened = ann.get(heads(page)[1].attrs["href"].partition("#")[0])
    assert opened.address.partition("?")[0] == f"{table}/at/4"
    assert lit(opened) == "2"
    assert ann.get(f"{table}/at/1?show=seats").status == 200  # before all seats were taken


def test_a_sandbox_compares_its_seats(ann, table):
    form = ann.get(f"{table}?show=sandbox").form("/sandboxes")
    page = ann.get(form.submit().address.partition("?")[0] + "?show=seats&of=2")
    assert len(heads(page)) == 2
    assert lit(page) == "2"
