"""NER 19: play by post."""

import random
from collections import Counter

import pytest

from domain import lifecycle
from domain.chance import FreeChance
from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import LINKS
from domain.new_england.decide import asked, safe
from domain.new_england.state import State
from domain.refusal import Refused
from tests.contract.games import RandomGame
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    DAN,
    NO_LOANS,
    TO_THE_LOT,
    auction,
    cash,
    debt,
    given,
    opening,
    owned,
    retirement,
    shipping,
    sold,
)
from tests.domain.new_england.table import Table


# ==== NER 19.1 and 19.2 ===========================================================================
def test_seats_are_numbered_clockwise():
    """NER 19.1"""
    assert list(given(opening(6)).state.seats) == [1, 2, 3, 4, 5, 6]


def test_one_seat_is_asked_at_a_time_in_the_auction():
    """NER 19.2: in steps 7 and 8."""
    shipped = given(opening(), owned(CYD, *LINKS), shipping(("A", ANN), ("B", BOB)))
    for position in (given(opening(), auction()), shipped):
        assert asked(position.state) == (ANN,)
        command = do.PassBid(BP) if position.state.lot else do.SkipShipment()
        position.when(BOB, command).then_refused("NER 19.2")


# ==== sealed answers ==============================================================================
def test_all_are_asked_for_a_loan_together():
    """NER 19.3: in any order."""
    position = given(opening())
    assert asked(position.state) == (ANN, BOB, CYD)
    after = position.when(CYD, do.TakeLoan(20)).then(happened.LoanAnswerSealed(CYD, 20))
    assert asked(after.state) == (ANN, BOB)
    assert after.state.seats[CYD].cash == 10


def test_the_last_answer_opens_all_in_seat_order():
    """NER 19.3"""
    position = given(opening(first=BOB), happened.LoanAnswerSealed(CYD, 20), happened.LoanAnswerSealed(ANN, 10))
    outcome = position.when(BOB, do.TakeLoan(30))
    assert outcome.events[:5] == [
        happened.LoanAnswerSealed(BOB, 30),
        happened.AnswersOpened(1),
        happened.LoanTaken(BOB, 30),
        happened.LoanTaken(CYD, 20),
        happened.LoanTaken(ANN, 10),
    ]


def test_all_seats_that_can_pay_back_are_asked_together():
    """NER 19.3"""
    position = given(opening(), debt(ann=10, cyd=10), retirement())
    assert asked(position.state) == (ANN, CYD)
    after = position.when(CYD, do.RetireDebt(10)).then(happened.RetirementAnswerSealed(CYD, 10, in_advance=False))
    outcome = after.when(ANN, do.RetireDebt(10), TO_THE_LOT)
    assert outcome.only(happened.AnswersOpened, happened.DebtRetired) == [
        happened.AnswersOpened(3),
        happened.DebtRetired(ANN, 10),
        happened.DebtRetired(CYD, 10),
    ]


def test_an_answer_can_be_replaced_until_all_are_opened():
    """NER 19.4: it is checked when given."""
    position = given(opening(), happened.LoanAnswerSealed(ANN, 20))
    position.when(ANN, do.TakeLoan(0)).then(happened.LoanAnswerReplaced(ANN, 0))
    position.when(ANN, do.TakeLoan(5)).then_refused("NER 4.1")
    back = given(
        opening(),
        debt(ann=20, bob=10),
        cash(ann=20),
        retirement(),
        happened.RetirementAnswerSealed(ANN, 20, in_advance=False),
    )
    back.when(ANN, do.RetireDebt(10)).then(happened.RetirementAnswerReplaced(ANN, 10))
    back.when(ANN, do.RetireDebt(30)).then_refused("NER 6.2")


# ==== answers in advance ==========================================================================
def test_step_three_can_be_answered_in_step_one():
    """NER 19.5: and replaced."""
    position = given(opening(), debt(ann=20))
    after = position.when(ANN, do.RetireDebt(10)).then(happened.AdvanceRetirementSealed(ANN, 10))
    after.when(ANN, do.RetireDebt(20)).then(happened.AdvanceRetirementReplaced(ANN, 20))
    assert asked(after.state) == (ANN, BOB, CYD), "the loan is still asked for"


def test_an_answer_in_advance_counts_if_it_is_legal_then():
    """NER 19.5"""
    position = given(opening(), debt(ann=20), cash(ann=20), happened.AdvanceRetirementSealed(ANN, 20), NO_LOANS)
    outcome = position.when(CYD, do.TakeLoan(0), TO_THE_LOT)
    outcome.then_includes(
        happened.StepBegan(3),
        happened.RetirementAnswerSealed(ANN, 20, in_advance=True),
        happened.AnswersOpened(3),
        happened.DebtRetired(ANN, 20),
    )
    assert outcome.after.state.seats[ANN].advance is None


@pytest.mark.parametrize("amount", [30, 20])
def test_an_illegal_answer_in_advance_is_dropped_and_the_seat_asked(amount):
    """NER 19.5: more than the debt, more than the cash after service."""
    position = given(opening(), debt(ann=20), cash(ann=5), happened.AdvanceRetirementSealed(ANN, amount), NO_LOANS)
    outcome = position.when(CYD, do.TakeLoan(0))
    assert outcome.events[-1] == happened.AdvanceRetirementDropped(ANN)
    assert asked(outcome.after.state) == (ANN,)
    assert outcome.after.state.seats[ANN].advance is None


def test_an_answer_in_advance_without_debt_is_dropped_silently():
    """NER 19.5, 6.5"""
    position = given(opening(), happened.AdvanceRetirementSealed(ANN, 0), NO_LOANS)
    position.when(CYD, do.TakeLoan(0), TO_THE_LOT).then_includes(happened.AdvanceRetirementDropped(ANN))


def test_each_answer_in_advance_is_checked_by_itself():
    """NER 19.5: Ann, who has left no answer, comes before Bob."""
    position = given(
        opening(), debt(ann=20, bob=20), cash(ann=20, bob=20), happened.AdvanceRetirementSealed(BOB, 20), NO_LOANS
    )
    outcome = position.when(CYD, do.TakeLoan(0))
    outcome.then_includes(happened.RetirementAnswerSealed(BOB, 20, in_advance=True))
    assert asked(outcome.after.state) == (ANN,)


# ==== drawn when seen =============================================================================
def test_decks_have_no_order():
    """NER 19.6: no order is ever made or kept."""
    state: State = given(opening()).state
    assert isinstance(state.link_deck, frozenset)
    assert isinstance(state.growth_deck, frozenset)
    assert isinstance(state.cup, dict)


def test_a_replay_draws_nothing_again():
    """NER 19.6: `evolve` gets no chance."""
    game = RandomGame(TITLE, 2, mischief=False)
    for _ in game.steps():
        pass
    state = TITLE.rules.start
    for ply in game.plies:
        for event in ply.events:
            if not isinstance(event, lifecycle.EVENTS):
                state = TITLE.evolve(state, event)
    assert state == game.game.state


def test_each_link_is_equally_likely_to_be_laid_next():
    """NER 19.6"""
    first = Counter()
    state = given(opening(), NO_LOANS).state
    for number in range(840):
        events = TITLE.rules.decide(state, CYD, do.TakeLoan(0), FreeChance(random.Random(number))).events
        first[next(event.links[0] for event in events if isinstance(event, happened.FutureRowLaid))] += 1
    assert set(first) == set(LINKS) - {BP, BW}
    assert all(10 <= times <= 55 for times in first.values())


# ==== safe answers ================================================================================
def test_each_step_has_its_safe_answer():
    """NER 19.7"""
    assert safe(given(opening(), debt(ann=10), cash(ann=-9)).state, ANN) == do.TakeLoan(10)
    assert safe(given(opening(), debt(ann=10), retirement()).state, ANN) == do.RetireDebt(0)
    assert safe(given(opening(), auction()).state, ANN) == do.PassBid(BP)
    assert safe(given(opening(), auction(), sold(ANN, roll=(1, 1))).state, ANN) == do.LeaveUnbuilt(BP)
    assert safe(given(opening(), owned(ANN, *LINKS), shipping(("A", ANN))).state, ANN) == do.SkipShipment()


# ==== barriers ====================================================================================
def at_the_auction(seats=3, number=1):
    """Put the first lot on offer. Return the asked seat, and those after it."""
    table = Table(seats, number)
    for seat in table.game.asked:
        table.give(seat, do.TakeLoan(0))
    return table, table.state.seat_order


def test_sealed_answers_are_never_taken_back():
    """NER 19.8"""
    table = Table()
    table.give(ANN, do.TakeLoan(10))
    table.give(ANN, do.SetProxyBid(BP, 3))
    assert table.can_take_back(ANN) == ()


def test_a_bid_is_taken_back_until_another_seat_acts():
    """NER 19.8: within the settle time of the notice."""
    table, (first, second, _) = at_the_auction()
    ply = table.give(first, do.PlaceBid(BP, 2))
    assert table.can_take_back(first) == (ply.number,)
    table.give(second, do.PlaceBid(BP, 3))
    assert table.can_take_back(first) == ()
    table.give(second, lifecycle.TakeBack(table.game.version))
    assert table.can_take_back(first) == (), "even if that was itself taken back"


def test_a_bid_cannot_be_taken_back_after_the_settle_time():
    """NER 19.8"""
    table, (first, *_) = at_the_auction()
    table.give(first, do.PassBid(BP))
    table.at += 60_001
    assert table.can_take_back(first) == ()


def test_hidden_entries_prevent_no_take_back_and_stay():
    """NER 19.8: they neither hinder taking back nor are taken back."""
    table, (first, second, third) = at_the_auction()
    table.give(first, do.SetProxyBid(BW, 4))
    ply = table.give(first, do.PlaceBid(BP, 2))
    table.give(third, do.SetProxyBid(BP, 9))
    table.give(first, do.SetBuildLimit(BP, 1))
    assert table.can_take_back(first) == (ply.number,)
    taken = table.give(first, lifecycle.TakeBack(ply.number))
    assert taken.events == (lifecycle.TakenBack(first, (ply.number,)),), "what others are told names no entry"
    assert table.state.seats[third].proxies == {BP: 9}
    assert table.state.seats[first].proxies == {BW: 4}
    assert table.state.seats[first].limits == {BP: 1}
    assert table.state.lot.bidder is None
    assert table.game.asked == (first,)
    assert second in table.game.table.playing


def test_a_seat_that_takes_a_bid_back_is_asked_again_and_its_entry_is_safe():
    """NER 19.7, 20.10: an entry works from the next time the seat is asked, and answers when the time runs out."""
    table, (first, second, _) = at_the_auction()
    bid = table.give(first, do.PlaceBid(BP, 2))
    table.give(first, do.SetProxyBid(BP, 9))
    table.give(first, lifecycle.TakeBack(bid.number))
    assert table.game.asked == (first,)
    answer = table.give(first, safe(table.state, first))
    assert happened.BidPlaced(first, BP, 1, by_proxy=True) in answer.events
    assert table.game.asked == (second,)


def test_an_answer_of_anothers_proxy_is_a_barrier():
    """NER 19.8"""
    table, (first, second, _) = at_the_auction()
    table.give(second, do.SetProxyBid(BP, 9))
    table.give(first, do.PlaceBid(BP, 2))
    assert table.can_take_back(first) == ()
    with pytest.raises(Refused) as refusal:
        table.give(first, lifecycle.TakeBack(table.game.version))
    assert refusal.value.rule == "NER 19.8"


def test_answers_of_ones_own_proxy_prevent_no_take_back():
    """NER 19.8: they are automatic and go back with the command."""
    others = [happened.BidderPassed(seat, BP, "choice", by_proxy=False) for seat in (BOB, CYD)]
    position = given(opening(), happened.ProxyBidSet(ANN, BW, 1), auction(), others)
    position.when(ANN, do.PassBid(BP)).then(
        happened.BidderPassed(ANN, BP, "choice", by_proxy=False),
        happened.LinkUnsold(BP),
        happened.LotOpened(BW),
        happened.BidPlaced(ANN, BW, 1, by_proxy=True),
    )


def test_an_entry_that_answers_at_once_is_a_barrier():
    """NER 19.8, 20.10"""
    table, (first, second, _) = at_the_auction()
    ply = table.give(first, do.SetProxyBid(BP, 3))
    assert ply.barrier
    assert table.state.lot.bidder == first
    assert table.can_take_back(first) == ()
    assert table.game.asked == (second,)


def test_a_roll_is_a_barrier():
    """NER 19.8: after a pass that ended the auction with a sale."""
    table, (first, second, third) = at_the_auction()
    table.give(first, do.PlaceBid(BP, 1))
    table.give(second, do.PassBid(BP))
    table.give(third, do.PassBid(BP))
    assert table.can_take_back(third) == ()


def test_automatic_passes_are_taken_back_too():
    """NER 19.8: the second seat cannot top $12."""
    table = Table()
    first, second, third = table.state.seat_order
    for seat, loan in ((first, 10), (second, 0), (third, 20)):
        table.give(seat, do.TakeLoan(loan))
    for seat in table.game.asked:
        table.give(seat, do.RetireDebt(0))
    ply = table.give(first, do.PlaceBid(BP, 12))
    assert ply.events[-1] == happened.BidderPassed(second, BP, "cannot_pay", by_proxy=False)
    assert table.game.asked == (third,)
    table.give(first, lifecycle.TakeBack(ply.number))
    assert (table.state.lot.bid, table.state.lot.passed) == (0, frozenset())
    assert table.game.asked == (first,)


def the_row_is_passed_on(rules=None):
    """Build the first link, and let the last pass on the second move the row down, by these rules.

    Return the table, the passing seat, its ply, and another seat; then a cube can be shipped.
    """
    table, (first, *others) = at_the_auction()
    table.give(first, do.PlaceBid(BP, 1))
    for seat in others:
        table.give(seat, do.PassBid(BP))
    if table.state.lot.link == BP:
        table.give(first, do.PayShortfall(BP))
    table.give(table.game.asked[0], do.PassBid(BW))
    (last,) = table.game.asked
    ply = table.give(last, do.PassBid(BW), rules)
    assert not ply.draws
    return table, last, ply, first


def test_the_row_that_moves_down_is_a_barrier():
    """NER 19.8: proxies may be left on the new row at once, and would remain on a row where none may."""
    table, last, ply, other = the_row_is_passed_on()
    assert any(isinstance(event, happened.RowMovedDown) for event in ply.events)
    table.give(other, do.SetProxyBid(table.state.row[0], 9))
    with pytest.raises(Refused) as refusal:
        table.give(last, lifecycle.TakeBack(ply.number))
    assert refusal.value.rule == "NER 19.8"


def test_a_row_that_moved_down_by_version_1_of_the_rules_is_no_barrier():
    """NER 19.8: such a pass can still be taken back, as then, and its consequences stand in the log."""
    table, last, ply, other = the_row_is_passed_on(rules=1)
    assert any(isinstance(event, happened.RowMovedDown1) for event in ply.events)
    new = table.state.row[0]
    table.give(other, do.SetProxyBid(new, 9))
    table.give(last, lifecycle.TakeBack(ply.number))
    assert table.state.seats[other].proxies == {new: 9}
    assert new in table.state.future


def test_barriers_are_declared_with_their_events():
    """NER 19.8, part (a)"""
    assert {kind.__name__ for kind in TITLE.rules.events if kind.BARRIER} == {
        "FirstPlayerDrawn", "AnswersOpened", "GrowthCardTurned", "FutureRowLaid", "BuildDiceRolled", "MarketDiceRolled",
        "EntryAnswered", "RowMovedDown", "SeatLeft", "GameWon",
    }  # fmt: skip


# ==== several commands ============================================================================
def test_commands_of_one_message_stand_together_or_not_at_all():
    """NER 19.9"""
    table = Table()
    version = table.game.version
    with pytest.raises(Refused) as refusal:
        table.send(ANN, do.SetProxyBid(BP, 3), do.TakeLoan(5))
    assert refusal.value.rule == "NER 4.1"
    assert table.game.version == version


def test_commands_up_to_a_barrier_stand():
    """NER 19.9: nobody sees another's proxy for free."""
    table, (first, second, _) = at_the_auction()
    table.give(second, do.SetProxyBid(BP, 4))
    decided = table.send(first, do.PlaceBid(BP, 1), do.SkipShipment())
    assert decided.refusal.rule == "NER 3.1"
    assert decided.refused_at == 1
    assert table.state.lot.bid == 2


# ==== leaving =====================================================================================
def test_the_game_never_waits_for_a_seat_that_left():
    """NER 19.10: it gives the safe answers at once."""
    loans = given(opening(4), debt(bob=10), cash(bob=-9)).leaves(BOB)
    assert asked(loans.after.state) == (ANN, CYD, DAN)
    gone = debt(ann=10, bob=10), cash(ann=10, bob=10), happened.SeatLeft(BOB, "resigned")
    assert asked(given(opening(4), gone, retirement()).state) == (ANN,)
    auctioned = given(opening(4), auction()).leaves(ANN)
    auctioned.then_includes(happened.SeatLeft(ANN, "resigned"), happened.BidderPassed(ANN, BP, "safe_answer", False))
    unpaid = given(opening(4), auction(), sold(ANN, roll=(1, 1))).leaves(ANN, "timed_out")
    unpaid.then_includes(happened.LinkLeftUnbuilt(ANN, BP, "safe_answer", by_build_limit=False))
    ships = given(opening(4), owned(BOB, *LINKS), shipping(("A", ANN), ("B", BOB))).leaves(ANN)
    assert ships.events == [happened.SeatLeft(ANN, "resigned"), happened.ShipmentSkipped(ANN, "A", "safe_answer")]


def test_the_sealed_answer_of_a_seat_that_left_stands_and_its_entries_end():
    """NER 19.10"""
    entries = [
        happened.LoanAnswerSealed(ANN, 30),
        happened.AdvanceRetirementSealed(ANN, 10),
        happened.ProxyBidSet(ANN, BP, 5),
        happened.BuildLimitSet(ANN, BP, 5),
    ]
    state = given(opening(4), entries).leaves(ANN).after.state
    own = state.seats[ANN]
    assert (own.sealed, own.advance, own.proxies, own.limits) == (30, None, {}, {})


def test_the_bid_of_a_seat_that_left_stands():
    """NER 19.10: it may still buy, and pays."""
    position = given(opening(4), auction(), happened.BidPlaced(ANN, BP, 3, by_proxy=False)).leaves(ANN).after
    assert position.state.lot.bidder == ANN
    for seat in (BOB, CYD):
        position = position.when(seat, do.PassBid(BP)).after
    position.when(DAN, do.PassBid(BP), [1, 1]).then_includes(
        happened.LinkSold(BP, ANN, 3), happened.LinkLeftUnbuilt(ANN, BP, "safe_answer", by_build_limit=False)
    )


def test_a_leaving_that_completes_the_answers_opens_them():
    """NER 19.10: its own is the least loan."""
    outcome = given(opening(), debt(cyd=10), cash(cyd=-9), NO_LOANS).leaves(CYD, chance=TO_THE_LOT)
    outcome.then_includes(
        happened.SeatLeft(CYD, "resigned"),
        happened.AnswersOpened(1),
        happened.LoanTaken(CYD, 10),
        happened.DebtServiced(CYD, 4),
    )


def test_the_railway_of_a_seat_that_left_earns_and_may_begin():
    """NER 19.10, 2.2: the number of links on offer stays."""
    left = given(opening(), owned(ANN, BP), happened.SeatLeft(ANN, "resigned"), happened.IncomeLost(ANN, -3))
    assert left.state.owners == {BP: ANN}
    assert left.state.seat_order == (ANN, BOB, CYD)
    assert len(left.state.row) == 1


def test_a_seat_that_left_takes_no_place_and_cannot_win():
    """NER 19.10"""
    position = given(opening(), cash(ann=90), happened.SeatLeft(ANN, "resigned"))
    outcome = position.leaves(BOB)
    accounts = outcome.only(happened.FinalAccountDrawn)[0].accounts
    lines = [(seat, total, place) for seat, _, _, _, total, place in accounts]
    assert lines == [(ANN, 100, None), (BOB, 10, None), (CYD, 10, 1)]
    assert outcome.events[-1] == happened.GameWon((CYD,))
    assert TITLE.rules.result(outcome.after.state).winners == (CYD,)
