"""NER 10: auction and building, with the proxies and build limits of NER 20 answering for their seats."""

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import DIE, LINKS, MOST
from domain.new_england.course import Course
from domain.new_england.rules.ending import test_the_end
from domain.new_england.rules.order import demand_go, demand_step
from domain.new_england.state import AUCTION, Lot, State
from domain.refusal import Refused


# ==== who bids ====================================================================================
def auction_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.2 The seat that must bid or pass, or pay a shortfall or not."""
    lot = state.lot
    if lot is None:
        return ()
    seat = lot.bidder if lot.shortfall is not None else next_bidder(state, lot)
    return () if seat is None else (seat,)


def next_bidder(state: State, lot: Lot) -> int | None:
    """NER 10.2 The first player is asked first, then clockwise; those who passed and the holder are skipped."""
    for seat in state.clockwise(lot.next):
        if seat not in lot.passed and seat != lot.bidder:
            return seat
    return None


def place_bid(course: Course, seat: int, command: do.PlaceBid) -> None:
    """NER 10.4 A bid is higher than the standing bid. NER 10.5 It is not above the bidder's cash."""
    lot = _lot_open_to(course.state, seat, command.link)
    if command.amount < lowest_bid(lot):
        raise Refused("NER 10.4", "A bid must be at least ${least}.", least=lowest_bid(lot))
    if command.amount > (cash := course.state.seats[seat].cash):
        raise Refused("NER 10.5", "You have ${cash}.", cash=cash)
    course.happen(happened.BidPlaced(seat, command.link, command.amount, by_proxy=False))


def pass_bid(course: Course, seat: int, command: do.PassBid) -> None:
    """NER 10.6 A pass is final for this lot, even before any bid."""
    _lot_open_to(course.state, seat, command.link)
    course.happen(happened.BidderPassed(seat, command.link, "choice", by_proxy=False))


def _lot_open_to(state: State, seat: int, link: str) -> Lot:
    """NER 10.1 The lot is the link now on offer. NER 10.3 A seat buys one link a turn. NER 10.6 A pass is final."""
    demand_step(state, AUCTION)
    lot = state.lot
    if lot is None or lot.link != link or lot.shortfall is not None:
        raise Refused("NER 10.1", "{link} is not on offer now.", link=link)
    if seat in state.bought:
        raise Refused("NER 10.3", "You have bought a link this turn.")
    if seat in lot.passed:
        raise Refused("NER 10.6", "You have passed on {link}.", link=link)
    demand_go(seat, auction_waits_for(state))
    return lot


def lowest_bid(lot: Lot) -> int:
    """NER 10.4 The standing bid and 1, or 1."""
    return lot.bid + 1


# ==== how it goes on ==============================================================================
def auction(course: Course) -> bool:
    """Carry the auctions on until a seat must choose (True), or the row is done (False)."""
    while True:
        lot = course.state.lot
        if lot is None:
            if not course.state.row:
                return _move_row_down(course)
            course.happen(happened.LotOpened(course.state.row[0]))
        elif lot.shortfall is not None:
            if not _answer_shortfall(course, lot):
                return True
        elif (seat := next_bidder(course.state, lot)) is None:
            _close(course, lot)
        elif not _answer_bid(course, lot, seat):
            return True


def _answer_bid(course: Course, lot: Lot, seat: int) -> bool:
    """Answer for a seat that has no choice, or has left a proxy; False where it must be asked."""
    own = course.state.seats[seat]
    if own.left:  # NER 19.10
        course.happen(happened.BidderPassed(seat, lot.link, "safe_answer", by_proxy=False))
        return True
    if seat in course.state.bought:  # NER 10.3
        course.happen(happened.BidderPassed(seat, lot.link, "has_bought", by_proxy=False))
        return True
    if own.cash < lowest_bid(lot) or lowest_bid(lot) > MOST:  # NER 10.5, 4.2
        course.happen(happened.BidderPassed(seat, lot.link, "cannot_pay", by_proxy=False))
        return True
    if seat != course.actor:  # NER 18.4: no preview tells whether it has left a proxy
        course.chance.uncover(f"NER 20.12 proxies of seat {seat}")
    if lot.link not in own.proxies:
        return False
    _answer_by_proxy(course, lot, seat)
    return True


def _answer_by_proxy(course: Course, lot: Lot, seat: int) -> None:
    """NER 20.4 A proxy bids one dollar more than the standing bid if that is within its limit; otherwise it passes."""
    own = course.state.seats[seat]
    mark_final(course, seat, lot.link)
    if lowest_bid(lot) <= min(own.proxies[lot.link], own.cash):  # NER 20.3
        course.happen(happened.BidPlaced(seat, lot.link, lowest_bid(lot), by_proxy=True))
    else:
        course.happen(happened.BidderPassed(seat, lot.link, "choice", by_proxy=True))


def mark_final(course: Course, seat: int, link: str) -> None:
    """NER 19.8 An answer through another seat's entry, or one that an entry of its own led to at once, is final."""
    entered = course.events and isinstance(
        course.events[0],
        happened.ProxyBidSet | happened.ProxyBidReplaced | happened.BuildLimitSet | happened.BuildLimitReplaced,
    )
    if seat != course.actor or entered:
        course.happen(happened.EntryAnswered(seat, link))


def _close(course: Course, lot: Lot) -> None:
    """NER 10.7 When all others have passed the holder has bought. NER 10.9 If all have passed it is unsold."""
    if lot.bidder is None:
        course.happen(happened.LinkUnsold(lot.link))
        return
    course.happen(happened.LinkSold(lot.link, lot.bidder, lot.bid))
    _roll(course, lot.link, lot.bidder)


# ==== building ====================================================================================
def _roll(course: Course, link: str, buyer: int) -> None:
    """NER 10.10 Directly after paying, the build roll is made, once. NER 10.12 At or above the number, it is built."""
    name = f"NER 10.10 build roll for {link}"
    dice = (course.chance.draw(name, DIE)[0], course.chance.draw(name, DIE)[0])
    shortfall = max(LINKS[link].number - sum(dice), 0)
    course.happen(happened.BuildDiceRolled(link, buyer, dice, shortfall))
    if not shortfall:
        course.happen(happened.LinkBuilt(link, buyer, "roll"))


def _answer_shortfall(course: Course, lot: Lot) -> bool:
    """Answer for a buyer that cannot pay, has left, or has set a build limit; False where it must be asked."""
    buyer, shortfall = lot.bidder, lot.shortfall
    assert buyer is not None
    assert shortfall is not None
    own = course.state.seats[buyer]
    if own.left:  # NER 19.10
        course.happen(happened.LinkLeftUnbuilt(buyer, lot.link, "safe_answer", by_build_limit=False))
    elif own.cash < shortfall:  # NER 10.14
        course.happen(happened.LinkLeftUnbuilt(buyer, lot.link, "cannot_pay", by_build_limit=False))
    elif lot.link in own.limits:  # NER 20.13
        mark_final(course, buyer, lot.link)
        if shortfall <= own.limits[lot.link]:
            _pay_shortfall(course, buyer, lot.link, shortfall, by_build_limit=True)
        else:
            course.happen(happened.LinkLeftUnbuilt(buyer, lot.link, "choice", by_build_limit=True))
    else:
        return False
    return True


def pay_shortfall(course: Course, seat: int, command: do.PayShortfall) -> None:
    """NER 10.13 The buyer may pay the bank the shortfall to build the link at once."""
    lot = _rolled_for(course.state, seat, command.link)
    _pay_shortfall(course, seat, lot.link, lot.shortfall or 0, by_build_limit=False)


def leave_unbuilt(course: Course, seat: int, command: do.LeaveUnbuilt) -> None:
    """NER 10.15 A link not built now waits for the next turn."""
    _rolled_for(course.state, seat, command.link)
    course.happen(happened.LinkLeftUnbuilt(seat, command.link, "choice", by_build_limit=False))


def _rolled_for(state: State, seat: int, link: str) -> Lot:
    demand_step(state, AUCTION)
    lot = state.lot
    if lot is None or lot.link != link or lot.shortfall is None:
        raise Refused("NER 10.1", "There is no shortfall to pay for {link} now.", link=link)
    demand_go(seat, auction_waits_for(state))
    return lot


def _pay_shortfall(course: Course, seat: int, link: str, amount: int, *, by_build_limit: bool) -> None:
    course.happen(happened.ShortfallPaid(seat, link, amount, by_build_limit))
    course.happen(happened.LinkBuilt(link, seat, "payment"))


def _move_row_down(course: Course) -> bool:
    """NER 10.16 The future row becomes the current row."""
    if course.state.future:
        course.happen(happened.RowMovedDown(course.state.future))
    test_the_end(course, AUCTION)
    return False
