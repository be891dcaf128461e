"""The chapters that answer commands; the eleven steps and automatic consequences; the asked seats, and
legal actions.
"""

from collections.abc import Callable

from domain.chance import Chance
from domain.lifecycle import Why
from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.now import Now
from domain.new_england.rules import auction, ending, growth, loans, market, order, proxies, shipping
from domain.new_england.state import (
    COMPLETION,
    FIRST_PLAYER,
    FUTURE,
    GROWTH,
    INCOME,
    LOANS,
    MARKET,
    RETIREMENT,
    SERVICE,
    SHIPPING,
    Lot,
    Seat,
    State,
)
from domain.rules import Action, Outcome, answers_of, legal

CHAPTERS = (loans.CHAPTER, auction.CHAPTER, shipping.CHAPTER, proxies.CHAPTER)
"""In the order of the list of legal actions."""
ANSWERS = answers_of(CHAPTERS)
COMMANDS = tuple(ANSWERS)


def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """Return the consequences of ``command`` of ``seat``, or raise `Refused`."""
    now = Now(state, seat, chance)
    order.must_not_be_over(now)
    ANSWERS[type(command)](now, command)
    go_on(now)
    return Outcome(now.events, now.state)


# ==== NER 3: the turn =============================================================================
def go_on(now: Now) -> None:
    """NER 3.3, 20.14 Carry out everything that leaves nobody a choice; stop when a seat must choose."""
    while not now.state.winners:
        if waits(now):
            return
        _next_step(now)


def waits(now: Now) -> bool:
    """Carry the present step as far as it goes by itself. Return True if a seat must answer in it."""
    state = now.state
    match state.step:
        case 1:
            if loans.loans_wait_for(state):
                return True
            loans.open_loans(now)
        case 3:
            if loans.retirement_waits_for(state):
                return True
            loans.open_retirement(now)
        case 7:
            return auction.auction(now)
        case 8:
            return shipping.ship(now)
    return False


def _next_step(now: Now) -> None:
    """NER 3.1 Begin the next of the eleven steps. NER 14.4 The last turn has no last step."""
    step = now.state.step + 1
    if step > INCOME and now.state.last_turn:
        ending.draw_final_account(now)
        return
    if step > FIRST_PLAYER:
        now.happens(happened.TurnBegan(now.state.turn + 1))
        step = LOANS
    now.happens(happened.StepBegan(step))
    if (work := _WORK_OF_STEP.get(step)) is not None:
        work(now)


_WORK_OF_STEP: dict[int, Callable[[Now], None]] = {
    SERVICE: loans.pay_service,
    RETIREMENT: loans.count_answers_in_advance,
    GROWTH: growth.grow,
    COMPLETION: growth.complete_links,
    FUTURE: growth.lay_future_row,
    SHIPPING: shipping.open_rounds,
    MARKET: market.market,
    INCOME: market.pay_income,
    FIRST_PLAYER: market.name_first_player,
}


def leave(state: State, seat: int, why: Why, chance: Chance) -> Outcome:
    """NER 19.10 Let a seat leave; the game never waits for it again. If one seat is left, the game is
    over and it wins.
    """
    now = Now(state, seat, chance)
    now.happens(happened.SeatLeft(seat, why))
    if len(now.state.staying) == 1:
        ending.draw_final_account(now)
    else:
        go_on(now)
    return Outcome(now.events, now.state)


# ==== the actions of a seat =======================================================================
def asked(state: State) -> tuple[int, ...]:
    """Return the seats the game waits for (NER 19.2, 19.3)."""
    if state.winners:
        return ()
    match state.step:
        case 1:
            return loans.loans_wait_for(state)
        case 3:
            return loans.retirement_waits_for(state)
        case 7:
            return auction.auction_waits_for(state)
        case 8:
            return shipping.shipping_waits_for(state)
    return ()


def actions(state: State, seat: int) -> list[Action]:
    """Return the legal actions of ``seat``."""
    return [] if state.winners or state.seats[seat].left else legal(Now.trial(state, seat), CHAPTERS)


# ==== NER 19.7: the safe answer ===================================================================
def safe(state: State, seat: int) -> Command:
    """NER 19.7 Return the safe answer: the least legal loan; nothing paid back; pass; left unpaid; skip."""
    match state.step:
        case 1:
            return do.TakeLoan(loans.least_loan(state.seats[seat]))
        case 3:
            return do.RetireDebt(0)
        case 7:
            assert state.lot is not None
            return _safe_in_the_auction(state.seats[seat], state.lot)
    return do.SkipShipment()


def _safe_in_the_auction(own: Seat, lot: Lot) -> Command:
    """NER 19.7 Answer by the seat's entries, which still stand if it must answer because it took an answer back."""
    if lot.shortfall is None:
        return do.SetProxyBid(lot.link, own.proxies[lot.link]) if lot.link in own.proxies else do.PassBid(lot.link)
    return do.SetBuildLimit(lot.link, own.limits[lot.link]) if lot.link in own.limits else do.LeaveUnbuilt(lot.link)
