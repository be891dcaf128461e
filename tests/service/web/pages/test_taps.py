"""One-tap links: the page shows the effect, a button does it once, and later the page tells the story since."""

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from domain.lifecycle import AgreeToRewind, RefuseRewind, Resign, TakeBack
from service.base import links
from service.base.clock import DAY, now
from service.database.work import Work
from service.games import play
from service.games.rights import ByOneTap, Forbidden
from service.games.turn import submission
from service.people import accounts
from tests import road
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, load, start, to_choose
from tests.toy import Choose, Stop, Walk, Whisper


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


@pytest.fixture
def led(table, shelf):
    """Return the table when its leader, whose seat it is, has three steps to walk."""
    for seat in (1, 2):
        road.submit(shelf, game_id(table), seat, [Choose(load(shelf, table).state.hands[seat][0])], None, None, now())
    return load(shelf, table).state.leader


@pytest.fixture
def tap(settings, shelf, table):
    """``tap(seat, command)``: the address of the command in a mail of this moment."""

    def of(seat, command):
        with shelf.read() as conn:
            name = ("Ann", "Bob")[seat - 1]
            person = conn.execute(select(accounts.PERSONS.c.id).where(accounts.PERSONS.c.name == name)).scalar_one()
        version = load(shelf, table).version_for(seat)
        address = links.one_tap(settings, game_id(table), seat, version, person, now(), since=0, command=command)
        return address.removeprefix(settings.site)

    return of


@pytest.fixture
def walk(led, tap):
    """Return the link with which the leader walks two steps."""
    return tap(led, Walk(2))


@pytest.fixture
def phone(app):
    """Return a browser that is not signed in."""
    return Browser(app)


def give(shelf, table, seat, *commands):
    road.submit(shelf, game_id(table), seat, list(commands), None, None, now())


# ==== looking =====================================================================================
def test_the_page_shows_the_effect_of_the_link_and_changes_nothing(phone, walk, led, table, shelf):
    before = load(shelf, table).version
    for _ in range(3):
        page = phone.get(walk)
        phone.client.head(walk)
    assert page.status == 200
    assert f"{('Ann', 'Bob')[led - 1]} walks 2." in page.text
    assert "The board after this move" in page.text
    assert page.has_button("Walk 2")
    assert page.root.all("g", **{"class": "glow"}), "the pieces that would move are lit"
    assert f"Afterwards {('Ann', 'Bob')[led - 1]}: 2 steps." in page.text
    assert load(shelf, table).version == before


def test_the_page_speaks_german(app, walk):
    page = Browser(app, "de").get(walk)
    assert page.has_button("2 gehen")
    assert "Noch ist nichts geschehen." in page.text


def test_the_page_does_not_reveal_later_draws(phone, tap, table, shelf):
    """The last hidden card reveals all of them."""
    first, last = (Choose(load(shelf, table).state.hands[seat][0]) for seat in (1, 2))
    give(shelf, table, 1, first)
    page = phone.get(tap(2, last))
    assert "The board now" in page.text
    assert "This step draws or reveals something." in page.text
    assert "This cannot be taken back." in page.text
    assert "Afterwards" not in page.text
    assert "Your move was played." in page.forms[0].submit().text


def test_a_refused_action_has_no_button(phone, tap, led, table, shelf):
    page = phone.get(tap(led, Walk(9)))
    assert page.status == 422
    assert "See rule" in page.text
    assert not page.has_button("Walk …")
    assert page.root.all("a", href=table)


# ==== doing =======================================================================================
def test_the_button_acts_without_a_session(phone, walk, table, shelf):
    page = phone.get(walk).press("Walk 2")
    assert page.address == walk
    assert "Your move was played." in page.text
    assert load(shelf, table).state.steps == 1


def test_a_used_link_reports_that_and_does_nothing(phone, walk, table, shelf):
    form = phone.get(walk).form(walk)
    form.submit()
    version = load(shelf, table).version
    again = form.submit()
    assert "Your move was played." in again.text
    later = phone.get(walk)
    assert "Your move was played." in later.text
    assert not later.has_form(walk)
    assert load(shelf, table).version == version


def test_the_same_action_from_elsewhere_counts_as_done(phone, walk, led, table, shelf):
    give(shelf, table, led, Walk(2))
    assert "Your move was played." in phone.get(walk).text


def test_the_page_reports_a_move_that_was_taken_back(phone, walk, led, table, shelf):
    form = phone.get(walk).form(walk)
    form.submit()
    give(shelf, table, led, TakeBack(load(shelf, table).version))
    version = load(shelf, table).version
    for page in (phone.get(walk), form.submit()):
        assert "The move was taken back later" in page.text
    assert load(shelf, table).version == version


def test_a_stale_link_shows_the_plies_since(phone, walk, led, table, shelf):
    form = phone.get(walk).form(walk)
    give(shelf, table, led, Walk(1))
    version = load(shelf, table).version
    for page, status in ((phone.get(walk), 200), (form.submit(), 409)):
        assert page.status == status
        assert "so your move was not played" in page.text
        assert "walks 1." in page.text
        assert page.root.all("a", href=table)
    assert load(shelf, table).version == version


def test_a_stale_link_of_another_turn_is_refused(phone, walk, led, table, shelf):
    form = phone.get(walk).form(walk)
    give(shelf, table, led, Stop())
    give(shelf, table, 3 - led, Choose(load(shelf, table).state.hands[3 - led][0]))
    page = form.submit()
    assert page.status == 409
    assert "so your move was not played" in page.text


def test_a_quiet_ply_of_another_seat_makes_no_link_stale(phone, walk, led, table, shelf):
    give(shelf, table, 3 - led, Whisper(7))
    assert "Your move was played." in phone.get(walk).press("Walk 2").text


def test_going_back_is_agreed_to_or_refused_by_one_tap(phone, tap, led, table, shelf):
    before = load(shelf, table).version
    give(shelf, table, led, Walk(2))
    road.propose_rewind(shelf, game_id(table), led, before, at=now())
    agree, refuse = tap(3 - led, AgreeToRewind(before)), tap(3 - led, RefuseRewind())
    page = phone.get(refuse)
    assert page.h1 == "Refuse to rewind"
    page = phone.get(agree)
    assert page.h1 == f"Agree to a rewind to move {before}"
    assert "Moves to be undone" in page.text
    assert "walks 2." in page.text
    assert "Your move was played." in page.press("Agree to a rewind").text
    assert load(shelf, table).state.steps == 3
    assert "so your move was not played" in phone.get(refuse).text


# ==== its permissions =============================================================================
def test_the_link_opens_nothing_else(phone, walk, table):
    phone.get(walk)
    page = phone.get(table)
    assert "What only you see" not in page.text
    assert to_choose(page) == []
    assert phone.get("/account").h1 == "Sign in"


def test_the_link_acts_for_its_person_in_any_session(ann, bob, walk, led, table, shelf):
    stranger = (bob, ann)[led - 1]
    assert "Your move was played." in stranger.get(walk).press("Walk 2").text
    assert load(shelf, table).state.steps == 1


def test_the_action_needs_the_form_of_its_page(phone, walk, table, shelf):
    before = load(shelf, table).version
    assert phone.post(walk, {}).status == 403
    phone.get(walk)
    assert phone.post(walk, {"csrf": "x" * 86}).status == 403
    assert load(shelf, table).version == before


def test_links_cannot_hold_commands_of_the_table(phone, tap, led, table, shelf):
    page = phone.get(tap(led, Resign()))
    assert (page.status, page.h1) == (404, "This is not one of our links")


@pytest.mark.parametrize("token", ["abc", "a.b.c", "x" * 2000])
def test_a_made_up_link_is_reported(phone, token):
    page = phone.get(f"/do/{token}")
    assert (page.status, page.h1) == (404, "This is not one of our links")
    assert "Nothing was changed." in page.text


def test_links_of_one_kind_are_refused_as_the_other(phone, walk, settings):
    token = walk.rpartition("/")[2]
    assert phone.get(f"/turn/{token}").status == 404
    turn = links.turn_address(settings, "g", 1, 1, 1, now(), since=0).rpartition("/")[2]
    assert phone.get(f"/do/{turn}").status == 404


def test_the_link_expires(phone, walk, table, shelf):
    form = phone.get(walk).form(walk)
    before = load(shelf, table).version
    with freeze_time() as clock:
        clock.tick(links.TURN_LINK_LASTS / 1000 + DAY / 1000)
        for page in (phone.get(walk), form.submit()):
            assert (page.status, page.h1) == (403, "This link is too old")
    assert load(shelf, table).version == before


def test_the_link_ends_when_its_recipient_changes_the_address(phone, walk, shelf):
    with shelf.write() as conn:
        conn.execute(accounts.PERSONS.update().values(address_since=now()))
    assert phone.get(walk).h1 == "This link is too old"


def test_the_link_ends_when_its_recipient_leaves_the_seat(phone, walk, ann, bob, led, table):
    (ann, bob)[led - 1].get(table).tab("about").form("/resign").submit()
    page = phone.get(walk)
    assert "so your move was not played" in page.text
    assert not page.has_button("Walk …")


def test_the_bearer_may_do_only_the_offered_action(led, tap, settings, shelf, table):
    link = links.open_one_tap(settings, tap(led, Walk(2)).rpartition("/")[2], now())
    actor, work = ByOneTap(link, command=Walk(2)), Work(shelf)
    for wish in ([Walk(1)], [Walk(2), Stop()], [Stop()]):
        with pytest.raises(Forbidden):
            play.submit(work, actor, submission(link.game_id, wish, link.version))
    assert load(shelf, table).state.steps == 3
