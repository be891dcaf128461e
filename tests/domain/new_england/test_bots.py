"""The bots: their answers are legal, the sensible one wins, and each thing has its value."""

import random
import statistics
from math import lcm

import pytest
from msgspec.structs import replace

from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import LINKS, MATERIAL
from domain.new_england.bots import (
    gain,
    hasty,
    highest_bid,
    lead,
    patient,
    paydays,
    random_player,
    sensible,
    traffic,
    worth_of_building_now,
    worth_of_income,
    worth_of_link,
)
from domain.new_england.rules.shipping import shipments
from domain.new_england.state import AUCTION
from domain.new_england.view import view
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    auction,
    cash,
    debt,
    given,
    opening,
    owned,
    retirement,
    shipping,
    sold,
)
from tests.domain.new_england.table import Table
from tests.simulate import duel

SEATS = range(3, 7)


# ==== how they do =================================================================================
@pytest.mark.long("4", "5", "6")
@pytest.mark.parametrize("against", ["safe", "random"])
@pytest.mark.parametrize("seats", SEATS)
def test_a_sensible_seat_beats_safe_and_random_ones(seats, against):
    """At every number of seats at least eight in ten (all of them in a hundred games each)."""
    lines = [own for own, _ in duel(TITLE.id, 6, seats, "sensible", against, "tried", 1)]
    assert sum(line.won for line in lines) >= 0.8 * len(lines)
    assert statistics.mean(line.total for line in lines) > 0


@pytest.mark.long
def test_a_sensible_seat_beats_hasty_ones():
    """Opponents that bid and ship are a yardstick; safe ones end with the $10 of the start, whoever plays."""
    lines = [line for seats in SEATS for line in duel(TITLE.id, 6, seats, "sensible", "hasty", "tried", 1)]
    fair = sum(1 / (1 + len(others)) for _, others in lines)
    assert sum(own.won for own, _ in lines) > 1.5 * fair
    assert statistics.mean(other.total for _, others in lines for other in others) > 5 * MATERIAL.cash


@pytest.mark.long("5", "6")
@pytest.mark.parametrize("seats", SEATS)
def test_sensible_seats_do_not_ruin_each_other(seats):
    """A safe seat among them would end with the $10 of the start; playing must be worth more."""
    played = list(duel(TITLE.id, 6, seats, "safe", "sensible", "tried", 1))
    assert sum(safe.won for safe, _ in played) <= 0.2 * len(played)
    assert statistics.mean(other.total for _, others in played for other in others) > 2 * MATERIAL.cash


@pytest.mark.parametrize("bot", TITLE.bots)
def test_every_bot_plays_a_game_to_its_end(bot):
    table, dice = Table(3, 9), random.Random(9)
    while table.game.asked:
        seat = table.game.asked[0]
        table.send(seat, *TITLE.bots[bot](view(table.state, seat), dice))
    assert table.game.status == "over"


@pytest.mark.parametrize("bot", [hasty, sensible, patient])
def test_hidden_entries_do_not_influence_a_bot(bot):
    """NER 18.3 The same answer whatever hidden entries of the others it imagines; they really leave some."""
    table, dice = Table(4, 5), random.Random(5)
    while table.game.asked:
        seat = table.game.asked[0]
        seen = view(table.state, seat)
        answers = {bot(seen, random.Random(number)) for number in range(3)}
        assert len(answers) == 1
        table.send(seat, *(answers.pop() if seat < 3 else TITLE.bots["random"](seen, dice)))


# ==== what things are worth =======================================================================
def with_a_deck_of(links, state):
    """Return ``state`` with so many cards in the link deck, and no future row."""
    return replace(state, link_deck=frozenset(sorted(state.link_deck)[:links]), future=())


@pytest.mark.parametrize(("seats", "turns"), [(3, 15), (4, 10), (5, 8), (6, 6)])
def test_the_bot_counts_one_payday_for_each_row(seats, turns):
    """INV 17"""
    assert paydays(given(opening(seats)).state) == turns
    assert paydays(with_a_deck_of(seats - 1, given(opening(seats)).state)) == 2
    assert paydays(with_a_deck_of(1, given(opening(seats)).state)) == 2
    assert paydays(with_a_deck_of(0, given(opening(seats)).state)) == 1


def test_the_future_row_counts_as_a_payday():
    laid = given(opening(), happened.FutureRowLaid(("albany__rutland", "boston__lowell"))).state
    assert paydays(laid) == 15


@pytest.mark.parametrize("seats", SEATS)
def test_the_bot_foresees_the_right_number_of_paydays(seats):
    """Or one more, if the last auction leaves a link unbuilt (NER 15.4)."""
    table, dice, foreseen, paid = Table(seats, 7), random.Random(7), {}, set()
    while table.game.asked:
        if (state := table.state).step <= AUCTION:
            foreseen[state.turn] = paydays(state)
        paid.add(state.turn)
        seat = table.game.asked[0]
        table.send(seat, *random_player(view(state, seat), dice))
    last = max(paid)
    assert all(number - (last - turn + 1) in (0, -1) for turn, number in foreseen.items())
    assert len(foreseen) >= last - 1


def test_the_market_takes_its_share_before_each_payday():
    """NER 12.1, 12.2 An income that every loss number divides without a remainder, over all rolls of two dice."""
    income = lcm(*range(3, 14))
    left = [income - income // (one + other + 1) for one in range(1, 7) for other in range(1, 7)]
    kept = statistics.mean(left) / income
    assert worth_of_income(0) == 0
    assert worth_of_income(1) == pytest.approx(kept)
    assert worth_of_income(2) == pytest.approx(kept + kept**2)
    assert kept == pytest.approx(0.86, abs=0.001)


def test_a_link_earns_more_with_more_shippers():
    """NER 11.1, 11.5 Four shipments over five links each, among 30 links; a seat that left ships none (NER 19.10)."""
    assert traffic(given(opening(3)).state) == pytest.approx(4 * 5 / 30)
    assert traffic(given(opening(6)).state) == pytest.approx(7 * 5 / 30)
    assert traffic(given(opening(6), happened.SeatLeft(2, "resigned")).state) == pytest.approx(6 * 5 / 30)


def test_a_link_is_worth_its_value_and_its_earnings_from_the_next_turn_on():
    """NER 16.1, 8.1"""
    last, before, third = (with_a_deck_of(2 * turns, given(opening()).state) for turns in range(3))
    assert worth_of_link(last, BP) == 5
    assert worth_of_link(before, BP) == pytest.approx(5 + traffic(last) * worth_of_income(1))
    assert worth_of_link(third, BP) == pytest.approx(5 + traffic(last) * (worth_of_income(2) + worth_of_income(1)))
    assert worth_of_link(third, "portland__white_river_junction") == pytest.approx(worth_of_link(third, BP) + 7)


def test_a_bid_subtracts_the_lost_shipment():
    """NER 11.1 A buyer ships once, the others twice. Here over two links of Ann's, the last turn but one."""
    position = given(opening(), owned(ANN, "hartford__springfield", "springfield__worcester"), auction())
    idle = replace(with_a_deck_of(2, position.state), cubes={})
    ready = replace(idle, cubes={"hartford": {"purple": 1}})
    assert highest_bid(idle, ANN, BP) == int(worth_of_link(idle, BP)) == 5
    assert highest_bid(ready, ANN, BP) == int(worth_of_link(ready, BP) - 2 * worth_of_income(2)) == 2
    assert highest_bid(ready, BOB, BP) == 5, "that shipment is none of Bob's"


def test_a_bid_is_never_negative():
    """In the last turn a link of value 3 costs a shipment over five links."""
    cheap = "concord__manchester"
    ready = with_a_deck_of(0, given(opening(), owned(ANN, *LINKS.keys() - {cheap}), auction(cheap)).state)
    assert worth_of_link(ready, cheap) == 3 < 5 * worth_of_income(1)
    assert highest_bid(ready, ANN, cheap) == 0


def test_a_shipment_is_worth_its_lead_over_rivals():
    """NER 11.10 Ann gains two, one of two rivals one: a lead of one and a half."""
    network = given(opening(), owned(ANN, "hartford__springfield", "springfield__worcester"), owned(BOB, BW))
    path = ("hartford", "springfield", "worcester", "boston")
    assert lead(network.state, ANN, path) == 1.5
    assert lead(network.state, BOB, path) == 0
    assert lead(network.state, CYD, path) == -1.5
    assert lead(network.then(happened.SeatLeft(BOB, "resigned")).state, ANN, path) == 2


# ==== answers =====================================================================================
def answer(position, seat=ANN):
    (command,) = sensible(view(position.state, seat), random.Random(1))
    return command


def test_the_sensible_bot_borrows_only_what_it_must():
    """NER 4.3"""
    assert answer(given(opening())) == do.TakeLoan(0)
    assert answer(given(opening(), debt(ann=60))) == do.TakeLoan(10)


def test_no_loan_pays_by_buying_a_link_a_turn_earlier():
    """The reason not to borrow: $10 cost $2 a turn and $2 at the end (NER 5.1, 16.1), at any time and
    number of seats.
    """
    for seats in SEATS:
        state = given(opening(seats)).state
        for links in range(len(state.link_deck) + 1):
            left = with_a_deck_of(links, state)
            assert worth_of_building_now(left) < 2 * paydays(left) + 2


def test_the_sensible_bot_pays_back_all_it_can():
    """NER 6.2, 6.3"""
    assert answer(given(opening(), debt(ann=30), cash(ann=17), retirement())) == do.RetireDebt(20)
    assert answer(given(opening(), debt(ann=10), cash(ann=17), retirement())) == do.RetireDebt(10)


def test_the_sensible_bot_bids_a_dollar_more_up_to_the_links_worth():
    position = given(opening(), cash(ann=90), auction())
    most = highest_bid(position.state, ANN, BP)
    assert 20 < most < 60
    assert answer(position) == do.PlaceBid(BP, 1)
    assert answer(position.then(happened.BidPlaced(BOB, BP, most - 1, by_proxy=False))) == do.PlaceBid(BP, most)
    assert answer(position.then(happened.BidPlaced(BOB, BP, most, by_proxy=False))) == do.PassBid(BP)


def test_the_sensible_bot_pays_a_shortfall_if_a_turn_of_traffic_is_worth_it():
    """NER 10.13 In the first of fifteen turns $3 are worth it; in the last not one is."""
    first = given(opening(), auction("albany__pittsfield"))
    three, four = (sold(ANN, "albany__pittsfield", roll=roll) for roll in ((2, 2), (1, 2)))
    assert answer(first.then(three)) == do.PayShortfall("albany__pittsfield")
    assert answer(first.then(four)) == do.LeaveUnbuilt("albany__pittsfield")
    one = given(opening(), auction(), sold(ANN, roll=(2, 2)))
    assert answer(one) == do.PayShortfall(BP)
    last = with_a_deck_of(0, one.state)
    assert sensible(view(last, ANN), random.Random(1)) == (do.LeaveUnbuilt(BP),)


def test_the_sensible_bot_makes_the_shipment_with_the_largest_lead():
    """Rutland's red cube takes the long way: over three links of Ann's and one of Bob's, not over one of his alone."""
    network = [
        owned(ANN, "albany__rutland", "albany__pittsfield", "bellows_falls__springfield"),
        owned(BOB, "bellows_falls__rutland", "pittsfield__springfield", "hartford__springfield"),
    ]
    path = ("rutland", "albany", "pittsfield", "springfield", "bellows_falls")
    assert answer(given(opening(), network, shipping(("B", ANN)))) == do.ShipCube("red", path)


def test_the_sensible_bot_skips_shipments_that_only_help_others():
    position = given(opening(), owned(BOB, BP), shipping(("B", ANN), ("B", BOB)))
    assert answer(position) == do.SkipShipment()
    assert isinstance(answer(position.then(happened.ShipmentSkipped(ANN, "B", "choice")), BOB), do.ShipCube)


# ==== the hasty one ===============================================================================
@pytest.mark.parametrize(("bid", "answer"), [(3, do.PlaceBid(BP, 4)), (4, do.PlaceBid(BP, 5)), (5, do.PassBid(BP))])
def test_the_hasty_bot_bids_up_to_the_score_of_a_link(bid, answer):
    """NER 16.1: Boston–Providence counts 5."""
    lot = given(opening(), auction(BP), happened.BidPlaced(BOB, BP, bid, by_proxy=False))
    assert hasty(view(lot.state, CYD), random.Random(1)) == (answer,)


def test_the_hasty_bot_ships_for_its_own_income_alone():
    """NER 11.10"""
    played, dice, better = Table(3, 9), random.Random(9), 0
    while played.game.asked:
        seat = played.game.asked[0]
        (answer,) = hasty(view(played.state, seat), dice)
        if isinstance(answer, do.ShipCube):
            most = max(gain(played.state, seat, path) for _, path in shipments(played.state))
            assert gain(played.state, seat, answer.path) == most > 0
            better += 1
        played.send(seat, answer)
    assert better > 10


# ==== by post =====================================================================================
def test_the_patient_bot_leaves_all_its_answers_with_its_loan():
    """NER 19.5, 20 The sensible bot would answer the same."""
    state = given(opening(), cash(ann=10), debt(ann=10)).state
    entries = patient(view(state, ANN), random.Random(1))
    assert entries == (
        do.SetProxyBid(BP, highest_bid(state, ANN, BP)), do.SetBuildLimit(BP, 3),
        do.SetProxyBid(BW, highest_bid(state, ANN, BW)), do.SetBuildLimit(BW, 3),
        do.RetireDebt(10), do.TakeLoan(0),
    )  # fmt: skip


def test_the_patient_bot_is_asked_less():
    costs = {}
    for bot in ("sensible", "patient"):
        table, dice, asked = Table(4, 3), random.Random(3), 0
        while table.game.asked:
            seat = table.game.asked[0]
            table.send(seat, *TITLE.bots[bot](view(table.state, seat), dice))
            asked += 1
        costs[bot] = asked
    assert costs["patient"] < costs["sensible"] / 2
