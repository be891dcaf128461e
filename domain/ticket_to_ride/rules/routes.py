"""TTR 5: claiming routes: the open ones, their prices and their points."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.ticket_to_ride.board import BOTH_TRACKS_FROM, GRAY, POINTS_FOR_SPACES, ROUTES, Route
from domain.ticket_to_ride.cards import COLOURS, KINDS, LOCOMOTIVE, counted, held, numbers
from domain.ticket_to_ride.commands import ClaimRoute
from domain.ticket_to_ride.events import RouteClaimed
from domain.ticket_to_ride.now import Now
from domain.ticket_to_ride.rules.train_cards import deck_runs_out
from domain.ticket_to_ride.rules.turn import must_begin
from domain.ticket_to_ride.state import State
from domain.words import Sentence

Payment = tuple[Any, ...]
Obstacle = Literal["claimed", "one_track", "own_track"]


def claim_route(now: Now, command: ClaimRoute) -> None:
    """TTR 5.1 A seat claims one whole route that is open. TTR 5.8 The cards paid go to the discard pile."""
    must_begin(now)
    route = must_be_open(now, command.route)
    must_have_trains(now, route)
    must_pay_the_price(route, command.pay)
    must_hold(now, command.pay)
    paid, trains = tuple(sorted(command.pay, key=KINDS.index)), now.player.trains - route.spaces
    now.happens(RouteClaimed(now.seat, route.id, paid, POINTS_FOR_SPACES[route.spaces], trains))
    deck_runs_out(now)


# ==== which are open ==============================================================================
def obstacles(owners: Mapping[str, int], players: int, seat: int | None) -> dict[str, Obstacle]:
    """Return route -> the obstacle between ``seat`` (None: anybody) and it, for each route that is closed. ``players``:
    with seats that have left (TTR 10.9).

    TTR 5.1 Somebody has claimed it. TTR 5.4 With two or three players one track closes the other; TTR 5.5 with four or
    five, only for its owner.
    """
    found: dict[str, Obstacle] = {}
    for route, owner in owners.items():
        if (twin := ROUTES[route].twin) and (players < BOTH_TRACKS_FROM or owner == seat):
            found[twin] = "one_track" if players < BOTH_TRACKS_FROM else "own_track"
    found.update(dict.fromkeys(owners, "claimed"))
    return found


def must_be_open(now: Now, route: str) -> Route:
    """TTR 5.1, 5.4, 5.5 The route must be open to the seat, whatever its cards."""
    if route not in ROUTES:
        raise Refused("TTR 1.2", "There is no such route.")
    owners, players = now.state.owners, len(now.state.players)
    match obstacles(owners, players, now.seat).get(route):
        case "claimed":
            owner = owners[route]
            raise Refused("TTR 5.1", "{route} is already claimed by {owner_seat}.", route=route, owner_seat=owner)
        case "one_track":
            raise Refused(
                "TTR 5.4", "With {players} players only one track of a double route can be claimed.", players=players
            )
        case "own_track":
            raise Refused("TTR 5.5", "You already own the other track of this double route.")
    return ROUTES[route]


def has_trains(trains: int, route: Route) -> bool:
    """TTR 5.7 Is there a train for every space of the route?"""
    return trains >= route.spaces


def must_have_trains(now: Now, route: Route) -> None:
    """TTR 5.7 The seat must have enough trains."""
    if not has_trains(now.player.trains, route):
        raise Refused(
            "TTR 5.7",
            "{route} needs {spaces:train|trains}; you have {trains}.",
            route=route.id,
            spaces=route.spaces,
            trains=now.player.trains,
        )


def open_routes(state: State, seat: int) -> Iterator[Route]:
    """Return the routes that are open to this seat, whatever its cards, in the order of the data."""
    closed, trains = obstacles(state.owners, len(state.players), seat), state.players[seat].trains
    return (route for route in ROUTES.values() if route.id not in closed and has_trains(trains, route))


# ==== prices ======================================================================================
def why_no_price(colour: str, spaces: int, pay: Payment) -> Literal["number", "kind", "colour", "colours"] | None:
    """Return the fault of the cards for a route, if there is one.

    TTR 5.2 A card of its colour, or a locomotive, pays for each space. TTR 5.3 On a gray route the cards are of any one
    colour.
    """
    if len(pay) != spaces:
        return "number"
    colours = set(pay) - {LOCOMOTIVE}
    if not colours.issubset(COLOURS):
        return "kind"
    if colour == GRAY:
        return "colours" if len(colours) > 1 else None
    return None if colours <= {colour} else "colour"


def must_pay_the_price(route: Route, pay: Payment) -> None:
    """TTR 5.2, 5.3 The cards must fit the route."""
    rule = "TTR 5.3" if route.colour == GRAY else "TTR 5.2"
    match why_no_price(route.colour, route.spaces, pay):
        case "number":
            raise Refused(
                rule,
                "{route} costs {spaces:card|cards}, not {number}.",
                route=route.id,
                spaces=route.spaces,
                number=len(pay),
            )
        case "kind":
            raise Refused(rule, "There is no such kind of card.")
        case "colours":
            raise Refused(rule, "The cards must all be of one colour, or locomotives.")
        case "colour":
            raise Refused(rule, "The cards must be {colour}, or locomotives.", colour=route.colour)


@cache
def prices(colour: str, spaces: int) -> tuple[tuple[Payment, frozenset[tuple[str, int]]], ...]:
    """Return every payment for such a route, with its numbers: fewest locomotives first, then in the data's order."""
    mixed = ((kind,) * (spaces - wild) + (LOCOMOTIVE,) * wild for wild in range(spaces) for kind in COLOURS)
    ways = (pay for pay in (*mixed, (LOCOMOTIVE,) * spaces) if why_no_price(colour, spaces, pay) is None)
    return tuple((pay, frozenset(numbers(pay))) for pay in ways)


def must_hold(now: Now, pay: Payment) -> None:
    """TTR 5.9 The exact cards must be named, and in the hand."""
    if not held(now.player.hand).issuperset(numbers(pay)):
        raise Refused("TTR 5.9", "You do not have all of these cards.")


def payments(route: Route, own: set[tuple[str, int]]) -> list[Payment]:
    """Return every way to pay for ``route`` with ``own`` cards (`held`)."""
    return [pay for pay, cards in prices(route.colour, route.spaces) if cards <= own]


# ==== in the list of legal actions ================================================================
def claims(state: State, seat: int) -> Iterator[tuple[Route, list[Payment]]]:
    """Yield each route the seat may claim and can pay for, in the order of the data, with every way to pay for it."""
    own = held(state.players[seat].hand)
    known: dict[tuple[str, int], list[Payment]] = {}
    for route in open_routes(state, seat):
        price = route.colour, route.spaces
        ways = known.get(price)
        if ways is None:
            ways = known[price] = payments(route, own)
        if ways:
            yield route, ways


def can_claim(state: State, seat: int) -> bool:
    """Can the seat claim any route at all (TTR 10.1)?"""
    return any(True for _ in claims(state, seat))


def candidates(now: Now) -> Iterator[Action]:
    """Return the claims that the guards let pass. There are hundreds, so tables give them and none is tried."""
    if now.allows(must_begin):
        for route, ways in claims(now.state, now.seat):
            fewest = ways[0].count(LOCOMOTIVE)
            yield from (claim_action(route.id, pay, fewest) for pay in ways)


@cache
def claim_action(route: str, pay: Payment, fewest: int) -> Action:
    """Return the action of a claim. ``fewest``: the locomotives that would suffice. There are some thousands of these,
    so each is made once.
    """
    wasteful = pay.count(LOCOMOTIVE) > fewest
    sentence = Sentence("Claim {route} for {cards}", {"route": route, "cards": counted(pay)})
    return Action(ClaimRoute(route, pay), "claim_with_more" if wasteful else "claim", sentence, aside=wasteful)


CHAPTER = Chapter({ClaimRoute: claim_route}, candidates, sure=True)
