"""The legal actions of a seat, as every channel lists them."""

import pytest

from domain import TITLES
from domain.game import advance, fold
from service.database.store import Stored
from service.games import queries
from service.games.queries import Seen
from tests.bench.measure import played


def positions(title):
    """The views of each asked seat of a game, ply by ply."""
    game = fold("bench", title, ())
    for ply in played(title, title.seating.seats[-1], 2):
        game = advance(game, ply)
        for seat in game.asked:
            yield Seen(Stored(None, game, b"", b""), None, seat, False, {})


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_equal_actions_are_listed_once_and_no_other_is_left_out(title):
    shorter = 0
    for seen in list(positions(title))[::7]:
        listed = title.rules.actions(seen.game.state, seen.seat)
        told = queries.actions(seen)
        assert told == [it.action for it in title.face.orders.options(queries.view(seen), listed)]
        shorter += len(told) < len(listed)
    assert bool(shorter) == bool(title.face.orders.alike)


def test_cached_actions_belong_to_their_position_and_the_cache_is_bounded():
    title = TITLES["ticket_to_ride"]
    many = list(positions(title))[:100]
    for seen in many:
        queries.actions(seen).clear()  # a list of one's own
    for seen in reversed(many):
        assert queries.actions(seen)
        assert queries.actions(seen) == queries.actions(seen)
    assert len(queries._actions) <= queries.ACTIONS_KEPT
