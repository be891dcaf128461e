"""The longest trail of a small map: the greatest weight of a line that uses no edge twice (TTR 8.5).

A trail is a connected set of edges in which no or two vertices have an odd degree. So the search goes through the edges
once, in an order that keeps the *front* narrow (the vertices with decided and undecided edges). It takes or leaves each
edge, and remembers for every pattern of the front only the heaviest way to reach it. The cost grows with the width of
the front and not with the number of trails, which keeps the worst case bearable.

The vertices with an odd degree also bound the weight of a trail: all but two must be joined in pairs, and the edges
between each pair are left out. On most maps a trail of this weight exists, and is soon found.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

Edge = tuple[str, str, int, str]
"""Two ends, a weight above zero, and the edge's key in the answer."""


def longest_trail(edges: Iterable[Edge]) -> tuple[int, tuple[str, ...]]:
    """Return the weight of a longest trail of ``edges`` and the keys of its edges in travelling order."""
    best: tuple[int, list[Edge]] = (0, [])
    for component in sorted(_components(list(edges)), key=_weight, reverse=True):
        if _weight(component) > best[0]:
            best = max(best, _longest_of_component(component, best[0]), key=lambda found: found[0])
    return best[0], _travelled(best[1])


def _weight(edges: Sequence[Edge]) -> int:
    return sum(edge[2] for edge in edges)


def _degrees(edges: Iterable[Edge]) -> dict[str, int]:
    return Counter(vertex for edge in edges for vertex in edge[:2])


def _components(edges: list[Edge]) -> list[list[Edge]]:
    """Return the connected parts of the map, each in the order of ``edges``."""
    joined: dict[str, list[str]] = {}
    for a, b, _, _ in edges:
        one, other = joined.get(a) or [a], joined.get(b) or [b]
        if one is not other:
            both = one + other
            for vertex in both:
                joined[vertex] = both
    parts: dict[int, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(id(joined[edge[0]]), []).append(edge)
    return list(parts.values())


def _longest_of_component(edges: list[Edge], at_least: int) -> tuple[int, list[Edge]]:
    """Return a longest trail of a connected map, if it is longer than ``at_least``; else nothing."""
    odd = [vertex for vertex, degree in _degrees(edges).items() if degree % 2]
    if len(odd) <= 2:
        return _weight(edges), edges  # Euler: one line covers it all
    return _search(edges, odd, at_least)


Chain = Any
"""The edges taken, newest first: (index, Chain) or None."""
FIRST_WIDTH = 24
"""States that the first walk keeps. Measured: with 12 to 50 the worst cases cost much the same. The log holds the one
of several longest paths that it finds: with another width, deciding a game again would not give the same bytes.
"""


def _search(edges: list[Edge], odd: list[str], at_least: int) -> tuple[int, list[Edge]]:
    """Return a longest trail of a connected map in which more than two vertices, ``odd``, have an odd degree.

    A first walk keeps only the most promising states. It is exact if it dropped none, or if it reaches the upper bound.
    Otherwise its result is a bound that lets a second, exact walk drop nearly everything.
    """
    best, chain, exact = _walk(edges, at_least, FIRST_WIDTH)
    if not exact and not (len(odd) <= MOST_PAIRED and best == _weight(edges) - _least_left_out(edges, odd)):
        better, better_chain, _ = _walk(edges, best, None)
        best, chain = (better, better_chain) if better > best else (best, chain)
    trail = []
    while chain:
        index, chain = chain
        trail.append(edges[index])
    return best, trail


def _walk(edges: list[Edge], best: int, width: int | None) -> tuple[int, Chain, bool]:
    """Walk over the edges once: return the heaviest trail above ``best``, and whether no state was dropped for width.

    A state is the number of loose ends left behind and one label for each vertex of the front: 0 for an untouched
    vertex, else twice the number of its piece, plus 1 while its degree is odd. A trail that ends at a free edge could
    go on. So a longest one ends only in vertices whose degree in the map is odd.
    """
    odd = {vertex: degree % 2 for vertex, degree in _degrees(edges).items()}
    last = {vertex: index for index, edge in enumerate(edges) for vertex in edge[:2]}
    still = _most_still_to_come(edges, odd)
    best_chain: Chain = None
    exact = True
    front: list[str] = []
    states: dict[tuple[int, Labels], tuple[int, Chain]] = {(0, b""): (0, None)}
    for index, (a, b, weight, _) in enumerate(edges):
        new = [vertex for vertex in (a, b) if vertex not in front]
        front += new
        i, j = front.index(a), front.index(b)
        leaving = [at for at in sorted((i, j), reverse=True) if last[front[at]] == index]
        turn = bytes([len(new), i, j, *(number for at in leaving for number in (at, odd[front[at]]))])
        following: dict[tuple[int, Labels], tuple[int, Chain]] = {}
        enough = best - still[index]
        for (ends, labels), (taken, chain) in states.items():
            if taken + weight <= enough:
                continue
            with_it, without_it = _onward(labels, turn)
            for (loose, closed, labels_now), taken_now, chain_now in (
                (with_it, taken + weight, (index, chain)),
                (without_it, taken, chain),
            ):
                if taken_now <= enough or ends + loose > 2:
                    continue
                if closed:
                    if taken_now > best:
                        best, best_chain = taken_now, chain_now
                        enough = best - still[index]
                    continue
                key = ends + loose, labels_now
                known = following.get(key)
                if known is None or known[0] < taken_now:
                    following[key] = taken_now, chain_now
        for at in leaving:
            del front[at]
        if width is not None and len(following) > width:
            exact = False
            following = dict(sorted(following.items(), key=lambda state: -state[1][0])[:width])
        states = following
    return best, best_chain, exact


def _most_still_to_come(edges: list[Edge], odd: dict[str, int]) -> list[int]:
    """Return the most that can be taken after each edge of the list.

    Of the vertices with an odd degree, all but the two ends leave an edge out; at most two of them leave out the same
    edge. So each of the odd vertices still untouched, except two, costs at least half of its lightest edge.
    """
    first: dict[str, int] = {}
    lightest: dict[str, int] = {}
    for index, (a, b, weight, _) in enumerate(edges):
        for vertex in (a, b):
            first.setdefault(vertex, index)
            lightest[vertex] = min(weight, lightest.get(vertex, weight))
    opening: list[list[int]] = [[] for _ in edges]
    for vertex, index in first.items():
        if odd[vertex]:
            opening[index].append(lightest[vertex])
    still, weight, costs, two = [0] * len(edges), 0, 0, [0, 0]
    for index in range(len(edges) - 1, -1, -1):
        still[index] = weight - (costs - sum(two) + 1) // 2
        weight += edges[index][2]
        for cost in opening[index]:
            costs += cost
            two = sorted((*two, cost))[1:]
    return still


# ==== patterns of the front =======================================================================
Labels = bytes
"""One for each vertex of the front; see `_walk`."""
Step = tuple[int, bool, Labels]
"""The loose ends it adds (3, which is too many, if it makes no trail); whether a piece is closed, so that it is the
trail or of no use, since nothing can be added to it; and the labels that stay.
"""


@lru_cache(maxsize=1 << 13)
def _onward(labels: Labels, turn: bytes) -> tuple[Step, Step]:
    """Return the results of taking an edge and of leaving it. Maps of one game have many of these steps in common.

    ``turn``: how many vertices are new to the front; the places of the edge's two ends in it; and, for each vertex
    without further edges, its place and 1 if a trail may end there, else 0.
    """
    new, i, j, *leaving = turn
    labels += bytes(new)
    return _left_behind(_joined(labels, i, j), leaving), _left_behind(labels, leaving)


def _left_behind(labels: Labels, leaving: Sequence[int]) -> Step:
    """Return the result of moving the front on."""
    loose, closed = 0, False
    for at, may_end in zip(leaving[::2], leaving[1::2], strict=True):
        label = labels[at]
        labels = labels[:at] + labels[at + 1 :]
        if label:
            if label & 1:
                loose += 1 if may_end else 3
            piece = label | 1
            if piece not in labels and piece - 1 not in labels:
                closed = True
                loose += 3 if any(labels) else 0
    return loose, closed, _renumbered(labels)


def _joined(labels: Labels, i: int, j: int) -> Labels:
    """Return the labels after taking the edge between the front's ``i`` and ``j``."""
    x, y = labels[i], labels[j]
    joined = list(labels)
    if x and y:
        gone, stays = y >> 1, x & ~1
        joined = [stays + (label & 1) if label >> 1 == gone else label for label in joined]
    elif x or y:
        joined[i if y else j] = (x or y) & ~1
    else:
        joined[i] = joined[j] = (max(labels) | 1) + 1
    joined[i] ^= 1
    joined[j] ^= 1
    return bytes(joined)


def _renumbered(labels: Labels) -> Labels:
    """Return the same pattern with its pieces numbered in the order of the front, so that equal patterns are equal."""
    numbers: dict[int, int] = {0: 0}
    renumbered = []
    for label in labels:
        piece = label >> 1
        number = numbers.get(piece)
        if number is None:
            number = numbers[piece] = 2 * len(numbers)
        renumbered.append(number + (label & 1))
    return bytes(renumbered)


# ==== the most there can be =======================================================================
MOST_PAIRED = 8
"""The most vertices with an odd degree that are paired; with more, pairing costs more than it saves."""
FAR = 1 << 30
"""Above any distance."""


def _least_left_out(edges: list[Edge], odd: list[str]) -> int:
    """Return the least weight to leave out so that all degrees but two are even, even if the rest falls apart.

    No longest trail leaves out less: it ends only in vertices with an odd degree, since in others it could go on.
    """
    at: dict[str, list[tuple[str, int]]] = {}
    for a, b, weight, _ in edges:
        at.setdefault(a, []).append((b, weight))
        at.setdefault(b, []).append((a, weight))
    return _cheapest_pairs([[ways[other] for other in odd] for ways in [_distances(vertex, at) for vertex in odd]])


def _distances(start: str, at: dict[str, list[tuple[str, int]]]) -> dict[str, int]:
    """Return each vertex -> its distance from ``start`` (Dijkstra)."""
    distances = {start: 0}
    heap = [(0, start)]
    while heap:
        distance, vertex = heappop(heap)
        if distance == distances[vertex]:
            for onward, weight in at[vertex]:
                further = distance + weight
                if onward not in distances or further < distances[onward]:
                    distances[onward] = further
                    heappush(heap, (further, onward))
    return distances


def _cheapest_pairs(apart: list[list[int]]) -> int:
    """Return the least total distance of pairs of the numbers 0 to ``len(apart)`` - 1, when one pair costs nothing."""
    known: dict[int, tuple[int, int]] = {0: (0, 0)}

    def pair_up(waiting: int) -> tuple[int, int]:
        """Return the least cost of pairing the numbers whose bits are set; and the same with one pair for nothing."""
        if (found := known.get(waiting)) is not None:
            return found
        first = (waiting & -waiting).bit_length() - 1
        rest = waiting & (waiting - 1)
        all_paid = one_free = FAR
        for other in range(first + 1, len(apart)):
            if rest >> other & 1:
                cost = apart[first][other]
                paid, free = pair_up(rest ^ 1 << other)
                cheapest = paid if paid < free + cost else free + cost
                if cheapest < one_free:
                    one_free = cheapest
                if paid + cost < all_paid:
                    all_paid = paid + cost
        known[waiting] = found = all_paid, one_free
        return found

    return pair_up((1 << len(apart)) - 1)[1]


# ==== the answer ==================================================================================
def _travelled(edges: Sequence[Edge]) -> tuple[str, ...]:
    """Return the keys of ``edges``, which form a trail, in travelling order (Hierholzer)."""
    at: dict[str, list[tuple[str, int]]] = {}
    for index, (a, b, _, _) in enumerate(edges):
        at.setdefault(a, []).append((b, index))
        at.setdefault(b, []).append((a, index))
    if not at:
        return ()
    start = min((vertex for vertex in at if len(at[vertex]) % 2), default=min(at))
    used: set[int] = set()
    travelled: list[str] = []
    way: list[tuple[str, int | None]] = [(start, None)]
    while way:
        vertex, came_by = way[-1]
        while at[vertex] and at[vertex][-1][1] in used:
            at[vertex].pop()
        if at[vertex]:
            onward, index = at[vertex].pop()
            used.add(index)
            way.append((onward, index))
        else:
            way.pop()
            if came_by is not None:
                travelled.append(edges[came_by][3])
    return tuple(reversed(travelled))
