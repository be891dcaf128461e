"""The cheapest connection of two cities over open routes and one's own."""

from collections.abc import Collection, Container, Iterator
from functools import lru_cache
from heapq import heappop, heappush

from domain.ticket_to_ride.board import ROUTES, TICKETS, Route, other_end, routes_at
from domain.ticket_to_ride.rules.routes import obstacles
from domain.ticket_to_ride.view import TicketToRideView


def cheapest(start: str, goal: str, own: Container[str], open_: Container[str], each: float = 0.0) -> list[str] | None:
    """Return the open routes that join two cities for the fewest spaces, from ``goal`` back; None if none do.

    ``own``: routes that cost nothing any more. ``each``: the cost of a route besides its spaces.
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


@lru_cache(1024)
def missing(ticket: str, own: frozenset[str], open_: frozenset[str]) -> tuple[str, ...] | None:
    """Return the routes that a ticket still needs, for the fewest trains; None if it can no longer be completed.

    Remembered: pages and letters ask for the same ones again and again.
    """
    way = cheapest(TICKETS[ticket].a, TICKETS[ticket].b, own, open_)
    return None if way is None else tuple(reversed(way))


def length(way: Collection[str]) -> int:
    return sum(ROUTES[route].spaces for route in way)


def open_routes(view: TicketToRideView) -> Iterator[Route]:
    """Return the routes that the reader (or any seat, for a spectator) may claim, in the order of the data."""
    closed = obstacles(view.owners, len(view.seats), view.seat)
    return (route for route in ROUTES.values() if route.id not in closed)
