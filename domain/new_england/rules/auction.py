"""NER 10: auction and building; the proxies and build limits of NER 20 answer for their seats."""

from collections.abc import Iterator

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import DIE, LINKS, MOST
from domain.new_england.now import Now
from domain.new_england.rules.ending import test_the_end
from domain.new_england.rules.order import must_be_asked, must_be_in_step
from domain.new_england.state import AUCTION, Lot, Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter, Span
from domain.words import Sentence


# ==== bidders =====================================================================================
def auction_waits_for(state: State) -> tuple[int, ...]:
    """NER 19.2 Return the seat that must bid or pass, or decide on a shortfall."""
    lot = state.lot
    if lot is None:
        return ()
    seat = lot.bidder if lot.shortfall is not None else next_bidder(state, lot)
    return () if seat is None else (seat,)


def next_bidder(state: State, lot: Lot) -> int | None:
    """NER 10.2 The first player is asked first, then clockwise; seats that passed and the holder are skipped."""
    for seat in state.clockwise(lot.next):
        if seat not in lot.passed and seat != lot.bidder:
            return seat
    return None


def place_bid(now: Now, command: do.PlaceBid) -> None:
    """NER 10.4, 10.5 A bid tops the standing bid, with cash in hand."""
    lot = must_be_on_offer(now, command.link)
    must_outbid(lot, command.amount)
    must_have_cash(now, command.amount)
    now.happens(happened.BidPlaced(now.seat, command.link, command.amount, by_proxy=False))


def pass_bid(now: Now, command: do.PassBid) -> None:
    """NER 10.6 A pass is final for this lot, even before any bid."""
    must_be_on_offer(now, command.link)
    now.happens(happened.BidderPassed(now.seat, command.link, "choice", by_proxy=False))


def must_be_on_offer(now: Now, link: str) -> Lot:
    """NER 10.1 The lot is the link now on offer. NER 10.3 A seat buys one link a turn. NER 10.6 A pass is final."""
    must_be_in_step(now, AUCTION)
    lot = now.state.lot
    if lot is None or lot.link != link or lot.shortfall is not None:
        raise Refused("NER 10.1", "{link} is not on offer now.", link=link)
    if now.seat in now.state.bought:
        raise Refused("NER 10.3", "You have already bought a link this turn.")
    if now.seat in lot.passed:
        raise Refused("NER 10.6", "You have passed on {link}.", link=link)
    must_be_asked(now, auction_waits_for(now.state))
    return lot


def must_outbid(lot: Lot, amount: int) -> None:
    """NER 10.4 A bid is higher than the standing bid."""
    if amount < lowest_bid(lot):
        raise Refused("NER 10.4", "A bid must be at least ${least}.", least=lowest_bid(lot))


def must_have_cash(now: Now, amount: int) -> None:
    """NER 10.5 A bid is not above the bidder's cash."""
    if amount > most_bid(now.own):
        raise Refused("NER 10.5", "You have ${cash}.", cash=now.own.cash)


def lowest_bid(lot: Lot) -> int:
    """NER 10.4 Return the standing bid and 1, or 1."""
    return lot.bid + 1


def most_bid(seat: Seat) -> int:
    """NER 10.5 Return all of the bidder's cash. (NER 4.2: not more than $1,000.)"""
    return min(seat.cash, MOST)


# ==== in the list of legal actions ================================================================
def candidates(now: Now) -> Iterator[Action]:
    """Return the ways to decide on the shortfall; or to pass and to bid."""
    lot = now.state.lot
    if lot is None:
        return
    link = lot.link
    if lot.shortfall is not None:
        facts = {"link": link, "amount": lot.shortfall}
        yield Action(do.PayShortfall(link), "building", Sentence("Pay ${amount} and build {link} now", facts))
        sentence = Sentence("Leave {link} unbuilt until next turn", {"link": link})
        yield Action(do.LeaveUnbuilt(link), "building", sentence)
        return
    yield Action(do.PassBid(link), "auction", Sentence("Pass on {link}", {"link": link}))
    span = Span("amount", lowest_bid(lot), most_bid(now.own))
    yield Action(do.PlaceBid(link, span.low), "auction", Sentence("Bid on {link}", {"link": link}), span)


# ==== how it goes on ==============================================================================
def auction(now: Now) -> bool:
    """Carry the auctions on until a seat must choose (True), or the row is done (False)."""
    while True:
        lot = now.state.lot
        if lot is None:
            if not now.state.row:
                return _move_row_down(now)
            now.happens(happened.LotOpened(now.state.row[0]))
        elif lot.shortfall is not None:
            if not _answer_shortfall(now, lot):
                return True
        elif (seat := next_bidder(now.state, lot)) is None:
            _close(now, lot)
        elif not _answer_bid(now, lot, seat):
            return True


def _answer_bid(now: Now, lot: Lot, seat: int) -> bool:
    """Answer for a seat that has no choice, or has left a proxy. Return False if it must be asked."""
    own = now.state.seats[seat]
    if own.left:  # NER 19.10
        now.happens(happened.BidderPassed(seat, lot.link, "safe_answer", by_proxy=False))
        return True
    if seat in now.state.bought:  # NER 10.3
        now.happens(happened.BidderPassed(seat, lot.link, "has_bought", by_proxy=False))
        return True
    if most_bid(own) < lowest_bid(lot):  # NER 10.5, 4.2
        now.happens(happened.BidderPassed(seat, lot.link, "cannot_pay", by_proxy=False))
        return True
    if seat != now.seat:  # NER 18.4: no preview reveals whether it has left a proxy
        now.chance.uncover(f"NER 20.12 proxies of seat {seat}")
    if lot.link not in own.proxies:
        return False
    _answer_by_proxy(now, lot, seat)
    return True


def _answer_by_proxy(now: Now, lot: Lot, seat: int) -> None:
    """NER 20.4 Bid one dollar more than the standing bid if that is within the proxy's limit; otherwise pass."""
    own = now.state.seats[seat]
    mark_final(now, seat, lot.link)
    if lowest_bid(lot) <= min(own.proxies[lot.link], own.cash):  # NER 20.3
        now.happens(happened.BidPlaced(seat, lot.link, lowest_bid(lot), by_proxy=True))
    else:
        now.happens(happened.BidderPassed(seat, lot.link, "choice", by_proxy=True))


def mark_final(now: Now, seat: int, link: str) -> None:
    """NER 19.8 Make an answer final if another seat's entry gave it, or if the command is an entry that answered at
    once.
    """
    entered = now.events and isinstance(
        now.events[0],
        happened.ProxyBidSet | happened.ProxyBidReplaced | happened.BuildLimitSet | happened.BuildLimitReplaced,
    )
    if seat != now.seat or entered:
        now.happens(happened.EntryAnswered(seat, link))


def _close(now: Now, lot: Lot) -> None:
    """NER 10.7 If all others have passed, the holder has bought the link. NER 10.9 If all have passed, it is unsold."""
    if lot.bidder is None:
        now.happens(happened.LinkUnsold(lot.link))
        return
    now.happens(happened.LinkSold(lot.link, lot.bidder, lot.bid))
    _roll(now, lot.link, lot.bidder)


# ==== building ====================================================================================
def _roll(now: Now, link: str, buyer: int) -> None:
    """NER 10.10 Make the build roll once, directly after payment. NER 10.12 At or above the number, the
    link is built.
    """
    name = f"NER 10.10 build roll for {link}"
    dice = (now.chance.draw(name, DIE)[0], now.chance.draw(name, DIE)[0])
    shortfall = max(LINKS[link].number - sum(dice), 0)
    now.happens(happened.BuildDiceRolled(link, buyer, dice, shortfall))
    if not shortfall:
        now.happens(happened.LinkBuilt(link, buyer, "roll"))


def _answer_shortfall(now: Now, lot: Lot) -> bool:
    """Answer for a buyer that cannot pay, has left, or has set a build limit. Return False if it must be asked."""
    buyer, shortfall = lot.bidder, lot.shortfall
    assert buyer is not None
    assert shortfall is not None
    own = now.state.seats[buyer]
    if own.left:  # NER 19.10
        now.happens(happened.LinkLeftUnbuilt(buyer, lot.link, "safe_answer", by_build_limit=False))
    elif own.cash < shortfall:  # NER 10.14
        now.happens(happened.LinkLeftUnbuilt(buyer, lot.link, "cannot_pay", by_build_limit=False))
    elif lot.link in own.limits:  # NER 20.13
        mark_final(now, buyer, lot.link)
        if shortfall <= own.limits[lot.link]:
            _pay_shortfall(now, buyer, lot.link, shortfall, by_build_limit=True)
        else:
            now.happens(happened.LinkLeftUnbuilt(buyer, lot.link, "choice", by_build_limit=True))
    else:
        return False
    return True


def pay_shortfall(now: Now, command: do.PayShortfall) -> None:
    """NER 10.13 The buyer may pay the bank the shortfall to build the link at once."""
    shortfall = must_have_a_shortfall(now, command.link)
    _pay_shortfall(now, now.seat, command.link, shortfall, by_build_limit=False)


def leave_unbuilt(now: Now, command: do.LeaveUnbuilt) -> None:
    """NER 10.15 A link not built now waits for the next turn."""
    must_have_a_shortfall(now, command.link)
    now.happens(happened.LinkLeftUnbuilt(now.seat, command.link, "choice", by_build_limit=False))


def must_have_a_shortfall(now: Now, link: str) -> int:
    """NER 10.1 The link must be sold and rolled for, and its buyer must decide whether to pay."""
    must_be_in_step(now, AUCTION)
    lot = now.state.lot
    if lot is None or lot.link != link or lot.shortfall is None:
        raise Refused("NER 10.1", "There is no shortfall to pay for {link} now.", link=link)
    must_be_asked(now, auction_waits_for(now.state))
    return lot.shortfall


def _pay_shortfall(now: Now, seat: int, link: str, amount: int, *, by_build_limit: bool) -> None:
    now.happens(happened.ShortfallPaid(seat, link, amount, by_build_limit))
    now.happens(happened.LinkBuilt(link, seat, "payment"))


def _move_row_down(now: Now) -> bool:
    """NER 10.16 The future row becomes the current row."""
    if now.state.future:
        now.happens(happened.RowMovedDown(now.state.future))
    test_the_end(now, AUCTION)
    return False


CHAPTER = Chapter(
    {
        do.PlaceBid: place_bid,
        do.PassBid: pass_bid,
        do.PayShortfall: pay_shortfall,
        do.LeaveUnbuilt: leave_unbuilt,
    },
    candidates,
)
