"""GTJ 4: the train. How many railcars it has and what fits on them."""

from domain.grand_trunk.cards import CARRIES, FORCE_LEVELS
from domain.grand_trunk.state import Railcar, Seat
from domain.refusal import Refused


def has_room(mine: Seat) -> None:
    """GTJ 4.2 A train has at most as many railcars as its Force."""
    most = FORCE_LEVELS[mine.force].railcars
    if len(mine.railcars) >= most:
        raise Refused("GTJ 4.2", "Your train has its {most:railcar|railcars}: it is full.", most=most)


def can_carry(card: str, good: str) -> None:
    """GTJ 4.3 A railcar takes only goods of its type."""
    if good not in CARRIES[card]:
        raise Refused("GTJ 4.3", "{railcar} cannot carry {good}.", railcar=card, good=good)


def is_empty(railcar: Railcar) -> None:
    """GTJ 4.4 A railcar holds one cube; only GTJ 11.5 and 13.15 put a second one there."""
    if railcar.cubes:
        raise Refused("GTJ 4.4", "{railcar} holds a cube already.", railcar=railcar.card)


def empty_railcars(mine: Seat) -> list[str]:
    """GTJ 4.5 Those that were emptied in this turn and not loaded again."""
    return [railcar.card for railcar in mine.railcars if not railcar.cubes]
