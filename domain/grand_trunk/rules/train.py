"""GTJ 4: the train: the number of its railcars, the goods that fit, and its cargo."""

from domain.grand_trunk.cards import CARRIES, FORCE_LEVELS
from domain.grand_trunk.now import Now
from domain.grand_trunk.state import Railcar, Seat
from domain.refusal import Refused


def must_have_room(mine: Seat) -> None:
    """GTJ 4.2 A train has at most as many railcars as its Force."""
    most = FORCE_LEVELS[mine.force].railcars
    if len(mine.railcars) >= most:
        raise Refused("GTJ 4.2", "Your train is full: it has {most:railcar|railcars}.", most=most)


def must_fit(card: str, good: str) -> None:
    """GTJ 4.3 A railcar takes only goods of its type."""
    if good not in CARRIES[card]:
        raise Refused("GTJ 4.3", "{railcar} cannot carry {good}.", railcar=card, good=good)


def must_be_empty(railcar: Railcar) -> None:
    """GTJ 4.4 A railcar holds one cube; only GTJ 11.5 and 13.15 put a second one there."""
    if railcar.cubes:
        raise Refused("GTJ 4.4", "{railcar} already holds a cube.", railcar=railcar.card)


def must_be_on_train(now: Now, card: str, rule: str) -> Railcar:
    """GTJ 6.1, 8.1, 9.1, 11.5, 13.15 The railcar is one of the train. ``rule``: the rule that asks."""
    railcar = now.mine.railcar(card)
    if railcar is None:
        raise Refused(rule, "{railcar} is not on your train.", railcar=card)
    return railcar


def must_be_loaded(now: Now, card: str) -> tuple[Railcar, str]:
    """GTJ 6.1 Cubes are unloaded one by one, each from a railcar of the train. Return the railcar and its good."""
    railcar = must_be_on_train(now, card, "GTJ 6.1")
    if railcar.good is None:
        raise Refused("GTJ 6.1", "{railcar} is empty.", railcar=card)
    return railcar, railcar.good


def empty_railcars(mine: Seat) -> list[str]:
    """GTJ 4.5 Return the railcars emptied in this turn and not loaded again."""
    return [railcar.card for railcar in mine.railcars if not railcar.cubes]
