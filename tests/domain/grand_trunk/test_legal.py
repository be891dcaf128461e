"""The list of legal actions: each option of each command stands in it, and nothing else of its kind.

What makes a command legal is shown chapter by chapter; each test there asks the list as well (`tests.spec`).
"""

from itertools import combinations, product, starmap

import pytest

from domain.chance import ChanceAsked, NoChance
from domain.grand_trunk import TITLE
from domain.grand_trunk.board import CITIES, PLACE_ORDER, PLACES, SLOTS
from domain.grand_trunk.cards import GOODS, in_order
from domain.grand_trunk.commands import (
    AcquireImprovement,
    AcquireObjective,
    BuildTerminal,
    ChooseFirstRailcar,
    CoupleFromSpur,
    CoupleRailcar,
    DeliverGood,
    DiscardFromSpur,
    DumpGood,
    EndTurn,
    FulfilContract,
    IncreaseForce,
    IncreaseSpeed,
    LoadGood,
    MoveTrain,
    Pass,
    PerformMaintenance,
    PlayHighCapacityRailcar,
    PlayInfluenceDemand,
    PlayOverlandTransport,
    PlayRailYard,
    StoreOnSpur,
    UncoupleRailcar,
    UseHiRoofBoxcar,
    UseRailroadCrane,
    UseRoundhouse,
    UseSemaphoreSignaling,
)
from domain.grand_trunk.decide import ANSWERS, decide
from domain.grand_trunk.events import ActionCardPlayed, ContractTurnedUp, EndBegun, RailcarStored
from domain.refusal import Refused
from domain.words import say
from tests.domain.grand_trunk.positions import (
    ANN,
    ANN_HAND,
    BOB,
    IMPROVEMENTS,
    OBJECTIVES,
    OPENING,
    ann,
    bob,
    coupled,
    dealt,
    delivered,
    drawn,
    emptied,
    ended,
    fast,
    force,
    given,
    in_hand_from_afar,
    moved,
    opening,
    owns,
    spent,
    steel_in,
    without_railcar,
)

HOPPER, FLAT, BOX = (ann(name) for name in ("hopper_car", "flat_car", "box_car"))
PORT, JUNCTION, RICHMOND, WATERTOWN, WHITE_RIVER = (ann(name) for name in ANN_HAND)
RAILCARS = {ANN: ("flat_car", "box_car", "port_1", "watertown", "richmond")}
TO_WATERTOWN = moved(ANN, "watertown", "watertown", "burlington", 0)
"""Watertown demands iron and supplies coal and wood."""
TO_ALBANY = moved(ANN, "port_1", "albany", "burlington", 0)
"""Albany demands steel and supplies coal."""


def listed(situation, *kinds, seat=ANN):
    """The listed commands of these kinds, in their order."""
    return [
        action.command for action in TITLE.rules.actions(situation.state, seat) if isinstance(action.command, kinds)
    ]


def test_first_railcars():
    """GTJ 2.11: Burlington supplies iron and wood. Another choice is open until all have chosen."""
    choices = [
        ChooseFirstRailcar(HOPPER, "iron"),
        ChooseFirstRailcar(FLAT, "iron"),
        ChooseFirstRailcar(FLAT, "wood"),
        ChooseFirstRailcar(BOX, "wood"),
    ]
    assert listed(given(dealt()), ChooseFirstRailcar) == choices
    chosen = given(dealt()).when(ANN, choices[0]).after
    assert listed(chosen, ChooseFirstRailcar) == choices


# ==== step 1 ======================================================================================
def test_moves():
    """GTJ 5.4: a card in hand, a place it leads to."""
    ports = ["albany", "hamilton", "montreal_griffintown", "portland"]
    assert sorted((each.card, each.to) for each in listed(given(OPENING), MoveTrain)) == sorted(
        [
            *((PORT, port) for port in ports),
            *((JUNCTION, place) for place in (*ports, "richmond", "watertown", "white_river_jct")),
            (RICHMOND, "richmond"),
            (WATERTOWN, "watertown"),
            (WHITE_RIVER, "white_river_jct"),
        ]
    )


def test_fast_and_right_of_way_are_used_or_declined():
    """GTJ 5.9, 11.9: each alone and both, where they save a day."""
    boston = ann("boston")
    mine = given(opening(hands={ANN: ("watertown", "richmond", "port_1")}), in_hand_from_afar(ANN, "boston"))
    assert listed(mine, MoveTrain)[-3:] == [
        MoveTrain(RICHMOND, "richmond"),
        MoveTrain(RICHMOND, "richmond", right_of_way=boston),
        MoveTrain(WATERTOWN, "watertown"),
    ]
    ways = [each for each in listed(mine.then(fast(ANN)), MoveTrain) if (each.card, each.to) == (PORT, "portland")]
    assert ways == [
        MoveTrain(PORT, "portland"),
        MoveTrain(PORT, "portland", decline_fast=True),
        MoveTrain(PORT, "portland", right_of_way=boston),
        MoveTrain(PORT, "portland", decline_fast=True, right_of_way=boston),
    ]
    two_days = [each for each in listed(mine.then(fast(ANN)), MoveTrain) if each.card == RICHMOND]
    assert two_days == [
        MoveTrain(RICHMOND, "richmond"),
        MoveTrain(RICHMOND, "richmond", decline_fast=True),
        MoveTrain(RICHMOND, "richmond", decline_fast=True, right_of_way=boston),
    ]


# ==== step 2 ======================================================================================
def test_unloading():
    """GTJ 6.2, 6.9, 7.3: each loaded railcar, delivered where its good is demanded, dumped where not."""
    two = given(opening(hands=RAILCARS), force(ANN, 2), coupled(ANN, "flat_car", "wood"), TO_WATERTOWN)
    assert listed(two, DeliverGood, FulfilContract, DumpGood) == [DeliverGood(HOPPER), DumpGood(FLAT)]
    assert listed(two.then(emptied(ANN)), DeliverGood, FulfilContract, DumpGood) == [DumpGood(FLAT)]


def test_steel_is_delivered_with_or_without_the_bonus():
    """GTJ 13.14"""
    steel = given(opening(hands=RAILCARS), without_railcar(ANN), coupled(ANN, "box_car", "steel"), TO_ALBANY)
    assert listed(steel, DeliverGood) == [DeliverGood(BOX)]
    owner = steel.then(owns(ANN, "foreign_steel_contract"))
    assert listed(owner, DeliverGood) == [DeliverGood(BOX), DeliverGood(BOX, foreign_steel=True)]
    last_day = owner.then(spent(ANN, 1, 40))
    assert listed(last_day, DeliverGood) == [DeliverGood(BOX)], "there is no day to pay with"


def test_contracts_of_every_slot():
    """GTJ 7.3: from the first to the last."""
    first = given(
        opening(hands=RAILCARS, contracts=("contract_4d_watertown_wood", "contract_3d_quebec_iron")),
        force(ANN, 2),
        coupled(ANN, "flat_car", "wood"),
        spent(ANN, 0, 1),
        moved(ANN, "watertown", "watertown", "burlington", 1),
    )
    assert listed(first, FulfilContract) == [FulfilContract(FLAT, 1)]
    last = given(
        opening(hands={ANN: ("flat_car", "box_car", "port_1", "white_river_jct", "richmond")}),
        without_railcar(ANN),
        coupled(ANN, "box_car", "wood"),
        ContractTurnedUp(10, "contract_1d_white_river_jct_wood", 32),
        spent(ANN, 0, 35),
        moved(ANN, "white_river_jct", "white_river_jct", "burlington", 35),
    )
    assert listed(last, FulfilContract) == [FulfilContract(BOX, 10)]


# ==== steps 3 to 5 ================================================================================
def test_uncoupling_coupling_and_loading():
    """GTJ 8.1, 8.3, 9.1, 9.2: every empty railcar, every good that is there and fits."""
    empty = given(
        opening(hands=RAILCARS),
        steel_in(ANN, "watertown"),
        force(ANN, 3),
        coupled(ANN, "port_2", "wood"),
        TO_WATERTOWN,
    )
    assert listed(empty, UncoupleRailcar, LoadGood) == [UncoupleRailcar(HOPPER), LoadGood(HOPPER, "coal")]
    assert listed(empty, CoupleRailcar) == [
        CoupleRailcar(BOX, "wood"),
        CoupleRailcar(BOX, "steel"),
        CoupleRailcar(FLAT, "wood"),
    ]
    loaded = empty.when(ANN, LoadGood(HOPPER, "coal")).after
    assert listed(loaded, UncoupleRailcar, LoadGood) == []
    assert len(listed(loaded, CoupleRailcar)) == 3
    assert len(listed(empty.when(ANN, UncoupleRailcar(HOPPER)).after, CoupleRailcar)) == 3


def test_second_cubes():
    """GTJ 11.5, 13.15: on each railcar that holds one cube of what is here; Watertown's card is High Capacity."""
    both = given(
        opening(hands=RAILCARS),
        steel_in(ANN, "white_river_jct"),
        without_railcar(ANN)[1:],
        force(ANN, 4),
        coupled(ANN, "hopper_car", "coal"),
        coupled(ANN, "flat_car", "iron"),
        coupled(ANN, "box_car", "steel"),
        coupled(ANN, "port_2", "wood"),
        owns(ANN, "hi_roof_boxcar"),
        drawn(ANN, "white_river_jct"),
        moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0),
    )
    assert listed(both, PlayHighCapacityRailcar, UseHiRoofBoxcar) == [
        PlayHighCapacityRailcar(WATERTOWN, HOPPER),
        PlayHighCapacityRailcar(WATERTOWN, FLAT),
        UseHiRoofBoxcar(BOX),
    ]
    twice = both.when(ANN, UseHiRoofBoxcar(BOX)).after.when(ANN, PlayHighCapacityRailcar(WATERTOWN, HOPPER)).after
    assert listed(twice, PlayHighCapacityRailcar, UseHiRoofBoxcar) == []


# ==== cards with an action ========================================================================
def test_influence_demand():
    """GTJ 11.6: every two cities, every two ports but Hamilton."""
    ports = ("albany", "montreal_griffintown", "portland")
    pairs = [*combinations(CITIES, 2), *combinations(ports, 2)]
    found = [(each.card, {each.first, each.second}) for each in listed(given(OPENING), PlayInfluenceDemand)]
    assert len(found) == len(pairs) == 66 + 3
    assert all((WHITE_RIVER, set(pair)) in found for pair in pairs)


def test_overland_transport():
    """GTJ 11.7: from every city with steel, with a terminal or without, to its neighbours with room for it."""
    steel = given(
        OPENING,
        in_hand_from_afar(ANN, "utica"),
        steel_in(ANN, "boston", 1),
        steel_in(ANN, "watertown", 2),
        steel_in(ANN, "burlington", 4),
    )
    moves = [(each.origin, each.target) for each in listed(steel, PlayOverlandTransport)]
    assert sorted(moves) == [
        ("boston", "new_london"),
        ("boston", "white_river_jct"),
        ("burlington", "watertown"),
        ("burlington", "white_river_jct"),
        ("watertown", "kingston"),
        ("watertown", "utica"),
    ]


def test_rail_yard():
    """GTJ 11.8: every railcar of the discard pile, with every good that is here; only after the move."""
    pile = [ActionCardPlayed(ANN, card, "development") for card in (FLAT, BOX, RICHMOND)]
    before = given(
        opening(hands=RAILCARS),
        in_hand_from_afar(ANN, "peterborough"),
        steel_in(ANN, "watertown"),
        without_railcar(ANN)[1:],
        pile,
    )
    assert listed(before, PlayRailYard) == []
    yard = ann("peterborough")
    assert listed(before.then(TO_WATERTOWN), PlayRailYard) == [
        PlayRailYard(yard, BOX, "wood"),
        PlayRailYard(yard, BOX, "steel"),
        PlayRailYard(yard, ann("burlington"), "coal"),
        PlayRailYard(yard, FLAT, "wood"),
        PlayRailYard(yard, HOPPER, "coal"),
    ]


def test_development():
    """GTJ 12.1: what each card offers; every city without a terminal, its card either way; every improvement."""
    able = given(OPENING, delivered(ANN, "steel", "coal", "coal", "coal"), without_railcar(ANN)[1:])
    assert listed(able, IncreaseForce, IncreaseSpeed) == [IncreaseForce(RICHMOND), IncreaseSpeed(RICHMOND)]
    closed = ["boston", "kingston", "new_london", "niagara", "ottawa", "peterborough", "quebec", "utica"]
    assert sorted((each.card, each.city, each.new_card) for each in listed(able, BuildTerminal)) == [
        (PORT, city, new_card) for city in closed for new_card in ("deck_top", "discard")
    ]
    assert listed(able, AcquireImprovement) == [AcquireImprovement(PORT, each) for each in IMPROVEMENTS]
    of_four = able.then(in_hand_from_afar(ANN, "kingston"))
    kingston = ann("kingston")
    found = listed(of_four, IncreaseForce, IncreaseSpeed, BuildTerminal, AcquireImprovement)
    assert len([each for each in found if each.card == kingston]) == 1 + 1 + 2 * 7 + 16


def test_objectives():
    """GTJ 16.2: with every Development card, each on display whose conditions are met."""
    met = given(
        opening(objectives=("coal_depot", "iron_ore_depot", "wood_depot")),
        delivered(ANN, "coal", "coal", "coal", "wood", "wood", "wood"),
        without_railcar(ANN)[1:],
    )
    assert listed(met, AcquireObjective) == [
        AcquireObjective(PORT, "coal_depot"),
        AcquireObjective(PORT, "wood_depot"),
        AcquireObjective(RICHMOND, "coal_depot"),
        AcquireObjective(RICHMOND, "wood_depot"),
    ]


# ==== improvements ================================================================================
def test_the_spur():
    """GTJ 13.16: from the hand or off the train; then coupled with each good, or discarded."""
    owner = given(opening(hands=RAILCARS), force(ANN, 2), owns(ANN, "parking_spur"))
    kinds = StoreOnSpur, CoupleFromSpur, DiscardFromSpur
    assert listed(owner, *kinds) == [StoreOnSpur(BOX), StoreOnSpur(FLAT)]
    there = owner.then(TO_WATERTOWN, emptied(ANN))
    assert listed(there, *kinds) == [StoreOnSpur(BOX), StoreOnSpur(FLAT), StoreOnSpur(HOPPER)]
    assert listed(owner.when(ANN, StoreOnSpur(FLAT)).after, *kinds) == [], "once in a turn"
    stored = owner.then(RailcarStored(ANN, BOX, "hand"))
    assert listed(stored, *kinds) == [DiscardFromSpur()]
    with_steel = stored.then(steel_in(ANN, "watertown"), without_railcar(ANN)[1:], TO_WATERTOWN)
    assert listed(with_steel, *kinds) == [CoupleFromSpur("wood"), CoupleFromSpur("steel"), DiscardFromSpur()]


def test_the_crane():
    """GTJ 13.17: each railcar in hand with each good that is here, before the move."""
    owner = given(opening(hands=RAILCARS), force(ANN, 2), owns(ANN, "railroad_crane"))
    assert listed(owner, UseRailroadCrane) == [
        UseRailroadCrane(BOX, "wood"),
        UseRailroadCrane(FLAT, "iron"),
        UseRailroadCrane(FLAT, "wood"),
    ]
    assert listed(owner.then(TO_WATERTOWN), UseRailroadCrane) == []


def test_the_cards_of_roundhouse_and_semaphore_signaling_are_listed():
    """GTJ 13.18, 13.19: each card in hand, before the move and after it."""
    owner = given(OPENING, owns(ANN, "roundhouse", "semaphore_signaling"))
    hand = [PORT, JUNCTION, RICHMOND, WATERTOWN, WHITE_RIVER]
    assert {each.card for each in listed(owner, UseRoundhouse)} == set(hand)
    assert {each.card for each in listed(owner, UseSemaphoreSignaling)} == set(hand)
    there = owner.then(TO_WATERTOWN)
    assert len(listed(there, UseRoundhouse)) == len(listed(there, UseSemaphoreSignaling)) == 4
    assert listed(owner.when(ANN, UseSemaphoreSignaling(PORT)).after, UseSemaphoreSignaling) == []


# ==== the end of a turn ===========================================================================
def test_ending_the_turn():
    """GTJ 10.1: in every step after the move."""
    two = given(opening(hands=RAILCARS), force(ANN, 3), emptied(ANN), TO_WATERTOWN)
    assert listed(given(OPENING), EndTurn) == []
    uncoupled = two.when(ANN, UncoupleRailcar(HOPPER)).after
    loaded = uncoupled.when(ANN, CoupleRailcar(FLAT, "wood")).after
    assert all(listed(each, EndTurn) == [EndTurn()] for each in (two, uncoupled, loaded))


def test_maintenance():
    """GTJ 14.1, 3.5: any cards of the hand, in the order of the company's list; only at the start of a turn."""
    start = given(OPENING)
    discards = [each.discard for each in listed(start, PerformMaintenance)]
    hand = (PORT, JUNCTION, RICHMOND, WATERTOWN, WHITE_RIVER)
    assert discards == [cards for number in range(6) for cards in combinations(hand, number)]
    acted = start.when(ANN, PlayInfluenceDemand(WHITE_RIVER, "boston", "utica")).after
    assert listed(acted, PerformMaintenance) == listed(start.then(TO_WATERTOWN), PerformMaintenance) == []


def test_passing():
    """GTJ 15.3: at the start of a turn, once the end has begun."""
    begun = given(
        opening(order=(BOB, ANN)), spent(BOB, 0, 36), EndBegun(BOB, 36), ended(BOB, 36, True), spent(ANN, 0, 9)
    )
    assert listed(begun, Pass) == [Pass()]
    assert listed(given(OPENING), Pass) == listed(begun.then(TO_WATERTOWN), Pass) == []


def test_nobody_else_has_anything_to_choose():
    """GTJ 3.1"""
    assert TITLE.rules.actions(given(OPENING).state, BOB) == []


# ==== in words ====================================================================================
def said(situation, command):
    """The group it is listed in, and what is said."""
    [action] = [each for each in TITLE.rules.actions(situation.state, ANN) if each.command == command]
    return action.group, say(action.sentence, TITLE.face.words.english, str)


BEFORE = given(
    opening(objectives=("coal_depot", "freight_station", "wood_depot")),
    in_hand_from_afar(ANN, "boston", "utica"),
    delivered(ANN, "steel", "coal", "coal", "coal", "wood", "wood"),
    steel_in(ANN, "burlington", 1),
    without_railcar(ANN)[1:],
    owns(ANN, "railroad_crane", "roundhouse", "semaphore_signaling", "parking_spur"),
    drawn(ANN, "box_car"),
)
FAST = BEFORE.then(fast(ANN))
AT_ALBANY = given(
    opening(hands=RAILCARS, contracts=("contract_4d_watertown_wood", "contract_3d_quebec_iron")),
    owns(ANN, "wood_exporter", "foreign_steel_contract"),
    force(ANN, 3),
    coupled(ANN, "box_car", "steel"),
    TO_ALBANY,
)
"""Ann with iron and steel in Albany, which demands steel."""
AT_WATERTOWN = given(
    opening(hands=RAILCARS, contracts=("contract_4d_watertown_wood", "contract_3d_quebec_iron")),
    in_hand_from_afar(ANN, "peterborough", "quebec"),
    steel_in(ANN, "watertown"),
    without_railcar(ANN)[1:],
    force(ANN, 4),
    coupled(ANN, "hopper_car", "iron"),
    ActionCardPlayed(ANN, BOX, "development"),
    coupled(ANN, "quebec", "steel"),
    coupled(ANN, "flat_car", "wood"),
    owns(ANN, "hi_roof_boxcar"),
    spent(ANN, 0, 1),
    moved(ANN, "watertown", "watertown", "burlington", 1),
)
"""Ann in Watertown on day 2 with steel, wood and iron; her Box Car lies in the discard pile."""
AT_WHITE_RIVER = given(
    opening(hands=RAILCARS),
    force(ANN, 2),
    owns(ANN, "parking_spur"),
    in_hand_from_afar(ANN, "new_london"),
    RailcarStored(ANN, FLAT, "hand"),
    drawn(ANN, "white_river_jct"),
    moved(ANN, "white_river_jct", "white_river_jct", "burlington", 0),
)
"""Ann in White River Jct with iron, and her Flat Car on the spur."""
LATE = given(opening(order=(BOB, ANN)), spent(BOB, 0, 36), EndBegun(BOB, 36), ended(BOB, 36, True), spent(ANN, 0, 9))
FACTORY = BEFORE.then(owns(ANN, "rail_equipment_factory"))
FORCE, SWAP = "Richmond (Force or Speed)", "White River Jct (Influence Demand)"
SECOND = "Watertown (High Capacity Railcar)"
BUILD, RIGHT = "Port (Terminal or Improvement)", "Boston (Right of Way)"
SAID = [
    (given(dealt()), ChooseFirstRailcar(FLAT, "iron"), "first_railcar", "Start with Flat Car and load iron"),
    (BEFORE, MoveTrain(RICHMOND, "richmond"), "move", f"Move to Richmond with {FORCE}: 2 days"),
    (FAST, MoveTrain(RICHMOND, "richmond"), "move", f"Move to Richmond with {FORCE}: 1 day"),
    (FAST, MoveTrain(RICHMOND, "richmond", True), "move", f"Move to Richmond with {FORCE}, without Fast: 2 days"),
    (FAST, MoveTrain(PORT, "portland", False, ann("boston")), "move",
     f"Move to Portland with {BUILD} and {RIGHT}: 1 day"),
    (FAST, MoveTrain(PORT, "portland", True, ann("boston")), "move",
     f"Move to Portland with {BUILD} and {RIGHT}, without Fast: 2 days"),
    (AT_ALBANY, DeliverGood(BOX), "unload", "Deliver steel from Box Car in Albany"),
    (AT_ALBANY, DeliverGood(BOX, True), "unload",
     "Deliver steel from Box Car in Albany, with Foreign Steel Contract: 1 day"),
    (AT_ALBANY, DumpGood(HOPPER), "unload", "Dump iron from Hopper Car"),
    (AT_WATERTOWN, FulfilContract(FLAT, 1), "unload", "Fulfil contract 1 in Watertown with wood from Flat Car: 3 VP"),
    (AT_WATERTOWN.then(emptied(ANN)), UncoupleRailcar(HOPPER), "uncouple", "Uncouple Hopper Car"),
    (AT_WATERTOWN, PlayRailYard(ann("peterborough"), BOX, "wood"), "couple",
     "With Peterborough (Rail Yard), couple Box Car from the discard pile with wood"),
    (AT_WHITE_RIVER, CoupleRailcar(ann("new_london"), "coal"), "couple", "Couple New London (Gondola) with coal"),
    (AT_WHITE_RIVER, CoupleFromSpur("iron"), "couple", "Couple Flat Car from the spur with iron: 1 day"),
    (AT_WHITE_RIVER, DiscardFromSpur(), "improvement", "Discard Flat Car from the spur"),
    (AT_WATERTOWN.then(emptied(ANN)), LoadGood(HOPPER, "coal"), "load", "Load coal on Hopper Car"),
    (AT_WHITE_RIVER, PlayHighCapacityRailcar(WATERTOWN, HOPPER), "load",
     f"Load a second iron on Hopper Car with {SECOND}"),
    (AT_WATERTOWN, UseHiRoofBoxcar(ann("quebec")), "load",
     "Load a second steel on Québec (Gondola) with Hi-Roof Boxcar: 1 day"),
    (BEFORE, PlayInfluenceDemand(WHITE_RIVER, "boston", "utica"), "action",
     f"Exchange the goods tokens of Boston and Utica with {SWAP}"),
    (BEFORE, PlayOverlandTransport(ann("utica"), "burlington", "watertown"), "action",
     "Move a steel from Burlington to Watertown with Utica (Overland Transport)"),
    (BEFORE, IncreaseForce(RICHMOND), "development", f"Increase to Force II with {FORCE}: 1 day"),
    (FACTORY, IncreaseForce(RICHMOND), "development", f"Increase to Force II with {FORCE}: 0 days"),
    (BEFORE, IncreaseSpeed(RICHMOND), "development", f"Make the train Fast with {FORCE}: 1 day"),
    (FACTORY, IncreaseSpeed(RICHMOND), "development", f"Make the train Fast with {FORCE}: 0 days"),
    (BEFORE, BuildTerminal(PORT, "quebec"), "development",
     f"Build a terminal in Québec with {BUILD} and put the city's card on top of your deck: 1 day"),
    (BEFORE, BuildTerminal(PORT, "quebec", "discard"), "development",
     f"Build a terminal in Québec with {BUILD} and put the city's card on your discard pile: 1 day"),
    (BEFORE, AcquireImprovement(PORT, "warehouse"), "development", f"Acquire Warehouse with {BUILD}: 2 days"),
    (BEFORE, AcquireObjective(PORT, "freight_station"), "development",
     f"Take Freight Station with {BUILD}: 4 VP, 1 day"),
    (BEFORE, StoreOnSpur(BOX), "improvement", "Put Box Car on the spur"),
    (BEFORE, UseRailroadCrane(BOX, "steel"), "improvement", "With Railroad Crane, couple Box Car with steel: 1 day"),
    (BEFORE, UseRoundhouse(JUNCTION), "improvement", "With Roundhouse, discard Grand Trunk Jct and draw a card"),
    (BEFORE, UseSemaphoreSignaling(JUNCTION), "improvement", "With Semaphore Signaling, discard Grand Trunk Jct"),
    (AT_ALBANY, EndTurn(), "end", "End the turn and draw cards"),
    (BEFORE, PerformMaintenance(), "maintenance", "Do maintenance and discard nothing: 1 day"),
    (BEFORE, PerformMaintenance((JUNCTION, WATERTOWN)), "maintenance",
     f"Do maintenance and discard Grand Trunk Jct and {SECOND}: 1 day"),
    (LATE, Pass(), "pass", "Pass: take no more turns"),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "command", "group", "words"), SAID)
def test_each_action_is_said_with_what_it_takes(situation, command, group, words):
    """GTJ 19.1: the days, places, cards and points are those of the command."""
    assert said(situation, command) == (group, words)


# ==== near misses =================================================================================
def near(state):
    """Commands of every kind that name Ann's cards, one in her pile and one of Bob's, and all places and goods."""
    mine = state.seats[ANN]
    strange = [*sorted(mine.discard)[:1], bob("flat_car")]
    cards = [*sorted(mine.hand), *strange]
    railcars = {HOPPER, FLAT, BOX, *cards, *(each.card for each in mine.railcars)}
    fits = [(card, good) for card in railcars | mine.discard for good in (*GOODS, "tin")]
    yield from (EndTurn(), Pass(), DiscardFromSpur())
    yield from starmap(MoveTrain, product(cards, PLACES, (False, True), (None, *cards)))
    yield from starmap(DeliverGood, product(railcars, (False, True)))
    yield from starmap(FulfilContract, product(railcars, SLOTS))
    for kind in (ChooseFirstRailcar, CoupleRailcar, LoadGood, UseRailroadCrane):
        yield from starmap(kind, fits)
    for kind in (DumpGood, UncoupleRailcar, UseHiRoofBoxcar):
        yield from map(kind, railcars)
    for kind in (IncreaseForce, IncreaseSpeed, StoreOnSpur, UseRoundhouse, UseSemaphoreSignaling):
        yield from map(kind, railcars)
    yield from map(CoupleFromSpur, GOODS)
    yield from starmap(PlayHighCapacityRailcar, product(cards, railcars))
    yield from (PlayRailYard(card, *fit) for card in cards for fit in fits)
    for first, second in product(PLACES, PLACES):
        yield from (PlayOverlandTransport(card, first, second) for card in cards)
        if PLACE_ORDER[first] <= PLACE_ORDER[second]:
            yield from (PlayInfluenceDemand(card, first, second) for card in cards)
    yield from starmap(BuildTerminal, product(cards, PLACES, ("deck_top", "discard")))
    yield from starmap(AcquireImprovement, product(cards, (*IMPROVEMENTS[::3], "speculator")))
    yield from starmap(AcquireObjective, product(cards, OBJECTIVES))
    for number in range(4):
        yield from map(PerformMaintenance, combinations(in_order(cards), number))
        yield PerformMaintenance(tuple(cards[:number]) * 2)


LAST_DAYS = BEFORE.then(spent(ANN, 0, 38))
NEAR = [
    given(dealt()),
    given(OPENING),
    BEFORE,
    FAST,
    LAST_DAYS,
    LAST_DAYS.then(fast(ANN)),
    AT_ALBANY,
    AT_WATERTOWN,
    AT_WATERTOWN.then(emptied(ANN)),
    AT_WHITE_RIVER,
    AT_WHITE_RIVER.when(ANN, CoupleFromSpur("iron")).after,
    LATE,
]


def accepts(state, seat, command):
    try:
        decide(state, seat, command, NoChance())
    except Refused:
        return False
    except ChanceAsked:
        return True
    return True


@pytest.mark.parametrize("situation", NEAR)
def test_exactly_the_commands_that_are_not_refused_are_listed(situation):
    """GTJ 18.7 Tried with commands that are nearly legal, and nearly not."""
    tried = set(near(situation.state))
    for seat in (ANN, BOB):
        legal = {it.command for it in TITLE.rules.actions(situation.state, seat)}
        accepted = {it for it in tried if accepts(situation.state, seat, it)}
        assert accepted == tried & legal
        assert accepted < tried, "some are near misses"
        if seat == ANN:
            unnamed = {it for it in legal - tried if not isinstance(it, PerformMaintenance | AcquireImprovement)}
            assert not unnamed, "all kinds of legal actions are tried"
    assert {type(it) for it in tried} == set(ANSWERS)
