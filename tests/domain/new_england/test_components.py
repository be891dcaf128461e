"""NER 1: what is in the box."""

import random
from collections import Counter

import pytest

from domain.chance import FreeChance
from domain.decision import NO_SEAT
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import CITIES, COLOURS, DIE, GROWTH_CARDS, LINKS, LINKS_AT, MATERIAL
from domain.new_england.decide import asked
from domain.new_england.now import Now
from domain.new_england.rules.market import market
from domain.new_england.setup import Options, check_table
from domain.refusal import Refused
from tests.domain.new_england.positions import ANN, BP, auction, cash, debt, given, income, opening, owned


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_three_to_six_seats_play(seats):
    """NER 1.1"""
    check_table(Options(), seats)


@pytest.mark.parametrize("seats", [0, 1, 2, 7])
def test_no_other_number_of_seats_plays(seats):
    """NER 1.1"""
    with pytest.raises(Refused) as refusal:
        check_table(Options(), seats)
    assert refusal.value.rule == "NER 1.1"


def test_twenty_cities_each_asks_for_one_colour():
    """NER 1.2"""
    assert len(CITIES) == 20
    assert all(city.demand in COLOURS for city in CITIES.values())
    assert CITIES["worcester"].demand == "purple", "stated by the rule text"
    assert CITIES["new_haven"].demand == "blue", "stated by the rule text"


def test_a_box_holds_any_number_of_cubes():
    """NER 1.2"""
    card = happened.GrowthCardTurned("growth_01", (("boston", "red"),) * 8)
    assert given(opening(), card).state.cubes["boston"]["red"] == 8


def test_thirty_links_join_thirty_pairs():
    """NER 1.3"""
    assert len(LINKS) == 30
    assert len({frozenset((link.a, link.b)) for link in LINKS.values()}) == 30
    assert all(link.a in CITIES and link.b in CITIES and link.a != link.b for link in LINKS.values())
    assert all(LINKS_AT[city] for city in CITIES)


def test_a_link_has_one_number():
    """NER 1.4: it is the number to be rolled, and the link's value at the end."""
    assert LINKS[BP].number == 5
    assert sum(link.number for link in LINKS.values()) == 181


def test_the_box_has_46_cubes():
    """NER 1.5"""
    assert MATERIAL.cubes == {"blue": 12, "purple": 12, "red": 11, "yellow": 11}
    state = given(opening()).state
    waiting = sum((Counter(box) for box in state.cubes.values()), Counter())
    assert {colour: state.cup[colour] + waiting[colour] for colour in COLOURS} == MATERIAL.cubes


def test_thirty_growth_cards_name_two_cities_each():
    """NER 1.6"""
    assert len(GROWTH_CARDS) == 30
    assert all(len(card.cities) == 2 and set(card.cities) <= set(CITIES) for card in GROWTH_CARDS.values())


def test_only_the_sum_of_a_seats_loans_matters():
    """NER 1.7: two loans of $10 are paid back like one of $20."""
    state = given(opening(), happened.LoanTaken(ANN, 10), happened.LoanTaken(ANN, 10)).state
    assert state.seats[ANN].debt == 20
    assert given(opening(), happened.LoanTaken(ANN, 20)).state.seats == state.seats


def test_the_bank_never_runs_out():
    """NER 1.8: all borrow as much as possible, turn after turn."""
    position = given(opening(), debt(ann=100_000), cash(ann=100_000))
    assert position.when(ANN, do.TakeLoan(1000)).then(happened.LoanAnswerSealed(ANN, 1000))


def test_a_seat_can_own_more_links_than_locomotives():
    """NER 1.9: the twelve of a seat limit nothing."""
    position = given(
        opening(),
        cash(ann=10),
        owned(ANN, *[link for link in LINKS if link != BP][:14]),
        happened.StepBegan(1),
        auction(),
    )
    assert asked(position.state) == (ANN,)
    assert position.allows(ANN, do.PlaceBid(BP, 1))


def test_incomes_can_exceed_the_printed_track():
    """NER 1.9, 11.12"""
    assert given(opening(), income(ann=200)).state.seats[ANN].income == 200


def test_a_roll_is_the_sum_of_two_dice():
    """NER 1.10"""
    assert list(DIE) == [1, 2, 3, 4, 5, 6]
    rolls = set()
    for number in range(300):
        now = Now(given(opening()).state, NO_SEAT, FreeChance(random.Random(number)))
        market(now)
        rolls.add(now.events[0].dice)
    assert {sum(dice) for dice in rolls} == set(range(2, 13))
    assert len(rolls) == 36, "each die falls by itself"
