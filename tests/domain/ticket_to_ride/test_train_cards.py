"""TTR 4: drawing train cards, the market, the deck."""

import pytest

from domain.chance import NOBODY, ChanceAsked, NoChance
from domain.ticket_to_ride import TITLE
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.cards import ALL_CARDS, size
from domain.ticket_to_ride.commands import ClaimRoute, DrawBlindCard, DrawFaceUpCard
from domain.ticket_to_ride.events import (
    BlindCardDrawn,
    FaceUpCardDrawn,
    FaceUpCardTurned,
    MarketLeftStanding,
    MarketSwept,
    RouteClaimed,
    TrainDeckShuffled,
    TurnStarted,
)
from tests.domain.ticket_to_ride.positions import ANN, BOB, CYD, LOCO, given, holding, left_in_deck, opening, turn

TWO_LOCOS = (LOCO, "orange", "white", LOCO, "black")


def nearly_empty(keep, market=TWO_LOCOS):
    """Begin Ann's turn; Cyd has been dealt the deck but for ``keep``."""
    table = given(opening(market=market))
    return table.then(left_in_deck(table.state, keep, CYD))


def test_a_turn_has_two_draws_one_after_the_other():
    """TTR 4.1"""
    one = given(opening()).when(ANN, DrawFaceUpCard("white"), ["red"])
    after = one.then(FaceUpCardDrawn(ANN, 3, "white"), FaceUpCardTurned(3, "red"))
    assert after.state.on_turn == ANN
    after.when(ANN, DrawBlindCard(), ["blue"]).then(BlindCardDrawn(ANN, "blue"), turn(BOB))
    blind = given(opening()).when(ANN, DrawBlindCard(), ["blue"]).then(BlindCardDrawn(ANN, "blue"))
    blind.when(ANN, DrawFaceUpCard("purple"), ["red"]).then(
        FaceUpCardDrawn(ANN, 1, "purple"), FaceUpCardTurned(1, "red"), turn(BOB)
    )


def test_drawn_cards_come_into_the_hand():
    """TTR 4.1"""
    hand = given(opening(), BlindCardDrawn(ANN, "blue"), FaceUpCardDrawn(ANN, 3, "white")).state.players[ANN].hand
    assert (hand["red"], hand["blue"], hand["white"]) == (4, 1, 1)


@pytest.mark.parametrize("card", ["red", "blue", LOCO])
def test_a_card_missing_from_the_market_is_refused(card):
    """TTR 4.1"""
    given(opening()).when(ANN, DrawFaceUpCard(card)).then_refused("TTR 4.1")


def test_an_unknown_kind_is_refused():
    """TTR 4.1"""
    given(opening()).when(ANN, DrawFaceUpCard("mauve")).then_refused("TTR 4.1")


def test_the_slot_is_filled_before_the_second_draw():
    """TTR 4.2"""
    one = given(opening()).when(ANN, DrawFaceUpCard("white"), ["red"]).after
    assert one.state.market == ("purple", "orange", "red", "purple", "black")
    one.when(ANN, DrawFaceUpCard("red"), ["blue"]).then(
        FaceUpCardDrawn(ANN, 3, "red"), FaceUpCardTurned(3, "blue"), turn(BOB)
    )


def test_a_locomotive_of_the_market_is_the_whole_action():
    """TTR 4.3"""
    given(opening(market=TWO_LOCOS)).when(ANN, DrawFaceUpCard(LOCO), ["red"]).then(
        FaceUpCardDrawn(ANN, 1, LOCO), FaceUpCardTurned(1, "red"), turn(BOB)
    )


def test_a_locomotive_that_lay_there_is_refused_as_second_card():
    """TTR 4.3"""
    begun = given(opening(market=TWO_LOCOS), BlindCardDrawn(ANN, "white"))
    begun.when(ANN, DrawFaceUpCard(LOCO)).then_refused("TTR 4.3")
    assert not begun.allows(ANN, DrawFaceUpCard(LOCO))


def test_a_locomotive_just_turned_up_is_refused_as_second_card():
    """TTR 4.3"""
    one = given(opening()).when(ANN, DrawFaceUpCard("white"), [LOCO]).after
    one.when(ANN, DrawFaceUpCard(LOCO)).then_refused("TTR 4.3")


def test_a_second_locomotive_is_refused_by_4_3_even_if_there_is_none():
    """TTR 4.3 comes before TTR 4.1."""
    given(opening(), BlindCardDrawn(ANN, "white")).when(ANN, DrawFaceUpCard(LOCO)).then_refused("TTR 4.3")


def test_a_blind_locomotive_is_one_draw():
    """TTR 4.4"""
    one = given(opening()).when(ANN, DrawBlindCard(), [LOCO]).then(BlindCardDrawn(ANN, LOCO))
    assert one.state.on_turn == ANN
    one.when(ANN, DrawBlindCard(), [LOCO]).then(BlindCardDrawn(ANN, LOCO), turn(BOB))


def test_a_hand_may_hold_any_number():
    """TTR 4.5"""
    table = given(opening(), holding(ANN, red=8, blue=8, green=8, yellow=8))
    table.when(ANN, DrawBlindCard(), ["white"]).then(BlindCardDrawn(ANN, "white"))


def test_only_the_second_draw_is_legal_after_the_first():
    """TTR 4.6"""
    begun = given(opening(), BlindCardDrawn(ANN, "white"))
    assert TITLE.rules.asked(begun.state) == (ANN,)
    commands = {action.command for action in TITLE.rules.actions(begun.state, ANN)}
    assert commands == {DrawBlindCard(), *(DrawFaceUpCard(kind) for kind in ("purple", "orange", "white", "black"))}


# ==== sweeps ======================================================================================
def test_three_locomotives_sweep_the_market():
    """TTR 4.7: between two draws."""
    after = (
        given(opening(market=TWO_LOCOS))
        .when(ANN, DrawFaceUpCard("white"), [LOCO, "red", "blue", "green", "yellow", "white"])
        .then(
            FaceUpCardDrawn(ANN, 3, "white"),
            FaceUpCardTurned(3, LOCO),
            MarketSwept((LOCO, "orange", LOCO, LOCO, "black"), 1),
            *(FaceUpCardTurned(slot, card) for slot, card in enumerate(("red", "blue", "green", "yellow", "white"), 1)),
        )
    )
    assert after.state.on_turn == ANN
    assert (after.state.discard[LOCO], size(after.state.discard)) == (3, 5)


def test_the_market_is_swept_after_the_last_draw_as_well():
    """TTR 4.7"""
    begun = given(opening(market=TWO_LOCOS), BlindCardDrawn(ANN, "white"))
    outcome = begun.when(ANN, DrawFaceUpCard("white"), [LOCO, "red", "blue", "green", "yellow", "white"])
    assert [type(event) for event in outcome.events[2:3]] == [MarketSwept]
    assert outcome.events[-1] == turn(BOB)


def test_two_locomotives_stay_in_the_market():
    """TTR 4.7"""
    given(opening(market=TWO_LOCOS)).when(ANN, DrawFaceUpCard("white"), ["red"]).then_without(MarketSwept)


def test_a_market_swept_into_locomotives_is_swept_again():
    """TTR 4.8"""
    drawn = [LOCO, LOCO, LOCO, LOCO, "red", "red", "red", "blue", "green", "yellow", "white"]
    outcome = given(opening(market=TWO_LOCOS)).when(ANN, DrawFaceUpCard("white"), drawn)
    assert outcome.only(MarketSwept) == [
        MarketSwept((LOCO, "orange", LOCO, LOCO, "black"), 1),
        MarketSwept((LOCO, LOCO, LOCO, "red", "red"), 2),
    ]
    assert [event.slot for event in outcome.only(FaceUpCardTurned)] == [3, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]


ALMOST = (LOCO, LOCO, "white", "white", "black")


def test_the_market_stands_when_hardly_anything_but_locomotives_is_left():
    """TTR 4.9: of the cards not in hands, a white and a black one are no locomotives."""
    nearly_empty({LOCO: 6}, ALMOST).when(ANN, DrawFaceUpCard("white"), [LOCO]).then(
        FaceUpCardDrawn(ANN, 3, "white"), FaceUpCardTurned(3, LOCO), MarketLeftStanding("too_few_others")
    )


def test_locomotives_of_the_discard_pile_do_not_count():
    """TTR 4.9: two lie there, paid for a route."""
    paid = [holding(BOB, locomotive=2), RouteClaimed(BOB, "boston__new_york__red", (LOCO,) * 2, 2, 43), turn(ANN, 3)]
    table = given(opening(market=ALMOST), paid)
    table.then(left_in_deck(table.state, {LOCO: 6}, CYD)).when(ANN, DrawFaceUpCard("white"), [LOCO]).then(
        FaceUpCardDrawn(ANN, 3, "white"), FaceUpCardTurned(3, LOCO), MarketLeftStanding("too_few_others")
    )


def test_three_other_cards_are_enough_for_a_sweep():
    """TTR 4.9"""
    table = nearly_empty({LOCO: 6, "red": 1}, ALMOST)
    drawn = [LOCO, *[LOCO] * 5, "red", LOCO, LOCO, "white", "black"]
    outcome = table.when(ANN, DrawFaceUpCard("white"), drawn)
    assert outcome.only(MarketSwept) == [
        MarketSwept((LOCO, LOCO, LOCO, "white", "black"), 1),
        MarketSwept((LOCO,) * 5, 2),
    ]


def test_a_market_left_standing_is_tested_again_by_the_next_command_that_moves_train_cards():
    """TTR 4.9: drawing changes nothing; a claim brings other cards back, and the market is swept."""
    standing = nearly_empty({LOCO: 3}, ALMOST).then(
        FaceUpCardDrawn(ANN, 3, "white"), FaceUpCardTurned(3, LOCO), MarketLeftStanding("too_few_others")
    )
    assert standing.state.standing
    assert not given(opening()).state.standing
    again = standing.then(turn(BOB)).when(BOB, DrawBlindCard(), [LOCO])
    again.then(BlindCardDrawn(BOB, LOCO), MarketLeftStanding("too_few_others"))
    claim = ClaimRoute("atlanta__miami", ("blue",) * 5)
    swept = standing.then(turn(CYD)).when(CYD, claim, [LOCO, LOCO, "blue", "blue", "blue"])
    assert [type(event) for event in swept.events] == [
        RouteClaimed, MarketSwept, FaceUpCardTurned, FaceUpCardTurned, TrainDeckShuffled, *[FaceUpCardTurned] * 3,
        TurnStarted,
    ]  # fmt: skip
    assert not swept.after.state.standing


def test_one_command_causes_at_most_ten_sweeps():
    """TTR 4.9"""
    table = nearly_empty({LOCO: 10, "red": 6}, market=(LOCO, LOCO, "white", "orange", "black"))
    five, other_five = [LOCO, LOCO, LOCO, "red", "red"], [LOCO, LOCO, LOCO, "orange", "black"]
    drawn = [LOCO, *five * 5, *other_five, *five * 4]
    outcome = table.when(ANN, DrawFaceUpCard("white"), drawn)
    assert [event.sweep for event in outcome.only(MarketSwept)] == list(range(1, 11))
    assert outcome.events[-1] == MarketLeftStanding("ten_sweeps")
    assert outcome.after.state.on_turn == ANN


@pytest.mark.parametrize("command", [DrawBlindCard(), DrawFaceUpCard("white")])
def test_a_market_left_standing_after_ten_sweeps_is_swept_by_the_next_card_drawn(command):
    """TTR 4.9: and stands no more."""
    standing = given(opening(market=(LOCO, LOCO, LOCO, "white", "black")), MarketLeftStanding("ten_sweeps"))
    outcome = standing.when(ANN, command, ["white", "red", "blue", "green", "yellow", "white"])
    assert outcome.only(MarketSwept) == [MarketSwept((LOCO, LOCO, LOCO, "white", "black"), 1)]
    assert not outcome.after.state.standing


# ==== the end of the deck =========================================================================
def test_the_discard_pile_becomes_the_deck_at_once():
    """TTR 4.10"""
    route = ROUTES["atlanta__miami"]
    table = nearly_empty({"red": 1}).then(
        holding(CYD), RouteClaimed(CYD, route.id, ("blue",) * 5, 10, 40), turn(ANN, 3)
    )
    after = table.when(ANN, DrawBlindCard(), ["red"]).then(BlindCardDrawn(ANN, "red"), TrainDeckShuffled(5))
    assert after.state.deck["blue"] == 5
    assert size(after.state.discard) == 0


def test_cards_discarded_on_an_empty_deck_become_the_deck_at_once():
    """TTR 4.10"""
    table = nearly_empty({}).then(turn(CYD, 3))
    outcome = table.when(CYD, ClaimRoute("atlanta__miami", ("blue",) * 5))
    outcome.then(RouteClaimed(CYD, "atlanta__miami", ("blue",) * 5, 10, 40), TrainDeckShuffled(5), turn(ANN, 4))


def test_the_deck_may_run_out_in_the_middle_of_a_sweep():
    """TTR 4.10"""
    table = nearly_empty({LOCO: 1, "red": 2})
    drawn = [LOCO, "red", "red", "orange", LOCO, "black"]
    outcome = table.when(ANN, DrawFaceUpCard("white"), drawn)
    assert [type(event) for event in outcome.events] == [
        FaceUpCardDrawn, FaceUpCardTurned, MarketSwept, FaceUpCardTurned, FaceUpCardTurned, TrainDeckShuffled,
        FaceUpCardTurned, FaceUpCardTurned, FaceUpCardTurned,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "command", [DrawBlindCard(), DrawFaceUpCard("white"), DrawFaceUpCard(LOCO), DrawFaceUpCard("red")]
)
def test_no_card_is_drawn_while_deck_and_discard_pile_are_empty(command):
    """TTR 4.11: not even from the market."""
    table = nearly_empty({})
    table.when(ANN, command).then_refused("TTR 4.11")
    assert not table.allows(ANN, command)


def test_the_action_ends_if_no_card_is_left_after_the_first_draw():
    """TTR 4.12"""
    table = nearly_empty({"red": 1})
    table.when(ANN, DrawBlindCard(), ["red"]).then(BlindCardDrawn(ANN, "red"), turn(BOB))
    table.when(ANN, DrawFaceUpCard("white"), ["red"]).then(
        FaceUpCardDrawn(ANN, 3, "white"), FaceUpCardTurned(3, "red"), turn(BOB)
    )


def test_a_market_of_locomotives_alone_does_not_end_the_action():
    """TTR 4.12: none of them can be the second card (TTR 4.3), but the deck can still be drawn from."""
    table = nearly_empty({LOCO: 3}, market=(LOCO, LOCO, LOCO, LOCO, "black"))
    one = table.when(ANN, DrawFaceUpCard("black"), [LOCO]).then(
        FaceUpCardDrawn(ANN, 5, "black"), FaceUpCardTurned(5, LOCO), MarketLeftStanding("too_few_others")
    )
    assert one.state.on_turn == ANN
    one.when(ANN, DrawFaceUpCard(LOCO)).then_refused("TTR 4.3")
    one.when(ANN, DrawBlindCard(), [LOCO]).then_includes(BlindCardDrawn(ANN, LOCO), turn(BOB))


def test_a_card_is_taken_from_the_lowest_slot_of_its_kind():
    """TTR 4.13"""
    outcome = given(opening()).when(ANN, DrawFaceUpCard("purple"), ["red"])
    outcome.then(FaceUpCardDrawn(ANN, 1, "purple"), FaceUpCardTurned(1, "red"))


def test_a_kind_is_listed_once():
    """TTR 4.13"""
    listed = [action.command for action in TITLE.rules.actions(given(opening()).state, ANN)]
    assert listed.count(DrawFaceUpCard("purple")) == 1


def test_every_card_of_the_deck_can_be_drawn_and_nobody_learns_its_place():
    """TTR 10.12: the draw is over the whole deck, and its picks are sealed to nobody."""

    class Listening(NoChance):
        def draw(self, name, items, count=1, seat=None):
            self.asked = (name, items.numbers, count, seat)
            raise ChanceAsked(name)

    state, chance = given(opening()).state, Listening()
    with pytest.raises(ChanceAsked):
        TITLE.rules.decide(state, ANN, DrawBlindCard(), chance)
    name, items, count, seat = chance.asked
    assert (name, count, seat) == ("TTR 4.1 train deck", 1, NOBODY)
    assert items == state.deck
    assert sum(items.values()) < sum(ALL_CARDS.values())
