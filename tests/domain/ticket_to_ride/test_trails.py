"""The longest trail, compared with trying everything, and its answer travelled edge by edge."""

import random
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ticket_to_ride import trails
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.rules.scoring import longest_path
from domain.ticket_to_ride.trails import longest_trail


def tried(edges):
    """The weight of a longest trail, by trying every one."""
    at = {}
    for a, b, weight, key in edges:
        at.setdefault(a, []).append((b, weight, key))
        at.setdefault(b, []).append((a, weight, key))
    best, used = 0, set()

    def go(vertex, weight):
        nonlocal best
        best = max(best, weight)
        for onward, more, key in at[vertex]:
            if key not in used:
                used.add(key)
                go(onward, weight + more)
                used.remove(key)

    for vertex in at:
        go(vertex, 0)
    return best


def travels(edges, keys):
    """Whether ``keys`` can be travelled in this order, each once."""
    ends = {key: (a, b) for a, b, _, key in edges}
    if len(set(keys)) != len(keys):
        return False
    here = set(ends[keys[0]]) if keys else set()
    for key in keys:
        a, b = ends[key]
        here = {end for end, start in ((b, a), (a, b)) if start in here}
    return bool(here) or not keys


def agree(edges):
    weight, keys = longest_trail(edges)
    assert weight == tried(edges)
    assert sum(each[2] for each in edges if each[3] in keys) == weight
    assert travels(edges, keys)


@st.composite
def maps(draw):
    """Small simple graphs: everything can be tried."""
    vertices = draw(st.integers(2, 7))
    pairs = [(a, b) for a in range(vertices) for b in range(a)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=11))
    return [(a, b, draw(st.integers(1, 6)), f"{a}-{b}") for a, b in chosen]


@given(maps())
@settings(max_examples=400, deadline=None)
def test_it_finds_what_trying_everything_finds(edges):
    agree(edges)


def test_an_empty_map_has_none():
    assert longest_trail([]) == (0, ())


def full_position(dice, connected):
    """Routes of one seat that has hardly a train left."""
    pool = list({route.pair: route for route in ROUTES.values()}.values())
    left, cities, taken = 45, set(), []
    while choice := [
        route for route in pool if route.spaces <= left and (not connected or not cities or {route.a, route.b} & cities)
    ]:
        route = dice.choice(choice)
        pool.remove(route)
        taken.append(route)
        left -= route.spaces
        cities |= {route.a, route.b}
    return taken


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("number", range(40))
def test_full_positions(number, connected):
    """TTR 8.5"""
    routes = full_position(random.Random(number), connected)
    edges = [(route.a, route.b, route.spaces, route.id) for route in routes]
    agree(edges)
    assert longest_path(route.id for route in routes)[0] == longest_trail(edges)[0]


def same_for_ever(number):
    """Connected routes for 45 trains that follow from ``number``, whatever the version of Python."""
    pool = sorted(ROUTES.values(), key=lambda route: sha256(f"{number} {route.id}".encode()).digest())
    taken = [pool[0]]
    while True:
        left = 45 - sum(route.spaces for route in taken)
        cities = {city for route in taken for city in (route.a, route.b)}
        pairs = {route.pair for route in taken}
        onward = (it for it in pool if it.spaces <= left and it.pair not in pairs and {it.a, it.b} & cities)
        if (route := next(onward, None)) is None:
            return [route.id for route in taken]
        taken.append(route)


def test_of_several_longest_paths_the_same_is_told_for_ever():
    """TTR 8.5, 10.7: it stands in the log, where a game that is decided again must come to the same bytes."""
    told = [longest_path(same_for_ever(number)) for number in range(150)]
    assert (min(told)[0], max(told)[0]) == (23, 45)
    assert sha256(repr(told).encode()).hexdigest()[:16] == "3025792e0823649a"


@given(maps())
@settings(max_examples=200, deadline=None)
def test_it_is_exact_however_little_the_first_walk_keeps(edges):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trails, "FIRST_WIDTH", 1)
        agree(edges)
