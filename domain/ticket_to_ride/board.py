"""The printed map and the tickets (TTR 1.2, 1.3, 1.5): tables for the rules, read from data/board.json."""

from functools import cache
from typing import Literal

import msgspec

from domain.ticket_to_ride.cards import DATA, Colour


class City(msgspec.Struct, frozen=True):
    """``code``: three letters for small maps. ``x``, ``y``: on a canvas of 1000 x 700."""

    id: str
    name: str
    code: str
    x: int
    y: int


class Route(msgspec.Struct, frozen=True):
    """One track between two cities. ``lane``: 0 alone, 1 and 2 beside its twin. ``pair`` names the two cities."""

    id: str
    a: str
    b: str
    spaces: int
    colour: Colour | Literal["gray"]
    lane: int
    twin: str | None

    @property
    def pair(self) -> str:
        return f"{self.a}__{self.b}"


class Ticket(msgspec.Struct, frozen=True):
    id: str
    a: str
    b: str
    points: int


GRAY = "gray"
CITIES = {city.id: city for city in msgspec.convert(DATA["cities"], list[City])}
ROUTES = {route.id: route for route in msgspec.convert(DATA["routes"], list[Route])}
TICKETS = {ticket.id: ticket for ticket in msgspec.convert(DATA["tickets"], list[Ticket])}

POINTS_FOR_SPACES = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}  # TTR 5.6
TRAINS = 45  # TTR 1.6
LAST_ROUND_AT = 2  # TTR 7.1: trains in stock
LONGEST_PATH_POINTS = 10  # TTR 8.6
TICKETS_DEALT = 3  # TTR 2.5, 6.1
FEWEST_KEPT_IN_SETUP = 2  # TTR 2.6
FEWEST_KEPT = 1  # TTR 6.2
BOTH_TRACKS_FROM = 4  # TTR 5.5: players


@cache
def routes_at(city: str) -> tuple[Route, ...]:
    """Return the routes that end in ``city``, in the order of the data."""
    return tuple(route for route in ROUTES.values() if city in (route.a, route.b))


@cache
def other_end(route: str, city: str) -> str:
    it = ROUTES[route]
    return it.b if it.a == city else it.a
