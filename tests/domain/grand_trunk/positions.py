"""Positions the tests of the rules begin from, told as events.

Ann runs the Central Vermont, Bob the Grand Trunk Railway, Cyd the Québec & Richmond, Dan the St. Lawrence & Atlantic.
The opening is the default scenario with goods tokens that are easy to remember, and *all* improvements on display:

- Ann in Burlington (demands coal; supplies iron, wood), with iron on her hopper car;
- Bob in Richmond (demands iron; supplies coal, wood), with coal on his hopper car;
- Cyd in Watertown (demands iron; supplies coal, wood), with coal on her hopper car;
- Dan in White River Jct (demands wood; supplies coal, iron), with coal on his hopper car.
"""

from typing import Any

from domain.grand_trunk import TITLE
from domain.grand_trunk.events import (
    CardsDrawn,
    ContractTurnedUp,
    DaysSpent,
    DeckShuffled,
    FirstDeliveriesDealt,
    FirstRailcarChosen,
    FirstRailcarsOpened,
    ForceIncreased,
    GoodDelivered,
    GoodDumped,
    GoodLoaded,
    GoodsTokensDealt,
    ImprovementAcquired,
    ImprovementsDisplayed,
    ObjectivesDisplayed,
    RailcarCoupled,
    RailcarUncoupled,
    SpeedIncreased,
    StartingCitiesDrawn,
    TableSet,
    TerminalBuilt,
    TrainMoved,
    TurnEnded,
    TurnOrderDrawn,
)
from domain.messages import Event
from tests.spec import Spec

given = Spec(TITLE).given

ANN, BOB, CYD, DAN = 1, 2, 3, 4
COMPANIES = ("central_vermont", "grand_trunk_railway", "quebec_richmond", "st_lawrence_atlantic")
HOMES = ("burlington", "richmond", "watertown", "white_river_jct")
FIRST_GOODS = ("iron", "coal", "coal", "coal")
IMPROVEMENTS = (
    "coal_exporter",
    "early_delivery",
    "late_delivery",
    "rail_equipment_factory",
    "speculator",
    "warehouse",
    "wood_exporter",
    "coal_mine",
    "forest_exploitation",
    "iron_ore_mine",
    "foreign_steel_contract",
    "hi_roof_boxcar",
    "parking_spur",
    "railroad_crane",
    "roundhouse",
    "semaphore_signaling",
)
OBJECTIVES = (
    "carrier_of_the_year",
    "coal_depot",
    "common_carrier",
    "freight_station",
    "heavy_cargo_train",
    "iron_ore_depot",
    "national_railway_certificate",
    "specialized_carrier",
    "steel_warehouse",
    "wood_depot",
)
TOKENS = {
    "burlington": "city_goods_start_coal",  # demands coal; supplies iron, wood
    "richmond": "city_goods_start_iron_1",  # iron; coal, wood
    "watertown": "city_goods_start_iron_2",  # iron; coal, wood
    "white_river_jct": "city_goods_start_wood",  # wood; coal, iron
    "boston": "city_goods_coal_1",  # coal; iron, wood
    "kingston": "city_goods_coal_2",  # coal; iron
    "new_london": "city_goods_coal_3",  # coal; wood
    "niagara": "city_goods_iron_1",  # iron; coal, wood
    "ottawa": "city_goods_iron_2",  # iron; coal, wood
    "peterborough": "city_goods_wood_1",  # wood; coal, iron
    "quebec": "city_goods_wood_2",  # wood; coal
    "utica": "city_goods_wood_3",  # wood; iron
    "albany": "port_goods_coal",  # steel; coal
    "montreal_griffintown": "port_goods_iron",  # steel; iron
    "portland": "port_goods_wood",  # steel; wood
}
FIRST_DELIVERIES = {
    "boston": "first_delivery_1",
    "kingston": "first_delivery_2",
    "new_london": "first_delivery_3",
    "niagara": "first_delivery_4",
    "ottawa": "first_delivery_5",
    "peterborough": "first_delivery_6",
    "quebec": "first_delivery_7",
    "utica": "first_delivery_8",
}
"""The first four cities pay 1 VP, the others 2."""

ANN_HAND = ("port_1", "grand_trunk_jct", "richmond", "watertown", "white_river_jct")
HAND = ("port_1", "port_2", "grand_trunk_jct", "flat_car", "box_car")


def card(seat: int, name: str) -> str:
    return f"{COMPANIES[seat - 1]}.{name}"


def ann(name: str) -> str:
    return card(ANN, name)


def bob(name: str) -> str:
    return card(BOB, name)


def cyd(name: str) -> str:
    return card(CYD, name)


def dan(name: str) -> str:
    return card(DAN, name)


# ==== the opening =================================================================================
def dealt(
    seats: int = 2,
    *,
    tokens: dict[str, str] | None = None,
    objectives: tuple[str, ...] = (),
    order: tuple[int, ...] | None = None,
    contracts: tuple[str, str] = ("contract_4d_richmond_coal", "contract_3d_quebec_iron"),
) -> list[Event]:
    """Up to the sealed choice of the first railcars (GTJ 2.1 to 2.10)."""
    return [
        TableSet(COMPANIES[:seats], "default", "intermediate", bool(objectives)),
        GoodsTokensDealt(TOKENS | (tokens or {})),
        FirstDeliveriesDealt(FIRST_DELIVERIES),
        ContractTurnedUp(1, contracts[0], 0),
        ContractTurnedUp(2, contracts[1], 0),
        ImprovementsDisplayed(IMPROVEMENTS),
        *([ObjectivesDisplayed(objectives)] if objectives else []),
        TurnOrderDrawn(order or tuple(range(1, seats + 1))),
        StartingCitiesDrawn(HOMES[:seats]),
    ]


def opening(seats: int = 2, *, hands: dict[int, tuple[str, ...]] | None = None, **dealt_as: Any) -> list[Event]:
    """Up to the first turn. ``hands``: five card names of a seat's starting deck."""
    choices = tuple((seat, card(seat, "hopper_car"), FIRST_GOODS[seat - 1]) for seat in range(1, seats + 1))
    given_hands = {ANN: ANN_HAND} | (hands or {})
    events = dealt(seats, **dealt_as)
    events += [FirstRailcarChosen(*choice) for choice in choices]
    events.append(FirstRailcarsOpened(choices))
    for seat in range(1, seats + 1):
        hand = tuple(card(seat, name) for name in given_hands.get(seat, HAND))
        events += [DeckShuffled(seat, 8, "start"), CardsDrawn(seat, len(hand), hand)]
    return events


OPENING = opening()


# ==== steps on the way ============================================================================
def spent(seat: int, origin: int, to: int, what: str = "move") -> Event:
    """The seat's marker goes from one space to another."""
    return DaysSpent(seat, to - origin, origin, to, what)


def moved(
    seat: int, name: str, to: str, origin: str, day: int, days: int = 1, discarded: str | None = None
) -> list[Event]:
    """The train goes to another place, on the card ``name``, beginning on ``day``."""
    left = card(seat, discarded or origin)
    return [
        TrainMoved(seat, card(seat, name), left, origin, to, days, False, False, None, days),
        spent(seat, day, day + days),
    ]


def ended(seat: int, day: int, finished: bool = False) -> Event:
    return TurnEnded(seat, day, finished)


def owns(seat: int, *improvements: str) -> list[Event]:
    gains = {"coal_mine": (("coal", 2),), "forest_exploitation": (("wood", 2),), "iron_ore_mine": (("iron", 2),)}
    return [ImprovementAcquired(seat, each, gains.get(each, ())) for each in improvements]


def delivered(seat: int, *goods: str, railcar: str = "hopper_car") -> list[Event]:
    """Goods delivered earlier on: each is loaded on ``railcar`` and comes off again. It is left empty."""
    events: list[Event] = []
    mine = card(seat, railcar)
    for good in goods:
        vp, wood = (3, 0) if good == "steel" else (0, 1) if good == "wood" else (0, 0)
        events += [
            GoodLoaded(seat, mine, good, "albany", "stock", 1),
            GoodDelivered(seat, mine, good, "albany", vp, 0, wood),
        ]
    return events


def emptied(seat: int, railcar: str = "hopper_car") -> Event:
    """A cube of the opening comes off."""
    return GoodDumped(seat, card(seat, railcar), FIRST_GOODS[seat - 1], "albany", 0)


def without_railcar(seat: int, railcar: str = "hopper_car") -> list[Event]:
    return [emptied(seat, railcar), RailcarUncoupled(seat, card(seat, railcar), "discard_pile")]


def coupled(seat: int, name: str, good: str, cubes: int = 1, source: str = "hand") -> list[Event]:
    mine = card(seat, name)
    return [
        RailcarCoupled(seat, mine, source),
        *(GoodLoaded(seat, mine, good, "albany", "stock", cube + 1) for cube in range(cubes)),
    ]


def drawn(seat: int, *names: str) -> Event:
    return CardsDrawn(seat, len(names), tuple(card(seat, name) for name in names))


def in_hand_from_afar(seat: int, *cities: str) -> list[Event]:
    """Terminals are built and the seat has the cards of these cities in hand."""
    return [[TerminalBuilt(seat, city, 2, "deck_top"), drawn(seat, city)] for city in cities]


def force(seat: int, level: int) -> list[Event]:
    return [ForceIncreased(seat, each, 5 if each == 4 else 0) for each in range(2, level + 1)]


def fast(seat: int) -> Event:
    return SpeedIncreased(seat, 1)


def steel_in(seat: int, city: str, cubes: int = 2) -> list[Event]:
    """Steel lies in ``city``, made of iron delivered there."""
    mine = card(seat, "hopper_car")
    return [
        [GoodLoaded(seat, mine, "iron", "albany", "stock", 1), GoodDelivered(seat, mine, "iron", city, 0, made, 0)]
        for made in (2, 2)[: cubes // 2] + (1,) * (cubes % 2)
    ]
