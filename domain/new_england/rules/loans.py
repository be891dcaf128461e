"""NER 4 to 6: loans, service, retirement; and the sealed answers of NER 19.3 to 19.5."""

from collections.abc import Iterator
from typing import Literal

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import MATERIAL, MOST, UNIT
from domain.new_england.now import Now
from domain.new_england.rules.order import must_be_in_step
from domain.new_england.state import LOANS, RETIREMENT, Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter, Span
from domain.words import Sentence


# ==== NER 4: loans ================================================================================
def least_loan(seat: Seat) -> int:
    """NER 4.3, 4.4 Return the smallest loan that pays the service on all debt, including its own."""
    missing = max(service(seat.debt) - seat.cash, 0)
    return -(-missing // (UNIT - MATERIAL.service_per_unit)) * UNIT


def is_asked_for_a_loan(seat: Seat) -> bool:
    """NER 4.2 Must the seat answer about a loan? Not if only the largest loan is legal. NER 19.10 Nor
    if it has left.
    """
    return not seat.left and least_loan(seat) < MOST


def take_loan(now: Now, command: do.TakeLoan) -> None:
    """NER 4.1 Each seat may borrow once: $0 or any positive multiple of $10. NER 19.4 It may replace its answer."""
    must_be_in_step(now, LOANS)
    amount = must_name_an_amount(command.amount)
    must_carry_the_service(now, amount)
    if now.own.sealed is None:
        now.happens(happened.LoanAnswerSealed(now.seat, amount))
    else:
        now.happens(happened.LoanAnswerReplaced(now.seat, amount))


def must_name_an_amount(amount: object) -> int:
    """NER 4.2 The command must name an amount. (A field that only its owner may see is there when a command is
    decided.)
    """
    if not isinstance(amount, int):
        raise Refused("NER 4.2", "The amount is missing.")
    return amount


def must_carry_the_service(now: Now, amount: int) -> None:
    """NER 4.4 A loan must pay the service of this turn. NER 4.1 It comes in multiples of $10."""
    if amount % UNIT:
        raise Refused("NER 4.1", "Loans come in multiples of ${unit}.", unit=UNIT)
    if amount < (least := least_loan(now.own)):
        raise Refused("NER 4.4", "To pay this turn's debt service you must borrow at least ${least}.", least=least)


def loans_wait_for(state: State) -> tuple[int, ...]:
    """NER 19.3 Return the seats that have not answered; all are asked together."""
    return tuple([number for number, seat in state.seats.items() if seat.sealed is None and is_asked_for_a_loan(seat)])


def open_loans(now: Now) -> None:
    """NER 19.3 After the last answer, open all answers and carry them out in seat order."""
    answers = {number: seat.sealed for number, seat in now.state.seats.items()}
    now.happens(happened.AnswersOpened(LOANS))
    for seat in now.state.seat_order:
        given = answers[seat]
        amount = least_loan(now.state.seats[seat]) if given is None else given
        if amount:
            now.happens(happened.LoanTaken(seat, amount))


# ==== NER 5: service ==============================================================================
def service(debt: int) -> int:
    """NER 5.1 Return the service of a debt: 20%, $2 for each $10."""
    return debt // UNIT * MATERIAL.service_per_unit


def pay_service(now: Now) -> None:
    """NER 5.1, 5.2 Let each seat pay the service on all its debt, loans of this turn included."""
    for seat in now.state.seat_order:
        if due := service(now.state.seats[seat].debt):
            now.happens(happened.DebtServiced(seat, due))


# ==== NER 6: retirement ===========================================================================
def can_retire(seat: Seat) -> bool:
    """NER 6.5 Can the seat pay back? Not without debt or with less than $10."""
    return not seat.left and seat.debt > 0 and seat.cash >= UNIT


def why_too_much(seat: Seat, amount: int) -> Literal["debt", "cash"] | None:
    """NER 6.2, 6.3 Return why the amount is too much: more than the debt, or more than the cash."""
    if amount > seat.debt:
        return "debt"
    return "cash" if amount > seat.cash else None


def most_to_retire(seat: Seat) -> int:
    """Return the most that may be paid back. (NER 4.2: not more than $1,000.)"""
    return next(amount for amount in range(MOST, -1, -UNIT) if why_too_much(seat, amount) is None)


def retire_debt(now: Now, command: do.RetireDebt) -> None:
    """NER 6.1 Each seat may pay back once. NER 19.5 In step 1 it may seal its answer in advance."""
    amount = must_name_an_amount(command.amount)
    if now.state.step == LOANS:
        _retire_in_advance(now, amount)
        return
    must_be_in_step(now, RETIREMENT)
    must_be_able_to_retire(now.own)
    must_be_retirable(now.own, amount)
    if now.own.sealed is None:
        now.happens(happened.RetirementAnswerSealed(now.seat, amount, in_advance=False))
    else:
        now.happens(happened.RetirementAnswerReplaced(now.seat, amount))


def _retire_in_advance(now: Now, amount: int) -> None:
    """NER 19.5 Seal an answer in advance. Step 3 checks whether it can be paid back."""
    must_be_a_multiple(amount)
    if now.own.advance is None:
        now.happens(happened.AdvanceRetirementSealed(now.seat, amount))
    else:
        now.happens(happened.AdvanceRetirementReplaced(now.seat, amount))


def must_be_able_to_retire(seat: Seat) -> None:
    """NER 6.5 The seat must be able to pay back something."""
    if not can_retire(seat):
        raise Refused("NER 6.5", "You cannot pay back: you have no debt, or less than ${unit}.", unit=UNIT)


def must_be_retirable(seat: Seat, amount: int) -> None:
    """NER 6.1, 6.2, 6.3 The amount must be a multiple of $10 that the seat owes and has."""
    must_be_a_multiple(amount)
    match why_too_much(seat, amount):
        case "debt":
            raise Refused("NER 6.2", "Your debt is ${debt}.", debt=seat.debt)
        case "cash":
            raise Refused("NER 6.3", "You have ${cash}.", cash=seat.cash)


def must_be_a_multiple(amount: int) -> None:
    """NER 6.1 Debt is paid back in tens."""
    if amount % UNIT:
        raise Refused("NER 6.1", "Debt is paid back in multiples of ${unit}.", unit=UNIT)


def count_answers_in_advance(now: Now) -> None:
    """NER 19.5 An answer in advance counts if it is legal when step 3 opens; otherwise it is dropped."""
    for seat in now.state.seat_order:
        own = now.state.seats[seat]
        if own.advance is None:
            continue
        if can_retire(own) and why_too_much(own, own.advance) is None:
            now.happens(happened.RetirementAnswerSealed(seat, own.advance, in_advance=True))
        else:
            now.happens(happened.AdvanceRetirementDropped(seat))


def retirement_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.3 Return the seats that can pay back and have not answered; all are asked together."""
    return tuple([number for number, seat in state.seats.items() if seat.sealed is None and can_retire(seat)])


def open_retirement(now: Now) -> None:
    """NER 19.3 Open the answers and carry them out in seat order."""
    answers = {number: seat.sealed for number, seat in now.state.seats.items()}
    if all(answer is None for answer in answers.values()):
        return
    now.happens(happened.AnswersOpened(RETIREMENT))
    for seat in now.state.seat_order:
        if answers[seat]:
            now.happens(happened.DebtRetired(seat, answers[seat] or 0))


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the ways to borrow, or to pay back, now or in advance (NER 19.5)."""
    own = now.own
    if now.allows(must_be_in_step, LOANS):
        if (least := least_loan(own)) <= MOST:
            yield Action(do.TakeLoan(least), "loans", Sentence("Borrow"), Span("amount", least, MOST, UNIT))
        words = Sentence("Decide now what to pay back in step 3")
        yield Action(do.RetireDebt(0), "in_advance", words, Span("amount", 0, MOST, UNIT), aside=True)
    if now.allows(must_be_in_step, RETIREMENT):
        span = Span("amount", 0, most_to_retire(own), UNIT)
        yield Action(do.RetireDebt(0), "retirement", Sentence("Pay back"), span)


CHAPTER = Chapter({do.TakeLoan: take_loan, do.RetireDebt: retire_debt}, candidates)
