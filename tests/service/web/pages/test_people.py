"""Pages of people: a profile, one's own, and the private lists."""

import pytest
from sqlalchemy import select

from domain.pace import DAY
from service.people.accounts import PERSONS
from tests.service.lanterns import NOON
from tests.service.record.lives import finished


@pytest.fixture
def two(ann, bob, shelf):
    """The addresses of the profiles of Ann and Bob, who have finished a game."""
    who = [browser.client.get("/api/v1/me").json["id"] for browser in (ann, bob)]
    finished(shelf, *who, name="Rails", at=NOON + DAY)
    with shelf.read() as conn:
        found = dict(conn.execute(select(PERSONS.c.id, PERSONS.c.profile)).all())
    return [f"/people/{found[it]}" for it in who]


def test_a_profile_shows_finished_games_and_is_kept_from_search_engines(guest, bob, two):
    page = guest.get(two[0])
    for said in ("Ann", "Rails", "Results by game", "Reliability", "Time to move"):
        assert said in page.text, said
    for answer in (page.response, guest.client.get(f"/api/v1{two[0]}")):
        assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (200, "noindex")
    assert "Against you" not in page.text
    assert not page.has_form("/account/people/blocked")
    assert "Against you" in bob.get(two[0]).text
    assert guest.get("/people/" + "0" * 22).status == 404


def test_hidden_parts_are_missing_for_others(ann, bob, two):
    form = ann.get("/account/people").form("/account/people/shown")
    form.submit(part="results")
    text = bob.get(two[0]).text
    assert "Results by game" in text
    assert "Reliability" not in text
    assert "Reliability" in ann.get(two[0]).text


def test_people_are_listed_and_blocked_on_their_profile(ann, bob, two):
    page = ann.get(two[1]).press("Add to the people you like to play with")
    assert "Bob" in page.text
    page = ann.get(two[1]).press("Block")
    assert "Nobody yet." in page.text
    assert "Block" not in [form.address for form in bob.get(two[0]).forms]
    page = ann.get("/account/people").press("Remove Bob")
    assert "You can block people on their profile." in page.text
    assert "Unblock" not in ann.get(two[1]).text


def test_a_renewed_address_leads_to_the_same_profile_and_the_old_one_nowhere(ann, bob, two):
    ann.get("/account/people").press("Yes, renew the address")
    assert bob.get(two[0]).status == 404
    assert "Rails" in ann.get("/account/people").follow("See your profile").text


def test_profile_and_lists_in_german(ann, bob, two):
    ann.client.set_cookie("lang", "de")
    ann.get(two[1]).press("Blockieren")
    assert "Leute, die du blockierst" in ann.get("/account/people").text
    assert "Zuverlässigkeit" in ann.get(two[1]).text


def test_programs_read_profiles_and_browsers_change_lists(ann, bob, two):
    address = two[1].removeprefix("/people/")
    seen = bob.client.get(f"/api/v1{two[0]}").json
    assert (seen["name"], seen["own"], [it["name"] for it in seen["games"]]) == ("Ann", False, ["Rails"])
    assert ann.client.put(f"/api/v1/me/people/blocked/{address}").status_code == 204
    assert [it["name"] for it in ann.client.get("/api/v1/me/people").json["blocked"]] == ["Bob"]
    assert ann.client.delete(f"/api/v1/me/people/blocked/{address}").status_code == 204
    assert ann.client.patch("/api/v1/me/profile", json={"hidden": ["games"]}).json["hidden"] == ["games"]
    assert bob.client.get(f"/api/v1{two[0]}").json["games"] is None
    assert ann.client.post("/api/v1/me/profile/renew").json["address"] != two[0].removeprefix("/people/")
