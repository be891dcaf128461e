"""GTJ 19: what a service needs to settle: consequences in order, barriers, leaving, the safe answer."""

import pytest

from domain.grand_trunk import TITLE
from domain.grand_trunk.commands import (
    BuildTerminal,
    ChooseFirstRailcar,
    EndTurn,
    MoveTrain,
    PerformMaintenance,
    PlayInfluenceDemand,
    PlayOverlandTransport,
)
from domain.grand_trunk.events import (
    ActionCardPlayed,
    CardsDrawn,
    ContractTurnedUp,
    DaysSpent,
    DeckShuffled,
    EndBegun,
    FirstRailcarChosen,
    FirstRailcarsOpened,
    GameOver,
    GameScored,
    RailcarUncoupled,
    SeatLeft,
    SeatPassed,
    SpeculatorPaid,
    TableSet,
    TerminalBuilt,
    TurnEnded,
)
from domain.messages import tag_of
from service.words import spoken
from tests.domain.grand_trunk.positions import (
    ANN,
    BOB,
    COMPANIES,
    CYD,
    DAN,
    OPENING,
    ann,
    bob,
    cyd,
    dan,
    dealt,
    delivered,
    emptied,
    ended,
    fast,
    given,
    in_hand_from_afar,
    moved,
    opening,
    owns,
    spent,
    steel_in,
)


def seat(situation, number=ANN):
    return TITLE.rules.view(situation.state, number).own


def test_the_commands_of_the_appendix_and_no_others():
    """GTJ 19.1"""
    assert {tag_of(command) for command in TITLE.rules.commands} == {
        "ChooseFirstRailcar",
        "MoveTrain",
        "DeliverGood",
        "FulfilContract",
        "DumpGood",
        "UncoupleRailcar",
        "CoupleRailcar",
        "LoadGood",
        "PlayHighCapacityRailcar",
        "PlayInfluenceDemand",
        "PlayOverlandTransport",
        "PlayRailYard",
        "IncreaseForce",
        "IncreaseSpeed",
        "BuildTerminal",
        "AcquireImprovement",
        "AcquireObjective",
        "UseHiRoofBoxcar",
        "StoreOnSpur",
        "CoupleFromSpur",
        "DiscardFromSpur",
        "UseRailroadCrane",
        "UseRoundhouse",
        "UseSemaphoreSignaling",
        "EndTurn",
        "PerformMaintenance",
        "Pass",
    }


def test_no_order_of_a_deck_is_kept():
    """GTJ 19.2: any of the deck's cards can be drawn next."""
    there = given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0))
    for name in ("flat_car", "box_car", "port_2"):
        assert there.when(ANN, EndTurn(), chance=[ann(name)]).only(CardsDrawn)
    assert isinstance(there.state.seats[ANN].deck(there.state.terminals), frozenset)


def test_known_cards_are_drawn_before_the_others():
    """GTJ 19.2"""
    two_short = given(
        OPENING,
        TerminalBuilt(ANN, "boston", 2, "deck_top"),
        moved(ANN, "watertown", "watertown", "burlington", 0),
        ActionCardPlayed(ANN, ann("port_1"), "development"),
    )
    outcome = two_short.when(ANN, EndTurn(), chance=[ann("flat_car")])
    assert [card for event in outcome.only(CardsDrawn) for card in event.cards] == [ann("boston"), ann("flat_car")]


def test_days_contracts_effect_card():
    """GTJ 19.4"""
    given(OPENING, spent(ANN, 0, 3), owns(BOB, "speculator")).when(
        ANN, BuildTerminal(ann("port_1"), "boston"), chance=["contract_3d_utica_coal"]
    ).then(
        DaysSpent(ANN, 1, 3, 4, "build_terminal"),
        ContractTurnedUp(3, "contract_3d_utica_coal", 4),
        TerminalBuilt(ANN, "boston", 2, "deck_top"),
        SpeculatorPaid(BOB, 1),
        ActionCardPlayed(ANN, ann("port_1"), "development"),
    )


def test_at_the_end_of_a_turn():
    """GTJ 19.4"""
    last = given(
        opening(order=(BOB, ANN)),
        spent(BOB, 0, 37),
        EndBegun(BOB, 37),
        ended(BOB, 37, True),
        spent(ANN, 0, 35),
        moved(ANN, "watertown", "watertown", "burlington", 35),
        emptied(ANN),
    )
    outcome = last.when(ANN, EndTurn(), chance=[ann("flat_car")])
    kinds = [type(event) for event in outcome.events]
    assert kinds == [RailcarUncoupled, CardsDrawn, TurnEnded, GameScored, GameOver]
    first = given(OPENING, spent(ANN, 0, 35), moved(ANN, "watertown", "watertown", "burlington", 35))
    kinds = [type(event) for event in first.when(ANN, EndTurn(), chance=[ann("flat_car")]).events]
    assert kinds[0] is CardsDrawn
    assert set(kinds[1:]) == {TurnEnded, EndBegun}


@pytest.mark.parametrize("kind", [FirstRailcarsOpened, CardsDrawn, ContractTurnedUp, TurnEnded, SeatPassed, GameOver])
def test_barriers(kind):
    """GTJ 19.5"""
    assert kind.BARRIER


def test_other_events_are_no_barriers():
    """GTJ 19.5"""
    leaving = {SeatLeft}
    others = (
        set(TITLE.rules.events)
        - {FirstRailcarsOpened, CardsDrawn, ContractTurnedUp, TurnEnded, SeatPassed, GameOver}
        - leaving
    )
    assert not [kind for kind in others if kind.BARRIER]
    assert TITLE.cites["take_back"] == "GTJ 19.5"


# ==== GTJ 19.7: a seat that leaves ================================================================
def test_a_seat_that_leaves_plays_no_more():
    """GTJ 19.7"""
    three = given(opening(3), moved(ANN, "watertown", "watertown", "burlington", 0), emptied(ANN))
    outcome = three.leaves(ANN)
    after = outcome.then_includes(RailcarUncoupled(ANN, ann("hopper_car"), "discard_pile"), SeatLeft(ANN, "resigned"))
    outcome.then_without(CardsDrawn)
    assert TITLE.rules.asked(after.state) == (BOB,)
    assert seat(after).vp == seat(three).vp


def test_a_seat_that_is_put_out_when_others_play():
    """GTJ 19.7"""
    after = given(opening(3)).leaves(CYD, "timed_out").then(SeatLeft(CYD, "timed_out"))
    assert TITLE.rules.asked(after.state) == (ANN,)
    assert TITLE.rules.view(after.state, None).seats[2].left


def test_its_cards_come_into_play_but_its_speculator_does_not_pay():
    """GTJ 19.7, 12.7, 13.8"""
    gone = given(opening(3), owns(CYD, "speculator"), SeatLeft(CYD, "resigned"))
    outcome = gone.when(ANN, BuildTerminal(ann("port_1"), "boston"))
    after = outcome.then_without(SpeculatorPaid)
    assert TITLE.rules.view(after.state, None).seats[2].discard == (cyd("boston"),)


def test_it_scores_nothing_at_the_end_and_cannot_win():
    """GTJ 19.7, 15.4, 15.5"""
    late = given(
        opening(3),
        delivered(CYD, *["steel"] * 5, "coal", "iron", "wood"),
        owns(CYD, "roundhouse"),
        spent(CYD, 0, 40),
        SeatLeft(CYD, "resigned"),
        spent(ANN, 0, 36),
        EndBegun(ANN, 36),
        ended(ANN, 36, True),
        spent(BOB, 0, 30),
    )
    from domain.grand_trunk.commands import Pass

    result = TITLE.rules.result(late.when(BOB, Pass()).after.state)
    assert result.winners == (BOB,)
    lines = {each.seat: dict(each.lines) for each in result.standings}
    assert lines[BOB]["time"] == 6, "behind the furthest of the seats that stayed"
    gone = next(each for each in result.standings if each.seat == CYD)
    assert gone.place is None
    assert gone.total == 3 + 15
    assert not any(lines[CYD].get(each) for each in ("time", "sets", "improvements"))


def test_a_single_seat_that_stays_wins():
    """GTJ 19.7"""
    outcome = given(OPENING, delivered(ANN, "steel")).leaves(ANN)
    assert outcome.only(GameOver)
    result = TITLE.rules.result(outcome.after.state)
    assert result.winners == (BOB,)
    assert TITLE.rules.asked(outcome.after.state) == ()


def test_the_game_is_over_when_only_finished_seats_stay():
    """GTJ 19.7, 15.4"""
    done = given(
        opening(3), spent(ANN, 0, 36), EndBegun(ANN, 36), ended(ANN, 36, True), spent(BOB, 0, 37), ended(BOB, 37, True)
    )
    assert TITLE.rules.asked(done.state) == (CYD,)
    outcome = done.leaves(CYD)
    assert [type(event) for event in outcome.events] == [SeatLeft, GameScored, GameOver]
    assert TITLE.rules.result(outcome.after.state).winners == (ANN,)


def test_the_others_choices_are_opened_when_the_last_seat_to_choose_leaves():
    """GTJ 19.7"""
    waiting = given(
        dealt(3), FirstRailcarChosen(ANN, ann("hopper_car"), "iron"), FirstRailcarChosen(BOB, bob("hopper_car"), "coal")
    )
    hands = [ann(n) for n in ("port_1", "port_2", "flat_car", "box_car", "watertown")] + [
        bob(n) for n in ("port_1", "port_2", "flat_car", "box_car", "watertown")
    ]
    outcome = waiting.leaves(CYD, chance=hands)
    assert outcome.only(FirstRailcarsOpened) == [
        FirstRailcarsOpened(((ANN, ann("hopper_car"), "iron"), (BOB, bob("hopper_car"), "coal")))
    ]
    assert [event.seat for event in outcome.only(DeckShuffled)] == [ANN, BOB]
    mine = TITLE.rules.view(outcome.after.state, CYD).own
    assert (mine.railcars, mine.hand, mine.deck_size, mine.place) == ((), (), 9, "watertown")


def test_a_choice_of_a_seat_that_left_falls():
    """GTJ 19.7"""
    gone = (
        given(dealt(3), FirstRailcarChosen(CYD, cyd("hopper_car"), "coal")).leaves(CYD).then(SeatLeft(CYD, "resigned"))
    )
    assert TITLE.rules.asked(gone.state) == (ANN, BOB)
    assert not TITLE.rules.view(gone.state, None).seats[2].chosen
    one = gone.then(FirstRailcarChosen(ANN, ann("hopper_car"), "iron"))
    hands = [ann(n) for n in ("port_1", "port_2", "flat_car", "box_car", "watertown")] + [
        bob(n) for n in ("port_1", "port_2", "flat_car", "box_car", "watertown")
    ]
    opened = one.when(BOB, ChooseFirstRailcar(bob("hopper_car"), "coal"), chance=hands).only(FirstRailcarsOpened)
    assert [choice[0] for choice in opened[0].choices] == [ANN, BOB]


def test_a_seat_that_left_does_not_choose():
    """GTJ 19.7: neither for the first time nor another railcar, while the others are still choosing."""
    choice = ChooseFirstRailcar(cyd("flat_car"), "wood")
    silent = given(dealt(3), SeatLeft(CYD, "resigned"))
    silent.when(CYD, choice).then_refused("GTJ 19.7")
    given(dealt(3), FirstRailcarChosen(CYD, cyd("hopper_car"), "coal"), SeatLeft(CYD, "timed_out")).when(
        CYD, choice
    ).then_refused("GTJ 19.7")
    assert not TITLE.rules.actions(silent.state, CYD)
    silent.when(ANN, ChooseFirstRailcar(ann("hopper_car"), "iron")).then(
        FirstRailcarChosen(ANN, ann("hopper_car"), "iron")
    )


def test_two_leave_before_the_choices_are_opened():
    """GTJ 19.7: the second leaving opens the others' choices, whether the first had chosen or not."""
    chosen = [FirstRailcarChosen(ANN, ann("hopper_car"), "iron"), FirstRailcarChosen(BOB, bob("hopper_car"), "coal")]
    hands = [card(name) for card in (ann, bob) for name in ("port_1", "port_2", "flat_car", "box_car", "watertown")]
    for cyds in ([], [FirstRailcarChosen(CYD, cyd("hopper_car"), "coal")]):
        one_left = given(dealt(4), chosen, cyds).leaves(CYD).then(SeatLeft(CYD, "resigned"))
        assert TITLE.rules.asked(one_left.state) == (DAN,)
        both_left = one_left.leaves(DAN, chance=hands)
        shown = [(ANN, ann("hopper_car"), "iron"), (BOB, bob("hopper_car"), "coal")]
        assert both_left.only(FirstRailcarsOpened) == [FirstRailcarsOpened(tuple(shown))]
        assert [event.seat for event in both_left.only(DeckShuffled)] == [ANN, BOB]


def test_one_of_two_leaves_before_the_choices_are_opened():
    """GTJ 19.7: nothing is opened or dealt, the other has won."""
    waiting = given(dealt(), FirstRailcarChosen(ANN, ann("hopper_car"), "iron"))
    outcome = waiting.leaves(BOB)
    assert [type(event) for event in outcome.events] == [SeatLeft, GameScored, GameOver]
    assert TITLE.rules.result(outcome.after.state).winners == (ANN,)


def test_a_seat_that_left_before_the_opening_is_passed_over():
    """GTJ 19.7, 12.7, 3.1: it would have been first; its cards come into play all the same."""
    gone = given(dealt(3, order=(CYD, ANN, BOB)), FirstRailcarChosen(ANN, ann("hopper_car"), "iron")).leaves(CYD).after
    anns = [ann(name) for name in ("port_1", "port_2", "flat_car", "box_car", "watertown")]
    bobs = [bob(name) for name in ("port_1", "port_2", "flat_car", "box_car", "watertown")]
    opened = gone.when(BOB, ChooseFirstRailcar(bob("hopper_car"), "coal"), chance=[*anns, *bobs]).after
    assert TITLE.rules.asked(opened.state) == (ANN,)
    built = opened.when(ANN, BuildTerminal(ann("port_1"), "boston")).after
    assert seat(built, CYD).discard == (cyd("boston"),)


# ==== GTJ 19.8, 19.9 ==============================================================================
def test_the_table_does_not_change():
    """GTJ 19.8"""
    view = TITLE.rules.view(given(OPENING).state, None)
    assert (view.scenario, view.level, view.with_objectives) == ("default", "intermediate", False)
    assert tuple(each.company for each in view.seats) == COMPANIES[:2]
    assert TableSet.__struct_fields__ == ("companies", "scenario", "level", "objectives")


def test_places_and_companies_have_names_in_both_languages():
    """GTJ 19.9"""
    from domain.grand_trunk import cards
    from domain.grand_trunk.board import PLACES

    english, german = TITLE.face.words.english, spoken(TITLE.face.words, "de")
    for each in (*PLACES, *cards.COMPANIES):
        assert english.name(each) == german.name(each) != each, "they keep their names"
    for each in cards.IMPROVEMENTS:
        assert english.name(each) != each != german.name(each)
    assert german.name("hi_roof_boxcar") == "Großer Güterwagen"


# ==== GTJ 19.10: the safe answer ==================================================================
def test_safe_before_the_choices_are_opened():
    """GTJ 19.10: the first of the cards, then the first of the goods."""
    assert TITLE.rules.safe(given(dealt()).state, ANN) == ChooseFirstRailcar(ann("hopper_car"), "iron")
    assert TITLE.rules.safe(given(dealt()).state, BOB) == ChooseFirstRailcar(bob("hopper_car"), "coal")
    only_wood = given(dealt(tokens={"burlington": "city_goods_coal_3", "new_london": "city_goods_start_coal"}))
    assert TITLE.rules.safe(only_wood.state, ANN) == ChooseFirstRailcar(ann("flat_car"), "wood")


def test_safe_at_the_start_of_a_turn():
    """GTJ 19.10"""
    assert TITLE.rules.safe(given(OPENING).state, ANN) == PerformMaintenance()


def acted(*before, hands=None):
    return (
        given(opening(hands=hands), before)
        .when(ANN, PlayInfluenceDemand(ann("white_river_jct"), "boston", "utica"))
        .after
    )


def test_safe_with_an_action_played():
    """GTJ 19.10: the fewest days; ties by the order of cards, then of places."""
    assert TITLE.rules.safe(acted().state, ANN) == MoveTrain(ann("port_1"), "albany")
    no_port = {ANN: ("grand_trunk_jct", "richmond", "watertown", "white_river_jct", "flat_car")}
    assert TITLE.rules.safe(acted(hands=no_port).state, ANN) == MoveTrain(ann("watertown"), "watertown")


def test_safe_uses_fast():
    """GTJ 19.10: Fast makes the junction to a neighbour and Richmond cost a day each."""
    hand = {ANN: ("grand_trunk_jct", "richmond", "white_river_jct", "flat_car", "box_car")}
    assert TITLE.rules.safe(acted(fast(ANN), hands=hand).state, ANN) == MoveTrain(ann("grand_trunk_jct"), "albany")


def test_safe_plays_right_of_way_only_when_it_must():
    """GTJ 19.10"""
    hand = {ANN: ("richmond", "white_river_jct", "flat_car", "box_car")}
    early = acted(in_hand_from_afar(ANN, "boston"), hands=hand)
    safe = TITLE.rules.safe(early.state, ANN)
    assert safe == MoveTrain(ann("richmond"), "richmond"), (
        "Boston is two days away as well, Richmond's card comes first"
    )
    late = acted(in_hand_from_afar(ANN, "boston"), spent(ANN, 0, 39), hands=hand)
    assert TITLE.rules.safe(late.state, ANN) == MoveTrain(ann("richmond"), "richmond", right_of_way=ann("boston"))


def test_safe_gives_no_card_two_uses():
    """GTJ 19.10, 5.2: Dan's Watertown is two days away, comes before Québec and shows Right of Way."""
    overland = PlayOverlandTransport(dan("burlington"), "burlington", "watertown")
    before = [
        opening(4, hands={DAN: ("burlington", "watertown")}, order=(DAN, ANN, BOB, CYD)),
        in_hand_from_afar(DAN, "quebec"),
        steel_in(ANN, "burlington"),
    ]
    early = given(*before).when(DAN, overland).after
    assert TITLE.rules.safe(early.state, DAN) == MoveTrain(dan("watertown"), "watertown")
    late = given(*before, spent(DAN, 0, 39)).when(DAN, overland).after
    assert TITLE.rules.safe(late.state, DAN) == MoveTrain(dan("quebec"), "quebec", right_of_way=dan("watertown"))
    assert late.when(DAN, TITLE.rules.safe(late.state, DAN)).events


def test_safe_after_the_move():
    """GTJ 19.10"""
    assert (
        TITLE.rules.safe(given(OPENING, moved(ANN, "watertown", "watertown", "burlington", 0)).state, ANN) == EndTurn()
    )
