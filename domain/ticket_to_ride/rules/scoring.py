"""TTR 8: final scoring: tickets, the longest path, places."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from domain.ticket_to_ride.board import CITIES, LONGEST_PATH_POINTS, ROUTES, TICKETS, Route
from domain.ticket_to_ride.events import GameEnded, LongestPathScored, TicketsScored
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.state import State, TicketScore
from domain.ticket_to_ride.trails import longest_trail

_EASTWARD = {
    route.id: (max(ends := (CITIES[route.a].x, CITIES[route.b].x)), min(ends), route.id) for route in ROUTES.values()
}


def final_scoring(now: Now) -> None:
    """TTR 8.1 Keep the points for routes, and add tickets and the longest path."""
    for seat in now.state.in_turn_order:
        score = score_tickets(now.state, seat)
        now.happens(TicketsScored(seat, score.completed, score.missed, score.points))
    score_longest_path(now)
    score_game(now)


def score_tickets(state: State, seat: int) -> TicketScore:
    """TTR 8.3 Add the value of a completed ticket, TTR 8.4 and subtract that of any other."""
    player = state.players[seat]
    kept = (*player.tickets, *(player.chosen or ()))
    completed = completed_tickets(kept, state.routes_of(seat))
    missed = tuple(ticket for ticket in kept if ticket not in completed)
    return TicketScore(completed, missed, _value(completed) - _value(missed))


def completed_tickets(tickets: Sequence[str], routes: Iterable[str]) -> tuple[str, ...]:
    """TTR 8.3 Return the tickets whose two cities are joined by an unbroken chain of ``routes``."""
    network = networks(routes)
    return tuple(
        ticket
        for ticket in tickets
        if (start := network.get(TICKETS[ticket].a)) is not None and start is network.get(TICKETS[ticket].b)
    )


def networks(routes: Iterable[str]) -> dict[str, set[str]]:
    """Return every city that ``routes`` touch -> the set of cities joined with it."""
    network: dict[str, set[str]] = {}
    for route in map(ROUTES.__getitem__, routes):
        joined = network.get(route.a, {route.a}) | network.get(route.b, {route.b})
        for city in joined:
            network[city] = joined
    return network


def _value(tickets: Iterable[str]) -> int:
    return sum(TICKETS[ticket].points for ticket in tickets)


def longest_path(routes: Iterable[str]) -> tuple[int, tuple[str, ...]]:
    """TTR 8.5 Return the length of the longest continuous path of ``routes``, and one such path."""
    return _longest_path(frozenset(routes))


@lru_cache(maxsize=4096)
def _longest_path(routes: frozenset[str]) -> tuple[int, tuple[str, ...]]:
    return longest_trail((route.a, route.b, route.spaces, route.id) for route in eastward(routes))


def eastward(routes: Iterable[str]) -> list[Route]:
    """Sort ``routes`` from west to east, so that the search for the longest path crosses the map with a
    narrow front.
    """
    return [ROUTES[route] for route in sorted(routes, key=_EASTWARD.__getitem__)]


def score_longest_path(now: Now) -> None:
    """TTR 8.6 The longest path gets the card and 10 points; so does each of several equally long ones.

    TTR 8.7 No seat gets it if none has claimed a route. TTR 10.11 A seat that has left cannot hold the card.
    """
    state = now.state
    paths = tuple((seat, *longest_path(state.routes_of(seat))) for seat in state.in_turn_order)
    longest = max((length for seat, length, _ in paths if not state.players[seat].left), default=0)
    holders = tuple(seat for seat, length, _ in paths if length == longest > 0 and not state.players[seat].left)
    now.happens(LongestPathScored(paths, holders))


def score_game(now: Now) -> None:
    """TTR 8.8 The most points win. TTR 8.9 If equal, more completed tickets; TTR 8.10 then the longest-path card.

    TTR 8.11 Seats still equal share their place; TTR 8.12 lower places are decided likewise. TTR 10.11 A seat that has
    left takes no place.
    """
    state, final = now.state, now.state.final
    parts = {
        seat: (
            state.players[seat].points,
            final.tickets[seat].points,
            LONGEST_PATH_POINTS if seat in final.holders else 0,
        )
        for seat in state.in_turn_order
    }
    ranks = {
        seat: (sum(parts[seat]), len(final.tickets[seat].completed), seat in final.holders) for seat in state.playing
    }
    places = {seat: 1 + sum(other > rank for other in ranks.values()) for seat, rank in ranks.items()}
    now.happens(
        GameEnded(
            tuple((seat, *parts[seat], places.get(seat)) for seat in parts),
            tuple(seat for seat in parts if places.get(seat) == 1),
        )
    )
