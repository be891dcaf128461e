"""Players of the Grand Trunk Journey that need no person. They play from a view, so they know what a seat knows."""

import random

from domain.chance import FreeChance
from domain.grand_trunk.decide import candidates, is_legal
from domain.grand_trunk.imagine import imagine
from domain.grand_trunk.planner import sensible
from domain.grand_trunk.view import GrandTrunkView
from domain.messages import Command


def random_player(view: GrandTrunkView, dice: random.Random) -> tuple[Command, ...]:
    """Any legal command: each kind equally likely, then each command of that kind.

    What is legal depends on the view alone (GTJ 18.7), so it is the same in any state behind it.
    """
    assert view.seat is not None, "a spectator has nothing to play"
    state = imagine(view, FreeChance(dice))
    kinds: dict[type[Command], list[Command]] = {}
    for command in candidates(state, view.seat):
        kinds.setdefault(type(command), []).append(command)
    for kind in dice.sample(list(kinds), len(kinds)):
        for command in dice.sample(kinds[kind], len(kinds[kind])):
            if is_legal(state, view.seat, command):
                return (command,)
    raise AssertionError("no command is legal (GTJ D29)")


BOTS = {"random": random_player, "sensible": sensible}
