"""NER 15 to 17: the end of the game, final accounting, result."""

import pytest

from domain import lifecycle
from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS, LINKS
from domain.new_england.decide import actions, asked
from domain.play import decide_all
from domain.refusal import Refused
from tests.contract.games import RandomGame
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    NO_LOANS,
    auction,
    cash,
    debt,
    given,
    income,
    opening,
    owned,
)

REST = sorted(set(LINKS) - {BP, BW})


def last_auction(*events, unsold=REST):
    """Leave Boston–Worcester as the last lot of all; everything else was sold or unsold."""
    gone = [
        happened.FutureRowLaid(tuple(REST)),
        happened.RowMovedDown((BP, BW)),
        *(happened.LinkUnsold(link) for link in unsold),
        *(happened.GrowthCardTurned(c, ()) for c in GROWTH_CARDS),
    ]
    return given(opening(), gone, happened.LinkUnsold(BP), auction(BW), *events)


def passed(seat):
    return happened.BidderPassed(seat, BW, "choice", by_proxy=False)


# ==== NER 15: the end =============================================================================
def test_the_turn_is_the_last_if_everything_is_built_after_the_auction():
    """NER 15.1, 15.2, 14.4: this turn is the last; it is played on through step 10."""
    position = last_auction(happened.BidPlaced(ANN, BW, 1, by_proxy=False), passed(BOB))
    outcome = position.when(CYD, do.PassBid(BW), [6, 6])
    assert asked(outcome.after.state) != ()
    outcome.then_includes(happened.LinkBuilt(BW, ANN, "roll"), happened.LastTurnAnnounced(1, 7), happened.StepBegan(8))
    end = outcome.after
    while not end.state.winners:
        (seat,) = asked(end.state)
        last = end.when(seat, do.SkipShipment(), [1, 1] if len(end.state.opportunities) == 1 else [])
        end = last.after
    assert [event.step for event in last.only(happened.StepBegan)] == [9, 10]
    assert last.only(happened.GameWon)
    last.then_without(happened.FirstPlayerNamed, happened.FirstPlayerDrawn)


def test_the_game_goes_on_while_a_row_or_the_deck_has_links():
    """NER 15.1"""
    position = given(opening(), auction(BW), happened.LinkUnsold(BP), happened.LotOpened(BW), passed(ANN), passed(BOB))
    position.when(CYD, do.PassBid(BW), [3, 4, ANN]).then_without(happened.LastTurnAnnounced)


def test_an_unsold_last_link_ends_the_game():
    """NER 15.3: nothing is left to buy or build. (And nothing can be shipped, so the game ends at once.)"""
    outcome = last_auction(passed(ANN), passed(BOB)).when(CYD, do.PassBid(BW), [3, 4])
    outcome.then_includes(happened.LinkUnsold(BW), happened.LastTurnAnnounced(1, 7), happened.GameWon((ANN, BOB, CYD)))


def test_an_unbuilt_link_adds_one_turn():
    """NER 15.4: steps 4, 6 and 7 do nothing in it, everybody ships in both rounds."""
    position = last_auction(happened.BidPlaced(ANN, BW, 1, by_proxy=False), passed(BOB))
    unbuilt = position.when(CYD, do.PassBid(BW), [1, 1]).after.when(ANN, do.LeaveUnbuilt(BW), [3, 4, BOB])
    unbuilt.then_without(happened.LastTurnAnnounced)
    assert asked(unbuilt.after.state) == (ANN, BOB, CYD)
    outcome = unbuilt.after.then(NO_LOANS).when(CYD, do.TakeLoan(0))
    outcome.then_includes(
        happened.StepBegan(4),
        happened.StepBegan(5),
        happened.LinkBuilt(BW, ANN, "completion"),
        happened.LastTurnAnnounced(2, 5),
        happened.StepBegan(6),
        happened.StepBegan(7),
        happened.StepBegan(8),
    )
    outcome.then_without(happened.GrowthCardTurned, happened.FutureRowLaid, happened.LotOpened)
    assert len(outcome.only(happened.LastTurnAnnounced)) == 1
    rounds = outcome.only(happened.RoundsOpened)[0].opportunities
    assert sorted(rounds) == [(name, seat) for name in "AB" for seat in (ANN, BOB, CYD)]


def test_the_last_turn_has_loans_service_and_retirement():
    """NER 15.4"""
    position = last_auction(happened.BidPlaced(ANN, BW, 1, by_proxy=False), passed(BOB))
    unbuilt = position.when(CYD, do.PassBid(BW), [1, 1]).after.when(ANN, do.LeaveUnbuilt(BW), [3, 4, BOB]).after
    borrowed = unbuilt.then(NO_LOANS).when(CYD, do.TakeLoan(10)).after
    assert asked(borrowed.state) == (CYD,)
    borrowed.when(CYD, do.RetireDebt(10)).then_includes(happened.DebtRetired(CYD, 10), happened.LastTurnAnnounced(2, 5))


# ==== NER 16 and 17: accounting and result ========================================================
def final(*events):
    """Return the given position in the last step of the last turn."""
    position = last_auction(*events, passed(ANN), passed(BOB))
    return position.when(CYD, do.PassBid(BW), [3, 4])


def account(outcome):
    (drawn,) = outcome.only(happened.FinalAccountDrawn)
    return {seat: rest for seat, *rest in drawn.accounts}


def test_the_total_is_cash_and_values_less_the_debt():
    """NER 16.1: 120 % of it."""
    outcome = final(cash(ann=7, bob=70), debt(ann=20))
    assert account(outcome)[ANN] == [17, 0, 20, 17 - 24, 3]
    result = TITLE.rules.result(outcome.after.state)
    assert result.standings[0].lines == (("cash", 17), ("links", 0), ("debt", -24))


def test_each_link_counts_its_number():
    """NER 16.1"""
    position = last_auction(owned(ANN, "boston__fitchburg", "albany__rutland"), happened.StepBegan(1), auction(BW))
    outcome = position.then(passed(ANN), passed(BOB)).when(CYD, do.PassBid(BW))
    while not outcome.after.state.winners:
        (seat,) = asked(outcome.after.state)
        left = len(outcome.after.state.opportunities)
        outcome = outcome.after.when(seat, do.SkipShipment(), [1, 1] if left == 1 else [])
    assert account(outcome)[ANN] == [10, 14, 0, 24, 1]
    assert [account(outcome)[seat] for seat in (BOB, CYD)] == [[10, 0, 0, 10, 2]] * 2


def test_unbuilt_links_count_when_the_last_opponent_leaves():
    """NER 16.1, 19.10: all links that a seat owns, and the game ends in mid-turn."""
    mine = owned(ANN, "boston__fitchburg", built=False), owned(ANN, "albany__rutland")
    outcome = given(opening(2), *mine).leaves(BOB)
    assert account(outcome) == {ANN: [10, 14, 0, 24, 1], BOB: [10, 0, 0, 10, None]}
    assert outcome.only(happened.GameWon) == [happened.GameWon((ANN,))]


def test_a_total_can_be_negative():
    """NER 16.2"""
    outcome = final(debt(cyd=100))
    assert account(outcome)[CYD][3] == 10 - 120


def test_the_highest_total_wins():
    """NER 17.1"""
    assert final(cash(bob=1)).only(happened.GameWon) == [happened.GameWon((BOB,))]


def test_equal_totals_share_the_victory():
    """NER 17.2"""
    outcome = final(cash(bob=1, cyd=1))
    assert outcome.only(happened.GameWon) == [happened.GameWon((BOB, CYD))]
    assert TITLE.rules.result(outcome.after.state).winners == (BOB, CYD)


def test_equal_totals_share_the_victory_whatever_the_debts():
    """NER 17.2, 17.3: Bob's $23 less $12 for his debt of $10 are worth Cyd's $11 without any."""
    outcome = final(cash(bob=13, cyd=1), debt(bob=10))
    assert account(outcome) == {ANN: [10, 0, 0, 10, 3], BOB: [23, 0, 10, 11, 1], CYD: [11, 0, 0, 11, 1]}
    assert outcome.only(happened.GameWon) == [happened.GameWon((BOB, CYD))]


@pytest.mark.parametrize(
    ("dollars", "places"),
    [({"bob": 1}, [2, 1, 2]), ({"ann": 5, "bob": 1}, [1, 2, 3]), ({"bob": 1, "cyd": 1}, [3, 1, 1]), ({}, [1, 1, 1])],
)
def test_equal_totals_share_a_place(dollars, places):
    """NER 17.3"""
    lines = account(final(cash(**dollars)))
    assert [lines[seat][4] for seat in (ANN, BOB, CYD)] == places


def test_no_command_is_legal_after_the_end():
    """NER 17.4: whatever is asked for."""
    over = final().after
    for command in (do.TakeLoan(0), do.PassBid(BW), do.SkipShipment(), do.SetProxyBid(BP, 5), do.WithdrawProxyBid(BP)):
        over.when(ANN, command).then_refused("NER 17.4")
    assert asked(over.state) == ()
    assert actions(over.state, ANN) == []


def test_the_framework_refuses_with_the_same_number():
    """NER 17.4"""
    game = RandomGame(TITLE, 3, mischief=False)
    for _ in game.steps():
        pass
    for command in (do.TakeLoan(0), lifecycle.TakeBack(1), lifecycle.Resign()):
        with pytest.raises(Refused) as refusal:
            decide_all(game.game, 1, [command], 0, "player", game.secret)
        assert refusal.value.rule in ("NER 17.4", "NER 19.8")


def test_the_income_of_the_last_turn_is_paid():
    """NER 15.2: through step 10."""
    outcome = final(income(ann=2))
    outcome.then_includes(happened.IncomePaid(ANN, 2), happened.GameWon((ANN,)))
