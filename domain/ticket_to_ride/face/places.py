"""Places to point at in Ticket to Ride: routes and cities, the market and the decks, the colours and tickets in hand.

Both tracks of a gray double route mean the same if both are free.
"""

from collections.abc import Mapping
from functools import cache

from domain.places import Area, NamedPlace
from domain.ticket_to_ride.board import CITIES, ROUTES
from domain.ticket_to_ride.cards import KINDS
from domain.ticket_to_ride.face.picture import REGULAR, SMALL, track
from domain.ticket_to_ride.view import TicketToRideView
from domain.words import Sentence

DECK_OF_TRAINS, DECK_OF_TICKETS = "train_deck", "ticket_deck"


def shown(view: TicketToRideView) -> tuple[NamedPlace, ...]:
    """Return cities, free routes, the market and the decks; then one's own cards by colour, and tickets offered."""
    board = (*CITIES, *(route for route in ROUTES if route not in view.owners))
    market = (
        NamedPlace(f"market.{slot}", Sentence("{card} in the market", {"card": card}))
        for slot, card in enumerate(view.market, 1)
        if card is not None
    )
    decks = (NamedPlace(DECK_OF_TRAINS), NamedPlace(DECK_OF_TICKETS))
    places = (*(NamedPlace(it, on_board=True) for it in board), *market, *decks)
    if view.own is None or view.own.private is None:
        return places
    hand = (*(kind for kind in KINDS if view.own.private.hand[kind]), *view.own.private.offered)
    return (*places, *map(NamedPlace, hand))


def tracks(route: str, view: TicketToRideView) -> tuple[str, ...]:
    """Return a route, and its twin if they mean the same: the first track first, whichever is given."""
    twin = ROUTES[route].twin
    if twin is None or twin in view.owners or ROUTES[twin].colour != ROUTES[route].colour:
        return (route,)
    return tuple(sorted((route, twin)))


# ==== where they are ==============================================================================
def areas(view: TicketToRideView, small: bool) -> Mapping[str, Area]:
    """Return the areas of the places in a drawing; market and decks lie beside it."""
    return {it: area for it, area in _sheet(small).items() if it not in view.owners}


CLEAR = {True: 36.0, False: 12.0}
"""``small`` -> the distance from its cities at which one points at a route: 12 px of the drawing's intended width."""


@cache
def _sheet(small: bool) -> Mapping[str, Area]:
    size = SMALL if small else REGULAR
    cities = {city.id: Area(((city.x, city.y),), size.city) for city in CITIES.values()}
    return {**cities, **{route: _along(route, CLEAR[small], size.car / 2) for route in ROUTES}}


def _along(route: str, clear: float, body: float) -> Area:
    """Return the line of a route without its ends, which belong to the cities; of a short one its middle."""
    line = track(route).line
    ends = Area(line[:1], 0), Area(line[-1:], 0)
    free = tuple(point for point in line if all(end.distance(point) >= clear for end in ends))
    return Area(free or (line[len(line) // 2],), body)
