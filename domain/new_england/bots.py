"""Players of New England Railways that need no person. They play from a view, so they know what a seat knows.

The sensible one keeps a purse for the service of its debt, bids what a link may earn and is worth at the end, and
ships what brings it most more than the others.
"""

import random
from itertools import pairwise

from msgspec.structs import replace

from domain.chance import FreeChance
from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import LINKS, LINKS_AT, MOST, UNIT
from domain.new_england.decide import actions
from domain.new_england.imagine import imagine
from domain.new_england.rules.auction import lowest_bid
from domain.new_england.rules.loans import least_loan, most_to_retire, service
from domain.new_england.rules.shipping import Path, shipments
from domain.new_england.state import AUCTION, LOANS, RETIREMENT, Lot, Seat, State
from domain.new_england.view import NewEnglandView


def random_player(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """Any legal answer; now and then it leaves a proxy, a build limit or an answer in advance first."""
    assert view.seat is not None, "an onlooker has nothing to play"
    open_now = actions(imagine(view, FreeChance(dice)), view.seat)
    entries = [action for action in open_now if action.group in ("proxies", "in_advance")]
    answers = [action for action in open_now if action.group not in ("proxies", "in_advance")]
    action = dice.choice(entries if not answers or (entries and dice.random() < 0.05) else answers)
    if action.span is None:
        return (action.command,)
    span = action.span
    most = min(span.high, span.low + 5 * span.step)
    return (replace(action.command, **{span.field: dice.randrange(span.low, most + 1, span.step)}),)


def sensible(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """The answer the viewer is asked for."""
    seat = view.seat
    assert seat is not None, "an onlooker has nothing to play"
    state = imagine(view, FreeChance(dice))
    if state.step == LOANS:
        return (do.TakeLoan(_loan(state, seat)),)
    if state.step == RETIREMENT:
        return (do.RetireDebt(_retirement(state, seat)),)
    if state.step == AUCTION:
        assert state.lot is not None
        return (_answer_to_lot(state, seat, state.lot),)
    return (_shipment(state, seat),)


def patient(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """The sensible player as it plays by post: with its loan it leaves everything the turn may ask for (NER 19.5, 20).
    """
    seat = view.seat
    assert seat is not None, "an onlooker has nothing to play"
    state = imagine(view, FreeChance(dice))
    if state.step != LOANS:
        return sensible(view, dice)
    loan, own = _loan(state, seat), state.seats[seat]
    served = replace(own, cash=own.cash + loan - service(own.debt + loan), debt=own.debt + loan)
    then = replace(state, seats={**state.seats, seat: served}, step=RETIREMENT)
    entries: list[Command] = []
    for link in state.row:
        entries.append(do.SetProxyBid(link, _highest_bid(then, seat, link)))
        entries.append(do.SetBuildLimit(link, MOST if _turns_left(then) <= 1 else 2))
    return (*entries, do.RetireDebt(_retirement(then, seat)), do.TakeLoan(loan))


# ==== money =======================================================================================
def _turns_left(state: State) -> int:
    """How many turns are still to come after this one, about."""
    links = len(state.link_deck) + len(state.future)
    return 0 if state.last_turn else -(-links // (len(state.seats) - 1)) + (state.step <= AUCTION)


BEARABLE = 4
"""So many dollars of service above its income a railway can bear for a while."""


def _purse(own: Seat) -> int:
    """What must stay in hand, or the service of next turn forces a loan."""
    return max(service(own.debt) - own.income, 0)


def _loan(state: State, seat: int) -> int:
    """Enough to buy a good link, as long as there are turns to earn it back."""
    own, least = state.seats[seat], least_loan(state.seats[seat])
    best = max((_worth_of_link(state, seat, link) for link in state.row), default=0)
    wanted = least
    while own.cash + wanted - service(own.debt + wanted) < best - 2 and _turns_left(state) >= 3 and wanted < 20:
        if service(own.debt + wanted + UNIT) > own.income + BEARABLE:
            break
        wanted += UNIT
    return wanted


def _retirement(state: State, seat: int) -> int:
    """Debt costs a fifth every turn: it is paid back with what the coming auction does not need."""
    own = state.seats[seat]
    need = max((_worth_of_link(state, seat, link) for link in state.row), default=0)
    spare = own.cash - max(need - 2, 0)
    return max(0, min(most_to_retire(own), spare // UNIT * UNIT))


# ==== links =======================================================================================
def _worth_of_link(state: State, seat: int, link: str) -> int:
    """What owning ``link`` brings: its value at the end, and income of the shipments that will run over it."""
    printed = LINKS[link]
    left = _turns_left(state)
    ends = (printed.a, printed.b)
    mine = sum(state.owners.get(other) == seat for city in ends for other, _ in LINKS_AT[city] if other != link)
    built = sum(other in state.owners for city in ends for other, _ in LINKS_AT[city] if other != link)
    cubes = sum(sum(state.cubes.get(city, {}).values()) for city in ends)
    traffic = 0.22 * cubes + 0.35 * min(built, 4) + 0.3 * min(mine, 3) + 0.35
    income = traffic * left * (left + 1) / 2 * 0.35
    unbuilt = max(printed.number - 7, 0) * 0.5
    return max(1, round(printed.number * 0.9 + min(income, 14) - unbuilt))


def _highest_bid(state: State, seat: int, link: str) -> int:
    own = state.seats[seat]
    return max(0, min(_worth_of_link(state, seat, link), own.cash - _purse(own), MOST))


def _answer_to_lot(state: State, seat: int, lot: Lot) -> Command:
    own = state.seats[seat]
    if lot.shortfall is not None:
        soon = _turns_left(state) <= 1 or lot.shortfall <= 2
        return do.PayShortfall(lot.link) if soon and own.cash >= lot.shortfall + 2 else do.LeaveUnbuilt(lot.link)
    bid = lowest_bid(lot)
    if bid <= _highest_bid(state, seat, lot.link):
        return do.PlaceBid(lot.link, bid)
    return do.PassBid(lot.link)


# ==== shipping ====================================================================================
def _shipment(state: State, seat: int) -> Command:
    """The shipment that brings this seat most more than the best of the others."""
    best = max(shipments(state), key=lambda shipment: _gain(state, seat, shipment[1]), default=None)
    if best is None or _gain(state, seat, best[1]) <= 0:
        return do.SkipShipment()
    return do.ShipCube(*best)


def _gain(state: State, seat: int, path: Path) -> float:
    gains: dict[int, int] = {}
    for a, b in pairwise(path):
        owner = next(state.owners[link] for link, city in LINKS_AT[a] if city == b)
        gains[owner] = gains.get(owner, 0) + 1
    mine = gains.pop(seat, 0)
    return mine - 0.6 * max(gains.values(), default=0) / max(len(state.seats) - 1, 1)


BOTS = {"random": random_player, "sensible": sensible, "patient": patient}
