"""What a seat may not see changes no byte of any page it is shown (DESIGN: two worlds behind one view)."""

import random
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import FreeChance
from domain.messages import own_fields, owner_of
from service.base.clock import now
from service.database.store import Store
from tests import road
from tests.service.web.pages.tables import game_id, start
from tests.service.web.pages.test_moves import load
from tests.toy import CardDrawn, Choose, Whisper, Whispered, view


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


PAGES = ("", "/log", "/audit", "/at/4", "/at/7", "/at/8", "/at/8/board", "/changes?from=4&to=8", "/version")
CHOICES = (  # every card at once, a card alone, a kind that only the other may have, and what was never there
    "?" + "&".join(f"at=card.{card}" for card in range(1, 10)),
    *(f"?do=choose&at=card.{card}&number=1" for card in (1, 5, 9)),
    "?do=walk&at=path",
    "?do=%3Cb%3E&at=%00&at=card.1%22%3E&from=-1&number=99999",
)


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("page", [*PAGES, *CHOICES])
def test_two_worlds_behind_one_view_look_the_same(ann, bob, guest, table, shelf, monkeypatch, viewer, page):
    browser = {1: ann, 2: bob, None: guest}[viewer]
    real = browser.get(table + page)
    assert real.status == 200
    for seed in range(5):
        with monkeypatch.context() as patch:
            _imagine(patch, viewer, seed)
            other = browser.get(table + page)
        assert other.bytes == real.bytes


def test_the_imagined_worlds_are_other_worlds(ann, table, shelf, monkeypatch):
    """The test above could not fail if they were the same: what a seat may see does differ for the other seat."""
    with monkeypatch.context() as patch:
        _imagine(patch, 1, 3)
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
        _imagine(patch, 1, 3)
        assert bob.get(f"{table}/log").html != real


# ==== another world ===============================================================================
def _imagine(patch, viewer, seed):
    """From now on the store holds a world that looks the same to ``viewer``: other states, other sealed parts."""
    load, position, plies = Store.load, Store.position, Store.plies

    def other_state(game):
        if not game.state.seats:
            return game
        chance = FreeChance(random.Random(seed))
        return replace(game, state=game.title.imagine(game.title.view(game.state, viewer), chance))

    def other_load(self, *given, **more):
        stored = load(self, *given, **more)
        return replace(stored, game=other_state(stored.game))

    def other_position(self, *given):
        return other_state(position(self, *given))

    def other_plies(self, conn, game_id, title, since=0, until=None):
        changed = partial(_other_ply, title=title, viewer=viewer, secret=bytes(32), game_id=game_id)
        return [changed(stored, ply) for stored, ply in plies(self, conn, game_id, title, since, until)]

    patch.setattr(Store, "load", other_load)
    patch.setattr(Store, "position", other_position)
    patch.setattr(Store, "plies", other_plies)


def _other_ply(stored, ply, *, title, viewer, secret, game_id):
    """The ply with other hidden values; its open part and its link stay (the chain's commitments are excepted)."""
    events = tuple(_other_event(event, viewer) for event in ply.events)
    command = ply.command
    if command is not None and ply.seat != viewer and isinstance(command, Choose | Whisper):
        command = Choose(command.card % 9 + 1) if isinstance(command, Choose) else Whisper((command.number + 1) % 100)
    other = replace(ply, events=events, command=command)
    again = title.chain.store(other, stored.link, game_id, secret)
    assert len(again.sealed) == len(stored.sealed)
    return replace(stored, sealed=again.sealed), other


def _other_event(event, viewer):
    sealed = event.HIDDEN or own_fields(type(event))
    if not sealed or owner_of(event) == viewer:
        return event
    if isinstance(event, Whispered):
        return replace(event, number=(event.number + 1) % 100)
    hidden = {name: getattr(event, name) % 9 + 1 for name in own_fields(type(event))}
    assert isinstance(event, CardDrawn) or "card" in hidden
    return msgspec.structs.replace(event, **hidden)
