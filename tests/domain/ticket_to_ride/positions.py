"""The initial positions of rule tests, given as events.

Ann plays first and is blue, Bob is red, Cyd green, Dan yellow, Eve black. Everybody holds four cards of one colour, the
market shows no locomotive, and everybody has kept the first two of three tickets.
"""

from collections.abc import Iterable, Mapping

from domain.messages import Event
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import POINTS_FOR_SPACES, ROUTES, TRAINS
from domain.ticket_to_ride.cards import KINDS, SEAT_COLOURS
from domain.ticket_to_ride.events import (
    FaceUpCardTurned,
    HandDealt,
    RouteClaimed,
    SetupCompleted,
    SetupTicketsChosen,
    TableSet,
    TicketsKept,
    TicketsOffered,
    TrainDeckShuffled,
    TurnStarted,
)
from domain.ticket_to_ride.state import State
from tests.spec import Spec

given = Spec(TITLE).given

ANN, BOB, CYD, DAN, EVE = 1, 2, 3, 4, 5
HANDS = ("red", "blue", "green", "yellow", "black")
MARKET = ("purple", "orange", "white", "purple", "black")
LOCO = "locomotive"
TICKETS = (
    ("boston__miami", "atlanta__montreal", "dallas__new_york"),
    ("calgary__phoenix", "calgary__salt_lake_city", "denver__el_paso"),
    ("helena__los_angeles", "duluth__houston", "montreal__vancouver"),
    ("phoenix__portland", "nashville__portland", "houston__kansas_city"),
    ("chicago__los_angeles", "chicago__new_orleans", "chicago__santa_fe"),
)


def dealt(seats: int = 3, market: Iterable[str] = MARKET) -> list[Event]:
    """TTR 2.1 to 2.5: give everybody a hand and three tickets to choose among."""
    events: list[Event] = [TableSet(tuple(SEAT_COLOURS[:seats]), ANN)]
    events += [HandDealt(seat, 4, (HANDS[seat - 1],) * 4) for seat in range(1, seats + 1)]
    events += [FaceUpCardTurned(slot, card) for slot, card in enumerate(market, 1)]
    events += [TicketsOffered(seat, 3, TICKETS[seat - 1]) for seat in range(1, seats + 1)]
    return events


def chosen(*seats: int) -> list[Event]:
    """Let these seats choose their first two tickets."""
    return [SetupTicketsChosen(seat, TICKETS[seat - 1][:2], TICKETS[seat - 1][2:]) for seat in seats]


def opening(seats: int = 3, market: Iterable[str] = MARKET) -> list[Event]:
    """Begin the first turn, which is Ann's."""
    everybody = range(1, seats + 1)
    completed = SetupCompleted(tuple((seat, 2) for seat in everybody), 30 - 2 * seats)
    return [*dealt(seats, market), *chosen(*everybody), completed, TurnStarted(ANN, 1)]


def holding(seat: int, **cards: int) -> list[Event]:
    """Give ``seat`` these cards besides."""
    hand = tuple(kind for kind, number in cards.items() for _ in range(number))
    return [HandDealt(seat, len(hand), hand)]


def claims(seat: int, *routes: str, trains: int = TRAINS) -> list[Event]:
    """Let ``seat``, with so many ``trains``, claim these routes with cards dealt to it for that."""
    events: list[Event] = []
    for route in map(ROUTES.__getitem__, routes):
        trains -= route.spaces
        paid = (LOCO if route.colour == "gray" else route.colour,) * route.spaces
        events += [HandDealt(seat, len(paid), paid)]
        events += [RouteClaimed(seat, route.id, paid, POINTS_FOR_SPACES[route.spaces], trains)]
    return events


def left_in_deck(state: State, keep: Mapping[str, int], seat: int) -> list[Event]:
    """Deal the whole deck but for ``keep`` to ``seat``."""
    cards = tuple(kind for kind in KINDS for _ in range(state.deck[kind] - keep.get(kind, 0)))
    return [HandDealt(seat, len(cards), cards)]


def turn(seat: int, number: int = 2) -> Event:
    return TurnStarted(seat, number)


def nothing_to_draw() -> State:
    """Let Ann draw the last tickets. Bob, who is next, has two trains and three cards, which decide what he can claim.

    Cyd holds all other cards, and the gray routes are claimed.
    """
    table = given(opening(), RouteClaimed(BOB, "boston__new_york__red", ("blue",), 2, 2))
    gray = [RouteClaimed(CYD, route.id, (), 0, TRAINS) for route in ROUTES.values() if route.colour == "gray"]
    table = table.then(gray, left_in_deck(table.state, {}, CYD), TrainDeckShuffled(1))
    table = table.then(left_in_deck(table.state, {}, CYD))
    rest = (*table.state.tickets, *(ticket for _, ticket in table.state.bottom))
    kept, last = rest[:-3], rest[-3:]
    return table.then(
        TicketsOffered(CYD, len(rest), rest),
        TicketsKept(CYD, len(kept), 3, 3, kept, last),
        turn(ANN, 4),
        TicketsOffered(ANN, 3, last),
    ).state


TELLING = (nothing_to_draw(),)
"""Positions, rare in random games, in which the effect of a command depends on hidden facts."""
