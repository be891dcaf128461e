"""The cheapest way between two cities over routes of one's own and routes that are open."""

from collections.abc import Collection, Container
from heapq import heappop, heappush

from domain.ticket_to_ride.board import BOTH_TRACKS_FROM, ROUTES, other_end, routes_at
from domain.ticket_to_ride.view import TicketToRideView


def cheapest(start: str, goal: str, own: Container[str], open_: Container[str], each: float = 0.0) -> list[str] | None:
    """The open routes that join two cities for the fewest spaces, from ``goal`` back; None if none do.

    ``own``: routes that cost nothing any more. ``each``: what a route costs beside its spaces.
    """
    heap: list[tuple[float, int, str]] = [(0.0, 0, start)]
    best = {start: 0.0}
    came: dict[str, tuple[str, str]] = {}
    steps = 0
    while heap:
        so_far, _, city = heappop(heap)
        if city == goal:
            break
        if so_far > best[city]:
            continue
        for route in routes_at(city):
            if route.id in own:
                price = 0.0
            elif route.id in open_:
                price = route.spaces + each
            else:
                continue
            onward, total = other_end(route.id, city), so_far + price
            if total < best.get(onward, 1e9):
                best[onward], came[onward] = total, (city, route.id)
                steps += 1
                heappush(heap, (total, steps, onward))
    if goal not in best:
        return None
    way, city = [], goal
    while city != start:
        city, used = came[city]
        if used not in own:
            way.append(used)
    return way


def length(way: Collection[str]) -> int:
    return sum(ROUTES[route].spaces for route in way)


def open_to(view: TicketToRideView, seat: int) -> frozenset[str]:
    """TTR 5.1, 5.4, 5.5: the routes that a seat may still claim, had it the trains and the cards."""
    both = len(view.seats) >= BOTH_TRACKS_FROM
    owners = view.owners
    return frozenset(
        it.id
        for it in ROUTES.values()
        if it.id not in owners and (it.twin not in owners or (both and owners[it.twin] != seat))
    )
