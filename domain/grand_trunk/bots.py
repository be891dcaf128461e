"""Players of the Grand Trunk Journey that need no person. They play from a view, so they know what a seat knows."""

import random

from domain.chance import FreeChance
from domain.grand_trunk.decide import ANSWERS, open_chapters
from domain.grand_trunk.imagine import imagine
from domain.grand_trunk.now import Now
from domain.grand_trunk.planner import sensible
from domain.grand_trunk.view import GrandTrunkView
from domain.messages import Command


def random_player(view: GrandTrunkView, dice: random.Random) -> tuple[Command, ...]:
    """Any legal command: each kind equally likely, then each command of that kind.

    What is legal depends on the view alone (GTJ 18.7), so it is the same in any state behind it.
    """
    assert view.seat is not None, "a spectator has nothing to play"
    now = Now.trial(imagine(view, FreeChance(dice)), view.seat)
    kinds: dict[type[Command], list[Command]] = {}
    for chapter in open_chapters(now):
        for action in chapter.candidates(now):
            kinds.setdefault(type(action.command), []).append(action.command)
    for kind in dice.sample(list(kinds), len(kinds)):
        for command in dice.sample(kinds[kind], len(kinds[kind])):
            if now.allows(ANSWERS[type(command)], command):
                return (command,)
    raise AssertionError("no command is legal (GTJ D29)")


BOTS = {"random": random_player, "sensible": sensible}
