"""GTJ 17: scenarios and levels."""

import random

import pytest

from domain.chance import FreeChance
from domain.grand_trunk import TITLE
from domain.grand_trunk.board import CITIES, SCENARIOS
from domain.grand_trunk.cards import CARDS, COMPANIES, VARIANTS, in_play
from domain.grand_trunk.events import FirstDeliveriesDealt, GoodsTokensDealt, TableSet
from domain.grand_trunk.setup import Choice, Options
from domain.refusal import Refused
from tests.domain.grand_trunk.positions import given

CV, GTR, QR, SLA = "central_vermont", "grand_trunk_railway", "quebec_richmond", "st_lawrence_atlantic"
ALL = (CV, GTR, QR, SLA)
TABLE = {
    "default": (("burlington", "richmond", "watertown", "white_river_jct"), ALL, ()),
    "adirondacks": (("burlington", "kingston", "utica", "watertown"), ALL, ()),
    "completing_the_erie_canal": (("boston", "new_london", "niagara", "utica"), (GTR, SLA), (CV, QR)),
    "east_coast": (("boston", "quebec", "richmond", "white_river_jct"), ALL, ()),
    "lake_ontario": (("kingston", "niagara", "utica", "watertown"), (CV, GTR, SLA), ()),
    "new_england": (("boston", "burlington", "new_london", "white_river_jct"), (GTR, QR, SLA), ()),
    "ontario": (("kingston", "niagara", "ottawa", "peterborough"), (), (GTR, QR, SLA)),
    "quebec_ontario_gateway": (("ottawa", "peterborough", "quebec", "richmond"), (CV, QR), (GTR, SLA)),
}
"""The table of 17.1, typed from the catalogue."""
LEVELS = [
    (each, level)
    for each, row in TABLE.items()
    for level, listed in zip(("intermediate", "expert"), row[1:], strict=True)
    if listed
]


def test_the_table_of_scenarios():
    """GTJ 17.1"""
    assert set(SCENARIOS) == set(TABLE)
    for name, (cities, intermediate, expert) in TABLE.items():
        scenario = SCENARIOS[name]
        assert set(scenario.starting_cities) == set(cities)
        assert (set(scenario.intermediate), set(scenario.expert)) == (set(intermediate), set(expert))


@pytest.mark.parametrize("scenario", TABLE)
@pytest.mark.parametrize("level", ["intermediate", "expert"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_seats_as_companies_are_listed(scenario, level, seats):
    """GTJ 17.2"""
    listed = TABLE[scenario][1 if level == "intermediate" else 2]
    if seats <= len(listed):
        TITLE.seating.check_table(Options(scenario, level), seats)
        return
    with pytest.raises(Refused) as refused:
        TITLE.seating.check_table(Options(scenario, level), seats)
    assert refused.value.rule == "GTJ 17.2"


@pytest.mark.parametrize(("scenario", "level"), LEVELS)
@pytest.mark.parametrize("company", ALL)
def test_only_companies_listed_for_the_level(scenario, level, company):
    """GTJ 17.2"""
    listed = TABLE[scenario][1 if level == "intermediate" else 2]
    if company in listed:
        TITLE.seating.check_choice(Options(scenario, level), Choice(company), [])
        return
    with pytest.raises(Refused) as refused:
        TITLE.seating.check_choice(Options(scenario, level), Choice(company), [])
    assert refused.value.rule == "GTJ 17.2"


@pytest.mark.parametrize(("scenario", "level"), LEVELS)
def test_seats_that_left_it_open_get_listed_companies(scenario, level):
    """GTJ 17.2, 19.8"""
    listed = TABLE[scenario][1 if level == "intermediate" else 2]
    for seed in range(10):
        choices = {seat: Choice() for seat in range(1, len(listed) + 1)} | {1: Choice(listed[-1])}
        (table,) = [
            event
            for event in TITLE.rules.setup(Options(scenario, level), choices, FreeChance(random.Random(seed))).events
            if isinstance(event, TableSet)
        ]
        assert table.companies[0] == listed[-1]
        assert set(table.companies) == set(listed)
        assert (table.scenario, table.level) == (scenario, level)


def can_raise(company, cities):
    """Whether the starting deck holds a card that raises Force or Speed."""
    options = {
        option
        for card in in_play(company, frozenset(cities))
        if CARDS[card].development
        for option in VARIANTS[CARDS[card].development]
    }
    return bool(options & {"increase_force", "increase_speed"})


def test_levels():
    """GTJ 17.3"""
    for cities, intermediate, expert in TABLE.values():
        assert all(can_raise(company, cities) for company in intermediate)
        assert not any(can_raise(company, cities) for company in expert)


@pytest.mark.parametrize("scenario", TABLE)
@pytest.mark.parametrize("company", COMPANIES)
def test_starting_decks(scenario, company):
    """GTJ 17.4"""
    cities = TABLE[scenario][0]
    deck = in_play(company, frozenset(cities))
    assert {CARDS[card].leads_to for card in deck if CARDS[card].kind == "city"} == set(cities)
    assert len(deck) == 10


@pytest.mark.parametrize(("scenario", "level"), LEVELS)
def test_tokens_follow_the_starting_cities(scenario, level):
    """GTJ 17.5"""
    cities = set(TABLE[scenario][0])
    setup = TITLE.rules.setup(Options(scenario, level), {1: Choice(), 2: Choice()}, FreeChance(random.Random(3)))
    (goods,) = [event.tokens for event in setup.events if isinstance(event, GoodsTokensDealt)]
    (first,) = [event.tokens for event in setup.events if isinstance(event, FirstDeliveriesDealt)]
    assert all(("_start_" in goods[city]) is (city in cities) for city in CITIES)
    assert set(first) == set(CITIES) - cities
    places = TITLE.rules.view(given(setup.events).state, None).places
    assert {place.id for place in places if place.terminal} == cities
