"""The lit places and the frames of a replay follow from views alone, in every title."""

import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest

from domain.chance import FreeChance
from domain.game import Game
from domain.title import Title
from domain.words import Language
from service.games.drawings import laid
from service.games.replays import changed, frames
from service.web.pages.parts.fresh import areas_of, light
from tests.contract.games import RandomGame, Step

STRETCH, EVERY = 12, 150
"""Steps of a replay, and plies between two replays."""


def stretches(title: Title, number: int) -> list[Sequence[Step]]:
    """Return stretches of one random game."""
    steps = [it for it in RandomGame(title, number).steps() if it.before.begun]
    return [steps[begin : begin + STRETCH] for begin in range(0, len(steps), EVERY)]


def seen_by(title: Title, viewer: int | None, stretch: Sequence[Step], seed: int | None) -> bytes:
    """Return everything that lights up for ``viewer`` and replays, in both drawings; ``seed``: in an imagined world."""
    games = [stretch[0].before, *(step.after for step in stretch)]
    views = [title.rules.view(state_of(game, viewer, seed), viewer) for game in games]
    found = []
    for small in (False, True):
        drawn = [title.face.picture(view, "page", Language(), small=small, alone=True) for view in views]
        rings = [
            str(light(*pictures, areas_of(title, both, small), small))
            for pictures, both in zip(pairwise(drawn), pairwise(views), strict=True)
        ]
        found.append((rings, frames(drawn)))
    return msgspec.json.encode(found)


def state_of(game: Game, viewer: int | None, seed: int | None):
    if seed is None:
        return game.state
    return game.title.rules.imagine(game.title.rules.view(game.state, viewer), FreeChance(random.Random(seed)))


@pytest.mark.long("3")
@pytest.mark.parametrize("number", [0, 3])
def test_two_worlds_behind_one_view_light_the_same_places_and_replay_the_same_frames(title: Title, number: int):
    for stretch in stretches(title, number):
        for viewer in (None, 1):
            real = seen_by(title, viewer, stretch, None)
            assert seen_by(title, viewer, stretch, 1) == seen_by(title, viewer, stretch, 2) == real


def test_a_replay_shows_exactly_the_pieces_of_each_position(title: Title):
    """Played on the last picture as the script does it, frame by frame."""
    for stretch in stretches(title, 1):
        views = [title.rules.view(game.state, None) for game in (stretch[0].before, *(step.after for step in stretch))]
        drawn = [title.face.picture(view, "page", Language()) for view in views]
        board = dict(enumerate(map(laid, drawn[-1].pieces)))
        for picture, frame in zip(drawn, frames(drawn), strict=True):
            board.update(frame)
            assert sorted(filter(None, board.values())) == sorted(map(laid, picture.pieces))


def test_a_changed_piece_is_lit_and_no_other(title: Title):
    """A piece that only makes room for another is not."""
    lit = 0
    for stretch in stretches(title, 2):
        for step in stretch:
            before, after = (
                title.face.picture(title.rules.view(game.state, None), "page", Language())
                for game in (step.before, step.after)
            )
            found = changed(before, after)
            assert len({it.name for it in found}) == len(found)
            same = {it.name for it in after.pieces if it in before.pieces}
            assert same.isdisjoint(it.name for it in found)
            lit += len(found)
    assert lit
