"""GTJ 5: Option 1, its six steps, and moving."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.board import LINKS_BETWEEN
from domain.grand_trunk.commands import (
    AcquireImprovement,
    AcquireObjective,
    BuildTerminal,
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
    PlayHighCapacityRailcar,
    PlayInfluenceDemand,
    PlayOverlandTransport,
    StoreOnSpur,
    UncoupleRailcar,
    UseHiRoofBoxcar,
    UseRailroadCrane,
    UseRoundhouse,
    UseSemaphoreSignaling,
)
from domain.grand_trunk.events import CardsDiscarded, DaysSpent, RailcarStored, TerminalBuilt, TrainMoved
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    coupled,
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

START = given(OPENING)


def move(name, to, **more):
    return MoveTrain(ann(name), to, **more)


def days(situation, command, chance=()):
    (spent_days,) = situation.when(ANN, command, chance).only(DaysSpent)
    return spent_days.days


# ==== GTJ 5.1 to 5.3: the order of the steps ======================================================
TWO = given(
    opening(hands={ANN: ("flat_car", "box_car", "watertown", "port_1", "richmond")}),
    force(ANN, 3),
    coupled(ANN, "flat_car", "wood"),
    emptied(ANN),
    owns(ANN, "hi_roof_boxcar"),
    moved(ANN, "port_1", "portland", "burlington", 0, 3),
)
"""Ann stands in Portland (demands steel; supplies wood): an empty hopper car, wood on the flat car, box car in hand."""


def test_the_steps_are_taken_in_order():
    """GTJ 5.1"""
    uncoupled = TWO.when(ANN, UncoupleRailcar(ann("hopper_car"))).after
    loaded = uncoupled.when(ANN, CoupleRailcar(ann("box_car"), "wood")).after
    for unloading in (DeliverGood(ann("flat_car")), DumpGood(ann("flat_car")), FulfilContract(ann("flat_car"), 1)):
        uncoupled.when(ANN, unloading).then_refused("GTJ 5.1")
        loaded.when(ANN, unloading).then_refused("GTJ 5.1")
    loaded.when(ANN, UncoupleRailcar(ann("hopper_car"))).then_refused("GTJ 5.1")
    assert uncoupled.allows(ANN, EndTurn())


@pytest.mark.parametrize(
    "command",
    [
        DeliverGood(ann("hopper_car")),
        FulfilContract(ann("hopper_car"), 1),
        DumpGood(ann("hopper_car")),
        UncoupleRailcar(ann("hopper_car")),
        CoupleRailcar(ann("flat_car"), "iron"),
        LoadGood(ann("hopper_car"), "iron"),
        PlayHighCapacityRailcar(ann("watertown"), ann("hopper_car")),
    ],
)
def test_nothing_of_the_later_steps_before_the_move(command):
    """GTJ 5.1"""
    early = START.when(ANN, command)
    early.then_refused("GTJ 5.1")
    assert early.refusal.sentence.template == "You can do this only after the move."


def test_hi_roof_boxcar_belongs_to_loading():
    """GTJ 5.1"""
    given(OPENING, owns(ANN, "hi_roof_boxcar")).when(ANN, UseHiRoofBoxcar(ann("hopper_car"))).then_refused("GTJ 5.1")


def test_a_step_may_be_passed_over():
    """GTJ 5.1"""
    assert TWO.when(ANN, CoupleRailcar(ann("box_car"), "wood")).events
    assert TWO.when(ANN, EndTurn(), chance=[ann("port_2"), ann("white_river_jct")]).events


def test_a_card_is_a_location_or_an_attribute():
    """GTJ 5.2"""
    gone = START.when(ANN, move("port_1", "albany")).after
    gone.when(ANN, BuildTerminal(ann("port_1"), "boston")).then_refused("GTJ 11.2")
    START.when(ANN, BuildTerminal(ann("grand_trunk_jct"), "boston")).then_refused("GTJ 11.2")


def test_one_move_and_no_more():
    """GTJ 5.3"""
    START.when(ANN, move("watertown", "watertown")).after.when(ANN, move("port_1", "albany")).then_refused("GTJ 5.3")
    TWO.when(ANN, UncoupleRailcar(ann("hopper_car"))).after.when(ANN, move("watertown", "watertown")).then_refused(
        "GTJ 5.3"
    )


def test_one_move_and_no_less():
    """GTJ 5.3"""
    START.when(ANN, EndTurn()).then_refused("GTJ 5.3")
    acted = START.when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).after
    acted.when(ANN, EndTurn()).then_refused("GTJ 5.3")


# ==== GTJ 5.4 to 5.7: where to ====================================================================
def test_a_city_card_leads_to_its_city():
    """GTJ 5.4"""
    START.when(ANN, move("watertown", "watertown")).then(
        DaysSpent(ANN, 1, 0, 1, "move"),
        TrainMoved(ANN, ann("watertown"), ann("burlington"), "burlington", "watertown", 1, False, False, None, 1),
    )
    START.when(ANN, move("watertown", "richmond")).then_refused("GTJ 5.4")


@pytest.mark.parametrize("port", ["albany", "hamilton", "montreal_griffintown", "portland"])
def test_a_port_card_leads_to_any_port(port):
    """GTJ 5.4"""
    assert START.when(
        ANN, move("port_1", port), chance=["contract_3d_boston_wood"] if port == "hamilton" else ()
    ).events


def test_a_port_card_leads_to_no_city():
    """GTJ 5.4"""
    START.when(ANN, move("port_1", "watertown")).then_refused("GTJ 5.4")


@pytest.mark.parametrize(
    "place", ["albany", "montreal_griffintown", "portland", "watertown", "white_river_jct", "richmond"]
)
def test_the_junction_leads_to_any_port_and_any_city_with_a_terminal(place):
    """GTJ 5.4"""
    chance = ["contract_3d_boston_wood"] if LINKS_BETWEEN["burlington"][place] == 3 else ()
    assert START.when(ANN, move("grand_trunk_jct", place), chance=chance).events


def test_a_city_without_a_terminal_is_out_of_reach():
    """GTJ 5.4"""
    START.when(ANN, move("grand_trunk_jct", "boston")).then_refused("GTJ 5.4")


def test_a_city_card_does_not_lead_to_a_city_without_a_terminal():
    """GTJ 5.4"""
    held = given(opening(hands={ANN: ("boston", "box_car", "port_1", "watertown", "richmond")}))
    held.when(ANN, move("boston", "boston")).then_refused("GTJ 5.4")


@pytest.mark.parametrize(
    ("card", "to"),
    [
        (ann("port_2"), "albany"),  # in the deck
        (ann("boston"), "boston"),  # set aside
        (ann("flat_car"), "watertown"),  # a plain railcar, in the deck
        (bob("port_1"), "albany"),  # Bob's
        ("no_such_card", "albany"),
        (ann("port_1"), "no_such_place"),
        (ann("grand_trunk_jct"), "no_such_place"),
    ],
)
def test_cards_that_lead_nowhere(card, to):
    """GTJ 5.4"""
    START.when(ANN, MoveTrain(card, to)).then_refused("GTJ 5.4")


def test_a_plain_railcar_in_hand_leads_nowhere():
    """GTJ 5.4"""
    railcar = given(opening(hands={ANN: ("flat_car", "box_car", "port_1", "watertown", "richmond")}))
    railcar.when(ANN, move("flat_car", "watertown")).then_refused("GTJ 5.4")


def test_the_train_goes_to_another_place():
    """GTJ 5.5"""
    START.when(ANN, move("grand_trunk_jct", "burlington")).then_refused("GTJ 5.5")


def test_from_port_to_port_is_a_move():
    """GTJ 5.5"""
    hand = {ANN: ("port_1", "port_2", "watertown", "richmond", "white_river_jct")}
    in_albany = given(opening(hands=hand), spent(2, 0, 9), moved(ANN, "port_1", "albany", "burlington", 0))
    in_albany = in_albany.when(ANN, EndTurn(), chance=[ann("flat_car")]).after
    in_albany.when(ANN, move("port_2", "montreal_griffintown")).then_includes(
        TrainMoved(ANN, ann("port_2"), ann("port_1"), "albany", "montreal_griffintown", 2, False, False, None, 2)
    )
    in_albany.when(ANN, move("port_2", "albany")).then_refused("GTJ 5.5")


def test_the_location_card_changes():
    """GTJ 5.6"""
    seat = TITLE.rules.view(START.when(ANN, move("watertown", "watertown")).after.state, ANN).own
    assert seat.location == ann("watertown")
    assert seat.discard == (ann("burlington"),)
    assert ann("watertown") not in seat.hand


@pytest.mark.parametrize(
    ("a", "b", "links"),
    [
        ("burlington", "richmond", 2),  # through a port, or through a city
        ("boston", "portland", 1),
        ("quebec", "niagara", 5),
        ("watertown", "white_river_jct", 2),
        ("ottawa", "boston", 4),  # through cities without a terminal
        ("hamilton", "portland", 5),
        ("albany", "hamilton", 3),
    ],
)
def test_the_train_takes_the_shortest_way(a, b, links):
    """GTJ 5.7: counted here by walking the map, link by link."""
    from domain.grand_trunk.board import BOARD

    reached, steps = {a}, 0
    while b not in reached:
        reached |= {link.b for link in BOARD.links if link.a in reached} | {
            link.a for link in BOARD.links if link.b in reached
        }
        steps += 1
    assert LINKS_BETWEEN[a][b] == steps == links


# ==== GTJ 5.8 and 5.9: days =======================================================================
def test_a_move_costs_a_day_for_each_link():
    """GTJ 5.8"""
    assert days(START, move("watertown", "watertown")) == 1
    assert days(START, move("richmond", "richmond")) == 2


def test_the_junction_costs_a_day_more():
    """GTJ 5.8"""
    outcome = START.when(ANN, move("grand_trunk_jct", "richmond"))
    outcome.then(
        DaysSpent(ANN, 3, 0, 3, "move"),
        TrainMoved(ANN, ann("grand_trunk_jct"), ann("burlington"), "burlington", "richmond", 2, True, False, None, 3),
    )


FAST = given(OPENING, fast(ANN))


def test_fast_saves_a_day_but_not_the_last():
    """GTJ 5.8"""
    assert days(FAST, move("richmond", "richmond")) == 1
    assert days(FAST, move("watertown", "watertown")) == 1
    assert days(FAST, move("grand_trunk_jct", "richmond")) == 2
    assert days(FAST, move("grand_trunk_jct", "watertown")) == 1


WITH_RIGHT_OF_WAY = given(OPENING, in_hand_from_afar(ANN, "boston"))
"""Ann's Boston card shows Right of Way."""
RIGHT = ann("boston")


def test_right_of_way_saves_a_day():
    """GTJ 5.8, 11.9"""
    assert days(WITH_RIGHT_OF_WAY, move("richmond", "richmond", right_of_way=RIGHT)) == 1
    fast_too = WITH_RIGHT_OF_WAY.then(fast(ANN))
    assert days(fast_too, move("grand_trunk_jct", "richmond", right_of_way=RIGHT)) == 1
    assert days(fast_too, move("grand_trunk_jct", "hamilton", right_of_way=RIGHT)) == 3
    assert LINKS_BETWEEN["burlington"]["hamilton"] == 4


def test_a_sum_below_one_is_one():
    """GTJ 5.8: the sum first, the floor last."""
    junction_to_neighbour = WITH_RIGHT_OF_WAY.then(fast(ANN))
    assert days(junction_to_neighbour, move("grand_trunk_jct", "watertown")) == 1
    junction_to_neighbour.when(ANN, move("grand_trunk_jct", "watertown", right_of_way=RIGHT)).then_refused("GTJ 11.9")
    assert days(junction_to_neighbour, move("grand_trunk_jct", "watertown", right_of_way=RIGHT, decline_fast=True)) == 1


def test_fast_may_be_declined():
    """GTJ 5.9"""
    FAST.when(ANN, move("richmond", "richmond", decline_fast=True)).then(
        DaysSpent(ANN, 2, 0, 2, "move"),
        TrainMoved(ANN, ann("richmond"), ann("burlington"), "burlington", "richmond", 2, False, True, None, 2),
    )
    assert days(FAST, move("grand_trunk_jct", "watertown", decline_fast=True)) == 2


def test_fast_is_not_declined_where_it_changes_nothing():
    """GTJ 5.9"""
    START.when(ANN, move("richmond", "richmond", decline_fast=True)).then_refused("GTJ 5.9")
    FAST.when(ANN, move("watertown", "watertown", decline_fast=True)).then_refused("GTJ 5.9")


def test_right_of_way_does_not_matter_for_declining():
    """GTJ 5.9"""
    fast_too = WITH_RIGHT_OF_WAY.then(fast(ANN))
    assert days(fast_too, move("richmond", "richmond", decline_fast=True, right_of_way=RIGHT)) == 1


# ==== GTJ 5.10: actions before the move ===========================================================
def test_actions_may_be_played_before_the_move():
    """GTJ 5.10"""
    acted = START.when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).after
    assert acted.when(ANN, move("watertown", "watertown")).events


def test_an_action_that_leaves_no_move_is_refused():
    """GTJ 5.10"""
    last = given(opening(hands={ANN: ("white_river_jct", "flat_car")}))
    last.when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).then_refused("GTJ 5.10")
    keeps = given(opening(hands={ANN: ("white_river_jct", "watertown")}))
    assert keeps.when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")).events


def test_days_must_be_enough_for_the_move():
    """GTJ 5.10"""
    late = given(opening(hands={ANN: ("port_1", "watertown")}), spent(ANN, 0, 39))
    late.when(ANN, BuildTerminal(ann("port_1"), "boston")).then_refused("GTJ 5.10")
    earlier = given(opening(hands={ANN: ("port_1", "watertown")}), spent(ANN, 0, 38))
    assert earlier.when(ANN, BuildTerminal(ann("port_1"), "boston")).events
    far = given(opening(hands={ANN: ("port_1", "richmond")}), spent(ANN, 0, 38))
    far.when(ANN, BuildTerminal(ann("port_1"), "boston")).then_refused("GTJ 5.10")


def test_discounts_count():
    """GTJ 5.10"""
    hand = {ANN: ("port_1", "richmond")}
    assert (
        given(opening(hands=hand), fast(ANN), spent(ANN, 0, 38))
        .when(ANN, BuildTerminal(ann("port_1"), "boston"))
        .events
    )
    held = given(opening(hands=hand), in_hand_from_afar(ANN, "boston"), spent(ANN, 0, 38))
    assert held.when(ANN, BuildTerminal(ann("port_1"), "kingston")).events


def about_to_swap(day, *, at=None, hand=("white_river_jct",), cities=()):
    """Ann on ``day`` in Burlington or ``at`` a port, with Influence Demand and ``hand`` and ``cities`` to move with."""
    there = [moved(ANN, "port_2", at, "burlington", 0), ended(ANN, 1), spent(BOB, 0, 40), ended(BOB, 40)] if at else []
    hands = {ANN: (*hand, *(["port_2"] if at else []))}
    start = int(at is not None)
    return given(opening(hands=hands), in_hand_from_afar(ANN, *cities), there, spent(ANN, start, day))


SWAP = PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")


def test_the_days_of_the_junction_count():
    """GTJ 5.10, 5.8: with the junction alone no move takes less than two days."""
    hand = ("white_river_jct", "grand_trunk_jct")
    assert about_to_swap(38, hand=hand).when(ANN, SWAP).events
    about_to_swap(39, hand=hand).when(ANN, SWAP).then_refused("GTJ 5.10")


def test_the_longest_way_must_fit_as_well():
    """GTJ 5.10: Niagara is five links from Portland."""
    assert LINKS_BETWEEN["portland"]["niagara"] == 5
    assert about_to_swap(35, at="portland", cities=["niagara"]).when(ANN, SWAP).events
    four_days = about_to_swap(36, at="portland", cities=["niagara"])
    four_days.when(ANN, SWAP).then_refused("GTJ 5.10")
    assert four_days.then(fast(ANN)).when(ANN, SWAP).events


def test_a_card_that_leads_only_home_is_no_move():
    """GTJ 5.10, 5.5"""
    hand = {ANN: ("port_1", "watertown", "flat_car", "box_car", "richmond")}
    home = given(opening(hands=hand), moved(ANN, "watertown", "watertown", "burlington", 0), ended(ANN, 1))
    home = home.then(TerminalBuilt(ANN, "kingston", 2, "deck_top"), spent(BOB, 0, 9), ended(BOB, 9))
    only = home.then(CardsDiscarded(ANN, (ann("richmond"),), "semaphore_signaling"))
    assert only.when(ANN, BuildTerminal(ann("port_1"), "boston")).refusal.rule == "GTJ 5.10"


def test_roundhouse_may_not_bet_the_move_on_its_card():
    """GTJ 5.10"""
    bet = given(opening(hands={ANN: ("watertown", "flat_car")}), owns(ANN, "roundhouse", "semaphore_signaling"))
    bet.when(ANN, UseRoundhouse(ann("watertown"))).then_refused("GTJ 5.10")
    bet.when(ANN, UseSemaphoreSignaling(ann("watertown"))).then_refused("GTJ 5.10")
    assert bet.when(ANN, UseSemaphoreSignaling(ann("flat_car"))).events


def test_a_card_gives_its_own_move_no_right_of_way():
    """GTJ 5.10, 5.2: Boston is two days away, and its card cannot shorten the way there as well."""
    alone = given(opening(hands={ANN: ("port_1",)}), in_hand_from_afar(ANN, "boston"), spent(ANN, 0, 38))
    alone.when(ANN, BuildTerminal(ann("port_1"), "kingston")).then_refused("GTJ 5.10")


def test_a_right_of_way_that_is_discarded_counts_no_more():
    """GTJ 5.10"""
    late = given(
        opening(hands={ANN: ("richmond", "flat_car")}),
        in_hand_from_afar(ANN, "boston"),
        owns(ANN, "semaphore_signaling"),
        spent(ANN, 0, 39),
    )
    late.when(ANN, UseSemaphoreSignaling(RIGHT)).then_refused("GTJ 5.10")
    assert late.when(ANN, UseSemaphoreSignaling(ann("flat_car"))).events


def test_speed_counts_as_soon_as_it_is_there():
    """GTJ 5.10, 12.4: the junction takes two days to a neighbour, with Fast one."""
    slow = given(
        opening(hands={ANN: ("richmond", "grand_trunk_jct")}),
        owns(ANN, "rail_equipment_factory"),
        delivered(ANN, "coal", "coal", "coal"),
        spent(ANN, 0, 39),
    )
    assert slow.when(ANN, IncreaseSpeed(ann("richmond"))).events


def test_the_junction_leads_to_the_terminal_just_built():
    """GTJ 5.10, 12.5: from Hamilton every open place but Niagara is three links or more away."""
    far_west = given(
        opening(hands={ANN: ("port_1", "port_2", "grand_trunk_jct")}),
        moved(ANN, "port_2", "hamilton", "burlington", 0),
        ended(ANN, 1),
        spent(BOB, 0, 38),
        ended(BOB, 38),
        spent(ANN, 1, 37),
    )
    assert far_west.when(ANN, BuildTerminal(ann("port_1"), "niagara")).events
    far_west.when(ANN, BuildTerminal(ann("port_1"), "boston")).then_refused("GTJ 5.10")


ACTIONS = {
    "white_river_jct": (0, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica")),
    "utica": (0, PlayOverlandTransport(ann("utica"), "burlington", "watertown")),
    "richmond, Force": (1, IncreaseForce(ann("richmond"))),
    "richmond, Speed": (1, IncreaseSpeed(ann("richmond"))),
    "port_1, terminal": (1, BuildTerminal(ann("port_1"), "boston")),
    "port_1, improvement": (2, AcquireImprovement(ann("port_1"), "speculator")),
    "port_1, objective": (1, AcquireObjective(ann("port_1"), "coal_depot")),
    "niagara, spur": (0, StoreOnSpur(ann("niagara"))),
    "niagara, crane": (1, UseRailroadCrane(ann("niagara"), "wood")),
    "richmond, roundhouse": (0, UseRoundhouse(ann("richmond"))),
    "richmond, semaphore": (0, UseSemaphoreSignaling(ann("richmond"))),
    "nothing, spur": (0, DiscardFromSpur()),
}
"""The card each action takes out of the hand, and its days."""


def about_to_act(action, day, *more):
    """Ann in Burlington on ``day``, with nothing in hand but the card of ``action`` and ``more``."""
    name = action.split(",")[0]
    from_afar = name in ("utica", "niagara")
    hand = (*more, *([] if from_afar or name == "nothing" else [name]))
    events = [
        opening(hands={ANN: hand}, objectives=("coal_depot", "iron_ore_depot", "wood_depot")),
        in_hand_from_afar(ANN, name) if from_afar else [],
        owns(ANN, "parking_spur", "railroad_crane", "roundhouse", "semaphore_signaling"),
        steel_in(ANN, "burlington", 1),
        delivered(ANN, "steel", "coal", "coal", "coal"),
        without_railcar(ANN)[1:],
        spent(ANN, 0, day) if day else [],
    ]
    if name == "nothing":
        events += [drawn(ANN, "box_car"), RailcarStored(ANN, ann("box_car"), "hand")]
    return given(*events)


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_before_the_move_leaves_one(action):
    """GTJ 5.10: a card, not the one the action takes, and a day for it."""
    days, command = ACTIONS[action]
    chance = [ann("flat_car")] if isinstance(command, UseRoundhouse) else []
    just_enough = about_to_act(action, 39 - days, "watertown").when(ANN, command, chance=chance).after
    assert just_enough.when(ANN, move("watertown", "watertown")).events
    about_to_act(action, 40 - days, "watertown").when(ANN, command).then_refused("GTJ 5.10")
    about_to_act(action, 0, "flat_car").when(ANN, command).then_refused("GTJ 5.10")
