"""GTJ 13: the sixteen improvements."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    AcquireImprovement,
    BuildTerminal,
    CoupleFromSpur,
    DeliverGood,
    DiscardFromSpur,
    FulfilContract,
    IncreaseForce,
    IncreaseSpeed,
    MoveTrain,
    PerformMaintenance,
    StoreOnSpur,
    UseHiRoofBoxcar,
    UseRailroadCrane,
    UseRoundhouse,
    UseSemaphoreSignaling,
)
from domain.grand_trunk.events import (
    CardsDiscarded,
    CardsDrawn,
    DaysSpent,
    DeckShuffled,
    FirstDeliveryTaken,
    ForceIncreased,
    GoodDelivered,
    GoodLoaded,
    ImprovementAcquired,
    ImprovementUsed,
    RailcarCoupled,
    RailcarStored,
    RailcarUncoupled,
    SpeculatorPaid,
    SpeedIncreased,
    SteelBonusPaid,
    TerminalBuilt,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    OPENING,
    ann,
    bob,
    coupled,
    delivered,
    emptied,
    ended,
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

HOPPER, FLAT, BOX, PORT, RICHMOND = (ann(name) for name in ("hopper_car", "flat_car", "box_car", "port_1", "richmond"))
RAILCARS = {ANN: ("flat_car", "box_car", "port_1", "watertown", "richmond")}


def seat(situation, number=ANN):
    return TITLE.rules.view(situation.state, number).own


def at_port(good, *improvements, railcar="flat_car", cubes=1):
    """Ann in Albany with ``good``."""
    return given(
        opening(hands=RAILCARS),
        without_railcar(ANN),
        owns(ANN, *improvements),
        coupled(ANN, railcar, good, cubes),
        moved(ANN, "port_1", "albany", "burlington", 0),
    )


# ==== GTJ 13.1 to 13.3: permanent, one-time, actions ==============================================
def test_a_permanent_improvement_holds_at_once():
    """GTJ 13.1"""
    before = given(
        opening(hands=RAILCARS),
        without_railcar(ANN),
        coupled(ANN, "flat_car", "wood"),
        in_hand_from_afar(ANN, "kingston"),
        moved(ANN, "port_1", "albany", "burlington", 0),
    )
    before.when(ANN, DeliverGood(FLAT)).then_refused("GTJ 6.2")
    after = before.when(ANN, AcquireImprovement(ann("kingston"), "wood_exporter")).after
    assert after.when(ANN, DeliverGood(FLAT)).events


def test_a_one_time_improvement_happens_once_and_stays():
    """GTJ 13.2"""
    mine = given(OPENING).when(ANN, AcquireImprovement(PORT, "coal_mine")).after
    assert (seat(mine).improvements, seat(mine).delivered["coal"]) == (("coal_mine",), 2)
    later = mine.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    assert seat(later).delivered["coal"] == 2


def test_an_action_improvement_is_used_once_a_turn():
    """GTJ 13.3"""
    owner = given(OPENING, owns(ANN, "semaphore_signaling"))
    used = owner.when(ANN, UseSemaphoreSignaling(PORT)).after
    used.when(ANN, UseSemaphoreSignaling(RICHMOND)).then_refused("GTJ 13.3")
    moved_on = used.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    moved_on.when(ANN, UseSemaphoreSignaling(RICHMOND)).then_refused("GTJ 13.3")
    next_turn = moved_on.then(spent(BOB, 0, 9), ended(ANN, 1))
    assert next_turn.when(ANN, UseSemaphoreSignaling(RICHMOND)).events


def test_an_action_improvement_stays_used_when_another_is_used():
    """GTJ 13.3"""
    owner = given(OPENING, owns(ANN, "semaphore_signaling", "roundhouse"))
    both = owner.when(ANN, UseSemaphoreSignaling(PORT)).after.then(ImprovementUsed(ANN, "roundhouse"))
    both.when(ANN, UseSemaphoreSignaling(RICHMOND)).then_refused("GTJ 13.3")
    both.when(ANN, UseRoundhouse(RICHMOND)).then_refused("GTJ 13.3")


def test_one_just_acquired_may_be_used_in_the_same_turn():
    """GTJ 13.3"""
    mine = given(OPENING).when(ANN, AcquireImprovement(PORT, "semaphore_signaling")).after
    assert mine.when(ANN, UseSemaphoreSignaling(RICHMOND)).events


@pytest.mark.parametrize(
    "command",
    [
        UseSemaphoreSignaling(PORT),
        UseRoundhouse(PORT),
        StoreOnSpur(FLAT),
        DiscardFromSpur(),
        UseRailroadCrane(FLAT, "iron"),
    ],
)
def test_only_the_owner_uses_an_improvement(command):
    """GTJ 13.3"""
    names = "semaphore_signaling", "roundhouse", "parking_spur", "railroad_crane"
    given(opening(hands=RAILCARS), owns(BOB, *names)).when(ANN, command).then_refused("GTJ 13.3")


def test_nor_one_that_belongs_to_loading():
    """GTJ 13.3"""
    there = given(opening(hands=RAILCARS), moved(ANN, "watertown", "watertown", "burlington", 0))
    there.when(ANN, UseHiRoofBoxcar(HOPPER)).then_refused("GTJ 13.3")
    there.when(ANN, CoupleFromSpur("wood")).then_refused("GTJ 13.3")
    at_port("steel", railcar="box_car").when(ANN, DeliverGood(BOX, foreign_steel=True)).then_refused("GTJ 13.3")


# ==== GTJ 13.4 to 13.10: permanent ================================================================
@pytest.mark.parametrize(
    ("improvement", "good", "other"), [("coal_exporter", "coal", "wood"), ("wood_exporter", "wood", "coal")]
)
def test_exporters(improvement, good, other):
    """GTJ 13.4, 13.10"""
    railcar = "flat_car" if good == "wood" else "box_car"
    wood_steps = 1 if good == "wood" else 0
    after = (
        at_port(good, improvement, railcar=railcar)
        .when(ANN, DeliverGood(ann(railcar)))
        .then(GoodDelivered(ANN, ann(railcar), good, "albany", 0, 0, wood_steps))
    )
    assert seat(after).delivered[good] == 1
    at_port(other, improvement, railcar=railcar).when(ANN, DeliverGood(ann(railcar))).then_refused("GTJ 6.2")
    at_port(good, railcar=railcar).then(owns(BOB, improvement)).when(ANN, DeliverGood(ann(railcar))).then_refused(
        "GTJ 6.2"
    )


def test_exporters_only_in_ports():
    """GTJ 13.4, 13.10"""
    wood = given(
        opening(hands=RAILCARS),
        without_railcar(ANN),
        owns(ANN, "wood_exporter"),
        coupled(ANN, "flat_car", "wood"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )
    wood.when(ANN, DeliverGood(FLAT)).then_refused("GTJ 6.2")


def window(day, *improvements):
    """Wood to Watertown, days 2 to 5; Ann arrives on ``day``."""
    contracts = ("contract_4d_watertown_wood", "contract_3d_quebec_iron")
    there = given(
        opening(hands=RAILCARS, contracts=contracts),
        without_railcar(ANN),
        coupled(ANN, "flat_car", "wood"),
        owns(ANN, *improvements),
        spent(ANN, 0, day - 1),
        moved(ANN, "watertown", "watertown", "burlington", day - 1),
    )
    return bool(there.when(ANN, FulfilContract(FLAT, 1)).events)


def test_early_delivery():
    """GTJ 13.5"""
    assert [window(day, "early_delivery") for day in (1, 2, 5, 6)] == [True, True, True, False]


def test_late_delivery():
    """GTJ 13.6"""
    assert [window(day, "late_delivery") for day in (1, 2, 5, 6, 7)] == [False, True, True, True, False]
    assert [window(day, "late_delivery", "early_delivery") for day in (1, 6, 7)] == [True, True, False]


def test_rail_equipment_factory():
    """GTJ 13.7"""
    able = given(OPENING, owns(ANN, "rail_equipment_factory"), delivered(ANN, "steel", "coal", "coal", "coal"))
    assert able.when(ANN, IncreaseForce(RICHMOND)).then_without(DaysSpent)
    assert able.when(ANN, IncreaseForce(RICHMOND)).only(ForceIncreased) == [ForceIncreased(ANN, 2, 0)]
    outcome = able.when(ANN, IncreaseSpeed(RICHMOND))
    outcome.then_without(DaysSpent)
    assert outcome.only(SpeedIncreased)
    assert able.when(ANN, BuildTerminal(PORT, "boston")).only(DaysSpent), "other options cost what they cost"


def test_the_factory_works_even_on_the_last_space():
    """GTJ 13.7, 3.6"""
    late = given(
        OPENING,
        owns(ANN, "rail_equipment_factory"),
        delivered(ANN, "steel"),
        spent(ANN, 0, 39),
        moved(ANN, "watertown", "watertown", "burlington", 39),
    )
    assert late.when(ANN, IncreaseForce(RICHMOND)).events


def test_speculator():
    """GTJ 13.8"""
    owner = given(OPENING, owns(BOB, "speculator"))
    outcome = owner.when(ANN, BuildTerminal(PORT, "boston"))
    after = outcome.then_includes(TerminalBuilt(ANN, "boston", 2, "deck_top"), SpeculatorPaid(BOB, 1))
    assert seat(after, BOB).vp == 4
    given(OPENING, owns(ANN, "speculator")).when(ANN, BuildTerminal(PORT, "boston")).then_without(SpeculatorPaid)


def test_speculator_is_not_paid_for_an_improvement():
    """GTJ 13.8: terminals alone."""
    owner = given(OPENING, owns(BOB, "speculator"))
    owner.when(ANN, AcquireImprovement(PORT, "coal_mine")).then_without(SpeculatorPaid)


def test_speculator_after_its_owner_has_finished():
    """GTJ 13.8"""
    done = given(opening(order=(BOB, ANN)), owns(BOB, "speculator"), spent(BOB, 0, 36), ended(BOB, 36, True))
    assert done.when(ANN, BuildTerminal(PORT, "boston")).only(SpeculatorPaid) == [SpeculatorPaid(BOB, 1)]


def test_warehouse_holds_in_maintenance_too():
    """GTJ 13.9"""
    owner = given(OPENING, owns(ANN, "warehouse"))
    after = owner.when(ANN, PerformMaintenance(), chance=[FLAT]).after
    assert len(seat(after).hand) == 6


# ==== GTJ 13.11 to 13.13: one-time ================================================================
@pytest.mark.parametrize(
    ("improvement", "good"), [("coal_mine", "coal"), ("forest_exploitation", "wood"), ("iron_ore_mine", "iron")]
)
def test_mines_and_forest(improvement, good):
    """GTJ 13.11, 13.12, 13.13"""
    outcome = given(OPENING).when(ANN, AcquireImprovement(PORT, improvement))
    after = outcome.then_includes(ImprovementAcquired(ANN, improvement, ((good, 2),)))
    assert seat(after).delivered == {"coal": 0, "iron": 0, "wood": 0, "steel": 0} | {good: 2}
    assert seat(after).wood == 0
    assert sum(place.steel for place in TITLE.rules.view(after.state, None).places) == 0


def test_goods_of_mines_count_as_delivered():
    """GTJ 13.11: for Speed, say."""
    one_coal = given(OPENING, delivered(ANN, "coal"), owns(ANN, "coal_mine"))
    assert one_coal.when(ANN, IncreaseSpeed(RICHMOND)).events


# ==== GTJ 13.14: Foreign Steel Contract ===========================================================
def test_foreign_steel_contract():
    """GTJ 13.14"""
    steel = at_port("steel", "foreign_steel_contract", railcar="box_car", cubes=2)
    outcome = steel.when(ANN, DeliverGood(BOX, foreign_steel=True))
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 1, 2, "foreign_steel_contract"),
        GoodDelivered(ANN, BOX, "steel", "albany", 3, 0, 0),
        SteelBonusPaid(ANN, 1),
    )
    assert outcome.only(ImprovementUsed) == [ImprovementUsed(ANN, "foreign_steel_contract")]
    assert seat(after).vp == seat(steel).vp + 4
    after.when(ANN, DeliverGood(BOX, foreign_steel=True)).then_refused("GTJ 13.3")
    after.when(ANN, DeliverGood(BOX)).then_without(SteelBonusPaid, DaysSpent)


def test_foreign_steel_contract_only_for_steel():
    """GTJ 13.14"""
    at_port("wood", "foreign_steel_contract", "wood_exporter").when(
        ANN, DeliverGood(FLAT, foreign_steel=True)
    ).then_refused("GTJ 13.14")


# ==== GTJ 13.15: Hi-Roof Boxcar ===================================================================
def with_steel(cubes, *improvements, lying=2, railcar="box_car", good="steel"):
    """Ann in Watertown, where steel lies, with cubes of steel on her box car."""
    return given(
        opening(hands=RAILCARS),
        steel_in(ANN, "watertown", lying),
        without_railcar(ANN)[1:],
        owns(ANN, *improvements),
        coupled(ANN, railcar, good, cubes),
        moved(ANN, "watertown", "watertown", "burlington", 0),
    )


def test_hi_roof_boxcar():
    """GTJ 13.15"""
    outcome = with_steel(1, "hi_roof_boxcar").when(ANN, UseHiRoofBoxcar(BOX))
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 1, 2, "hi_roof_boxcar"), GoodLoaded(ANN, BOX, "steel", "watertown", "steel_space", 2)
    )
    assert TITLE.rules.view(after.state, None).place["watertown"].steel == 1
    assert seat(after).railcars[0].cubes == 2
    after.when(ANN, UseHiRoofBoxcar(BOX)).then_refused("GTJ 13.3")


def test_hi_roof_boxcar_needs_exactly_one_steel():
    """GTJ 13.15"""
    with_steel(2, "hi_roof_boxcar").when(ANN, UseHiRoofBoxcar(BOX)).then_refused("GTJ 13.15")
    with_steel(1, "hi_roof_boxcar", good="wood").when(ANN, UseHiRoofBoxcar(BOX)).then_refused("GTJ 13.15")
    for card in (FLAT, bob("box_car"), "no_such_card"):
        with_steel(1, "hi_roof_boxcar").when(ANN, UseHiRoofBoxcar(card)).then_refused("GTJ 13.15")


def test_hi_roof_boxcar_needs_steel_in_the_city():
    """GTJ 13.15, 9.2"""
    with_steel(1, "hi_roof_boxcar", lying=0).when(ANN, UseHiRoofBoxcar(BOX)).then_refused("GTJ 9.2")


# ==== GTJ 13.16: Parking Spur =====================================================================
SPUR = given(opening(hands=RAILCARS), owns(ANN, "parking_spur"))


def test_a_railcar_is_stored_out_of_the_hand():
    """GTJ 13.16: at any moment, for no days."""
    outcome = SPUR.when(ANN, StoreOnSpur(FLAT))
    after = outcome.then_includes(RailcarStored(ANN, FLAT, "hand"))
    outcome.then_without(DaysSpent)
    assert outcome.only(ImprovementUsed) == [ImprovementUsed(ANN, "parking_spur")]
    assert (seat(after).spur, FLAT in seat(after).hand) == (FLAT, False)
    assert TITLE.rules.view(after.state, BOB).seats[0].spur == FLAT
    late = SPUR.then(moved(ANN, "watertown", "watertown", "burlington", 0), coupled(ANN, "box_car", "wood"))
    assert late.when(ANN, StoreOnSpur(FLAT)).events


def test_or_off_the_train_instead_of_the_discard_pile():
    """GTJ 13.16, 8.2"""
    empty = SPUR.then(moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    outcome = empty.when(ANN, StoreOnSpur(HOPPER))
    after = outcome.then_includes(RailcarUncoupled(ANN, HOPPER, "spur"), RailcarStored(ANN, HOPPER, "train"))
    assert (seat(after).spur, seat(after).railcars, seat(after).discard) == (HOPPER, (), (ann("burlington"),))


def test_off_the_train_only_in_step_three():
    """GTJ 13.16, 5.1"""
    loaded = given(
        opening(hands=RAILCARS),
        force(ANN, 2),
        owns(ANN, "parking_spur"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
        emptied(ANN),
        coupled(ANN, "flat_car", "wood"),
    )
    loaded.when(ANN, StoreOnSpur(HOPPER)).then_refused("GTJ 5.1")


@pytest.mark.parametrize("card", [PORT, HOPPER, ann("port_2"), bob("flat_car"), "no_such_card"])
def test_only_railcars_in_hand_or_empty_on_the_train(card):
    """GTJ 13.16"""
    SPUR.then(moved(ANN, "watertown", "watertown", "burlington", 0)).when(ANN, StoreOnSpur(card)).then_refused(
        "GTJ 13.16"
    )


STORED = SPUR.then(RailcarStored(ANN, FLAT, "hand"))


def test_one_railcar_on_the_spur():
    """GTJ 13.16"""
    STORED.when(ANN, StoreOnSpur(BOX)).then_refused("GTJ 13.16")


def test_the_railcar_is_coupled_with_a_cube_for_a_day():
    """GTJ 13.16, 8.4"""
    there = STORED.then(without_railcar(ANN), moved(ANN, "watertown", "watertown", "burlington", 0))
    outcome = there.when(ANN, CoupleFromSpur("wood"))
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 1, 2, "parking_spur"),
        ImprovementUsed(ANN, "parking_spur"),
        RailcarCoupled(ANN, FLAT, "spur"),
        GoodLoaded(ANN, FLAT, "wood", "watertown", "stock", 1),
    )
    assert seat(after).spur is None
    there.when(ANN, CoupleFromSpur("coal")).then_refused("GTJ 4.3")
    there.when(ANN, CoupleFromSpur("iron")).then_refused("GTJ 9.1")
    STORED.when(ANN, CoupleFromSpur("iron")).then_refused("GTJ 5.1")


def test_coupling_from_the_spur_needs_room():
    """GTJ 13.16, 4.2"""
    full = STORED.then(moved(ANN, "watertown", "watertown", "burlington", 0))
    full.when(ANN, CoupleFromSpur("wood")).then_refused("GTJ 4.2")


def test_the_railcar_is_discarded_for_nothing():
    """GTJ 13.16"""
    outcome = STORED.when(ANN, DiscardFromSpur())
    after = outcome.then_includes(CardsDiscarded(ANN, (FLAT,), "parking_spur"))
    outcome.then_without(DaysSpent)
    assert (seat(after).spur, FLAT in seat(after).discard, FLAT in seat(after).hand) == (None, True, False)


def test_nothing_to_take_from_an_empty_spur():
    """GTJ 13.16"""
    SPUR.when(ANN, DiscardFromSpur()).then_refused("GTJ 13.16")
    there = SPUR.then(without_railcar(ANN), moved(ANN, "watertown", "watertown", "burlington", 0))
    there.when(ANN, CoupleFromSpur("wood")).then_refused("GTJ 13.16")


def test_one_of_the_three_in_a_turn():
    """GTJ 13.16, 13.3"""
    stored = SPUR.when(ANN, StoreOnSpur(FLAT)).after
    stored.when(ANN, DiscardFromSpur()).then_refused("GTJ 13.3")
    emptied_spur = STORED.when(ANN, DiscardFromSpur()).after
    emptied_spur.when(ANN, StoreOnSpur(BOX)).then_refused("GTJ 13.3")
    in_watertown = without_railcar(ANN), moved(ANN, "watertown", "watertown", "burlington", 0)
    coupled_from_it = STORED.then(in_watertown).when(ANN, CoupleFromSpur("wood")).after
    coupled_from_it.when(ANN, StoreOnSpur(BOX)).then_refused("GTJ 13.3")
    just_stored = SPUR.then(in_watertown).when(ANN, StoreOnSpur(FLAT)).after
    just_stored.when(ANN, CoupleFromSpur("wood")).then_refused("GTJ 13.3")


# ==== GTJ 13.17: Railroad Crane ===================================================================
CRANE = given(opening(hands=RAILCARS), owns(ANN, "railroad_crane"), without_railcar(ANN))


def test_a_railcar_is_coupled_before_the_move():
    """GTJ 13.17"""
    outcome = CRANE.when(ANN, UseRailroadCrane(FLAT, "wood"))
    after = outcome.then_includes(
        DaysSpent(ANN, 1, 0, 1, "railroad_crane"),
        RailcarCoupled(ANN, FLAT, "hand"),
        GoodLoaded(ANN, FLAT, "wood", "burlington", "stock", 1),
    )
    assert outcome.only(ImprovementUsed) == [ImprovementUsed(ANN, "railroad_crane")]
    assert after.when(ANN, MoveTrain(ann("watertown"), "watertown")).events


def test_the_crane_loads_steel_where_the_train_stands():
    """GTJ 13.17, 9.2"""
    steel = given(
        opening(hands=RAILCARS), owns(ANN, "railroad_crane"), steel_in(ANN, "burlington", 1), without_railcar(ANN)[1:]
    )
    steel.when(ANN, UseRailroadCrane(BOX, "steel")).then_includes(
        GoodLoaded(ANN, BOX, "steel", "burlington", "steel_space", 1)
    )
    CRANE.when(ANN, UseRailroadCrane(BOX, "steel")).then_refused("GTJ 9.2")


def test_the_crane_keeps_to_the_rules_of_coupling():
    """GTJ 13.17, 8.4, 4.2, 4.3, 9.1"""
    CRANE.when(ANN, UseRailroadCrane(FLAT, "coal")).then_refused("GTJ 4.3")
    CRANE.when(ANN, UseRailroadCrane(BOX, "coal")).then_refused("GTJ 4.3")
    given(opening(hands=RAILCARS), owns(ANN, "railroad_crane")).when(ANN, UseRailroadCrane(FLAT, "wood")).then_refused(
        "GTJ 4.2"
    )
    for card in (PORT, HOPPER, bob("flat_car"), "no_such_card"):
        CRANE.when(ANN, UseRailroadCrane(card, "iron")).then_refused("GTJ 13.17")


def test_the_crane_cannot_be_used_after_the_move():
    """GTJ 13.17"""
    CRANE.then(moved(ANN, "watertown", "watertown", "burlington", 0)).when(
        ANN, UseRailroadCrane(FLAT, "wood")
    ).then_refused("GTJ 13.17")


# ==== GTJ 13.18, 13.19: cards =====================================================================
def test_roundhouse_discards_one_and_draws_one():
    """GTJ 13.18"""
    outcome = given(OPENING, owns(ANN, "roundhouse")).when(ANN, UseRoundhouse(PORT), chance=[FLAT])
    after = outcome.then_includes(CardsDiscarded(ANN, (PORT,), "roundhouse"), CardsDrawn(ANN, 1, (FLAT,)))
    assert outcome.only(ImprovementUsed) == [ImprovementUsed(ANN, "roundhouse")]
    assert len(seat(after).hand) == 5
    assert PORT in seat(after).discard


def test_roundhouse_may_draw_what_it_discarded():
    """GTJ 13.18, 10.2: the discard comes first."""
    bare = given(
        opening(hands={ANN: ("watertown", "port_1")}),
        owns(ANN, "roundhouse"),
        CardsDrawn(
            ANN,
            6,
            tuple(ann(n) for n in ("port_2", "grand_trunk_jct", "flat_car", "box_car", "richmond", "white_river_jct")),
        ),
        CardsDiscarded(ANN, (FLAT, BOX, RICHMOND), "semaphore_signaling"),
    )
    outcome = bare.when(ANN, UseRoundhouse(PORT), chance=[PORT])
    assert outcome.only(DeckShuffled) == [DeckShuffled(ANN, 4, "discard_pile")]
    assert PORT in seat(outcome.after).hand


def test_semaphore_signaling_discards_one():
    """GTJ 13.19"""
    outcome = given(OPENING, owns(ANN, "semaphore_signaling")).when(ANN, UseSemaphoreSignaling(PORT))
    after = outcome.then_includes(CardsDiscarded(ANN, (PORT,), "semaphore_signaling"))
    outcome.then_without(CardsDrawn, DaysSpent)
    assert len(seat(after).hand) == 4


@pytest.mark.parametrize("card", [FLAT, HOPPER, bob("port_1"), "no_such_card"])
def test_only_cards_in_hand(card):
    """GTJ 13.18, 13.19"""
    both = given(OPENING, owns(ANN, "roundhouse", "semaphore_signaling"))
    both.when(ANN, UseRoundhouse(card)).then_refused("GTJ 13.18")
    both.when(ANN, UseSemaphoreSignaling(card)).then_refused("GTJ 13.19")


def test_a_first_delivery_in_a_port_there_is_none():
    """GTJ 13.10, 6.3"""
    at_port("wood", "wood_exporter").when(ANN, DeliverGood(FLAT)).then_without(FirstDeliveryTaken)
