"""NER 20: proxy bids and build limits."""

import random

import pytest
from hypothesis import given as whatever
from hypothesis import settings
from hypothesis import strategies as some

from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.decide import actions, asked
from domain.new_england.rules.auction import lowest_bid
from domain.new_england.rules.loans import least_loan
from domain.new_england.rules.proxies import may_enter
from domain.new_england.rules.shipping import shipments
from domain.new_england.state import AUCTION, LOANS, RETIREMENT
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    NO_LOANS,
    TO_THE_LOT,
    auction,
    cash,
    given,
    opening,
    owned,
    shipping,
    sold,
)
from tests.domain.new_england.table import Table


def proxy(seat, maximum, link=BP):
    return happened.ProxyBidSet(seat, link, maximum)


def bid(seat, amount, by_proxy=False, link=BP):
    return happened.BidPlaced(seat, link, amount, by_proxy)


def passed(seat, by_proxy=False, link=BP, cause="choice"):
    return happened.BidderPassed(seat, link, cause, by_proxy)


def series(outcome):
    """Return (seat, bid) of each bid and (seat, None) of each pass on Boston–Providence."""
    return [
        (event.seat, getattr(event, "amount", None))
        for event in outcome.only(happened.BidPlaced, happened.BidderPassed)
        if event.link == BP
    ]


# ==== leaving one =================================================================================
@pytest.mark.parametrize("maximum", [0, 1, 9, 1000])
def test_a_proxy_sets_a_maximum_for_one_link(maximum):
    """NER 20.1"""
    after = given(opening()).when(BOB, do.SetProxyBid(BP, maximum)).then(proxy(BOB, maximum))
    assert after.state.seats[BOB].proxies == {BP: maximum}


def test_a_proxy_can_be_left_at_any_time_in_any_step():
    """NER 20.2: whoever is asked."""
    ships = given(opening(), owned(ANN, "boston__fitchburg"), shipping(("B", ANN)))
    for position in (given(opening()), given(opening(), auction()), ships):
        position.when(CYD, do.SetProxyBid(BW, 3)).then(proxy(CYD, 3, BW))


def test_a_proxy_needs_a_link_that_the_seat_may_still_buy():
    """NER 20.2"""
    given(opening()).when(BOB, do.SetProxyBid("albany__rutland", 3)).then_refused("NER 20.2")
    given(opening(), auction(), passed(BOB)).when(BOB, do.SetProxyBid(BP, 3)).then_refused("NER 20.2")
    bought = given(opening(), auction(), sold(BOB, roll=(1, 1)), happened.LinkLeftUnbuilt(BOB, BP, "choice"))
    bought.when(BOB, do.SetProxyBid(BW, 3)).then_refused("NER 20.2")
    bought.when(ANN, do.SetProxyBid(BP, 3)).then_refused("NER 20.2")
    bought.when(ANN, do.SetBuildLimit(BP, 3)).then_refused("NER 20.2")
    bought.when(ANN, do.SetProxyBid(BW, 3)).then_includes(proxy(ANN, 3, BW))


def test_a_buyer_can_leave_proxies_for_the_next_row_after_the_auction():
    """NER 20.2: a bought link excludes a seat only in the present step 7."""
    position = given(
        opening(),
        owned(ANN, "boston__fitchburg"),
        auction(),
        sold(BOB),
        happened.LinkBuilt(BP, BOB, "roll"),
        shipping(("B", ANN)),
    )
    position.when(BOB, do.SetProxyBid(BW, 3)).then(proxy(BOB, 3, BW))


def test_a_maximum_above_the_cash_is_accepted():
    """NER 20.3: the limit is the cash then."""
    position = given(opening(), cash(bob=-6), proxy(BOB, 50), auction())
    outcome = position.when(ANN, do.PlaceBid(BP, 3))
    assert series(outcome) == [(ANN, 3), (BOB, 4)]
    outcome = position.when(ANN, do.PlaceBid(BP, 4))
    assert series(outcome) == [(ANN, 4), (BOB, None)]


# ==== how it answers ==============================================================================
def test_a_proxy_bids_a_dollar_more_or_passes():
    """NER 20.4"""
    position = given(opening(), proxy(BOB, 5), auction())
    assert series(position.when(ANN, do.PlaceBid(BP, 4))) == [(ANN, 4), (BOB, 5)]
    assert series(position.when(ANN, do.PlaceBid(BP, 5))) == [(ANN, 5), (BOB, None)]


def test_a_proxy_with_a_maximum_of_zero_always_passes():
    """NER 20.4"""
    position = given(opening(), proxy(BOB, 0), auction())
    assert series(position.when(ANN, do.PassBid(BP))) == [(ANN, None), (BOB, None)]


def test_a_proxy_waits_for_its_place_and_never_tops_itself():
    """NER 20.5"""
    position = given(opening(), proxy(CYD, 9), auction())
    outcome = position.when(ANN, do.PlaceBid(BP, 1))
    assert series(outcome) == [(ANN, 1)]
    assert asked(outcome.after.state) == (BOB,)
    outcome = outcome.after.when(BOB, do.PassBid(BP))
    assert series(outcome) == [(BOB, None), (CYD, 2)]
    assert asked(outcome.after.state) == (ANN,)


def test_a_pass_by_proxy_is_final():
    """NER 20.5, 10.6"""
    position = given(opening(), proxy(BOB, 1), auction()).when(ANN, do.PlaceBid(BP, 3)).after
    position.when(BOB, do.PlaceBid(BP, 4)).then_refused("NER 10.6")


def test_the_first_player_opens_the_bidding():
    """NER 20.7: with a proxy at $1; without one it is asked."""
    position = given(opening(), proxy(BOB, 3), proxy(CYD, 3), auction())
    assert asked(position.state) == (ANN,)
    outcome = given(opening(), proxy(ANN, 8), NO_LOANS).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    assert series(outcome) == [(ANN, 1)]


@pytest.mark.parametrize(("maximum", "buyer"), [(3, CYD), (4, ANN), (5, BOB)])
def test_proxies_with_equal_limits_need_no_tie_break(maximum, buyer):
    """NER 20.8: the link goes to the last bid that the others cannot top; the moment a proxy was left
    does not matter.
    """
    entries = [proxy(seat, maximum) for seat in (CYD, BOB, ANN)]
    position = given(opening(), entries[:2], NO_LOANS, entries[2:])
    outcome = position.when(CYD, do.TakeLoan(0), [*TO_THE_LOT, 6, 6])
    assert [amount for _, amount in series(outcome) if amount] == list(range(1, maximum + 1))
    assert outcome.only(happened.LinkSold)[0] == happened.LinkSold(BP, buyer, maximum)


def test_a_proxy_answers_a_jump():
    """NER 20.9"""
    position = given(opening(), proxy(BOB, 9), auction())
    assert series(position.when(ANN, do.PlaceBid(BP, 7))) == [(ANN, 7), (BOB, 8)]


# ==== replacing, withdrawing, ending ==============================================================
def test_a_proxy_can_be_replaced_and_withdrawn():
    """NER 20.10"""
    position = given(opening(), proxy(BOB, 9))
    position.when(BOB, do.SetProxyBid(BP, 2)).then(happened.ProxyBidReplaced(BOB, BP, 2))
    after = position.when(BOB, do.WithdrawProxyBid(BP)).then(happened.ProxyBidWithdrawn(BOB, BP))
    after.when(BOB, do.WithdrawProxyBid(BP)).then_refused("NER 20.10")
    position.when(BOB, do.WithdrawProxyBid("albany__rutland")).then_refused("NER 20.2")


def test_a_proxy_can_be_withdrawn_after_others_have_passed():
    """NER 20.10, 20.13: Cyd holds the bid, Bob has passed, Ann is asked."""
    entries = [proxy(CYD, 9), happened.BuildLimitSet(CYD, BP, 2)]
    position = given(opening(), entries, auction(), passed(BOB), bid(CYD, 1, True))
    assert asked(position.state) == (ANN,)
    position.when(CYD, do.WithdrawProxyBid(BP)).then(happened.ProxyBidWithdrawn(CYD, BP))
    position.when(CYD, do.WithdrawBuildLimit(BP)).then(happened.BuildLimitWithdrawn(CYD, BP))
    for command in (do.WithdrawProxyBid(BP), do.WithdrawBuildLimit(BP)):
        position.when(BOB, command).then_refused("NER 20.2")


def test_earlier_bids_of_a_proxy_stand():
    """NER 20.10: even above a lowered maximum."""
    position = given(opening(), proxy(BOB, 9), auction()).when(ANN, do.PlaceBid(BP, 7)).after
    lowered = position.when(BOB, do.SetProxyBid(BP, 2)).after
    assert (lowered.state.lot.bid, lowered.state.lot.bidder) == (8, BOB)


def test_a_proxy_of_the_asked_seat_answers_at_once():
    """NER 20.10"""
    outcome = given(opening(), auction()).when(ANN, do.SetProxyBid(BP, 5))
    outcome.then(proxy(ANN, 5), happened.EntryAnswered(ANN, BP), bid(ANN, 1, by_proxy=True))
    outcome = given(opening(), auction()).when(ANN, do.SetProxyBid(BP, 0))
    assert series(outcome) == [(ANN, None)]


def test_a_proxy_ends_with_a_pass_a_sale_or_the_auction():
    """NER 20.11: and a buyer's other proxies end."""
    entries = [proxy(ANN, 9), proxy(ANN, 9, BW), proxy(BOB, 2), happened.BuildLimitSet(BOB, BP, 3), proxy(CYD, 7, BW)]
    position = given(opening(), entries, auction(), bid(ANN, 3, True), passed(BOB, True))
    assert position.state.seats[BOB].proxies == {}
    assert position.state.seats[BOB].limits == {}
    after = position.then(passed(CYD), happened.LinkSold(BP, ANN, 3))
    assert after.state.seats[ANN].proxies == {}
    assert after.state.seats[CYD].proxies == {BW: 7}
    unsold = given(opening(), entries, auction(), happened.LinkUnsold(BP))
    assert [unsold.state.seats[seat].proxies for seat in (ANN, BOB, CYD)] == [{BW: 9}, {}, {BW: 7}]


@pytest.mark.parametrize("left", [proxy(BOB, 2), happened.BuildLimitSet(BOB, BP, 3)])
def test_a_single_entry_ends_with_its_auction(left):
    """NER 20.11, 20.13: when its seat passes, when another buys, when nobody does, and when the buyer is done."""
    position = given(opening(), left, auction(), bid(ANN, 3))
    for ending in (passed(BOB), happened.LinkSold(BP, ANN, 3), happened.LinkUnsold(BP)):
        own = position.then(ending).state.seats[BOB]
        assert (own.proxies, own.limits) == ({}, {})
    bought = position.then(sold(BOB, roll=(1, 1)))
    assert bought.state.seats[BOB].proxies == {}
    left_unbuilt = bought.then(happened.LinkLeftUnbuilt(BOB, BP, "choice", by_build_limit=False))
    assert left_unbuilt.state.seats[BOB].limits == {}


def test_a_buyer_keeps_only_the_limit_of_the_bought_link():
    """NER 20.11, 20.13: the one for the link it has bought."""
    limits = (ANN, BP, 3), (ANN, BW, 4), (BOB, BW, 5)
    state = given(opening(), [happened.BuildLimitSet(*limit) for limit in limits], auction(), sold(ANN)).state
    assert (state.seats[ANN].limits, state.seats[BOB].limits) == ({BP: 3}, {BW: 5})


def test_entries_change_nothing_else():
    """NER 20.1, 20.10, 20.13: neither money nor anybody else's things."""
    before = given(opening(), cash(ann=1, bob=2, cyd=3), proxy(ANN, 4), happened.BuildLimitSet(ANN, BP, 5))
    for left, withdrawn in (
        (proxy(BOB, 9), happened.ProxyBidWithdrawn(BOB, BP)),
        (happened.BuildLimitSet(BOB, BP, 9), happened.BuildLimitWithdrawn(BOB, BP)),
    ):
        with_it = before.then(left)
        bob = with_it.state.seats[BOB]
        assert (bob.cash, bob.proxies, bob.limits) in ((12, {BP: 9}, {}), (12, {}, {BP: 9}))
        assert with_it.state.seats[ANN] == before.state.seats[ANN]
        assert with_it.then(withdrawn).state == before.state


def test_others_see_bids_by_proxy_as_if_typed():
    """NER 20.12: and a ply of entries alone has no open part."""
    table = Table()
    ply = table.give(BOB, do.SetProxyBid(BP, 7))
    assert ply.hidden
    for seat in table.game.asked:
        table.give(seat, do.TakeLoan(0))
    told = [event for event in table.told if isinstance(event, happened.BidPlaced)]
    assert all(not isinstance(event.by_proxy, bool) for event in told)
    assert not any(isinstance(event, happened.ProxyBidSet | happened.EntryAnswered) for event in table.told)


# ==== build limits ================================================================================
@pytest.mark.parametrize(
    ("limit", "money", "expected"),
    [
        (3, 9, happened.ShortfallPaid(ANN, BP, 3, by_build_limit=True)),
        (1000, 9, happened.ShortfallPaid(ANN, BP, 3, by_build_limit=True)),
        (2, 9, happened.LinkLeftUnbuilt(ANN, BP, "choice", by_build_limit=True)),
        (0, 9, happened.LinkLeftUnbuilt(ANN, BP, "choice", by_build_limit=True)),
        (9, 2, happened.LinkLeftUnbuilt(ANN, BP, "cannot_pay", by_build_limit=False)),
    ],
)
def test_a_shortfall_within_the_limit_is_paid(limit, money, expected):
    """NER 20.13: within the limit and the cash; any other is left; the buyer is not asked."""
    position = given(
        opening(), happened.BuildLimitSet(ANN, BP, limit), cash(ann=money - 9), auction(), bid(ANN, 1), passed(BOB)
    )
    outcome = position.when(CYD, do.PassBid(BP), [1, 1])
    assert expected in outcome.events
    assert asked(outcome.after.state) == (BOB,)
    assert outcome.after.state.seats[ANN].limits == {}


def test_a_build_limit_ends_when_the_roll_is_enough():
    """NER 20.13, 20.11"""
    position = given(opening(), happened.BuildLimitSet(ANN, BP, 3), auction(), bid(ANN, 1), passed(BOB))
    after = position.when(CYD, do.PassBid(BP), [6, 6]).after
    assert after.state.seats[ANN].limits == {}
    assert not [each for each in actions(after.state, ANN) if isinstance(each.command, do.WithdrawBuildLimit)]


def test_a_build_limit_can_be_set_replaced_and_withdrawn():
    """NER 20.13: set, replaced, withdrawn; if the asked buyer leaves one, it pays at once."""
    position = given(opening()).when(BOB, do.SetBuildLimit(BP, 3)).then(happened.BuildLimitSet(BOB, BP, 3))
    position.when(BOB, do.SetBuildLimit(BP, 4)).then(happened.BuildLimitReplaced(BOB, BP, 4))
    after = position.when(BOB, do.WithdrawBuildLimit(BP)).then(happened.BuildLimitWithdrawn(BOB, BP))
    after.when(BOB, do.WithdrawBuildLimit(BP)).then_refused("NER 20.13")
    after.when(BOB, do.WithdrawBuildLimit("albany__rutland")).then_refused("NER 20.2")
    due = given(opening(), auction(), sold(ANN, roll=(1, 1)))
    due.when(ANN, do.SetBuildLimit(BP, 3)).then_includes(
        happened.BuildLimitSet(ANN, BP, 3),
        happened.EntryAnswered(ANN, BP),
        happened.ShortfallPaid(ANN, BP, 3, by_build_limit=True),
    )
    due.when(BOB, do.SetBuildLimit(BP, 3)).then_refused("NER 20.2")


def test_automatic_consequences_stand_in_one_ply():
    """NER 20.14: the whole auction, the roll and the payment."""
    entries = [
        *(proxy(seat, most) for seat, most in ((ANN, 5), (BOB, 3), (CYD, 4))),
        happened.BuildLimitSet(ANN, BP, 3),
    ]
    outcome = given(opening(), entries, NO_LOANS).when(CYD, do.TakeLoan(0), [*TO_THE_LOT, 1, 1])
    outcome.then_includes(
        bid(ANN, 1, True),
        bid(BOB, 2, True),
        bid(CYD, 3, True),
        bid(ANN, 4, True),
        passed(BOB, True),
        passed(CYD, True),
        happened.LinkSold(BP, ANN, 4),
        happened.ShortfallPaid(ANN, BP, 3, by_build_limit=True),
        happened.LotOpened(BW),
    )
    assert asked(outcome.after.state) == (BOB,)


# ==== INV 14 ======================================================================================
@whatever(some.lists(some.integers(0, 10), min_size=3, max_size=3))
@settings(max_examples=60, deadline=None)
def test_the_second_highest_limit_sets_the_price_of_an_auction_of_proxies(limits):
    """INV 14"""
    entries = [proxy(seat, most) for seat, most in zip((ANN, BOB, CYD), limits, strict=True)]
    position = given(opening(), entries, NO_LOANS)
    unsold = not any(limits)
    outcome = position.when(CYD, do.TakeLoan(0), [*TO_THE_LOT, *([] if unsold else [6, 6])])
    bids = [amount for _, amount in series(outcome) if amount]
    assert bids == list(range(1, len(bids) + 1))
    if unsold:
        assert outcome.only(happened.LinkUnsold) == [happened.LinkUnsold(BP)]
        return
    (sale,) = outcome.only(happened.LinkSold)
    first, second = sorted(limits, reverse=True)[:2]
    assert limits[sale.seat - 1] == first
    assert sale.price == 1 if second == 0 else sale.price in (second, second + 1)


# ==== NER 20.6: equivalence =======================================================================
class Railway:
    """The owners' plans, however they are given: everything follows from ``number`` and the position."""

    def __init__(self, number: int, seats: int) -> None:
        self.number = number
        self.proxied = {seat for seat in range(1, seats + 1) if self.dice("proxied", seat).random() < 0.6}

    def dice(self, *what: object) -> random.Random:
        return random.Random(f"{self.number} {what}")

    def maximum(self, seat: int, link: str) -> int:
        return self.dice("maximum", seat, link).choice((0, 1, 3, 6, 10, 40, 1000))

    def limit(self, seat: int, link: str) -> int:
        return self.dice("limit", seat, link).choice((0, 1, 2, 5))

    def answer(self, state, seat: int):
        """Answer by hand; in the auction by NER 20.4 and 20.13, or with a jump by seats that leave no proxies."""
        if state.step == LOANS:
            return do.TakeLoan(least_loan(state.seats[seat]) + 10 * self.dice("loan", state.turn, seat).randrange(3))
        if state.step == RETIREMENT:
            return do.RetireDebt(0)
        lot = state.lot
        if state.step != AUCTION:
            listed = sorted(shipments(state))
            return do.ShipCube(*self.dice("ship", state.turn, len(state.opportunities)).choice(listed))
        if lot.shortfall is not None:
            within = lot.shortfall <= min(self.limit(seat, lot.link), state.seats[seat].cash)
            return do.PayShortfall(lot.link) if within else do.LeaveUnbuilt(lot.link)
        least, most = lowest_bid(lot), min(self.maximum(seat, lot.link), state.seats[seat].cash)
        if least > most:
            return do.PassBid(lot.link)
        jump = 0 if seat in self.proxied else self.dice("jump", lot.link, lot.bid).choice((0, 0, 1, 4))
        return do.PlaceBid(lot.link, min(least + jump, most))

    def entries(self, state):
        """Yield the entries left in advance, each at its owner's own moment."""
        for seat in sorted(self.proxied):
            for link in state.row:
                due = self.dice("when", seat, link, state.step).random() < 0.3 or seat in asked(state)
                if due and may_enter(state, seat, link):
                    if link not in state.seats[seat].limits:
                        yield seat, do.SetBuildLimit(link, self.limit(seat, link))
                    if link not in state.seats[seat].proxies:
                        yield seat, do.SetProxyBid(link, self.maximum(seat, link))


def whole_game(number: int, seats: int, *, with_entries: bool):
    railway, table = Railway(number, seats), Table(seats, number + 1)
    while table.game.status == "running":
        entry = next(railway.entries(table.state), None) if with_entries else None
        if entry is not None:
            table.give(*entry)
        else:
            seat = table.game.asked[0]
            table.give(seat, railway.answer(table.state, seat))
    return table


@whatever(some.integers(0, 2**40), some.integers(3, 6))
@settings(max_examples=12, deadline=None)
def test_a_game_with_entries_equals_the_game_by_hand(number, seats):
    """NER 20.6, 20.13: others see the same, in order and amount, to the last roll."""
    with_entries, by_hand = (whole_game(number, seats, with_entries=each) for each in (True, False))
    assert with_entries.told == by_hand.told
    assert with_entries.game.result == by_hand.game.result
    assert len([event for event in by_hand.told if isinstance(event, happened.LinkSold | happened.LinkUnsold)]) == 30


def test_entries_save_commands():
    """NER 20: the same game costs fewer commands."""
    with_entries, by_hand = (whole_game(7, 4, with_entries=each) for each in (True, False))
    open_plies = [len([ply for ply in table.plies if not ply.hidden]) for table in (with_entries, by_hand)]
    assert open_plies[0] < open_plies[1]
