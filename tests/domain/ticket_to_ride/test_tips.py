"""Each tip of Ticket to Ride, with a position where it shows and is true."""

import pytest

from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardTurned,
    LastRoundStarted,
    RouteClaimed,
    TicketsOffered,
    TurnStarted,
)
from domain.ticket_to_ride.face.tips import TIPS, USUAL
from tests.domain.ticket_to_ride.positions import ANN, BOB, LOCO, claims, dealt, given, opening
from tests.domain.tips import tip

TO_MIAMI = (
    "boston__new_york__red", "new_york__washington__black", "raleigh__washington__gray_1",
    "charleston__raleigh", "charleston__miami",
)  # fmt: skip


def round_of(number: int, seats: int = 3) -> TurnStarted:
    """Begin Ann's turn in a round."""
    return TurnStarted(ANN, (number - 1) * seats + 1)


SHOWN_LOCOMOTIVE = FaceUpCardTurned(1, LOCO)
ONE_TRAIN_ROUTE = "atlanta__nashville"
POSITIONS = [
    (
        dealt(),
        [],
        "At the end, a ticket that you keep adds its value if you have completed it. Otherwise it takes its value "
        "away. TTR 8.4",
    ),
    (
        opening(),
        [TicketsOffered(ANN, 3, ("denver__pittsburgh", "los_angeles__miami", "duluth__el_paso"))],
        "Keep at least one of these tickets. You can never return a ticket that you have kept. TTR 6.6",
    ),
    (
        opening(),
        [SHOWN_LOCOMOTIVE, BlindCardDrawn(ANN, "red")],
        "Your second card cannot be a locomotive from the market. From the deck, you may draw one. TTR 4.3",
    ),
    (
        opening(),
        [BlindCardDrawn(ANN, "red")],
        "Your turn goes on: take a second card, from the market or unseen from the deck. TTR 4.1",
    ),
    (
        opening(),
        [round_of(30), LastRoundStarted(BOB, (ANN, BOB))],
        "This is your last turn. Cards and trains that you have left are worth nothing at the end. TTR 8.13",
    ),
    (
        opening(),
        [RouteClaimed(BOB, ONE_TRAIN_ROUTE, ("blue",), 1, 7), round_of(9)],
        "Bob has 7 trains left. When a turn ends with two or fewer, everybody has one more turn. TTR 7.2",
    ),
    (
        opening(),
        [],
        "In your turn you do one of three things: take train cards, claim a route or draw tickets. You cannot pass. "
        "TTR 3.2",
    ),
    (
        opening(),
        [SHOWN_LOCOMOTIVE, round_of(2)],
        "A locomotive from the market is the only card that you take in this turn. From the deck, it is one of two. "
        "TTR 4.3",
    ),
    (
        opening(),
        [round_of(2)],
        "Long routes score more for each train: six spaces score 15 points, a single space scores 1. TTR 5.6",
    ),
    (
        opening(),
        [round_of(4)],
        "For a gray route you choose the colour. All its cards are of one colour, or locomotives. TTR 5.3",
    ),
    (
        opening(),
        [round_of(5)],
        "With two or three players, the second track between two cities is closed as soon as one is claimed. TTR 5.4",
    ),
    (
        opening(4),
        [round_of(5, 4)],
        "Where two tracks join the same cities, you may own only one of them. TTR 5.5",
    ),
    (
        opening(),
        [round_of(6)],
        f"You may hold any number of cards. Bots collect cards first, and claim their first route about in turn "
        f"{USUAL.of('first_route', 3)}. TTR 4.5",
    ),
    (
        opening(),
        [claims(ANN, *TO_MIAMI), round_of(7)],
        "Completed: Boston–Miami (12). Nobody else sees this before the end, when the value is added. TTR 9.8",
    ),
    (
        opening(),
        [claims(ANN, ONE_TRAIN_ROUTE), round_of(6)],
        "A route need not touch your others. But a ticket needs an unbroken chain of your own routes. TTR 8.3",
    ),
    (
        opening(),
        [claims(ANN, ONE_TRAIN_ROUTE), claims(BOB, *TO_MIAMI[:2]), round_of(8)],
        "The longest path scores 10 points at the end. Yours has 1 space, the longest so far 4. TTR 8.6",
    ),
    (
        opening(),
        [round_of(9)],
        "If you draw tickets, you are dealt up to three and keep at least one. Each adds its value, or takes it away. "
        "TTR 6.2",
    ),
]


@pytest.mark.parametrize(("begun", "events", "says"), POSITIONS, ids=[says[:40] for *_, says in POSITIONS])
def test_a_tip_shows_where_it_is_true(begun, events, says):
    assert tip(given(begun, *events), ANN) == says


def test_every_tip_has_a_position():
    assert len(POSITIONS) == len(TIPS)
