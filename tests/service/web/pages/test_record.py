"""The page of a person's own record: results, opponents, times, plots with tables, filters, and files."""

import pytest

from domain.pace import DAY
from service.keeping import personal
from tests.service.lanterns import NOON
from tests.service.record.lives import finished

MONTH = 31 * DAY


@pytest.fixture
def two(ann, bob, shelf):
    """The numbers of Ann and Bob, who have finished three games; the last one against a bot, too."""
    who = number(ann), number(bob)
    finished(shelf, *who, name="Rails & rivers", at=NOON + DAY)
    finished(shelf, *who, at=NOON + 2 * MONTH)
    finished(shelf, who[0], who[1], "sensible", name="With a bot", at=NOON + 3 * MONTH)
    return who


def number(browser):
    return browser.client.get("/api/v1/me").json["id"]


def test_the_record_needs_a_signed_in_reader_and_may_be_empty(guest, ann):
    assert guest.get("/account/record").address.startswith("/sign-in")
    page = ann.get("/account/record")
    assert "You have not finished a game yet." in page.text
    assert "Your record" in ann.get("/account").text


def test_the_record_shows_results_opponents_times_and_plots_with_their_tables(ann, bob, two):
    page = ann.get("/account/record")
    for said in ("Games: 3", "Results by game", "Lanterns", "Opponents: people", "Bob", "Opponents: bots", "sensible"):
        assert said in page.text, said
    assert "You begin half of your turns within" in page.text
    assert "Rails & rivers" in page.text
    plots = page.root.all("figure")
    assert [figure.all("h2")[0].text for figure in plots] == ["Finished games", "Time to move"]
    for figure in plots:
        rows = figure.all("tr")
        assert len(rows) > 2
        assert all(cell.text for cell in rows[1].all("td"))
    assert "Results by game" in bob.get("/account/record").text


def test_filters_stand_in_the_address_and_keep_their_values(ann, two):
    form = ann.get("/account/record").form("/account/record")
    page = form.submit(against="both", seats="3")
    assert "Games: 1" in page.text
    assert page.form("/account/record").filled["against"] == "both"
    assert "against=both" in page.root.all("a", download="")[0].attrs["href"]
    none = ann.get("/account/record?title=toy&first_day=2030-01-01&last_day=nonsense")
    assert "No finished game matches." in none.text


def test_a_long_record_has_pages(ann, two, monkeypatch):
    from service.web.pages.account import record

    monkeypatch.setattr(record, "SHOWN", 2)
    page = ann.get("/account/record?against=people")
    assert "Earlier games" not in page.text
    page = ann.get("/account/record")
    assert "Rails & rivers" not in page.text
    assert "Rails & rivers" in page.follow("Earlier games").text


def test_the_record_in_german_with_an_erased_opponent(ann, shelf, two):
    personal.erase(shelf, two[1], NOON + 4 * MONTH)
    ann.client.set_cookie("lang", "de")
    page = ann.get("/account/record")
    for said in ("Deine Bilanz", "Gegner: Menschen", "(gelöscht)", "Ergebnisse nach Spielerzahl", "Bedenkzeit"):
        assert said in page.text, said
    assert "Bob" not in page.text


def test_programs_read_the_record_with_the_scope_to_read(ann, two):
    answer = ann.client.get("/api/v1/me/record?against=people")
    own = answer.json
    assert [it["name"] for it in own["games"]] == ["A table", "Rails & rivers"]
    assert own["games"][0]["ended_at"].startswith("2027-03-18")
    assert [(it["name"], it["games"]) for it in own["people"]] == [("Bob", 2)]
    assert own["time_to_move"][0]["of"] == ""
    assert ann.client.get("/api/v1/me/record?first_day=2027-02-02&last_day=2027-02-01").status_code == 422
    lines = ann.client.get("/api/v1/me/record.csv?against=people")
    assert lines.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert lines.text.count("\r\n") == 3
