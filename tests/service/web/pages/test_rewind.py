"""Rewinding together (ST 9) on the pages: proposing from a past position, the box on the table, the answers."""

import pytest
from freezegun import freeze_time
from sqlalchemy import update

from domain.lifecycle import AgreeToRewind
from service.base import links
from service.base.clock import now
from service.database.store import SEATS
from service.games import moves
from service.games.moves import REWIND_LIFE
from service.web.pages.frame.say import say
from tests import road
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, load, open_table, players, start
from tests.toy import Walk, Whisper


@pytest.fixture
def table(ann, bob, shelf):
    """Return its address, the browsers of leader and other, and the ply before the leader walked."""
    address = start(ann, bob)
    for who in (ann, bob):
        who.get(address).forms[0].submit()
    game = load(shelf, address)
    leader = game.state.leader
    road.submit(shelf, game.id, leader, [Walk(2)], None, None, now())
    return address, *((ann, bob) if leader == 1 else (bob, ann)), game.version


def propose(table):
    address, leader, _other, before = table
    return leader.get(f"{address}/at/{before}").press("Propose to rewind to here")


def test_a_past_position_offers_to_go_back_to_it(table):
    address, leader, _other, before = table
    page = leader.get(f"{address}/at/{before}")
    assert "All players must agree: " in page.text
    assert "have 3 days" in page.text
    assert "(1 in all)" in page.text
    page = page.press("Propose to rewind to here")
    assert page.address.startswith(address)
    assert "Your proposal is on its way to the others." in page.text
    assert f"You propose a rewind to move {before}" in page.text
    assert page.has_button("Withdraw the proposal")
    assert not page.has_button("Agree")
    assert not leader.get(f"{address}/at/{before}").has_form("/rewind")  # one at a time


def test_a_reader_without_the_right_gets_no_offer_to_rewind(table, guest, arrive):
    address, leader, _other, before = table
    for who in (guest, arrive("Cleo")):
        assert not who.get(f"{address}/at/{before}").has_form("/rewind")
    assert not leader.get(f"{address}/at/1").has_form("/rewind")
    assert not leader.get(f"{address}/at/{before + 1}").has_form("/rewind")  # this is the present position


def test_consent_of_the_other_player_rewinds_the_game(table, shelf):
    address, _leader, other, before = table
    propose(table)
    page = other.get(address)
    assert f"proposes a rewind to move {before}" in page.text
    assert "Moves to be undone: 1." in page.text
    assert "walks 2." in page.text
    assert page.follow("Show that position").address == f"{address}/at/{before}"
    page = page.press("Agree to rewind")
    assert "You have agreed to rewind." in page.text
    assert not page.has_form("/rewind/agree")
    assert load(shelf, address).state.steps == 3
    withdrawn = [
        it for it in page.tab("story").root.all("li") if "withdrawn" in it.attrs.get("class", "") and "id" in it.attrs
    ]
    assert [it.attrs["id"] for it in withdrawn] == [f"ply-{before + 1}"]


@pytest.mark.parametrize(("who", "button"), [(1, "Withdraw the proposal"), (2, "Refuse")])
def test_a_proposal_is_refused_or_withdrawn(table, who, button):
    address = table[0]
    propose(table)
    page = table[who].get(address).press(button)
    assert "The game stays as it is." in page.text
    assert not page.has_form("/rewind/refuse")


def test_the_pages_of_a_rewind_speak_german(table):
    address, _leader, other, before = table
    propose(table)
    other.client.set_cookie("lang", "de")
    page = other.get(address)
    assert f"schlägt vor, die Partie auf Zug {before} zurückzusetzen" in page.text
    assert page.has_button("Zustimmen")
    assert page.has_button("Ablehnen")


def test_an_open_page_notices_a_proposal_and_each_consent(table, ann, bob):
    address, _leader, other, _before = table

    def tags():
        """Return the mark in the page, and the one that the script gets."""
        watch = other.get(address).root.all("p", id="moved-on")[0].attrs
        assert other.get(watch["data-watch"]).response.headers["ETag"] == watch["data-etag"]
        return watch["data-etag"]

    first = tags()
    propose(table)
    second = tags()
    assert first != second
    other.get(address).press("Refuse")
    assert tags() not in (first, second)


def test_the_page_reports_an_expired_proposal(table):
    address, _leader, other, before = table
    with freeze_time() as clock:
        propose(table)
        page = other.get(address)
        clock.tick(REWIND_LIFE // 1000 + 60)
        late = page.press("Agree to rewind")
        assert late.status == 422
        assert "The proposal has expired." in late.text
        assert f"The proposed rewind to move {before} has expired." in other.get(address).text
        assert not other.get(address).has_form("/rewind/agree")


def test_the_asked_player_learns_that_the_proposal_has_lapsed(table, shelf):
    address, leader, other, before = table
    propose(table)
    page = other.get(address)
    game = load(shelf, address)
    road.submit(shelf, game.id, game.state.leader, [Walk(1)], None, None, now())
    assert f"the proposed rewind to move {before} has lapsed" in other.get(address).text
    assert "has ended" not in leader.get(address).text
    assert page.press("Agree to rewind").status == 409


def test_an_answer_counts_only_for_the_proposal_on_the_page(table, shelf):
    address, leader, other, before = table
    propose(table)
    page = other.get(address)
    leader.get(address).press("Withdraw the proposal")
    leader.get(f"{address}/at/{before - 1}").press("Propose to rewind to here")
    late = page.press("Agree to rewind")
    assert late.status == 422
    assert f"There is a proposal for a rewind to move {before - 1}." in late.text
    assert load(shelf, address).table.proposal.missing


def test_the_link_of_a_mail_opens_the_answer(app, shelf, settings, table):
    address, _leader, _other, _before = table
    propose(table)
    game = load(shelf, address)
    seat = 3 - game.table.proposal.seat
    with shelf.read() as conn:
        person = next(it.person_id for it in conn.execute(SEATS.select()) if it.seat == seat)
    link = links.turn_address(settings, game.id, seat, game.version_for(seat), person, now(), since=0)
    browser = Browser(app)
    page = browser.get(link.removeprefix(settings.site))
    assert load(shelf, address).version == game.version  # looking changes nothing
    page.press("Agree to rewind")
    assert load(shelf, address).state.steps == 3


def test_malformed_and_foreign_forms_of_a_rewind_are_refused(table, arrive):
    address, leader, _other, before = table
    form = leader.get(f"{address}/at/{before}").form("/rewind")
    assert leader.post(form.address, {**form.filled, "csrf": "x"}).status == 403
    for to in ("", "x", "-1", "9" * 10):
        assert form.submit(to=to).status == 400
    assert form.submit(to="1").status == 422
    assert form.submit(to="999").status == 422
    assert form.submit().status == 200
    assert form.submit().status == 200  # the same again is the same
    stranger = arrive("Cleo")
    token = {"csrf": stranger.get("/games/new").forms[0].filled["csrf"], "version": "1", "to": str(before)}
    for end in ("", "/agree", "/refuse"):
        assert stranger.post(f"{address}/rewind{end}", token).status == 403


def test_a_game_among_bots_is_rewound_at_once(ann, shelf):
    address = open_table(ann, **players("random"))
    ann.get(address).form("/start").submit()
    begun = load(shelf, address).version
    ann.get(address).forms[0].submit()
    page = ann.get(f"{address}/at/{begun}")
    assert "You play only against bots" in page.text
    page.press("Rewind to here")
    assert load(shelf, address).state.chosen == {}


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_table_explains_why_no_move_can_be_taken_back(table, lang):
    address, leader, other, _before = table
    for who in (leader, other):
        who.client.set_cookie("lang", lang)
    assert say(lang, "Not possible now:") not in leader.get(address).tab("about").text
    text = other.get(address).tab("about").text
    assert say(lang, "Not possible now:") in text
    reasons = {
        "en": ("Somebody else has moved since then.", "Something was drawn or revealed."),
        "de": ("Seitdem hat jemand anders gezogen.", "Es wurde gezogen oder aufgedeckt"),
    }
    assert any(reason in text for reason in reasons[lang])


def test_a_proposal_from_a_page_is_answered_by_the_api(table, shelf):
    address, _leader, _other, before = table
    propose(table)
    seat = 3 - load(shelf, address).table.proposal.seat
    road.submit(shelf, game_id(address), seat, [AgreeToRewind(before)], None, None, now())
    assert load(shelf, address).state.steps == 3


def test_a_player_who_loses_the_seat_cannot_propose(table, shelf, monkeypatch):
    """Another person has the seat when the proposal is written, so it is refused."""
    address, leader, _other, before = table
    page = leader.get(f"{address}/at/{before}")
    now_there, propose = load(shelf, address), moves.propose_rewind
    seat = now_there.state.leader

    def too_late(work, actor, game_id, *more, **facts):
        with shelf.write() as conn:
            conn.execute(update(SEATS).where(SEATS.c.game_id == game_id, SEATS.c.seat == seat).values(person_id=None))
        road.submit(shelf, game_id, 3 - seat, [Whisper(1)], None, None, now())  # nobody goes without a ply
        return propose(work, actor, game_id, *more, **facts)

    monkeypatch.setattr(moves, "propose_rewind", too_late)
    assert page.press("Propose to rewind to here").status == 403
    assert load(shelf, address).version == now_there.version + 1
