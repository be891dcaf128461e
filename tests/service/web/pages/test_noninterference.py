"""A fact hidden from a seat changes no byte of any page shown to it."""

import pytest

from service.base.clock import now
from tests import road
from tests.service.web.pages.tables import game_id, load, start
from tests.toy import Choose, Whisper, view
from tests.worlds import imagine


@pytest.fixture
def table(ann, bob, shelf):
    """Both have whispered and chosen, once openly (the cards were shown) and once more in secret (Bob)."""
    address = start(ann, bob)
    for seat in (1, 2):
        road.submit(shelf, game_id(address), seat, [Whisper(40 + seat)], None, None, now())
        give(shelf, address, seat, Choose(load(shelf, address).state.hands[seat][0]))
    return address


def give(shelf, address, seat, command):
    road.submit(shelf, game_id(address), seat, [command], None, None, now())


PAGES = ("", "/log", "/audit", "/at/4", "/at/7", "/at/8", "/at/8/board", "/at/8?since=4", "/replay?from=4&to=8",
         "/version", "/text", "/text?did=4", "/text?line=1", "/text/at/4", "/text/at/7", "/text/at/8")  # fmt: skip
TABS = ("?show=seats", "?show=seats&of=1", "?show=seats&of=2", "/at/8?show=seats&of=2")
CHOICES = (  # every card at once, a card alone, a kind that only the other may have, and an unknown one
    "?" + "&".join(f"at=card.{card}" for card in range(1, 10)),
    *(f"?do=choose&at=card.{card}&number=1" for card in (1, 5, 9)),
    "?do=walk&at=path",
    "?do=%3Cb%3E&at=%00&at=card.1%22%3E&from=-1&number=99999",
)


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("page", [*PAGES, *TABS, *CHOICES])
def test_worlds_with_the_same_view_give_the_same_pages(ann, bob, guest, table, shelf, monkeypatch, viewer, page):
    browser = {1: ann, 2: bob, None: guest}[viewer]
    real = browser.get(table + page)
    assert real.status == 200
    for seed in range(5):
        with monkeypatch.context() as patch:
            imagine(patch, viewer, seed)
            other = browser.get(table + page)
        assert other.bytes == real.bytes


def test_the_imagined_worlds_differ(ann, table, shelf, monkeypatch):
    """The test above could not fail if the worlds were the same: they do differ for the other seat."""
    with monkeypatch.context() as patch:
        imagine(patch, 1, 3)
        imagined = load(shelf, table).state
        with shelf.read() as conn:
            read = shelf.plies(conn, game_id(table), load(shelf, table).title)
    real = load(shelf, table).state
    assert view(imagined, 1) == view(real, 1)
    assert view(imagined, 2) != view(real, 2)
    with shelf.read() as conn:
        assert read != shelf.plies(conn, game_id(table), load(shelf, table).title)


def test_a_page_of_the_other_world_would_differ_for_the_other_seat(bob, table, monkeypatch):
    real = bob.get(f"{table}/log").html
    with monkeypatch.context() as patch:
        imagine(patch, 1, 3)
        assert bob.get(f"{table}/log").html != real
