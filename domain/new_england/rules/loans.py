"""NER 4 to 6: loans, service, retirement; and the sealed answers of NER 19.3 to 19.5."""

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import MATERIAL, MOST, UNIT
from domain.new_england.course import Course
from domain.new_england.rules.order import demand_step
from domain.new_england.state import LOANS, RETIREMENT, Seat, State
from domain.refusal import Refused


# ==== NER 4: loans ================================================================================
def least_loan(seat: Seat) -> int:
    """NER 4.3, 4.4 The smallest loan that carries the service on all debt, its own included."""
    missing = max(service(seat.debt) - seat.cash, 0)
    return -(-missing // (UNIT - MATERIAL.service_per_unit)) * UNIT


def is_asked_for_a_loan(seat: Seat) -> bool:
    """NER 4.2 A seat whose least loan is as large as an answer can be is not asked. NER 19.10 Nor is one that left."""
    return not seat.left and least_loan(seat) < MOST


def take_loan(course: Course, seat: int, command: do.TakeLoan) -> None:
    """NER 4.1 Each seat may borrow once: $0 or any positive multiple of $10. NER 19.4 It may replace its answer."""
    demand_step(course.state, LOANS)
    own, amount = course.state.seats[seat], _amount(command.amount)
    if amount % UNIT:
        raise Refused("NER 4.1", "Loans come in multiples of ${unit}.", unit=UNIT)
    if amount < (least := least_loan(own)):
        raise Refused("NER 4.4", "The service of this turn needs a loan of at least ${least}.", least=least)
    if own.sealed is None:
        course.happen(happened.LoanAnswerSealed(seat, amount))
    else:
        course.happen(happened.LoanAnswerReplaced(seat, amount))


def loans_wait_for(state: State) -> tuple[int, ...]:
    """NER 19.3 All seats are asked together, until each has given its answer."""
    return tuple([
        number for number, seat in state.seats.items() if seat.sealed is None and is_asked_for_a_loan(seat)
    ])  # fmt: skip


def open_loans(course: Course) -> None:
    """NER 19.3 When the last answer is in, all are opened and carried out in seat order."""
    answers = {number: seat.sealed for number, seat in course.state.seats.items()}
    course.happen(happened.AnswersOpened(LOANS))
    for seat in course.state.seat_order:
        given = answers[seat]
        amount = least_loan(course.state.seats[seat]) if given is None else given
        if amount:
            course.happen(happened.LoanTaken(seat, amount))


# ==== NER 5: service ==============================================================================
def service(debt: int) -> int:
    """NER 5.1 Each seat pays the bank 20% of its debt, $2 for each $10."""
    return debt // UNIT * MATERIAL.service_per_unit


def pay_service(course: Course) -> None:
    """NER 5.1, 5.2 All debt is served, loans of this turn included."""
    for seat in course.state.seat_order:
        if due := service(course.state.seats[seat].debt):
            course.happen(happened.DebtServiced(seat, due))


# ==== NER 6: retirement ===========================================================================
def can_retire(seat: Seat) -> bool:
    """NER 6.5 A seat with no debt or with less than $10 is not asked."""
    return not seat.left and seat.debt > 0 and seat.cash >= UNIT


def most_to_retire(seat: Seat) -> int:
    """NER 6.2, 6.3 Nobody pays back more than the debt, nor more than the cash. (NER 4.2: nor more than $1,000.)"""
    return min(seat.debt, seat.cash // UNIT * UNIT, MOST)


def retire_debt(course: Course, seat: int, command: do.RetireDebt) -> None:
    """NER 6.1 Each seat may pay back once. NER 19.5 In step 1 it may seal its answer in advance."""
    state, amount = course.state, _amount(command.amount)
    if state.step == LOANS:
        _retire_in_advance(course, seat, amount)
        return
    demand_step(state, RETIREMENT)
    own = state.seats[seat]
    if not can_retire(own):
        raise Refused("NER 6.5", "You are not asked: there is no debt, or not ${unit} to pay with.", unit=UNIT)
    if (refusal := _why_not_retire(own, amount)) is not None:
        raise refusal
    if own.sealed is None:
        course.happen(happened.RetirementAnswerSealed(seat, amount, in_advance=False))
    else:
        course.happen(happened.RetirementAnswerReplaced(seat, amount))


def _retire_in_advance(course: Course, seat: int, amount: int) -> None:
    if amount % UNIT:
        raise _not_a_multiple()
    if course.state.seats[seat].advance is None:
        course.happen(happened.AdvanceRetirementSealed(seat, amount))
    else:
        course.happen(happened.AdvanceRetirementReplaced(seat, amount))


def _why_not_retire(seat: Seat, amount: int) -> Refused | None:
    if amount % UNIT:
        return _not_a_multiple()
    if amount > seat.debt:
        return Refused("NER 6.2", "Your debt is ${debt}.", debt=seat.debt)
    if amount > seat.cash:
        return Refused("NER 6.3", "You have ${cash}.", cash=seat.cash)
    return None


def _not_a_multiple() -> Refused:
    return Refused("NER 6.1", "Debt is paid back in multiples of ${unit}.", unit=UNIT)


def _amount(amount: object) -> int:
    """An amount a seat wrote. (One that only its owner may see is never missing in a command that is decided.)"""
    if not isinstance(amount, int):
        raise Refused("NER 4.2", "The amount is missing.")
    return amount


def count_answers_in_advance(course: Course) -> None:
    """NER 19.5 An answer given in advance counts if it is legal when step 3 opens; otherwise it is dropped."""
    for seat in course.state.seat_order:
        own = course.state.seats[seat]
        if own.advance is None:
            continue
        if can_retire(own) and _why_not_retire(own, own.advance) is None:
            course.happen(happened.RetirementAnswerSealed(seat, own.advance, in_advance=True))
        else:
            course.happen(happened.AdvanceRetirementDropped(seat))


def retirement_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.3 All seats that can pay back are asked together."""
    return tuple([number for number, seat in state.seats.items() if seat.sealed is None and can_retire(seat)])


def open_retirement(course: Course) -> None:
    """NER 19.3 The answers are opened and carried out in seat order."""
    answers = {number: seat.sealed for number, seat in course.state.seats.items()}
    if all(answer is None for answer in answers.values()):
        return
    course.happen(happened.AnswersOpened(RETIREMENT))
    for seat in course.state.seat_order:
        if answers[seat]:
            course.happen(happened.DebtRetired(seat, answers[seat] or 0))
