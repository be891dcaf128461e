"""Ann's train at Watertown, where the chapters on the train, on coupling and on loading begin."""

from domain.grand_trunk import TITLE
from tests.domain.grand_trunk.positions import ANN, given, moved, opening, without_railcar
from tests.spec import Situation

RAILCARS = ("flat_car", "box_car", "port_1", "watertown", "richmond")
"""A hand with two plain railcars."""
AT_WATERTOWN = given(opening(hands={ANN: RAILCARS}), moved(ANN, "watertown", "watertown", "burlington", 0))
"""Ann has come to Watertown (supplies coal, wood) with iron on her hopper car."""
EMPTY = given(
    opening(hands={ANN: RAILCARS}), without_railcar(ANN), moved(ANN, "watertown", "watertown", "burlington", 0)
)
"""The same without any railcar."""


def train(situation: Situation, seat: int = ANN) -> list[tuple[str, str | None, int]]:
    """What a seat's train carries: (railcar, good, cubes)."""
    railcars = TITLE.rules.view(situation.state, None).seats[seat - 1].railcars
    return [(railcar.card, railcar.good, railcar.cubes) for railcar in railcars]
