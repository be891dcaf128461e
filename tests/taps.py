"""The fewest taps for a turn: on kinds, places and lines, as a page narrows (`domain.places`).

``python -m tests.taps`` plays games of each title. It prints how many legal actions there are, how many are left after
the worst place alone and after a complete choice, and the fewest taps of each turn of the sensible bots. ``--games 24
--every 5 --title new_england`` say how many, which positions and which title.

A tap chooses a kind, a place, a check box (one by one), a line of a list of at most sixteen, a number more or less, or
sets an amount. The chosen action is previewed. Taps that confirm are counted apart: one for all foreseeable steps and
the unforeseeable step after them.
"""

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from msgspec.structs import asdict

from domain import TITLES
from domain.chance import ChanceAsked, FreeChance, NoChance
from domain.messages import Command
from domain.places import Aimed, Places
from domain.refusal import Refused
from domain.rules import Action, State
from domain.title import Title
from tests.contract.games import tables
from tests.orders import positions

MOST_TAPS = 9


class Taps(NamedTuple):
    """The taps until an action is previewed. ``to_go_on``: one more, if the action might have optional things, and
    another follows.
    """

    number: int
    to_go_on: int = 0


def fewest_taps(places: Places, targets: Sequence[Aimed], it: Aimed) -> Taps:
    """Return the taps until an action is previewed."""
    aim = it.aim
    boxes = aim.more
    for chosen in range(len(aim.places) + 2):
        best = Taps(MOST_TAPS)
        for choice in combinations((f"do {aim.kind}", *aim.places), chosen):
            kinds = tuple(each[3:] for each in choice if each == f"do {aim.kind}")
            left = places.narrow(targets, kinds, (*(each for each in choice if not each.startswith("do ")), *boxes))
            line = next((line for line in left.lines if it in line), ())
            if not line:
                continue
            steps = line.index(it)
            if left.meant is not None:
                best = min(best, Taps(chosen + len(boxes) + steps, int(len(left.rest) > 1)))
            elif line[0] in left.listed:
                best = min(best, Taps(chosen + len(boxes) + steps + 1))
        if best.number <= chosen + len(boxes) + 1:
            return max(best, Taps(1))
    return min(best, Taps(MOST_TAPS))


def taps(title: Title, state: State, seat: int, command: Command) -> Taps:
    """Return the fewest taps for a command; an amount that is not the lowest is one more."""
    view, actions = title.rules.view(state, seat), title.rules.actions(state, seat)
    mine = min((it for it in actions if is_of(it, command)), key=lambda it: it.command != command)
    [like] = title.face.orders.options(view, [mine])
    same = like.same(title.face.orders.alike)
    options = title.face.orders.options(view, actions)
    targets = title.face.places.targets(view, [it.action for it in options])
    target = next(
        it for it, option in zip(targets, options, strict=True) if option.same(title.face.orders.alike) == same
    )
    fewest = fewest_taps(title.face.places, targets, target)
    return Taps(fewest.number + 1) if mine.span is not None and mine.command != command else fewest


def is_of(action: Action, command: Command) -> bool:
    """Is a command an action, with some amount for the open number, and its cards in some order?"""
    if type(action.command) is not type(command):
        return False
    given = asdict(action.command)
    if action.span is not None:
        given[action.span.field] = getattr(command, action.span.field)
    return {name: _in_order(it) for name, it in given.items()} == {
        name: _in_order(it) for name, it in asdict(command).items()
    }


def _in_order(value: Any) -> Any:
    return sorted(value) if isinstance(value, tuple) else value


class Turn(NamedTuple):
    """The commands a seat gives in a row. ``confirmed``: how often it confirms, as a turn is previewed up to chance.

    ``tried``: the last one was previewed, and another can follow; ``to_go_on``: the tap for that.
    """

    commands: int = 0
    taps: int = 0
    confirmed: int = 0
    tried: bool = False
    to_go_on: int = 0

    def with_more(self, taps: Taps, *, foreseen: bool) -> "Turn":
        spent = self.taps + taps.number + (self.to_go_on if self.tried else 0)
        return Turn(self.commands + 1, spent, self.confirmed + (not foreseen), foreseen, taps.to_go_on)

    def whole(self) -> "Turn":
        return self._replace(confirmed=self.confirmed + self.tried)


def is_foreseen(title: Title, state: State, seat: int, command: Command) -> bool:
    try:
        return not any(event.BARRIER for event in title.rules.decide(state, seat, command, NoChance()).events)
    except ChanceAsked:
        return False


def turns(title: Title, number: int) -> Iterator[Turn]:
    """Yield the turns of a game between sensible bots."""
    dice = random.Random(f"{title.id} taps {number}")
    options, seats = dice.choice(tables(title))
    state = title.rules.setup(
        options, {seat: title.seating.choice() for seat in range(1, seats + 1)}, FreeChance(dice)
    ).after
    on_turn, turn = None, Turn()
    while title.rules.result(state) is None:
        seat = title.rules.asked(state)[0]
        for command in title.bots["sensible"](title.rules.view(state, seat), dice):
            if seat not in title.rules.asked(state):
                break
            try:
                after = title.rules.decide(state, seat, command, FreeChance(dice)).after
            except Refused:
                break
            if seat != on_turn and turn.commands:
                yield turn.whole()
                turn = Turn()
            on_turn = seat
            foreseen = is_foreseen(title, state, seat, command)
            turn = turn.with_more(taps(title, state, seat, command), foreseen=foreseen)
            state = after
    yield turn.whole()


def left(title: Title, number: int, every: int) -> Iterator[tuple[int, int, int]]:
    """Yield, for each position: legal actions, left after the worst place alone, left at most after a
    complete choice.
    """
    places = title.face.places
    for at in positions(title, number, every=every):
        targets = places.targets(at.tongue.view, [it.action for it in at.options])
        whole = places.narrow(targets)
        worst = max(whole.places.values(), default=0)
        some = targets[:: max(1, len(targets) // 40)]
        complete = max(sum(map(len, places.narrow(targets, (it.aim.kind,), it.aim.all).lines)) for it in some)
        yield len(targets), worst, complete


def told(numbers: Sequence[int]) -> str:
    """Return median, 95th percentile, maximum."""
    ordered = sorted(numbers)
    return f"{statistics.median(ordered):g} / {ordered[int(len(ordered) * 0.95)]} / {ordered[-1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12, help="of each title and of each sort (default: 12)")
    parser.add_argument("--every", type=int, default=7, help="look at one position in so many (default: 7)")
    parser.add_argument("--title", action="append", choices=list(TITLES), help="one title, or several (default: all)")
    given = parser.parse_args()
    print("median / 95th percentile / most")
    for title in map(TITLES.__getitem__, given.title or TITLES):
        found = [it for number in range(given.games) for it in left(title, number, given.every)]
        played = [it for number in range(given.games) for it in turns(title, number)]
        print(f"{title.id}: {len(found)} positions, {len(played)} turns")
        for said, numbers in (
            ("legal actions", [it[0] for it in found]),
            ("left after the worst place alone", [it[1] for it in found]),
            ("left after a complete choice", [it[2] for it in found]),
            ("commands a turn", [it.commands for it in played]),
            ("fewest taps a turn", [it.taps for it in played]),
            ("taps that make them", [it.confirmed for it in played]),
        ):
            print(f"  {said:34}{told(numbers)}")


if __name__ == "__main__":
    main()
