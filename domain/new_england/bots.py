"""Bots of New England Railways. They play from a view, so they know only what their seat knows.

The sensible bot values everything in dollars at the end of the game. It borrows only as much as it must, pays back as
much as it can, bids up to the yield of a link, and makes the shipment that sets it furthest ahead.
"""

import random
import statistics
from itertools import pairwise

from msgspec.structs import replace

from domain.chance import FreeChance
from domain.messages import Command
from domain.new_england import commands as do
from domain.new_england.board import DIE, LINK_BETWEEN, LINKS, MATERIAL, offered
from domain.new_england.decide import actions
from domain.new_england.imagine import imagine
from domain.new_england.rules.auction import lowest_bid
from domain.new_england.rules.loans import least_loan, most_to_retire, service
from domain.new_england.rules.shipping import Path, shipments
from domain.new_england.state import AUCTION, LOANS, RETIREMENT, Lot, State
from domain.new_england.view import NewEnglandView


def random_player(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """Choose any legal answer; now and then, first leave a proxy, a build limit or an answer in advance."""
    assert view.seat is not None, "a spectator has nothing to play"
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
    """Choose the answer that the game waits for.

    It borrows only if it must. $10 cost $2 a turn and $12 at the end (NER 5.1, 16.1), and they would buy little: a seat
    buys at most one link a turn (NER 10.3), and next turn as many are on offer, to rivals with less in hand.
    """
    seat = view.seat
    assert seat is not None, "a spectator has nothing to play"
    state = imagine(view, FreeChance(dice))
    if state.step == LOANS:
        return (do.TakeLoan(least_loan(state.seats[seat])),)
    if state.step == RETIREMENT:
        return (do.RetireDebt(most_to_retire(state.seats[seat])),)
    if state.step == AUCTION:
        assert state.lot is not None
        return (_answer_to_lot(state, seat, state.lot),)
    return (_shipment(state, seat),)


def hasty(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """Score as soon as possible, and look no further: a yardstick that bids and ships, unlike "safe".

    It counts only a link's own value (NER 16.1), and builds at any price. It makes the shipment that pays best,
    whatever that gives the others (NER 11.10).
    """
    seat = view.seat
    assert seat is not None, "a spectator has nothing to play"
    state = imagine(view, FreeChance(dice))
    own = state.seats[seat]
    if state.step == LOANS:
        return (do.TakeLoan(least_loan(own)),)
    if state.step == RETIREMENT:
        return (do.RetireDebt(most_to_retire(own)),)
    if state.step == AUCTION:
        assert state.lot is not None
        lot, bid = state.lot, lowest_bid(state.lot)
        if lot.shortfall is not None:
            return (do.PayShortfall(lot.link) if lot.shortfall <= own.cash else do.LeaveUnbuilt(lot.link),)
        worthwhile = bid <= min(own.cash, LINKS[lot.link].number)
        return (do.PlaceBid(lot.link, bid) if worthwhile else do.PassBid(lot.link),)
    best = max(shipments(state), key=lambda it: gain(state, seat, it[1]), default=None)
    return (do.ShipCube(*best) if best is not None and gain(state, seat, best[1]) > 0 else do.SkipShipment(),)


def patient(view: NewEnglandView, dice: random.Random) -> tuple[Command, ...]:
    """Play sensibly, but by post: together with its loan, leave every answer that the turn may ask for
    (NER 19.5, 20).
    """
    seat = view.seat
    assert seat is not None, "a spectator has nothing to play"
    state = imagine(view, FreeChance(dice))
    if state.step != LOANS:
        return sensible(view, dice)
    own = state.seats[seat]
    loan = least_loan(own)
    debt = own.debt + loan
    served = replace(own, cash=own.cash + loan - service(debt), debt=debt)
    entries: list[Command] = []
    for link in state.row:
        entries.append(do.SetProxyBid(link, highest_bid(state, seat, link)))
        entries.append(do.SetBuildLimit(link, int(worth_of_building_now(state))))
    return (*entries, do.RetireDebt(most_to_retire(served)), do.TakeLoan(loan))


# ==== values, in dollars at the end of the game ===================================================
KEPT = 1 - statistics.mean(1 / (one + other + MATERIAL.market_adds) for one in DIE for other in DIE)
"""The mean share of an income that a market roll leaves, 86 % (NER 12.1, 12.2). Small incomes keep more, because the
loss is rounded down.
"""


def paydays(state: State) -> int:
    """Count the remaining income payments until the end, this turn included: one for each row (NER 2.2, 15.1)."""
    return 1 + -(-(len(state.link_deck) + len(state.future)) // offered(len(state.seats)))


def worth_of_income(paydays: int) -> float:
    """Return the value of an income of $1 over several payments, each after a roll of the market (NER 12.2, 13.1)."""
    return sum(KEPT**rolls for rolls in range(1, paydays + 1))


def traffic(state: State) -> float:
    """Estimate how much income a link brings its owner each turn, if all get an equal share of the shipments.

    Each seat ships once, and once more because it bought nothing (NER 11.1), each time over at most five links (NER
    11.5). Early on, paths are shorter, but there are correspondingly fewer links.
    """
    return (len(state.staying) + 1) * MATERIAL.most_links_of_a_path / len(LINKS)


def worth_of_link(state: State, link: str) -> float:
    """Return the link's value (NER 16.1), and its traffic from next turn on, when it is certain to be
    built (NER 8.1).
    """
    return LINKS[link].number + traffic(state) * sum(worth_of_income(left) for left in range(1, paydays(state)))


def worth_of_building_now(state: State) -> float:
    """Return the value of one more turn of traffic (NER 10.13)."""
    return traffic(state) * worth_of_income(paydays(state))


def highest_bid(state: State, seat: int, link: str) -> int:
    """Return the value of the link, less the extra shipment for seats that buy no link this turn (NER 11.1)."""
    best = _best_shipment(state, seat)
    forgone = 0.0 if best is None else lead(state, seat, best[1]) * worth_of_income(paydays(state))
    return max(int(worth_of_link(state, link) - forgone), 0)


def gain(state: State, seat: int, path: Path) -> int:
    """Return how much a shipment raises the income of ``seat``: $1 for each of its links on the way (NER 11.10)."""
    return _owners(state, path).count(seat)


def _owners(state: State, path: Path) -> list[int]:
    return [state.owners[LINK_BETWEEN[frozenset(ends)]] for ends in pairwise(path)]


def lead(state: State, seat: int, path: Path) -> float:
    """Return how far a shipment sets ``seat`` ahead of its rivals: its gain of income less their mean gain (NER 11.10,
    17.1).

    A seat that has left cannot win, so its gains do not matter (NER 19.10).
    """
    owners = _owners(state, path)
    rivals = [other for other in state.staying if other != seat]
    return owners.count(seat) - sum(owners.count(rival) for rival in rivals) / len(rivals)


# ==== answers =====================================================================================
def _answer_to_lot(state: State, seat: int, lot: Lot) -> Command:
    if lot.shortfall is not None:
        pays = lot.shortfall <= worth_of_building_now(state)
        return do.PayShortfall(lot.link) if pays else do.LeaveUnbuilt(lot.link)
    bid = lowest_bid(lot)
    return do.PlaceBid(lot.link, bid) if bid <= highest_bid(state, seat, lot.link) else do.PassBid(lot.link)


def _shipment(state: State, seat: int) -> Command:
    best = _best_shipment(state, seat)
    return do.SkipShipment() if best is None else do.ShipCube(*best)


def _best_shipment(state: State, seat: int) -> tuple[str, Path] | None:
    """Return the shipment that sets ``seat`` furthest ahead; None if all would set it back."""
    best = max(shipments(state), key=lambda it: lead(state, seat, it[1]), default=None)
    return best if best is not None and lead(state, seat, best[1]) > 0 else None


BOTS = {"random": random_player, "hasty": hasty, "sensible": sensible, "patient": patient}
