"""NER 10: auction and building."""

import pytest

from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import LINKS
from domain.new_england.decide import actions, asked, safe
from domain.orders import Found, Numbered, chosen
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    auction,
    cash,
    given,
    opening,
    sold,
)

FUTURE = happened.FutureRowLaid(("albany__rutland", "boston__lowell"))


def bid(seat, amount, link=BP):
    return happened.BidPlaced(seat, link, amount, by_proxy=False)


def passed(seat, link=BP, cause="choice"):
    return happened.BidderPassed(seat, link, cause, by_proxy=False)


def bid_span(position, seat):
    """Return the least and the most that is listed for a bid."""
    (span,) = [each.span for each in actions(position.state, seat) if isinstance(each.command, do.PlaceBid)]
    return span.low, span.high


def on_offer(*events, seats=3, first=ANN, lot=BP):
    return given(opening(seats, first), auction(lot), *events)


# ==== who bids ====================================================================================
def test_the_links_are_auctioned_one_at_a_time():
    """NER 10.1: First to Last; the next lot opens when the one before is paid for."""
    position = on_offer(passed(ANN), passed(BOB))
    position.when(CYD, do.PlaceBid(BW, 1)).then_refused("NER 10.1")
    position.when(CYD, do.PlaceBid("albany__rutland", 1)).then_refused("NER 10.1")
    position.when(CYD, do.PassBid(BP)).then(passed(CYD), happened.LinkUnsold(BP), happened.LotOpened(BW))
    bought = position.when(CYD, do.PlaceBid(BP, 1), [6, 6])
    assert bought.events[-3:] == [
        happened.BuildDiceRolled(BP, CYD, (6, 6), 0),
        happened.LinkBuilt(BP, CYD, "roll"),
        happened.LotOpened(BW),
    ]


def test_nobody_bids_while_the_lot_is_paid_for():
    """NER 10.1"""
    position = on_offer(sold(CYD, roll=(1, 1)))
    position.when(ANN, do.PlaceBid(BP, 2)).then_refused("NER 10.1")
    position.when(ANN, do.PlaceBid(BW, 2)).then_refused("NER 10.1")


def test_the_first_player_is_asked_first_then_clockwise():
    """NER 10.2: round and round, in every auction."""
    position = on_offer(first=BOB)
    assert asked(position.state) == (BOB,)
    for seat, after in ((BOB, CYD), (CYD, ANN), (ANN, BOB), (BOB, CYD)):
        position = position.when(seat, do.PlaceBid(BP, position.state.lot.bid + 1)).after
        assert asked(position.state) == (after,)
    again = on_offer(
        bid(BOB, 1),
        passed(CYD),
        passed(ANN),
        happened.LinkSold(BP, BOB, 1),
        happened.LinkBuilt(BP, BOB, "roll"),
        happened.LotOpened(BW),
        first=BOB,
    )
    assert again.state.lot.next == BOB


def test_seats_that_passed_and_the_holder_are_skipped():
    """NER 10.2"""
    position = on_offer(bid(ANN, 1), passed(BOB), bid(CYD, 2))
    assert asked(position.state) == (ANN,)
    after = position.when(ANN, do.PlaceBid(BP, 3)).after
    assert asked(after.state) == (CYD,)
    position.when(CYD, do.PlaceBid(BP, 3)).then_refused("NER 19.2")


def test_a_seat_buys_one_link_a_turn():
    """NER 10.3: afterwards it passes by itself when its place comes."""
    position = on_offer(bid(ANN, 1), passed(BOB))
    outcome = position.when(CYD, do.PassBid(BP), [6, 6])
    assert outcome.events[-2:] == [happened.LotOpened(BW), passed(ANN, BW, "has_bought")]
    assert asked(outcome.after.state) == (BOB,)
    outcome.after.when(ANN, do.PlaceBid(BW, 1)).then_refused("NER 10.3")
    outcome.after.when(ANN, do.PassBid(BW)).then_refused("NER 10.3")


def test_a_buyer_can_buy_again_next_turn():
    """NER 10.3"""
    position = on_offer(*sold(ANN), happened.LinkBuilt(BP, ANN, "roll"), happened.TurnBegan(2), happened.StepBegan(1))
    assert position.state.bought == frozenset()


@pytest.mark.parametrize("amount", [0, 1, 3])
def test_a_bid_tops_the_standing_bid(amount):
    """NER 10.4"""
    position = on_offer(bid(ANN, 3))
    position.when(BOB, do.PlaceBid(BP, amount)).then_refused("NER 10.4")
    position.when(BOB, do.PlaceBid(BP, 4)).then_includes(bid(BOB, 4))


def test_a_first_bid_is_at_least_one():
    """NER 10.4"""
    on_offer().when(ANN, do.PlaceBid(BP, 0)).then_refused("NER 10.4")
    on_offer().when(ANN, do.PlaceBid(BP, 1)).then(bid(ANN, 1))


def test_a_bid_may_jump():
    """NER 10.4, 20.9"""
    on_offer(bid(ANN, 1)).when(BOB, do.PlaceBid(BP, 9)).then_includes(bid(BOB, 9))


def test_a_bid_is_not_above_the_cash():
    """NER 10.5"""
    on_offer().when(ANN, do.PlaceBid(BP, 11)).then_refused("NER 10.5")
    outcome = on_offer().when(ANN, do.PlaceBid(BP, 10), [6, 6])
    outcome.then_includes(bid(ANN, 10), happened.LinkSold(BP, ANN, 10))


def test_a_seat_that_cannot_top_the_bid_passes_automatically():
    """NER 10.5"""
    position = on_offer(cash(bob=-6))
    outcome = position.when(ANN, do.PlaceBid(BP, 4)).then(bid(ANN, 4), passed(BOB, cause="cannot_pay"))
    assert asked(outcome.state) == (CYD,)
    position = given(opening(), cash(bob=-10), auction())
    outcome = position.when(ANN, do.PassBid(BP)).then(passed(ANN), passed(BOB, cause="cannot_pay"))
    assert asked(outcome.state) == (CYD,)


def test_a_standing_bid_of_a_thousand_cannot_be_topped():
    """NER 4.2: as in NER 10.5."""
    position = on_offer(cash(ann=5000, bob=5000, cyd=5000))
    outcome = position.when(ANN, do.PlaceBid(BP, 1000), [6, 6])
    outcome.then_includes(
        bid(ANN, 1000),
        passed(BOB, cause="cannot_pay"),
        passed(CYD, cause="cannot_pay"),
        happened.LinkSold(BP, ANN, 1000),
    )


def test_a_seat_can_bid_exactly_a_thousand():
    """NER 4.2, 10.4: a seat asked for more than $999 may still make it, and the list goes as far and no further."""
    position = on_offer(cash(ann=5000, bob=5000, cyd=990))
    bob = position.when(ANN, do.PlaceBid(BP, 999)).then(bid(ANN, 999))
    assert asked(bob.state) == (BOB,)
    assert bid_span(bob, BOB) == (1000, 1000)
    assert bid_span(bob.when(BOB, do.PassBid(BP)).after, CYD) == (1000, 1000), "all the cash there is"
    bob.when(BOB, do.PlaceBid(BP, 1000), [6, 6]).then_includes(
        bid(BOB, 1000),
        passed(CYD, cause="cannot_pay"),
        passed(ANN, cause="cannot_pay"),
        happened.LinkSold(BP, BOB, 1000),
    )


def test_bids_are_listed_from_the_least_to_the_cash():
    """NER 10.4, 10.5"""
    assert bid_span(on_offer(), ANN) == (1, 10)
    assert bid_span(on_offer(bid(ANN, 4)), BOB) == (5, 10)
    assert bid_span(on_offer(cash(ann=5000)), ANN) == (1, 1000)


def test_a_pass_is_final():
    """NER 10.6: even before any bid."""
    position = on_offer(passed(ANN), bid(BOB, 1))
    position.when(ANN, do.PlaceBid(BP, 2)).then_refused("NER 10.6")
    position.when(ANN, do.PassBid(BP)).then_refused("NER 10.6")
    outcome = position.when(CYD, do.PlaceBid(BP, 2)).after
    assert asked(outcome.state) == (BOB,)


def test_refusals_have_a_fixed_order():
    """Step before link before part before go before the lowest number."""
    given(opening()).when(BOB, do.PlaceBid("albany__rutland", 0)).then_refused("NER 3.1")
    on_offer(passed(BOB)).when(BOB, do.PlaceBid(BW, 0)).then_refused("NER 10.1")
    on_offer(passed(BOB)).when(BOB, do.PlaceBid(BP, 0)).then_refused("NER 10.6")
    on_offer().when(BOB, do.PlaceBid(BP, 0)).then_refused("NER 19.2")
    on_offer(cash(ann=-10), bid(CYD, 4)).when(ANN, do.PlaceBid(BP, 3)).then_refused("NER 10.4")
    bought = on_offer(happened.LinkSold(BW, BOB, 1), passed(ANN))
    bought.when(BOB, do.PlaceBid(BP, 1)).then_refused("NER 10.3")


# ==== how it ends =================================================================================
def test_the_last_bidder_buys_pays_and_owns_at_once():
    """NER 10.7"""
    outcome = on_offer(bid(ANN, 4), passed(BOB)).when(CYD, do.PassBid(BP), [1, 1])
    assert outcome.events[:3] == [
        passed(CYD),
        happened.LinkSold(BP, ANN, 4),
        happened.BuildDiceRolled(BP, ANN, (1, 1), 3),
    ]
    state = outcome.after.state
    assert state.owners == {BP: ANN}
    assert state.seats[ANN].cash == 6
    assert BP not in state.row


def test_the_game_still_asks_the_last_seat():
    """NER 10.8: it buys at its bid, or passes."""
    position = on_offer(passed(ANN), passed(BOB))
    assert asked(position.state) == (CYD,)
    position.when(CYD, do.PlaceBid(BP, 7), [6, 6]).then_includes(happened.LinkSold(BP, CYD, 7))
    assert position.allows(CYD, do.PassBid(BP))


def test_a_link_that_nobody_wants_leaves_the_game():
    """NER 10.9"""
    state = on_offer(passed(ANN), passed(BOB)).when(CYD, do.PassBid(BP)).after.state
    assert state.unsold == (BP,)
    assert BP not in (*state.row, *state.owners, *state.link_deck)


# ==== building ====================================================================================
@pytest.mark.parametrize(("dice", "shortfall"), [((1, 3), 1), ((1, 1), 3), ((2, 2), 1)])
def test_the_build_roll_is_made_once_after_payment(dice, shortfall):
    """NER 10.10: the first is the rule text's example."""
    position = on_offer(bid(ANN, 4), passed(BOB))
    outcome = position.when(CYD, do.PassBid(BP), dice)
    assert outcome.only(happened.BuildDiceRolled) == [happened.BuildDiceRolled(BP, ANN, dice, shortfall)]
    assert asked(outcome.after.state) == (ANN,)


def test_an_unbuilt_link_carries_no_cube():
    """NER 10.11"""
    position = on_offer(sold(ANN, roll=(1, 1)))
    after = position.when(ANN, do.LeaveUnbuilt(BP)).after
    assert after.state.owners[BP] == ANN
    assert BP not in after.state.built


@pytest.mark.parametrize("dice", [(2, 3), (6, 6)])
def test_a_roll_at_or_above_the_number_builds_the_link(dice):
    """NER 10.12"""
    assert LINKS[BP].number == 5
    outcome = on_offer(bid(ANN, 4), passed(BOB)).when(CYD, do.PassBid(BP), dice)
    outcome.then_includes(happened.BuildDiceRolled(BP, ANN, dice, 0), happened.LinkBuilt(BP, ANN, "roll"))
    assert BP in outcome.after.state.built


def test_the_buyer_can_pay_the_shortfall():
    """NER 10.13: exactly that or nothing."""
    position = on_offer(sold(ANN, price=4, roll=(1, 3)))
    after = position.when(ANN, do.PayShortfall(BP)).then(
        happened.ShortfallPaid(ANN, BP, 1, by_build_limit=False),
        happened.LinkBuilt(BP, ANN, "payment"),
        happened.LotOpened(BW),
        passed(ANN, BW, "has_bought"),
    )
    assert after.state.seats[ANN].cash == 5
    kinds = {type(action.command) for action in actions(position.state, ANN)}
    assert kinds == {do.PayShortfall, do.LeaveUnbuilt, do.SetBuildLimit}
    view = TITLE.rules.view(position.state, ANN)
    whole = TITLE.face.orders.options(view, actions(position.state, ANN))
    found = chosen(Numbered(1, None, False), whole)
    assert isinstance(found, Found), "a build limit that may be set besides asks for no amount"
    assert found.command == do.PayShortfall(BP)


def test_only_the_buyer_pays_a_shortfall_and_only_after_the_roll():
    """NER 10.13"""
    position = on_offer(sold(ANN, roll=(1, 3)))
    position.when(BOB, do.PayShortfall(BP)).then_refused("NER 19.2")
    position.when(ANN, do.PayShortfall(BW)).then_refused("NER 10.1")
    on_offer().when(ANN, do.PayShortfall(BP)).then_refused("NER 10.1")
    on_offer().when(ANN, do.LeaveUnbuilt(BP)).then_refused("NER 10.1")
    assert safe(position.state, ANN) == do.LeaveUnbuilt(BP)


def test_a_buyer_that_cannot_pay_the_shortfall_is_not_asked():
    """NER 10.14"""
    outcome = on_offer(bid(ANN, 9), passed(BOB)).when(CYD, do.PassBid(BP), [1, 2])
    outcome.then_includes(
        happened.BuildDiceRolled(BP, ANN, (1, 2), 2),
        happened.LinkLeftUnbuilt(ANN, BP, "cannot_pay", by_build_limit=False),
        happened.LotOpened(BW),
    )


def test_a_buyer_that_can_just_pay_the_shortfall_is_asked():
    """NER 10.14: with $2 for a shortfall of $2."""
    outcome = on_offer(bid(ANN, 8), passed(BOB)).when(CYD, do.PassBid(BP), [1, 2])
    assert outcome.events[-1] == happened.BuildDiceRolled(BP, ANN, (1, 2), 2)
    assert asked(outcome.after.state) == (ANN,)
    after = outcome.after.when(ANN, do.PayShortfall(BP)).then_includes(
        happened.ShortfallPaid(ANN, BP, 2, by_build_limit=False)
    )
    assert after.state.seats[ANN].cash == 0


def test_a_link_left_unbuilt_waits_for_the_next_turn():
    """NER 10.15: without a second roll."""
    position = on_offer(sold(ANN, roll=(1, 3)))
    after = position.when(ANN, do.LeaveUnbuilt(BP)).then(
        happened.LinkLeftUnbuilt(ANN, BP, "choice", by_build_limit=False),
        happened.LotOpened(BW),
        passed(ANN, BW, "has_bought"),
    )
    assert asked(after.state) == (BOB,)


# ==== after the last lot ==========================================================================
def test_the_future_row_moves_down():
    """NER 10.16: in the same order; then the shipping begins."""
    position = given(opening(), FUTURE, happened.LinkUnsold(BP), auction(BW), passed(ANN, BW), passed(BOB, BW))
    outcome = position.when(CYD, do.PassBid(BW), [3, 4, ANN])
    outcome.then_includes(happened.LinkUnsold(BW), happened.RowMovedDown(FUTURE.links), happened.StepBegan(8))
    assert outcome.after.state.row == FUTURE.links
    assert outcome.after.state.future == ()
