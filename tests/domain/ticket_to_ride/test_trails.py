"""The longest trail, compared with trying everything, and its answer travelled edge by edge."""

import random
from hashlib import sha256
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ticket_to_ride import trails
from domain.ticket_to_ride.board import ROUTES
from domain.ticket_to_ride.rules.scoring import eastward, longest_path
from domain.ticket_to_ride.trails import longest_trail


def tried(edges):
    """Return the weight of a longest trail, by trying every one."""
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
    """Can ``keys`` be travelled in this order, each once?"""
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
    """Draw small simple graphs, on which everything can be tried."""
    vertices = draw(st.integers(2, 7))
    pairs = [(a, b) for a in range(vertices) for b in range(a)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=11))
    return [(a, b, draw(st.integers(1, 6)), f"{a}-{b}") for a, b in chosen]


@given(maps())
@settings(max_examples=400, deadline=None)
def test_the_search_finds_the_same_as_trying_everything(edges):
    agree(edges)


def test_an_empty_map_has_no_trail():
    assert longest_trail([]) == (0, ())


def test_a_single_edge_is_a_trail():
    assert longest_trail([("a", "b", 1, "only")]) == (1, ("only",))


def lines(*told):
    """Return ``"abc 6"``: edges of weight 6 from a to b and from b to c."""
    return [(a, b, int(weight), a + b) for line, weight in map(str.split, told) for a, b in pairwise(line)]


def test_disconnected_pieces_are_no_trail():
    """The triangle is closed when both arms of v could still go on."""
    edges = lines("cdec 6", "vp 6", "vq 6", "vc 1", "px 1", "qy 1")
    agree(edges)
    assert longest_trail(edges)[0] == 26


def test_a_trail_may_begin_anywhere():
    """A short one ends, and cannot be joined to the others, before the longest has begun."""
    edges = lines("ca 1", "ad 1", "cb 1", "bd 1", "ab 1", "cv 1", "pvq 9", "vr 9")
    agree(edges)
    assert set(longest_trail(edges)[1]) <= {"pv", "vq", "vr"}


def test_the_first_of_several_longest_trails_is_returned():
    """TTR 10.7: of equal parts the first, a heavier part before a lighter one, in a part the first."""
    assert longest_trail(lines("ab 3", "cd 3")) == (3, ("ab",))
    assert longest_trail(lines("ab 3", "vp 2", "vq 1", "vr 1")) == (3, ("vp", "vq"))
    assert longest_trail(lines("da 3", "fd 3", "dc 1", "db 3", "ec 1")) == (6, ("da", "fd"))


# ==== the bounds ==================================================================================
@given(maps())
@settings(max_examples=100, deadline=None)
def test_untouched_odd_vertices_bound_the_remaining_weight(edges):
    """Half the lightest edge of each but two of them."""
    ends = [vertex for edge in edges for vertex in edge[:2]]
    odd = {vertex: ends.count(vertex) % 2 for vertex in ends}
    for index, still in enumerate(trails._most_still_to_come(edges, odd)):
        done, to_come = edges[: index + 1], edges[index + 1 :]
        touched = {vertex for edge in done for vertex in edge[:2]}
        lightest = sorted(
            min(weight for *ends, weight, _ in edges if vertex in ends)
            for vertex in odd
            if odd[vertex] and vertex not in touched
        )
        assert still == sum(edge[2] for edge in to_come) - (sum(lightest[:-2]) + 1) // 2


@given(maps())
@settings(max_examples=60, deadline=None)
def test_the_least_weight_left_out_makes_all_degrees_but_two_even(edges):
    ends = [vertex for edge in edges for vertex in edge[:2]]
    odd = [vertex for vertex in dict.fromkeys(ends) if ends.count(vertex) % 2]

    def odd_without(left_out):
        left = [vertex for number, edge in enumerate(edges) if not left_out >> number & 1 for vertex in edge[:2]]
        return sum(left.count(vertex) % 2 for vertex in set(left))

    def weight(left_out):
        return sum(edge[2] for number, edge in enumerate(edges) if left_out >> number & 1)

    if len(odd) > 2 and len(trails._components(edges)) == 1:
        least = min(weight(left_out) for left_out in range(1 << len(edges)) if odd_without(left_out) <= 2)
        assert trails._least_left_out(edges, odd) == least


def test_a_detour_may_be_shorter():
    at = {"a": [("b", 5), ("c", 1)], "b": [("a", 5), ("c", 1)], "c": [("a", 1), ("b", 1)]}
    assert trails._distances("a", at) == {"a": 0, "c": 1, "b": 2}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_the_search_finds_the_cheapest_pairs(size, seed):
    dice = random.Random(seed)
    apart = [[0] * size for _ in range(size)]
    for one, other in combinations(range(size), 2):
        apart[one][other] = apart[other][one] = dice.randint(1, 12)

    def paired(numbers):
        """Yield every way to pair them, as the costs of its pairs."""
        if not numbers:
            yield ()
        for other in numbers[1:]:
            for costs in paired([each for each in numbers[1:] if each != other]):
                yield (apart[numbers[0]][other], *costs)

    assert trails._cheapest_pairs(apart) == min(sum(costs) - max(costs) for costs in paired([*range(size)]))


def full_position(dice, connected):
    """Return routes of one seat that has hardly a train left."""
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
def test_the_search_agrees_with_depth_first_on_full_positions(number, connected):
    """TTR 8.5"""
    routes = full_position(random.Random(number), connected)
    edges = [(route.a, route.b, route.spaces, route.id) for route in routes]
    agree(edges)
    assert longest_path(route.id for route in routes)[0] == longest_trail(edges)[0]


def same_for_ever(number):
    """Return connected routes for 45 trains that follow from ``number``, whatever the version of Python."""
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


def test_the_same_of_several_longest_paths_is_returned_for_ever():
    """TTR 8.5, 10.7: it stands in the log, and deciding a game again must give the same bytes."""
    told = [longest_path(same_for_ever(number)) for number in range(150)]
    assert (min(told)[0], max(told)[0]) == (23, 45)
    assert sha256(repr(told).encode()).hexdigest()[:16] == "3025792e0823649a"


def test_the_bounds_leave_the_same_steps_for_ever(monkeypatch):
    """TTR 8.5, 10.7: more steps would take longer, and fewer might find another of several longest paths."""
    tried = []

    def step(labels, turn):
        tried.append(turn)
        return onward(labels, turn)

    onward = trails._onward
    monkeypatch.setattr(trails, "_onward", step)
    for number in range(150):
        longest_trail((route.a, route.b, route.spaces, route.id) for route in eastward(same_for_ever(number)))
    assert len(tried) == 12216


@given(maps())
@settings(max_examples=200, deadline=None)
def test_the_search_is_exact_however_little_the_first_walk_keeps(edges):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trails, "FIRST_WIDTH", 1)
        agree(edges)
