"""Players that need no person: what they answer is legal, and the sensible one wins."""

import random

import pytest

from domain.new_england import TITLE
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.bots import patient, sensible
from domain.new_england.view import view
from service.simulate import games
from tests.domain.new_england.positions import ANN, BP, BW, auction, cash, debt, given, opening, sold
from tests.domain.new_england.table import Table


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_sensible_seat_beats_random_ones(seats):
    """At every number of seats at least nine in ten (a few hundred games say 98 in a hundred)."""
    played = list(games(TITLE.id, 20, seats, ["sensible", "random"], "tried", 1))
    won = sum(line.won for game in played for line in game.seats if line.bot == "sensible")
    assert won >= 18


@pytest.mark.parametrize("bot", TITLE.bots)
def test_every_bot_plays_a_game_to_its_end(bot):
    table, dice = Table(3, 9), random.Random(9)
    while table.game.asked:
        seat = table.game.asked[0]
        table.send(seat, *TITLE.bots[bot](view(table.state, seat), dice))
    assert table.game.status == "over"


def test_a_purse_is_kept_for_the_service():
    """$10 in hand, a debt of $30 that costs $6 a turn, no income: bids end at $4."""
    position = given(opening(), debt(ann=30), auction())
    low, high = (
        sensible(view(position.then(happened.BidPlaced(2, BP, bid)).state, ANN), random.Random(1)) for bid in (3, 4)
    )
    assert low == (do.PlaceBid(BP, 4),)
    assert high == (do.PassBid(BP),)


def test_the_patient_one_leaves_everything_with_its_loan():
    """NER 19.5, 20"""
    given_ = patient(view(given(opening(), cash(ann=10)).state, ANN), random.Random(1))
    kinds = [type(command) for command in given_]
    assert kinds == [do.SetProxyBid, do.SetBuildLimit] * 2 + [do.RetireDebt, do.TakeLoan]
    assert {command.link for command in given_[:4]} == {BP, BW}


def test_it_is_asked_less():
    costs = {}
    for bot in ("sensible", "patient"):
        table, dice, asked = Table(4, 3), random.Random(3), 0
        while table.game.asked:
            seat = table.game.asked[0]
            table.send(seat, *TITLE.bots[bot](view(table.state, seat), dice))
            asked += 1
        costs[bot] = asked
    assert costs["patient"] < costs["sensible"] / 2


def test_a_small_shortfall_is_paid():
    state = given(opening(), auction(), sold(ANN, roll=(1, 3))).state
    assert sensible(view(state, ANN), random.Random(1)) == (do.PayShortfall(BP),)
