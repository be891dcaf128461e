"""Rewinding together (ST 9) in every title: the position is as before, and the same moves meet the same chance."""

import pytest

from domain import lifecycle
from domain.game import fold
from domain.play import play
from tests.contract.games import SETTLE, RandomGame

NEVER = 2**52
MIDDLE = {"toy": 15}
"""Plies after which a game is well under way, if not 50."""


def rewind(game: RandomGame, to: int) -> None:
    """The lowest seat of a person proposes, and those of all others agree; bots are not asked."""
    proposer, *others = (seat for seat in game.game.table.playing if not game.is_bots(seat))
    commands = [(proposer, lifecycle.ProposeRewind(to, tuple(others), NEVER))]
    commands += [(seat, lifecycle.AgreeToRewind(to)) for seat in others]
    for seat, command in commands:
        ply, game.game = play(
            game.game,
            seat,
            command,
            game.at,
            "player",
            game.secret,
            lambda version: fold(game.game.id, game.title, game.plies[:version]),
        )
        game.plies.append(ply)


@pytest.mark.parametrize("back", [1, 7, 30, 1000])
def test_the_same_moves_after_a_rewind_draw_the_same_cards(title, back):
    game = RandomGame(title, back, mischief=False)
    steps = game.steps()
    while game.game.status != "running" or len(game.plies) < MIDDLE.get(title.id, 50):
        next(steps)
    to = max(game.game.table.floor, game.game.version - back)
    undone, then = game.plies[to:], fold(game.game.id, title, game.plies[:to])
    rewind(game, to)
    assert game.game.state == then.state
    assert game.game.ordinals == then.ordinals
    for ply in undone:
        game.at += SETTLE
        again = game.give(ply.seat, ply.command, ply.cause).ply
        assert (again.events, again.draws) == (ply.events, ply.draws)
    assert fold(game.game.id, title, game.plies) == game.game
