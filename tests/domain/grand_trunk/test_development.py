"""GTJ 12: Development."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.board import CITIES
from domain.grand_trunk.commands import (
    AcquireImprovement,
    BuildTerminal,
    CoupleRailcar,
    EndTurn,
    IncreaseForce,
    IncreaseSpeed,
    MoveTrain,
)
from domain.grand_trunk.events import (
    ActionCardPlayed,
    CardsDrawn,
    ContractTurnedUp,
    DaysSpent,
    ForceIncreased,
    ImprovementAcquired,
    SpeedIncreased,
    TerminalBuilt,
)
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    CYD,
    HOMES,
    IMPROVEMENTS,
    OPENING,
    ann,
    bob,
    cyd,
    delivered,
    fast,
    force,
    given,
    in_hand_from_afar,
    opening,
    owns,
    spent,
)

PORT, RICHMOND, KINGSTON = ann("port_1"), ann("richmond"), ann("kingston")
"""Terminal or improvement; Force or Speed; any of four."""
START = given(OPENING)


def seat(situation, number=ANN):
    return TITLE.rules.view(situation.state, number).own


@pytest.mark.parametrize(
    ("card", "command"),
    [
        (PORT, IncreaseForce(PORT)),
        (PORT, IncreaseSpeed(PORT)),
        (RICHMOND, BuildTerminal(RICHMOND, "boston")),
        (RICHMOND, AcquireImprovement(RICHMOND, "warehouse")),
    ],
)
def test_a_card_offers_the_options_of_its_variant(card, command):
    """GTJ 12.1"""
    able = START.then(delivered(ANN, "steel", "coal", "coal", "coal"))
    able.when(ANN, command).then_refused("GTJ 12.1")


def test_the_variant_that_offers_all_four():
    """GTJ 12.1"""
    able = given(OPENING, in_hand_from_afar(ANN, "kingston"), delivered(ANN, "steel", "coal", "coal", "coal"))
    for command in (
        IncreaseForce(KINGSTON),
        IncreaseSpeed(KINGSTON),
        BuildTerminal(KINGSTON, "boston"),
        AcquireImprovement(KINGSTON, "warehouse"),
    ):
        assert able.when(ANN, command).only(ActionCardPlayed) == [ActionCardPlayed(ANN, KINGSTON, "development")]


@pytest.mark.parametrize(
    "card", [ann("port_2"), ann("watertown"), ann("grand_trunk_jct"), bob("port_1"), "no_such_card"]
)
def test_only_development_cards_in_hand(card):
    """GTJ 12.1, 11.2"""
    for command in (
        BuildTerminal(card, "boston"),
        AcquireImprovement(card, "warehouse"),
        IncreaseForce(card),
        IncreaseSpeed(card),
    ):
        START.when(ANN, command).then_refused("GTJ 11.2")


def test_an_option_costs_its_days():
    """GTJ 12.1, 19.4: days, contracts, effect, then the card."""
    START.then(spent(ANN, 0, 3)).when(ANN, BuildTerminal(PORT, "boston"), chance=["contract_3d_utica_coal"]).then(
        DaysSpent(ANN, 1, 3, 4, "build_terminal"),
        ContractTurnedUp(3, "contract_3d_utica_coal", 4),
        TerminalBuilt(ANN, "boston", 2, "deck_top"),
        ActionCardPlayed(ANN, PORT, "development"),
    )


# ==== GTJ 12.2, 12.3: Force =======================================================================
@pytest.mark.parametrize(("steel", "level", "vp"), [(1, 2, 0), (2, 3, 0), (3, 4, 5)])
def test_force_rises_by_one_step(steel, level, vp):
    """GTJ 12.2, 12.3"""
    enough = START.then(delivered(ANN, *["steel"] * steel), force(ANN, level - 1))
    after = enough.when(ANN, IncreaseForce(RICHMOND)).then(
        DaysSpent(ANN, 1, 0, 1, "increase_force"),
        ForceIncreased(ANN, level, vp),
        ActionCardPlayed(ANN, RICHMOND, "development"),
    )
    assert seat(after).delivered["steel"] == steel, "not spent"
    assert seat(after).vp == seat(enough).vp + vp
    short = START.then(delivered(ANN, *["steel"] * (steel - 1)), force(ANN, level - 1))
    short.when(ANN, IncreaseForce(RICHMOND)).then_refused("GTJ 12.2")


def test_there_is_no_force_beyond_four():
    """GTJ 12.2"""
    START.then(delivered(ANN, *["steel"] * 9), force(ANN, 4)).when(ANN, IncreaseForce(RICHMOND)).then_refused(
        "GTJ 12.2"
    )


def test_the_new_force_holds_at_once():
    """GTJ 12.2"""
    hand = {ANN: ("flat_car", "watertown", "richmond", "port_1", "box_car")}
    full = given(opening(hands=hand), delivered(ANN, "steel"), [])
    moved_on = full.when(ANN, IncreaseForce(RICHMOND)).after.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    assert moved_on.when(ANN, CoupleRailcar(ann("flat_car"), "wood")).events


# ==== GTJ 12.4: Speed =============================================================================
def test_speed_needs_three_delivered_coal():
    """GTJ 12.4"""
    enough = START.then(delivered(ANN, "coal", "coal", "coal"))
    after = enough.when(ANN, IncreaseSpeed(RICHMOND)).then(
        DaysSpent(ANN, 1, 0, 1, "increase_speed"),
        SpeedIncreased(ANN, 1),
        ActionCardPlayed(ANN, RICHMOND, "development"),
    )
    assert (seat(after).fast, seat(after).vp, seat(after).delivered["coal"]) == (True, 4, 3)
    START.then(delivered(ANN, "coal", "coal")).when(ANN, IncreaseSpeed(RICHMOND)).then_refused("GTJ 12.4")


def test_a_fast_train_is_fast():
    """GTJ 12.4"""
    START.then(delivered(ANN, *["coal"] * 6), fast(ANN)).when(ANN, IncreaseSpeed(RICHMOND)).then_refused("GTJ 12.4")


# ==== GTJ 12.5 to 12.7: terminals =================================================================
@pytest.mark.parametrize("city", [city for city in CITIES if city not in HOMES])
def test_a_terminal_in_any_city_without_one(city):
    """GTJ 12.5"""
    outcome = START.when(ANN, BuildTerminal(PORT, city))
    after = outcome.then_includes(DaysSpent(ANN, 1, 0, 1, "build_terminal"), TerminalBuilt(ANN, city, 2, "deck_top"))
    assert TITLE.rules.view(after.state, None).place[city].terminal
    assert seat(after).vp == 5


@pytest.mark.parametrize("place", ["burlington", "richmond", "albany", "hamilton", "nowhere", ""])
def test_not_where_there_is_one_nor_in_ports(place):
    """GTJ 12.5"""
    START.when(ANN, BuildTerminal(PORT, place)).then_refused("GTJ 12.5")


def test_every_seat_may_use_it():
    """GTJ 12.5"""
    turn = given(opening(order=(BOB, ANN)), spent(BOB, 0, 1), TerminalBuilt(ANN, "boston", 2, "discard"))
    assert turn.when(BOB, MoveTrain(bob("grand_trunk_jct"), "boston"), chance=["contract_3d_utica_coal"]).events


def test_with_all_twelve_open_the_option_is_gone():
    """GTJ 12.5"""
    built = START.then([TerminalBuilt(BOB, city, 2, "discard") for city in CITIES if city not in HOMES])
    for city in CITIES:
        built.when(ANN, BuildTerminal(PORT, city)).then_refused("GTJ 12.5")
    assert not [action for action in TITLE.rules.actions(built.state, ANN) if isinstance(action.command, BuildTerminal)]


def test_the_builders_card_goes_on_top_or_to_the_pile():
    """GTJ 12.6"""
    on_top = START.when(ANN, BuildTerminal(PORT, "boston")).after
    assert (seat(on_top).top, seat(on_top).deck_size) == ((ann("boston"),), 4)
    assert TITLE.rules.view(on_top.state, BOB).seats[0].top == (ann("boston"),), "open to all"
    discarded = START.when(ANN, BuildTerminal(PORT, "boston", "discard")).then_includes(
        TerminalBuilt(ANN, "boston", 2, "discard")
    )
    assert (seat(discarded).top, set(seat(discarded).discard)) == ((), {ann("boston"), PORT})
    assert ann("boston") not in seat(on_top).set_aside


def test_the_card_put_on_top_last_is_drawn_first():
    """GTJ 12.6, 19.2"""
    two = START.then(TerminalBuilt(ANN, "boston", 2, "deck_top"), TerminalBuilt(ANN, "utica", 2, "deck_top"))
    assert seat(two).top == (ann("utica"), ann("boston"))
    moved_on = two.when(ANN, MoveTrain(ann("watertown"), "watertown")).after
    drawn = moved_on.when(ANN, EndTurn()).only(CardsDrawn)
    assert drawn == [CardsDrawn(ANN, 1, (ann("utica"),))]
    acted = moved_on.when(ANN, BuildTerminal(PORT, "quebec", "discard")).after
    both = acted.when(ANN, EndTurn()).only(CardsDrawn)
    assert [card for event in both for card in event.cards] == [ann("utica"), ann("boston")]


def test_the_others_cards_go_to_their_discard_piles():
    """GTJ 12.7"""
    after = given(opening(3)).when(ANN, BuildTerminal(PORT, "boston")).after
    assert seat(after, BOB).discard == (bob("boston"),)
    assert seat(after, CYD).discard == (cyd("boston"),)


# ==== GTJ 12.8, 12.9: improvements ================================================================
def test_an_improvement_costs_two_days():
    """GTJ 12.8"""
    after = START.when(ANN, AcquireImprovement(PORT, "warehouse")).then(
        DaysSpent(ANN, 2, 0, 2, "acquire_improvement"),
        ImprovementAcquired(ANN, "warehouse", ()),
        ActionCardPlayed(ANN, PORT, "development"),
    )
    assert seat(after).improvements == ("warehouse",)
    assert seat(after).hand_limit == 6, "its benefit is there at once"


@pytest.mark.parametrize("improvement", ["speculator", "no_such_improvement", ""])
def test_only_what_is_on_display(improvement):
    """GTJ 12.8"""
    taken = START.then(owns(BOB, "speculator"))
    taken.when(ANN, AcquireImprovement(PORT, improvement)).then_refused("GTJ 12.8")


def test_the_display_is_not_refilled_and_a_seat_may_own_any_number():
    """GTJ 12.9"""
    rich = START.then(owns(ANN, *IMPROVEMENTS[:9]))
    after = rich.when(
        ANN, AcquireImprovement(PORT, "warehouse" if "warehouse" not in IMPROVEMENTS[:9] else "parking_spur")
    ).after
    assert len(seat(after).improvements) == 10
    assert len(TITLE.rules.view(after.state, None).improvements) == 6
