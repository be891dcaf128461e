"""One lookup: command -> rule; the eleven steps and what follows by itself; legal actions."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.chance import Chance
from domain.lifecycle import Why
from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import MOST, UNIT
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
from domain.rules import Action, Outcome, Span
from domain.words import Sentence

_RULES: dict[type[Command], Callable[[Now, Any], None]] = {
    do.TakeLoan: loans.take_loan,
    do.RetireDebt: loans.retire_debt,
    do.PlaceBid: auction.place_bid,
    do.PassBid: auction.pass_bid,
    do.PayShortfall: auction.pay_shortfall,
    do.LeaveUnbuilt: auction.leave_unbuilt,
    do.ShipCube: shipping.ship_cube,
    do.SkipShipment: shipping.skip_shipment,
    do.SetProxyBid: proxies.set_proxy_bid,
    do.WithdrawProxyBid: proxies.withdraw_proxy_bid,
    do.SetBuildLimit: proxies.set_build_limit,
    do.WithdrawBuildLimit: proxies.withdraw_build_limit,
}


def decide(state: State, seat: int, command: Command, chance: Chance) -> Outcome:
    """What ``command`` of ``seat`` brings about, or `Refused`."""
    now = Now(state, seat, chance)
    order.must_not_be_over(now)
    _RULES[type(command)](now, command)
    go_on(now)
    return Outcome(now.events, now.state)


# ==== NER 3: the turn =============================================================================
def go_on(now: Now) -> None:
    """NER 3.3, 20.14 Whatever leaves nobody a choice is carried out at once; the game stops where one must choose."""
    while not now.state.winners:
        if waits(now):
            return
        _next_step(now)


def waits(now: Now) -> bool:
    """Carry the present step as far as it goes by itself; whether a seat must answer in it."""
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
    """NER 3.1 Eleven steps in this order. NER 14.4 In the last turn the last step is left out."""
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
    """NER 19.10 A seat that leaves is never waited for again. If one seat is left, the game is over and it wins."""
    now = Now(state, seat, chance)
    now.happens(happened.SeatLeft(seat, why))
    if len(now.state.staying) == 1:
        ending.draw_final_account(now)
    else:
        go_on(now)
    return Outcome(now.events, now.state)


# ==== what a seat may do ==========================================================================
def asked(state: State) -> tuple[int, ...]:
    """The seats the game waits for (NER 19.2, 19.3)."""
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
    """The legal actions of ``seat``: the candidates that `decide` accepts, and those of shipping."""
    if state.winners or state.seats[seat].left:
        return []
    answers, entries = _answers(state, seat), _entries(state, seat)
    return [*_legal(state, seat, answers), *_shipments(state, seat), *_legal(state, seat, entries)]


def _legal(state: State, seat: int, candidates: Iterator[Action]) -> Iterator[Action]:
    for action in candidates:
        if Now.allows(state, seat, _RULES[type(action.command)], action.command):
            yield action


def _answers(state: State, seat: int) -> Iterator[Action]:
    own = state.seats[seat]
    if state.step == LOANS:
        least = loans.least_loan(own)
        if least <= MOST:
            yield _ranged(do.TakeLoan(least), "loans", Sentence("Borrow"), "amount", least, MOST, UNIT)
        words = Sentence("Decide now what to pay back in step 3")
        yield Action(do.RetireDebt(0), "in_advance", words, Span("amount", 0, MOST, UNIT), aside=True)
    if state.step == RETIREMENT:
        most = loans.most_to_retire(own)
        yield _ranged(do.RetireDebt(0), "retirement", Sentence("Pay back"), "amount", 0, most, UNIT)
    if state.lot is not None and seat in asked(state):
        yield from _answers_to_lot(state, seat)


def _answers_to_lot(state: State, seat: int) -> Iterator[Action]:
    lot, own = state.lot, state.seats[seat]
    assert lot is not None
    link = lot.link
    if lot.shortfall is not None:
        facts = {"link": link, "amount": lot.shortfall}
        yield Action(do.PayShortfall(link), "building", Sentence("Pay ${amount} and build {link} now", facts))
        sentence = Sentence("Leave {link} unbuilt until next turn", {"link": link})
        yield Action(do.LeaveUnbuilt(link), "building", sentence)
        return
    least = auction.lowest_bid(lot)
    yield Action(do.PassBid(link), "auction", Sentence("Pass on {link}", {"link": link}))
    sentence = Sentence("Bid on {link}", {"link": link})
    yield Action(do.PlaceBid(link, least), "auction", sentence, Span("amount", least, min(own.cash, MOST)))


def _shipments(state: State, seat: int) -> list[Action]:
    """NER 11 To skip, and what is found along links that are built: whoever is asked may do each, and none is tried."""
    if state.step != SHIPPING or seat not in asked(state):
        return []
    skip = Action(do.SkipShipment(), "shipping", Sentence("Ship nothing"))
    return [skip] + [
        Action(do.ShipCube(colour, path), f"cube.{colour}.{path[0]}", _shipment(colour, path))
        for colour, path in shipping.grouped_shipments(state)
    ]


def _entries(state: State, seat: int) -> Iterator[Action]:
    """NER 20.2, 20.10, 20.13 Proxies and build limits, for each link on offer."""
    own, lot = state.seats[seat], state.lot
    rolled = lot.link if lot is not None and lot.shortfall is not None and lot.bidder == seat else None
    for link in (*((rolled,) if rolled else ()), *state.row):
        facts, aside = {"link": link}, lot is None or lot.link != link or lot.shortfall is not None
        if link != rolled:
            sentence = Sentence("Leave a proxy for {link}", facts)
            yield Action(do.SetProxyBid(link, 0), "proxies", sentence, Span("maximum", 0, MOST), aside)
        sentence = Sentence("Set a build limit for {link}", facts)
        yield Action(do.SetBuildLimit(link, 0), "proxies", sentence, Span("amount", 0, MOST), aside)
    for link in sorted(own.proxies):
        sentence = Sentence("Withdraw the proxy for {link}", {"link": link})
        yield Action(do.WithdrawProxyBid(link), "proxies", sentence, aside=True)
    for link in sorted(own.limits):
        sentence = Sentence("Withdraw the build limit for {link}", {"link": link})
        yield Action(do.WithdrawBuildLimit(link), "proxies", sentence, aside=True)


def _ranged(command: Command, group: str, sentence: Sentence, field: str, low: int, high: int, step: int) -> Action:
    return Action(command, group, sentence, Span(field, low, high, step))


def _shipment(colour: str, path: shipping.Path) -> Sentence:
    facts = {"colour": colour, "city": path[0], "end": path[-1], "through": path[1:-1]}
    if len(path) == 2:
        return Sentence("Ship a {colour} cube from {city} to {end}", facts)
    return Sentence("Ship a {colour} cube from {city} to {end} through {through}", facts)


# ==== NER 19.7: the safe answer ===================================================================
def safe(state: State, seat: int) -> Command:
    """NER 19.7 The least legal loan; nothing paid back; pass; left unpaid; skip."""
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
    """NER 19.7 What it has left stands: it answers where a seat is asked all the same, having taken an answer back."""
    if lot.shortfall is None:
        return do.SetProxyBid(lot.link, own.proxies[lot.link]) if lot.link in own.proxies else do.PassBid(lot.link)
    return do.SetBuildLimit(lot.link, own.limits[lot.link]) if lot.link in own.limits else do.LeaveUnbuilt(lot.link)
