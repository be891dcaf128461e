"""The link of a turn mail: one tap to the table, for one seat of one game and one turn, and nothing else."""

import pytest
from freezegun import freeze_time
from sqlalchemy import select

from service.base import links
from service.base.clock import DAY, now
from service.people import accounts, presence
from tests import road
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, load, made, start, to_choose
from tests.toy import Choose


@pytest.fixture
def table(ann, bob):
    return start(ann, bob, public="yes")


@pytest.fixture
def mailed(settings, shelf, table):
    """Return the link in Ann's mail at the start."""
    with shelf.read() as conn:
        ann_id = conn.execute(select(accounts.PERSONS.c.id).where(accounts.PERSONS.c.name == "Ann")).scalar_one()
    address = links.turn_address(settings, game_id(table), 1, load(shelf, table).version_for(1), ann_id, now(), since=0)
    return address.removeprefix(settings.site)


def test_the_link_opens_the_table_for_its_seat(app, mailed, table, shelf):
    phone = Browser(app, "de")
    page = phone.get(mailed)
    assert page.address == table
    assert "Du bist am Zug." in page.text
    assert "Deine Karten" in page.text
    tried = page.forms[0].submit()
    assert 1 not in load(shelf, table).state.chosen
    assert made(tried).status == 200
    assert 1 in load(shelf, table).state.chosen


def test_opening_the_link_changes_nothing(app, mailed, table, shelf):
    before = load(shelf, table).version
    for _ in range(3):
        Browser(app).get(mailed)
    assert load(shelf, table).version == before


def test_a_visitor_by_the_link_counts_as_present_from_the_first_move(app, mailed, settings, shelf):
    """Mail programs open links too, and that must not delay anybody's mail."""

    link = links.open_turn(settings, mailed.rpartition("/")[2], now())

    def there():
        with shelf.read() as conn:
            return link.game_id in presence.visits(conn, link.person_id, now(), 120_000)

    with freeze_time() as clock:
        clock.tick(3600)
        phone = Browser(app)
        form = phone.get(mailed).forms[0]
        tried = form.submit()
        assert not there()
        made(tried)
        assert there()
        clock.tick(90)
        phone.get(mailed)
        clock.tick(90)
        assert there()


def test_the_link_opens_nothing_else_of_the_person(app, ann, bob, mailed, table):
    other = start(ann, bob)
    phone = Browser(app)
    phone.get(mailed)
    assert phone.get("/account").h1 == "Sign in"
    assert "Your cards" not in phone.get(other).text
    assert to_choose(phone.get(other)) == []


def test_a_visitor_by_the_link_cannot_resign(app, mailed, table, shelf):
    phone = Browser(app)
    page = phone.get(mailed)
    assert not page.tab("about").has_form("/resign")
    token = page.forms[0].filled
    assert phone.post(f"{table}/resign", token).h1 == "Sign in"
    assert load(shelf, table).table.playing == (1, 2)


def test_the_link_moves_only_in_its_own_turn(app, mailed, table, shelf):
    phone = Browser(app)
    form = phone.get(mailed).forms[0]
    confirmed = form.submit().form("/move")
    for seat in (1, 2):
        road.submit(shelf, game_id(table), seat, [Choose(load(shelf, table).state.hands[seat][0])], None, None, now())
    page = phone.get(table)
    assert "To move now, sign in" in page.text
    assert to_choose(page) == []
    for refused in (form.submit(), confirmed.submit()):
        assert refused.status == 403
        assert "This link belongs to an earlier turn" in refused.text


def test_the_link_ends_when_its_recipient_leaves_the_seat(app, ann, mailed, table):
    phone = Browser(app)
    phone.get(mailed)
    ann.get(table).tab("about").form("/resign").submit()
    assert to_choose(phone.get(table)) == []


def test_the_link_expires(app, mailed):
    with freeze_time() as clock:
        clock.tick(links.TURN_LINK_LASTS / 1000 + DAY / 1000)
        page = Browser(app).get(mailed)
    assert (page.status, page.h1) == (403, "This link is too old")


@pytest.mark.parametrize("token", ["abc", "a.b.c", "x" * 2000])
def test_a_made_up_link_opens_nothing(guest, token):
    assert guest.get(f"/turn/{token}").status == 404


def test_a_link_for_something_else_opens_nothing(guest, settings):
    token = links.unsubscribe_address(settings, 1, since=0).rpartition("/")[2]
    assert guest.get(f"/turn/{token}").status == 404


def test_a_signed_in_recipient_keeps_all_rights(ann, mailed, table):
    page = ann.get(mailed)
    assert page.address == table
    assert page.tab("about").has_form("/resign")
