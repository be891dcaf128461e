"""NER 12 to 14: market, income, first player."""

import pytest

from domain.decision import NO_SEAT
from domain.new_england import events as happened
from domain.new_england.now import Now
from domain.new_england.rules.market import market, name_first_player, pay_income
from tests.domain.new_england.positions import ANN, BOB, CYD, cash, debt, given, income, opening
from tests.spec import Dealt


def after(work, *events, chance=()):
    now = Now(given(opening(), *events).state, NO_SEAT, Dealt(*chance))
    work(now)
    return now


# ==== NER 12: market ==============================================================================
@pytest.mark.parametrize(("dice", "loss_number"), [((1, 1), 3), ((4, 1), 6), ((6, 6), 13)])
def test_one_market_roll_counts_for_all(dice, loss_number):
    """NER 12.1"""
    assert after(market, chance=dice).events == [happened.MarketDiceRolled(dice, loss_number)]


def test_incomes_fall_by_their_quotient_rounded_down():
    """NER 12.2: the rule text's example."""
    now = after(market, income(ann=19, bob=14, cyd=18), chance=(4, 1))
    assert now.events[1:] == [
        happened.IncomeLost(ANN, 3),
        happened.IncomeLost(BOB, 2),
        happened.IncomeLost(CYD, 3),
    ]
    assert [now.state.seats[seat].income for seat in (ANN, BOB, CYD)] == [16, 12, 15]


def test_a_small_income_loses_nothing():
    """NER 12.2"""
    assert after(market, income(ann=2), chance=(1, 1)).events[1:] == []


# ==== NER 13: income ==============================================================================
def test_income_is_paid_and_stays():
    """NER 13.1"""
    now = after(pay_income, income(ann=7, cyd=1))
    assert now.events == [happened.IncomePaid(ANN, 7), happened.IncomePaid(CYD, 1)]
    assert (now.state.seats[ANN].cash, now.state.seats[ANN].income) == (17, 7)


# ==== NER 14: first player ========================================================================
def test_the_seat_with_the_highest_income_begins():
    """NER 14.1"""
    now = after(name_first_player, income(ann=2, bob=3, cyd=1), cash(ann=50))
    assert now.events == [happened.FirstPlayerNamed(BOB, "income")]
    assert now.state.first == BOB


def test_a_tie_for_first_player_goes_to_the_most_cash():
    """NER 14.2"""
    now = after(name_first_player, income(ann=3, bob=3), cash(bob=1, cyd=50))
    assert now.events == [happened.FirstPlayerNamed(BOB, "cash")]


def test_a_further_tie_goes_to_the_least_debt():
    """NER 14.2: cash first, debt second."""
    now = after(name_first_player, income(bob=3, cyd=3), debt(bob=20, cyd=10))
    assert now.events == [happened.FirstPlayerNamed(CYD, "debt")]
    now = after(name_first_player, income(bob=3, cyd=3), debt(bob=20, cyd=10), cash(bob=1))
    assert now.events == [happened.FirstPlayerNamed(BOB, "cash")]


def test_the_last_tie_is_decided_by_lot_without_priority():
    """NER 14.3: Ann is first player, but only Bob and Cyd are tied."""
    now = after(name_first_player, income(bob=3, cyd=3), chance=(CYD,))
    assert now.events == [happened.FirstPlayerDrawn(CYD, (BOB, CYD))]
    assert after(name_first_player, chance=(BOB,)).events == [happened.FirstPlayerDrawn(BOB, (ANN, BOB, CYD))]


def test_a_seat_that_has_left_may_become_first_player():
    """NER 14.1, 19.10: its railway stays; the auctions begin with its answer, which is to pass."""
    now = after(name_first_player, income(cyd=3), happened.SeatLeft(CYD, "resigned"))
    assert now.events == [happened.FirstPlayerNamed(CYD, "income")]
    tied = after(name_first_player, happened.SeatLeft(BOB, "timed_out"), chance=(BOB,))
    assert tied.events == [happened.FirstPlayerDrawn(BOB, (ANN, BOB, CYD))]
    state = given(opening(), happened.SeatLeft(CYD, "resigned"), now.events).state
    assert state.seat_order == (CYD, ANN, BOB)
