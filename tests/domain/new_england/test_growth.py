"""NER 7 to 9: growth, completion, future links."""

import random
from collections import Counter

from domain.chance import FreeChance
from domain.decision import NO_SEAT
from domain.new_england import commands as do
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS, LINKS, MATERIAL
from domain.new_england.now import Now
from domain.new_england.rules.growth import complete_links, grow, lay_future_row
from tests.domain.new_england.positions import (
    ANN,
    BOB,
    BP,
    BW,
    CYD,
    NO_LOANS,
    TO_THE_LOT,
    a_new_turn,
    given,
    opening,
    owned,
)
from tests.spec import Dealt


def grown(*events, chance):
    now = Now(given(opening(), *events).state, NO_SEAT, Dealt(*chance))
    grow(now)
    return now


def emptied(*, left: int = 0):
    """Leave ``left`` red cubes in the cup; the others wait in Albany."""
    state = given(opening()).state
    cubes = [colour for colour, number in state.cup.items() for _ in range(number)]
    for _ in range(left):
        cubes.remove("red")
    return happened.OpeningCubesDrawn(tuple(("albany", colour) for colour in cubes))


# ==== NER 7: growth ===============================================================================
def test_a_card_is_turned_for_each_link_on_offer():
    """NER 7.1"""
    outcome = given(opening(), NO_LOANS).when(CYD, do.TakeLoan(0), TO_THE_LOT)
    assert [event.card for event in outcome.only(happened.GrowthCardTurned)] == ["growth_01", "growth_02"]


def test_each_card_of_the_deck_is_equally_likely():
    """NER 7.1"""
    turned = Counter()
    for number in range(900):
        now = Now(given(opening()).state, NO_SEAT, FreeChance(random.Random(number)))
        grow(now)
        turned[now.events[0].card] += 1
    assert set(turned) == set(GROWTH_CARDS)
    assert all(10 <= times <= 55 for times in turned.values())


def test_each_city_named_gets_a_cube_in_printed_order():
    """NER 7.2: Worcester, then Portland."""
    now = grown(chance=["growth_01", "red", "blue", "growth_02", "red", "yellow"])
    assert now.events[0] == happened.GrowthCardTurned("growth_01", (("worcester", "red"), ("portland", "blue")))
    assert now.state.cubes["portland"]["blue"] == 1
    assert now.state.cup["blue"] == given(opening()).state.cup["blue"] - 1


def test_a_city_named_twice_gets_two_cubes():
    """NER 7.2"""
    twice = sorted(card for card, printed in GROWTH_CARDS.items() if "worcester" in printed.cities)[:2]
    now = grown(chance=[twice[0], "red", "red", twice[1], "red", "red"])
    assert now.state.cubes["worcester"]["red"] == given(opening()).state.cubes["worcester"]["red"] + 2


def test_each_cube_of_the_cup_is_equally_likely():
    """NER 7.2"""
    drawn = Counter()
    state = given(opening()).state
    for number in range(700):
        now = Now(state, NO_SEAT, FreeChance(random.Random(number)))
        grow(now)
        drawn[now.events[0].cubes[0][1]] += 1
    assert all(20 * count * 0.6 < drawn[colour] < 20 * count * 1.4 for colour, count in state.cup.items())


def test_an_empty_cup_gives_nothing_and_owes_nothing():
    """NER 7.3: but the remaining cards are turned."""
    now = grown(emptied(left=1), chance=["growth_01", "red", "growth_02"])
    assert now.events == [
        happened.GrowthCardTurned("growth_01", (("worcester", "red"), ("portland", None))),
        happened.GrowthCardTurned("growth_02", (("new_haven", None), ("pittsfield", None))),
    ]
    assert sum(now.state.cup.values()) == 0
    shipped = happened.CubeShipped(ANN, "red", ("albany", "pittsfield"), ())
    state = given(opening(), emptied(), happened.RoundsOpened((("B", ANN),)), shipped).state
    assert state.cup["red"] == 1, "what comes back stays in the cup"


def test_turned_cards_are_set_aside():
    """NER 7.4: when the deck is empty growth stops."""
    turned = [happened.GrowthCardTurned(card, ()) for card in GROWTH_CARDS]
    assert grown(*turned, chance=[]).events == []
    now = grown(*turned[:-1], chance=["growth_30", "red", "red"])
    assert len(now.events) == 1
    assert now.state.growth_deck == frozenset()


# ==== NER 8: completion ===========================================================================
def test_bought_links_become_built():
    """NER 8.1: without a roll and without payment."""
    position = given(
        opening(), owned(ANN, BP, built=False), owned(BOB, BW, built=False), owned(CYD, "boston__lowell"), a_new_turn()
    )
    now = Now(position.state, NO_SEAT, Dealt())
    complete_links(now)
    assert now.events == [happened.LinkBuilt(BP, ANN, "completion"), happened.LinkBuilt(BW, BOB, "completion")]
    assert now.state.seats == position.state.seats


# ==== NER 9: future links =========================================================================
def laid(*events, chance):
    now = Now(given(*events).state, NO_SEAT, Dealt(*chance))
    lay_future_row(now)
    return now


def test_a_link_is_laid_for_each_link_on_offer():
    """NER 9.1"""
    now = laid(opening(4), chance=["albany__rutland", "boston__lowell", "concord__manchester"])
    assert now.events == [happened.FutureRowLaid(("albany__rutland", "boston__lowell", "concord__manchester"))]
    assert now.state.future == now.events[0].links
    assert not now.state.link_deck & set(now.state.future)


def test_the_future_row_is_not_for_sale_yet():
    """NER 9.1"""
    position = given(opening(), happened.FutureRowLaid(("albany__rutland", "boston__lowell")))
    position.when(ANN, do.SetProxyBid("albany__rutland", 5)).then_refused("NER 20.2")


def test_a_short_deck_fills_the_row_from_the_first_place():
    """NER 9.2: five seats leave two cards for the eighth row."""
    gone = happened.FutureRowLaid(tuple(sorted(set(LINKS) - set(MATERIAL.opening_links[:4]) - {"albany__rutland"})))
    now = laid(opening(5), gone, chance=["albany__rutland"])
    assert now.events == [happened.FutureRowLaid(("albany__rutland",))]
    assert laid(opening(5), gone, happened.FutureRowLaid(("albany__rutland",)), chance=[]).events == []
