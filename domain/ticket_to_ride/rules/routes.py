"""TTR 5: claiming routes: which are open, what they cost, what they score."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from domain.refusal import Refused
from domain.ticket_to_ride.board import BOTH_TRACKS_FROM, GRAY, POINTS_FOR_SPACES, ROUTES, Route
from domain.ticket_to_ride.cards import COLOURS, KINDS, LOCOMOTIVE, holds
from domain.ticket_to_ride.commands import ClaimRoute
from domain.ticket_to_ride.events import RouteClaimed
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.train_cards import deck_runs_out
from domain.ticket_to_ride.rules.turn import must_begin
from domain.ticket_to_ride.state import State

Payment = tuple[Any, ...]


def claim_route(now: Now, command: ClaimRoute) -> None:
    """TTR 5.1 A seat claims one whole route that is open. TTR 5.8 The cards paid go to the discard pile."""
    must_begin(now)
    route = must_be_open(now, command.route)
    must_be_left_by_its_twin(now, route)
    must_have_trains(now, route)
    must_pay_the_price(route, command.pay)
    must_hold(now, command.pay)
    paid, trains = tuple(sorted(command.pay, key=KINDS.index)), now.player.trains - route.spaces
    now.happens(RouteClaimed(now.seat, route.id, paid, POINTS_FOR_SPACES[route.spaces], trains))
    deck_runs_out(now)


def must_be_open(now: Now, route: str) -> Route:
    """TTR 5.1 A route that nobody has claimed."""
    if route not in ROUTES:
        raise Refused("TTR 1.2", "There is no such route.")
    if (owner := now.state.owners.get(route)) is not None:
        raise Refused("TTR 5.1", "{route} is already claimed by {owner_seat}.", route=route, owner_seat=owner)
    return ROUTES[route]


def must_be_left_by_its_twin(now: Now, route: Route) -> None:
    """TTR 5.4, 5.5 What the twin of a double route forbids. TTR 10.9 Seats that have left are counted too."""
    owner = now.state.owners.get(route.twin) if route.twin else None
    if owner is None:
        return
    if len(now.state.players) < BOTH_TRACKS_FROM:
        raise Refused(
            "TTR 5.4",
            "With {players} players only one track of a double route can be claimed.",
            players=len(now.state.players),
        )
    if owner == now.seat:
        raise Refused("TTR 5.5", "You already own the other track of this double route.")


def must_have_trains(now: Now, route: Route) -> None:
    """TTR 5.7 Every space of the route takes a train."""
    if now.player.trains < route.spaces:
        raise Refused(
            "TTR 5.7",
            "{route} needs {spaces:train|trains}; you have {trains}.",
            route=route.id,
            spaces=route.spaces,
            trains=now.player.trains,
        )


def must_hold(now: Now, pay: Sequence[str]) -> None:
    """TTR 5.9 The exact cards are named, and in the hand."""
    if not holds(now.player.hand, pay):
        raise Refused("TTR 5.9", "You do not have all of these cards.")


def must_pay_the_price(route: Route, pay: Sequence[str]) -> None:
    """TTR 5.2 The price is a card of the route's colour, or a locomotive, for every space. TTR 5.3 On a gray route
    the cards are of any one colour."""
    rule = "TTR 5.3" if route.colour == GRAY else "TTR 5.2"
    if len(pay) != route.spaces:
        raise Refused(
            rule,
            "{route} costs {spaces:card|cards}, not {number}.",
            route=route.id,
            spaces=route.spaces,
            number=len(pay),
        )
    colours = set(pay) - {LOCOMOTIVE}
    if not colours.issubset(COLOURS):
        raise Refused(rule, "There is no such kind of card.")
    if route.colour == GRAY and len(colours) > 1:
        raise Refused(rule, "The cards must all be of one colour, or locomotives.")
    if route.colour != GRAY and not colours <= {route.colour}:
        raise Refused(rule, "The cards must be {colour}, or locomotives.", colour=route.colour)


def open_routes(state: State, seat: int) -> Iterator[Route]:
    """The routes this seat may claim, were it to pay for them (TTR 5.1, 5.4, 5.5, 5.7), in the order of the data."""
    owners, trains = state.owners, state.players[seat].trains
    both = len(state.players) >= BOTH_TRACKS_FROM
    for route in ROUTES.values():
        if route.spaces <= trains and route.id not in owners:
            other = owners.get(route.twin) if route.twin else None
            if other is None or (both and other != seat):
                yield route


def payments(route: Route, hand: Mapping[str, int]) -> list[Payment]:
    """Every way to pay for ``route`` from ``hand``: fewest locomotives first, then the order of the data."""
    held: tuple[tuple[str, int], ...]
    if route.colour == GRAY:
        held = tuple((colour, hand[colour]) for colour in COLOURS if hand[colour])
    elif hand[route.colour]:
        held = ((route.colour, hand[route.colour]),)
    else:
        held = ()
    return _payments(route.spaces, held, hand[LOCOMOTIVE])


def claims(state: State, seat: int) -> Iterator[tuple[Route, list[Payment]]]:
    """Each route the seat may claim and can pay for, in the order of the data, with every way to pay for it."""
    hand = state.players[seat].hand
    known: dict[tuple[str, int], list[Payment]] = {}
    for route in open_routes(state, seat):
        price = route.colour, route.spaces
        ways = known.get(price)
        if ways is None:
            ways = known[price] = payments(route, hand)
        if ways:
            yield route, ways


@cache
def paid_with(colour: str, spaces: int, locomotives: int) -> Payment:
    return (colour,) * (spaces - locomotives) + (LOCOMOTIVE,) * locomotives


def _payments(spaces: int, held: tuple[tuple[str, int], ...], locomotives: int) -> list[Payment]:
    ways = [
        paid_with(colour, spaces, wild)
        for wild in range(min(spaces - 1, locomotives) + 1)
        for colour, number in held
        if number + wild >= spaces
    ]
    if locomotives >= spaces:
        ways.append(paid_with(LOCOMOTIVE, spaces, spaces))
    return ways


def can_claim(state: State, seat: int) -> bool:
    """Whether the seat can claim any route at all (TTR 10.1)."""
    return any(True for _ in claims(state, seat))
