"""NER 4 to 6: loans, service, retirement."""

import msgspec
import pytest

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.decide import actions, asked, safe
from domain.new_england.rules.loans import least_loan, service
from domain.new_england.state import Seat
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    CYD,
    NO_LOANS,
    TO_THE_LOT,
    a_new_turn,
    cash,
    debt,
    given,
    opening,
    retirement,
)

ANSWERED = [happened.LoanAnswerSealed(ANN, 20), happened.LoanAnswerSealed(BOB, 0)]


# ==== NER 4: loans ================================================================================
def test_cash_and_debt_rise_by_the_loan():
    """NER 4.1"""
    outcome = given(opening(), ANSWERED).when(CYD, do.TakeLoan(10))
    after = outcome.then_includes(
        happened.LoanAnswerSealed(CYD, 10),
        happened.AnswersOpened(1),
        happened.LoanTaken(ANN, 20),
        happened.LoanTaken(CYD, 10),
        happened.StepBegan(2),
        happened.DebtServiced(ANN, 4),
        happened.DebtServiced(CYD, 2),
    ).state
    assert {number: (seat.cash, seat.debt) for number, seat in after.seats.items()} == {
        ANN: (26, 20),
        BOB: (10, 0),
        CYD: (18, 10),
    }


@pytest.mark.parametrize("amount", [1, 5, 15, 999])
def test_loans_are_multiples_of_ten(amount):
    """NER 4.1"""
    given(opening()).when(ANN, do.TakeLoan(amount)).then_refused("NER 4.1")


def test_loans_have_no_ceiling():
    """NER 4.2"""
    given(opening(), debt(ann=5000), cash(ann=2000)).when(ANN, do.TakeLoan(1000)).then(
        happened.LoanAnswerSealed(ANN, 1000)
    )


@pytest.mark.parametrize("amount", [1001, -10, 2.5])
def test_no_answer_names_more_than_a_thousand(amount):
    """NER 4.2: such a command has no legal shape."""
    for kind, field in ((do.TakeLoan, "amount"), (do.RetireDebt, "amount")):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"command": kind.__name__, field: amount}, kind)
    for kind, field in ((do.PlaceBid, "amount"), (do.SetProxyBid, "maximum"), (do.SetBuildLimit, "amount")):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"command": kind.__name__, "link": BP, field: amount}, kind)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (do.PlaceBid, {"link": "boston__chicago", "amount": 1}),
        (do.ShipCube, {"colour": "green", "path": ["boston", "providence"]}),
        (do.ShipCube, {"colour": "red", "path": ["boston", "chicago"]}),
    ],
)
def test_unknown_names_have_no_legal_shape(kind, fields):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"command": kind.__name__, **fields}, kind)


def test_a_seat_whose_least_loan_is_a_thousand_is_not_asked():
    """NER 4.2: it borrows exactly that when the answers are opened."""
    position = given(opening(), debt(ann=4050))
    assert least_loan(position.state.seats[ANN]) == 1000
    assert asked(position.state) == (BOB, CYD)
    outcome = position.then(happened.LoanAnswerSealed(BOB, 0)).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    outcome.then_includes(happened.AnswersOpened(1), happened.LoanTaken(ANN, 1000), happened.DebtServiced(ANN, 1010))
    assert asked(given(opening(), debt(ann=4010)).state) == (ANN, BOB, CYD)


def test_a_seat_must_borrow_enough_for_its_service():
    """NER 4.3: the rule text's example of a forced loan."""
    position = given(opening(), debt(ann=10), cash(ann=-9))
    position.when(ANN, do.TakeLoan(0)).then_refused("NER 4.4")
    position.when(ANN, do.TakeLoan(10)).then(happened.LoanAnswerSealed(ANN, 10))
    after = position.then(happened.LoanAnswerSealed(ANN, 10), happened.LoanAnswerSealed(BOB, 0)).when(
        CYD, do.TakeLoan(0), TO_THE_LOT
    )
    assert after.only(happened.DebtServiced) == [happened.DebtServiced(ANN, 4)]
    assert safe(position.state, ANN) == do.TakeLoan(10)


@pytest.mark.parametrize(("dollars", "owed", "least"), [(10, 0, 0), (2, 10, 0), (1, 10, 10), (0, 40, 10), (0, 50, 20)])
def test_the_loan_must_carry_its_own_service(dollars, owed, least):
    """NER 4.4"""
    assert least_loan(Seat(cash=dollars, debt=owed)) == least


def test_the_least_loan_is_the_smallest_sufficient_one():
    """NER 4.4: by its definition."""
    for dollars in range(40):
        for owed in range(0, 1500, 10):
            k = 0
            while dollars + 10 * k < service(owed + 10 * k):
                k += 1
            assert least_loan(Seat(cash=dollars, debt=owed)) == 10 * k


def test_a_seat_may_borrow_any_multiple():
    """NER 4.1: the list of actions gives the span."""
    (loan,) = [each for each in actions(given(opening()).state, ANN) if isinstance(each.command, do.TakeLoan)]
    assert (loan.span.low, loan.span.high, loan.span.step) == (0, 1000, 10)
    (loan,) = [
        each
        for each in actions(given(opening(), debt(ann=50), cash(ann=-10)).state, ANN)
        if isinstance(each.command, do.TakeLoan)
    ]
    assert loan.span.low == 20


# ==== NER 5: service ==============================================================================
@pytest.mark.parametrize(("owed", "due"), [(0, 0), (10, 2), (20, 4), (250, 50)])
def test_service_is_a_fifth_of_the_debt(owed, due):
    """NER 5.1"""
    assert service(owed) == due


def test_the_debt_stays_after_the_service():
    """NER 5.1"""
    outcome = given(opening(), debt(bob=30), ANSWERED).when(CYD, do.TakeLoan(0))
    assert happened.DebtServiced(BOB, 6) in outcome.events
    assert outcome.after.state.seats[BOB].debt == 30


def test_loans_of_this_turn_are_served():
    """NER 5.2"""
    outcome = given(opening(), ANSWERED).when(CYD, do.TakeLoan(0))
    assert outcome.only(happened.DebtServiced) == [happened.DebtServiced(ANN, 4)]


# ==== NER 6: retirement ===========================================================================
def in_debt():
    return given(opening(), debt(ann=20, bob=20), cash(ann=15), retirement())


def test_a_repayment_lowers_cash_and_debt():
    """NER 6.1"""
    position = in_debt().then(happened.RetirementAnswerSealed(ANN, 20, in_advance=False))
    after = position.when(BOB, do.RetireDebt(10), TO_THE_LOT).then_includes(
        happened.AnswersOpened(3), happened.DebtRetired(ANN, 20), happened.DebtRetired(BOB, 10), happened.StepBegan(4)
    )
    assert (after.state.seats[ANN].cash, after.state.seats[ANN].debt) == (5, 0)
    assert (after.state.seats[BOB].cash, after.state.seats[BOB].debt) == (0, 10)


def test_a_seat_can_pay_back_nothing():
    """NER 6.1"""
    position = in_debt().then(happened.RetirementAnswerSealed(ANN, 0, in_advance=False))
    position.when(BOB, do.RetireDebt(0), TO_THE_LOT).then_without(happened.DebtRetired)


def test_only_multiples_of_ten_are_paid_back():
    """NER 6.1"""
    in_debt().when(ANN, do.RetireDebt(5)).then_refused("NER 6.1")
    given(opening()).when(ANN, do.RetireDebt(5)).then_refused("NER 6.1")


def test_a_seat_cannot_pay_back_more_than_its_debt():
    """NER 6.2"""
    in_debt().when(ANN, do.RetireDebt(30)).then_refused("NER 6.2")
    in_debt().then(cash(ann=100)).when(ANN, do.RetireDebt(30)).then_refused("NER 6.2")


def test_a_seat_cannot_pay_back_more_than_its_cash():
    """NER 6.3"""
    in_debt().when(BOB, do.RetireDebt(20)).then_refused("NER 6.3")


def test_several_refusals_cite_the_lowest_number():
    """Order of refusals: $35 is no multiple, above the debt and above the cash."""
    in_debt().when(ANN, do.RetireDebt(35)).then_refused("NER 6.1")
    in_debt().when(ANN, do.RetireDebt(40)).then_refused("NER 6.2")


def test_a_loan_of_this_turn_may_be_paid_back():
    """NER 6.4"""
    outcome = given(opening(), ANSWERED).when(CYD, do.TakeLoan(0))
    assert asked(outcome.after.state) == (ANN,)
    outcome.after.when(ANN, do.RetireDebt(20), TO_THE_LOT).then_includes(happened.DebtRetired(ANN, 20))


def test_a_seat_that_cannot_pay_back_is_not_asked():
    """NER 6.5: no debt, or less than $10."""
    position = given(opening(), debt(ann=10, bob=10), cash(bob=-1), retirement())
    assert asked(position.state) == (ANN,)
    position.when(BOB, do.RetireDebt(0)).then_refused("NER 6.5")
    position.when(CYD, do.RetireDebt(0)).then_refused("NER 6.5")
    position.when(CYD, do.RetireDebt(5)).then_refused("NER 6.5")


def test_no_answers_are_opened_if_nobody_is_asked():
    """NER 6.5, 3.3"""
    outcome = given(opening(), NO_LOANS).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    assert outcome.only(happened.AnswersOpened) == [happened.AnswersOpened(1)]


def test_the_list_gives_the_largest_repayment():
    """NER 6.2, 6.3"""
    (back,) = [each for each in actions(in_debt().state, ANN) if isinstance(each.command, do.RetireDebt)]
    assert (back.span.low, back.span.high, back.span.step) == (0, 20, 10)
    (back,) = [each for each in actions(in_debt().state, BOB) if isinstance(each.command, do.RetireDebt)]
    assert back.span.high == 10
    assert given(opening(), a_new_turn()).state.turn == 2
