"""The time of the exact longest path, over random positions of a seat that has placed all its trains.

    python -m tests.domain.ticket_to_ride.longest_path

Ours is printed beside a plain depth-first search over all trails, with a limited number of steps for each position; if
it finishes, both must agree. Times are of the processor, so that a busy machine changes them little.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from domain.ticket_to_ride.board import ROUTES, TRAINS, Route
from domain.ticket_to_ride.rules.scoring import eastward
from domain.ticket_to_ride.trails import longest_trail

HOLD_WORST, HOLD_TYPICAL = 50.0, 1.0  # milliseconds
SEARCH_STEPS = 200_000
HEADING = f"{'positions':<28}{'number':>7}{'median':>9}{'99 %':>9}{'worst':>9}   {'depth-first search':<30}"


def scattered(dice: random.Random, taken: Sequence[Route], fitting: Sequence[Route]) -> Sequence[Route]:
    """Choose any route that fits."""
    return fitting


def connected(dice: random.Random, taken: Sequence[Route], fitting: Sequence[Route]) -> Sequence[Route]:
    """Choose routes that touch the network, as players build them."""
    cities = _cities(taken)
    return [route for route in fitting if not cities or cities & {route.a, route.b}] or fitting


def knotted(dice: random.Random, taken: Sequence[Route], fitting: Sequence[Route]) -> Sequence[Route]:
    """Choose short routes inside the network first: many loops, the worst case."""
    cities = _cities(taken)
    short = [route for route in fitting if route.spaces <= 2 + len(taken) % 2]
    inside = [route for route in short if {route.a, route.b} <= cities]
    return inside or connected(dice, taken, short or fitting)


Taste = Callable[[random.Random, Sequence[Route], Sequence[Route]], Sequence[Route]]
TASTES: tuple[Taste, ...] = (scattered, connected, knotted)


def _cities(routes: Iterable[Route]) -> set[str]:
    return {city for route in routes for city in (route.a, route.b)}


def full_position(dice: random.Random, taste: Taste) -> list[Route]:
    """Return routes of one seat, of one track of each pair, until no further one fits its trains."""
    pool = list({route.pair: route for route in ROUTES.values()}.values())
    taken: list[Route] = []
    left = TRAINS
    while fitting := [route for route in pool if route.spaces <= left]:
        route = dice.choice(taste(dice, taken, fitting))
        pool.remove(route)
        taken.append(route)
        left -= route.spaces
    return taken


def depth_first(routes: Sequence[Route], steps: int) -> int | None:
    """Try every trail from every city, as the yardstick; None if it would take more than ``steps`` steps."""
    at: dict[str, list[tuple[str, Route]]] = {}
    for route in routes:
        at.setdefault(route.a, []).append((route.b, route))
        at.setdefault(route.b, []).append((route.a, route))
    used: set[str] = set()
    best = 0

    def go(city: str, length: int) -> bool:
        nonlocal best, steps
        steps -= 1
        best = max(best, length)
        for onward, route in at[city]:
            if route.id not in used:
                used.add(route.id)
                if steps < 0 or not go(onward, length + route.spaces):
                    return False
                used.remove(route.id)
        return True

    return best if all(go(city, 0) for city in at) else None


def bench_longest_path(number: int = 400, seed: int = 1) -> list[str]:
    """Measure ``number`` positions of each taste, in lines ready to be printed. Raises if ours and the yardstick
    differ.
    """
    dice = random.Random(seed)
    lines = [HEADING]
    for taste in TASTES:
        positions = [full_position(dice, taste) for _ in range(number)]
        ours, yardstick, finished = [], [], 0
        for routes in positions:
            edges = [(route.a, route.b, route.spaces, route.id) for route in eastward(route.id for route in routes)]
            began = time.thread_time()
            length, _ = longest_trail(edges)
            between = time.thread_time()
            found = depth_first(routes, SEARCH_STEPS)
            yardstick.append(1000 * (time.thread_time() - between))
            ours.append(1000 * (between - began))
            finished += found is not None
            if found not in (None, length):
                raise AssertionError(f"{length} or {found}? {[route.id for route in routes]}")
        ours.sort()
        lines.append(
            f"{taste.__name__:<28}{number:>7}{median(ours):>7.2f}ms{ours[len(ours) * 99 // 100]:>7.2f}ms"
            f"{ours[-1]:>7.2f}ms   median {median(yardstick):.2f}ms, {finished} of {number} finished"
        )
    lines.append(f"{'to hold':<28}{'':>7}{HOLD_TYPICAL:>7.2f}ms{'':>9}{HOLD_WORST:>7.2f}ms")
    return lines


if __name__ == "__main__":
    print("\n".join(bench_longest_path()))
