"""Map arithmetic shared by the titles: questions about places joined by links."""

from collections import deque
from collections.abc import Iterable, Mapping


def neighbours(links: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Return place -> the places one link away. Links run both ways."""
    joined: dict[str, set[str]] = {}
    for a, b in links:
        joined.setdefault(a, set()).add(b)
        joined.setdefault(b, set()).add(a)
    return {place: frozenset(others) for place, others in joined.items()}


def distances(joined: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Return from each place to each reachable place: the fewest links between the two."""
    return {place: _distances_from(place, joined) for place in joined}


def _distances_from(start: str, joined: Mapping[str, Iterable[str]]) -> dict[str, int]:
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for place in joined[here]:
            if place not in found:
                found[place] = found[here] + 1
                waiting.append(place)
    return found
