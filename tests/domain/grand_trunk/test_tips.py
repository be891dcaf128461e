"""Each tip of the Grand Trunk Journey, with a position where it shows and is true."""

import pytest

from domain.grand_trunk.events import EndBegun, GoodDelivered, ImprovementUsed, TerminalBuilt
from domain.grand_trunk.face.tips import TIPS, USUAL
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    ann,
    dealt,
    delivered,
    ended,
    given,
    moved,
    opening,
    owns,
    spent,
    without_railcar,
)
from tests.domain.tips import tip

BEGUN = opening()


def on_day(day: int, bob: int) -> list:
    """Begin Ann's turn on a day; Bob's marker is further on. She has iron on her train."""
    return [spent(ANN, 0, day), spent(BOB, 0, bob), ended(BOB, bob)]


POSITIONS = [
    (
        dealt(),
        [],
        "You deliver a good where it is demanded. All choose in secret, and you can change your choice until the last "
        "has chosen. GTJ 2.12",
    ),
    (
        BEGUN,
        [],
        "You have two options: move the train, with all that follows, or do maintenance, which exchanges cards for a "
        "day. GTJ 3.5",
    ),
    (
        BEGUN,
        [spent(ANN, 0, 5), spent(BOB, 0, 36), EndBegun(BOB, 36), ended(BOB, 36, True)],
        "The end has begun, so you may pass. Each day that you are behind the leading marker is then worth a point. "
        "GTJ 15.3",
    ),
    (
        BEGUN,
        on_day(5, 31),
        "The end begins when somebody ends a turn on day 36 or later. Bob is on day 31. GTJ 15.1",
    ),
    (
        BEGUN,
        [owns(ANN, "roundhouse"), on_day(4, 5), ImprovementUsed(ANN, "roundhouse")],
        "You have used an action before your move. Now you must still move in this turn. GTJ 5.10",
    ),
    (
        BEGUN,
        [delivered(ANN, "steel"), on_day(4, 5)],
        "Your delivered steel is enough for Force II. A Development card that increases Force lets you pull one more "
        "railcar. GTJ 12.2",
    ),
    (
        BEGUN,
        [delivered(ANN, "coal", "coal", "coal"), on_day(4, 5)],
        "Your delivered coal is enough for a fast train. A Development card that increases Speed saves a day on your "
        "moves. GTJ 12.4",
    ),
    (
        BEGUN,
        [TerminalBuilt(ANN, "quebec", 2, "discard"), on_day(4, 5)],
        "You carry iron. If you unload it in Québec on days 6 to 8, it meets a contract for 4 points. GTJ 7.4",
    ),
    (
        BEGUN,
        on_day(4, 6),
        "You are last on the time track, so you play again until you catch up with Bob on day 6. GTJ 3.4",
    ),
    (
        BEGUN,
        [TerminalBuilt(ANN, "niagara", 2, "discard"), on_day(1, 2)],
        "The first delivery in Niagara scores 1 point more. A good on your train is demanded there. GTJ 6.3",
    ),
    (
        BEGUN,
        [owns(ANN, "speculator"), delivered(ANN, "wood", "wood"), on_day(3, 4)],
        "At the end, your space on the wood track is the value of each of your improvements: now 2 points. GTJ 15.7",
    ),
    (
        BEGUN,
        on_day(10, 11),
        f"The most points win. Bots have about {USUAL.of('turns', 2)} turns in a game, and win with about "
        f"{USUAL.of('winner', 2)} points. GTJ 15.8",
    ),
    (
        BEGUN,
        on_day(3, 4),
        "Each card serves only once: it leads to a place, becomes a railcar, or is played for its action. GTJ 5.2",
    ),
    (BEGUN, on_day(4, 5), "You carry iron. You can deliver it in Richmond and Watertown. GTJ 6.2"),
    (
        BEGUN,
        [without_railcar(ANN), on_day(4, 5)],
        "Maintenance takes a day: you discard as many cards as you like and draw new ones. GTJ 14.1",
    ),
    (
        BEGUN,
        moved(ANN, "richmond", "richmond", "burlington", 0),
        "Unload first: once you have uncoupled, coupled or loaded, you can unload nothing more. GTJ 5.1",
    ),
    (
        BEGUN,
        [
            moved(ANN, "richmond", "richmond", "burlington", 0),
            GoodDelivered(ANN, ann("hopper_car"), "iron", "richmond", 0, 2, 0),
        ],
        "A railcar that is still empty at the end of your turn goes to your discard pile. GTJ 9.4",
    ),
    (
        BEGUN,
        [moved(ANN, "richmond", "richmond", "burlington", 0), without_railcar(ANN)],
        "Your train can pull one more railcar. You couple a railcar from your hand together with a good from "
        "Richmond. GTJ 8.4",
    ),
    (
        BEGUN,
        moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0),
        "When you end your turn, you draw until you have 5 cards. GTJ 10.1",
    ),
]


@pytest.mark.parametrize(("begun", "events", "says"), POSITIONS, ids=[says[:40] for *_, says in POSITIONS])
def test_a_tip_shows_where_it_is_true(begun, events, says):
    assert tip(given(begun, *events), ANN) == says


def test_every_tip_has_a_position():
    assert len(POSITIONS) == len(TIPS)
